"""How a run stands that did not fail: done, driven by whom, waiting for what, or stuck."""

from __future__ import annotations

from datetime import UTC

import msgspec
import pytest

from tests.views.build import NOW, detail, entry, moment, summary, texts
from zeroth_store.browse import ApprovalEntry, Lease, RelatedRows, RunDetail
from zeroth_tui.views import reasons
from zeroth_tui.views.failure import failure_rows
from zeroth_tui.views.steps import steps

NOTHING = RelatedRows()


def shown(run: RunDetail, related: RelatedRows = NOTHING, width: int = 120) -> list[str]:
    return texts(failure_rows(run, related, steps(run, related, NOW), width, NOW, UTC))


def test_a_completed_run_says_so_and_why_it_ended() -> None:
    run = msgspec.structs.replace(detail([entry(0, "a", 1)]), terminal_reason="no_outgoing_edges")
    assert shown(run) == [
        "This run has not failed. It is ✔ COMPLETED",
        reasons.ENDINGS["no_outgoing_edges"].words,
    ]


def lease(expires: float) -> Lease:
    return Lease("w1", moment(0), moment(expires))


@pytest.mark.parametrize(
    ("status", "held", "said"),
    [
        ("RUNNING", None, "Running without a lease: nothing will pick it up."),
        ("RUNNING", lease(3600 - 720), "Lease expired 12m ago: goes on when a worker restarts."),
        ("RUNNING", lease(3600 + 41), "Held by w1, 41s left."),
        ("PENDING", lease(3600 + 41), "Claimed by w1, 41s left."),
        ("PENDING", None, "Waiting for a worker."),
    ],
)
def test_who_drives_a_live_run(status: str, held: Lease | None, said: str) -> None:
    run = detail(run=summary(status, lease=held))
    assert shown(run)[:2][1] == said


def test_a_run_that_waits_names_the_approval_since_when_and_the_deadline() -> None:
    approval = ApprovalEntry(
        approval_id="ap1",
        node_id="ask",
        status="pending",
        created=moment(0),
        updated=moment(0),
        deadline=moment(3600 + 840),
        summary="May I?",
        requested_by="olga",
    )
    run = detail(run=summary("WAITING_APPROVAL"))
    assert shown(run, RelatedRows(approvals=(approval,)))[1:] == [
        "Waits at ask",
        "approval    ap1",
        "since       2026-03-01 10:00:00.000 UTC, 1h ago",
        "status      pending",
        "asks        May I?",
        "requested by  olga",
        "deadline    2026-03-01 11:14:00.000 UTC, in 14m",
        "It is decided through Zeroth's approvals API.",
    ]


def test_a_wait_without_an_approval_is_called_stuck() -> None:
    lines = shown(detail(run=summary("WAITING_APPROVAL")))
    assert lines[-1] == "No pending approval is stored: nothing can release it."


def test_a_wait_that_names_an_approval_without_a_row_says_which() -> None:
    run = msgspec.structs.replace(
        detail(run=summary("WAITING_APPROVAL")), pending_approval_id="req-1"
    )
    assert shown(run)[-1] == "The run names approval req-1, of which no undecided row is stored."


def test_an_interrupted_run_says_that_nothing_resumes_it() -> None:
    lines = shown(detail(run=summary("WAITING_INTERRUPT")))
    assert "It was interrupted. Zeroth has no API and no command that resumes it." in lines
