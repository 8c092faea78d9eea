"""Everything known of the run that is open, as one frozen value."""

from __future__ import annotations

from datetime import datetime

import msgspec

from zeroth_store.browse import CheckpointSummary, RelatedRows, RunDetail
from zeroth_tui.status import is_live
from zeroth_tui.views.step import Step
from zeroth_tui.views.steps import steps


class LoadedRun(msgspec.Struct, frozen=True):
    """A run with what other tables say of it, and its steps worked out."""

    detail: RunDetail
    related: RelatedRows
    checkpoints: tuple[CheckpointSummary, ...]
    steps: tuple[Step, ...]

    @property
    def live(self) -> bool:
        """Whether the run is not over, so that its bars grow."""
        return is_live(self.detail.summary.status)


def load(
    detail: RunDetail,
    related: RelatedRows,
    checkpoints: tuple[CheckpointSummary, ...],
    now: datetime,
) -> LoadedRun:
    """Work out a run's steps; takes time that grows with its history, so keep it off the screen."""
    return LoadedRun(detail, related, checkpoints, steps(detail, related, now))
