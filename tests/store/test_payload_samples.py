"""Searching the payloads of real databases: the same runs and places as plain looking finds."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.store.filters import parsed
from tests.store.support import SHARED
from zeroth_store.browse import Hit, RunBrowser, RunQuery
from zeroth_store.sqlite.browser import SQLiteRunBrowser

SAMPLES = sorted((SHARED / "data" / "zeroth").glob("rev*.db"))
TEXTS = ("invoice", "refund", "score", "ü", "0.9", "true", "a", "/", "completed", "audit:1")
Place = tuple[str, int | None, bool, tuple[str | int, ...]]

pytestmark = pytest.mark.skipif(not SAMPLES, reason="the sample databases of Zeroth are not here")


async def search(browser: RunBrowser, text: str) -> list[Hit]:
    """Every hit of a search."""
    query = RunQuery(filter=parsed(text))
    page = await browser.search(query)
    found = list(page.hits)
    while page.more is not None:
        page = await browser.search(query, after=page.more)
        found += page.hits
    return found


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: str(path.stem))
async def test_real_databases(path: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(path, tmp_path))
    with closing(sqlite3.connect(copy)) as connection:
        connection.row_factory = sqlite3.Row
        stored = connection.execute("SELECT * FROM runs ORDER BY rowid DESC").fetchall()
    everywhere = 0
    async with SQLiteRunBrowser(copy) as browser:
        for text in TEXTS:
            plain = [places for row in stored if (places := list(holding(row, text)))]
            found = await search(browser, f'in:any:"{text}"')
            everywhere += len(plain)
            assert len(found) == len(plain)
            for hit, places in zip(found, plain, strict=True):
                assert hit.spot is not None
                assert spot_of(hit) in places
            missing = await search(browser, f'-in:any:"{text}"')
            assert len(missing) == len(stored) - len(plain)
            await check_spots_lead_to_what_is_shown(browser, found[:5], text)
    assert everywhere


async def check_spots_lead_to_what_is_shown(
    browser: RunBrowser, found: list[Hit], text: str
) -> None:
    for hit in found:
        detail = await browser.run(hit.run.key)
        assert detail is not None
        place, step, in_flight, path = spot_of(hit)
        if in_flight:
            shown = detail.in_flight_input
        elif step is None:
            shown = detail.initial_input if place == "input" else detail.output
        else:
            (entry,) = [entry for entry in detail.history if entry.index == step]
            shown = entry.input if place == "input" else entry.output
        assert shown is not None
        value = json.loads(shown, parse_float=str, parse_int=str)
        for key in path:
            value = value[key]
        said = value if isinstance(value, str) else json.dumps(value)
        last = path[-1] if path else ""
        assert text in said.lower() or text in str(last).lower()


def spot_of(hit: Hit) -> Place:
    assert hit.spot is not None
    return hit.spot.place, hit.spot.step, hit.spot.in_flight, hit.spot.path


def holding(row: sqlite3.Row, text: str) -> Iterator[Place]:
    """Every place of a run's row where a key or value holds a text, by plain looking."""
    for where, value in payloads(row):
        for path in paths(value, text, ()):
            yield *where, path


def payloads(row: sqlite3.Row) -> Iterator[tuple[tuple[str, int | None, bool], Any]]:
    """The payloads of a row, decoded."""
    history, metadata, output = (
        decode(row[name]) for name in ("execution_history", "metadata", "final_output")
    )
    for index, step in enumerate(history or []):
        yield ("input", index, False), step["input_snapshot"]
        yield ("output", index, False), step["output_snapshot"]
    if row["final_output"] is not None:
        yield ("output", None, False), output
    if "in_flight_dispatch" in metadata:
        yield ("input", None, True), metadata["in_flight_dispatch"]["input_payload"]
    if "initial_input" in metadata:
        yield ("input", None, False), metadata["initial_input"]
    elif not history:
        # The node whose turn comes next, of those that wait with a payload.
        waiting = metadata.get("node_payloads", {})
        for node in decode(row["pending_node_ids"])[:1]:
            if node in waiting:
                yield ("input", None, False), waiting[node]


def decode(cell: str | None) -> Any:
    return None if cell is None else json.loads(cell, parse_float=str, parse_int=str)


def paths(value: Any, text: str, path: tuple[str | int, ...]) -> Iterator[tuple[str | int, ...]]:
    """The paths of all keys and values that hold a text, whatever the case."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if text in key.lower():
                yield (*path, key)
            yield from paths(inner, text, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from paths(inner, text, (*path, index))
    elif text in (value if isinstance(value, str) else json.dumps(value)).lower():
        yield path
