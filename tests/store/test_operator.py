"""What a person does to a run compares with what the person saw."""

from __future__ import annotations

import pytest

from tests.store.support import OpenStore, a_run
from zeroth_store import InvalidTransition, RunKey, RunNotFound, RunStatus, StatusConflict
from zeroth_store.protocols import RunOperator
from zeroth_store.sqlite.operator import OwnRunOperator

KEY = RunKey("default", "null", "r1")
IN_A_WORKSPACE = RunKey("default", "value:w", "r1")


@pytest.fixture
async def twice(store: OpenStore) -> OpenStore:
    """The run r1, RUNNING, in the default workspace and in w."""
    await store.runs.create(a_run(thread_id="one", status=RunStatus.RUNNING))
    await store.runs.create(a_run(thread_id="two", status=RunStatus.RUNNING, workspace_id="w"))
    return store


@pytest.fixture
def operator(twice: OpenStore) -> RunOperator:
    return OwnRunOperator(twice.runs)


@pytest.mark.parametrize("key", [KEY, IN_A_WORKSPACE])
async def test_a_status_changes_for_the_key_that_was_seen(
    twice: OpenStore, operator: RunOperator, key: RunKey
) -> None:
    changed = await operator.change_status(key, RunStatus.RUNNING, RunStatus.COMPLETED)
    assert changed is RunStatus.COMPLETED
    rows = twice.query(
        "SELECT tenant_id, workspace_scope, run_id FROM runs WHERE status <> ?", ("RUNNING",)
    )
    assert rows == [tuple(key)]


@pytest.mark.parametrize("key", [KEY, IN_A_WORKSPACE])
async def test_a_snapshot_is_taken_of_the_key_that_was_seen(
    twice: OpenStore, operator: RunOperator, key: RunKey
) -> None:
    checkpoint = await operator.snapshot(key, RunStatus.RUNNING)
    assert twice.query(
        "SELECT tenant_id, workspace_scope, run_id FROM run_checkpoints WHERE checkpoint_id = ?",
        (checkpoint,),
    ) == [tuple(key)]
    assert checkpoint not in {"c1", "c2"}


async def test_nothing_is_written_when_the_run_has_moved_on(
    twice: OpenStore, operator: RunOperator
) -> None:
    before = twice.dump()
    with pytest.raises(StatusConflict, match="expected status PENDING, found RUNNING"):
        await operator.change_status(KEY, RunStatus.PENDING, RunStatus.FAILED)
    with pytest.raises(StatusConflict):
        await operator.snapshot(KEY, RunStatus.PENDING)
    with pytest.raises(InvalidTransition):
        await operator.change_status(KEY, RunStatus.RUNNING, RunStatus.PENDING)
    nobody = RunKey("acme", "null", "r1")
    with pytest.raises(RunNotFound):
        await operator.change_status(nobody, RunStatus.RUNNING, RunStatus.FAILED)
    with pytest.raises(RunNotFound):
        await operator.snapshot(nobody, RunStatus.RUNNING)
    assert twice.dump() == before
