"""Commits that are only in the log of somebody else's folder: said, not shown without them."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest

from tests.store.guests import Guest
from tests.store.test_no_trace import AS_ROOT, STRANGER, as_stranger
from zeroth_store.actions import Write
from zeroth_store.browse import RunQuery
from zeroth_store.errors import DatabaseUnavailable
from zeroth_store.sqlite.acting.guest_actor import GuestActor
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.checkup.describe import describe
from zeroth_store.sqlite.checkup.report import check_up
from zeroth_store.summaries import NULL_SCOPE, RunKey

SENTENCE: Final = (
    "g.db has changes in g.db-wal that cannot be read without creating g.db-shm in a folder that is"
    " not yours: copy both files and open the copy"
)
KEY: Final = RunKey("default", NULL_SCOPE, "only in the log")

Portrait = dict[str, tuple[int, int, str]]
"""Size, time of change and hash of each file of a folder, and the folder's own time of change."""


def portrait(folder: Path) -> Portrait:
    """Return what shows any write to a folder, and any file that was made there and removed."""
    found = {".": (0, folder.stat().st_mtime_ns, "")}
    for path in folder.iterdir():
        seen = path.stat()
        found[path.name] = seen.st_size, seen.st_mtime_ns, sha256(path.read_bytes()).hexdigest()
    return found


@pytest.fixture
def path() -> Iterator[Path]:
    """A database whose one run is only in its log, as its writer left both when it died."""
    with tempfile.TemporaryDirectory() as made, tempfile.TemporaryDirectory() as other:
        folder = Path(made)
        with Guest(Path(other, "g.db"), wal=True) as guest:
            guest.sql("PRAGMA wal_autocheckpoint = 0")
            guest.sql("PRAGMA wal_checkpoint(TRUNCATE)")
            guest.run(KEY.run_id, "FAILED")
            for name in ("g.db", "g.db-wal"):
                shutil.copyfile(guest.path.with_name(name), folder / name)
                (folder / name).chmod(0o644)
        folder.chmod(0o755)
        yield folder / "g.db"
        folder.chmod(0o755)


def browsed(path: Path) -> str:
    """Return what a browser shows."""

    async def first() -> str:
        async with SQLiteRunBrowser(path) as browser:
            return str([row.key.run_id for row in (await browser.runs(RunQuery())).rows])

    return asyncio.run(first())


def described(path: Path) -> str:
    """Return how many runs are counted."""
    return f"{describe(path).runs} runs"


def checked(path: Path) -> str:
    """Return what the check says."""
    found = check_up(path)
    return found.refusal or f"{found.info} {found.opening}"


def asked(path: Path) -> str:
    """Return what may be done to the run."""
    return str(asyncio.run(GuestActor(path).standing(KEY)))


def acted(path: Path) -> str:
    """Return what has become of the run."""
    write = Write(act="replay", key=KEY, seen="FAILED", columns={"status": "PENDING"})
    return str(asyncio.run(GuestActor(path).write(write)))


WAYS: Final = (browsed, described, checked, asked, acted)


def refusals(path: Path) -> list[str]:
    """Return what each way of reading refuses with, or shows."""

    def said(way: Callable[[Path], str]) -> str:
        try:
            return way(path)
        except DatabaseUnavailable as error:
            return str(error)

    return [said(way) for way in WAYS]


def test_its_owner_is_shown_what_is_only_in_the_log(path: Path, tmp_path: Path) -> None:
    """And so is whoever does as the sentence says: all of this is worth refusing."""
    for name in ("g.db", "g.db-wal"):
        shutil.copyfile(path.with_name(name), tmp_path / name)
    assert (tmp_path / "g.db-wal").stat().st_size > 0
    assert browsed(tmp_path / "g.db") == "['only in the log']"


@AS_ROOT
def test_root_makes_no_file_in_the_folder_of_another_user(path: Path) -> None:
    os.chown(path.parent, STRANGER, STRANGER)
    before = portrait(path.parent)
    assert refusals(path) == [SENTENCE] * len(WAYS)
    assert portrait(path.parent) == before
    assert sorted(before) == [".", "g.db", "g.db-wal"]


@AS_ROOT
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize(
    ("folder_owner", "mode"),
    [
        pytest.param(0, 0o755, id="a folder that only its owner may write"),
        pytest.param(0, 0o777, id="a folder that everybody may write"),
        pytest.param(STRANGER, 0o755, id="a file of root's in the stranger's folder"),
    ],
)
def test_a_stranger_makes_no_file_beside_a_file_of_roots(
    path: Path, folder_owner: int, mode: int
) -> None:
    path.parent.chmod(mode)
    os.chown(path.parent, folder_owner, folder_owner)
    before = portrait(path.parent)
    assert as_stranger(lambda: refusals(path) == [SENTENCE] * len(WAYS))
    assert portrait(path.parent) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write in any folder")
def test_nobody_is_shown_old_rows_in_a_folder_that_cannot_be_written(path: Path) -> None:
    path.parent.chmod(0o555)
    before = portrait(path.parent)
    assert refusals(path) == [SENTENCE] * len(WAYS)
    assert portrait(path.parent) == before
