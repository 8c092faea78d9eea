"""Leaving a screen while it still checks or reads something: nothing comes of that."""

from __future__ import annotations

import asyncio

from textual.app import App

from zeroth_store.errors import DatabaseBusy
from zeroth_tui.screens.state_editor import StateEditor


async def test_what_is_checked_when_the_editor_is_left_is_not_told() -> None:
    app: App[None] = App()
    begun = asyncio.Event()
    left: list[bool | None] = []

    async def check(_text: str) -> None:
        begun.set()
        for _ in iter(lambda: bool(editor.query("#editor-told")), False):
            await asyncio.sleep(0)
        raise DatabaseBusy("it comes when there is nothing left to tell it")

    editor = StateEditor("{}", "{}", check, may_show=True)
    async with app.run_test() as pilot:
        await app.push_screen(editor, left.append)
        await pilot.press("ctrl+s")
        await begun.wait()
        await pilot.press("escape")
        await pilot.pause()
        assert left == [False]
        assert len(app.screen_stack) == 1
