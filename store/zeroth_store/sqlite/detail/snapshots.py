"""The checkpoints of a run's thread: what each is, without loading what it holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Final

from zeroth_store.browse import (
    CheckpointKind,
    CheckpointSummary,
    JsonText,
    RunKey,
    Stored,
    ThreadKey,
)
from zeroth_store.encryption import ENCRYPTED
from zeroth_store.sqlite.decoding.cells import bind, moment, number_of, strings, text_of
from zeroth_store.sqlite.decoding.large_cells import rows_at
from zeroth_store.sqlite.finding import find_ids, scope_of
from zeroth_store.sqlite.lists.summaries import summary_of
from zeroth_store.sqlite.tables import Table, find_table, is_json, is_small, runs_table
from zeroth_store.times import NO_MOMENT, Moment

_NEEDED: Final = ("checkpoint_id", "run_id", "state_json")
_LARGE: Final = 262_144
_THREAD_STATE: Final = "thread-state:"


def list_checkpoints(connection: sqlite3.Connection, key: RunKey) -> tuple[CheckpointSummary, ...]:
    """Return those the thread lists, in its order, then those only the run's id leads to.

    What is listed and has no row is in its place as `gone`.
    """
    table = checkpoints_table(connection)
    if table is None:
        return ()
    refs, states = _thread_refs(connection, key)
    listed = find_ids(connection, table, "checkpoint_id", (*refs, *states), key)
    positions = {listed[ref]: place for place, ref in reversed([*enumerate(refs)]) if ref in listed}
    rowids = {*listed.values(), *_of_run(connection, table, key)}
    rows, large = rows_at(connection, _select(table, "state_json"), rowids)
    rows += rows_at(connection, _select(table, "NULL"), large)[0]
    found = [(row[0], _summary(row, positions.get(row[0]))) for row in rows]
    found += [(0, lost) for lost in _gone(refs, listed)]
    last = len(refs)
    ordered = sorted(found, key=lambda pair: (_place(pair[1], last), pair[0]))
    return tuple(summary for _, summary in ordered)


def _place(summary: CheckpointSummary, last: int) -> int:
    return last if summary.position is None else summary.position


def _gone(refs: Sequence[str], rows: Mapping[str, int]) -> list[CheckpointSummary]:
    """Return what a thread lists and no row holds."""
    places = {ref: place for place, ref in reversed([*enumerate(refs)]) if ref not in rows}
    return [
        CheckpointSummary(
            checkpoint_id=ref,
            run_id=None,
            thread_id=None,
            position=place,
            stored_order=None,
            created=NO_MOMENT,
            size=0,
            kind="gone",
        )
        for ref, place in places.items()
    ]


def checkpoints_table(connection: sqlite3.Connection) -> Table | None:
    """Return the table of checkpoints; None where it is missing or has no states."""
    table = find_table(connection, "run_checkpoints")
    return table if table is not None and table.has(*_NEEDED) else None


def position_of(connection: sqlite3.Connection, key: RunKey, checkpoint_id: str) -> int | None:
    """Return a checkpoint's place in the list of the run's thread."""
    refs, _ = _thread_refs(connection, key)
    return refs.index(checkpoint_id) if checkpoint_id in refs else None


def checkpoint_state(
    connection: sqlite3.Connection, key: RunKey, checkpoint_id: str
) -> JsonText | None:
    """Return the stored text of one checkpoint in the run's scope; None when it is gone.

    Raises DataError for one that is larger than a connection reads.
    """
    return text_of(_cell(connection, "state_json", key, checkpoint_id))


def created_at(connection: sqlite3.Connection, key: RunKey, checkpoint_id: str) -> Moment:
    """Return when a checkpoint was saved first."""
    return moment(_cell(connection, "created_at", key, checkpoint_id))


def _cell(connection: sqlite3.Connection, column: str, key: RunKey, checkpoint_id: str) -> Stored:
    table = checkpoints_table(connection)
    if table is None:
        return None
    rows = connection.execute(
        f"SELECT {table.column(column)} FROM run_checkpoints WHERE {table.in_scope()}"
        " AND checkpoint_id = CAST(? AS TEXT)",
        (*scope_of(key), bind(checkpoint_id)),
    ).fetchall()
    cell: Stored = rows[0][0] if rows else None
    return cell


def _thread_refs(
    connection: sqlite3.Connection, key: RunKey
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the checkpoints and the thread-state snapshots that the run's thread lists."""
    run = summary_of(connection, runs_table(connection), key)
    threads = find_table(connection, "threads")
    if run is None or run.thread_id is None or threads is None or not threads.has("thread_id"):
        return (), ()
    thread = ThreadKey(key.tenant_id, key.workspace_scope, run.thread_id)
    rows = connection.execute(
        f"SELECT {threads.column('checkpoint_refs')}, {threads.column('state_snapshot_refs')}"
        f" FROM threads WHERE {threads.in_scope()} AND thread_id = CAST(? AS TEXT)",
        (*scope_of(thread), bind(thread.thread_id)),
    ).fetchall()
    if not rows:
        return (), ()
    return strings(rows[0][0], "checkpoint_refs"), strings(rows[0][1], "state_snapshot_refs")


def _of_run(connection: sqlite3.Connection, table: Table, key: RunKey) -> list[int]:
    """Return the rowids of a run's own checkpoints, where finding them is cheap."""
    indexed = "run_id" in table.leading or table.has("workspace_scope")
    if not (indexed or is_small(connection, table)):
        return []
    sql = f"SELECT rowid FROM run_checkpoints WHERE {table.in_scope()} AND run_id = CAST(? AS TEXT)"
    rows = connection.execute(sql, (*scope_of(key), bind(key.run_id))).fetchall()
    return [row[0] for row in rows]


def _select(table: Table, state: str) -> str:
    """Return a SELECT of checkpoints; `state` is NULL for those that are too large to be read."""
    readable = f"{is_json(state)} AND length({state}) <= {_LARGE}"
    columns = ", ".join(
        (
            "rowid",
            "checkpoint_id",
            "run_id",
            table.column("thread_id"),
            table.column("checkpoint_order"),
            table.column("created_at"),
            f"length(CAST({state} AS BLOB))",
            f"substr({state}, 1, {len(ENCRYPTED)})",
            f"CASE WHEN {readable} THEN json_extract({state}, '$.status') END",
            f"CASE WHEN {readable} THEN json_array_length({state}, '$.completed_steps') END",
            f"CASE WHEN {readable} THEN json_extract({state}, '$.updated_at') END",
        )
    )
    return f"SELECT {columns} FROM run_checkpoints"


def _summary(row: tuple[Any, ...], position: int | None) -> CheckpointSummary:
    _, checkpoint_id, run_id, thread_id, order, created, size, start, status, steps, updated = row
    return CheckpointSummary(
        checkpoint_id=text_of(checkpoint_id) or "",
        run_id=text_of(run_id),
        thread_id=text_of(thread_id),
        position=position,
        stored_order=number_of(order),
        created=moment(created),
        size=size or 0,
        kind=_kind(text_of(run_id) or "", start),
        status=text_of(status),
        steps=number_of(steps),
        updated=moment(updated),
    )


def _kind(run_id: str, start: object) -> CheckpointKind:
    if not isinstance(start, str) or not start.startswith(("{", ENCRYPTED)):
        return "unreadable"
    if start == ENCRYPTED:
        return "encrypted"
    return "thread_state" if run_id.startswith(_THREAD_STATE) else "state"
