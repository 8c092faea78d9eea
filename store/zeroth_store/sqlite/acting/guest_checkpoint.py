"""A checkpoint of a guest's run, as Zeroth would have written it: the row as it is, unjudged."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from zeroth_store.acting import ActRefused, dumped
from zeroth_store.encryption import NO_KEY, EncryptionKey, NotEncrypted
from zeroth_store.sqlite.acting.facts import encrypted_state
from zeroth_store.sqlite.decoding.cells import bind, is_exact, text_of
from zeroth_store.sqlite.detail.snapshot_states import opened
from zeroth_store.sqlite.detail.snapshots import checkpoint_state, checkpoints_table
from zeroth_store.sqlite.finding import find_ids, scope_of
from zeroth_store.sqlite.lists.run_columns import RUN_JSON
from zeroth_store.sqlite.tables import find_table
from zeroth_store.summaries import RunKey

Row = Mapping[str, Any]

_PLAIN: Final = (
    *("run_id", "thread_id", "epoch", "workflow_name", "status", "current_step", "error"),
    *("pending_interrupt_id", "graph_version_ref", "deployment_ref", "workspace_id"),
)
_PARENT: Final = "parent_run_id"


def save_checkpoint(
    connection: sqlite3.Connection,
    key: RunKey,
    row: Row,
    checkpoint_id: str,
    now: datetime,
    *,
    secret: EncryptionKey | None,
) -> None:
    """Write a run's row as a checkpoint and list it in its thread, in the caller's transaction.

    Raises ActRefused, NotEncrypted or NotDecrypted; the caller then rolls back.
    """
    before = checkpoint_state(connection, key, text_of(row.get("checkpoint_id")) or "")
    last = None if before is None else opened(before, secret)
    state = _state(row, checkpoint_id, now)
    if last is not None and f'"{_PARENT}"' not in last:
        del state[_PARENT]  # the first versions refuse to load a state that has it
    text = _text_of(state)
    listed = _list_in_thread(connection, key, row, checkpoint_id, now)
    values = {
        "checkpoint_id": checkpoint_id,
        "run_id": row["run_id"],
        "thread_id": row["thread_id"],
        "checkpoint_order": listed,
        "state_json": _closed(connection, text, secret),
        "created_at": now.astimezone(UTC).isoformat(),
        "tenant_id": key.tenant_id,
        "workspace_id": row.get("workspace_id"),
        "workspace_scope": key.workspace_scope,
    }
    table = checkpoints_table(connection)
    if table is None:
        raise ActRefused("this database has no table of checkpoints")
    known = {name: value for name, value in values.items() if table.has(name)}
    connection.execute(
        f"INSERT INTO run_checkpoints ({', '.join(known)}) VALUES ({', '.join('?' * len(known))})",
        tuple(known.values()),
    )


def has_checkpoint(connection: sqlite3.Connection, key: RunKey, checkpoint_id: str) -> bool:
    """Say whether a checkpoint has a row in the run's scope."""
    table = checkpoints_table(connection)
    ids = (checkpoint_id,)
    return table is not None and bool(find_ids(connection, table, "checkpoint_id", ids, key))


def _state(row: Row, checkpoint_id: str, now: datetime) -> dict[str, Any]:
    """Return a row as Zeroth's model of a run: JSON instead of text, times ending in `Z`."""
    state: dict[str, Any] = {name: _unparsed(name, row.get(name)) for name in _PLAIN}
    state |= {name: _parsed(name, row.get(name)) for name in RUN_JSON}
    metadata = state["metadata"]
    return {
        **state,
        "tenant_id": row.get("tenant_id") or "default",
        "checkpoint_id": checkpoint_id,
        "parent_checkpoint_id": row.get("checkpoint_id"),
        "started_at": _json_time(row.get("started_at")),
        "updated_at": _json_time(now.astimezone(UTC).isoformat()),
        _PARENT: metadata.get(_PARENT) if isinstance(metadata, dict) else None,
    }


def _text_of(state: dict[str, Any]) -> str:
    try:
        return dumped(state)
    except RecursionError:
        raise ActRefused("it is nested too deeply to be written as a checkpoint") from None


def _unparsed(column: str, value: object) -> object:
    if isinstance(value, bytes):
        raise ActRefused(f"its {column} is no text, so no checkpoint can hold it")
    return value


def _parsed(column: str, text: object) -> object:
    if text is None:
        return None
    try:
        if isinstance(text, str):
            return json.loads(text)
    except (ValueError, RecursionError):
        pass
    raise ActRefused(f"its {column} is no JSON, so no checkpoint can hold it")


def _json_time(text: object) -> object:
    if isinstance(text, str) and text.endswith("+00:00"):
        return text.removesuffix("+00:00") + "Z"
    return text


def _list_in_thread(
    connection: sqlite3.Connection, key: RunKey, row: Row, checkpoint_id: str, now: datetime
) -> int:
    """Add a checkpoint to its thread's list; returns how many that had."""
    threads, thread_id = find_table(connection, "threads"), row.get("thread_id")
    found: list[tuple[int, Any]] = []
    if threads is not None and threads.has("thread_id", "checkpoint_refs") and is_exact(thread_id):
        found = connection.execute(
            f"SELECT rowid, checkpoint_refs FROM threads WHERE {threads.in_scope()}"
            " AND thread_id = CAST(? AS TEXT)",
            (*scope_of(key), bind(str(thread_id))),
        ).fetchall()
    if threads is None or len(found) != 1:
        raise ActRefused("its thread has no row that could list the checkpoint")
    number, text = found[0]
    refs = _parsed("thread's checkpoint_refs", text)
    if not isinstance(refs, list):
        raise ActRefused("its thread's checkpoint_refs is no list that could hold one more")
    values = {"checkpoint_refs": dumped([*refs, checkpoint_id])}
    if threads.has("updated_at"):
        values["updated_at"] = now.astimezone(UTC).isoformat()
    changing = ", ".join(f"{name} = ?" for name in values)
    connection.execute(f"UPDATE threads SET {changing} WHERE rowid = ?", (*values.values(), number))
    return len(refs)


def _closed(connection: sqlite3.Connection, text: str, secret: EncryptionKey | None) -> str:
    """Return a state as the database's others are: in the clear, or under the key that opens them.

    Raises NotEncrypted or NotDecrypted.
    """
    sample = encrypted_state(connection)
    if sample is None:
        return text
    if secret is None:
        raise NotEncrypted(NO_KEY)
    secret.decrypt(sample)
    return secret.encrypt(text)
