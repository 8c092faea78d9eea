"""The side index: every list by position, in every order, as plain reading of the rows has it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, get_args

import pytest

from tests.store.guests import ERAS, Guest
from zeroth_store.browse import RunOrder, RunQuery
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.times import parse_time

By = Literal["created", "started", "updated", "duration", "status", "graph", "cost"]
ORDERS = [RunOrder(by, down) for by in get_args(By) for down in (True, False)]
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
ALL = RunQuery()
LIVE = ("PENDING", "RUNNING", "WAITING_APPROVAL", "WAITING_INTERRUPT")


def browse(path: Path, folder: Path | None = None) -> SQLiteRunBrowser:
    """A browser whose index never rests, with its files in a folder of the test's."""
    folder = folder or path.parent.parent / "cache"
    return SQLiteRunBrowser(path, index_folder=folder, index_rest=0, clock=lambda: NOW)


@contextmanager
def guest_in(folder: Path, era: str = "026") -> Iterator[Guest]:
    """A guest database in a folder of its own, in WAL mode as a worker has it."""
    inner = folder / "guest"
    inner.mkdir()
    with Guest(inner / "runs.db", era, wal=True) as guest:
        yield guest


def sorted_by_hand(path: Path, order: RunOrder) -> list[str]:
    """Return the run ids in an order, from the rows themselves and nothing of the index."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute(
            "SELECT rowid, run_id, status, started_at, updated_at, graph_version_ref, metadata"
            " FROM runs"
        ).fetchall()
    known: list[tuple[object, int, str]] = []
    unknown: list[tuple[int, str]] = []
    for number, run_id, status, started_at, updated_at, graph, metadata in rows:
        name = run_id if isinstance(run_id, str) else f"rowid:{number}"
        started, updated = parse_time(started_at).instant, parse_time(updated_at).instant
        end = NOW if status in LIVE else updated
        value: object
        match order.by:
            case "created":
                value = number
            case "started":
                value = started
            case "updated":
                value = updated
            case "duration":
                value = None if started is None or end is None else end - started
            case "status":
                value = None if status is None else as_text(status).encode()
            case "graph":
                value = None if graph is None else as_text(graph).encode()
            case "cost":
                stored = json.loads(metadata or "{}")
                parts = [stored.get("total_cost_usd"), stored.get("total_estimated_cost_usd")]
                costs = [part for part in parts if part is not None]
                value = sum(costs) if costs else None
        if value is None:
            unknown.append((number, name))
        else:
            known.append((value, number, name))
    known.sort(key=lambda each: each[:2], reverse=order.descending)
    unknown.sort(reverse=order.descending)
    return [name for *_, name in known] + [name for *_, name in unknown]


def as_text(cell: object) -> str:
    return f"<blob {len(cell)} bytes>" if isinstance(cell, bytes) else str(cell)


async def paged(browser: SQLiteRunBrowser, order: RunOrder, size: int = 3) -> list[str]:
    """Return the run ids of all windows, one after the other."""
    found: list[str] = []
    while True:
        window = await browser.window(ALL, order, len(found), size)
        assert (window.start, window.exact, window.order) == (len(found), True, order)
        found += [row.key.run_id for row in window.rows]
        if len(found) >= window.total or not window.rows:
            assert len(found) == window.total
            return found


def fill_oddly(guest: Guest) -> None:
    """Add runs whose times, statuses, graphs, costs and ids are all there is."""
    day = "2026-03-01T"
    guest.run("plain", metadata={"total_cost_usd": 0.5})
    guest.run("twin", metadata={"total_cost_usd": 0.5})
    guest.run("offset", started_at=f"{day}12:00:00+02:00", updated_at=f"{day}10:00:01Z")
    guest.run("naive", started_at=f"{day}09:59:59.5", updated_at="1772359200")
    guest.run("year one", started_at="0001-01-01T00:00:00+00:00")
    guest.run("too early", started_at="0001-01-01T00:00:00+14:00")
    guest.run("words", started_at="yesterday", updated_at="today")
    guest.run("null times", started_at=None, updated_at=None)
    guest.run("backwards", started_at=f"{day}11:00:00+00:00", updated_at=f"{day}10:00:00+00:00")
    guest.run("live", "RUNNING", started_at="2026-03-02T11:59:58+00:00")
    guest.run("live long", "PENDING", started_at="2026-02-01T00:00:00+00:00")
    guest.run("null status", None, graph_version_ref=None)
    guest.run("empty status", "", graph_version_ref="")
    guest.run("nul", "RUN\0NING", graph_version_ref="g\0@2")
    guest.run("unicode", "ÜBER", graph_version_ref="😀@1")
    guest.run("small letters", "running", metadata={"total_cost_usd": -1})
    guest.run("blob status", b"\x00\xff", graph_version_ref=b"\xfe")
    guest.run(b"\x01\x02", "FAILED", metadata={"total_cost_usd": 2})
    guest.run("", "FAILED", metadata={"total_cost_usd": 10**12})


@pytest.mark.parametrize("era", ERAS)
async def test_windows_show_every_run_once_in_every_order(tmp_path: Path, era: str) -> None:
    with guest_in(tmp_path, era) as guest:
        fill_oddly(guest)
        async with browse(guest.path) as browser:
            await browser.keep_index()
            for order in ORDERS:
                assert await paged(browser, order) == sorted_by_hand(guest.path, order), order


async def test_any_window_is_the_same_stretch_of_the_list(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        fill_oddly(guest)
        async with browse(guest.path) as browser:
            await browser.keep_index()
            for order in ORDERS:
                every = sorted_by_hand(guest.path, order)
                for start in range(len(every) + 1):
                    window = await browser.window(ALL, order, start, 4)
                    ids = [row.key.run_id for row in window.rows]
                    assert (ids, window.total) == (every[start : start + 4], len(every)), order


async def test_a_run_is_at_the_position_where_its_window_shows_it(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        fill_oddly(guest)
        async with browse(guest.path) as browser:
            await browser.keep_index()
            for query in (ALL, RunQuery(statuses=("COMPLETED", "FAILED"))):
                for order in ORDERS:
                    rows = (await browser.window(query, order, 0, 100)).rows
                    places = [await browser.position(query, order, row.key) for row in rows]
                    assert places == list(range(len(rows))), order
            gone = rows[0].key._replace(run_id="never stored")
            assert await browser.position(ALL, RunOrder(), gone) is None
            live = (await browser.window(RunQuery(statuses=("RUNNING",)), RunOrder(), 0, 1)).rows
            assert await browser.position(query, RunOrder(), live[0].key) is None


async def test_the_duration_of_a_live_run_grows_with_the_clock(tmp_path: Path) -> None:
    now = NOW
    with guest_in(tmp_path) as guest:
        guest.run("nine seconds")
        guest.run("live", "RUNNING", started_at="2026-03-02T11:59:55+00:00")
        async with SQLiteRunBrowser(guest.path, index_rest=0, clock=lambda: now) as browser:
            await browser.keep_index()
            longest = RunOrder("duration")
            first = await browser.window(ALL, longest, 0, 1)
            now += timedelta(seconds=5)
            later = await browser.window(ALL, longest, 0, 1)
    assert [first.rows[0].key.run_id, later.rows[0].key.run_id] == ["nine seconds", "live"]
