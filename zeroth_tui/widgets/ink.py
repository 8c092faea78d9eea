"""Turning lines of roles into strips of colours; the one place where roles get their looks."""

from __future__ import annotations

from typing import ClassVar, get_args

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from zeroth_tui.line import Line, Role

ROLES: tuple[Role, ...] = get_args(Role)


class InkWidget(Widget):
    """Base of the widgets that draw lines of pieces themselves."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "ink--cursor",
        "ink--cursor-blurred",
        "ink--thumb",
        "ink--track",
        *(f"ink--{role}" for role in ROLES),
    }

    DEFAULT_CSS = """
    InkWidget {
        & > .ink--cursor { background: $block-cursor-background 40%; }
        & > .ink--cursor-blurred { background: $foreground 8%; }
        & > .ink--thumb { color: $scrollbar; }
        & > .ink--track { color: $scrollbar-background; }
        & > .ink--plain { color: $foreground; }
        & > .ink--muted { color: $text-muted; }
        & > .ink--strong { color: $foreground; text-style: bold; }
        & > .ink--key { color: $text-primary; }
        & > .ink--string { color: $text-success; }
        & > .ink--number { color: $text-warning; }
        & > .ink--keyword { color: $text-accent; text-style: bold; }
        & > .ink--ok { color: $text-success; }
        & > .ink--running { color: $text-primary; text-style: bold; }
        & > .ink--waiting { color: $text-warning; }
        & > .ink--error { color: $text-error; text-style: bold; }
        & > .ink--warning { color: $text-warning; text-style: bold; }
        & > .ink--pending { color: $text-secondary; }
        & > .ink--unknown { color: $text-accent; }
        & > .ink--added { color: $text-success; }
        & > .ink--removed { color: $text-error; }
        & > .ink--changed { color: $text-warning; }
        & > .ink--link { color: $text-primary; text-style: underline; }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._styles_of: dict[str, Style] = {}

    def ink(self, name: str) -> Style:
        """Return the style of a role, looked up once until the theme changes."""
        style = self._styles_of.get(name)
        if style is None:
            style = self._styles_of[name] = self.get_component_rich_style(f"ink--{name}")
        return style

    def strip(self, line: Line, width: int, background: Style | None = None) -> Strip:
        """Return a line in exactly `width` cells; what does not fit ends in `…`."""
        under = background or Style.null()
        strip = Strip([Segment(text, self.ink(role) + under) for text, role in line])
        if strip.cell_length > width:
            mark = Segment("…", self.ink("muted") + under)
            strip = Strip.join([strip.crop(0, width - 1), Strip([mark], 1)])
        return strip.adjust_cell_length(width, self.ink("plain") + under)

    def notify_style_update(self) -> None:
        """Forget looked-up styles when the theme or a class changes."""
        super().notify_style_update()
        self._styles_of = {}


class Lines(InkWidget):
    """A few fixed lines."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._lines: tuple[Line, ...] = ()

    def show(self, lines: tuple[Line, ...]) -> None:
        """Draw other lines."""
        if lines != self._lines:
            self._lines = lines
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        line = self._lines[y] if y < len(self._lines) else ()
        return self.strip(line, self.size.width)
