"""Which file system a file lies on, and whether SQLite's locks can be trusted there."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

import msgspec

MOUNTS: Final = Path("/proc/mounts")
"""Where Linux lists what is mounted; elsewhere the file system stays unknown."""

_SHARED: Final = re.compile(
    "9p|cifs|acfs|afp|afs|beegfs|ceph|coda|davfs|drvfs|gfs2?|glusterfs|gpfs|lustre|ncpfs|nfs[34]?"
    "|ocfs2|orangefs|panfs|prl_fs|pvfs2|smb[23]|smbfs|vboxsf|virtiofs|vmhgfs"
    # In user space: nearly all of them fetch from another machine.
    r"|fuse\.(?!fuse-overlayfs|lxcfs|mergerfs|portal|snapfuse).*"
)
"""Other machines, or a virtual machine's host, may change files of these behind our back."""

_ESCAPE: Final = re.compile(r"\\([0-7]{3})")


class FileSystem(msgspec.Struct, frozen=True):
    """What is mounted where a file lies."""

    kind: str
    """E.g. `ext4` or `nfs4`."""
    mounted_at: str
    """The folder below which everything belongs to it."""

    @property
    def shared(self) -> bool:
        """Whether it reaches beyond this machine, where a write-ahead log cannot be shared."""
        return _SHARED.fullmatch(self.kind) is not None


def file_system(path: Path, mounts: Path = MOUNTS) -> FileSystem | None:
    """Return the file system that holds `path`; None where nobody says."""
    try:
        listed = mounts.read_text("utf-8", "surrogateescape")
    except OSError:
        return None
    real = Path(os.path.realpath(path))
    found = None
    for line in listed.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = _ESCAPE.sub(lambda code: chr(int(code[1], 8)), fields[1])
        # Of two with the same length, the later one lies over the earlier.
        inside = real.is_relative_to(point)
        if inside and (found is None or len(point) >= len(found.mounted_at)):
            found = FileSystem(fields[2], point)
    return found


def shared_warning(path: Path, mounts: Path = MOUNTS) -> str:
    """Return what to know about a database on a network file system; empty for any other."""
    found = file_system(path, mounts)
    if found is None or not found.shared:
        return ""
    return (
        f"{path.name} lies on a network file system ({found.kind} at {found.mounted_at}): SQLite's"
        " locks and write-ahead log only work between programs of one machine, so look at it on the"
        " machine that writes it, or at a copy"
    )
