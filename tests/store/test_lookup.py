"""Finding runs and threads by what is typed: the whole database by id, hostile text as it is."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Final

import pytest

from tests.store.guests import ERAS, Guest
from tests.store.support import SHARED
from tests.store.test_index import browse, guest_in
from zeroth_store.browse import RunKey, RunSummary, ThreadKey, ThreadSummary
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.search.lookup_rows import hits_stored

SAMPLES: Final = SHARED / "data" / "zeroth"


def add_newer(guest: Guest, count: int, table: str = "runs") -> None:
    """Add rows `n-1`, `n-2`, ... that push what is there already out of the newest."""
    ident = "run_id" if table == "runs" else "thread_id"
    scope, null = (", workspace_scope", ", 'null'") if guest.era >= "025" else ("", "")
    guest.sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)"
        f" INSERT INTO {table} ({ident}, graph_version_ref, tenant_id{scope})"
        f" SELECT 'n-' || i, 'new@1', 'default'{null} FROM n",
        count,
    )


def named(hits: tuple[RunSummary | ThreadSummary, ...]) -> list[str]:
    """Return ids, a thread's in brackets."""
    return [f"({hit.key[-1]})" if isinstance(hit, ThreadSummary) else hit.key[-1] for hit in hits]


@asynccontextmanager
async def kept(path: Path) -> AsyncIterator[SQLiteRunBrowser]:
    """Open a database whose side index is there."""
    async with browse(path) as browser:
        await browser.keep_index()
        assert (await browser.index_progress()).ready
        yield browser


async def found(path: Path, text: str, limit: int = 20) -> list[str]:
    """Return what is found, which must be the same with the index as without it."""
    async with browse(path) as stored, kept(path) as indexed:
        hits = await stored.find(text, limit=limit)
        assert await indexed.find(text, limit=limit) == hits
        return named(hits)


def day(number: int) -> str:
    """Return a time of a day."""
    return f"2026-03-{number:02}T10:00:00+00:00"


@pytest.fixture(params=ERAS)
def guest(request: pytest.FixtureRequest, tmp_path: Path) -> Guest:
    with guest_in(tmp_path, request.param) as made:
        made.run("abc", started_at=day(2))
        made.run("abcd", started_at=day(1))
        made.run("ABCE", started_at=day(3), graph_version_ref="abc@1")
        made.run("x-abc", started_at=day(4))
        made.run("other", started_at=day(6), graph_version_ref="an-ABC@2")
        made.run("none", started_at=day(9), thread_id="abc")
        made.thread("abcz", created_at=day(5), graph_version_ref="g@1")
        made.thread("of graph", created_at=day(7), graph_version_ref="my-abc:v1")
        made.thread("thread-state:abc:c-1", created_at=day(8), graph_version_ref="abc@1")
    return made


async def test_the_exact_id_comes_first_then_what_starts_with_it(guest: Guest) -> None:
    expected = ["abc", "(abcz)", "ABCE", "abcd", "x-abc", "(of graph)", "other"]
    assert await found(guest.path, "abc") == expected
    assert await found(guest.path, "abc", limit=1) == ["abc"]


async def test_parts_are_found_in_any_case(guest: Guest) -> None:
    assert await found(guest.path, "X-AB") == ["x-abc"]
    assert await found(guest.path, "BCZ") == ["(abcz)"]
    assert await found(guest.path, "MY-ABC") == ["(of graph)"]


async def test_what_is_nowhere_or_nothing_finds_nothing(guest: Guest) -> None:
    for text in ("zz", "", "thread-state:abc:c-1", "\ud800"):
        assert await found(guest.path, text) == []
    assert await found(guest.path, "abc", limit=0) == []


async def test_marks_of_patterns_are_just_text(tmp_path: Path) -> None:
    hostile = ["100%", "a_b", "a*b?", "[red]x", "q'\"--", "\x1b[2J", "caf\u00e9", "a\x00b"]
    with guest_in(tmp_path) as guest:
        guest.run("acb")
        for text in hostile:
            guest.run(text)
            guest.thread(f"t {text}")
    for text in hostile:
        assert await found(guest.path, text) == [text, f"(t {text})"]
    assert await found(guest.path, "%") == ["100%", "(t 100%)"]
    assert await found(guest.path, "b?") == ["a*b?", "(t a*b?)"]


