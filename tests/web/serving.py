"""A real server on a free port, and plain requests to it with any headers."""

from __future__ import annotations

import http.client
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

WAIT_SECONDS = 60
"""How long a step may take on a busy machine."""


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


@dataclass
class Answer:
    """What the server said."""

    code: int
    headers: http.client.HTTPMessage
    text: str

    @property
    def cookie(self) -> str:
        """The cookie that it set, as it is sent back."""
        return (self.headers["Set-Cookie"] or "").partition(";")[0]


@dataclass
class Served:
    """A server that runs."""

    process: subprocess.Popen[str]
    port: int
    said: str
    address: str

    @property
    def host(self) -> str:
        """The Host of its address."""
        return f"127.0.0.1:{self.port}"

    @property
    def entrance(self) -> str:
        """The path of its address, with the key."""
        return self.address.removeprefix(f"http://{self.host}")

    def ask(self, path: str, headers: Mapping[str, str] | None = None) -> Answer:
        """Ask for a path with exactly these headers, following nothing."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_SECONDS)
        try:
            connection.request("GET", path, headers=dict(headers or {}))
            answer = connection.getresponse()
            body = b"" if answer.status == 101 else answer.read()
            return Answer(answer.status, answer.headers, body.decode())
        finally:
            connection.close()

    def children(self) -> list[int]:
        """Return the explorers that run for its pages (Linux)."""
        task = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(word) for word in task.read_text().split()]


@contextmanager
def serving(database: Path, home: Path) -> Iterator[Served]:
    """Start `zeroth-tui serve` as a process of its own; end it by ctrl+c if the test did not."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "zeroth_tui", "serve", database.name, "--port", str(port)],
        cwd=database.parent,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_CACHE_HOME": str(home / "cache"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        assert select.select([process.stdout], [], [], WAIT_SECONDS)[0], "nothing was printed"
        said = process.stdout.readline()
        yield Served(process, port, said, process.stdout.readline().strip())
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=WAIT_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
