"""A cell larger than a connection reads hides nothing but itself, and nothing is said of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from tests.store.filters import parsed
from tests.store.guests import Guest
from tests.store.test_standings import approval
from zeroth_store.browse import RunKey, RunOrder, RunQuery
from zeroth_store.encryption import EncryptionKey
from zeroth_store.sqlite.acting.guest_actor import GuestActor
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.connection import place
from zeroth_store.sqlite.connection.place import connect, place_of
from zeroth_store.sqlite.decoding.large_cells import TOO_LARGE, large_rows
from zeroth_store.sqlite.tables import runs_table

READ = 20_000
"""How large a cell these tests let a connection read."""

KEY = RunKey("default", "null", "r")


@pytest.fixture
def guest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guest]:
    monkeypatch.setattr(place, "_MAX_VALUE", READ)
    with Guest(tmp_path / "guest.db") as made:
        yield made


def large(**members: object) -> str:
    """JSON that no connection reads."""
    return json.dumps({**members, "filler": "x" * READ})


async def found(guest: Guest, text: str, *, indexed: bool) -> list[str]:
    """The ids of the runs that a filter finds, oldest first, by the index or without."""
    query = RunQuery(filter=parsed(text))
    async with SQLiteRunBrowser(guest.path) as browser:
        if indexed:
            await browser.keep_index()
        window = await browser.window(query, RunOrder(descending=False), 0, 99)
    assert window.total == len(window.rows)
    return [row.key.run_id for row in window.rows]


@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_rows_that_are_too_large_are_found_wherever_they_are(guest: Guest, at: int) -> None:
    for number in range(4):
        guest.run(f"r{number}", metadata=large() if number == at else {})
    guest.run("another", error="x" * (READ + 1))
    connection = connect(place_of(guest.path), "live")
    runs = runs_table(connection)
    assert large_rows(connection, runs, ("metadata", "error")) == [at + 1, 5]
    assert large_rows(connection, runs, ("metadata",), at + 2) == []
    assert large_rows(connection, runs, ("metadata",), 0, at) == []
    connection.close()


@pytest.mark.parametrize("indexed", [False, True])
async def test_filters_take_a_large_cell_for_an_empty_one(guest: Guest, indexed: bool) -> None:
    guest.run("parent", execution_history=large())
    guest.run("child", "RUNNING", metadata={"parent_run_id": "parent"})
    guest.run("large", "FAILED", metadata=large(parent_run_id="child"), workspace_id="w")
    guest.run("last", "FAILED", failure_state={"reason": "why"})
    assert await found(guest, "is:child", indexed=indexed) == ["child"]
    assert await found(guest, "-is:child", indexed=indexed) == ["parent", "large", "last"]
    assert await found(guest, "parent:par", indexed=indexed) == ["child"]
    assert await found(guest, "is:parent", indexed=indexed) == ["parent"]
    assert await found(guest, "is:failed -is:child workspace:w", indexed=indexed) == ["large"]
    assert await found(guest, "is:stuck", indexed=indexed) == ["child"]
    assert await found(guest, "reason:why", indexed=indexed) == ["last"]


async def test_a_query_sees_through_a_large_error(guest: Guest) -> None:
    guest.run("large", "FAILED", error="boom" * READ)
    guest.run("small", "FAILED", error="boom")
    async with SQLiteRunBrowser(guest.path) as browser:
        window = await browser.window(RunQuery(text="boom"), RunOrder(), 0, 9)
    assert [row.key.run_id for row in window.rows] == ["small"]


@pytest.mark.parametrize("indexed", [False, True])
async def test_the_runs_beside_a_large_one_are_shown_whole(guest: Guest, indexed: bool) -> None:
    guest.run("a", "FAILED", failure_state={"reason": "why"})
    guest.run("large", "FAILED", failure_state=large(reason="hidden"))
    guest.run("z", "FAILED", metadata={"parent_run_id": "a"})
    async with SQLiteRunBrowser(guest.path) as browser:
        if indexed:
            await browser.keep_index()
        rows = (await browser.window(RunQuery(), RunOrder(), 0, 9)).rows
    assert [(row.key.run_id, row.failure_reason, row.parent_run_id) for row in rows] == [
        ("z", None, "a"),
        ("large", None, None),
        ("a", "why", None),
    ]


async def test_an_approval_is_not_missed_where_a_child_may_wait_for_it(guest: Guest) -> None:
    guest.run("large", "WAITING_APPROVAL", metadata=large())
    guest.run("never", "WAITING_APPROVAL")
    guest.run("asked", "WAITING_APPROVAL")
    approval(guest, "asked", "pending")
    async with SQLiteRunBrowser(guest.path) as browser:
        rows = (await browser.window(RunQuery(), RunOrder(), 0, 9)).rows
    assert {row.key.run_id for row in rows if row.approval_missing} == {"never"}


async def test_children_are_found_beside_a_large_run(guest: Guest) -> None:
    guest.run("r", metadata=large(pending_subgraph={"child_run_id": "other"}))
    guest.run("a", metadata={"parent_run_id": "r"})
    guest.run("other", metadata=large(parent_run_id="r"))
    guest.run("z", metadata={"parent_run_id": "r"})
    async with SQLiteRunBrowser(guest.path) as browser:
        related = await browser.related(KEY)
    assert [row.key.run_id for row in related.children] == ["a", "z"]


async def test_a_large_checkpoint_is_listed_and_says_why_it_is_not_read(guest: Guest) -> None:
    guest.run("r")
    guest.thread("t-1", ["r"], checkpoint_refs=["c1", "big", "c2"])
    guest.checkpoint("c1", "r", {"status": "RUNNING"})
    guest.checkpoint("big", "r", large(status="RUNNING"))
    guest.checkpoint("c2", "r", {"status": "COMPLETED"})
    async with SQLiteRunBrowser(guest.path) as browser:
        listed = await browser.checkpoints(KEY)
        state = await browser.checkpoint_state(KEY, "big")
        facts = await browser.checkpoint_facts(KEY, ("c1", "big", "c2", "never"))
        as_of = await browser.run_as_of(KEY, "big")
    assert [(one.checkpoint_id, one.kind, one.status) for one in listed] == [
        ("c1", "state", "RUNNING"),
        ("big", "unreadable", None),
        ("c2", "state", "COMPLETED"),
    ]
    assert state is not None
    assert (state.text, state.problem) == (None, TOO_LARGE)
    assert {one.checkpoint_id: one.problem for one in facts} == {
        "c1": None,
        "big": "larger than 1 MB",
        "c2": None,
    }
    assert as_of is None


async def test_a_large_checkpoint_does_not_hide_that_the_others_are_encrypted(guest: Guest) -> None:
    guest.run("r", "FAILED")
    key = EncryptionKey(Fernet.generate_key().decode(), "the test")
    guest.checkpoint("big", "r", large())
    standing = await GuestActor(guest.path).standing(KEY)
    assert standing is not None
    assert not standing.encrypted
    guest.sql("UPDATE run_checkpoints SET rowid = 9")
    guest.checkpoint("closed", "r", key.encrypt("{}"), rowid=1)
    standing = await GuestActor(guest.path).standing(KEY)
    assert standing is not None
    assert standing.encrypted
