"""Remembers across sessions which keys somebody has used, in a small file that may be lost."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

_MOST: Final = 65_536
"""Bytes that are read of the file at the most."""


class UsedKeys:
    """Names of commands in a file; where that cannot be read or written, nothing else suffers."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.names = _read(path)
        """The commands whose keys were used."""

    def add(self, name: str) -> None:
        """Take note that the key of a command was used. Blocks while the file is written."""
        if name not in self.names:
            # Another session may have learned something, too.
            self.names = self.names | _read(self._path) | {name}
            _write(self._path, self.names)


def _read(path: Path) -> frozenset[str]:
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(_MOST))
    except (OSError, ValueError, RecursionError):
        return frozenset()
    names = found if isinstance(found, list) else []
    return frozenset(name for name in names if isinstance(name, str))


def _write(path: Path, names: frozenset[str]) -> None:
    """Put another file in place, whole or not at all, that only the user can read."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, made = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    except OSError:
        return
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(sorted(names), file)
        Path(made).replace(path)
    except OSError:
        with suppress(OSError):
            Path(made).unlink()
