"""Upgrades own databases of every version, kills upgrades, and tries what must be refused."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from tests.reliability.figure import Figure
from tests.store.acting import everything
from tests.store.later_version import LATER, LOSES, REBUILDS, filled, later_version
from tests.store.processes import said_by
from tests.store.support import TABLES, PlainSQL
from zeroth_store import StoreError, schema

REFUSED: Final = {
    "a newer version": f"UPDATE {schema.VERSION_TABLE} SET version_num = '{LATER}'",
    "several heads": f"INSERT INTO {schema.VERSION_TABLE} VALUES ('{LATER}')",
    "no version": f"DELETE FROM {schema.VERSION_TABLE}",
    "a half made table": "CREATE TABLE _alembic_tmp_runs (run_id TEXT)",
    "another program's": f"DROP TABLE {schema.VERSION_TABLE}",
}
"""What makes a database one that must be left alone."""

_FORKS: Final = "tests.store.forks"
_OLDEST: Final = schema.REVISIONS[0]

Contents = dict[str, list[dict[str, Any]]]
"""The rows of each table, in an order of their own."""


def trial() -> Iterable[Figure]:
    """Upgrade from every version to this one and to a later one, and kill a hundred upgrades."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        later = later_version(home / "later", REBUILDS)
        careless = later_version(home / "careless", LOSES)
        yield every_version(home / "every", later)
        yield killed_upgrades(home / "killed", later, 100)
        yield refusals(home / "refused", careless)


def every_version(folder: Path, later: Path) -> Figure:
    """Upgrade a database of each version, with rows, to this version and then to a later one."""
    folder.mkdir()
    broken: list[str] = []
    befores = {}
    for revision in schema.REVISIONS:
        path = folder / f"{revision}.db"
        filled(path, revision)
        befores[path] = contents(path)
        schema.upgrade(str(path), path.name)
        broken += _changes(path, befores[path], schema.HEAD)
    broken += _sentences(said_by(_FORKS, "finish", folder, 0, version=later))
    for path, before in befores.items():
        broken += _changes(path, before, LATER)
    rows = sum(len(found) for before in befores.values() for found in before.values())
    return _figure(
        "upgrade from every version to this one and a later one",
        2 * len(schema.REVISIONS),
        f"{rows:,} rows",
        broken,
    )


def killed_upgrades(folder: Path, later: Path, kills: int) -> Figure:
    """Kill upgrades of the oldest version to a later one; the next start must finish each."""
    folder.mkdir()
    filled(folder / "old", _OLDEST)
    before = contents(folder / "old")
    said = said_by(_FORKS, "upgrade", folder, kills, version=later)
    done = {cycle for kind, cycle in said if kind == "done"}
    paths = sorted(folder.glob("*.db"))
    broken: list[str] = []
    for path in paths:
        reached = version_of(path)
        if reached not in (_OLDEST, LATER) or (path.stem in done and reached != LATER):
            broken.append(f"{path.name} is of version {reached}")
        broken += _changes(path, before, reached)
    unfinished = sum(version_of(path) == _OLDEST for path in paths)
    broken += _sentences(said_by(_FORKS, "finish", folder, 0, version=later))
    for path in paths:
        broken += _changes(path, before, LATER)
    counted = f"{unfinished} left as they were, {len(paths) - unfinished} upgraded"
    return _figure("kill -9 in an upgrade", len(paths), f"{counted}, all finished then", broken)


def refusals(folder: Path, careless: Path) -> Figure:
    """Try to upgrade what must be left alone, and by a version whose migration loses rows."""
    folder.mkdir()
    broken: list[str] = []
    for name, sql in REFUSED.items():
        path = folder / f"{name}.db"
        filled(path, schema.HEAD)
        PlainSQL(str(path))(sql)
        before = path.read_bytes()
        try:
            schema.upgrade(str(path), path.name)
        except StoreError as error:
            if path.name not in str(error):
                broken.append(f"{name}: {error!r}")
        else:
            broken.append(f"{name}: it was upgraded")
        if path.read_bytes() != before:
            broken.append(f"{name}: the file changed")
    path = folder / "careless" / "own.db"
    path.parent.mkdir()
    filled(path, schema.HEAD)
    whole = contents(path)
    said = _sentences(said_by(_FORKS, "finish", path.parent, 0, version=careless))
    if said != ["own.db: upgrading would lose rows of run_checkpoints; nothing was changed"]:
        broken.append(f"a migration that loses rows: {said}")
    broken += _changes(path, whole, schema.HEAD)
    return _figure("databases that must be left alone", len(REFUSED) + 1, "all refused", broken)


def contents(path: Path) -> Contents:
    """Return the rows of the three tables, without the numbers that SQLite gives them."""
    found: Contents = {table: [] for table in TABLES}
    for (table, _), row in everything(path).items():
        if table in found:
            found[table].append(row)
    return {table: sorted(rows, key=str) for table, rows in found.items()}


def version_of(path: Path) -> str:
    """Return the version that a database says it has."""
    ((version,),) = PlainSQL(str(path))(f"SELECT version_num FROM {schema.VERSION_TABLE}")
    return str(version)


def _changes(path: Path, before: Contents, version: str) -> Iterator[str]:
    """Yield what is not as it was, or not as it has to be at `version`."""
    query = PlainSQL(str(path))
    if version_of(path) != version:
        yield f"{path.name} is of version {version_of(path)}, not {version}"
    if query("PRAGMA integrity_check") != [("ok",)] or query("PRAGMA foreign_key_check"):
        yield f"{path.name} is damaged"
    after = contents(path)
    for table, rows in before.items():
        columns = rows[0].keys()
        kept = [{name: row.get(name) for name in columns} for row in after[table]]
        if sorted(kept, key=str) != rows:
            yield f"{path.name}: {table} has other rows than before"


def _sentences(said: list[list[str]]) -> list[str]:
    return [" ".join(words) for words in said]


def _figure(trial: str, tried: int, counted: str, broken: list[str]) -> Figure:
    return Figure(
        trial=trial,
        tried=tried,
        counted=counted,
        wrong=len(broken),
        promise="lost, changed or stuck",
        details=tuple(broken),
    )
