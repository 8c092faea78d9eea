"""What is unusual about a database, as sentences for the person who opened it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

from zeroth_store.schema import VERSION_TABLE
from zeroth_store.sqlite.connection.session import Session
from zeroth_store.sqlite.decoding.cells import text_of
from zeroth_store.sqlite.lists.run_pages import StatusCounts
from zeroth_store.sqlite.tables import find_table, is_damage, table_names
from zeroth_store.status import RunStatus

GUEST_VERSION_TABLE: Final = "alembic_version"
"""Where Zeroth records the revision of its schema."""

NEWEST_REVISION: Final = 26
"""The newest schema revision of Zeroth that this version was made for."""

_KNOWN: Final = frozenset(f"{number:03d}" for number in range(1, NEWEST_REVISION + 1))
_TABLES: Final = ("runs", "threads", "run_checkpoints")
_RELATED: Final = ("node_audits", "approvals", "side_effect_operations")
_COLUMNS: Final = {
    "runs": "status thread_id graph_version_ref deployment_ref workflow_name started_at updated_at"
    " current_step error metadata current_node_ids pending_node_ids execution_history"
    " node_visit_counts condition_results audit_refs final_output failure_state tenant_id"
    " workspace_id submitted_by lease_worker_id lease_acquired_at lease_expires_at failure_count",
    "threads": "thread_id run_ids checkpoint_refs state_snapshot_refs status graph_version_ref"
    " deployment_ref active_run_id last_run_id created_at updated_at tenant_id workspace_id",
    "run_checkpoints": "checkpoint_id run_id thread_id checkpoint_order state_json created_at",
}
"""What every published schema has, from revision 001 on."""


def find_warnings(
    connection: sqlite3.Connection, kind: str, by_status: StatusCounts
) -> tuple[str, ...]:
    """Return a sentence for each thing in it to know before trusting what one sees."""
    return (
        *_versions(connection, VERSION_TABLE if kind == "own" else GUEST_VERSION_TABLE),
        *_leftovers(connection),
        *_uncommon_schema(connection),
        *_triggers(connection),
        *_unreadable(connection),
        *_statuses(by_status),
    )


def _versions(connection: sqlite3.Connection, name: str) -> Iterator[str]:
    table = find_table(connection, name)
    if table is None or not table.has("version_num"):
        yield f"there is no table {name}: the schema was recognised by its columns"
        return
    rows = connection.execute(f"SELECT version_num FROM {name} ORDER BY 1 LIMIT 10").fetchall()
    versions = [text_of(row[0]) or "" for row in rows]
    if len(versions) != 1:
        listed = f" ({', '.join(versions)})" if versions else ""
        yield f"{name} holds {len(versions)} versions{listed} instead of one"
    elif name == GUEST_VERSION_TABLE and versions[0] not in _KNOWN:
        yield (
            f"schema revision {versions[0]} is not one of 001 to {NEWEST_REVISION:03d}: what this"
            " version does not know is only shown in Raw"
        )


def _leftovers(connection: sqlite3.Connection) -> Iterator[str]:
    for name in table_names(connection):
        if name.startswith("_alembic_tmp_"):
            original = name.removeprefix("_alembic_tmp_")
            yield (
                f"a migration was interrupted and left {name}: make a backup; if {original} is"
                f" whole, drop {name} and migrate again"
            )


def _uncommon_schema(connection: sqlite3.Connection) -> Iterator[str]:
    for name, columns in _COLUMNS.items():
        table = find_table(connection, name)
        if table is None:
            yield f"there is no table {name}"
        elif missing := [column for column in columns.split() if not table.has(column)]:
            yield f"{name} lacks the columns {', '.join(missing)}"


def _triggers(connection: sqlite3.Connection) -> Iterator[str]:
    rows = connection.execute(
        "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
    ).fetchall()
    for name, table in rows:
        if table in _TABLES:
            yield f"trigger {name} on {table} changes what a write does"


def _unreadable(connection: sqlite3.Connection) -> Iterator[str]:
    for name in (*_TABLES, *_RELATED):
        if find_table(connection, name) is None:
            continue
        try:
            connection.execute(f"SELECT count(*) FROM {name} NOT INDEXED").fetchall()
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            yield f"table {name} is damaged: {error}"


def _statuses(by_status: StatusCounts) -> Iterator[str]:
    known = {status.value for status in RunStatus}
    unknown = [(status, count) for status, count in by_status if status not in known]
    if unknown:
        total = sum(count for _, count in unknown)
        names = ", ".join("NULL" if s is None else repr(s[:40]) for s, _ in unknown[:5])
        more = f" and {len(unknown) - 5} more" if len(unknown) > 5 else ""
        what = "1 run has" if total == 1 else f"{total} runs have"
        yield f"{what} a status not known to this version: {names}{more}"


def hot_wal(session: Session) -> Iterator[str]:
    """Say whether commits are in the write-ahead log only, as they are beside a writer."""
    if size := session.wal_size():
        name = session.place.name
        yield (
            f"{size} bytes of changes are in {name}-wal, not yet in {name}: copy both together,"
            " or use VACUUM INTO"
        )
