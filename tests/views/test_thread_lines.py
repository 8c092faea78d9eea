"""What is said about a thread where no run is shown."""

from __future__ import annotations

from datetime import UTC

import msgspec

from tests.views.build import words
from tests.views.test_run_tree import thread
from zeroth_tui.views.thread_lines import thread_lines


def said(**fields: object) -> list[str]:
    changed = msgspec.structs.replace(thread(0), **fields)
    return [words(line) for line in thread_lines(changed, UTC)]


def test_a_thread_says_what_it_holds() -> None:
    lines = said(run_count=1, checkpoint_count=1_204)
    assert lines[0] == "thread t-0"
    assert lines[1] == "g@1  active  1 run, 1,204 checkpoints"


def test_checkpoints_that_are_not_known_are_not_counted() -> None:
    assert said(run_count=2, checkpoint_count=None)[1] == "g@1  active  2 runs"


def test_runs_without_a_thread_say_why_they_are_together() -> None:
    assert said(found=False)[0] == "Runs without a thread"
    assert words(thread_lines(None, UTC)[0]) == "Runs without a thread"
