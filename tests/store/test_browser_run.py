"""One run whole: what is stored arrives exactly, and what cannot be read says what and where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.store.guests import ERAS, Guest
from zeroth_store.browse import Cost, RunDetail, RunKey
from zeroth_store.sqlite.browser import SQLiteRunBrowser

STEP = {
    "node_id": "reply",
    "status": "completed",
    "attempt": 1,
    "started_at": "2026-03-01T10:00:04Z",
    "completed_at": None,
    "audit_ref": "audit:1",
    "input_snapshot": {"n": 1},
    "output_snapshot": {},
}


@pytest.fixture(params=ERAS)
def guest(request: pytest.FixtureRequest, tmp_path: Path) -> Guest:
    return Guest(tmp_path / "guest.db", request.param)


async def detail(guest: Guest, run_id: str = "r") -> RunDetail:
    async with SQLiteRunBrowser(guest.path) as browser:
        found = await browser.run(RunKey("default", "null", run_id))
    assert found is not None
    return found


def problem(found: RunDetail, column: str) -> str | None:
    messages = [p.message for p in found.problems if p.column == column]
    assert len(messages) <= 1
    return messages[0] if messages else None


async def test_a_run_that_is_gone_is_none(guest: Guest) -> None:
    with guest:
        async with SQLiteRunBrowser(guest.path) as browser:
            assert await browser.run(RunKey("default", "null", "r")) is None
            assert await browser.run(RunKey("default", "null", "\ud800")) is None
            assert await browser.run(RunKey("default", "null", "rowid:9")) is None


async def test_columns_are_all_there_as_stored(guest: Guest) -> None:
    with guest:
        guest.sql('ALTER TABLE runs ADD COLUMN "from the future" TEXT')
        guest.run("r", final_output='{"b": 1.10, "a": 1E400}', epoch=3)
        guest.sql("UPDATE runs SET \"from the future\" = x'00ff'")
        found = await detail(guest)
        names = [row[1] for row in guest.sql("PRAGMA table_info(runs)")]
    assert [name for name, _ in found.columns] == names
    cells = dict(found.columns)
    assert (cells["epoch"], cells["from the future"]) == (3, b"\x00\xff")
    assert found.output == '{"b": 1.10, "a": 1E400}'


async def test_history_keeps_numbers_and_payloads_exactly(guest: Guest) -> None:
    text = (
        '[{"node_id":"a","status":"completed","attempt":2,"started_at":"2026-03-01T10:00:04Z",'
        '"completed_at":null,"audit_ref":"audit:1","cost_usd":0.5,"estimated_cost_usd":null,'
        '"cost_measurement":"measured","input_snapshot":{"x":1.10,"y":1180591620717411303424},'
        '"output_snapshot": [ 1 ]}]'
    )
    with guest:
        guest.run("r", execution_history=text)
        (entry,) = (await detail(guest)).history
    assert (entry.index, entry.node_id, entry.status, entry.attempt) == (0, "a", "completed", 2)
    assert entry.input == '{"x":1.10,"y":1180591620717411303424}'
    assert entry.output == "[ 1 ]"
    assert entry.started.raw == "2026-03-01T10:00:04Z"
    assert entry.completed.missing
    assert (entry.audit_ref, entry.cost, entry.cost_measurement) == (
        "audit:1",
        Cost(0.5, None),
        "measured",
    )


@pytest.mark.parametrize("odd", ["NaN", "-Infinity", '"\\ud800"'])
async def test_what_python_writes_and_others_refuse_is_read_the_same(
    guest: Guest, odd: str
) -> None:
    text = f'[{{"node_id": "a", "input_snapshot": {{"x": 1.10, "y": {odd}}}}}, {json.dumps(STEP)}]'
    with guest:
        guest.run("r", execution_history=text, metadata=f'{{"initial_input": {{"z": {odd}}}}}')
        found = await detail(guest)
    assert [entry.node_id for entry in found.history] == ["a", "reply"]
    assert found.history[0].input == f'{{"x": 1.10, "y": {odd}}}'
    assert found.initial_input == f'{{"z": {odd}}}'
    assert found.problems == ()


async def test_unreadable_entries_are_counted_and_their_neighbours_keep_their_place(
    guest: Guest,
) -> None:
    history = [1, STEP, None, {"node_id": None}, {**STEP, "attempt": "two", "started_at": {}}]
    with guest:
        guest.run("r", execution_history=history)
        found = await detail(guest)
    assert [(entry.index, entry.attempt) for entry in found.history] == [(1, 1), (4, None)]
    assert found.history[1].started.missing
    assert problem(found, "execution_history") == "3 of 5 entries not readable"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": [1, 2', "not JSON: Expecting ',' delimiter at character 11"),
        ("", "not JSON: Expecting value at character 0"),
        ("{'a': None}", "at character 1"),
        ("{}{}", "not JSON: Extra data at character 2"),
        ("[1]", "a list where an object belongs"),
        ('"{}"', "a string where an object belongs"),
        ("42", "a number where an object belongs"),
        ("true", "a boolean where an object belongs"),
        ('{"a":' * 3000 + "1" + "}" * 3000, "nested too deeply to be read"),
    ],
)
async def test_malformed_metadata_says_what_is_wrong_and_nothing_is_half_read(
    guest: Guest, text: str, message: str
) -> None:
    with guest:
        guest.run("r", metadata=text)
        found = await detail(guest)
    said = problem(found, "metadata")
    assert said is not None
    assert message in said
    assert found.metadata == text
    assert (found.initial_input, found.in_flight_node, found.terminal_reason) == (None, None, None)


async def test_each_malformed_cell_is_named(guest: Guest) -> None:
    with guest:
        guest.run(
            "r",
            execution_history="[",
            condition_results="{}",
            failure_state="[]",
            final_output="<html>",
            audit_refs="{}",
            node_visit_counts="[]",
            pending_node_ids=b"\x00",
            error="boom",
        )
        found = await detail(guest)
    assert {p.column for p in found.problems} == {
        "execution_history",
        "condition_results",
        "failure_state",
        "final_output",
        "audit_refs",
        "node_visit_counts",
        "pending_node_ids",
    }
    assert problem(found, "pending_node_ids") == "a blob of 1 bytes where JSON text belongs"
    assert found.failure is not None
    assert (found.failure.reason, found.failure.error) == (None, "boom")


async def test_conditions_tell_matched_from_taken(guest: Guest) -> None:
    edge = {"edge_id": "e", "source_node_id": "a", "target_node_id": "b", "branch_rule": "all"}
    values = {"expression": None, "value": [True, 1.50], "operand_refs": ["x"]}
    limit = {"suppression_reason": "visit_limit"}
    result = {"condition_id": "e", "matched": True, "selected_edge_id": "e"}
    at = {"evaluated_at": "2026-03-01T10:00:04Z"}
    with guest:
        guest.run(
            "r",
            condition_results=[
                {**result, **at, "details": {**edge, **values}},
                {**result, "details": {**edge, **limit}},
                {"condition_id": "f", "matched": False, "details": {}},
            ],
        )
        taken, limited, bare = (await detail(guest)).conditions
    assert (taken.source, taken.target, taken.rule, taken.taken) == ("a", "b", "all", True)
    assert (taken.value, taken.operands) == ("[true, 1.5]", '["x"]')
    assert taken.evaluated.raw == "2026-03-01T10:00:04Z"
    assert (limited.matched, limited.suppression_reason, limited.taken) == (
        True,
        "visit_limit",
        False,
    )
    assert (bare.condition_id, bare.edge_id, bare.taken) == ("f", None, False)


async def test_failure_and_error_are_both_kept(guest: Guest) -> None:
    state = '{"details": {"n": 1.0}, "message": "m", "reason": "policy_violation"}'
    with guest:
        guest.run("r", "FAILED", failure_state=state, error="e")
        guest.run("fine", failure_state="null")
        failure = (await detail(guest)).failure
        assert (await detail(guest, "fine")).failure is None
    assert failure is not None
    assert (failure.reason, failure.message, failure.details, failure.error) == (
        "policy_violation",
        "m",
        '{"n": 1.0}',
        "e",
    )


async def test_metadata_says_what_is_pending(guest: Guest) -> None:
    with guest:
        guest.run(
            "r",
            metadata={
                "in_flight_dispatch": {"node_id": "act", "input_payload": {"n": 1}},
                "pending_approval": {"approval_id": "ap", "node_id": "gate", "input": {}},
                "pending_subgraph": {"child_run_id": "c", "node_id": "check"},
                "terminal_reason": "branch_suppressed",
            },
            submitted_by={"subject": "olga"},
            node_visit_counts={"a": 2, "b": 1},
            audit_refs=["audit:1"],
            pending_node_ids=["act"],
        )
        found = await detail(guest)
    assert (found.in_flight_node, found.in_flight_input) == ("act", '{"n": 1}')
    assert (found.pending_approval_id, found.pending_approval_node) == ("ap", "gate")
    assert (found.pending_child_run_id, found.terminal_reason) == ("c", "branch_suppressed")
    assert (found.submitted_by, found.visit_counts) == ("olga", (("a", 2), ("b", 1)))
    assert (found.audit_refs, found.pending_nodes) == (("audit:1",), ("act",))
    assert found.problems == ()


async def test_a_library_callers_approval_is_read_from_its_column(guest: Guest) -> None:
    with guest:
        guest.run("r", pending_approval={"request_id": "q", "step_name": "gate"})
        found = await detail(guest)
    assert (found.pending_approval_id, found.pending_approval_node) == ("q", "gate")
