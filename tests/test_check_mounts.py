"""Which file system a database lies on: read from the list of mounts, said where it matters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.guests import Guest
from zeroth_store.sqlite.checkup.report import check_up
from zeroth_store.sqlite.connection.mounts import FileSystem, file_system, shared_warning
from zeroth_tui.check import findings, verdict


def mounts(folder: Path, *lines: str) -> Path:
    """Write a list of mounts as Linux does."""
    path = folder / "mounts"
    path.write_text("".join(f"{line} rw,relatime 0 0\n" for line in lines))
    return path


def test_the_deepest_mount_point_holds_the_file(tmp_path: Path) -> None:
    inner = tmp_path / "data"
    table = mounts(
        tmp_path, "/dev/sda1 / ext4", f"host:/x {inner} nfs4", f"tmpfs {tmp_path}/dat tmpfs"
    )
    assert file_system(inner / "g.db", table) == FileSystem("nfs4", str(inner))
    assert file_system(tmp_path / "data2" / "g.db", table) == FileSystem("ext4", "/")


def test_a_later_mount_lies_over_an_earlier_one(tmp_path: Path) -> None:
    table = mounts(tmp_path, "none / ext4", f"none {tmp_path} nfs", f"none {tmp_path} tmpfs")
    assert file_system(tmp_path / "g.db", table) == FileSystem("tmpfs", str(tmp_path))


def test_spaces_in_a_mount_point_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "my data"
    table = mounts(tmp_path, "none / ext4", rf"none {tmp_path}/my\040data cifs")
    assert file_system(folder / "g.db", table) == FileSystem("cifs", str(folder))


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").symlink_to(tmp_path / "far")
    table = mounts(tmp_path, "none / ext4", f"none {tmp_path}/far nfs")
    assert file_system(tmp_path / "near" / "g.db", table) == FileSystem("nfs", f"{tmp_path}/far")


def test_where_nobody_lists_mounts_nothing_is_said(tmp_path: Path) -> None:
    assert file_system(tmp_path, tmp_path / "none") is None
    assert file_system(tmp_path, mounts(tmp_path, "broken")) is None
    assert shared_warning(tmp_path, tmp_path / "none") == ""


@pytest.mark.parametrize(
    ("kind", "shared"),
    [
        ("nfs", True),
        ("nfs4", True),
        ("cifs", True),
        ("smb3", True),
        ("9p", True),
        ("virtiofs", True),
        ("fuse.sshfs", True),
        ("fuse.s3fs", True),
        ("ext4", False),
        ("btrfs", False),
        ("overlay", False),
        ("tmpfs", False),
        ("fuse.fuse-overlayfs", False),
        ("fuseblk", False),
    ],
)
def test_what_reaches_beyond_the_machine(tmp_path: Path, kind: str, shared: bool) -> None:
    table = mounts(tmp_path, f"somewhere / {kind}")
    path = tmp_path / "g.db"
    with Guest(path, wal=True) as guest:
        guest.run("r1")
    found = findings(check_up(path, mounts=table))
    assert verdict(found) == ("know" if shared else "fine")
    said = [f.words for f in found if f.level == "know"]
    assert [f"({kind} at /)" in words for words in said] == ([True] if shared else [])
    assert any(f.words.endswith(f", on {kind}") for f in found)
