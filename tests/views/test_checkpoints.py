"""The checkpoints pane: order, size, age, what changed, and what cannot be read."""

from __future__ import annotations

from datetime import UTC

import pytest

from tests.views.build import NOW, moment, texts
from zeroth_store.browse import CheckpointKind, CheckpointSummary
from zeroth_store.checkpoint_detail import CheckpointFacts, PartPath, StatePart
from zeroth_store.encryption import NO_KEY
from zeroth_tui.line import Row
from zeroth_tui.views.checkpoints import MOST, CheckpointItem, checkpoint_rows

ID = "feedfacecafef00dfeedfacecafef00d"


def checkpoint(
    position: int | None = 0,
    *,
    name: str = ID,
    kind: CheckpointKind = "state",
    run_id: str | None = "r1",
    thread_id: str | None = "t1",
    created: float = 3600 - 120,
    updated: float | None = None,
    status: str | None = None,
) -> CheckpointSummary:
    return CheckpointSummary(
        checkpoint_id=name,
        run_id=run_id,
        thread_id=thread_id,
        position=position,
        stored_order=1,
        created=moment(created),
        size=2048,
        kind=kind,
        status=status,
        updated=moment(updated),
    )


def facts(name: str = ID, *, history: int = 0, problem: str | None = None) -> CheckpointFacts:
    if problem is not None:
        return CheckpointFacts(checkpoint_id=name, problem=problem)
    parts: dict[PartPath, StatePart] = {("execution_history",): StatePart(history, count=history)}
    return CheckpointFacts(checkpoint_id=name, parts=parts)


def rows_of(
    *summaries: CheckpointSummary, known: tuple[CheckpointFacts, ...] = (), width: int = 120
) -> tuple[Row, ...]:
    about = {one.checkpoint_id: one for one in known}
    return checkpoint_rows(summaries, NOW, UTC, width, facts=about, thread_id="t1")


def lines_of(*summaries: CheckpointSummary, known: tuple[CheckpointFacts, ...] = ()) -> list[str]:
    return texts(rows_of(*summaries, known=known))


def test_a_checkpoint_shows_place_short_id_age_size_status_run_and_time() -> None:
    head, below = rows_of(checkpoint(2, status="RUNNING"))
    assert texts([head])[0].split() == [
        *["3", "feedface", "2m", "2.0", "KB", "▶", "RUNNING", "run", "r1"],
        *["2026-03-01", "10:58:00.000", "UTC"],
    ]
    assert head.item == below.item == CheckpointItem(ID)
    assert texts([below]) == ["     …"]  # nothing is known of it yet


def test_the_time_is_that_of_the_last_save_not_of_the_first() -> None:
    head, _ = lines_of(checkpoint(created=0, updated=3600 - 60))
    assert " 1m " in head
    assert head.endswith("10:59:00.000 UTC")


def test_what_changed_is_counted_from_the_one_of_the_same_run_saved_before() -> None:
    summaries = [checkpoint(place, name=name) for place, name in enumerate("abc")]
    known = (facts("a"), facts("b", history=2), facts("c", history=3))
    lines = lines_of(*summaries, known=known)
    assert lines[1::2] == [
        "     first of run r1: nothing has happened yet",
        "     +2 history entries",
        "     +1 history entry",
    ]


def test_a_row_that_is_written_again_comes_after_the_ones_it_outlived() -> None:
    live = checkpoint(0, name="live", updated=3600 - 10)
    kept = checkpoint(1, name="kept", created=3600 - 60)
    lines = lines_of(live, kept, known=(facts("live", history=5), facts("kept", history=2)))
    assert lines[1::2] == [
        "     since 2: +3 history entries",
        "     first of run r1: 2 history entries",
    ]


def test_runs_of_one_thread_are_not_compared_with_each_other() -> None:
    lines = lines_of(
        checkpoint(0, name="a", run_id="one"),
        checkpoint(1, name="b", run_id="two"),
        known=(facts("a", history=4), facts("b", history=1)),
    )
    assert lines[3] == "     first of run two: 1 history entry"


def test_a_checkpoint_that_cannot_be_read_says_why_and_the_next_one_that() -> None:
    lines = lines_of(
        checkpoint(0, name="a", kind="unreadable"),
        checkpoint(1, name="b"),
        known=(facts("a", problem="not JSON: x at character 3"), facts("b")),
    )
    assert "not readable" in lines[0]
    assert lines[1] == "     not JSON: x at character 3"
    assert lines[3] == "     1, saved before it, cannot be compared"


