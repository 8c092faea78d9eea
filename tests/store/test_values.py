"""Values offered for a filter: those that are stored, the likeliest first, and nothing else."""

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
from zeroth_store.browse import RunQuery
from zeroth_store.filters.match import text_fields
from zeroth_store.filters.terms import TEXT_KEYS, TextKey
from zeroth_store.sqlite.browser import SQLiteRunBrowser

SAMPLES: Final = SHARED / "data" / "zeroth"
HOSTILE: Final = ("[red]x[/red]", "\x1b]52;c;eA==\x07", "caf\u00e9 \u202e", "100%_*?", 'a,b:c "d"')


@asynccontextmanager
async def both(path: Path) -> AsyncIterator[tuple[SQLiteRunBrowser, SQLiteRunBrowser]]:
    """Open a database twice: without a side index, and with one."""
    async with browse(path) as stored, browse(path) as kept:
        await kept.keep_index()
        assert (await kept.index_progress()).ready
        yield stored, kept


async def asked(path: Path, key: TextKey, typed: str, limit: int = 20) -> tuple[str, ...]:
    """Return what is offered, which must be the same with the index as without it."""
    async with both(path) as (stored, kept):
        offered = await stored.values(key, typed, limit=limit)
        assert await kept.values(key, typed, limit=limit) == offered
        return offered


@pytest.fixture(params=ERAS)
def guest(request: pytest.FixtureRequest, tmp_path: Path) -> Guest:
    with guest_in(tmp_path, request.param) as made:
        made.run("r-1", "FAILED", failure_state={"reason": "dead_letter"}, current_step="pack")
        made.run("r-2", "COMPLETED", graph_version_ref="etl@2", thread_id="T-2")
        made.run("R-3", "COMPLETED", graph_version_ref="metl@1", thread_id="T-2")
        made.run("x-r-4", "RUNNING", metadata={"parent_run_id": "r-1"}, workspace_id="emea")
        made.run("r-5", None, metadata='{"parent_run_id": "R-3", "x": NaN}', thread_id=None)
        made.run(
            "r-6",
            "FAILED",
            failure_state={"reason": "node_execution_failed"},
            metadata={"in_flight_dispatch": {"node_id": "charge"}},
            current_step="pack",
        )
    return made


async def test_the_most_frequent_value_comes_first(guest: Guest) -> None:
    assert await asked(guest.path, "status", "") == ("FAILED", "COMPLETED", "RUNNING")
    assert await asked(guest.path, "graph", "") == ("g@1", "metl@1", "etl@2")


async def test_what_starts_with_the_typed_comes_before_what_contains_it(guest: Guest) -> None:
    assert await asked(guest.path, "graph", "ETL") == ("etl@2", "metl@1")
    assert await asked(guest.path, "graph", "ETL", limit=1) == ("etl@2",)
    assert await asked(guest.path, "status", "ed") == ("FAILED", "COMPLETED")
    assert await asked(guest.path, "status", "zz") == ()


async def test_of_ids_and_threads_the_newest_comes_first(guest: Guest) -> None:
    assert await asked(guest.path, "id", "r-") == ("r-6", "r-5", "R-3", "r-2", "r-1", "x-r-4")
    assert await asked(guest.path, "thread", "t") == ("t-1", "T-2")


async def test_a_value_means_what_the_filter_means_by_it(guest: Guest) -> None:
    assert await asked(guest.path, "node", "") == ("pack", "charge")
    assert await asked(guest.path, "reason", "") == ("node_execution_failed", "dead_letter")
    assert await asked(guest.path, "parent", "") == ("R-3", "r-1")
    assert await asked(guest.path, "tenant", "def") == ("default",)
    assert await asked(guest.path, "workspace", "") == ("emea",)
    assert await asked(guest.path, "word", "r") == ()
    assert await asked(guest.path, "status", "", limit=0) == ()


