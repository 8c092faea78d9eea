"""A real browser without a window: what it shows, what it complains of, and a picture of it."""

from __future__ import annotations

import asyncio
import base64
import itertools
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
STEP_SECONDS = 60
BINARY = 2
"""The kind of websocket frame that holds bytes."""


class Page:
    """One tab, driven through the protocol of the browser's developer tools."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.complaints: list[str] = []
        """What the console and the security policy reported."""
        self.answered: set[str] = set()
        """Every host that something was received from."""
        self.drawn = ""
        """What the explorer sent to be drawn."""

    async def do(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Give an order and return its result; what is reported meanwhile is kept."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        async with asyncio.timeout(STEP_SECONDS):
            while True:
                told: dict[str, Any] = await self._socket.receive_json()
                if told.get("id") == number:
                    assert "error" not in told, told
                    result: dict[str, Any] = told["result"]
                    return result
                self._keep(told)

    def _keep(self, told: dict[str, Any]) -> None:
        if told["method"] == "Log.entryAdded":
            self.complaints.append(told["params"]["entry"]["text"])
        elif told["method"] == "Network.responseReceived":
            self.answered.add(urlsplit(told["params"]["response"]["url"]).netloc)
        elif told["method"] == "Network.webSocketFrameReceived":
            frame = told["params"]["response"]
            if frame["opcode"] == BINARY:
                self.drawn += base64.b64decode(frame["payloadData"]).decode("utf-8", "replace")

    async def evaluate(self, script: str) -> Any:
        """Return the value of a script in the page, awaited if it is a promise."""
        done = await self.do(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        return done["result"].get("value")

    async def until(self, script: str) -> None:
        """Wait until a script is true."""
        async for _ in ticks():
            if await self.evaluate(script):
                return

    async def until_drawn(self, text: str) -> None:
        """Wait until the explorer has drawn a text, and the page has painted it."""
        async for _ in ticks():
            await self.evaluate("true")  # what was reported comes with the answer
            if text in self.drawn:
                break
        await self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")

    async def click(self, x: int, y: int) -> None:
        """Click somewhere, which also gives the page the keyboard."""
        for kind in ("mousePressed", "mouseReleased"):
            await self.do(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1
            )

    async def press(self, key: str) -> None:
        """Press a letter."""
        for kind, text in (("keyDown", key), ("keyUp", "")):
            await self.do(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                text=text,
                windowsVirtualKeyCode=ord(key.upper()),
            )

    async def go(self, address: str) -> None:
        """Open an address as if it had been typed, and wait until it is loaded."""
        await self.do("Page.navigate", url=address, transitionType="typed")
        await self.until("document.readyState == 'complete'")

    async def picture(self) -> bytes:
        """Return a PNG of what is shown."""
        shot = await self.do("Page.captureScreenshot", format="png")
        return base64.b64decode(shot["data"])


async def ticks() -> AsyncIterator[None]:
    """Yield again and again until the caller is content; TimeoutError if it never is."""
    clock = asyncio.get_running_loop().time
    end = clock() + STEP_SECONDS
    while clock() < end:
        yield
        await asyncio.sleep(0.1)
    raise TimeoutError


def _port(profile: Path) -> str:
    """Return the port of the developer tools, which the browser writes down; empty until then."""
    told = profile / "DevToolsActivePort"
    return told.read_text().partition("\n")[0] if told.exists() else ""


@asynccontextmanager
async def browsing(profile: Path) -> AsyncIterator[Page]:
    """Start a browser with a profile of its own; skips the test where there is none."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("there is no Chromium or Chrome here")
    process = await asyncio.create_subprocess_exec(
        program,
        "--headless=new",
        "--no-sandbox",  # a container's root has no other way; only our own page is opened
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--remote-debugging-port=0",
        "--window-size=1200,800",
        f"--user-data-dir={profile}",
        "about:blank",
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        port = ""
        async for _ in ticks():
            if port := _port(profile):
                break
        async with aiohttp.ClientSession() as client:
            async with client.get(f"http://127.0.0.1:{port}/json/list") as answer:
                tabs = await answer.json()
            tab = next(tab for tab in tabs if tab["type"] == "page")
            async with client.ws_connect(tab["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                page = Page(socket)
                for domain in ("Page", "Runtime", "Log", "Network"):
                    await page.do(f"{domain}.enable")
                yield page
    finally:
        process.kill()
        await process.wait()
