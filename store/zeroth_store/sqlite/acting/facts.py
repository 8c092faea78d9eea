"""Reading what decides which acts a run allows: its own row, the schema, and the rows beside it."""

from __future__ import annotations

import re
import sqlite3
from typing import Any, Final, Literal

import msgspec

from zeroth_store.actions import Standing
from zeroth_store.encryption import ENCRYPTED, EncryptionKey, NotDecrypted
from zeroth_store.run_detail import Stored
from zeroth_store.sqlite.decoding.cells import bind, read_cell, strings, text_of
from zeroth_store.sqlite.decoding.large_cells import rows_at
from zeroth_store.sqlite.detail.snapshots import checkpoints_table
from zeroth_store.sqlite.finding import find_run, scope_of
from zeroth_store.sqlite.lists.standings import OPEN
from zeroth_store.sqlite.lists.summaries import summary_of
from zeroth_store.sqlite.tables import Table, find_table, runs_table
from zeroth_store.summaries import RunKey, RunSummary

_TRIGGERS: Final = """SELECT name FROM sqlite_master WHERE type = 'trigger'
 AND lower(tbl_name) IN ('runs', 'threads', 'run_checkpoints') ORDER BY name"""
_IN_DOUBT: Final = "state IN ('IN_FLIGHT', 'AMBIGUOUS')"
_LATEST: Final = 20


class _Token(msgspec.Struct):
    state: str | None = None


def read_standing(
    connection: sqlite3.Connection,
    key: RunKey,
    kind: Literal["own", "guest"],
    secret: EncryptionKey | None = None,
    *,
    may_write: bool = True,
) -> Standing | None:
    """Return all that decides what may be done to a run; None when it is gone."""
    standing = read_own_standing(connection, key, kind, secret, may_write=may_write)
    if standing is None:
        return None
    return msgspec.structs.replace(
        standing,
        open_approvals=_count(connection, "approvals", "status", OPEN, key),
        operations_in_doubt=_count(connection, "side_effect_operations", "state", _IN_DOUBT, key),
        audits_ahead=_audits_ahead(connection, key),
        token_cancelled=_token_cancelled(connection, key, secret),
    )


def read_own_standing(
    connection: sqlite3.Connection,
    key: RunKey,
    kind: Literal["own", "guest"],
    secret: EncryptionKey | None = None,
    *,
    may_write: bool = True,
) -> Standing | None:
    """Return the part that may refuse an act: small reads, to be repeated under the lock."""
    runs = runs_table(connection)
    summary = summary_of(connection, runs, key)
    if summary is None:
        return None
    return Standing(
        kind=kind,
        may_write=may_write,
        status=_status(connection, runs, key, summary),
        lease=summary.lease,
        named=summary.writable and summary.key == key,
        encrypted=encrypted_state(connection) is not None,
        has_key=secret is not None,
        erased=cell(connection, runs, "token_snapshot_write_disabled", key) == 1,
        failure_reason=summary.failure_reason,
        child=summary.parent_run_id is not None,
        triggers=find_triggers(connection),
    )


def find_triggers(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Name the triggers that could change what a write to a run does."""
    return tuple(text_of(row[0]) or "" for row in connection.execute(_TRIGGERS).fetchall())


def cell(connection: sqlite3.Connection, table: Table, column: str, key: RunKey) -> Stored:
    """Return one cell of the row of a table that belongs to a run; None where there is none."""
    rows = connection.execute(
        f"SELECT {table.column(column)} FROM {table.name}"
        f" WHERE {table.in_scope()} AND run_id = CAST(? AS TEXT) LIMIT 1",
        (*scope_of(key), bind(key.run_id)),
    ).fetchall()
    value: Stored = rows[0][0] if rows else None
    return value


def stored_row(connection: sqlite3.Connection, key: RunKey) -> dict[str, Any] | None:
    """Return a run's row by column name, as stored; None when it is gone."""
    runs = runs_table(connection)
    rowid = find_run(connection, runs, key)
    names = ", ".join(f'"{name}"' for name in runs.columns)
    rows = connection.execute(f"SELECT {names} FROM runs WHERE rowid = ?", (rowid,)).fetchall()
    return dict(zip(runs.columns, rows[0], strict=True)) if rows else None


def _status(
    connection: sqlite3.Connection, runs: Table, key: RunKey, summary: RunSummary
) -> str | None:
    """Return the status where it is text: nothing else can be compared with."""
    is_text = isinstance(cell(connection, runs, "status", key), str)
    return summary.status if is_text else None


def encrypted_state(connection: sqlite3.Connection) -> str | None:
    """Return an encrypted checkpoint of those made last; None where they are in the clear.

    Those that are too large to be read tell nothing.
    """
    table = checkpoints_table(connection)
    if table is None:
        return None
    latest = f"SELECT rowid FROM run_checkpoints ORDER BY rowid DESC LIMIT {_LATEST}"
    numbers = [row[0] for row in connection.execute(latest).fetchall()]
    closed = f"substr(state_json, 1, {len(ENCRYPTED)}) = '{ENCRYPTED}'"
    select = f"SELECT CASE WHEN {closed} THEN state_json END FROM run_checkpoints"
    for number in numbers:
        rows, _ = rows_at(connection, select, (number,))
        if rows and rows[0][0] is not None:
            return text_of(rows[0][0])
    return None


def _count(
    connection: sqlite3.Connection, name: str, column: str, condition: str, key: RunKey
) -> int:
    table = find_table(connection, name)
    if table is None or not table.has("run_id", column):
        return 0
    rows = connection.execute(
        f"SELECT count(*) FROM {name} WHERE {table.in_scope()}"
        f" AND run_id = CAST(? AS TEXT) AND {condition}",
        (*scope_of(key), bind(key.run_id)),
    ).fetchall()
    return int(rows[0][0])


def _audits_ahead(connection: sqlite3.Connection, key: RunKey) -> bool:
    """Say whether an audit of the run's own numbering is missing among the row's references."""
    audits = find_table(connection, "node_audits")
    if audits is None or not audits.has("run_id", "audit_id"):
        return False
    numbered = re.compile(re.escape(key.run_id) + r":(audit:\d+)")
    rows = connection.execute(
        f"SELECT audit_id FROM node_audits WHERE {audits.in_scope()} AND run_id = CAST(? AS TEXT)",
        (*scope_of(key), bind(key.run_id)),
    ).fetchall()
    found = (numbered.fullmatch(text_of(row[0]) or "") for row in rows)
    refs = strings(cell(connection, runs_table(connection), "audit_refs", key), "audit_refs")
    return any(match[1] not in refs for match in found if match)


def _token_cancelled(
    connection: sqlite3.Connection, key: RunKey, secret: EncryptionKey | None
) -> bool:
    table = find_table(connection, "token_engine_snapshots")
    if table is None or not table.has("run_id"):
        return False
    text = text_of(cell(connection, table, "snapshot_json", key)) or ""
    if text.startswith(ENCRYPTED):
        try:
            text = "" if secret is None else secret.decrypt(text)
        except NotDecrypted:
            text = ""
    return read_cell(text or None, "snapshot_json", _Token).state == "cancelled"
