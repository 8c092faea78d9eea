"""Going back and forking in words, and where in a run a fork starts."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.views.build import NOW, detail, entry, summary, texts
from tests.views.build_acts import HOSTILE, SHOWN, candidate, words
from zeroth_store.acting import offers
from zeroth_store.actions import Offer
from zeroth_store.browse import AsOf, RelatedRows, RunKey
from zeroth_store.times import NO_MOMENT
from zeroth_tui.views.act_choices import choices
from zeroth_tui.views.branch_source import Source, source_of
from zeroth_tui.views.branch_words import (
    EDIT,
    OWN_ALONE,
    SAME,
    about_way,
    fork_rows,
    way_rows,
    with_ways,
)
from zeroth_tui.views.json_diff import Change
from zeroth_tui.views.loaded import LoadedRun, load

KEY = RunKey("default", "null", "r1")
LAST = "c-last"


def loaded(**changes: Any) -> LoadedRun:
    """A failed run of nodes a, b, a, whose last checkpoint is LAST."""
    entries = [entry(at, node, at + 1) for at, node in enumerate("aba")]
    run = detail(entries, run=summary("FAILED"))
    run = msgspec.structs.replace(run, columns=(("checkpoint_id", LAST),), **changes)
    return load(run, RelatedRows(), (), NOW)


def restores(kind: Any, status: str) -> list[str]:
    """The refusals of restore and fork, in that order, of a run's offers with the ways."""
    run = candidate("r1", status, kind=kind)
    assert run.standing is not None
    found = with_ways(offers(run.standing, NOW), kind)
    return [one.refusal for one in found if one.act in {"restore", "fork"}]


def test_an_own_run_is_told_how_and_a_guest_why_not() -> None:
    assert restores("own", "FAILED") == ["b in Checkpoints (4)", "F on a step or checkpoint"]
    assert restores("guest", "FAILED") == [OWN_ALONE, OWN_ALONE]


def test_what_the_run_refuses_stays_refused_for_its_own_reason() -> None:
    restore, _ = restores("own", "COMPLETED")
    assert restore == "a COMPLETED run cannot become PENDING: fork it from the checkpoint instead"


def test_other_acts_are_left_alone() -> None:
    cancel = Offer(act="cancel")
    assert with_ways((cancel,), "own") == (cancel,)


@pytest.mark.parametrize(
    ("changed", "said"), [(None, ""), (0, "0 changes so far"), (1, "1 change so far")]
)
def test_the_ways_to_fork(changed: int | None, said: str) -> None:
    rows = way_rows(HOSTILE, changed, 72)
    same, new, edit = texts(rows)
    assert same.split() == f"1 Go on in the same thread {SHOWN}".split()
    assert new.split() == ["2", "Go", "on", "in", "a", "new", "thread"]
    assert edit.split() == f"3 Edit the state first … {said}".split()
    assert [row.item for row in rows] == [0, 1, 2]


def test_what_is_said_of_a_way() -> None:
    [fork] = choices([candidate("r1", "RUNNING", child=True)])[-1:]
    assert fork.act == "fork"
    assert "The run that it starts from stays as it is." in words(about_way(SAME, fork, 60))
    assert "compared before anything is written" in words(about_way(EDIT, fork, 60))


def test_a_fork_says_from_where_in_which_thread_and_what_was_edited() -> None:
    source = Source(KEY, "before b #2", step=3)
    assert texts(fork_rows(source, new_thread=True, edits=None, width=60)) == [
        "from      before b #2",
        "thread    a new one",
    ]
    edits = (Change(("metadata", "n"), "changed", "1", "2"),)
    rows = texts(fork_rows(source, new_thread=False, edits=edits, width=60))
    assert rows[1:] == [
        "thread    the same",
        "state     edited, 1 change",
        "~ $.metadata.n  1 → 2",
    ]
    assert "edited, without a change" in words(
        fork_rows(source, new_thread=False, edits=(), width=60)
    )


def test_a_fork_starts_before_the_step_that_is_chosen() -> None:
    source = source_of(loaded(), 2)
    assert source is not None
    assert (source.words, source.step, source.checkpoint_id) == ("before a #2", 2, None)


def test_a_step_that_is_not_done_and_no_step_at_all_are_where_the_run_stands() -> None:
    run = loaded(in_flight_node="c", in_flight_input="{}")
    [waiting] = [step.index for step in run.steps if step.index < 0]
    for index in (waiting, None):
        source = source_of(run, index)
        assert source is not None
        assert (source.step, source.checkpoint_id) == (None, LAST)


def test_a_run_shown_as_of_a_checkpoint_is_forked_from_that() -> None:
    run = loaded(as_of=AsOf(checkpoint_id="c1", position=0, moment=NO_MOMENT))
    source = source_of(run, 0)
    assert source is not None
    assert (source.step, source.checkpoint_id) == (None, "c1")


def test_a_run_without_a_checkpoint_has_no_place_to_stand() -> None:
    run = loaded()
    bare = msgspec.structs.replace(run, detail=msgspec.structs.replace(run.detail, columns=()))
    assert source_of(bare, None) is None
