"""Filling: so many finished runs, over days, each a run of its own with its audits."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from tests.demo.people import Person
from tests.demo.stagehands import NOON, FakeTime, live_on, opened, rows, runs
from zeroth_store.sqlite.repositories.database import AsyncSQLiteDatabase
from zeroth_store.status import RunStatus
from zeroth_tui.demo.fill import DAYS, fill
from zeroth_tui.demo.player import STORIES

Fresh = Callable[[str], Path]
MANY = 203


async def filled(path: Path, count: int, seed: int = 7) -> None:
    async with opened(path, seed):
        """Opening makes the tables."""
    async with AsyncSQLiteDatabase(path) as database:
        await fill(database, count, seed=seed, now=NOON)


@pytest.fixture(scope="module")
def many(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = Path(shutil.copy(empty_file, tmp_path_factory.mktemp("fill") / "many.db"))
    asyncio.run(filled(path, MANY))
    return path


def test_it_writes_exactly_so_many_runs_that_are_over(many: Path) -> None:
    stored = runs(many)
    statuses = Counter(run["status"] for run in stored)
    assert len(stored) == len({run["run_id"] for run in stored}) == MANY
    assert set(statuses) == {"COMPLETED", "FAILED"}
    assert statuses["COMPLETED"] > statuses["FAILED"]
    listed = rows(many, "SELECT run.value AS id FROM threads, json_each(run_ids) run")
    assert sorted(row["id"] for row in listed) == sorted(run["run_id"] for run in stored)
    known = {row["thread_id"] for row in rows(many, "SELECT thread_id FROM threads")}
    assert {run["thread_id"] for run in stored} == known
    assert rows(many, "PRAGMA integrity_check") == [{"integrity_check": "ok"}]


def test_runs_lie_in_the_last_days_with_other_durations(many: Path) -> None:
    stored = runs(many)
    started = [datetime.fromisoformat(run["started_at"]) for run in stored]
    ended = [datetime.fromisoformat(run["updated_at"]) for run in stored]
    assert min(started) < NOON - timedelta(days=DAYS - 5)
    assert NOON - timedelta(days=5) < max(ended) <= NOON
    assert all(begin < end for begin, end in zip(started, ended, strict=True))
    spam = [
        end - begin
        for run, begin, end in zip(stored, started, ended, strict=True)
        if run["completed_steps"] == ["classify", "discard"]
    ]
    assert len(spam) > 3
    assert max(spam) > min(spam) * 1.2


def test_copies_name_their_own_rows_and_no_others(many: Path) -> None:
    entries = sum(len(run["execution_history"]) for run in runs(many))
    found = rows(
        many,
        "SELECT count(*) AS audits,"
        " sum(audit_id LIKE run_id || ':%') AS own,"
        " sum(json_extract(record_json, '$.thread_id') = thread_id) AS named,"
        " sum(run_id IN (SELECT run_id FROM runs)) AS known FROM node_audits",
    )
    assert found == [{"audits": entries, "own": entries, "named": entries, "known": entries}]
    children = rows(
        many,
        "SELECT"
        " sum(json_extract(metadata, '$.parent_run_id') IN (SELECT run_id FROM runs)) AS known,"
        " count(json_extract(metadata, '$.parent_run_id')) AS children FROM runs",
    )
    assert children[0]["known"] == children[0]["children"] > 0


async def test_one_is_as_exact_as_many(fresh: Fresh) -> None:
    path = fresh("one")
    await filled(path, 1, seed=8)
    assert len(runs(path)) == 1


async def test_the_same_seed_writes_the_same(many: Path, fresh: Fresh) -> None:
    again = fresh("again")
    await filled(again, MANY)
    for table in ("runs", "threads", "node_audits", "approvals"):
        sql = f"SELECT * FROM {table} ORDER BY rowid"
        assert rows(again, sql) == rows(many, sql)


async def test_a_second_fill_adds_to_the_first(many: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(many, tmp_path / "twice.db"))
    before = runs(path)
    await filled(path, 40)
    after = runs(path)
    assert len({run["run_id"] for run in after}) == len(after) == MANY + 40
    assert [run for run in after if run in before] == before


async def test_a_filled_run_that_is_replayed_is_played(many: Path, tmp_path: Path) -> None:
    path, time = Path(shutil.copy(many, tmp_path / "replayed.db")), FakeTime()
    sql = "deployment_ref = 'warehouse-sync' AND status = 'FAILED'"
    dead = len(rows(path, f"SELECT 1 FROM runs WHERE {sql}"))
    time.after(5.0, partial(Person(path, sql).set, RunStatus.PENDING))
    async with opened(path) as store:
        await live_on(store, STORIES, time, seconds=60.0)
    assert len(rows(path, f"SELECT 1 FROM runs WHERE {sql}")) == dead - 1
    assert not rows(path, "SELECT 1 FROM runs WHERE status NOT IN ('COMPLETED', 'FAILED')")
    assert [
        run["completed_steps"] for run in runs(path) if run["updated_at"] > NOON.isoformat()
    ] == [["extract", "transform", "load"]]