def test_encrypted_ones_say_once_what_to_do() -> None:
    lines = lines_of(
        checkpoint(0, name="a", kind="encrypted"),
        checkpoint(1, name="b", kind="encrypted"),
        known=(facts("a", problem=NO_KEY), facts("b", problem=NO_KEY)),
    )
    assert ["encrypted  " in line for line in lines] == [True, False, True]
    assert lines[1] == f"     {NO_KEY}"


def test_a_decrypted_one_reads_like_any_other() -> None:
    status: dict[PartPath, StatePart] = {("status",): StatePart(1, shown="FAILED")}
    known = CheckpointFacts(checkpoint_id=ID, parts=status)
    head, below = lines_of(checkpoint(kind="encrypted"), known=(known,))
    assert "decrypted  ✖ FAILED  run r1" in head
    assert below == "     first of run r1: status FAILED"


def test_one_that_is_gone_stays_in_its_place() -> None:
    head, below = lines_of(checkpoint(1, kind="gone", run_id=None, thread_id=None))
    assert head.split()[:2] == ["2", "feedface"]
    assert "gone" in head
    assert below == "     listed by its thread, but erased: retention removes checkpoints"


def test_agent_states_follow_one_another_between_the_runs() -> None:
    state = ("metadata", "thread_state", "conversation")

    def told(name: str, messages: int) -> CheckpointFacts:
        parts = {state: StatePart(messages, count=messages), state[:2]: StatePart(messages)}
        return CheckpointFacts(checkpoint_id=name, parts=parts)

    lines = lines_of(
        checkpoint(0, name="s1", run_id="thread-state:t1:s1", thread_id="thread-state:t1:s1"),
        checkpoint(1, name="r"),
        checkpoint(2, name="s2", run_id="thread-state:t1:s2", thread_id="thread-state:t1:s2"),
        known=(told("s1", 2), facts("r"), told("s2", 4)),
    )
    assert "agent state" in lines[0]
    assert lines[1] == "     first agent state: 2 messages"
    assert lines[5] == "     since 1: +2 messages"


def test_foreign_and_unlisted_ones_say_so() -> None:
    lines = lines_of(checkpoint(0, thread_id="t2"), checkpoint(None, name="b"))
    assert lines[1] == "     belongs to another thread: t2"
    assert lines[3].lstrip()[0] == "-"
    assert lines[4] == "     not listed by its thread"


def test_the_marked_one_has_a_mark() -> None:
    summaries = [checkpoint(0, name="a"), checkpoint(1, name="b")]
    lines = texts(checkpoint_rows(summaries, NOW, UTC, 120, marked="b"))
    assert ["●" in line for line in lines] == [False, False, True, False]


def test_rows_fit_the_width_heads_cut_with_a_mark_and_words_wrapped() -> None:
    lines = texts(rows_of(checkpoint(kind="gone", status="RUNNING"), width=40))
    assert all(len(line) <= 40 for line in lines)
    assert lines[0].endswith("…")
    assert " ".join(line.strip() for line in lines[1:]) == (
        "listed by its thread, but erased: retention removes checkpoints"
    )


def test_of_very_many_the_last_ones_are_listed_and_the_others_counted() -> None:
    summaries = [checkpoint(place, name=f"c{place}") for place in range(MOST + 2)]
    rows = checkpoint_rows(summaries, NOW, UTC, 120)
    assert texts(rows[:1]) == ["… 2 earlier checkpoints are not shown"]
    assert rows[1].item == CheckpointItem("c2")
    assert rows[-1].item == CheckpointItem(f"c{MOST + 1}")


@pytest.mark.parametrize("stored", ["[/]", "\x1b[31m", "a\u202eb", "\ud800"])
def test_stored_text_is_shown_harmless(stored: str) -> None:
    known = facts(stored, problem=stored)
    hostile = checkpoint(0, name=stored, run_id=stored, thread_id=stored, status=stored)
    shown = "".join(lines_of(hostile, known=(known,)))
    assert not set(shown) & {"\x1b", "\u202e", "\ud800"}


def test_no_checkpoints_says_why() -> None:
    assert lines_of() == [
        "No checkpoints: the run has not been saved yet, or retention removed what was saved."
    ]
