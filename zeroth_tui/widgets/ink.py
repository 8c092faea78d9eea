"""Turning lines of roles into strips of colours; the one place where roles get their looks."""

from __future__ import annotations

from typing import Final, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.strip import Strip
from textual.theme import Theme
from textual.widget import Widget

from zeroth_tui.line import Line, Piece, Role
from zeroth_tui.plain import PLAIN, plain_line
from zeroth_tui.themes import ROW_LOOKS


class Ink(NamedTuple):
    """A colour of the theme by its name, and what else sets text off."""

    colour: str
    bold: bool = False
    underline: bool = False


INKS: Final[dict[Role, Ink]] = {
    "plain": Ink("foreground"),
    "muted": Ink("text-muted"),
    "strong": Ink("foreground", bold=True),
    "key": Ink("text-primary"),
    "string": Ink("text-success"),
    "number": Ink("text-warning"),
    "keyword": Ink("text-accent", bold=True),
    "ok": Ink("text-success"),
    "running": Ink("text-primary", bold=True),
    "waiting": Ink("text-warning"),
    "error": Ink("text-error", bold=True),
    "warning": Ink("text-warning", bold=True),
    "pending": Ink("text-secondary"),
    "unknown": Ink("text-accent"),
    "added": Ink("text-success"),
    "removed": Ink("text-error"),
    "changed": Ink("text-warning"),
    "link": Ink("text-primary", underline=True),
}
"""How each role looks."""

_WASHES: Final = {
    "cursor": ("block-cursor-background", 0.4),
    "cursor-blurred": ("foreground", 0.08),
    "hover": ("foreground", 0.04),
    "changed": ("accent", 0.25),
}
"""What sets a row off: a colour of the theme, and how much of it is on the background."""

_STYLES: Final = {
    "cursor": Style(reverse=True),
    "cursor-blurred": Style(underline=True),
    "hover": Style.null(),
    "changed": Style(bold=True),
}
"""What does so where a wash could not be seen, or would make text harder to read."""


class InkWidget(Widget):
    """Base of the widgets that draw lines of pieces themselves.

    Colours are taken from the theme by name. As component classes of Textual each would be matched
    with every rule of CSS, for every widget, whenever the focus moves: a fifth of the start.
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._styles_of: dict[Role, Style] = {}

    def on_mount(self) -> None:
        """Follow the theme, of which no style of this widget speaks."""
        self.app.theme_changed_signal.subscribe(self, self._take_theme)

    def _take_theme(self, _theme: Theme) -> None:
        self.notify_style_update()
        self.refresh()

    def ink(self, role: Role) -> Style:
        """Return the style of a role, worked out once until the theme changes."""
        style = self._styles_of.get(role)
        if style is None:
            ink = INKS[role]
            style = self._styles_of[role] = self.colour(ink.colour) + Style(
                bold=ink.bold or None, underline=ink.underline or None
            )
        return style

    def colour(self, name: str) -> Style:
        """Return a colour of the theme over the background."""
        ground = self.background_colors[1]
        return Style.from_color(self._over(ground, name).rich_color, ground.rich_color)

    def wash(self, name: str, strength: float) -> Style:
        """Return the background with some of a colour of the theme over it."""
        return Style.from_color(
            None, self._over(self.background_colors[1], name, strength).rich_color
        )

    def look(self, name: str) -> Style:
        """Return what sets a row off that is under the cursor or the mouse, or has changed."""
        if self.app.no_color or self.app.theme_variables.get(ROW_LOOKS) == "style":
            return _STYLES[name]
        return self.wash(*_WASHES[name])

    def _over(self, ground: Color, name: str, strength: float = 1) -> Color:
        word = self.app.theme_variables[name]
        if word.endswith("%"):  # as in `auto 60%`
            word, share = word.rsplit(maxsplit=1)
            strength *= float(share.removesuffix("%")) / 100
        if word == "auto":
            return ground + ground.get_contrast_text(strength)
        return ground + Color.parse(word).multiply_alpha(strength)

    def strip(self, line: Line, width: int, background: Style | None = None) -> Strip:
        """Return a line in exactly `width` cells; what does not fit ends in `…`."""
        under = background or Style.null()
        if self.app.has_class(PLAIN):
            line = plain_line(line)
        if under.reverse:  # blanks would show the colour of a text that is not there
            line = tuple(piece if piece.text.strip() else Piece(piece.text) for piece in line)
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

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
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