async def test_hostile_values_come_as_they_are_stored(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        for at, text in enumerate(HOSTILE):
            guest.run(f"r-{at}", text, graph_version_ref=text, current_step=text, thread_id=text)
            guest.sql("UPDATE runs SET failure_state = json_object('reason', ?)", text)
    for key in ("status", "graph", "node"):
        assert sorted(await asked(guest.path, key, "")) == sorted(HOSTILE)
    assert await asked(guest.path, "thread", "") == HOSTILE[::-1]
    assert await asked(guest.path, "graph", "%") == ("100%_*?",)
    assert await asked(guest.path, "graph", "\x1b") == (HOSTILE[1],)
    assert await asked(guest.path, "reason", "") == (HOSTILE[-1],)


async def test_what_nobody_could_type_is_left_out(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        guest.run("long", graph_version_ref="g" * 201)
        guest.run("fits", graph_version_ref="g" * 200)
        guest.run("empty", graph_version_ref="")
        guest.run("null", graph_version_ref=None)
    assert await asked(guest.path, "graph", "") == ("g" * 200,)


async def test_cells_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        guest.run("blob", b"\x00\xff", graph_version_ref=b"abc", failure_state="{not json")
        guest.run("bad bytes", thread_id="x")
        guest.sql("UPDATE runs SET thread_id = CAST(x'74c3' AS TEXT) WHERE thread_id = 'x'")
    assert await asked(guest.path, "graph", "<blob") == ("<blob 3 bytes>",)
    assert await asked(guest.path, "status", "<blob") == ("<blob 2 bytes>",)
    assert await asked(guest.path, "thread", "t\udcc3") == ("t\udcc3",)
    assert await asked(guest.path, "reason", "") == ()


async def test_old_runs_are_not_looked_at(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        guest.run("old", graph_version_ref="old@1")
        guest.sql("UPDATE runs SET rowid = -5")
        guest.sql(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
            " INSERT INTO runs (run_id, tenant_id, workspace_scope, graph_version_ref)"
            " SELECT 'n-' || i, 'default', 'null', 'new@1' FROM n"
        )
    async with both(guest.path) as (stored, kept):
        assert await stored.values("graph", "") == ("new@1",)
        assert await kept.values("graph", "") == ("new@1", "old@1")


@pytest.mark.parametrize(
    "name", ["rev001.db", "rev021.db", "rev026-main.db", "rev026-tenants.db", "rev026-edges.db"]
)
async def test_real_databases_offer_what_their_runs_have(tmp_path: Path, name: str) -> None:
    if not SAMPLES.exists():
        pytest.skip("the sample databases are not here")
    path = Path(shutil.copyfile(SAMPLES / name, tmp_path / name))
    async with browse(path) as browser:
        rows = (await browser.runs(RunQuery(), limit=200)).rows
    for key in TEXT_KEYS:
        having = {value for row in rows for value in text_fields(row, key)}
        shown = {value for value in having if value and len(value) <= 200}
        assert set(await asked(path, key, "", limit=500)) == shown


async def test_tenants_are_offered_as_often_as_sql_counts_them(tmp_path: Path) -> None:
    if not SAMPLES.exists():
        pytest.skip("the sample databases are not here")
    path = Path(shutil.copyfile(SAMPLES / "rev026-tenants.db", tmp_path / "runs.db"))
    with closing(sqlite3.connect(path)) as plain:
        counted = plain.execute("SELECT tenant_id FROM runs GROUP BY 1 ORDER BY count(*) DESC")
        tenants = tuple(row[0] for row in counted.fetchall())
        named = plain.execute("SELECT DISTINCT workspace_id FROM runs WHERE workspace_id NOT NULL")
        workspaces = {row[0] for row in named.fetchall()}
    assert await asked(path, "tenant", "") == tenants
    assert set(await asked(path, "workspace", "")) == workspaces


@pytest.mark.thorough
async def test_a_cell_too_large_to_look_into_hides_nothing_else(tmp_path: Path) -> None:
    with guest_in(tmp_path) as guest:
        guest.run("large", "FAILED", failure_state={"reason": "why"}, current_step="pack")
        guest.sql("UPDATE runs SET metadata = CAST(zeroblob(70000000) AS TEXT)")
    async with browse(guest.path) as browser:
        assert await browser.values("parent", "") == ()
        assert await browser.values("node", "") == ("pack",)
        assert await browser.values("reason", "") == ("why",)
        assert [hit.key[-1] for hit in await browser.find("g@")] == ["large"]
