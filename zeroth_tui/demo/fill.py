"""Filling a database with finished runs: what a demo's past tells, many times, over many days."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from zeroth_store.sqlite.repositories.bulk import count_rows, enlarge_cache, insert_rows, read_rows
from zeroth_store.sqlite.repositories.database import MEMORY, AsyncSQLiteDatabase, Row
from zeroth_tui.demo.player import seed_history
from zeroth_tui.demo.store import DemoStore
from zeroth_tui.demo.template import THREAD, Template

DAYS: Final = 30
"""Over so many days the runs are spread."""

_TABLES: Final = ("runs", "threads", "node_audits", "approvals")
_OVER: Final = frozenset({"COMPLETED", "FAILED"})
_TOLD: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""When the past that is copied ends; copies have times of their own."""

_LATEST: Final = timedelta(hours=14)
"""So long ago the last copy begins: a thread takes five hours, and eleven when stretched."""

_RUNS_AT_ONCE: Final = 2_000


async def fill(database: AsyncSQLiteDatabase, count: int, *, seed: int, now: datetime) -> None:
    """Write `count` finished runs that began in the days before `now`, oldest first.

    They have a history and audits, but no checkpoints. Deterministic for `seed`, `now` and how many
    runs there are; the schema must be there. Raises a DatabaseError.
    """
    templates = await _templates(seed)
    async with database.reading() as session:
        stored = await count_rows(session, "runs")
    # As many runs as are stored keep new ids apart from those of an earlier fill.
    random = Random(f"{seed} fills after {stored}")  # noqa: S311 - nothing is secret
    batch: dict[str, list[Row]] = {table: [] for table in _TABLES}
    async with database.reading() as session:
        await enlarge_cache(session)
    for rows in _copies(templates, count, random, now):
        for table, some in rows.items():
            batch[table] += some
        if len(batch["runs"]) >= _RUNS_AT_ONCE:
            await _write(database, batch)
    await _write(database, batch)
    async with database.reading() as session:
        await enlarge_cache(session, back=True)


def _copies(
    templates: Sequence[Template], count: int, random: Random, now: datetime
) -> Iterator[dict[str, list[Row]]]:
    """Return the rows of thread after thread, until there are `count` runs."""
    left = count
    latest = now - _LATEST
    began = latest - timedelta(days=DAYS)
    while left:
        fitting = [template for template in templates if template.runs <= left]
        template = random.choice(fitting)
        left -= template.runs
        share = (count - left) / count
        moment = began + (latest - began) * share
        yield template.copy(random, moment)


async def _write(database: AsyncSQLiteDatabase, batch: dict[str, list[Row]]) -> None:
    async with database.transaction() as session:
        for table, rows in batch.items():
            await insert_rows(session, table, rows)
            rows.clear()


async def _templates(seed: int) -> list[Template]:
    """Play a past in memory, and return a template of each thread of it."""
    async with AsyncSQLiteDatabase(MEMORY) as database:
        store = DemoStore(database, seed=seed)
        await store.initialize()
        await seed_history(store, _TOLD)
        async with database.reading() as session:
            tables = {table: await read_rows(session, table) for table in _TABLES}
    return [_template(thread, tables) for thread in tables["threads"] if _is_told(thread, tables)]


def _is_told(thread: Row, tables: dict[str, list[Row]]) -> bool:
    return any(_is_of(run, thread) for run in tables["runs"])


def _is_of(run: Row, thread: Row) -> bool:
    return run["thread_id"] == thread["thread_id"] and run["status"] in _OVER


def _template(thread: Row, tables: dict[str, list[Row]]) -> Template:
    """Return what is stored of the finished runs of a thread, as a template."""
    runs = [{**run, "checkpoint_id": None} for run in tables["runs"] if _is_of(run, thread)]
    ids = [run["run_id"] for run in runs]
    kept = {
        **thread,
        "run_ids": json.dumps(ids),
        "last_run_id": ids[-1],
        "active_run_id": None,
        "checkpoint_refs": "[]",
        "updated_at": max(run["updated_at"] for run in runs),
    }
    rows = {
        "runs": runs,
        "threads": [kept],
        **{
            table: [row for row in tables[table] if row["run_id"] in ids]
            for table in ("node_audits", "approvals")
        },
    }
    name = thread["thread_id"]
    return Template({table: [_unnamed(row, name) for row in some] for table, some in rows.items()})


def _unnamed(row: Row, thread_id: str) -> Row:
    """Return a row that leaves open which thread it is about."""
    changed: dict[str, Any] = {"thread_id": f"{thread_id}{THREAD}"}
    if "record_json" in row:
        own, any_ = (json.dumps({"thread_id": f"{thread_id}{end}"})[1:-1] for end in ("", THREAD))
        compact = (own.replace(": ", ":"), any_.replace(": ", ":"))
        changed["record_json"] = row["record_json"].replace(*compact)
    return {**row, **changed}
