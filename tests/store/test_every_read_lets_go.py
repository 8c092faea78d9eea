"""Every method that reads holds nothing after its answer, and a new one fails until it is here."""

from __future__ import annotations

import inspect
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

import pytest

from tests.store import test_reads_let_go as reads
from tests.store.guests import Guest
from tests.store.test_graphs import DEPLOYMENTS, deploy
from tests.store.test_index import browse
from tests.store.test_reads_let_go import KEY, THREAD, write_alone
from zeroth_store.browse import RunOrder, RunQuery
from zeroth_store.changes import Mark
from zeroth_store.filters import Filter, parse
from zeroth_store.overview import OverviewQuery
from zeroth_store.past.browsing import Past, PastUnknown
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.past.browser import PastRunBrowser
from zeroth_store.sqlite.past.feed import SQLitePast

T = TypeVar("T")
Calls = Mapping[str, Callable[[T], Awaitable[object]]]
"""Questions by the name of the method that each is put to."""

NOON: Final = datetime(2026, 3, 1, 12, tzinfo=UTC)
"""Two hours after all runs."""
ALL: Final = RunQuery()


def a_filter(text: str) -> RunQuery:
    found = parse(text, now=NOON)
    assert isinstance(found, Filter)
    return RunQuery(filter=found)


COMPLETED: Final = a_filter("status:completed")
READS: Final[Calls[SQLiteRunBrowser]] = {
    "open": lambda browser: browser.open(),
    "identity": lambda browser: browser.identity(),
    "version": lambda browser: browser.version(),
    "info": lambda browser: browser.info(),
    "counts": lambda browser: browser.counts(),
    "threads": lambda browser: browser.threads(limit=1),
    "thread_window": lambda browser: browser.thread_window(0, 1),
    "thread_position": lambda browser: browser.thread_position(THREAD),
    "thread_runs": lambda browser: browser.thread_runs(THREAD, limit=2),
    "roll_up": lambda browser: browser.roll_up((THREAD,)),
    "loose_runs": lambda browser: browser.loose_runs(limit=1),
    "runs": lambda browser: browser.runs(a_filter("status:completed graph:g"), limit=2),
    "window": lambda browser: browser.window(COMPLETED, RunOrder("status"), 0, 3),
    "position": lambda browser: browser.position(ALL, RunOrder(), KEY),
    "search": lambda browser: browser.search(RunQuery(text="r1")),
    "find": lambda browser: browser.find("r1", limit=3),
    "values": lambda browser: browser.values("graph", "g", limit=3),
    "summaries": lambda browser: browser.summaries((KEY,)),
    "mark": lambda browser: browser.mark(),
    "changed_since": lambda browser: browser.changed_since(Mark(0, {1: 0, 2: 0})),
    "overview": lambda browser: browser.overview(OverviewQuery(None)),
    "run": lambda browser: browser.run(KEY),
    "graph": lambda browser: browser.graph(KEY),
    "related": lambda browser: browser.related(KEY),
    "children": lambda browser: browser.children(KEY),
    "checkpoints": lambda browser: browser.checkpoints(KEY),
    "checkpoint": lambda browser: browser.checkpoint(KEY, "c1"),
    "checkpoint_state": lambda browser: browser.checkpoint_state(KEY, "c1"),
    "checkpoint_facts": lambda browser: browser.checkpoint_facts(KEY, ("c1", "c2")),
    "run_as_of": lambda browser: browser.run_as_of(KEY, "c1"),
    "keep_index": lambda browser: browser.keep_index(),
}

PAST_READS: Final[Calls[Past]] = {
    "at": lambda past: past.at(NOON),
    "events": lambda past: past.events(KEY),
    "neighbour": lambda past: past.neighbour(NOON, forward=False),
}

READS_NOTHING: Final = {
    "close": "ends what the others read with; tried below",
    "past": "only makes a SQLitePast, whose methods are in PAST_READS",
    "index_progress": "tells how far the side index is, from memory",
    "stirred": "listens to the file system",
    "file_system_warning": "looks at the system's list of file systems",
}
"""Why each other method does not touch the database."""

WITHOUT_ANSWER: Final = ("open", "keep_index")

writer = reads.writer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with a rollback journal and something to find for every question."""
    with Guest(tmp_path / "guest.db") as guest:
        guest.sql("BEGIN")
        for number in range(300):
            guest.run(f"r{number}")
        guest.run("child", thread_id="t-2", metadata={"parent_run_id": "r1"})
        guest.thread("t-1", [f"r{number}" for number in range(300)], checkpoint_refs=["c1", "c2"])
        for checkpoint in ("c1", "c2"):
            guest.checkpoint(checkpoint, "r1", {"run_id": "r1", "status": "RUNNING"})
        for number in range(3):
            guest.audit(f"r1:audit:{number}", "r1", {"node_id": "plan"})
        guest.sql(DEPLOYMENTS)
        deploy(guest, "plan")
        guest.sql("COMMIT")
    return guest.path


def public(kind: type) -> set[str]:
    """Return the names of all methods that anybody may call, whatever they return."""
    return {
        name for name, _ in inspect.getmembers(kind, inspect.isroutine) if not name.startswith("_")
    }


def test_every_public_method_is_called_here_or_said_to_read_nothing() -> None:
    assert public(SQLiteRunBrowser) == READS.keys() | READS_NOTHING.keys()
    assert not READS.keys() & READS_NOTHING.keys()
    assert public(PastRunBrowser) == public(SQLiteRunBrowser)
    assert public(SQLitePast) == PAST_READS.keys()


async def each(calls: Calls[T], asked: T, writer: sqlite3.Connection) -> None:
    """Put every question, and write alone right after the answer, which must not be empty."""
    for name, question in calls.items():
        answer = await question(asked)
        try:
            write_alone(writer)
        except sqlite3.OperationalError as error:
            pytest.fail(f"{name} still reads: {error}")
        found = getattr(answer, "rows", getattr(answer, "hits", answer))
        assert found not in (None, (), {}) or name in WITHOUT_ANSWER, f"{name} found nothing"


@pytest.mark.parametrize("indexed", [False, True])
async def test_no_answer_leaves_a_read_behind(
    path: Path, writer: sqlite3.Connection, indexed: bool
) -> None:
    async with browse(path, path.parent / "cache") as browser:
        write_alone(writer)
        if indexed:
            await browser.keep_index()
        await each(READS, browser, writer)
    write_alone(writer)


async def test_no_look_at_the_past_leaves_a_read_behind(
    path: Path, writer: sqlite3.Connection
) -> None:
    async with browse(path, path.parent / "cache") as browser:
        past = browser.past()
        await each(PAST_READS, past, writer)
        then = (await past.at(NOON)).browser
        assert isinstance(then, PastRunBrowser)
        with pytest.raises(PastUnknown):
            await then.overview(OverviewQuery(None))
        calls = {name: call for name, call in READS.items() if name != "overview"}
        await each(calls, then, writer)
