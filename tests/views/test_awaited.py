"""What is told of a run that somebody waits for, and when."""

from __future__ import annotations

import msgspec
import pytest

from tests.views.build import summary
from zeroth_tui.views.awaited import news, promise


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        ("RUNNING", "RUNNING", None),
        ("PENDING", "RUNNING", None),
        ("WAITING_APPROVAL", "WAITING_APPROVAL", None),
        ("WAITING_APPROVAL", "RUNNING", None),
        ("RUNNING", "WAITING_APPROVAL", "Run abc of triage@3 waits for an approval"),
        ("RUNNING", "WAITING_INTERRUPT", "Run abc of triage@3 waits for an interrupt"),
        ("RUNNING", "COMPLETED", "Run abc of triage@3 ended: ✔ COMPLETED"),
        ("RUNNING", "FAILED", "Run abc of triage@3 ended: ✖ FAILED: lost its worker"),
        ("WAITING_APPROVAL", "FAILED", "Run abc of triage@3 ended: ✖ FAILED: lost its worker"),
    ],
)
def test_it_is_told_when_a_run_ends_or_begins_to_wait(
    before: str, now: str, words: str | None
) -> None:
    reason = "lost its worker" if now == "FAILED" else None
    run = msgspec.structs.replace(summary(now, run_id="abc"), failure_reason=reason)
    told = news(before, "abc", run)
    assert (told and told.words) == words
    assert told is None or told.over == (now in {"COMPLETED", "FAILED"})


def test_a_run_that_is_gone_is_not_waited_for() -> None:
    told = news("RUNNING", "abc", None)
    assert told is not None
    assert told.words == "Run abc is no longer in the database"
    assert told.over


def test_a_promise_counts_the_runs() -> None:
    assert promise(1, kept=True) == "You are told when this run ends or waits"
    assert promise(3, kept=False) == "You are no longer told when these 3 runs end or wait"
