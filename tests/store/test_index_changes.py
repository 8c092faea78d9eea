"""The side index while a writer works: it follows every change, and pages stay whole."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shares import share
from tests.store.guests import Guest
from tests.store.test_index import ALL, LIVE, ORDERS, browse, guest_in, paged, sorted_by_hand
from zeroth_store.browse import RunOrder, RunQuery
from zeroth_store.sqlite.index import source as index_source
from zeroth_store.sqlite.tables import FIRST, SchemaConnection

STATUSES = (*LIVE, "COMPLETED", "FAILED", "ZOMBIE", None)
LIVE_OR_FAILED = RunQuery(statuses=(*LIVE, "FAILED"))
TIMES = st.integers(0, 5).map(lambda s: f"2026-03-01T10:00:0{s}+00:00") | st.sampled_from(
    [None, "", "never", "2026-03-01T12:00:03+02:00"]
)


class Change(NamedTuple):
    """Something that a writer does to one of the runs there are, or a new one."""

    kind: Literal["add", "change", "delete", "renumber"]
    which: int
    status: str | None
    started_at: str | None


CHANGES = st.builds(
    Change,
    st.sampled_from(("add", "change", "delete", "renumber")),
    st.integers(0, 30),
    st.sampled_from(STATUSES),
    TIMES,
)


class Writer:
    """Changes runs as Zeroth does: each write leaves another `updated_at`."""

    def __init__(self, guest: Guest) -> None:
        self._guest = guest
        self._writes = 0

    def add(self, run_id: str, change: Change) -> None:
        self._guest.run(
            run_id,
            change.status,
            started_at=change.started_at,
            updated_at=self._now(),
            metadata={"total_cost_usd": change.which % 3} if change.which % 2 else {},
            graph_version_ref=f"g@{change.which % 4}",
        )

    def make(self, change: Change, among: str) -> None:
        """Make a change to one of the runs whose ids match a pattern."""
        rows = self._guest.sql("SELECT rowid FROM runs WHERE run_id GLOB ? ORDER BY 1", among)
        if change.kind == "add" or not rows:
            self.add(f"new-{self._writes}", change)
            return
        number = rows[change.which % len(rows)][0]
        match change.kind:
            case "change":
                self._guest.sql(
                    "UPDATE runs SET status = ?, started_at = ?, updated_at = ? WHERE rowid = ?",
                    change.status,
                    change.started_at,
                    self._now(),
                    number,
                )
            case "delete":
                self._guest.sql("DELETE FROM runs WHERE rowid = ?", number)
            case _:
                lowest = self._guest.sql("SELECT min(rowid) FROM runs")[0][0]
                self._guest.sql("UPDATE runs SET rowid = ? WHERE rowid = ?", lowest - 1, number)

    def _now(self) -> str:
        self._writes += 1
        return f"2026-03-01T11:00:00.{self._writes:06d}+00:00"


@share(2)
@given(
    st.lists(st.lists(CHANGES, min_size=1, max_size=8), min_size=1, max_size=4),
    st.sampled_from(ORDERS),
)
def test_after_any_changes_the_list_is_that_of_the_rows(
    rounds: list[list[Change]], order: RunOrder
) -> None:
    async def follow(guest: Guest) -> None:
        writer = Writer(guest)
        async with browse(guest.path) as browser:
            await browser.keep_index()
            for changes in rounds:
                for change in changes:
                    writer.make(change, "*")
                await browser.keep_index()
                assert await paged(browser, order) == sorted_by_hand(guest.path, order)
                shown = (await browser.window(ALL, order, 0, 999)).rows
                for place in range(0, len(shown), 3):
                    assert await browser.position(ALL, order, shown[place].key) == place
                rows = guest.sql("SELECT status, count(*) FROM runs GROUP BY 1")
                assert dict(await browser.counts()) == dict(rows)

    with tempfile.TemporaryDirectory() as folder, guest_in(Path(folder)) as guest:
        asyncio.run(follow(guest))


@pytest.mark.thorough
@share(2)
@given(st.lists(CHANGES, max_size=6), st.sampled_from(ORDERS), st.integers(1, 4))
def test_paging_shows_each_steady_run_once_while_others_come_go_and_move(
    changes: list[Change], order: RunOrder, size: int
) -> None:
    """As a screen pages: on from the last steady run it has shown, wherever that is by then."""

    async def page(guest: Guest) -> list[str]:
        writer, left, seen = Writer(guest), list(changes), list[str]()
        for number in range(8):
            started_at = f"2026-03-01T10:00:0{number % 5}+00:00"
            writer.add(f"steady-{number}", Change("add", number, STATUSES[number], started_at))
            writer.add(f"new-{-number}", Change("add", number, "RUNNING", started_at))
        async with browse(guest.path) as browser:
            await browser.keep_index()
            start = 0
            while (window := await browser.window(ALL, order, start, size)).rows:
                steady = [row.key for row in window.rows if row.key.run_id.startswith("steady")]
                seen += [key.run_id for key in steady]
                start += len(window.rows)
                if left and steady:
                    # Runs behind the last steady one are shown again, wherever they are now.
                    writer.make(left.pop(), "new-*")
                    await browser.keep_index()
                    place = await browser.position(ALL, order, steady[-1])
                    assert place is not None
                    start = place + 1
        return seen

    with tempfile.TemporaryDirectory() as folder, guest_in(Path(folder)) as guest:
        seen = asyncio.run(page(guest))
        by_hand = sorted_by_hand(guest.path, order)
    assert seen == [run_id for run_id in by_hand if run_id.startswith("steady")]


@pytest.mark.thorough
@share(2)
@given(st.lists(CHANGES, max_size=8), st.integers(1, 4), st.sampled_from([ALL, LIVE_OR_FAILED]))
def test_pages_hold_each_steady_run_once_while_others_come_and_go(
    changes: list[Change], size: int, query: RunQuery
) -> None:
    async def page(guest: Guest) -> list[str]:
        writer, left, seen = Writer(guest), list(changes), list[str]()
        for number in range(8):
            writer.add(f"steady-{number}", Change("add", number, STATUSES[number], None))
            writer.add(f"new-{-number}", Change("add", number, "RUNNING", None))
        async with browse(guest.path) as browser:
            page = await browser.runs(query, limit=size)
            while True:
                seen += [row.key.run_id for row in page.rows]
                if page.more is None:
                    return seen
                if left:
                    writer.make(left.pop(), "new-*")
                page = await browser.runs(query, after=page.more, limit=size)

    with tempfile.TemporaryDirectory() as folder, guest_in(Path(folder)) as guest:
        seen = [run_id for run_id in asyncio.run(page(guest)) if run_id.startswith("steady")]
    wanted = {
        number for number in range(8) if not query.statuses or STATUSES[number] in query.statuses
    }
    assert seen == [f"steady-{number}" for number in sorted(wanted, reverse=True)]


async def test_a_read_that_takes_too_long_is_cut_and_nothing_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_source, "READ_SECONDS", -1)
    order = RunOrder("updated")
    with guest_in(tmp_path) as guest:
        writer = Writer(guest)
        for number in range(100):
            writer.add(f"r{number}", Change("add", number, "RUNNING", None))
        with closing(sqlite3.connect(guest.path, factory=SchemaConnection)) as connection:
            stretch = index_source.read_stretch(connection, FIRST)
            stamps = index_source.read_stamps(connection, 41)
        assert 1 <= len(stretch.rows) < 50
        assert stretch.upto == stretch.rows[-1][0] == len(stretch.rows)
        assert 1 <= len(stamps.seen) < 50
        assert [number for number, _ in stamps.seen] == list(range(41, stamps.upto + 1))
        async with browse(guest.path) as browser:
            await browser.keep_index()
            assert await paged(browser, order, 50) == sorted_by_hand(guest.path, order)
            guest.sql("DELETE FROM runs WHERE rowid % 3 = 0")
            guest.sql("UPDATE runs SET status = 'FAILED', updated_at = '2026' WHERE rowid % 2 = 0")
            await browser.keep_index()
            assert await paged(browser, order, 50) == sorted_by_hand(guest.path, order)


async def test_a_busy_writer_does_not_keep_the_index_from_following(tmp_path: Path) -> None:
    """As the screen does it: what runs is given up whenever there is news."""
    with guest_in(tmp_path) as guest:
        writer = Writer(guest)
        for number in range(60):
            writer.add(f"r{number}", Change("add", number, "COMPLETED", None))
        async with browse(guest.path) as browser:
            await browser.keep_index()
            for number in range(5):
                writer.add(f"late-{number}", Change("add", number, "RUNNING", None))
                writer.make(Change("change", number, "FAILED", None), "r*")
                writer.make(Change("delete", number, None, None), "r*")
                keeping = asyncio.create_task(browser.keep_index())
                await asyncio.wait((keeping,), timeout=0.002 * number)
                keeping.cancel()
                await asyncio.wait((keeping,))
            await browser.keep_index()
            for order in ORDERS:
                assert await paged(browser, order, 50) == sorted_by_hand(guest.path, order)