async def test_ids_that_are_no_utf8_or_no_text_do_no_harm(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        guest.run("bad")
        guest.sql("UPDATE runs SET run_id = CAST(x'62c3' AS TEXT)")
        guest.run(b"b\x00", graph_version_ref=None)
        guest.run(None, graph_version_ref=b"b")
        guest.thread(b"b")
    assert await found(guest.path, "b\udcc3") == ["b\udcc3"]
    assert "b\udcc3" in await found(guest.path, "b")


async def test_the_same_id_is_found_in_every_scope(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        for tenant in ("a", "", "zeta"):
            for workspace in (None, "w", "%"):
                guest.run("same", tenant_id=tenant, workspace_id=workspace)
                guest.thread("same", tenant_id=tenant, workspace_id=workspace)
        add_newer(guest, 2_000)
        add_newer(guest, 2_000, "threads")
    async with browse(guest.path) as stored, kept(guest.path) as indexed:
        for browser in (stored, indexed):
            hits = await browser.find("sam")
            scopes = {(t, s) for t in ("a", "", "zeta") for s in ("null", "value:w", "value:%")}
            assert {hit.key for hit in hits if isinstance(hit, RunSummary)} == {
                RunKey(*scope, "same") for scope in scopes
            }
            assert {hit.key for hit in hits if isinstance(hit, ThreadSummary)} == {
                ThreadKey(*scope, "same") for scope in scopes
            }
            assert len(hits) == 18


@pytest.mark.parametrize("era", ["001", "026"])
async def test_an_old_run_is_found_by_the_beginning_of_its_id(tmp_path: Path, era: str) -> None:
    with guest_in(tmp_path, era) as guest:
        guest.run("first-0000", thread_id="t-first", graph_version_ref="old@1")
        guest.thread("t-first")
        add_newer(guest, 3_000)
    async with browse(guest.path) as stored:
        assert named(await stored.find("first-")) == ["first-0000"]
        assert named(await stored.find("irst-0")) == []
        assert named(await stored.find("t-fir")) == ["(t-first)"]
    async with kept(guest.path) as indexed:
        assert named(await indexed.find("irst-0")) == ["first-0000"]
        assert named(await indexed.find("OLD@")) == ["first-0000"]
        assert named(await indexed.find("n-2999")) == ["n-2999"]


async def test_an_old_thread_is_found_by_a_part_of_its_id(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        guest.thread("my-thread")
        guest.run("r", thread_id="my-thread")
        add_newer(guest, 2_500, "threads")
    async with browse(guest.path) as stored:
        assert named(await stored.find("y-thr")) == []
    async with kept(guest.path) as indexed:
        assert named(await indexed.find("y-thr")) == ["(my-thread)"]


def test_a_large_table_is_not_read_through(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        add_newer(guest, 60_000)
    looks = 0

    def look() -> int:
        nonlocal looks
        looks += 1
        return 0

    with closing(sqlite3.connect(guest.path)) as connection:
        connection.set_progress_handler(look, 1_000)
        connection.execute("SELECT count(*) FROM runs WHERE instr(run_id, 'zz')").fetchall()
        through, looks = looks, 0
        assert [hit.key[-1] for hit in hits_stored(connection, "n-12345", 20)] == ["n-12345"]
        assert 0 < looks < through / 2


async def test_a_run_that_is_gone_is_not_found(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        guest.run("gone-1")
        guest.run("here-1")
        async with kept(guest.path) as browser:
            guest.sql("DELETE FROM runs WHERE run_id = 'gone-1'")
            guest.sql("UPDATE runs SET run_id = 'new' WHERE run_id = 'here-1'")
            assert named(await browser.find("-1")) == []
            assert named(await browser.find("new")) == ["new"]


async def test_a_database_without_threads_is_searched(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        guest.run("only", thread_id="only-thread")
        guest.sql("DROP TABLE threads")
    assert await found(guest.path, "only") == ["only"]


@pytest.mark.parametrize("name", ["rev001.db", "rev021.db", "rev026-main.db", "rev026-tenants.db"])
async def test_every_id_of_a_real_database_is_found_by_its_half(tmp_path: Path, name: str) -> None:
    if not SAMPLES.exists():
        pytest.skip("the sample databases are not here")
    path = Path(shutil.copyfile(SAMPLES / name, tmp_path / name))
    with closing(sqlite3.connect(path)) as plain:
        rows = plain.execute("SELECT run_id, count(*) FROM runs GROUP BY 1").fetchall()
        threads = plain.execute(
            "SELECT thread_id, count(*) FROM threads WHERE thread_id NOT LIKE 'thread-state:%'"
            " GROUP BY 1"
        ).fetchall()
    async with kept(path) as browser:
        for kind, counted in ((RunSummary, rows), (ThreadSummary, threads)):
            for identity, count in counted:
                for text in (identity, identity[: 1 + len(identity) // 2]):
                    hits = await browser.find(text, limit=100)
                    keys = {h.key for h in hits if isinstance(h, kind) and h.key[-1] == identity}
                    assert len(keys) == count, text
