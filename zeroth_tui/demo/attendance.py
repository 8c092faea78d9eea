"""Taking up runs that no simulated worker has: replayed, resumed, approved or forked by a person.

The row says where a run is, so it does not matter which demo it is from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from zeroth_store.errors import AmbiguousId, RunNotFound, UnreadableRow
from zeroth_store.models import Run
from zeroth_store.status import RunStatus
from zeroth_tui.demo.act import Act
from zeroth_tui.demo.performance import perform
from zeroth_tui.demo.place import place
from zeroth_tui.demo.scenario import Child, Scenario, Story
from zeroth_tui.demo.stage import LOOK_SECONDS, Stage

_HANDED_OVER: Final = frozenset({RunStatus.PENDING, RunStatus.RUNNING, RunStatus.WAITING_APPROVAL})


async def attend(stage: Stage, stories: Iterable[Story]) -> None:
    """Take up every run of these stories that waits for a worker; never ends.

    A run that is RUNNING at the first look has lost its worker: it is let be until somebody
    changes its status.
    """
    scenarios = list(_scenarios(turn for story in stories for turn in story.turns))
    deployments = sorted({scenario.graph.id for scenario in scenarios})
    let_be: set[tuple[str, RunStatus]] | None = None
    while True:
        listed = await stage.store.runs.list_statuses(deployments, _HANDED_OVER)
        free = [(run_id, status) for run_id, status in listed if run_id not in stage.playing]
        if let_be is None:
            let_be = {(run_id, status) for run_id, status in free if status is RunStatus.RUNNING}
        let_be &= set(free)
        for found in free:
            if found not in let_be:
                let_be.add(found)
                stage.cue(partial(_take_up, stage, scenarios, found[0]), stage.moment)
        await stage.wait(LOOK_SECONDS * stage.speed)


async def _take_up(stage: Stage, scenarios: Sequence[Scenario], run_id: str) -> None:
    """Play a run from the step on that it is at, unless no scenario has one."""
    with suppress(UnreadableRow, AmbiguousId, RunNotFound):
        run = await stage.store.runs.get(run_id, tenant_id="default")
        if run is None or run_id in stage.playing:
            return
        scenario = _scenario(scenarios, run)
        if scenario is not None:
            act = Act(stage, scenario, run.thread_id, run=run)
            await act.look()
            await perform(act, first=act.resume())


def _scenario(scenarios: Sequence[Scenario], run: Run) -> Scenario | None:
    """Return what a run plays: what was begun with its input before others of its graph."""
    possible = [one for one in scenarios if place(one, run) is not None]
    given: Any = run.metadata.get("initial_input")
    return next((one for one in possible if one.input == given), next(iter(possible), None))


def _scenarios(turns: Iterable[Scenario]) -> Iterator[Scenario]:
    """Yield scenarios, and after each those of its children."""
    for turn in turns:
        yield turn
        yield from _scenarios(step.scenario for step in turn.steps if isinstance(step, Child))
