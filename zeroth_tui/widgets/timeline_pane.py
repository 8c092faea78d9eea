"""The Timeline tab: bars against time, to zoom, pan and fit."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from zeroth_tui.hidden_keys import hidden
from zeroth_tui.views.axis import FIT
from zeroth_tui.widgets.pane import Pane

_ZOOM = 1.5
_PAN = 0.25


class TimelinePane(Pane):
    """Keeps which stretch of time is on show, for whatever run it is given."""

    BINDING_GROUP_TITLE = "Timeline"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "plus,equals_sign",
            "zoom(1)",
            "Zoom",
            key_display="+ -",
            id="timeline.zoom_in",
            tooltip="Less time in more detail, more time",
        ),
        *hidden(
            "Less time in more detail, more time",
            ("timeline.zoom_out", "minus", "zoom(-1)", "Zoom out"),
        ),
        *hidden(
            "Earlier, later",
            ("timeline.earlier", "left,h", "pan(-1)", "Earlier"),
            ("timeline.later", "right,l", "pan(1)", "Later"),
        ),
        *hidden("Show the whole run", ("timeline.fit", "0", "fit", "Fit")),
        *hidden(
            "Idle time: cut short, or at its true length",
            ("timeline.idle", "i", "idle", "Idle time"),
        ),
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
