"""Own databases of any version, and a store that knows one migration more than this one."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from zeroth_store import schema

LATER: Final = "9001"
"""A revision that follows the newest."""

REBUILDS: Final = """
    query = op.get_bind().exec_driver_sql
    table = query("SELECT sql FROM sqlite_master WHERE name = 'runs'").scalar_one()
    columns = ", ".join(row[1] for row in query("PRAGMA table_info(runs)"))
    rest = table.split("(", 1)[1]
    op.execute(f"CREATE TABLE remade (added TEXT DEFAULT 'new', {rest}")
    op.execute(f"INSERT INTO remade ({columns}) SELECT {columns} FROM runs")
    op.execute("DROP TABLE runs")
    op.execute("ALTER TABLE remade RENAME TO runs")
    op.execute("CREATE INDEX ix_runs_added ON runs (added)")
"""
"""Copies the table of runs, as most changes of a table have to in SQLite."""

LOSES: Final = """
    op.execute("DELETE FROM run_checkpoints")
"""

_SCRIPT: Final = """
from alembic import op
revision, down_revision = "{revision}", "{before}"
def upgrade():{body}
"""

_RUNS: Final = 400
_TIME: Final = "2026-03-01T12:00:00+00:00"


def later_version(folder: Path, body: str) -> Path:
    """Return the folder of a store with a migration added as CONTRIBUTING.md tells."""
    package = folder / "zeroth_store"
    shutil.copytree(Path(schema.__file__).parent, package)
    shutil.copytree(schema.scripts(), package / "migrations", dirs_exist_ok=True)
    script = _SCRIPT.format(revision=LATER, before=schema.HEAD, body=body)
    (package / "migrations" / "versions" / f"{LATER}.py").write_text(script)
    module = package / "schema.py"
    older, newer = f'"{schema.HEAD}",', f'"{schema.HEAD}", "{LATER}",'
    text = module.read_text()
    assert text.count(older) == 1
    module.write_text(text.replace(older, newer))
    return folder


def filled(path: Path, revision: str) -> None:
    """Make an own database of a revision, with runs, threads and checkpoints in its tables."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL").fetchall()
        _migrate(connection, revision)
        connection.execute("BEGIN IMMEDIATE")
        for number in range(_RUNS):
            for table in ("runs", "threads", "run_checkpoints"):
                _insert(connection, table, _row(number))
        connection.execute("COMMIT")


def _migrate(connection: sqlite3.Connection, revision: str) -> None:
    engine = create_engine("sqlite://", creator=lambda: connection, poolclass=StaticPool)
    with engine.connect() as open_connection:
        open_connection.exec_driver_sql("BEGIN IMMEDIATE")
        config = Config()
        config.set_main_option("script_location", str(schema.scripts()))
        config.attributes["connection"] = open_connection
        command.upgrade(config, revision)
        open_connection.commit()


def _row(number: int) -> dict[str, Any]:
    """Return what every table may hold of run `number`: text beyond ASCII, NaN, NULL, scopes."""
    workspace = None if number % 3 else f"w{number % 2}"
    return {
        "run_id": f"r{number}",
        "thread_id": f"t{number}",
        "checkpoint_id": f"c{number}",
        "checkpoint_order": number,
        "workflow_name": "größe \u202e",
        "status": ("PENDING", "RUNNING", "FAILED", "of a later time")[number % 4],
        "metadata": f'{{"n":{number},"x":NaN,"big":"{"x" * 500}"}}',
        "final_output": None if number % 2 else "1.50",
        "started_at": _TIME,
        "updated_at": _TIME,
        "created_at": _TIME,
        "graph_version_ref": "g@1",
        "deployment_ref": "prod",
        "state_json": "gAAAA" if number % 5 else "{}",
        "tenant_id": "default" if number % 2 else "acme",
        "workspace_id": workspace,
        "workspace_scope": "null" if workspace is None else f"value:{workspace}",
        "lease_generation": number,
    }


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    columns = [info[1] for info in connection.execute(f"PRAGMA table_info({table})").fetchall()]
    values = {name: row[name] for name in columns if name in row}
    marks = ", ".join("?" * len(values))
    connection.execute(
        f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values())
    )
