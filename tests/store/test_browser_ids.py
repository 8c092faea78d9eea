"""Identity: ids of every kind are listed, open, and never mistaken for one another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.guests import ERAS, Guest
from zeroth_store.browse import RunKey, RunQuery, RunSummary, ThreadKey
from zeroth_store.sqlite.browser import SQLiteRunBrowser


def key(run_id: str) -> RunKey:
    return RunKey("default", "null", run_id)


def ids(rows: tuple[RunSummary, ...]) -> list[str]:
    return [row.key.run_id for row in rows]


@pytest.fixture(params=ERAS)
def guest(request: pytest.FixtureRequest, tmp_path: Path) -> Guest:
    return Guest(tmp_path / "guest.db", request.param)


async def all_runs(browser: SQLiteRunBrowser, limit: int = 2) -> list[RunSummary]:
    found: list[RunSummary] = []
    after: int | None = None
    while True:
        page = await browser.runs(RunQuery(), after=after, limit=limit)
        found += page.rows
        after = page.more
        if after is None:
            return found


async def test_near_duplicate_ids_stay_apart(guest: Guest) -> None:
    names = ["Dup", "dup", "dup ", "", "caf\u00e9", "cafe\u0301", "run-A\u200b", "run-A"]
    with guest:
        for name in names:
            guest.run(name)
        async with SQLiteRunBrowser(guest.path) as browser:
            assert {row.key.run_id for row in await all_runs(browser)} == set(names)
            for name in names:
                detail = await browser.run(key(name))
                assert detail is not None
                assert detail.summary.key.run_id == name


async def test_ids_that_are_no_text_are_listed_and_open(guest: Guest) -> None:
    with guest:
        guest.run("plain")
        guest.run("bad bytes", "FAILED")
        guest.sql("UPDATE runs SET run_id = CAST(x'c328' AS TEXT) WHERE run_id = 'bad bytes'")
        guest.run(b"\x00\xff", "PENDING")
        guest.run(None, "RUNNING")
        async with SQLiteRunBrowser(guest.path) as browser:
            rows = await all_runs(browser)
            details = [await browser.run(row.key) for row in rows]
    assert [row.status for row in rows] == ["RUNNING", "PENDING", "FAILED", "COMPLETED"]
    assert [row.writable for row in rows] == [False, False, False, True]
    assert rows[2].key.run_id.encode("utf-8", "surrogateescape") == b"\xc3\x28"
    assert [d and d.summary.status for d in details] == [row.status for row in rows]


async def test_text_that_is_no_utf8_hides_no_row(guest: Guest) -> None:
    with guest:
        guest.run("bad")
        guest.sql("UPDATE runs SET workflow_name = CAST(x'ff41fe' AS TEXT), error = x'00ff10'")
        guest.run("good")
        async with SQLiteRunBrowser(guest.path) as browser:
            rows = await all_runs(browser)
    assert ids(tuple(rows)) == ["good", "bad"]
    assert rows[1].workflow == "\udcffA\udcfe"
    assert rows[1].failure_message == "<blob 3 bytes>"


async def test_a_missing_column_reads_as_empty(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db", "001") as guest:
        guest.run("r")
        for column in ("metadata", "failure_state", "thread_id", "tenant_id"):
            guest.sql(f"ALTER TABLE runs DROP COLUMN {column}")
        async with SQLiteRunBrowser(guest.path) as browser:
            (row,) = (await browser.runs(RunQuery(text="r"))).rows
            assert row.key == key("r")
            assert (row.thread_id, row.failure_reason) == (None, None)
            assert ids(await browser.loose_runs()) == ["r"]
            detail = await browser.run(row.key)
    assert detail is not None
    assert detail.metadata is None


async def test_a_tenant_of_null_is_the_default_tenant(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db", "001") as guest:
        guest.run("r", tenant_id=None)
        async with SQLiteRunBrowser(guest.path) as browser:
            assert await browser.run(key("r")) is not None


async def test_one_id_in_two_scopes_is_two_runs(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db", "026") as guest:
        guest.thread("t-1", ["same"])
        guest.thread("t-1", ["same"], tenant_id="acme")
        guest.run("same", "FAILED")
        guest.run("same", "RUNNING", tenant_id="acme")
        async with SQLiteRunBrowser(guest.path) as browser:
            acme = await browser.run(RunKey("acme", "null", "same"))
            runs = await browser.thread_runs(ThreadKey("acme", "null", "t-1"))
    assert acme is not None
    assert acme.summary.status == "RUNNING"
    assert [row.status for row in runs] == ["RUNNING"]


def test_a_run_is_not_the_thread_of_the_same_id() -> None:
    run, thread = RunKey("default", "null", "x"), ThreadKey("default", "null", "x")
    assert run != thread
    assert thread != run
    assert len({run, thread}) == 2
    assert run == RunKey("default", "null", "x")
    assert run == ("default", "null", "x")
