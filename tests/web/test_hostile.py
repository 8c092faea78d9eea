"""A page shows a database full of hostile text, and goes on answering keys."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

import aiohttp
import pyte
import pytest

from tests.pty.databases import small
from tests.pty.escapes import foreign
from tests.pty.poison import FAMILIES, SEEN, poison
from tests.pty.tour import TABS
from tests.web.serving import WAIT_SECONDS, serving

pytestmark = pytest.mark.thorough

WIDTH, HEIGHT = 160, 45
WORST: Final = "".join(FAMILIES[name] for name in ("surrogates", "C1", "NUL", "clipboard", "bidi"))


class Page:
    """What a browser has drawn of the explorer that runs for it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.output = b""
        self._socket = socket
        self._screen = pyte.Screen(WIDTH, HEIGHT)
        self._stream = pyte.ByteStream(self._screen)

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    async def press(self, keys: str) -> None:
        await self._socket.send_json(["stdin", keys])

    async def until(self, true: Callable[[], bool]) -> None:
        """Take frames until something is true: fails where the explorer is gone or says no more."""
        while not true():
            try:
                message = await self._socket.receive(timeout=WAIT_SECONDS)
            except TimeoutError:
                raise AssertionError(f"no frame came. The screen holds:\n{self.text}") from None
            assert message.type in {aiohttp.WSMsgType.BINARY, aiohttp.WSMsgType.TEXT}, message
            if isinstance(message.data, bytes):
                self.output += message.data
                self._stream.feed(message.data)


async def test_a_page_of_hostile_text_lives_and_answers(tmp_path: Path) -> None:
    database = await asyncio.to_thread(small, tmp_path / "folder")
    await asyncio.to_thread(poison, database, WORST)
    with serving(database, tmp_path / "home") as served:
        own = {"Cookie": served.ask(served.entrance).cookie, "Origin": f"http://{served.host}"}
        async with (
            aiohttp.ClientSession(headers=own) as client,
            client.ws_connect(f"ws://{served.host}/ws?width={WIDTH}&height={HEIGHT}") as socket,
        ):
            page = Page(socket)
            await page.until(lambda: "8 runs" in page.text)
            [explorer] = served.children()
            await page.press("ttg")  # a run that failed, on top of its list
            await page.until(lambda: "ailures" in page.text)
            for key, name in TABS.items():
                await page.press(key)
                await page.until(lambda name=name: f"[{name}]" in page.text)  # type: ignore[misc]
                await page.press("G")
                assert SEEN in page.text
            await page.press("/zz")
            await page.until(lambda: "zz" in page.text)
            assert served.children() == [explorer]
            assert foreign(page.output) == []
