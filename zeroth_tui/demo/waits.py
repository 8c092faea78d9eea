"""Playing the steps in which a run waits: for a reviewer, a child run, an operator, or nothing."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Final

from zeroth_store.errors import RunNotFound, StatusConflict
from zeroth_store.sqlite.repositories.audit_log import ApprovalRecord
from zeroth_store.status import RunStatus
from zeroth_tui.demo import ledger, rows
from zeroth_tui.demo.act import Act
from zeroth_tui.demo.scenario import Approval, Interrupt, Replay

REJECTED: Final = "approval_rejected"
"""The reason of a run that failed because a reviewer said no."""

_REVIEWER: Final = "priya.finance"
_OPERATOR: Final = "operator"


async def approval(act: Act, step: Approval) -> None:
    """Wait for a decision: a simulated reviewer's, or that of a person who was faster."""
    node = act.name(step.id)
    asked = act.run.metadata.get("pending_approval")
    if act.run.status is RunStatus.WAITING_APPROVAL and asked:
        identity = asked["approval_id"]
        question = ApprovalRecord(identity, node, rows.redacted(act.payload), act.run.updated_at)
    else:
        question = await _ask(act, node)
    found = await act.rest(inf if step.decision == "open" else step.wait)
    act.approvals += _answers(act, step, question)
    await act.keep_log()
    await _tell_parent(act, waiting=False)
    act.expect(RunStatus.WAITING_APPROVAL, RunStatus.PENDING, RunStatus.RUNNING)
    if found is RunStatus.WAITING_APPROVAL:
        if step.decision == "rejected":
            await act.fail(REJECTED, "approval rejected", {})
            return
        await act.move(RunStatus.PENDING)
    await act.take_up()
    act.payload = rows.redacted({**act.payload, **step.adds})
    act.note_completed(step.id, act.payload, began=act.moment)
    await act.leave(step.id, step.edges, act.payload)


async def _ask(act: Act, node: str) -> ApprovalRecord:
    """Let the run, and its parent, wait for the answer to a question."""
    await act.take_up()
    question = ApprovalRecord(act.store.new_id(), node, rows.redacted(act.payload), act.moment)
    waiting = {"approval_id": question.approval_id, "input": act.payload, "node_id": node}
    ledger.stop_for(act.run, node, "pending_approval", waiting)
    act.approvals.append(question)
    await act.save(RunStatus.WAITING_APPROVAL)
    await _tell_parent(act, waiting=True)
    return question


def _answers(act: Act, step: Approval, question: ApprovalRecord) -> list[ApprovalRecord]:
    """Return the question with its answer; nothing where the run was stopped without one."""
    edits, failure = step.adds, act.run.failure_state
    match act.run.status:
        case RunStatus.WAITING_APPROVAL:
            decision = {"approved": "edit_and_approve" if edits else "approve"}
            answer = replace(
                question,
                decision=decision.get(step.decision, "reject"),
                actor=_REVIEWER,
                edited=rows.redacted({**act.payload, **edits}) if edits else None,
            )
        case RunStatus.FAILED if failure is None or failure.reason != REJECTED:
            return []
        case RunStatus.FAILED:
            answer = replace(question, decision="reject", actor=_OPERATOR)
        case _:
            answer = replace(question, decision="approve", actor=_OPERATOR)
    return [replace(answer, resolved=act.moment)]


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
