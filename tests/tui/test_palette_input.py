"""What is typed or pasted into the command palette is drawn, and never acts."""

from __future__ import annotations

from pathlib import Path

from textual import events
from textual.command import CommandPalette
from textual.widgets import Input

from tests.store.guests import Guest
from tests.tui.harness import exploring
from zeroth_tui.text.show import stands_for_itself

PASTED = "[/] a\u202eb\u200bc\u2066d\u0301\ufefff"


async def test_nothing_that_is_pasted_turns_or_hides_text(tmp_path: Path) -> None:
    with Guest(tmp_path / "runs.db") as guest:
        guest.run("r")
        async with exploring(tmp_path / "runs.db") as explorer:
            await explorer.pilot.press("ctrl+p")
            palette = explorer.pilot.app.screen
            assert isinstance(palette, CommandPalette)
            field = palette.query_one(Input)
            field.post_message(events.Paste(PASTED))
            await explorer.pilot.press("x")
            await explorer.pilot.pause()
            assert field.value == f"{PASTED}x"
            drawn = "\n".join(strip.text for strip in palette._compositor.render_strips())
            assert "[/] a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c" in drawn
            assert all(stands_for_itself(char) or char == "\n" for char in drawn)
            await explorer.pilot.press("ctrl+p")
            assert explorer.pilot.app.screen is palette  # one palette at a time
            await explorer.pilot.press("escape")
