"""The looks of roles: what Textual's CSS would make of the same colours is the judge."""

from __future__ import annotations

from typing import ClassVar

import pytest
from textual.app import App, ComposeResult

from zeroth_tui.line import Piece
from zeroth_tui.widgets.ink import INKS, Lines


def css() -> str:
    """Return a rule for each role, and one for the cursor's row."""
    rules = []
    for role, ink in INKS.items():
        text_style = " ".join(["bold"] * ink.bold + ["underline"] * ink.underline) or "none"
        rules.append(f"& > .by-css--{role} {{ color: ${ink.colour}; text-style: {text_style}; }}")
    cursor = "& > .by-css--cursor { background: $block-cursor-background 40%; }"
    return f"StyledByCss {{ background: $panel; {' '.join(rules)} {cursor} }}"


class StyledByCss(Lines):
    """Has the looks of all roles from CSS, too."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"by-css--{name}" for name in (*INKS, "cursor")}
    DEFAULT_CSS = css()


class InkApp(App[None]):
    """Shows one line."""

    def compose(self) -> ComposeResult:
        yield StyledByCss()


@pytest.mark.parametrize("theme", ["textual-light", "nord", "ansi-dark"])
async def test_roles_look_as_css_would_have_them(theme: str) -> None:
    app = InkApp()
    async with app.run_test(size=(10, 1)) as pilot:
        lines = app.query_one(StyledByCss)
        lines.show(((Piece("text", "ok"),),))
        await pilot.pause()
        assert next(iter(lines.render_line(0))).style == lines.ink("ok")
        app.theme = theme
        await pilot.pause()
        for role in INKS:
            assert lines.ink(role) == lines.get_component_rich_style(f"by-css--{role}")
        cursor = lines.get_component_rich_style("by-css--cursor")
        assert lines.wash("block-cursor-background", 0.4).bgcolor == cursor.bgcolor
