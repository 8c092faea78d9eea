"""The explorer in a browser of this machine: who may ask for it, and the server that answers."""

from __future__ import annotations

import asyncio
import os
import secrets
import shlex
import sys
from pathlib import Path
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler
from textual_serve.server import Server

from zeroth_tui.leaving import NoTerminal
from zeroth_tui.text import line

HOST: Final = "127.0.0.1"
"""The only address that is listened on: nothing outside this machine reaches it."""

_END_SECONDS: Final = 1.0
"""How long the sessions that are open may take to end."""


async def serve(path: Path, port: int) -> int:
    """Serve the explorer of a database, read-only, until this is cancelled. Raises NoTerminal."""
    server = LoopbackServer(path, port)
    runner = web.AppRunner(await server.make_app(), access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, HOST, port).start()
        except OSError as error:
            raise NoTerminal(
                f"port {port} cannot be served: {os.strerror(error.errno or 0)};"
                " --port names another"
            ) from error
        print(f"{line(str(path), 1000)}, read-only, for this machine alone (ctrl+c ends it):")
        print(server.address, flush=True)
        await asyncio.Event().wait()
    finally:
        await runner.cleanup()
    return 0


def served_command(path: Path) -> str:
    """Return the command, for a shell, whose screen a browser gets: nothing in it can write.

    It runs this very program (`-P`: not one in the folder it is started from), and a path is a path
    whatever is in its name.
    """
    command = [sys.executable, "-P", "-m", "zeroth_tui", "--read-only", "--", str(path.absolute())]
    return f"exec {shlex.join(command)}"


class Guard:
    """Tells the person who started the server from everybody else who can reach its port.

    Other users of the machine do not know the key. Other web pages know neither the key nor the
    cookie that it is exchanged for; they are also told by their Origin, and a name of theirs that
    leads to this machine (DNS rebinding) by the Host.
    """

    def __init__(self, port: int) -> None:
        self.host = f"{HOST}:{port}"
        """The only Host that is answered."""
        self.key = secrets.token_urlsafe(32)
        """What the address holds that was printed."""
        self._cookie = f"zeroth-tui-{port}"
        self._session = secrets.token_urlsafe(32)

    def refusal(self, request: web.Request) -> str:
        """Return why a request is not answered; empty when it is."""
        if request.host != self.host:
            return f"This server answers as {self.host} only.\n"
        if request.headers.get("Origin", f"http://{self.host}") != f"http://{self.host}":
            return "Another page asked for this.\n"
        if self._knows_key(request) or _same(request.cookies.get(self._cookie), self._session):
            return ""
        return "Open the address that zeroth-tui printed, with the key in it.\n"

    @web.middleware
    async def admit(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer, refuse, or take the key out of the address and into a cookie."""
        refusal = self.refusal(request)
        if refusal:
            return web.Response(status=403, text=refusal)
        if not self._knows_key(request):
            return await handler(request)
        entered = web.Response(status=303, headers={"Location": "/"})
        entered.set_cookie(self._cookie, self._session, httponly=True, samesite="Strict")
        return entered

    async def confine(self, _request: web.Request, response: web.StreamResponse) -> None:
        """Let the page load and reach nothing but this server, and let no other page frame it."""
        response.headers["Content-Security-Policy"] = (
            "default-src 'none'; script-src 'self' 'unsafe-inline';"
            " style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:;"
            f" connect-src 'self' ws://{self.host}; base-uri 'none'; form-action 'none';"
            " frame-ancestors 'none'"
        )
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"

    def _knows_key(self, request: web.Request) -> bool:
        return request.path == "/" and _same(request.query.get("key"), self.key)


def _same(given: str | None, secret: str) -> bool:
    """Compare in a time that says nothing about the secret."""
    return given is not None and secrets.compare_digest(
        given.encode("utf-8", "replace"), secret.encode()
    )


class LoopbackServer(Server):
    """Textual's server behind a guard; it ends its sessions when it ends."""

    def __init__(self, path: Path, port: int) -> None:
        super().__init__(served_command(path), HOST, port, title=line(path.name, 100))
        self._guard = Guard(port)
        self._sessions: set[asyncio.Future[web.WebSocketResponse]] = set()

    @property
    def address(self) -> str:
        """What to open in the browser."""
        return f"{self.public_url}/?key={self._guard.key}"

    async def make_app(self) -> web.Application:
        """Return the web application, guarded."""
        app = await self._make_app()
        app.middlewares.append(self._guard.admit)
        app.on_response_prepare.append(self._guard.confine)
        app.on_shutdown.append(self.end_sessions)
        return app

    async def on_startup(self, app: web.Application) -> None:
        """Say nothing: the address is printed once the port is open."""

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Run the explorer for one page."""
        session = asyncio.ensure_future(super().handle_websocket(request))
        self._sessions.add(session)
        try:
            return await session
        finally:
            self._sessions.discard(session)

    async def end_sessions(self, _app: web.Application) -> None:
        """End the explorers that run."""
        for session in self._sessions:
            session.cancel()
        if self._sessions:
            await asyncio.wait(self._sessions, timeout=_END_SECONDS)
