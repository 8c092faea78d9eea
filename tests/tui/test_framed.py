"""The frame of a list: another word in its lower edge repaints that edge alone."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.content import Content
from textual.geometry import Region

from tests.tui.listing import Watched, numbered
from zeroth_tui.widgets.framed import Framed


class FrameApp(App[None]):
    """A list in a frame."""

    CSS = "Framed { border: round red; padding: 1; height: 8; width: 20; }"

    def compose(self) -> ComposeResult:
        with Framed():
            yield Watched()


async def test_the_lower_edge_is_drawn_without_the_list() -> None:
    app = FrameApp()
    async with app.run_test(size=(30, 10)) as pilot:
        rows, frame = app.query_one(Watched), app.query_one(Framed)
        rows.show(numbered(100))
        await pilot.pause()
        rows.repainted.clear()
        frame.say_below(Content("1 of 9"))
        assert frame._exchange_repaint_regions() == {Region(0, 7, 20, 1)}
        lines = [strip.text for strip in app.screen._compositor.render_strips()]
        assert "1 of 9" in lines[7]
        frame.say_below(Content("2 of 9"))
        await pilot.pause()
        assert "2 of 9" in app.screen._compositor.render_strips()[7].text
        assert rows.repainted == []
