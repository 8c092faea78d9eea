"""The explorer in a real browser: it is drawn, it takes keys, and it reaches nothing else."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.pty.databases import small
from tests.web.devtools import browsing, ticks
from tests.web.serving import serving

pytestmark = pytest.mark.thorough

PNG = b"\x89PNG\r\n\x1a\n"


def rows(path: Path) -> list[tuple[object, ...]]:
    """Return all rows of the runs, by plain SQL."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT * FROM runs ORDER BY run_id").fetchall()


async def test_a_browser_shows_the_explorer_read_only(tmp_path: Path) -> None:
    """An own database, which the explorer would write where it may."""
    database = await asyncio.to_thread(small, tmp_path / "folder")
    before = rows(database)
    with serving(database, tmp_path / "home") as served:
        async with browsing(tmp_path / "profile") as page:
            await page.go(served.address)
            await page.until("document.body.classList.contains('-first-byte')")
            await page.until_drawn("READ-ONLY")
            assert await page.evaluate("location.href") == f"http://{served.host}/"
            await page.click(300, 300)
            for key in "xyt":  # acting, yes; neither is there. Then the next mode.
                await page.press(key)
            await page.until_drawn("newest first")
            picture = await page.picture()
            assert picture.startswith(PNG)
            await asyncio.to_thread((tmp_path / "served.png").write_bytes, picture)
            assert len(served.children()) == 1
            blocked = [told for told in page.complaints if "Content Security Policy" in told]
            assert ["fonts.googleapis.com" in told for told in blocked] == [True]
            assert page.answered == {served.host}
        await gone(served.children)
    assert served.process.returncode == 130
    assert rows(database) == before


async def test_another_page_in_the_same_browser_reaches_nothing(tmp_path: Path) -> None:
    """The browser has the cookie, and the page that asks knows the address."""
    database = await asyncio.to_thread(small, tmp_path / "folder")
    with serving(database, tmp_path / "home") as served:
        asked = (
            "new Promise(done => {"
            f" const socket = new WebSocket('ws://{served.host}/ws');"
            " socket.onopen = () => { socket.close(); done('opened'); };"
            " socket.onerror = () => done('refused'); })"
        )
        async with browsing(tmp_path / "profile") as page:
            await page.go(served.address)
            assert await page.evaluate(asked) == "opened"
            await page.go("data:text/html,<p>another page")
            assert await page.evaluate(asked) == "refused"


async def gone(children: Callable[[], list[int]]) -> None:
    """Wait until no explorer is left."""
    async for _ in ticks():
        if not children():
            return
