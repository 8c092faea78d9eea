"""Acting on guests: what was shown is written and no more, while the run is as it was seen."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.store.acting import KEY, act, actor_on, assert_as_shown, everything, planned
from tests.store.guests import ERAS, Guest, listing
from tests.store.support import SHARED, START, START_COLUMN
from zeroth_store.acting import offers, plan
from zeroth_store.actions import Act, Fields, Write
from zeroth_store.browse import RunKey
from zeroth_store.outcomes import written

FAILURE = '{"details":{},"message":"boom","reason":"node_execution_failed"}'
LEASED = {
    "lease_worker_id": "w-1",
    "lease_acquired_at": "2026-03-01T11:59:30+00:00",
    "lease_expires_at": "2026-03-01T12:00:30+00:00",
}
EXPIRED = {**LEASED, "lease_expires_at": START_COLUMN}
ACTS: list[tuple[Act, str, dict[str, Any]]] = [
    ("cancel", "RUNNING", LEASED),
    ("cancel", "WAITING_APPROVAL", {}),
    ("pause", "RUNNING", LEASED),
    ("resume", "WAITING_INTERRUPT", {}),
    ("replay", "FAILED", {**EXPIRED, "failure_state": FAILURE, "error": "boom"}),
]


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    with Guest(tmp_path / "guest.db", wal=True) as made:
        yield made


@pytest.mark.parametrize("wal", [False, True])
@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(("name", "status", "columns"), ACTS)
async def test_what_was_shown_is_written_and_nothing_else(
    tmp_path: Path, era: str, wal: bool, name: Act, status: str, columns: dict[str, Any]
) -> None:
    path = tmp_path / "guest.db"
    with Guest(path, era, wal=wal) as guest:
        guest.thread("t-1", ["r1", "r2"])
        guest.run("r1", status, failure_count=2, metadata='{"a": 1.0}', **columns)
        guest.run("r2", status, **columns)
        guest.checkpoint("c-1", "r1", "{}")
    files, before = sorted(listing(tmp_path)), everything(path)
    actor = actor_on(path)
    write = await planned(actor, name, START)
    outcome = await actor.write(write)
    after = everything(path)
    assert_as_shown(write, outcome, before, after, START_COLUMN)
    assert sorted(listing(tmp_path)) == files
    with closing(sqlite3.connect(path)) as connection:
        mode = connection.execute("PRAGMA journal_mode").fetchone()
    assert mode == ("wal" if wal else "delete",)


async def test_a_cancel_leaves_the_lease_to_its_worker(guest: Guest) -> None:
    guest.run("r1", "RUNNING", **LEASED)
    assert (await act(guest.path, "cancel")).written
    columns = "status, failure_state, error, lease_worker_id, lease_acquired_at, lease_expires_at"
    assert guest.sql(f"SELECT {columns} FROM runs") == [
        (
            "FAILED",
            '{"details":{},"message":"cancelled by operator","reason":"operator_cancelled"}',
            "cancelled by operator",
            *LEASED.values(),
        )
    ]


async def test_only_the_run_of_the_scope_is_changed(guest: Guest) -> None:
    for tenant in ("default", "acme"):
        for workspace in (None, "w"):
            guest.run("r1", "RUNNING", tenant_id=tenant, workspace_id=workspace)
    actor = actor_on(guest.path)
    key = RunKey("acme", "value:w", "r1")
    write = await planned(actor, "pause", START, key)
    before = everything(guest.path)
    assert_as_shown(write, await actor.write(write), before, everything(guest.path), START_COLUMN)
    rows = guest.sql("SELECT tenant_id, workspace_scope FROM runs WHERE status <> 'RUNNING'")
    assert rows == [("acme", "value:w")]


@pytest.mark.parametrize(
    ("happens", "stored", "said"),
    [
        (
            "UPDATE runs SET status = 'COMPLETED'",
            "COMPLETED",
            "changed to COMPLETED by another writer, nothing done",
        ),
        ("DELETE FROM runs", None, "the run is gone, nothing done"),
        (
            "UPDATE runs SET status = NULL",
            None,
            "changed to no status by another writer, nothing done",
        ),
        ("CREATE TRIGGER sly AFTER UPDATE ON runs BEGIN SELECT 1; END", "RUNNING", "sly"),
        ("CREATE TRIGGER sly AFTER UPDATE ON ThreadS BEGIN SELECT 1; END", "RUNNING", "sly"),
    ],
)
async def test_what_happened_meanwhile_is_told_and_nothing_is_written(
    guest: Guest, happens: str, stored: str | None, said: str
) -> None:
    guest.run("r1", "RUNNING")
    seen: list[Any] = []

    def meanwhile() -> None:
        guest.sql(happens)
        seen.append(everything(guest.path))

    outcome = await act(guest.path, "cancel", meanwhile)
    assert (outcome.written, outcome.stored) == (False, stored)
    assert said in outcome.problem
    assert (outcome.before, outcome.after) == ({}, {})
    assert everything(guest.path) == seen[0]


@pytest.mark.parametrize(
    ("name", "status"), [("replay", "FAILED"), ("resume", "WAITING_INTERRUPT")]
)
async def test_a_lease_taken_meanwhile_keeps_the_run(guest: Guest, name: Act, status: str) -> None:
    guest.run("r1", status)
    taken = "UPDATE runs SET lease_worker_id = 'w-9', lease_expires_at = '2026-03-01T12:00:01Z'"
    outcome = await act(guest.path, name, lambda: guest.sql(taken))
    assert not outcome.written
    assert "w-9 still holds its lease" in outcome.problem
    assert outcome.problem.endswith("; nothing done")
    assert guest.sql("SELECT status, lease_worker_id FROM runs") == [(status, "w-9")]


@pytest.mark.parametrize(
    ("name", "status", "stored", "said"),
    [
        ("cancel", "FAILED", "FAILED", ""),
        ("cancel", "FAILED", "RUNNING", "RUNNING over it by another writer: it did not stick"),
        ("pause", "WAITING_INTERRUPT", "COMPLETED", "COMPLETED over it"),
        ("replay", "PENDING", "RUNNING", ""),
        ("checkpoint", None, "COMPLETED", ""),
    ],
)
def test_what_did_not_stick_is_told(name: Act, status: str | None, stored: str, said: str) -> None:
    columns = {} if status is None else {"status": status}
    write = Write(act=name, key=KEY, seen="RUNNING", columns=columns)
    outcome = written(write, {"status": "RUNNING"}, {"status": stored})
    assert (outcome.written, outcome.stored) == (True, stored)
    assert said in outcome.problem
    assert bool(said) is bool(outcome.problem)


def test_a_run_that_was_removed_after_the_write_is_told() -> None:
    write = Write(act="pause", key=KEY, seen="RUNNING", columns={"status": "WAITING_INTERRUPT"})
    outcome = written(write, {"status": "RUNNING"}, None)
    assert (outcome.written, outcome.stored, outcome.after) == (True, None, {})
    assert "removed" in outcome.problem


@pytest.mark.parametrize(
    "name", ["rev001.db", "rev004-v0.1.0.db", "rev021.db", "rev022-v0.22.4.db", "rev026-edges.db"]
)
async def test_real_runs_get_what_was_shown(tmp_path: Path, name: str) -> None:
    source = SHARED / "data" / "zeroth" / name
    if not source.exists():
        pytest.skip(f"no {name} among the shared databases")
    path = Path(shutil.copy(source, tmp_path / name))
    actor, acted = actor_on(path), 0
    before = everything(path)
    runs = [row for (table, _), row in before.items() if table == "runs"]
    for run in runs:
        workspace = run["workspace_id"]
        scope = "null" if workspace is None else f"value:{workspace}"
        key = RunKey(run["tenant_id"] or "default", scope, run["run_id"])
        standing = await actor.standing(key)
        assert standing is not None
        for offer in offers(standing, START):
            if offer.allowed and offer.act != "checkpoint":
                write = plan(offer, key, standing, Fields(), START)
                outcome = await actor.write(write)
                after = everything(path)
                assert_as_shown(write, outcome, before, after, START_COLUMN)
                before, acted = after, acted + 1
                break
    over = sum(run["status"] == "COMPLETED" for run in runs)
    assert acted == len(runs) - over
