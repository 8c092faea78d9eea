"""Playing the steps in which a node runs: it completes, fails, crashes its worker, or fans out."""

from __future__ import annotations

from datetime import datetime
from math import inf

from zeroth_store.status import DEAD_LETTER, RunStatus
from zeroth_tui.demo import ledger, rows
from zeroth_tui.demo.act import Act
from zeroth_tui.demo.scenario import Branch, Crash, Fail, FanOut, Node, Retry, Stall

MAX_FAILURES = 3
"""How many dead workers make a dead letter."""


async def node(act: Act, step: Node) -> None:
    """Run a node to its end."""
    await act.begin(step.id)
    began = act.moment
    await act.wait(step.seconds)
    output = {**act.payload, **step.adds}
    cost, estimate = _near(act, step.cost), _near(act, step.estimate)
    act.note_completed(step.id, output, began=began, cost=cost, estimate=estimate)
    await act.leave(step.id, step.edges, output)


async def retry(act: Act, step: Retry) -> None:
    """Run a node that fails, and wait before the next attempt."""
    await act.begin(step.id)
    began = act.moment
    await act.wait(step.seconds)
    act.note_failed(step.id, began)
    await act.save()
    act.attempt += 1
    await act.wait(step.backoff)


async def crash(act: Act, step: Crash) -> None:
    """Lose the worker inside a node: nothing is noted of the node, the run is tried again."""
    await act.begin(step.id)
    await act.wait(step.seconds)
    await act.look()
    act.expect(RunStatus.RUNNING)
    failures = await act.count_failure()
    if failures < MAX_FAILURES:
        await act.wait(step.backoff)
        return
    await act.fail(
        DEAD_LETTER,
        f"run failed {failures} times and was dead-lettered",
        {"dead_lettered_at": act.moment.isoformat(), "failure_count": failures},
    )


async def stall(act: Act, step: Stall) -> None:
    """Lose the worker inside a node, and wait until a person has the run taken up again."""
    if act.attempt > 1:
        return
    await act.begin(step.id)
    await act.wait(step.seconds)
    await act.lose_worker()
    act.attempt += 1
    await act.rest(inf)
    act.expect(RunStatus.PENDING, RunStatus.RUNNING)


async def fail(act: Act, step: Fail) -> None:
    """Run a node that fails for good."""
    await act.begin(step.id)
    began = act.moment
    await act.wait(step.seconds)
    act.note_failed(step.id, began)
    await act.fail(step.reason, step.message, step.details)


async def fan_out(act: Act, step: FanOut) -> None:
    """Split the payload, run all branches at once, and pass on what they returned.

    All of it is saved together once the last branch has ended. A branch that failed stands before
    the splitting node in the history, and counts as an empty result.
    """
    await act.begin(step.id)
    began = act.moment
    await act.wait(step.seconds)
    split_at = act.moment
    lengths = [act.store.vary(branch.seconds) for branch in step.branches]
    await act.stage.wait(max(lengths))
    ends = [split_at + (act.moment - split_at) * (one / max(lengths)) for one in lengths]
    output = {**act.payload, step.items: [dict(one.input) for one in step.branches]}
    for number, branch in enumerate(step.branches):
        if branch.output is None:
            _add_branch(act, step.work, number, branch, split_at, ends[number])
    act.note_completed(step.id, output, began=began, at=split_at)
    act.decide(step.id, (step.to_work,))
    for number, branch in enumerate(step.branches):
        if branch.output is not None:
            _add_branch(act, step.work, number, branch, split_at, ends[number])
    ledger.visit(act.run, act.name(step.work))
    results = [None if one.output is None else dict(one.output) for one in step.branches]
    await act.leave(step.work, step.edges, {**act.payload, step.items: results})


def _add_branch(
    act: Act, work: str, number: int, branch: Branch, began: datetime, ended: datetime
) -> None:
    audit_ref = f"{act.run.run_id}:branch:{number}:audit:1"
    if branch.output is None:
        entry = rows.failed_entry(
            act.name(work), given=branch.input, began=began, ended=ended, audit_ref=audit_ref
        )
    else:
        entry = rows.completed_entry(
            act.name(work),
            given=branch.input,
            output=branch.output,
            at=ended,
            audit_ref=audit_ref,
            cost=_near(act, branch.cost),
        )
    act.note(entry, began, ended)


def _near(act: Act, typical: float | None) -> float | None:
    return None if typical is None else round(act.store.vary(typical), 6)
