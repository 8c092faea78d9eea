"""How a flat list of runs reads; positions that are not loaded yet say so."""

from __future__ import annotations

from datetime import datetime

from zeroth_store.browse import RunSummary
from zeroth_tui import text
from zeroth_tui.line import Piece, Row
from zeroth_tui.views.flat_runs import FlatRuns
from zeroth_tui.views.layout import fit
from zeroth_tui.views.run_lines import failed_line, run_line, scope_words


class FlatRows:
    """The runs of a FlatRuns as rows, one a run."""

    def __init__(self, runs: FlatRuns, now: datetime, *, with_scope: bool = False) -> None:
        """Lay out `runs`; `with_scope` names each run's tenant and workspace."""
        self.runs = runs
        self.now = now
        """What ages are counted to."""
        self._with_scope = with_scope

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self.runs.total

    def find(self, item: object) -> int | None:
        """Return where a run is, or None where its stretch is not loaded."""
        return self.runs.position(item)

    def row(self, index: int, width: int) -> Row:
        """Return one row in `width` cells."""
        run = self.runs.runs.get(index)
        if run is None:
            return Row((Piece("…", "muted"),))
        if run.failure_reason is not None and not self._with_scope:
            return Row(fit(failed_line(run, width, self.now), width), run.key)
        line = run_line(run, width, self.now, self._extra(run))
        return Row(fit(line, width), run.key)

    def _extra(self, run: RunSummary) -> str:
        graph = text.line(run.graph, 80)
        if not self._with_scope:
            return graph
        return f"{scope_words(run.key.tenant_id, run.key.workspace_scope)}  {graph}"
