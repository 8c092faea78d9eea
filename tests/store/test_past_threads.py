"""Threads as of a moment: the runs they list, by whatever names, and only those of their scope."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.store.guests import Guest
from zeroth_store.browse import NULL_SCOPE, RunBrowser, ThreadKey, ThreadSummary
from zeroth_store.overview import OverviewQuery
from zeroth_store.past.browsing import PastUnknown
from zeroth_store.sqlite.browser import SQLiteRunBrowser

LATER = "2026-03-01T10:00:30+00:00"
BETWEEN = datetime(2026, 3, 1, 10, 0, 10, tzinfo=UTC)
"""When runs and threads of `Guest` are there, and what is dated LATER is not."""


@asynccontextmanager
async def past_of(guest: Guest, at: datetime = BETWEEN) -> AsyncIterator[RunBrowser]:
    async with SQLiteRunBrowser(guest.path) as live:
        yield (await live.past().at(at)).browser


async def thread_of(past: RunBrowser, key: ThreadKey) -> ThreadSummary:
    [found] = [row for row in (await past.thread_window(0, 100)).rows if row.key == key]
    return found


def key_of(thread_id: str, scope: str = NULL_SCOPE) -> ThreadKey:
    return ThreadKey("default", scope, thread_id)


async def test_a_thread_has_the_runs_of_then_whether_they_name_it_or_not(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("named", thread_id="t")
        guest.run("only listed", thread_id="elsewhere")
        guest.run("of later", thread_id="t", started_at=LATER, updated_at=LATER)
        guest.thread("t", ["only listed", "named", "of later", "gone"], updated_at=LATER)
        async with past_of(guest) as past:
            found = await thread_of(past, key_of("t"))
            assert (found.run_ids, found.run_count) == (("only listed", "named"), 2)
            assert found in await past.find("t")


async def test_a_run_of_another_scope_is_none_of_the_threads(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("twice", thread_id="t", started_at=LATER, updated_at=LATER)
        guest.run("twice", thread_id="t", workspace_id="w")
        guest.thread("t", ["twice"], updated_at=LATER)
        guest.thread("t", ["twice"], updated_at=LATER, workspace_id="w")
        async with past_of(guest) as past:
            assert (await thread_of(past, key_of("t"))).run_ids == ()
            assert (await thread_of(past, key_of("t", "value:w"))).run_ids == ("twice",)


async def test_a_thread_whose_id_is_no_utf_8_is_read_as_any_other(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("r")
        guest.thread("x", ["r"], updated_at=LATER)
        guest.sql("UPDATE threads SET thread_id = CAST(X'74ff' AS TEXT)")
        async with past_of(guest) as past:
            found = await thread_of(past, key_of("t\udcff"))
            assert found.run_ids == ("r",)
            assert await past.thread_position(found.key) == 0


async def test_a_thread_about_to_be_made_is_there_once_a_run_that_it_lists_is(
    tmp_path: Path,
) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        soon = "2026-03-01T10:00:11+00:00"
        guest.run("first", thread_id="begun")
        guest.thread("begun", ["first"], created_at=soon, updated_at=soon)
        guest.run("second", thread_id="awaited", started_at=LATER)
        guest.thread("awaited", ["second"], created_at=soon, updated_at=soon)
        async with past_of(guest) as past:
            rows = (await past.thread_window(0, 9)).rows
            assert [row.key.thread_id for row in rows] == ["begun"]
            assert await past.thread_position(key_of("begun")) == 0
            assert await past.thread_position(key_of("awaited")) is None


async def test_runs_are_counted_where_the_list_is_too_long_to_be_shown(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("one", thread_id="t")
        guest.run("other", thread_id="t")
        gone = [f"{number:036}" for number in range(30_000)]  # more than 1 MiB
        guest.thread("t", ["one", *gone, "other"], updated_at=LATER)
        async with past_of(guest) as past:
            found = await thread_of(past, key_of("t"))
            assert (found.run_ids, found.run_count) == ((), 2)


async def test_the_overview_of_a_past_moment_is_refused(tmp_path: Path) -> None:
    with Guest(tmp_path / "guest.db") as guest:
        guest.run("r")
        async with past_of(guest) as past:
            with pytest.raises(PastUnknown, match="overview"):
                await past.overview(OverviewQuery())
