"""Everything known of the run that is open, as one frozen value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import msgspec

from zeroth_store.browse import AsOf, CheckpointSummary, GraphShape, RelatedRows, RunDetail
from zeroth_tui.status import is_live
from zeroth_tui.views.step import Step
from zeroth_tui.views.steps import steps


class LoadedRun(msgspec.Struct, frozen=True):
    """A run with what other tables say of it, and its steps worked out."""

    detail: RunDetail
    related: RelatedRows
    checkpoints: tuple[CheckpointSummary, ...]
    steps: Sequence[Step]
    graph: GraphShape | None = None
    """The graph as deployed; None where no deployment of it is stored."""

    @property
    def live(self) -> bool:
        """Whether the run is not over, so that its bars grow."""
        return self.as_of is None and is_live(self.detail.summary.status)

    @property
    def as_of(self) -> AsOf | None:
        """The checkpoint that is shown instead of the run as it is; nothing can be done to it."""
        return self.detail.as_of

    def clock(self, clock: Callable[[], datetime]) -> Callable[[], datetime]:
        """Return the clock to show the run by: it stands still at the moment of a checkpoint."""
        then = None if self.as_of is None else self.as_of.moment.instant
        return clock if then is None else lambda: then

    def same_as(self, other: LoadedRun) -> bool:
        """Whether both are the same run as of the same checkpoint, or as it is."""
        theirs, ours = other.as_of, self.as_of
        return self.detail.summary.key == other.detail.summary.key and (
            (ours and ours.checkpoint_id) == (theirs and theirs.checkpoint_id)
        )


def load(
    detail: RunDetail,
    related: RelatedRows,
    checkpoints: tuple[CheckpointSummary, ...],
    now: datetime,
    graph: GraphShape | None = None,
) -> LoadedRun:
    """Work out a run's steps; takes time that grows with its history, so keep it off the screen."""
    return LoadedRun(detail, related, checkpoints, steps(detail, related, now), graph)
