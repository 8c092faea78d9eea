"""Which step stays selected while a run goes on, and what is said of the past."""

from __future__ import annotations

import msgspec
import pytest

from tests.views.build import at, detail, entry, summary
from zeroth_store.browse import RelatedRows
from zeroth_tui.views.live_steps import kept_step, place_words
from zeroth_tui.views.loaded import LoadedRun, load

END = at(100)


def run(*nodes: str, status: str = "RUNNING") -> LoadedRun:
    """Return a run whose nodes completed one second after the other."""
    history = [entry(place, node, completed=place + 1) for place, node in enumerate(nodes)]
    shown = detail(history, run=summary(status, updated=len(nodes)))
    return load(shown, RelatedRows(), (), END)


def test_the_newest_step_is_followed_from_the_newest_alone() -> None:
    assert kept_step(run("a", "b"), run("a", "b", "c"), 1, True) == 2
    assert kept_step(run("a", "b"), run("a", "b", "c"), 0, True) == 0


def test_a_value_that_is_read_stays() -> None:
    assert kept_step(run("a", "b"), run("a", "b", "c"), 1, False) == 1


@pytest.mark.parametrize(
    ("status", "last"),
    [
        ("COMPLETED", 2),
        ("FAILED", 2),
        ("WAITING_APPROVAL", -1),  # the wait is a step without an entry
    ],
)
def test_the_last_step_is_followed_too(status: str, last: int) -> None:
    assert kept_step(run("a", "b"), run("a", "b", "c", status=status), 1, True) == last


def test_a_run_that_was_over_moves_nothing() -> None:
    """A replay goes on where the person looks at why it had failed."""
    assert kept_step(run("a", "b", status="FAILED"), run("a", "b", "c"), 1, True) == 1


def test_the_first_step_of_a_run_that_had_none_is_selected() -> None:
    assert kept_step(run(status="PENDING"), run("a"), None, True) == 0
    assert kept_step(run(status="PENDING"), run(), None, True) is None


def test_a_step_that_is_gone_is_found_as_the_same_visit_of_its_node() -> None:
    """What is in flight has an index below 0, until an entry takes its place."""
    before = _in_flight("a", "b", "a")
    flying = before.steps[-1]
    assert (flying.node_id, flying.visit, flying.index) == ("a", 2, -1)
    after = run("a", "b", "a", "c")
    assert kept_step(before, after, -1, False) == 2
    # Nobody knows it any more: the newest.
    assert kept_step(before, run("b", "c"), -1, False) == 1


@pytest.mark.parametrize(
    ("selected", "words"),
    [(2, "step 3 of 3, now"), (1, "step 2 of 3, the past: 1 newer"), (None, ""), (9, "")],
)
def test_it_is_said_what_is_past(selected: int | None, words: str) -> None:
    assert place_words(run("a", "b", "c"), selected) == words


def test_nothing_is_past_in_a_run_that_is_over() -> None:
    assert place_words(run("a", "b", status="COMPLETED"), 0) == ""
    assert place_words(None, 0) == ""


def _in_flight(*nodes: str) -> LoadedRun:
    """Return a run of which the last of these nodes has not reported back."""
    history = [entry(place, node, completed=place + 1) for place, node in enumerate(nodes[:-1])]
    going = detail(history, run=summary("RUNNING", updated=len(nodes)))
    shown = msgspec.structs.replace(going, in_flight_node=nodes[-1])
    return load(shown, RelatedRows(), (), END)
