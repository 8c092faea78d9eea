"""Leaving a screen while it still checks or reads something: nothing comes of that."""

from __future__ import annotations

import asyncio

from textual.app import App

from zeroth_tui.screens.state_editor import StateEditor


async def test_what_is_checked_when_the_editor_is_left_is_not_taken() -> None:
    app: App[None] = App()
    begun, ended = asyncio.Event(), asyncio.Event()
    left: list[bool | None] = []

    async def check(_: str) -> None:
        begun.set()
        await ended.wait()

    async with app.run_test() as pilot:
        await app.push_screen(StateEditor("{}", "{}", check, may_show=True), left.append)
        await pilot.press("ctrl+s")
        await begun.wait()
        await pilot.press("escape")
        await pilot.pause()
        ended.set()
        await pilot.pause()
        assert left == [False]
        assert len(app.screen_stack) == 1
