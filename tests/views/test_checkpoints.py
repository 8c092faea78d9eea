"""The checkpoints pane: order, size, age, and what cannot be read."""

from __future__ import annotations

from datetime import UTC

from tests.views.build import NOW, moment, texts
from zeroth_store.browse import CheckpointKind, CheckpointSummary
from zeroth_tui.views.checkpoints import CheckpointItem, checkpoint_rows


def checkpoint(
    position: int | None = 0,
    *,
    kind: CheckpointKind = "state",
    size: int = 2048,
    status: str | None = None,
    steps: int | None = None,
) -> CheckpointSummary:
    return CheckpointSummary(
        checkpoint_id="feedfacecafef00dfeedfacecafef00d",
        run_id="r1",
        thread_id="t1",
        position=position,
        stored_order=1,
        created=moment(3600 - 120),
        size=size,
        kind=kind,
        status=status,
        steps=steps,
    )


def test_a_checkpoint_shows_place_short_id_age_size_status_and_steps() -> None:
    (row,) = checkpoint_rows([checkpoint(2, status="RUNNING", steps=4)], NOW, UTC, 120)
    assert texts([row])[0].split() == [
        *["3", "feedface", "2m", "2.0", "KB", "run", "r1", "▶", "RUNNING", "4", "steps"],
        *["2026-03-01", "10:58:00.000", "UTC"],
    ]
    assert row.item == CheckpointItem("feedfacecafef00dfeedfacecafef00d")


def test_what_cannot_be_read_is_said_in_words() -> None:
    summaries = [checkpoint(kind="encrypted"), checkpoint(kind="unreadable")]
    encrypted, unreadable = texts(checkpoint_rows(summaries, NOW, UTC, 120))
    assert "  encrypted  " in encrypted
    assert "  not readable  " in unreadable


def test_thread_state_and_a_row_that_no_thread_lists_are_told_apart() -> None:
    summaries = [checkpoint(kind="thread_state"), checkpoint(None)]
    state, loose = texts(checkpoint_rows(summaries, NOW, UTC, 120))
    assert "agent state of the thread" in state
    assert "not listed by its thread" in loose
    assert "not listed" not in state


def test_rows_are_cut_to_the_width_with_a_mark() -> None:
    (line,) = texts(checkpoint_rows([checkpoint()], NOW, UTC, 40))
    assert len(line) == 40
    assert line.endswith("…")


def test_no_checkpoints_says_why() -> None:
    lines = texts(checkpoint_rows([], NOW, UTC, 120))
    assert lines == [
        "No checkpoints: the run has not been saved yet, or retention removed what was saved."
    ]
