"""Databases written by real Zeroth, and nasty ones: complete, exact, and left untouched."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.store.guests import listing
from zeroth_store.browse import RunBrowser, RunKey, RunQuery
from zeroth_store.errors import StoreError
from zeroth_store.sqlite.browser import SQLiteRunBrowser

SHARED = Path(__file__).parents[2] / ".." / "shared"
SAMPLES = sorted((SHARED / "data" / "zeroth").glob("*.db"))
CRASHED = SHARED / "data" / "zeroth" / "rev026-crashed.tar"
UNREADABLE = ("25-corrupt-files",)
LARGE = ("29-many-runs",)
CASES = sorted(p for p in (SHARED / "cases").glob("[0-9]*") if p.name not in UNREADABLE + LARGE)

pytestmark = pytest.mark.skipif(not SAMPLES, reason="the shared sample databases are not here")


def make_case(case: Path, folder: Path) -> None:
    subprocess.run(
        [sys.executable, str(case / "make.py"), str(folder)], check=True, capture_output=True
    )


def writable_copy(path: Path, folder: Path) -> Path:
    folder.mkdir()
    copy = folder / path.name
    copy.write_bytes(path.read_bytes())
    return copy


def plain_copy(path: Path, folder: Path) -> sqlite3.Connection:
    """Open a second copy, with its side files, the ordinary way."""
    folder.mkdir()
    for source in path.parent.glob(f"{path.name}*"):
        shutil.copy(source, folder / source.name)
    connection = sqlite3.connect(folder / path.name)
    connection.text_factory = bytes
    return connection


async def reachable(browser: RunBrowser) -> list[RunKey]:
    found = [row.key for row in await browser.loose_runs(limit=10_000)]
    after: int | None = None
    while True:
        page = await browser.threads(after=after, limit=5)
        totals = await browser.roll_up(tuple(row.key for row in page.rows))
        for thread in page.rows:
            members = [row.key for row in await browser.thread_runs(thread.key)]
            assert len(members) == len(set(members)) == totals[thread.key].total
            found += members
        after = page.more
        if after is None:
            return found


async def every_run(browser: RunBrowser) -> list[RunKey]:
    found: list[RunKey] = []
    after: int | None = None
    while True:
        page = await browser.runs(RunQuery(), after=after, limit=17)
        found += [row.key for row in page.rows]
        after = page.more
        if after is None:
            return found


async def check_all(path: Path, plain: sqlite3.Connection) -> None:
    async with SQLiteRunBrowser(path) as browser:
        keys = await every_run(browser)
        assert len(keys) == len(set(keys))
        assert set(await reachable(browser)) == set(keys)
        info = await browser.info()
        counts = dict(plain.execute("SELECT status, count(*) FROM runs GROUP BY status"))
        named = {None if s is None else s.decode(): n for s, n in counts.items()}
        assert dict(info.runs_by_status) == dict(await browser.counts()) == named
        assert info.runs == len(keys) == sum(named.values())
        for name in ("threads", "run_checkpoints"):
            (rows,) = plain.execute(f"SELECT count(*) FROM {name}").fetchone()
            assert rows == (info.threads if name == "threads" else info.checkpoints)
        for key in keys[:: 1 + len(keys) // 60]:
            detail = await browser.run(key)
            assert detail is not None
            assert detail.summary.key == key
            await browser.related(key)
            for checkpoint in await browser.checkpoints(key):
                text = await browser.checkpoint(key, checkpoint.checkpoint_id)
                assert len((text or "").encode()) == checkpoint.size


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.stem)
async def test_every_row_of_a_sample_is_seen_and_its_file_untouched(
    sample: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "watched"
    path = writable_copy(sample, folder)
    before = listing(folder)
    plain = plain_copy(path, tmp_path / "plain")
    await check_all(path, plain)
    plain.close()
    assert listing(folder) == before


async def test_a_crashed_workers_wal_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "watched"
    with tarfile.open(CRASHED) as archive:
        archive.extractall(folder, filter="data")
    (path,) = folder.glob("*.db")
    plain = plain_copy(path, tmp_path / "plain")
    names = sorted(listing(folder))
    main = path.read_bytes()
    await check_all(path, plain)
    async with SQLiteRunBrowser(path) as browser:
        assert dict(await browser.counts()) == {"RUNNING": 5, "COMPLETED": 1}
    plain.close()
    assert sorted(listing(folder)) == names
    assert path.read_bytes() == main


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
async def test_every_row_of_a_nasty_case_is_seen(case: Path, tmp_path: Path) -> None:
    folder = tmp_path / "watched"
    make_case(case, folder)
    path = folder / "case.db"
    plain = plain_copy(path, tmp_path / "plain")
    before = sorted(listing(folder))
    await check_all(path, plain)
    plain.close()
    assert sorted(listing(folder)) == before


async def test_a_scope_never_shows_the_runs_of_another(tmp_path: Path) -> None:
    path = Path(shutil.copy(SHARED / "data" / "zeroth" / "rev026-tenants.db", tmp_path))
    async with SQLiteRunBrowser(path) as browser:
        page = await browser.runs(RunQuery(text="shared-run-id"))
        assert len({row.key for row in page.rows}) == 6
        for row in page.rows:
            related = await browser.related(row.key)
            checkpoints = await browser.checkpoints(row.key)
            plain = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
            expected = plain.execute(
                "SELECT audit_id FROM node_audits WHERE run_id = ? AND tenant_id = ?"
                " AND workspace_id IS ? ORDER BY chain_sequence",
                (row.key.run_id, row.key.tenant_id, workspace(row.key)),
            ).fetchall()
            plain.close()
            assert [(audit.audit_id,) for audit in related.audits] == expected
            assert checkpoints


def workspace(key: RunKey) -> str | None:
    prefix = "value:"
    return key.workspace_scope[len(prefix) :] if key.workspace_scope.startswith(prefix) else None


async def view(path: Path) -> str | None:
    """List a file and open some of its runs; returns the error that stopped it, if any."""
    try:
        async with SQLiteRunBrowser(path) as browser:
            await browser.info()
            for key in (await every_run(browser))[::40]:
                await browser.run(key)
    except StoreError as error:
        return str(error)
    return None


@pytest.mark.thorough
async def test_corrupt_files_are_shown_or_say_why_and_stay_as_they_are(tmp_path: Path) -> None:
    make_case(SHARED / "cases" / UNREADABLE[0], tmp_path)
    before = listing(tmp_path)
    said = {name: await view(tmp_path / name) for name in before if name.endswith(".db")}
    assert listing(tmp_path) == before
    assert said["seed.db"] is None
    assert said["garbage-wal.db"] is None
    assert said["text.db"] == "text.db is not an SQLite database"
    assert (said["zero.db"] or "").startswith("zero.db is an empty database")
    assert {name for name, error in said.items() if error and name not in error} == set()
