"""Small guest databases in plain SQL, as different versions of Zeroth would have made them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any, Self

ERAS = ("001", "021", "022", "026")
"""Schema revisions that differ in how a run, a thread or a checkpoint is identified."""

RUN = """run_id TEXT {key}, checkpoint_id TEXT, parent_checkpoint_id TEXT, epoch INTEGER DEFAULT 0,
 workflow_name TEXT, status TEXT, current_step TEXT, completed_steps TEXT DEFAULT '[]',
 artifacts TEXT DEFAULT '{{}}', channels TEXT DEFAULT '{{}}', pending_approval TEXT,
 pending_interrupt_id TEXT, started_at TEXT, updated_at TEXT, error TEXT,
 metadata TEXT DEFAULT '{{}}', graph_version_ref TEXT, deployment_ref TEXT, thread_id TEXT,
 current_node_ids TEXT DEFAULT '[]', pending_node_ids TEXT DEFAULT '[]',
 execution_history TEXT DEFAULT '[]', node_visit_counts TEXT DEFAULT '{{}}',
 condition_results TEXT DEFAULT '[]', audit_refs TEXT DEFAULT '[]', final_output TEXT,
 failure_state TEXT, workspace_id TEXT, submitted_by TEXT, lease_worker_id TEXT,
 lease_acquired_at TEXT, lease_expires_at TEXT, failure_count INTEGER DEFAULT 0,
 recovery_checkpoint_id TEXT"""
THREAD = """thread_id TEXT {key}, graph_version_ref TEXT, deployment_ref TEXT,
 status TEXT DEFAULT 'active', participating_agent_refs TEXT DEFAULT '[]',
 state_snapshot_refs TEXT DEFAULT '[]', checkpoint_refs TEXT DEFAULT '[]',
 memory_bindings TEXT DEFAULT '[]', run_ids TEXT DEFAULT '[]', active_run_id TEXT,
 last_run_id TEXT, created_at TEXT, updated_at TEXT, workspace_id TEXT"""
CHECKPOINT = """checkpoint_id TEXT {key}, run_id TEXT, thread_id TEXT, checkpoint_order INTEGER,
 state_json TEXT, created_at TEXT"""
LOOSE_SCOPE = ", tenant_id TEXT DEFAULT 'default'"
SCOPE = ", tenant_id TEXT NOT NULL, workspace_scope TEXT NOT NULL"
LATER_RUN = (
    ", token_snapshot_write_disabled INTEGER NOT NULL DEFAULT 0"
    ", lease_generation INTEGER NOT NULL DEFAULT 0"
)
AUDITS = """CREATE TABLE node_audits(audit_id TEXT PRIMARY KEY, run_id TEXT, thread_id TEXT,
 node_id TEXT, tenant_id TEXT DEFAULT 'default', workspace_id TEXT, created_at TEXT,
 record_json TEXT, chain_sequence INTEGER)"""
APPROVALS = """CREATE TABLE approvals(approval_id TEXT PRIMARY KEY, run_id TEXT, thread_id TEXT,
 node_id TEXT, tenant_id TEXT DEFAULT 'default', workspace_id TEXT, status TEXT, created_at TEXT,
 updated_at TEXT, record_json TEXT, sla_deadline TEXT)"""
OPERATIONS = """CREATE TABLE side_effect_operations(operation_key TEXT PRIMARY KEY, run_id TEXT,
 target_ref TEXT, attempt INTEGER, state TEXT, error TEXT, ambiguity_reason TEXT,
 created_at TEXT, updated_at TEXT)"""


def schema(era: str) -> list[str]:
    """Return the statements that make an empty database of a schema revision."""

    def table(name: str, columns: str, ident: str, scoped: bool, more: str = "") -> str:
        body = columns.format(key="" if scoped else "PRIMARY KEY") + more
        keys = f", PRIMARY KEY (tenant_id, workspace_scope, {ident})" if scoped else ""
        return f"CREATE TABLE {name}({body}{keys})"

    later = LATER_RUN if era >= "020" else ""
    run_scope = SCOPE if era >= "025" else LOOSE_SCOPE
    thread_scope = SCOPE if era >= "021" else LOOSE_SCOPE
    checkpoint_scope = SCOPE + ", workspace_id TEXT" if era >= "022" else ""
    return [
        table("runs", RUN, "run_id", era >= "025", run_scope + later),
        table("threads", THREAD, "thread_id", era >= "021", thread_scope),
        table(
            "run_checkpoints",
            CHECKPOINT,
            "checkpoint_id",
            era >= "022",
            checkpoint_scope,
        ),
        AUDITS,
        APPROVALS,
        *([OPERATIONS] if era >= "020" else []),
        "CREATE TABLE alembic_version(version_num VARCHAR(32) PRIMARY KEY)",
        f"INSERT INTO alembic_version VALUES ('{era}')",
    ]


class Guest:
    """A guest database being filled; every write commits at once, as a worker's would."""

    def __init__(self, path: Path, era: str = "026", *, wal: bool = False) -> None:
        self.path = path
        self.era = era
        self.connection = sqlite3.connect(path, isolation_level=None)
        self.connection.execute("PRAGMA synchronous = OFF").fetchall()
        if wal:
            self.connection.execute("PRAGMA journal_mode = WAL").fetchall()
        for statement in schema(era):
            self.connection.execute(statement)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.connection.close()

    def run(self, run_id: object, status: object = "COMPLETED", **columns: object) -> None:
        """Add a run, in thread t-1 of the default scope unless said otherwise."""
        row: dict[str, object] = {
            "status": status,
            "thread_id": "t-1",
            "graph_version_ref": "g@1",
            "deployment_ref": "prod",
            "started_at": "2026-03-01T10:00:00+00:00",
            "updated_at": "2026-03-01T10:00:09+00:00",
        }
        self._add("runs", run_id=run_id, **{**row, **columns})

    def thread(self, thread_id: object, run_ids: object = (), **columns: object) -> None:
        """Add a thread that lists these runs."""
        listed = run_ids if isinstance(run_ids, str) else json.dumps(list(run_ids))  # type: ignore[call-overload]
        times = {"created_at": "2026-03-01T10:00:00+00:00"}
        self._add("threads", thread_id=thread_id, run_ids=listed, **{**times, **columns})

    def checkpoint(self, checkpoint_id: str, run_id: str, state: object, **columns: object) -> None:
        """Add a checkpoint of a run; `state` may be a dict or any text."""
        row = {"thread_id": "t-1", "checkpoint_order": 0, "state_json": state}
        self._add(
            "run_checkpoints", checkpoint_id=checkpoint_id, run_id=run_id, **{**row, **columns}
        )

    def audit(self, audit_id: str, run_id: str, record: object, **columns: object) -> None:
        """Add an audit record."""
        self.insert("node_audits", audit_id=audit_id, run_id=run_id, record_json=record, **columns)

    def insert(self, table: str, **columns: object) -> None:
        """Add a row as given; lists and dicts become JSON."""
        values = [json.dumps(v) if isinstance(v, list | dict) else v for v in columns.values()]
        marks = ", ".join("?" * len(values))
        self.connection.execute(
            f"INSERT INTO {table}({', '.join(columns)}) VALUES({marks})", values
        )

    def sql(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Run any statement."""
        return self.connection.execute(statement, parameters).fetchall()

    def _add(self, table: str, **columns: object) -> None:
        """Add a row with the scope columns that this era's table has."""
        workspace = columns.get("workspace_id")
        known = {row[1] for row in self.sql(f"PRAGMA table_info({table})")}
        if "workspace_scope" in known:
            scope = "null" if workspace is None else f"value:{workspace}"
            columns = {"tenant_id": "default", "workspace_scope": scope, **columns}
        self.insert(table, **{name: columns[name] for name in columns if name in known})


def listing(folder: Path) -> dict[str, bytes]:
    """Return every file of a folder with its bytes."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
