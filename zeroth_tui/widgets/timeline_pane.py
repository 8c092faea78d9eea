"""The Timeline tab: bars against time, to zoom, pan and fit."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from zeroth_tui.views.axis import FIT
from zeroth_tui.widgets.pane import Pane

_ZOOM = 1.5
_PAN = 0.25


class TimelinePane(Pane):
    """Keeps which stretch of time is on show, for whatever run it is given."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("plus,equals_sign", "zoom(1)", "Zoom", key_display="+ -", id="timeline.zoom_in"),
        Binding("minus", "zoom(-1)", "Zoom out", show=False, id="timeline.zoom_out"),
        Binding("left,h", "pan(-1)", "Earlier", show=False, id="timeline.earlier"),
        Binding("right,l", "pan(1)", "Later", show=False, id="timeline.later"),
        Binding("0", "fit", "Fit", show=False, id="timeline.fit", tooltip="Show the whole run"),
        Binding("i", "idle", "Idle time", show=False, id="timeline.idle"),
    ]

    def __init__(self, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self.viewport = FIT
        """The stretch of time on show, as fractions of the whole."""
        self.collapse = True
        """Whether long idle gaps are cut to a labelled break."""

    def action_zoom(self, direction: int) -> None:
        """Show less time in more detail, or more time."""
        self.viewport = self.viewport.zoomed(_ZOOM if direction > 0 else 1 / _ZOOM)
        self.rebuild()

    def action_pan(self, direction: int) -> None:
        """Show earlier or later time."""
        self.viewport = self.viewport.panned(direction * _PAN)
        self.rebuild()

    def action_fit(self) -> None:
        """Show the whole run."""
        self.viewport = FIT
        self.rebuild()

    def action_idle(self) -> None:
        """Cut long idle gaps, or show them at their true length."""
        self.collapse = not self.collapse
        self.rebuild()
