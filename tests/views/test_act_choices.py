"""What can be done to one or several runs, in words: every value by hand."""

from __future__ import annotations

from tests.views.build_acts import candidate, choice, key, texts, words
from zeroth_store.actions import ACTS, Offer, Standing
from zeroth_store.status import RunStatus
from zeroth_tui.views.act_choices import GONE, Candidate, Counted, choices
from zeroth_tui.views.act_words import TITLES, about_rows, choice_row


def test_runs_that_an_act_fits_are_told_from_those_it_does_not_fit_by_reason() -> None:
    runs = [candidate(f"r{at}", "RUNNING") for at in range(5)]
    runs += [candidate("f", "FAILED"), candidate("c1", "COMPLETED"), candidate("c2", "COMPLETED")]
    runs += [Candidate(key("gone"), None)]
    found = choice(runs, RunStatus.FAILED)
    assert [run.key.run_id for run in found.eligible] == ["r0", "r1", "r2", "r3", "r4"]
    assert found.skipped == (
        Counted("COMPLETED is final", 2),
        Counted("it is FAILED already", 1),
        Counted(GONE, 1),
    )
    assert texts(about_rows(found, 60)) == [
        "9 selected, 5 eligible, 4 skipped because",
        "    2  COMPLETED is final",
        "    1  it is FAILED already",
        f"    1  {GONE}",
    ]


def test_warnings_are_counted_over_the_runs_they_are_true_of() -> None:
    runs = [candidate("a", "RUNNING", operations_in_doubt=1), candidate("b", "RUNNING")]
    runs += [candidate("c", "RUNNING", operations_in_doubt=1)]
    found = choice(runs, RunStatus.FAILED)
    [warning] = found.warnings
    assert warning.runs == 2
    assert texts(about_rows(found, 200)) == [
        "3 selected, 3 eligible",
        f"    2  ! {warning.words}",
    ]


def test_a_single_run_is_not_counted() -> None:
    assert about_rows(choice([candidate("a", "RUNNING")], RunStatus.FAILED), 60) == []
    refused = choice([candidate("a", "COMPLETED")], RunStatus.FAILED)
    assert texts(about_rows(refused, 60)) == ["COMPLETED is final"]


def test_a_choice_says_where_it_leads_and_how_many_it_fits() -> None:
    runs = [candidate("a", "RUNNING", operations_in_doubt=1), candidate("b", "COMPLETED")]
    line = words([choice_row(3, choice(runs, RunStatus.FAILED), 80)])
    assert line == "3 Move to ✖ FAILED 1 of 2 ! warnings"


def test_a_choice_that_fits_no_run_is_grey_and_says_why() -> None:
    row = choice_row(3, choice([candidate("a", "COMPLETED")], RunStatus.FAILED), 80)
    assert words([row]) == "3 Move to ✖ FAILED COMPLETED is final"
    assert {piece.role for piece in row.line} == {"muted"}


def test_every_act_has_a_name_and_keeps_the_columns_of_the_menu() -> None:
    assert set(TITLES) == set(ACTS)
    standing = Standing(kind="guest", status="RUNNING")
    offered = tuple(Offer(act=act, to=to) for act in ACTS for to in (None, *RunStatus))
    found = choices([Candidate(key("a"), standing, offered), Candidate(key("b"), None)])
    rows = [choice_row(at, one, 80) for at, one in enumerate(found, start=1)]
    assert {line.index("1 of 2") for line in texts(rows)} == {46}
