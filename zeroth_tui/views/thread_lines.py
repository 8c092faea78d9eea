"""What the right half says of a thread that the cursor is on."""

from __future__ import annotations

from datetime import tzinfo

from zeroth_store.browse import ThreadSummary
from zeroth_tui import format as fmt
from zeroth_tui.line import Line, Piece, Row
from zeroth_tui.text import line
from zeroth_tui.views.layout import row


def thread_lines(thread: ThreadSummary | None, zone: tzinfo) -> tuple[Line, ...]:
    """Return a few lines about a thread; None stands for runs that have none."""
    if thread is None or not thread.found:
        return (
            (Piece("Runs without a thread", "strong"),),
            (Piece("They name no thread, or one that has no row in this database.", "muted"),),
        )
    held = fmt.counted(thread.run_count, "run")
    if thread.checkpoint_count is not None:
        held += f", {fmt.counted(thread.checkpoint_count, 'checkpoint')}"
    return (
        (Piece("thread ", "muted"), Piece(line(thread.key.thread_id) or "(empty)", "strong")),
        (
            Piece(line(thread.graph, 80) or "(no graph)"),
            Piece(f"  {line(thread.status, 40)}  {held}", "muted"),
        ),
        (
            Piece("since ", "muted"),
            Piece(fmt.moment(thread.created, zone)),
            Piece("  last written ", "muted"),
            Piece(fmt.moment(thread.updated, zone)),
        ),
    )


def choose_rows(width: int) -> tuple[Row, ...]:
    """Return what stands where a run's steps would, while a thread is chosen."""
    return (row(width, Piece("Choose a run to see its steps here.", "muted")),)
