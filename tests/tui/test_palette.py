"""The command palette finds runs and threads, shows hostile names as text, and never breaks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.command import CommandPalette, Hit, Provider
from textual.content import Content
from textual.pilot import Pilot
from textual.screen import Screen

from tests.store.guests import Guest
from zeroth_store.browse import NULL_SCOPE, RunKey, RunSummary, ThreadKey, ThreadSummary
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_tui.screens.palette import RunsProvider

NOW = datetime(2026, 3, 1, 10, 3, tzinfo=UTC)
"""Three minutes after the runs of a Guest start."""


class Desk(Screen[None]):
    """A screen that offers what the palette needs, and notes what was opened."""

    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {RunsProvider}

    def __init__(self, browser: SQLiteRunBrowser) -> None:
        super().__init__()
        self.browser = browser
        self.opened: list[RunKey | ThreadKey] = []

    async def look_up(self, text: str) -> tuple[RunSummary | ThreadSummary, ...]:
        return await self.browser.find(text)

    def open_run(self, run: RunSummary) -> None:
        self.opened.append(run.key)

    def open_thread(self, key: ThreadKey) -> None:
        self.opened.append(key)

    def now(self) -> datetime:
        return NOW


class Office(App[None]):
    """An app with a palette over one database."""

    def __init__(self, desk: Screen[None]) -> None:
        super().__init__()
        self.desk = desk

    def get_default_screen(self) -> Screen[None]:
        return self.desk


def guest(path: Path) -> Guest:
    made = Guest(path / "runs.db")
    made.run("abc-1", "FAILED", thread_id="talk")
    made.run("abc-2", workspace_id="emea")
    made.run("[red]x[/red] \x1b]0;t\x07", None, graph_version_ref="[/b]g", thread_id="[@click=q]")
    made.thread("abc-thread", ["abc-1", "abc-2"], graph_version_ref="g@1")
    return made


@asynccontextmanager
async def working(path: Path) -> AsyncIterator[tuple[Desk, Pilot[None]]]:
    """Open the app on the guest's database."""
    async with AsyncExitStack() as stack:
        stack.enter_context(guest(path))
        browser = await stack.enter_async_context(SQLiteRunBrowser(path / "runs.db"))
        desk = Desk(browser)
        pilot = await stack.enter_async_context(Office(desk).run_test(size=(100, 30)))
        yield desk, pilot


async def hits(screen: Screen[None], query: str) -> list[Hit]:
    """Return what the provider finds, the best first as the palette sorts it."""
    found = [hit async for hit in RunsProvider(screen).search(query)]
    every = [hit for hit in found if isinstance(hit, Hit)]
    assert len(every) == len(found)
    return sorted(every, key=lambda hit: hit.score, reverse=True)


def words(hit: Hit) -> list[str]:
    """Return what a hit shows, line by line."""
    assert isinstance(hit.match_display, Content)
    return hit.match_display.plain.split("\n")


async def test_a_hit_says_which_run_it_is_and_where_it_belongs(tmp_path: Path) -> None:
    async with working(tmp_path) as (desk, _):
        first, second, thread = await hits(desk, "abc")
        # All three were made at the same time, so a run comes before a thread.
        assert words(first) == ["✖ abc-1  g@1  3m", "  FAILED run in thread talk of default"]
        assert words(second) == [
            "✔ abc-2  g@1  3m",
            "  COMPLETED run in thread t-1 of default/emea",
        ]
        assert words(thread) == ["≡ abc-thread  g@1  3m", "  thread of 2 runs in default"]
        assert [hit.text for hit in (first, second, thread)] == ["abc-1", "abc-2", "abc-thread"]


async def test_choosing_a_hit_opens_it(tmp_path: Path) -> None:
    async with working(tmp_path) as (desk, _):
        for hit in await hits(desk, "abc"):
            hit.command()
        assert desk.opened == [
            RunKey("default", NULL_SCOPE, "abc-1"),
            RunKey("default", "value:emea", "abc-2"),
            ThreadKey("default", NULL_SCOPE, "abc-thread"),
        ]
        assert [type(key) for key in desk.opened] == [RunKey, RunKey, ThreadKey]


async def test_stored_text_is_shown_and_never_obeyed(tmp_path: Path) -> None:
    async with working(tmp_path) as (desk, _):
        (hit,) = await hits(desk, "[red]")
        assert words(hit) == [
            "? [red]x[/red] ␛]0;t␇  [/b]g  3m",
            "  (null) run in thread [@click=q] of default",
        ]
        assert hit.text == "[red]x[/red] ␛]0;t␇"
        assert hit.help is None


async def test_commands_that_fit_stay_above_the_runs(tmp_path: Path) -> None:
    async with working(tmp_path) as (desk, _):
        scores = [hit.score for hit in await hits(desk, "a")]
        assert len(scores) == len(set(scores)) == 3
        assert all(0 < score < 1 for score in scores)
        weakest = RunsProvider(desk).matcher("a").match("xxax")
        assert weakest >= 1


async def test_a_database_that_cannot_be_read_gives_no_hits(tmp_path: Path) -> None:
    async with working(tmp_path) as (desk, _):
        await desk.browser.close()
        assert await hits(desk, "abc") == []


async def test_a_screen_that_finds_nothing_gives_no_hits(tmp_path: Path) -> None:
    bare = Screen[None]()
    async with Office(bare).run_test():
        assert await hits(bare, "abc") == []


async def test_the_palette_opens_what_is_typed_and_chosen(tmp_path: Path) -> None:
    async with working(tmp_path) as (desk, pilot):
        for typed, expected in (("[red]", "? [red]x[/red] ␛]0;t␇"), ("abc-2", "✔ abc-2  g@1")):
            await pilot.press("ctrl+p")
            palette = pilot.app.screen
            assert isinstance(palette, CommandPalette)
            await pilot.press(*typed)
            await pilot.app.workers.wait_for_complete()
            await pilot.pause()
            strips = palette._compositor.render_strips()
            shown = "\n".join(strip.text for strip in strips)
            assert "\x1b" not in shown
            assert expected in shown
            await pilot.press("enter")
            await pilot.pause()
        assert desk.opened == [
            RunKey("default", NULL_SCOPE, "[red]x[/red] \x1b]0;t\x07"),
            RunKey("default", "value:emea", "abc-2"),
        ]
