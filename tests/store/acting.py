"""What the tests of acting share: whole databases compared before and after, cell by cell."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from tests.store.support import START, START_COLUMN, Clock, Ids
from zeroth_store.acting import offers, plan
from zeroth_store.actions import Act, Fields, Outcome, RunActor, Write
from zeroth_store.browse import RunKey
from zeroth_store.sqlite.acting.guest_actor import GuestActor
from zeroth_store.status import RunStatus

KEY = RunKey("default", "null", "r1")

Rows = dict[tuple[str, int], dict[str, Any]]
"""(table, rowid) -> column -> (type, value), of a whole database."""

CHECKPOINTED = frozenset({"threads", "run_checkpoints"})
"""The tables that an own database's writes change beside the run."""


def everything(path: Path | str) -> Rows:
    """Read every cell of every table: text as str whatever its bytes, blobs as bytes."""
    found: Rows = {}
    uri = str(path).startswith("file:")
    with closing(sqlite3.connect(path, uri=uri, isolation_level=None)) as connection:
        connection.text_factory = partial(str, encoding="utf-8", errors="surrogateescape")
        tables = "SELECT name FROM sqlite_master WHERE type = 'table'"
        for (table,) in connection.execute(tables).fetchall():
            cursor = connection.execute(f'SELECT rowid, * FROM "{table}"')
            columns = [column[0] for column in cursor.description[1:]]
            for rowid, *values in cursor.fetchall():
                found[table, rowid] = dict(zip(columns, values, strict=True))
    return found


def changes(before: Rows, after: Rows) -> dict[tuple[str, int], dict[str, Any]]:
    """Return the cells that differ: (table, rowid) -> column -> what is stored now."""
    assert before.keys() <= after.keys(), "a row is gone"
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for place, row in after.items():
        old = before.get(place, {})
        cells = {n: v for n, v in row.items() if n not in old or not _same(old[n], v)}
        if cells or place not in before:
            found[place] = cells
    return found


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and one == other


def place_of(rows: Rows, key: RunKey) -> tuple[str, int]:
    """Return where a run's row is."""
    found = [
        place
        for place, row in rows.items()
        if place[0] == "runs"
        and row["run_id"] == key.run_id
        and (row.get("tenant_id") or "default") == key.tenant_id
        and _scope(row) == key.workspace_scope
    ]
    assert len(found) == 1, f"{len(found)} rows of {key}"
    return found[0]


def _scope(row: Mapping[str, Any]) -> str:
    workspace = row.get("workspace_id")
    return "null" if workspace is None else f"value:{workspace}"


def assert_as_shown(
    write: Write,
    outcome: Outcome,
    before: Rows,
    after: Rows,
    written_at: str,
    *,
    beside: Iterable[str] = (),
) -> None:
    """Hold what was shown against what was stored: each column, and not a byte more.

    Only the tables in `beside` may have changed as well.
    """
    assert (outcome.written, outcome.problem) == (True, "")
    place = place_of(before, write.key)
    changed = {
        where: cells for where, cells in changes(before, after).items() if where[0] not in beside
    }
    shown = {**write.columns, "updated_at": written_at}
    assert changed.keys() == {place}
    assert {name: after[place][name] for name in shown} == shown
    assert changed[place].keys() <= shown.keys()
    assert outcome.stored == after[place]["status"]
    assert outcome.before == {name: before[place][name] for name in write.columns}
    assert outcome.after == write.columns


async def planned(
    actor: RunActor,
    act: Act,
    now: datetime,
    key: RunKey = KEY,
    to: RunStatus | None = None,
    **fields: Any,
) -> Write:
    """Return the write of an act that the run's standing offers."""
    standing = await actor.standing(key)
    assert standing is not None
    found = [o for o in offers(standing, now) if o.act == act and to in (None, o.to)]
    assert [offer.refusal for offer in found] == [""]
    return plan(found[0], key, standing, Fields(**fields), now)


async def written_as_shown(
    actor: RunActor, write: Write, path: Path | str, *, beside: Iterable[str] = ()
) -> Outcome:
    """Write at START, hold what was shown against what was stored, and return the outcome."""
    before = everything(path)
    outcome = await actor.write(write)
    assert_as_shown(write, outcome, before, everything(path), START_COLUMN, beside=beside)
    return outcome


def actor_on(path: Path, **more: Any) -> GuestActor:
    """An actor on a guest whose clock and ids are known."""
    return GuestActor(path, clock=Clock(), ids=Ids("c"), **more)


async def act(
    path: Path, name: Act, between: Callable[[], object] = lambda: None, **more: Any
) -> Outcome:
    """Plan an act, let something happen, and write; what is written is held against the plan."""
    actor = actor_on(path, **more)
    write = await planned(actor, name, START)
    between()
    before = everything(path)
    outcome = await actor.write(write)
    if outcome.written:
        assert_as_shown(write, outcome, before, everything(path), START_COLUMN)
    return outcome
