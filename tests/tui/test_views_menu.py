"""The menu of named views: what it shows, and what each way out of it returns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
from textual.app import App
from textual.pilot import Pilot

from zeroth_store.browse import RunOrder
from zeroth_store.errors import DatabaseError
from zeroth_tui.screens.views_menu import ViewsMenu
from zeroth_tui.views.named_views import BUILT_IN, NamedView, all_views

pytestmark = pytest.mark.thorough

NARROW, WIDE = (80, 24), (160, 45)


class Menu:
    """The menu open over an empty application, with counts that come when they are let."""

    def __init__(self, views: Sequence[NamedView]) -> None:
        self.app: App[None] = App()
        self.screen = ViewsMenu(views, self.count)
        self.chosen: list[NamedView | None] = []
        self.counts: asyncio.Queue[int | DatabaseError | None] = asyncio.Queue()
        self.asked: list[str] = []
        self.pilot: Pilot[None]

    async def count(self, view: NamedView) -> int | None:
        self.asked.append(view.name)
        found = await self.counts.get()
        if isinstance(found, DatabaseError):
            raise found
        return found

    async def let(self, found: int | DatabaseError | None) -> None:
        self.counts.put_nowait(found)
        await self.pilot.pause()
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    def row(self, name: str) -> str:
        """The row of a view as it is drawn, from its number to its words."""
        strips = self.app.screen._compositor.render_strips()
        [row] = [strip.text for strip in strips if f"  {name}  " in strip.text]
        return " ".join(row.strip(" │").split())


@asynccontextmanager
async def menu(
    views: Sequence[NamedView] = BUILT_IN, size: tuple[int, int] = NARROW
) -> AsyncIterator[Menu]:
    opened = Menu(views)
    async with opened.app.run_test(size=size) as pilot:
        opened.pilot = pilot
        await opened.app.push_screen(opened.screen, opened.chosen.append)
        await pilot.pause()
        yield opened


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_views_are_there_at_once_and_counts_come_one_by_one(size: tuple[int, int]) -> None:
    async with menu(size=size) as opened:
        assert opened.row("Needs me") == "1 Needs me … is:waiting,stuck,dead-letter"
        assert opened.row("Slowest") == "5 Slowest … duration ↓"
        await opened.let(1204)
        assert opened.row("Needs me") == "1 Needs me 1,204 is:waiting,stuck,dead-letter"
        assert opened.row("Running") == "2 Running … is:live"
        assert opened.asked == ["Needs me", "Running"]


async def test_what_cannot_be_counted_says_so_and_the_rest_goes_on() -> None:
    async with menu() as opened:
        await opened.let(None)
        await opened.let(DatabaseError("the file is gone"))
        await opened.let(0)
        assert opened.row("Needs me").startswith("1 Needs me — ")
        assert opened.row("Running").startswith("2 Running — ")
        assert opened.row("Failed 24 h").startswith("3 Failed 24 h 0 ")


async def test_a_number_opens_its_view() -> None:
    async with menu() as opened:
        await opened.press("4")
        assert opened.chosen == [BUILT_IN[3]]


async def test_a_number_without_a_view_does_nothing() -> None:
    async with menu(BUILT_IN[:2]) as opened:
        await opened.press("3")
        assert opened.chosen == []
        assert opened.app.screen is opened.screen


async def test_arrows_and_enter_open_a_view_while_counts_arrive() -> None:
    async with menu() as opened:
        await opened.press("down", "down")
        await opened.let(7)
        await opened.press("enter")
        assert opened.chosen == [BUILT_IN[2]]


async def test_one_click_opens_a_view() -> None:
    async with menu() as opened:
        await opened.pilot.click("#views-list", offset=(10, 5))
        assert opened.chosen == [BUILT_IN[5]]


@pytest.mark.parametrize("key", ["escape", "v"])
async def test_leaving_chooses_nothing(key: str) -> None:
    async with menu() as opened:
        await opened.press(key)
        assert opened.chosen == [None]


async def test_a_count_that_comes_while_the_menu_closes_is_of_no_use() -> None:
    async with menu() as opened:

        async def late(_view: NamedView) -> int:
            for _ in iter(lambda: bool(opened.screen.query("#views-list")), False):
                await asyncio.sleep(0)
            return 1

        closing = ViewsMenu(BUILT_IN, late)
        opened.screen = closing
        await opened.app.push_screen(closing, opened.chosen.append)
        await opened.press("escape")
        assert opened.chosen == [None]


async def test_own_views_may_have_any_name_and_number() -> None:
    own = [NamedView(f"Own {number}", order=RunOrder("cost")) for number in range(20)]
    own.append(NamedView("[/] [red]x\x1b]52;c\u202e", "[/]"))
    async with menu(all_views(own)) as opened:
        await opened.press("end")
        strips = opened.app.screen._compositor.render_strips()
        drawn = "\n".join(strip.text for strip in strips)
        assert r"[/] [red]x␛]52;c\u202e" in drawn
        assert "\x1b" not in drawn
        await opened.press("enter")
        assert opened.chosen == [own[-1]]
