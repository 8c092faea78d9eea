"""The side index while it stands for a past moment: nothing of that is left behind, ever."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable

import pytest

from zeroth_store.sqlite.index.changes import count_statuses, has_index
from zeroth_store.sqlite.index.file import IndexConnection
from zeroth_store.sqlite.index.provision import provide_index
from zeroth_store.sqlite.index.table import SORTED
from zeroth_store.sqlite.index.thread import IndexThread
from zeroth_store.sqlite.past.index import Census, IndexAt, Then

THEN = Then(0, Census((("COMPLETED", 7, 0),), 0, 0), {})
"""A moment when there were seven runs; the index of these tests holds none."""


@pytest.fixture
async def index() -> AsyncIterator[IndexThread]:
    made = IndexThread()
    await made.open(None)
    yield made
    await made.close()


class Broken(Exception):
    """What a job raises in these tests."""


def rolled_back(connection: IndexConnection) -> None:
    """Fail as after an error for which SQLite gives the whole transaction up."""
    connection.execute("ROLLBACK")
    raise Broken


def failed(_: IndexConnection) -> None:
    raise Broken


@pytest.mark.parametrize("work", [rolled_back, failed])
async def test_the_present_is_back_after_whatever_error(
    index: IndexThread, work: Callable[[IndexConnection], None]
) -> None:
    past = IndexAt(index, THEN)
    assert await index.run(count_statuses) == []
    assert await past.run(count_statuses) == [("COMPLETED", 7)]
    with pytest.raises(Broken):
        await past.run(work)
    assert await index.run(count_statuses) == []
    assert await past.run(count_statuses) == [("COMPLETED", 7)]


async def test_an_index_is_made_even_when_nobody_waits_for_it_any_more(index: IndexThread) -> None:
    loop, is_held, let_go = asyncio.get_running_loop(), asyncio.Event(), threading.Event()

    def hold(_: IndexConnection) -> None:
        loop.call_soon_threadsafe(is_held.set)
        let_go.wait(10)

    provided = asyncio.create_task(provide_index(index, SORTED["cost"]))
    await asyncio.sleep(0)  # from here on it asks whether there is one
    held = asyncio.create_task(index.run(hold))
    await is_held.wait()  # it was told, and what makes one waits for its turn
    provided.cancel()
    await asyncio.wait((provided,))
    let_go.set()
    await held
    assert provided.cancelled()
    assert await index.run(has_index, SORTED["cost"])
