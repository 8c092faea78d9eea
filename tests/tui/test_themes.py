"""The themes: what is written can be read on whatever it is written on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from rich.color import ColorType
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.color import Color
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.theme import Theme

from tests.tui.harness import Explorer, exploring
from zeroth_tui.settings import Settings
from zeroth_tui.themes import THEME_NAMES, themes
from zeroth_tui.widgets.ink import INKS, Lines

OURS = {theme.name: theme for theme in themes()}
COLOURED = [name for name in THEME_NAMES if name != "terminal"]
"""What colours the terminal has is not known here."""
LOOKS = ("cursor", "cursor-blurred", "hover")
GROUNDS = ("background", "surface", "panel", "warning-muted", "boost", "surface-lighten-1")
"""What the style sheets put behind lines; lists are on the first three."""


def luminance(triplet: tuple[int, int, int]) -> float:
    """Return how light a colour is, as WCAG 2.2 defines it."""
    parts = [value / 255 for value in triplet]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """Return the contrast ratio of WCAG 2.2."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def least(theme: str) -> float:
    """Return the contrast that text must have: AA, and AAA where contrast is what is asked for."""
    return 7.0 if theme == "high-contrast" else 4.5


def test_contrast_is_that_of_wcag() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((0x76, 0x76, 0x76), (255, 255, 255)) == pytest.approx(4.54, abs=0.01)
    assert contrast((0x77, 0x77, 0x77), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


class Grounds(App[None]):
    """One line on each ground."""

    CSS = "".join(f"#{name} {{ background: ${name}; }}" for name in GROUNDS)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.register_theme(theme)
        self.theme = theme.name

    def compose(self) -> ComposeResult:
        with Vertical():
            for name in GROUNDS:
                yield Lines(id=name)


@pytest.mark.parametrize("name", COLOURED)
async def test_every_role_can_be_read_on_every_ground(name: str) -> None:
    app = Grounds(OURS[name])
    bad: list[tuple[str, str, str, float]] = []
    async with app.run_test() as pilot:
        await pilot.pause()
        for ground in GROUNDS:
            lines = app.query_one(f"#{ground}", Lines)
            looks = LOOKS if ground in GROUNDS[:3] else ()
            if ground == "background":
                looks = (*looks, "changed")  # only the list of runs lights rows up
            for look in ("", *looks):
                for role in INKS:
                    style = lines.ink(role) + lines.look(look) if look else lines.ink(role)
                    found = contrast(*_pair(style.color, style.bgcolor))
                    if found < least(name):
                        bad.append((role, ground, look, round(found, 2)))
    assert bad == []


def _pair(*colours: object) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    front, back = (Color.from_rich_color(colour).rgb for colour in colours)
    return front, back


SCREENS = (
    (),  # the list
    ("t",),  # its columns
    ("1",),
    ("2",),
    ("3",),
    ("5",),
    ("slash", "s", "t"),  # the filter with completions
    ("escape", "escape", "x"),  # what can be done
    ("escape", "o"),  # the overview
    ("escape", "v"),  # the views
    ("escape", "at"),  # the journal
    ("escape", "ctrl+t"),  # the past
)
"""The keys that lead from one screen to the next."""


def texts(explorer: Explorer) -> Iterator[Segment]:
    """Return the pieces of the screen, or of a dialog over it, that hold a letter or a digit."""
    screen = explorer.app.screen
    region = screen.children[0].region if isinstance(screen, ModalScreen) else screen.region
    for strip in screen._compositor.render_strips()[region.y : region.bottom]:
        for segment in strip.crop(region.x, region.right):
            if any(char.isalnum() for char in segment.text):
                yield segment


@pytest.mark.thorough
async def test_what_the_screens_show_can_be_read(database: Path) -> None:
    bad: set[tuple[str, str, str, float]] = set()
    seen = 0
    async with exploring(database, settings=Settings()) as explorer:
        for keys in SCREENS:
            await explorer.press(*keys)
            for name in COLOURED:
                explorer.app.theme = name
                await explorer.pilot.pause()
                for text, style, _ in texts(explorer):
                    assert style is not None
                    seen += 1
                    found = contrast(*_pair(style.color, style.bgcolor))
                    if found < least(name):
                        bad.add((name, str(explorer.app.screen), text.strip(), round(found, 2)))
    assert seen > 1000
    assert bad == set()


async def test_the_terminals_own_colours_are_the_only_ones(database: Path) -> None:
    async with exploring(database, settings=Settings(theme="terminal")) as explorer:
        for keys in SCREENS[:6]:
            await explorer.press(*keys)
            for text, style, _ in texts(explorer):
                assert style is not None
                for colour in (style.color, style.bgcolor):
                    kinds = {ColorType.DEFAULT, ColorType.STANDARD}
                    assert colour is None or colour.type in kinds, text


async def test_without_colour_there_is_none_and_the_cursor_is_seen(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with exploring(database) as explorer:
        for theme in ("textual-dark", "high-contrast", "terminal"):
            explorer.app.theme = theme
            await explorer.pilot.pause()
            drawn = list(texts(explorer))
            for text, style, _ in drawn:
                assert style is not None
                for colour in (style.color, style.bgcolor):
                    assert colour is None or colour.type is ColorType.DEFAULT, text
            assert any(style is not None and style.reverse for _, style, _ in drawn)


SEEN_BY = {  # Vienot, Brettel and Mollon (1999): linear RGB as it is seen without a kind of cone
    "protanope": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "deuteranope": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
}


def seen(triplet: tuple[int, int, int], kind: str) -> list[float]:
    """Return a colour as it is seen, in parts from 0 to 1 that are about equally far apart."""
    linear = [(value / 255) ** 2.2 for value in triplet]
    rows = [
        sum(share * part for share, part in zip(row, linear, strict=True)) for row in SEEN_BY[kind]
    ]
    return [max(0.0, value) ** (1 / 2.2) for value in rows]


def apart(one: Color, other: Color, kind: str) -> float:
    """Return how far two colours are from each other for somebody."""
    pairs = zip(seen(one.rgb, kind), seen(other.rgb, kind), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs) ** 0.5)


@pytest.mark.parametrize("kind", list(SEEN_BY))
def test_well_and_ill_differ_for_the_colour_blind(kind: str) -> None:
    variables = OURS["colour-blind"].variables
    names = ("text-success", "text-error", "text-warning")
    colours = [Color.parse(variables[name]) for name in names]
    assert min(apart(one, other, kind) for one, other in combinations(colours, 2)) > 0.25
    green, red = Color.parse("#6AA84F"), Color.parse("#C07A50")  # which they mix up
    assert apart(green, red, kind) < 0.2


@pytest.mark.thorough
async def test_a_key_goes_through_the_themes_and_names_them(database: Path) -> None:
    async with exploring(database, settings=Settings()) as explorer:
        assert explorer.app.theme == "dark"
        for name in (*THEME_NAMES[1:], "dark"):
            await explorer.press("T")
            assert explorer.app.theme == name
            assert explorer.said.splitlines()[-1] == f"Theme {name}"
        explorer.app.theme = "nord"
        await explorer.press("T")
        assert explorer.app.theme == "dark"
