"""`zeroth-tui serve`: who gets an answer, who is refused, and how it starts and ends."""

from __future__ import annotations

import asyncio
import errno
import os
import shlex
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.guests import Guest
from tests.web.devtools import ticks
from tests.web.serving import Served, free_port, serving
from zeroth_tui.cli import main
from zeroth_tui.commands.serve import parser
from zeroth_tui.serving import served_command

NAME = 'it\'s $(touch here) "run" `id`.db'
"""A name that a shell would act on."""
SOCKET = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==",
}
"""What a browser sends to open a websocket."""

linux = pytest.mark.skipif(
    not Path("/proc/net/tcp").exists(), reason="ports and children are listed by Linux alone"
)


def guest(path: Path) -> Path:
    """Make a database of one run."""
    path.parent.mkdir(exist_ok=True)
    with Guest(path) as made:
        made.run("run-1", "PENDING")
    return path


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that all the requests of this module go to."""
    folder = tmp_path_factory.mktemp("served")
    with serving(guest(folder / NAME), folder / "home") as started:
        yield started
        ended_by_ctrl_c(started)


def ended_by_ctrl_c(started: Served) -> None:
    """Press ctrl+c: the server ends, and has nothing to say."""
    started.process.send_signal(signal.SIGINT)
    assert started.process.communicate(timeout=60) == ("", "")
    assert started.process.returncode == 130


@pytest.fixture(scope="module")
def cookie(served: Served) -> dict[str, str]:
    """What a browser sends that has opened the printed address."""
    return {"Cookie": served.ask(served.entrance).cookie}


def test_the_printed_address_opens_the_page_and_the_key_does_not_stay_in_it(
    served: Served,
) -> None:
    entered = served.ask(served.entrance)
    assert (entered.code, entered.headers["Location"]) == (303, "/")
    flags = entered.headers["Set-Cookie"].split("; ")[1:]
    assert {"HttpOnly", "SameSite=Strict"} <= set(flags)
    page = served.ask("/", {"Cookie": entered.cookie})
    assert page.code == 200
    key = served.entrance.partition("key=")[2]
    assert len(key) >= 32
    assert key not in page.text + entered.cookie
    assert "$(touch here)" in page.text


def test_a_page_of_its_own_is_answered(served: Served, cookie: dict[str, str]) -> None:
    own = cookie | {"Origin": f"http://{served.host}"}
    assert served.ask("/static/js/textual.js", own).code == 200


@pytest.mark.parametrize("path", ["/", "/ws", "/static/js/textual.js", "/download/1", "/none"])
@pytest.mark.parametrize(
    "foreign",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:{port}"},  # a name of theirs that now leads here
        {"Host": "localhost:{port}"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:{port}.evil.example"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "http://127.0.0.1:{port}0"},
        {"Origin": "null"},
        {"Origin": ""},
    ],
    ids=str,
)
def test_another_host_or_origin_is_refused_even_with_the_cookie(
    served: Served, cookie: dict[str, str], foreign: dict[str, str], path: str
) -> None:
    headers = {name: value.format(port=served.port) for name, value in foreign.items()}
    upgrade = SOCKET if path == "/ws" else {}
    assert served.ask(path, cookie | upgrade | headers).code == 403


@pytest.mark.parametrize("path", ["/", "/?key=", "/?key=x", "/ws", "/static/js/textual.js"])
@pytest.mark.parametrize("sent", ["", "zeroth-tui-{port}=", "zeroth-tui-{port}=x", "a=\x80"])
def test_without_the_key_or_its_cookie_nothing_is_told(
    served: Served, path: str, sent: str
) -> None:
    headers = {"Cookie": sent.format(port=served.port)} if sent else {}
    refused = served.ask(path, headers | (SOCKET if path == "/ws" else {}))
    assert refused.code == 403
    assert ".db" not in refused.text


def test_the_key_opens_nothing_but_the_page(served: Served) -> None:
    query = served.entrance.partition("?")[2]
    assert served.ask(f"/ws?{query}", SOCKET).code == 403


def test_every_answer_keeps_the_page_to_this_server(served: Served, cookie: dict[str, str]) -> None:
    for answer in (served.ask("/"), served.ask("/", cookie)):
        rules = answer.headers["Content-Security-Policy"].split("; ")
        assert {"default-src 'none'", "frame-ancestors 'none'"} <= set(rules)
        assert not [rule for rule in rules if "https:" in rule or "*" in rule]
        assert answer.headers["Referrer-Policy"] == "no-referrer"


@linux
@pytest.mark.thorough
async def test_a_page_has_an_explorer_until_it_is_closed(
    served: Served, cookie: dict[str, str]
) -> None:
    own = cookie | {"Origin": f"http://{served.host}"}
    async with (
        aiohttp.ClientSession(headers=own) as client,
        client.ws_connect(f"ws://{served.host}/ws?width=80&height=24") as page,
    ):
        drawn = b""
        while b"READ-ONLY" not in drawn:
            drawn += await page.receive_bytes(timeout=60)
        assert len(served.children()) == 1
    async for _ in ticks():
        if not served.children():
            return


@linux
def test_it_listens_on_the_loopback_address_alone(served: Served) -> None:
    rows = Path("/proc/net/tcp").read_text().splitlines()
    rows += Path("/proc/net/tcp6").read_text().splitlines()
    columns = [row.split() for row in rows]
    port = f":{served.port:04X}"
    listening = [row[1] for row in columns if row[1].endswith(port) and row[3] == "0A"]
    assert listening == [f"0100007F{port}"]


@linux
@pytest.mark.thorough
async def test_ctrl_c_ends_it_and_the_explorers_that_run(tmp_path: Path) -> None:
    """Only the server gets the signal, not the explorer, as a terminal would send it to both."""
    with serving(guest(tmp_path / "runs.db"), tmp_path / "home") as started:
        assert started.said.startswith("runs.db, read-only")
        own = {"Cookie": started.ask(started.entrance).cookie, "Origin": f"http://{started.host}"}
        async with (
            aiohttp.ClientSession(headers=own) as client,
            client.ws_connect(f"ws://{started.host}/ws") as page,
        ):
            await page.receive(timeout=60)
            [explorer] = started.children()
            await asyncio.to_thread(ended_by_ctrl_c, started)
    async for _ in ticks():
        if not runs(explorer):
            return


def runs(process: int) -> bool:
    """Whether a process is there and has not ended."""
    told = Path(f"/proc/{process}/stat")
    return told.exists() and ") Z " not in told.read_text()


def test_what_cannot_be_served_is_refused_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = guest(tmp_path / "runs.db")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        assert main(["serve", str(database), "--port", port]) == 2
    assert main(["serve", str(tmp_path / "none.db")]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    first, second = told.err.splitlines()
    why = os.strerror(errno.EADDRINUSE)
    assert first == f"zeroth-tui: port {port} cannot be served: {why}; --port names another"
    assert "none.db does not exist" in second


@pytest.mark.parametrize("port", ["80", "0", "65536", "-1", "x"])
def test_a_port_is_one_that_a_person_may_open(
    port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(["runs.db", f"--port={port}"])
    assert "no whole number from 1,024 to 65,535" in capsys.readouterr().err


def test_without_the_extra_it_says_what_to_install(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['textual_serve'] = None; from zeroth_tui.cli import main;"
        "sys.exit(main(['serve', sys.argv[1]]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, guest(tmp_path / "runs.db")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.endswith("pip install 'zeroth-tui[web]'\n")


@given(st.text(st.characters(exclude_characters="\0/", codec="utf-8"), min_size=1, max_size=40))
def test_whatever_a_file_is_called_the_served_command_can_only_read_it(name: str) -> None:
    words = shlex.split(served_command(Path("/folder") / name))
    assert words[:2] == ["exec", sys.executable]
    assert words[2:] == ["-P", "-m", "zeroth_tui", "--read-only", "--", str(Path("/folder") / name)]


def test_free_ports_are_free() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", free_port()))
