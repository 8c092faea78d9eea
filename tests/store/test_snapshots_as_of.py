"""A run as a checkpoint holds it: the same values as its row had, and nothing from later."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.store.guests import ERAS, Guest
from zeroth_store.browse import RunKey, RunQuery
from zeroth_store.checkpoint_detail import RunAsOf
from zeroth_store.encryption import find_key
from zeroth_store.sqlite.browser import SQLiteRunBrowser

DATA = Path(__file__).parents[3] / "shared" / "data" / "zeroth"
KEY = RunKey("default", "null", "r")


def at(second: int) -> str:
    return f"2026-03-01T10:00:{second:02}+00:00"


STATE: dict[str, object] = {
    "run_id": "r",
    "status": "RUNNING",
    "thread_id": "t-1",
    "graph_version_ref": "g@1",
    "started_at": at(0).replace("+00:00", "Z"),
    "updated_at": at(4).replace("+00:00", "Z"),
    "current_step": "b",
    "execution_history": [{"node_id": "a", "status": "completed", "output_snapshot": {"n": 1}}],
    "condition_results": [{"condition_id": "e", "matched": True, "selected_edge_id": "e"}],
    "metadata": {"initial_input": {"q": 1}, "in_flight_dispatch": {"node_id": "b"}},
    "audit_refs": ["audit:1"],
    "node_visit_counts": {"a": 1},
    "pending_node_ids": ["b"],
    "final_output": None,
    "failure_state": None,
    "error": None,
    "submitted_by": {"subject": "olga"},
    "parent_run_id": "mother",
    "made_up": {"kept": True},
}


@pytest.fixture(params=ERAS)
def guest(request: pytest.FixtureRequest, tmp_path: Path) -> Guest:
    return Guest(tmp_path / "guest.db", request.param)


async def as_of(guest: Guest, checkpoint_id: str = "c") -> RunAsOf:
    async with SQLiteRunBrowser(guest.path) as browser:
        found = await browser.run_as_of(KEY, checkpoint_id)
    assert found is not None
    return found


async def test_a_run_is_built_from_its_state(guest: Guest) -> None:
    with guest:
        guest.run("r", "COMPLETED", final_output='"later"', error="later")
        guest.thread("t-1", ["r"], checkpoint_refs=["other", "c"])
        guest.checkpoint("c", "r", STATE, created_at=at(1))
        detail = (await as_of(guest)).detail
    summary = detail.summary
    assert (summary.key, summary.status, summary.graph) == (KEY, "RUNNING", "g@1")
    assert (summary.thread_id, summary.current_step) == ("t-1", "b")
    assert (summary.parent_run_id, summary.lease) == ("mother", None)
    assert [(entry.node_id, entry.output) for entry in detail.history] == [("a", '{"n": 1}')]
    assert [entry.selected_edge_id for entry in detail.conditions] == ["e"]
    assert (detail.output, detail.failure) == (None, None)
    assert (detail.initial_input, detail.in_flight_node) == ('{"q": 1}', "b")
    assert (detail.submitted_by, detail.visit_counts) == ("olga", (("a", 1),))
    assert (detail.audit_refs, detail.pending_nodes) == (("audit:1",), ("b",))
    assert detail.problems == ()
    assert dict(detail.columns)["made_up"] == '{"kept": true}'


async def test_it_says_which_checkpoint_it_is_of_and_when_that_was_saved(guest: Guest) -> None:
    with guest:
        guest.run("r")
        guest.thread("t-1", ["r"], checkpoint_refs=["gone", "c"])
        guest.checkpoint("c", "r", STATE, created_at=at(1))
        guest.checkpoint("unlisted", "r", {**STATE, "updated_at": at(4)}, created_at=at(9))
        listed, unlisted = await as_of(guest), await as_of(guest, "unlisted")
        async with SQLiteRunBrowser(guest.path) as browser:
            now = await browser.run(KEY)
    assert listed.detail.as_of is not None
    assert unlisted.detail.as_of is not None
    # A row keeps its first time when its state is written again.
    assert (listed.detail.as_of.position, listed.detail.as_of.moment.raw) == (
        1,
        "2026-03-01T10:00:04Z",
    )
    assert (unlisted.detail.as_of.position, unlisted.detail.as_of.moment.raw) == (None, at(9))
    assert now is not None
    assert now.as_of is None


@pytest.mark.parametrize("stored", ['"text"', "0", "false", "[1,2]", '{"a":NaN}'])
async def test_an_output_is_json_as_stored(stored: str, tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
        guest.checkpoint("c", "r", f'{{"run_id":"r","final_output":{stored}}}')
        assert (await as_of(guest)).detail.output == stored


async def test_the_run_named_in_the_state_is_the_one_shown(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
        guest.run("sibling")
        guest.checkpoint("c", "sibling", {**STATE, "run_id": "sibling"})
        guest.audit("x", "sibling", {"status": "completed"}, created_at=at(2))
        found = await as_of(guest)
    assert found.detail.summary.key == KEY._replace(run_id="sibling")
    assert [audit.audit_id for audit in found.related.audits] == ["x"]


async def test_what_came_later_is_left_out(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
        guest.checkpoint("c", "r", STATE, created_at=at(1))
        for second in (3, 4, 5):
            guest.audit(f"audit:{second}", "r", {}, created_at=at(second))
            guest.run(f"child-{second}", started_at=at(second), metadata={"parent_run_id": "r"})
        guest.audit("undated", "r", {"completed_at": at(7)})
        decision = {"resolution": {"decision": "approve", "resolved_at": at(6)}}
        for approval, asked in (("early", at(2)), ("late", at(5))):
            guest.insert(
                "approvals",
                approval_id=approval,
                run_id="r",
                status="resolved",
                created_at=asked,
                updated_at=at(6),
                record_json=decision,
            )
        for name, created, updated in (("old", 1, 2), ("open", 1, 6), ("new", 5, 6)):
            guest.insert(
                "side_effect_operations",
                operation_key=name,
                run_id="r",
                state="COMPLETED",
                created_at=at(created),
                updated_at=at(updated),
            )
        related = (await as_of(guest)).related
    assert [audit.audit_id for audit in related.audits] == ["audit:3", "audit:4"]
    assert [child.key.run_id for child in related.children] == ["child-3", "child-4"]
    assert [(a.approval_id, a.status, a.decision) for a in related.approvals] == [
        ("early", "pending", None)
    ]
    assert [(o.operation_key, o.state) for o in related.operations] == [
        ("old", "COMPLETED"),
        ("open", None),
    ]


async def test_a_state_without_times_keeps_everything(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
        guest.checkpoint("c", "r", '{"status": "RUNNING"}')
        guest.audit("x", "r", {}, created_at=at(50))
        found = await as_of(guest)
    assert found.detail.summary.key == KEY
    assert [audit.audit_id for audit in found.related.audits] == ["x"]


async def test_what_fits_no_model_is_a_problem_and_never_an_error(tmp_path: Path) -> None:
    odd = {"run_id": 7, "status": ["?"], "metadata": "text", "execution_history": {"a": 1}}
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
        guest.checkpoint("c", "r", odd)
        detail = (await as_of(guest)).detail
    assert detail.summary.status == '["?"]'
    assert {problem.column for problem in detail.problems} >= {"metadata", "execution_history"}


@pytest.mark.parametrize("sample", ["rev026-main.db", "rev026-encrypted.db", "rev001.db"])
async def test_a_run_as_of_its_last_checkpoint_is_the_run(sample: str, tmp_path: Path) -> None:
    """The runtime saves a run's row and its one checkpoint together: both hold the same."""
    if not DATA.exists():
        pytest.skip("the sample databases are optional")
    path = tmp_path / "sample.db"
    shutil.copy(DATA / sample, path)
    secret = find_key({}, DATA / "encryption-key.txt")
    plain = sqlite3.connect(path)
    own = plain.execute(
        "SELECT r.run_id, max(c.checkpoint_id), count(*) FROM runs r JOIN run_checkpoints c"
        " ON c.run_id = r.run_id GROUP BY r.run_id HAVING count(*) = 1"
    ).fetchall()
    plain.close()
    async with SQLiteRunBrowser(path, secret=secret) as browser:
        page = await browser.runs(RunQuery(), limit=500)
        keys = {row.key.run_id: row.key for row in page.rows}
        for run_id, checkpoint_id, _ in own:
            now = await browser.run(keys[run_id])
            then = await browser.run_as_of(keys[run_id], checkpoint_id)
            assert now is not None
            assert then is not None
            for name in ("history", "conditions", "output", "failure", "metadata", "audit_refs"):
                assert getattr(then.detail, name) == getattr(now, name), (run_id, name)
            assert then.detail.summary.status == now.summary.status
    assert len(own) >= 15


def test_the_state_above_is_what_zeroth_writes() -> None:
    """Its members are columns of runs, but for the one that no column has."""
    with Guest(Path(":memory:")) as guest:
        columns = {row[1] for row in guest.sql("PRAGMA table_info(runs)")}
    assert set(json.loads(json.dumps(STATE))) - columns == {"parent_run_id", "made_up"}
