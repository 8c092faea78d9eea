"""The timeline pane: what each row says, what stands below it, and why it can be empty."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.views.build import NOW, RUN, audit, detail, edge, entry, summary, texts, words
from tests.views.build_wild import Span, histories, run_of
from zeroth_store.browse import CellProblem, RelatedRows, RunDetail
from zeroth_tui import text
from zeroth_tui.views.step import EdgeItem, RunItem, StepItem
from zeroth_tui.views.steps import steps
from zeroth_tui.views.timeline_rows import timeline_rows

CHILD_ID = "feedfacecafebeeffeedfacecafebeef"


NOTHING = RelatedRows()


@given(spans=histories, width=st.integers(24, 200))
def test_no_row_is_wider_than_the_screen(spans: list[Span], width: int) -> None:
    run = run_of(spans, "RUNNING")
    rows = timeline_rows(run, NOTHING, steps(run, NOTHING, NOW), width, NOW)
    assert all(text.cells(words(row.line)) <= width for row in rows)


@pytest.mark.parametrize("width", [40, 120])
def test_rows_name_the_visit_its_attempt_and_its_length(width: int) -> None:
    history = [
        entry(0, "classify", 2, audit="audit:1"),
        entry(1, "classify", 3, 5, status="failed", attempt=2),
    ]
    rows = RelatedRows(audits=(audit("audit:1", "classify", 1, 2),))
    run = detail(history, run=summary("FAILED", started=0, updated=5))
    drawn = timeline_rows(run, rows, steps(run, rows, NOW), width, NOW)
    first, second, *total = texts(drawn)
    assert first.startswith("✔ classify ")
    assert first.endswith(" 1.0s")
    assert second.startswith("✖ classify #2 ")
    assert second.endswith("✖     2.0s x2")
    assert [row.item for row in drawn[:2]] == [StepItem(0), StepItem(1)]
    assert " ".join(total) == "work 3.0s + wait 0ms + gap 2.0s = wall 5.0s"


def test_only_the_end_known_is_said() -> None:
    run = detail([entry(0, "a", 5)])
    lines = texts(timeline_rows(run, NOTHING, steps(run, NOTHING, NOW), 80, NOW))
    assert "◆" in lines[0]
    assert lines[0].endswith("?")
    assert lines[-1] == "? only the end is recorded (at ◆), no start"


def test_decisions_and_children_stand_under_their_step() -> None:
    conditions = [
        edge(0, "a", "go", "b", expression="payload.x > 1"),
        edge(1, "a", "stay", "a", suppressed="visit_limit"),
    ]
    child = summary("FAILED", run_id=CHILD_ID, started=0.5, parent=RUN, parent_node="a")
    rows = RelatedRows(children=(child,))
    run = detail([entry(0, "a", 1), entry(1, "b", 2)], conditions, run=summary(updated=2))
    drawn = timeline_rows(run, rows, steps(run, rows, NOW), 120, NOW)
    lines = texts(drawn)
    assert lines[1] == "  ◆ go  payload.x > 1  true  -> b  taken"
    assert lines[2].startswith(
        "  ◇ stay  payload.x > 1  true  -> a  not taken: visit limit reached"
    )
    assert lines[3] == "  └ child run feedface ✖ FAILED  triage@3"
    assert [row.item for row in drawn[1:4]] == [EdgeItem(0), EdgeItem(1), RunItem(child.key)]


def test_unconditional_edges_that_were_taken_are_no_decision() -> None:
    run = detail([entry(0, "a", 1)], [edge(0, "a", "e", "b", rule="passthrough", expression=None)])
    lines = texts(timeline_rows(run, NOTHING, steps(run, NOTHING, NOW), 80, NOW))
    assert not any("->" in line for line in lines)


def test_a_denied_step_says_that_it_never_ran() -> None:
    rows = RelatedRows(audits=(audit("audit:2", "publish", 3, 3, status="rejected"),))
    run = detail(run=summary("FAILED"))
    lines = texts(timeline_rows(run, rows, steps(run, rows, NOW), 80, NOW))
    assert lines[0].startswith("✖ publish ")
    assert lines[1] == "    denied: a policy refused it, so it never ran"


@pytest.mark.parametrize(
    ("run", "sentence"),
    [
        (
            msgspec.structs.replace(detail(), erased=True),
            "Retention erased this run's history; only audits may remain.",
        ),
        (detail(run=summary("PENDING")), "Not started yet: no node has run."),
        (
            msgspec.structs.replace(
                detail(), problems=(CellProblem("execution_history", "not JSON"),)
            ),
            "No history entry can be read.",
        ),
    ],
)
def test_an_empty_history_says_why(run: RunDetail, sentence: str) -> None:
    lines = texts(timeline_rows(run, NOTHING, (), 100, NOW))
    assert lines[-1] == sentence
    assert all("not JSON" in line for line in lines[:-1])


def test_stored_text_is_cleaned() -> None:
    run = detail([entry(0, "\x1b]0;x\x07[red]", 1)], run=summary(updated=1))
    (line, *_) = texts(timeline_rows(run, NOTHING, steps(run, NOTHING, NOW), 90, NOW))
    assert "\x1b" not in line
    assert "␛]0;x␇[red]" in line
