"""Playing a scenario from its first step to its end, and a story from run to run."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

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

_OVER: Final = frozenset({RunStatus.COMPLETED, RunStatus.FAILED})


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

    When somebody else changes the run's status, its worker drops it; one that is paused it takes up
    again at the step it was in. One that failed is over here, until `attend` finds it replayed.
    """
    act.stage.playing.add(act.run.run_id)
    try:
        await _perform(act, first)
    finally:
        act.stage.playing.discard(act.run.run_id)


async def _perform(act: Act, first: int) -> None:
    for step in (*act.scenario.steps, None)[first:]:
        if act.run.status is RunStatus.FAILED and not isinstance(step, Replay):
            return
        while not await _attempted(act, step):
            if not await _given_back(act):
                return


async def _attempted(act: Act, step: Step | None) -> bool:
    """Play one step, or the end of the run; False when somebody else had a hand in it."""
    try:
        await (act.finish() if step is None else _play(act, step))
    except (StatusConflict, InvalidTransition, RunNotFound):
        return False
    return True


async def _given_back(act: Act) -> bool:
    """Wait for a paused run to be resumed; False when it is over."""
    with suppress(RunNotFound):
        while (status := await act.look()) not in _OVER:
            if status in {RunStatus.PENDING, RunStatus.RUNNING}:
                return True
            await act.stage.wait(act.stage.patience)
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
    child, first = await _waiting_child(act, step), 0
    began = act.moment
    if child is None:
        await act.begin(step.id)
        began = act.moment
        child = Act(act.stage, step.scenario, act.run.thread_id, parent=act, parent_node=step.id)
        await child.create()
    else:
        first = child.resume()
    await perform(child, first=first)
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


async def _waiting_child(act: Act, step: Child) -> Act | None:
    """Return the child that a run waits for since before its worker had it, if there is one."""
    asked = act.run.metadata.get("pending_subgraph")
    if act.run.status is not RunStatus.WAITING_APPROVAL or asked is None:
        return None
    run = await act.store.runs.get(asked["child_run_id"], tenant_id=act.run.tenant_id)
    if run is None:
        return None
    child = Act(act.stage, step.scenario, run.thread_id, parent=act, parent_node=step.id, run=run)
    await child.look()
    return child
