"""Playing a scenario from its first step to its end, and a story from run to run."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

from zeroth_store.errors import InvalidTransition, RunNotFound, StatusConflict
from zeroth_store.status import RunStatus
from zeroth_tui.demo import nodes, waits
from zeroth_tui.demo.act import Act
from zeroth_tui.demo.scenario import (
    Approval,
    Child,
    Crash,
    Fail,
    FanOut,
    Interrupt,
    Keep,
    Node,
    Replay,
    Retry,
    Stall,
    Step,
    Story,
)
from zeroth_tui.demo.stage import Stage

_LOOKS_FOR_RESUMPTION = 600
_LOOK_SECONDS = 1.0


async def tell(stage: Stage, story: Story) -> None:
    """Play the runs of a story in one thread, one after another."""
    thread_id = story.thread.format(n=stage.store.random.randint(1000, 9999))
    for number, turn in enumerate(story.turns):
        if number:
            await stage.wait(stage.store.vary(story.pause))
        elif story.agents:
            await stage.store.threads.resolve(
                thread_id,
                graph_version_ref=turn.graph.ref,
                deployment_ref=turn.graph.id,
                participating_agent_refs=story.agents,
            )
        act = Act(stage, turn, thread_id)
        await act.create()
        await perform(act)


async def perform(act: Act, *, first: int = 0) -> None:
    """Play a created run to its end, from its step number `first` on.

    When somebody else changes the run's status, its worker drops it, and takes it up again at the
    step it was in if it is resumed or replayed soon. A run that failed is remembered, to be taken
    up by `attend`.
    """
    steps = (*act.scenario.steps, None)
    for number in range(first, len(steps)):
        step = steps[number]
        if act.run.status is RunStatus.FAILED and not isinstance(step, Replay):
            act.stage.remember(act.run, partial(_again, act, number - 1))
            return
        while not await _attempted(act, step):
            if not await _given_back(act):
                act.stage.remember(act.run, partial(_again, act, number))
                return


async def attend(stage: Stage) -> None:
    """Take up what failed and is in the queue again because a person replayed it; never ends."""
    while True:
        await stage.wait(_LOOK_SECONDS * stage.speed)
        for deployment in sorted({run.deployment_ref for run, _ in stage.failed.values()}):
            runs = await stage.store.runs.list_runs(deployment, status=RunStatus.PENDING)
            for run in runs:
                if run.run_id in stage.failed:
                    _, again = stage.failed.pop(run.run_id)
                    stage.cue(again, stage.moment)


async def _again(act: Act, number: int) -> None:
    """Take a replayed run up at the step at which it failed."""
    with suppress(RunNotFound):
        await act.look()
        act.attempt = 1
        await perform(act, first=number)


async def _attempted(act: Act, step: Step | None) -> bool:
    """Play one step, or the end of the run; False when somebody else had a hand in it."""
    try:
        await (act.finish() if step is None else _play(act, step))
    except (StatusConflict, InvalidTransition, RunNotFound):
        return False
    return True


async def _given_back(act: Act) -> bool:
    """Wait for the run to be resumed or replayed; False when it is over, or nobody does it."""
    for _ in range(_LOOKS_FOR_RESUMPTION):
        try:
            status = await act.look()
        except RunNotFound:
            return False
        if status in {RunStatus.PENDING, RunStatus.RUNNING}:
            return True
        if status is RunStatus.COMPLETED or (act.parent and status is RunStatus.FAILED):
            return False
        await act.stage.wait(_LOOK_SECONDS)
    return False


async def _play(act: Act, step: Step) -> None:
    match step:
        case Node():
            await nodes.node(act, step)
        case Retry():
            await nodes.retry(act, step)
        case Crash():
            await nodes.crash(act, step)
        case Stall():
            await nodes.stall(act, step)
        case Fail():
            await nodes.fail(act, step)
        case FanOut():
            await nodes.fan_out(act, step)
        case Approval():
            await waits.approval(act, step)
        case Interrupt():
            await waits.interrupt(act, step)
        case Replay():
            await waits.replay(act, step)
        case Keep():
            await waits.keep(act)
        case Child():
            await _child(act, step)


async def _child(act: Act, step: Child) -> None:
    """Run a node that is a graph of its own, in the hands of the same worker."""
    await act.begin(step.id)
    began = act.moment
    child = Act(act.stage, step.scenario, act.run.thread_id, parent=act, parent_node=step.id)
    await child.create()
    await perform(child)
    act.expect(RunStatus.RUNNING)
    if child.run.status is RunStatus.COMPLETED:
        cost = child.run.metadata.get("total_cost_usd")
        act.note_completed(step.id, child.payload, began=began, cost=cost)
        await act.leave(step.id, step.edges, child.payload)
        return
    act.note_failed(step.id, began)
    why = child.run.error or child.run.status
    message = f"child run {child.run.run_id} ended {child.run.status}: {why}"
    await act.fail("subgraph_execution_failed", message, {})
