"""Playing the steps in which a run waits: for a reviewer, a child run, an operator, or nothing."""

from __future__ import annotations

from contextlib import suppress
from math import inf

from zeroth_store.errors import RunNotFound, StatusConflict
from zeroth_store.status import RunStatus
from zeroth_tui.demo import ledger, rows
from zeroth_tui.demo.act import Act
from zeroth_tui.demo.scenario import Approval, Interrupt, Replay


async def approval(act: Act, step: Approval) -> None:
    """Wait for a decision: a simulated reviewer's, or that of a person who was faster."""
    await act.take_up()
    waiting = {
        "approval_id": act.store.new_id(),
        "input": act.payload,
        "node_id": act.name(step.id),
    }
    ledger.stop_for(act.run, act.name(step.id), "pending_approval", waiting)
    await act.save(RunStatus.WAITING_APPROVAL)
    await _tell_parent(act, waiting=True)
    found = await act.rest(inf if step.decision == "open" else step.wait)
    await _tell_parent(act, waiting=False)
    act.expect(RunStatus.WAITING_APPROVAL, RunStatus.PENDING, RunStatus.RUNNING)
    if found is RunStatus.WAITING_APPROVAL:
        if step.decision == "rejected":
            await act.fail("approval_rejected", "approval rejected", {})
            return
        await act.move(RunStatus.PENDING)
    await act.take_up()
    act.payload = rows.redacted({**act.payload, **step.adds})
    act.note_completed(step.id, act.payload)
    await act.leave(step.id, step.edges, act.payload)


async def interrupt(act: Act, step: Interrupt) -> None:
    """Pause the run between two nodes."""
    await act.take_up()
    await act.save(RunStatus.WAITING_INTERRUPT)
    if await act.rest(step.wait) is RunStatus.WAITING_INTERRUPT:
        await act.move(RunStatus.RUNNING)
    act.expect(RunStatus.RUNNING)


async def replay(act: Act, step: Replay) -> None:
    """Send a failed run back to the queue, unless somebody has done it already."""
    if await act.rest(step.after) is RunStatus.FAILED:
        await act.move(RunStatus.PENDING)
    act.expect(RunStatus.PENDING, RunStatus.RUNNING)
    act.attempt = 1


async def keep(act: Act) -> None:
    """Write a checkpoint that later saves do not overwrite."""
    await act.take_up()
    await act.keep()


async def _tell_parent(act: Act, *, waiting: bool) -> None:
    """Let the parent of a waiting child wait too, or go on; a parent in other hands is let be."""
    parent, node = act.parent, act.parent_node
    if parent is None or node is None:
        return
    with suppress(StatusConflict, RunNotFound):
        if waiting:
            await parent.look()
            parent.expect(RunStatus.RUNNING)
            child = {
                "child_run_id": act.run.run_id,
                "graph_ref": act.scenario.graph.id,
                "node_id": parent.name(node),
                "version": None,
            }
            ledger.stop_for(parent.run, parent.name(node), "pending_subgraph", child)
            await parent.save(RunStatus.WAITING_APPROVAL)
        else:
            await parent.look()
            parent.expect(RunStatus.WAITING_APPROVAL)
            parent.run.metadata.pop("pending_subgraph", None)
            ledger.dispatch(parent.run, parent.name(node), parent.payload)
            await parent.save(RunStatus.RUNNING)
