"""The stories are consistent: what they say of their edges, expressions and ends is true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from zeroth_store.status import RunStatus
from zeroth_tui.demo.scenario import (
    Approval,
    Child,
    Edge,
    Fail,
    FanOut,
    Interrupt,
    Keep,
    Node,
    Replay,
    Retry,
    Scenario,
    Stall,
    Story,
)
from zeroth_tui.demo.stories import OPEN, REPERTOIRE

STORIES = (*REPERTOIRE, *(story for story, _ in OPEN))


class Attributes:
    """Lets `payload.score` read a key, as graph expressions do."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.__dict__.update(values)


def scenarios() -> Iterator[tuple[Scenario, dict[str, Any]]]:
    """Return every run of every story with its input, child runs included."""
    for story in STORIES:
        for turn in story.turns:
            yield turn, dict(turn.input)
            payload = dict(turn.input)
            for step in turn.steps:
                if isinstance(step, Node):
                    payload |= step.adds
                if isinstance(step, Child):
                    yield step.scenario, dict(payload)


def left_by(scenario: Scenario, given: dict[str, Any]) -> Iterator[tuple[Edge, dict[str, Any]]]:
    """Return every edge that is considered, with the payload at that moment."""
    payload = dict(given)
    for step in scenario.steps:
        if isinstance(step, Node | Approval):
            payload |= step.adds
        if isinstance(step, Node | Approval | FanOut | Child):
            yield from ((edge, payload) for edge in step.edges)


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_the_runs_of_a_thread_are_of_one_graph(story: Story) -> None:
    assert len({turn.graph for turn in story.turns}) == 1


def test_names_of_stories_are_unique() -> None:
    assert len({story.name for story in STORIES}) == len(STORIES)


def test_a_taken_edge_leads_to_the_next_step_and_no_two_are_taken() -> None:
    for scenario, _ in scenarios():
        visible = [step for step in scenario.steps if not isinstance(step, Keep | Interrupt)]
        for step, after in zip(visible, [*visible[1:], None], strict=True):
            if isinstance(step, Child) and step.scenario.ends is RunStatus.FAILED:
                assert after is None
            elif isinstance(step, Node | Approval | FanOut | Child):
                taken = [edge.target for edge in step.edges if edge.taken]
                expected = [] if after is None or isinstance(after, Replay) else [after.id]
                assert taken == expected, (scenario.graph.id, step)


def test_a_retry_is_followed_by_the_same_node() -> None:
    for scenario, _ in scenarios():
        for step, after in zip(scenario.steps, scenario.steps[1:], strict=False):
            if isinstance(step, Retry | Stall):
                assert getattr(after, "id", None) == step.id


def test_every_expression_has_the_value_that_is_told() -> None:
    checked = 0
    for scenario, given in scenarios():
        for edge, payload in left_by(scenario, given):
            if edge.expression is not None and edge.suppressed != "edge_disabled":
                scope = {"payload": Attributes(payload)}
                value = eval(edge.expression, {"__builtins__": {}}, scope)  # noqa: S307 - our own
                assert value is edge.value, (scenario.graph.id, edge.id, payload)
                checked += 1
    assert checked > 20


def test_the_end_that_is_told_follows_from_the_last_step() -> None:
    for scenario, _ in scenarios():
        last = scenario.steps[-1]
        if isinstance(last, Fail):
            assert (scenario.ends, scenario.reason) == (RunStatus.FAILED, last.reason)
        assert (scenario.ends is RunStatus.FAILED) == (scenario.reason is not None)


def test_what_the_demo_is_for_is_there() -> None:
    steps = [step for scenario, _ in scenarios() for step in scenario.steps]
    edges = [edge for scenario, given in scenarios() for edge, _ in left_by(scenario, given)]
    decisions = {step.decision for step in steps if isinstance(step, Approval)}
    assert decisions == {"approved", "rejected", "open"}
    assert any(edge.suppressed == "visit_limit" for edge in edges)
    assert any(edge.suppressed == "edge_disabled" for edge in edges)
    assert any(len(story.turns) >= 3 for story in STORIES)
    assert any(isinstance(step, Replay) for step in steps)
    assert any(isinstance(step, Stall) for step in steps)
    assert any(isinstance(step, Approval) and step.adds for step in steps), "one is edited"
    failures = [step for step in steps if isinstance(step, Fail)]
    assert any(step.message.count("\n") > 5 for step in failures)
    branches = [step.branches for step in steps if isinstance(step, FanOut)]
    assert any({branch.output is None for branch in fan} == {True, False} for fan in branches)
