"""The header: what a run is, how it stands, and who it belongs to, in at most three lines."""

from __future__ import annotations

from datetime import UTC, timedelta

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.views.build import NOW, RUN, detail, key, moment, summary, texts, words
from zeroth_store.browse import CellProblem, Cost, Lease, RelatedRows, RunDetail, RunSummary
from zeroth_tui import text
from zeroth_tui.views.header import cost_words, header_rows, run_length
from zeroth_tui.views.lease import lease_words
from zeroth_tui.views.step import RunItem

PARENT_ID = "feedfacecafebeeffeedfacecafebeef"


NOTHING = RelatedRows()


def lines(run: RunDetail, related: RelatedRows = NOTHING, width: int = 120) -> list[str]:
    return texts(header_rows(run, related, NOW, UTC, width))


def test_a_finished_run_fits_two_lines() -> None:
    run = msgspec.structs.replace(
        detail(run=summary("FAILED", started=0, updated=12.4)), submitted_by="olga"
    )
    assert lines(run) == [
        "triage@3  01234567  ✖ FAILED  12.4s  cost not recorded",
        "started 2026-03-01 10:00:00.000 UTC, 1h ago  by olga",
    ]


def test_a_live_run_lasts_until_now_and_a_finished_one_until_its_last_write() -> None:
    assert run_length(summary("RUNNING", started=0, updated=5), NOW) == 3600
    assert run_length(summary("COMPLETED", started=0, updated=5), NOW) == 5
    assert run_length(summary("COMPLETED", started=None), NOW) is None


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        (Cost(), "cost not recorded"),
        (Cost(measured=0.031), "$0.031"),
        (Cost(measured=0.031, estimated=0.5), "$0.031 + $0.50 estimated"),
        (Cost(estimated=0.5), "$0.50 estimated"),
        (Cost(measured=0.0), "$0.00"),
    ],
)
def test_measured_and_estimated_cost_are_told_apart(cost: Cost, said: str) -> None:
    assert cost_words(cost) == said


def lease_said(run: RunSummary, parent: RunSummary | None = None) -> str | None:
    piece = lease_words(run, parent, NOW)
    return piece.text if piece else None


def leased(status: str, seconds: float) -> RunSummary:
    expires = moment(NOW + timedelta(seconds=seconds))
    return summary(status, lease=Lease("worker-3", moment(0), expires))


def test_the_lease_in_words() -> None:
    assert lease_said(leased("RUNNING", 41)) == "held by worker-3, 41s left"
    assert (
        lease_said(leased("RUNNING", -720))
        == "lease expired 12m ago: goes on when a worker restarts"
    )
    assert lease_said(summary("RUNNING")) == "running without a lease: nothing will pick it up"
    assert lease_said(leased("PENDING", 41)) == "claimed by worker-3, 41s left"
    assert (
        lease_said(leased("PENDING", -60))
        == "the lease of worker-3 expired 1m ago: any worker may claim it"
    )
    assert lease_said(leased("COMPLETED", -60)) is None
    assert lease_said(summary("COMPLETED")) is None


def test_a_child_without_a_lease_is_driven_by_a_parent_that_has_one() -> None:
    assert lease_said(summary("RUNNING"), leased("RUNNING", 41)) == "driven by its parent's worker"
    assert (
        lease_said(summary("RUNNING"), leased("FAILED", 41))
        == "running without a lease: nothing will pick it up"
    )


def test_the_third_line_holds_relations_and_oddities() -> None:
    run = detail(run=summary(parent=PARENT_ID, parent_node="check"))
    run = msgspec.structs.replace(
        run, erased=True, problems=(CellProblem("metadata", "x"), CellProblem("error", "y"))
    )
    children = (summary(run_id="c1"), summary(run_id="c2"))
    related = RelatedRows(parent=summary(run_id=PARENT_ID), children=children)
    rows = header_rows(run, related, NOW, UTC, 120)
    assert texts(rows)[2] == (
        "child of feedface at check  2 child runs  erased by retention  2 cells are not readable"
    )
    assert rows[2].item == RunItem(key(PARENT_ID))


def test_a_parent_that_is_gone_is_said() -> None:
    run = detail(run=summary(parent=PARENT_ID))
    assert lines(run)[2] == "child of feedface (not in this database)"


@given(
    graph=st.none() | st.text(max_size=80),
    run_id=st.text(max_size=40),
    status=st.none() | st.text(max_size=60),
    who=st.text(max_size=80),
    width=st.integers(20, 140),
)
def test_no_line_is_wider_than_the_screen_or_holds_a_control(
    graph: str | None, run_id: str, status: str | None, who: str, width: int
) -> None:
    wild = msgspec.structs.replace(summary(status, run_id=run_id), graph=graph)
    run = msgspec.structs.replace(detail(run=wild), submitted_by=who)
    for row in header_rows(run, NOTHING, NOW, UTC, width):
        line = words(row.line)
        assert text.cells(line) <= width
        assert line.isprintable()


def test_what_is_cut_ends_in_a_mark() -> None:
    (first, *_) = lines(detail(), width=30)
    assert text.cells(first) == 30
    assert first.endswith("…")
    assert RUN[:8] in first
