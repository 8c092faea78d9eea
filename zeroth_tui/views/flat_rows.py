"""How a flat list of runs reads; positions that are not loaded yet say so."""

from __future__ import annotations

from datetime import datetime

import msgspec

from zeroth_store.browse import RunKey
from zeroth_tui.line import Piece, Row
from zeroth_tui.views.columns import Columns, Name, columns
from zeroth_tui.views.flat_runs import FlatRuns
from zeroth_tui.views.layout import fit
from zeroth_tui.views.run_cells import run_row
from zeroth_tui.views.short_ids import ShortIds


class FlatLook(msgspec.Struct, frozen=True):
    """What a flat list shows beside what its runs hold."""

    with_scope: bool = False
    """Each run's tenant and workspace."""
    failures: bool = False
    """Why runs failed instead of their status, which is the same for all."""
    empty: str = ""
    """What is said where the list holds nothing."""
    columns: tuple[Name, ...] = ()
    """The columns that were chosen, from left to right; none for those that fit best."""


class FlatRows:
    """The runs of a FlatRuns as rows, one a run."""

    def __init__(
        self,
        runs: FlatRuns,
        now: datetime,
        how: FlatLook,
        *,
        marks: frozenset[RunKey] = frozenset(),
    ) -> None:
        self.runs = runs
        self.now = now
        """What ages are counted to."""
        self.marks = marks
        """The runs that are marked."""
        self.awaited = frozenset[RunKey]()
        """The runs whose end is waited for."""
        self.width = 0
        """Cells that the columns are laid out for whatever a row gets; 0 for those of the row."""
        self._how = how
        self._ids = ShortIds(run.key.run_id for run in runs.runs.values())
        self._laid_out = 0
        self._columns = Columns(())

    def __len__(self) -> int:
        """Return how many rows there are; an empty list says so in one."""
        return self.runs.total or 1

    def find(self, item: object) -> int | None:
        """Return where a run is, or None where its stretch is not loaded."""
        return self.runs.position(item)

    def missing(self, start: int, stop: int) -> bool:
        """Whether any row from `start` up to `stop` is not loaded."""
        return self.runs.missing(start, stop)

    def row(self, index: int, width: int) -> Row:
        """Return one row in `width` cells."""
        run = self.runs.runs.get(index)
        if run is None:
            words = "loading …" if self.runs.total else self._how.empty
            return Row(fit((Piece(f"   {words}", "muted"),), width))
        line = run_row(
            run,
            self.columns(self.width or width),
            self._ids,
            self.now,
            marked=run.key in self.marks,
            awaited=run.key in self.awaited,
        )
        return Row(fit(line, width), run.key)

    def columns(self, width: int) -> Columns:
        """Return the columns that there is room for in `width` cells."""
        if width != self._laid_out:
            how, order = self._how, self.runs.order
            self._laid_out = width
            self._columns = columns(
                width,
                self._ids.cells,
                order,
                failures=how.failures,
                with_scope=how.with_scope,
                chosen=how.columns,
            )
        return self._columns
