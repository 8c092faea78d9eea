"""The states in checkpoints: decrypted where there is a key, and cut into parts to compare."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Final

from zeroth_store.browse import JsonText, RunKey
from zeroth_store.checkpoint_detail import (
    CheckpointFacts,
    CheckpointState,
    PartPath,
    StatePart,
)
from zeroth_store.encryption import ENCRYPTED, NO_KEY, EncryptionKey, NotDecrypted
from zeroth_store.sqlite.decoding.cells import text_of
from zeroth_store.sqlite.decoding.jsontext import Unreadable, elements, load_json, raw_members
from zeroth_store.sqlite.decoding.large_cells import TOO_LARGE, rows_at
from zeroth_store.sqlite.detail.snapshots import checkpoint_state, checkpoints_table
from zeroth_store.sqlite.finding import find_ids

LARGEST: Final = 1_048_576
"""Bytes of a state that is still compared in a list; one of a larger state can be opened."""

_MOST_MEMBERS: Final = 500
_SHOWN: Final = 80
_METADATA: Final = "metadata"
_THREAD_STATE: Final = "thread_state"


def read_state(
    connection: sqlite3.Connection, key: RunKey, checkpoint_id: str, secret: EncryptionKey | None
) -> CheckpointState | None:
    """Return the state of one checkpoint in the run's scope; None when it is gone."""
    if checkpoints_table(connection) is None:
        return None
    try:
        stored = checkpoint_state(connection, key, checkpoint_id)
    except sqlite3.DataError:
        return CheckpointState(checkpoint_id=checkpoint_id, problem=TOO_LARGE)
    if stored is None:
        return None
    try:
        text = opened(stored, secret)
        raw_members(text)
    except (NotDecrypted, Unreadable) as error:
        return CheckpointState(checkpoint_id=checkpoint_id, problem=str(error))
    return CheckpointState(checkpoint_id=checkpoint_id, text=text)


def read_facts(
    connection: sqlite3.Connection,
    key: RunKey,
    checkpoint_ids: tuple[str, ...],
    secret: EncryptionKey | None,
) -> tuple[CheckpointFacts, ...]:
    """Return what to compare checkpoints of the run's scope by, in no order."""
    table = checkpoints_table(connection)
    if table is None:
        return ()
    names = {
        number: name
        for name, number in find_ids(
            connection, table, "checkpoint_id", checkpoint_ids, key
        ).items()
    }
    size = "length(CAST(state_json AS BLOB))"
    small = f"CASE WHEN {size} <= {LARGEST} THEN state_json END"
    select = f"SELECT rowid, {size}, {small} FROM run_checkpoints"
    rows, large = rows_at(connection, select, names)
    rows += [(number, LARGEST + 1, None) for number in large]
    return tuple(
        _facts(names[number], size or 0, text_of(stored), secret) for number, size, stored in rows
    )


def opened(stored: str, secret: EncryptionKey | None) -> JsonText:
    """Return the JSON text of a stored state; raises NotDecrypted."""
    if not stored.startswith(ENCRYPTED):
        return stored
    if secret is None:
        raise NotDecrypted(NO_KEY)
    return secret.decrypt(stored)


def _facts(
    checkpoint_id: str, size: int, stored: str | None, secret: EncryptionKey | None
) -> CheckpointFacts:
    if stored is None and size > LARGEST:
        return CheckpointFacts(checkpoint_id=checkpoint_id, problem="larger than 1 MB")
    try:
        parts = dict(_parts(opened(stored or "", secret)))
    except (NotDecrypted, Unreadable) as error:
        return CheckpointFacts(checkpoint_id=checkpoint_id, problem=str(error))
    return CheckpointFacts(checkpoint_id=checkpoint_id, parts=parts)


def _parts(text: JsonText) -> Iterator[tuple[PartPath, StatePart]]:
    """Yield a state's members, those of its metadata, and those of a thread state in there."""
    waiting: list[tuple[PartPath, JsonText]] = [((), text)]
    while waiting:
        above, inside = waiting.pop()
        for name, value in list(raw_members(inside).items())[:_MOST_MEMBERS]:
            path = (*above, name)
            if value == "null":
                continue
            yield path, _part(value)
            if path in {(_METADATA,), (_METADATA, _THREAD_STATE)} and value.startswith("{"):
                waiting.append((path, value))


def _part(value: JsonText) -> StatePart:
    count, shown = None, None
    if value.startswith("["):
        count = len(elements(value))
    elif value.startswith("{"):
        count = len(raw_members(value))
    elif value.startswith('"') and len(value) <= _SHOWN:
        shown = str(load_json(value))
    return StatePart(hash(value), count, shown)
