"""The lines above a run's panes: what it is, how it stands, and as of when."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, tzinfo

from zeroth_tui.key_words import keyed
from zeroth_tui.line import Line
from zeroth_tui.views.as_of import as_of_row
from zeroth_tui.views.header import header_rows
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.widgets.ink import Lines

_NARROWEST = 20


class RunHeader(Lines):
    """Describes a LoadedRun, or says a few words where there is none."""

    def __init__(self, clock: Callable[[], datetime], zone: tzinfo) -> None:
        """Show times in `zone`, ages by `clock`."""
        super().__init__(id="run-header")
        self._clock = clock
        self._zone = zone
        self._run: LoadedRun | None = None

    def show_run(self, run: LoadedRun) -> None:
        """Describe a run as it is at this moment, or as of its checkpoint."""
        self._run = run
        width = max(_NARROWEST, self.size.width)
        now = run.clock(self._clock)()
        rows = header_rows(run.detail, run.related, now, self._zone, width)
        if run.as_of is not None:
            back = keyed(self, "{explorer.back:esc}")
            rows = (as_of_row(run.as_of, self._zone, width, back), *rows)
        self.show(tuple(row.line for row in rows))

    def say(self, lines: tuple[Line, ...]) -> None:
        """Say something instead."""
        self._run = None
        self.show(lines)

    def on_resize(self) -> None:
        """Lay the description out for the new width."""
        if self._run is not None:
            self.show_run(self._run)
