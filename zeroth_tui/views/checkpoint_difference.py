"""The difference between two checkpoints of a thread, with its heading."""

from __future__ import annotations

from datetime import tzinfo

import msgspec

from zeroth_store.browse import CheckpointSummary, JsonText
from zeroth_tui.line import Piece, Row
from zeroth_tui.views.checkpoints import title
from zeroth_tui.views.json_diff import Change, diff, diff_rows
from zeroth_tui.views.layout import row


class Difference(msgspec.Struct, frozen=True):
    """What is different from one checkpoint to another."""

    before: CheckpointSummary
    after: CheckpointSummary
    changes: tuple[Change, ...]


def compare(
    before: CheckpointSummary, old: JsonText, after: CheckpointSummary, new: JsonText
) -> Difference:
    """Compare two states; takes time that grows with them, so keep it off the screen."""
    return Difference(before, after, diff(old, new))


def difference_rows(difference: Difference, zone: tzinfo, width: int) -> tuple[Row, ...]:
    """Return which two checkpoints are compared, and the difference, secrets masked."""
    return (
        row(width, Piece("from ", "muted"), *title(difference.before, zone)),
        row(width, Piece("to   ", "muted"), *title(difference.after, zone)),
        Row(()),
        *diff_rows(difference.changes),
    )
