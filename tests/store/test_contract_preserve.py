"""What a change is not about stays as it was, also where this version does not know it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.store.support import OpenStore, a_run, at
from zeroth_store import (
    Run,
    RunConditionResult,
    RunFailureState,
    RunHistoryEntry,
    RunRepository,
    RunStatus,
    UnreadableRow,
)

ENTRY = RunHistoryEntry(node_id="new", status="completed", started_at=at(9))
RESULT = RunConditionResult(condition_id="new", matched=True, evaluated_at=at(9))

STORED_HISTORY = [
    {"node_id": "old", "status": "done", "tokens": 9, "started_at": "2026-01-01T00:00:00+09:00"},
    {"node_id": "bare", "status": "completed"},
]
STORED = {
    "metadata": {"from_the_future": {"deep": [1, 2**70]}, "initial_input": "x"},
    "execution_history": STORED_HISTORY,
    "condition_results": [{"condition_id": "old", "matched": False, "weight": 0.25}],
    "failure_state": {"reason": "worker_exception", "trace": ["a", "b"]},
    "submitted_by": {"subject": "olga", "badge": 7},
}
UNKNOWN_TO_THE_MODELS = {
    "lease_worker_id": "worker-1",
    "lease_acquired_at": "2026-03-01T11:59:00+00:00",
    "lease_expires_at": "2026-03-01T12:01:00+00:00",
    "lease_generation": 7,
    "failure_count": 2,
    "recovery_checkpoint_id": "rc",
    "token_snapshot_write_disabled": 1,
    "a_new_column": "kept",
}
COLUMNS_OF_A_CHANGE = {"updated_at", "checkpoint_id"}

CHANGES: dict[str, tuple[Callable[[RunRepository], Awaitable[Any]], set[str]]] = {
    "transition": (lambda runs: runs.transition("r1", RunStatus.COMPLETED), {"status"}),
    "transition with an output": (
        lambda runs: runs.transition("r1", RunStatus.COMPLETED, final_output=[1]),
        {"status", "final_output"},
    ),
    "record_history": (
        lambda runs: runs.record_history("r1", ENTRY),
        {"execution_history", "completed_steps"},
    ),
    "record_condition_result": (
        lambda runs: runs.record_condition_result("r1", RESULT),
        {"condition_results"},
    ),
    "increment_failure_count": (
        lambda runs: runs.increment_failure_count("r1"),
        {"failure_count"},
    ),
    "snapshot": (lambda runs: runs.snapshot("r1", expected_status=RunStatus.RUNNING), set()),
}


async def _seed(store: OpenStore) -> None:
    """A RUNNING run with columns and JSON fields that no model knows, set by plain SQL."""
    await store.runs.create(a_run(status=RunStatus.RUNNING))
    store.query("ALTER TABLE runs ADD COLUMN a_new_column TEXT")
    values = {
        **{name: json.dumps(value) for name, value in STORED.items()},
        **UNKNOWN_TO_THE_MODELS,
    }
    store.query(f"UPDATE runs SET {', '.join(f'{name} = ?' for name in values)}", values.values())


def _row(store: OpenStore) -> dict[str, Any]:
    names = [column[1] for column in store.query("PRAGMA table_info(runs)")]
    (row,) = store.query("SELECT * FROM runs")
    return dict(zip(names, row, strict=True))


@pytest.mark.parametrize("name", CHANGES)
async def test_a_change_writes_its_own_columns_only(store: OpenStore, name: str) -> None:
    change, columns = CHANGES[name]
    await _seed(store)
    before = _row(store)
    store.clock.now = at(3)
    await change(store.runs)
    after = _row(store)
    changed = {column for column, value in after.items() if value != before[column]}
    assert changed - COLUMNS_OF_A_CHANGE == columns


async def test_recording_keeps_the_earlier_items_as_they_are_stored(store: OpenStore) -> None:
    """Also what is left out: a missing time must not become the time of a later write."""
    await _seed(store)
    await store.runs.record_history("r1", ENTRY)
    await store.runs.record_condition_result("r1", RESULT)
    row = _row(store)
    history = json.loads(row["execution_history"])
    assert history[:-1] == STORED_HISTORY
    assert (history[-1]["node_id"], history[-1]["started_at"]) == ("new", "2026-03-01T12:00:09Z")
    results = json.loads(row["condition_results"])
    assert results[:-1] == STORED["condition_results"]
    assert results[-1]["condition_id"] == "new"


async def test_steps_somebody_else_counted_stay(store: OpenStore) -> None:
    """Real Zeroth lists only completed nodes there, while the history holds failed ones too."""
    await store.runs.create(a_run(status=RunStatus.RUNNING))
    store.query("""UPDATE runs SET completed_steps = '["a"]'""")
    run = await store.runs.record_history("r1", ENTRY)
    assert run.completed_steps == ["a", "new"]


@pytest.mark.parametrize("save", ["put", "update", "put_if_status"])
async def test_saving_a_loaded_run_keeps_what_the_models_do_not_know(
    store: OpenStore, save: str
) -> None:
    await _seed(store)
    run = await store.runs.get("r1")
    assert run is not None
    run.error = "noticed"
    saves: dict[str, Callable[[Run], Awaitable[Run]]] = {
        "put": store.runs.put,
        "update": store.runs.update,
        "put_if_status": lambda given: store.runs.put_if_status(given, RunStatus.RUNNING),
    }
    await saves[save](run)
    row = _row(store)
    assert {name: row[name] for name in UNKNOWN_TO_THE_MODELS} == UNKNOWN_TO_THE_MODELS
    assert row["error"] == "noticed"
    history = json.loads(row["execution_history"])
    assert (history[0]["tokens"], history[1]["node_id"]) == (9, "bare")
    assert json.loads(row["metadata"]) == STORED["metadata"]
    assert json.loads(row["condition_results"])[0]["weight"] == 0.25
    assert json.loads(row["failure_state"])["trace"] == ["a", "b"]
    assert json.loads(row["submitted_by"])["badge"] == 7


async def test_a_replay_clears_the_failure_and_nothing_else(store: OpenStore) -> None:
    await _seed(store)
    store.query("UPDATE runs SET status = 'FAILED', error = 'worker'")
    before = _row(store)
    await store.runs.transition("r1", RunStatus.PENDING)
    after = _row(store)
    changed = {column for column, value in after.items() if value != before[column]}
    assert changed == {"status", "failure_state", "error", "failure_count"}
    assert (after["failure_state"], after["error"], after["failure_count"]) == (None, None, 0)


@pytest.mark.parametrize(
    ("column", "text"),
    [
        ("execution_history", "[{"),
        ("execution_history", "{}"),
        ("execution_history", '[{"status":"done"}]'),
        ("metadata", "[]"),
        ("node_visit_counts", '{"n":"many"}'),
        ("final_output", b'"caf\xe9"'),
        ("current_step", b"\xff"),
    ],
)
async def test_a_row_that_cannot_be_read_is_named_and_not_written(
    store: OpenStore, column: str, text: str | bytes
) -> None:
    await store.runs.create(a_run(status=RunStatus.RUNNING))
    store.query(f"UPDATE runs SET {column} = CAST(? AS TEXT)", (text,))
    before = store.dump()
    for attempt in (
        store.runs.get("r1"),
        store.runs.record_history("r1", ENTRY),
        store.runs.record_condition_result("r1", RESULT),
        store.runs.transition("r1", RunStatus.FAILED, failure_state=RunFailureState(reason="x")),
    ):
        with pytest.raises(UnreadableRow, match=f"run 'r1' cannot be read: .*{column}"):
            await attempt
    assert store.dump() == before


async def test_a_run_with_text_that_is_no_utf8_is_named_and_hides_no_other(
    store: OpenStore,
) -> None:
    await store.runs.create(a_run())
    await store.runs.create(a_run(run_id="r2"))
    store.query("UPDATE runs SET error = CAST(? AS TEXT) WHERE run_id = 'r1'", (b"caf\xe9",))
    assert (await store.runs.get("r2")) is not None
    with pytest.raises(UnreadableRow, match="run 'r1' cannot be read: error is no UTF-8"):
        await store.runs.get("r1")
