"""The bar of keys: what works where the focus is, and a click presses it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from zeroth_tui.widgets.ink import Lines
from zeroth_tui.widgets.key_bar import KeyBar


class Focusable(Lines, can_focus=True):
    """Binds a key of its own."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("o", "app.note", "Open")]


class BarApp(App[None]):
    """Binds one key that works, one that does not now, and a hidden one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("w", "note", "Work", tooltip="Do [it]"),
        Binding("n", "never", "Never"),
        Binding("h", "note", "Hidden", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.notes = 0

    def compose(self) -> ComposeResult:
        yield Focusable()
        yield KeyBar()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        return None if action == "never" else True

    def action_note(self) -> None:
        self.notes += 1


def shown(bar: KeyBar) -> str:
    """Return the line as it is drawn."""
    return bar.render_line(0).text


async def test_the_bar_names_the_keys_that_are_to_be_shown() -> None:
    app = BarApp()
    async with app.run_test(size=(60, 5)) as pilot:
        await pilot.pause()
        bar = app.query_one(KeyBar)
        words = shown(bar).split()
        assert {"Work", "Never", "palette"} <= set(words)
        assert "Hidden" not in words
        # Textual's own palette key stands at the right end.
        assert shown(bar).rstrip().endswith("^p palette")
        styles = {segment.text.strip(): segment.style for segment in bar.render_line(0)}
        assert styles["Never"] == bar.ink("muted")
        assert styles["Work"] == bar.ink("plain")


async def test_the_keys_of_what_has_the_focus_come_first() -> None:
    app = BarApp()
    async with app.run_test(size=(60, 5)) as pilot:
        bar = app.query_one(KeyBar)
        app.set_focus(None)
        await pilot.pause()
        assert "Open" not in shown(bar)
        app.query_one(Focusable).focus()
        await pilot.pause()
        assert shown(bar).startswith(" o Open")


async def test_a_click_presses_the_key_and_a_grey_one_does_nothing() -> None:
    app = BarApp()
    async with app.run_test(size=(60, 5)) as pilot:
        await pilot.pause()
        bar = app.query_one(KeyBar)
        await pilot.click(bar, offset=(shown(bar).index("Work"), 0))
        await pilot.pause()
        assert app.notes == 1
        await pilot.click(bar, offset=(shown(bar).index("Never"), 0))
        await pilot.click(bar, offset=(shown(bar).index("^p") - 3, 0))
        await pilot.pause()
        assert app.notes == 1


async def test_the_tooltip_is_that_of_the_key_under_the_mouse() -> None:
    app = BarApp()
    async with app.run_test(size=(60, 5)) as pilot:
        await pilot.pause()
        bar = app.query_one(KeyBar)
        await pilot.hover(bar, offset=(shown(bar).index("Work"), 0))
        assert bar.tooltip == Content("Do [it]")
        await pilot.hover(bar, offset=(shown(bar).index("Never"), 0))
        assert bar.tooltip is None


async def test_where_there_is_no_room_the_palette_goes_first_and_the_rest_is_marked() -> None:
    app = BarApp()
    async with app.run_test(size=(12, 5)) as pilot:
        await pilot.pause()
        bar = app.query_one(KeyBar)
        assert "palette" not in shown(bar)
        assert shown(bar).endswith("…")
