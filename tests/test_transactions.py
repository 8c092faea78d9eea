"""What writes to a run database takes its lock first: a later one would fail without waiting."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
BEGINS = re.compile("begin( (deferred|immediate|exclusive|transaction))*", re.IGNORECASE)
OUR_CACHE = "index/*.py"
"""Modules whose transactions are in a side index, which nobody else has open."""


def begun(source: str) -> Iterator[str]:
    """Yield each statement in Python code that begins a transaction."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if BEGINS.fullmatch(node.value):
            yield node.value.upper()


def test_every_transaction_takes_the_lock_at_once() -> None:
    found = {
        path: set(begun(path.read_text("utf-8")))
        for folder in ("store", "migrations", "zeroth_tui")
        for path in (ROOT / folder).rglob("*.py")
        if not path.match(OUR_CACHE)
    }
    opening = {path: statements for path, statements in found.items() if statements}
    assert {"database.py", "guest_actor.py", "schema.py"} <= {path.name for path in opening}
    assert set().union(*opening.values()) == {"BEGIN IMMEDIATE"}


def test_one_that_waits_with_the_lock_is_found() -> None:
    assert list(begun('run("begin")\nrun("BEGIN DEFERRED")\n"x BEGIN"\n')) == [
        "BEGIN",
        "BEGIN DEFERRED",
    ]
