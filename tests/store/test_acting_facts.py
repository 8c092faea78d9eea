"""What decides about an act is read as it is stored: by hand-made rows, and by real databases."""

from __future__ import annotations

import re
import shutil
import sqlite3
import tarfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.store.acting import KEY
from tests.store.guests import ERAS, Guest
from tests.store.support import SHARED
from zeroth_store.actions import Standing
from zeroth_store.browse import RunKey
from zeroth_store.sqlite.acting.guest_actor import GuestActor

SAMPLES = SHARED / "data" / "zeroth"


@pytest.fixture(params=ERAS)
def guest(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Guest]:
    with Guest(tmp_path / "guest.db", request.param) as made:
        made.run("r1", "FAILED", audit_refs='["audit:1","audit:2"]')
        made.run("r10", "FAILED", audit_refs='["audit:1"]')
        yield made


async def standing(path: Path, key: RunKey = KEY) -> Standing:
    found = await GuestActor(path).standing(key)
    assert found is not None
    return found


async def test_a_run_by_itself(guest: Guest) -> None:
    assert await standing(guest.path) == Standing(kind="guest", status="FAILED")


async def test_its_lease_failure_and_parent(guest: Guest) -> None:
    guest.sql('UPDATE runs SET failure_state = \'{"reason":"max_total_steps"}\'')
    guest.sql("UPDATE runs SET metadata = '{\"parent_run_id\":\"p\"}', lease_worker_id = 'w'")
    found = await standing(guest.path)
    assert (found.failure_reason, found.child) == ("max_total_steps", True)
    assert found.lease is not None
    assert found.lease.worker_id == "w"


@pytest.mark.parametrize(("status", "counted"), [("pending", 1), ("escalated", 1), ("resolved", 0)])
async def test_open_approvals(guest: Guest, status: str, counted: int) -> None:
    guest.insert("approvals", approval_id="a1", run_id="r1", status=status)
    guest.insert("approvals", approval_id="a2", run_id="r10", status="pending")
    guest.insert("approvals", approval_id="a3", run_id="r1", status="pending", tenant_id="acme")
    assert (await standing(guest.path)).open_approvals == counted


@pytest.mark.parametrize(
    ("audit_id", "ahead"),
    [
        ("r1:audit:2", False),
        ("r1:audit:3", True),
        ("r1:branch:0:audit:3", False),
        ("r1:approval-decision:x:resolved", False),
        ("r10:audit:7", False),
        ("other-r1:audit:9", False),
        ("r1:audit:9:more", False),
    ],
)
async def test_audits_ahead_of_the_row(guest: Guest, audit_id: str, ahead: bool) -> None:
    guest.audit(audit_id, "r1", "{}")
    guest.audit("r10:audit:2", "r10", "{}")
    assert (await standing(guest.path)).audits_ahead is ahead


@pytest.mark.parametrize("state", ["IN_FLIGHT", "AMBIGUOUS", "COMPLETED", "FAILED"])
async def test_side_effects_in_doubt(tmp_path: Path, state: str) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("r1", "FAILED")
        guest.insert("side_effect_operations", operation_key="o", run_id="r1", state=state)
        guest.insert("side_effect_operations", operation_key="p", run_id="r2", state="IN_FLIGHT")
        found = await standing(guest.path)
    assert found.operations_in_doubt == (state in ("IN_FLIGHT", "AMBIGUOUS"))


@pytest.mark.parametrize(
    ("snapshot", "cancelled"),
    [
        ('{"state":"cancelled","tokens":[]}', True),
        ('{"state":"stopped"}', False),
        ("gAAAAnot-to-be-read", False),
        ("{broken", False),
        (None, False),
    ],
)
async def test_a_cancelled_token_snapshot(
    tmp_path: Path, snapshot: str | None, cancelled: bool
) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("r1", "FAILED")
        guest.sql("CREATE TABLE token_engine_snapshots(run_id TEXT, snapshot_json TEXT)")
        guest.insert("token_engine_snapshots", run_id="r1", snapshot_json=snapshot)
        assert (await standing(guest.path)).token_cancelled is cancelled


async def test_an_erased_run(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("r1", "FAILED", token_snapshot_write_disabled=1)
        assert (await standing(guest.path)).erased


@pytest.mark.parametrize(("last", "encrypted"), [("gAAAAABk", True), ("{}", False)])
async def test_whether_checkpoints_are_encrypted(guest: Guest, last: str, encrypted: bool) -> None:
    guest.checkpoint("c-1", "r9", last)
    found = await standing(guest.path)
    assert (found.encrypted, found.has_key) == (encrypted, False)


def sample(name: str, tmp_path: Path) -> Path:
    if not (SAMPLES / name).exists():
        pytest.skip(f"no {name} among the shared databases")
    return Path(shutil.copy(SAMPLES / name, tmp_path / name))


def query(path: Path, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
        return connection.execute(sql, parameters).fetchall()


@pytest.mark.parametrize("name", ["rev001.db", "rev022-v0.22.4.db", "rev026-main.db"])
async def test_real_runs_stand_as_their_tables_say(tmp_path: Path, name: str) -> None:
    path = sample(name, tmp_path)
    runs = query(path, "SELECT run_id, status, audit_refs, workspace_id, tenant_id FROM runs")
    for run_id, status, refs, workspace, tenant in runs:
        scope = "null" if workspace is None else f"value:{workspace}"
        found = await standing(path, RunKey(tenant or "default", scope, run_id))
        audits = query(path, "SELECT audit_id FROM node_audits WHERE run_id = ?", run_id)
        own = {a for (a,) in audits if re.fullmatch(r"[^:]+:audit:\d+", a)}
        known = {f"{run_id}:{ref}" for ref in re.findall(r'"(audit:\d+)"', refs)}
        assert found.audits_ahead is bool(own - known)
        assert (found.status, found.named, found.triggers) == (status, True, ())
        ((waiting,),) = query(
            path,
            "SELECT count(*) FROM approvals WHERE run_id = ? AND status <> 'resolved'",
            run_id,
        )
        assert found.open_approvals == waiting


async def test_a_run_cut_off_inside_a_side_effect_is_in_doubt(tmp_path: Path) -> None:
    archive = sample("rev026-crashed.tar", tmp_path)
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    (path,) = tmp_path.glob("*.db")  # noqa: ASYNC240
    doubtful = query(
        path,
        "SELECT run_id, count(*) FROM side_effect_operations"
        " WHERE state IN ('IN_FLIGHT', 'AMBIGUOUS') GROUP BY run_id",
    )
    assert doubtful
    for run_id, count in doubtful:
        found = await standing(path, RunKey("default", "null", run_id))
        assert found.operations_in_doubt == count
