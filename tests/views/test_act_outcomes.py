"""What became of acts, in words: every value by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests.views.build_acts import HOSTILE, SHOWN, failing, key, texts
from zeroth_store.actions import Outcome, Write
from zeroth_tui.text import MASK
from zeroth_tui.views.act_outcomes import outcome_words, result_rows, results_tally


def outcome(**changes: Any) -> Outcome:
    return Outcome(**{"key": key("r1"), "written": True, "stored": "FAILED", **changes})


@pytest.mark.parametrize(
    ("changes", "words", "severity"),
    [
        ({}, "r1: RUNNING -> FAILED, read back", "information"),
        (
            {"stored": "RUNNING"},
            "r1: became FAILED, but another writer has made it RUNNING since",
            "warning",
        ),
        ({"problem": "it did not stick"}, "r1: it did not stick", "warning"),
        (
            {"written": False, "stored": "COMPLETED"},
            "r1: changed to COMPLETED by another writer, nothing done",
            "error",
        ),
        ({"written": False, "problem": HOSTILE}, f"r1: {SHOWN}", "error"),
        ({"written": False, "problem": "a password=hunter2"}, f"r1: a password={MASK}", "error"),
        ({"written": False}, "r1: changed to FAILED by another writer, nothing done", "error"),
        ({"written": False, "stored": "RUNNING"}, "r1: nothing done", "error"),
    ],
)
def test_an_outcome_is_a_sentence(changes: Any, words: str, severity: str) -> None:
    assert outcome_words(failing(), outcome(**changes)) == (words, severity)


def test_a_run_given_back_to_the_workers_may_be_on_its_way() -> None:
    write = Write(act="replay", key=key("r1"), seen="FAILED", columns={"status": "PENDING"})
    said = outcome_words(write, outcome(stored="RUNNING"))
    assert said == ("r1: FAILED -> PENDING, on its way as RUNNING by now", "information")


def test_checkpoints_and_forks_name_what_they_made() -> None:
    checkpoint = Write(act="checkpoint", key=key("r1"), seen="RUNNING", columns={})
    said = outcome_words(checkpoint, outcome(stored="RUNNING", checkpoint_id="c-9"))
    assert said.words == "r1: checkpoint c-9 written"
    fork = Write(act="fork", key=key("r1"), seen="FAILED", columns={"status": "PENDING"})
    assert outcome_words(fork, outcome(run=key("r2"))).words == "r1: forked into r2"


def test_results_stand_run_by_run_and_name_their_run() -> None:
    results = [
        (failing("a"), outcome()),
        (failing("b"), outcome(written=False, problem="busy")),
        (failing("c"), outcome(problem="it did not stick")),
    ]
    rows = result_rows(results, 60)
    assert texts(rows) == [
        "✔  a: RUNNING -> FAILED, read back",
        "✖  b: busy",
        "!  c: it did not stick",
    ]
    assert [row.item for row in rows] == [key("a"), key("b"), key("c")]
    assert results_tally(results) == "2 written, 1 not"


def test_ids_that_start_alike_are_told_apart_in_results() -> None:
    results = [(failing(f"nightly-report-2026-{at}"), outcome()) for at in range(2)]
    first, second = (line.split(":")[0] for line in texts(result_rows(results, 60)))
    assert first != second
