"""Steps made when looked at are the steps that would be made at once, for any history."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.views.build import BASE, NOW, detail, edge, summary
from zeroth_store.browse import RelatedRows, RunDetail
from zeroth_store.history import History
from zeroth_store.sqlite.decoding.history import read_history, total_cost
from zeroth_tui.views.late_rows import LateRows
from zeroth_tui.views.plain_steps import PlainSteps, place, step_to_open
from zeroth_tui.views.step import EdgeItem, StepItem
from zeroth_tui.views.steps import steps
from zeroth_tui.views.timeline import timeline
from zeroth_tui.views.timeline_rows import late_timeline_rows, timeline_rows

NOTHING = RelatedRows()


def time_at(seconds: float) -> str:
    return (BASE + timedelta(seconds=seconds)).isoformat()


MOMENTS = st.integers(-5, 4000).map(time_at)
ENTRIES = st.fixed_dictionaries(
    {"node_id": st.sampled_from(["a", "b", "c"]), "started_at": MOMENTS},
    optional={
        "completed_at": st.none() | MOMENTS,
        "status": st.sampled_from(["completed", "failed", "started", "no result", None]),
        "attempt": st.integers(1, 3),
        "cost_usd": st.none() | st.floats(0, 1),
        "input_snapshot": st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    },
)
HISTORIES = st.lists(ENTRIES, min_size=1, max_size=12)
EDGES = st.lists(st.sampled_from(["a", "b", "c"]), max_size=6)


def both(entries: list[dict[str, Any]], sources: list[str]) -> tuple[RunDetail, RunDetail]:
    """Return a run with a history made when looked at, and with the same one made at once."""
    found = read_history(json.dumps(entries), [])
    assert isinstance(found, History)
    conditions = [edge(at, source, f"e{at}", "b") for at, source in enumerate(sources)]
    run = detail(conditions=conditions, run=summary(started=0, updated=100))
    late = msgspec.structs.replace(run, history=found)
    return late, msgspec.structs.replace(run, history=tuple(found))


@given(HISTORIES, EDGES)
def test_steps_rows_and_lengths_are_the_same(
    entries: list[dict[str, Any]], sources: list[str]
) -> None:
    late, eager = both(entries, sources)
    plain, made = steps(late, NOTHING, NOW), steps(eager, NOTHING, NOW)
    assert isinstance(plain, PlainSteps)
    assert isinstance(made, tuple)
    for one, other in zip(plain, made, strict=True):
        assert one.entry == other.entry
        assert replaced(one) == replaced(other)
    assert timeline(plain, late.summary, NOW) == timeline(made, eager.summary, NOW)
    assert timeline_rows(late, NOTHING, plain, 90, NOW) == timeline_rows(
        eager, NOTHING, made, 90, NOW
    )
    assert step_to_open(plain) == step_to_open(made)


def replaced(step: Any) -> Any:
    return msgspec.structs.replace(step, stored=None)


@given(HISTORIES, EDGES, st.booleans())
def test_rows_by_position_are_those_of_the_whole(
    entries: list[dict[str, Any]], sources: list[str], plain: bool
) -> None:
    run = both(entries, sources)[0 if plain else 1]
    found = steps(run, NOTHING, NOW)
    whole = timeline_rows(run, NOTHING, found, 90, NOW)
    rows = late_timeline_rows(run, NOTHING, steps(run, NOTHING, NOW), 90, NOW)
    # From the end, so that a row does not profit from those before it.
    assert [rows.row(at, 90) for at in reversed(range(len(rows)))] == list(reversed(whole))
    items = [row.item for row in whole]
    for item in {item for item in items if item is not None}:
        assert rows.find(item) == items.index(item)
    assert rows.find(StepItem(99)) is None
    assert rows.find(EdgeItem(99)) is None
    assert rows.find("a row of another list") is None


def test_visits_are_counted_across_more_entries_than_are_counted_at_once() -> None:
    entries = [
        {"node_id": "odd" if at % 2 else "even", "started_at": time_at(at / 10)}
        for at in range(3_000)
    ]
    found = steps(both(entries, [])[0], NOTHING, NOW)
    # Looked at out of order: positions 2999 and 1024 hold visits 1500 of odd and 513 of even.
    assert [(found[at].node_id, found[at].visit) for at in (2_999, 1_024, 0)] == [
        ("odd", 1500),
        ("even", 513),
        ("even", 1),
    ]
    assert place(found, StepItem(2_000)) == 2_000


def test_a_history_is_decoded_when_an_entry_is_wanted_and_compared_by_its_text() -> None:
    text = '[{"node_id":"a","input_snapshot":{"x":1.10}},{"node_id":"b","cost_usd":0.5}]'
    found = read_history(text, [])
    assert isinstance(found, History)
    assert (found[0].input, found[-1].cost.measured, len(found)) == ('{"x":1.10}', 0.5, 2)
    assert [entry.node_id for entry in found[:1]] == ["a"]
    assert found == read_history(text, []) == tuple(found)
    assert found != read_history(text.replace("1.10", "1.1"), [])
    assert total_cost(found).measured == total_cost(tuple(found)).measured == 0.5
    with pytest.raises(IndexError):
        found[2]


def test_two_readings_are_equal_unless_time_made_a_difference() -> None:
    entries = [{"node_id": "a", "started_at": time_at(5)}]
    later = NOW + timedelta(seconds=1)
    run = both(entries, [])[0]
    assert steps(run, NOTHING, NOW) == steps(run, NOTHING, later)
    ahead = both([{"node_id": "a", "started_at": NOW.isoformat()}], [])[0]
    before = NOW - timedelta(seconds=9)
    assert steps(ahead, NOTHING, before) != steps(ahead, NOTHING, NOW)


def test_only_runs_of_which_nothing_else_is_stored_have_plain_steps() -> None:
    run = both([{"node_id": "a", "started_at": time_at(5)}], [])[0]
    waiting = msgspec.structs.replace(run, summary=summary("WAITING_APPROVAL"))
    running = msgspec.structs.replace(run, summary=summary("RUNNING"), in_flight_node="b")
    for more in (waiting, running):
        assert len(steps(more, NOTHING, NOW)) == 2
    child = RelatedRows(children=(summary(run_id="child", parent_node="a"),))
    assert steps(run, child, NOW)[0].children == child.children
    timeless = both([{"node_id": "a", "started_at": time_at(5)}, {"node_id": "b"}], [])[0]
    assert [step.knowledge for step in steps(timeless, NOTHING, NOW)] == ["ends", "unknown"]


def test_an_empty_pane_has_no_rows() -> None:
    rows = LateRows((), (), (), make=lambda _at: (), place=lambda _item: None)
    assert (len(rows), list(rows), rows.find("x")) == (0, [], None)
