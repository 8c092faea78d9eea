"""What a database is and holds in all; needs neither an event loop nor the domain models."""

from __future__ import annotations

import os
import sqlite3
from datetime import datetime
from typing import Final, Literal

import msgspec

from zeroth_store.browse import DatabaseInfo
from zeroth_store.encryption import ENCRYPTED
from zeroth_store.schema import VERSION_TABLE
from zeroth_store.sqlite.checkup.findings import GUEST_VERSION_TABLE, find_warnings, hot_wal
from zeroth_store.sqlite.connection.mounts import shared_warning
from zeroth_store.sqlite.connection.session import Session
from zeroth_store.sqlite.decoding.cells import moment, text_of
from zeroth_store.sqlite.lists.run_pages import StatusCounts, count_statuses
from zeroth_store.sqlite.tables import Table, find_table, is_damage, runs_table, table_names
from zeroth_store.times import NO_MOMENT, Moment

Kind = Literal["own", "guest"]

_REGULAR: Final = (
    "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]*+00:00"
)
"""The spelling that Zeroth writes; in it times sort as text."""


class RunTotals(msgspec.Struct, frozen=True):
    """What all runs of a database add up to."""

    by_status: StatusCounts = ()
    scopes: int = 0
    oldest: Moment = NO_MOMENT
    newest: Moment = NO_MOMENT


def describe(location: str | os.PathLike[str], *, budget: float = 30.0) -> DatabaseInfo:
    """Open a database, count and describe it, and close it; a quiet file gets no company."""
    with Session(location, budget=budget) as session:
        totals = session.run(total_runs)
        return session.run(lambda connection: describe_open(connection, session, totals))


def identify(connection: sqlite3.Connection) -> tuple[Kind, str | None]:
    """Return whose database it is and its schema revision; None when that is not recorded."""
    own = VERSION_TABLE in table_names(connection)
    versions = find_table(connection, VERSION_TABLE if own else GUEST_VERSION_TABLE)
    revision = None
    if versions is not None and versions.has("version_num"):
        sql = f"SELECT version_num FROM {versions.name} LIMIT 2"
        rows = connection.execute(sql).fetchall()
        revision = text_of(rows[0][0]) if len(rows) == 1 else None
    return ("own" if own else "guest"), revision


def total_runs(connection: sqlite3.Connection) -> RunTotals:
    """Add up all runs; nothing at all where the table is damaged, which is a warning elsewhere."""
    runs = runs_table(connection)
    try:
        by_status = count_statuses(connection)
        pairs = f"SELECT DISTINCT {runs.tenant()}, {runs.scope()} FROM runs"
        scopes = connection.execute(f"SELECT count(*) FROM ({pairs})").fetchall()[0][0]
        oldest, newest = _first_and_last(connection, runs)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        return RunTotals()
    return RunTotals(by_status, scopes, oldest, newest)


def describe_open(
    connection: sqlite3.Connection, session: Session, totals: RunTotals
) -> DatabaseInfo:
    """Describe an open database whose runs were added up before."""
    content = describe_content(connection, session, totals)
    path = session.place.path
    shared = "" if path is None else shared_warning(path)
    return msgspec.structs.replace(
        content, warnings=(*content.warnings, *hot_wal(session), *filter(None, (shared,)))
    )


def describe_content(
    connection: sqlite3.Connection, session: Session, totals: RunTotals
) -> DatabaseInfo:
    """Describe what an open database holds; its warnings leave out how its files are just now."""
    kind, revision = identify(connection)
    checkpoints, encrypted = _count_checkpoints(connection)
    return DatabaseInfo(
        path=session.place.location,
        kind=kind,
        revision=revision,
        journal_mode=session.journal_mode(connection),
        snapshot=session.mode == "snapshot",
        runs=sum(count for _, count in totals.by_status),
        runs_by_status=totals.by_status,
        threads=_count(connection, "threads"),
        checkpoints=checkpoints,
        checkpoints_encrypted=encrypted,
        scopes=totals.scopes,
        oldest_run=totals.oldest,
        newest_run=totals.newest,
        warnings=find_warnings(connection, kind, totals.by_status),
    )


def _first_and_last(connection: sqlite3.Connection, runs: Table) -> tuple[Moment, Moment]:
    """Return the earliest and the latest start; text that names no instant does not count."""
    if not runs.has("started_at"):
        return NO_MOMENT, NO_MOMENT
    regular = f"started_at GLOB '{_REGULAR}'"
    ends = connection.execute(
        f"SELECT min(started_at), max(started_at) FROM runs WHERE {regular}"
    ).fetchall()[0]
    found = [moment(end) for end in ends if end is not None]
    impossible = any(end.instant is None for end in found)
    which = "started_at IS NOT NULL" if impossible else f"NOT ({regular})"
    rows = connection.execute(f"SELECT started_at FROM runs WHERE {which}").fetchall()
    dated = sorted(
        ((at.instant, at) for at in (*found, *(moment(row[0]) for row in rows)) if at.instant),
        key=_instant,
    )
    return (dated[0][1], dated[-1][1]) if dated else (NO_MOMENT, NO_MOMENT)


def _instant(dated: tuple[datetime, Moment]) -> datetime:
    return dated[0]


def _count(connection: sqlite3.Connection, name: str) -> int:
    if find_table(connection, name) is None:
        return 0
    try:
        count: int = connection.execute(f"SELECT count(*) FROM {name}").fetchall()[0][0]
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        return 0
    return count


def _count_checkpoints(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return how many checkpoints there are, and how many of them are encrypted."""
    table = find_table(connection, "run_checkpoints")
    if table is None or not table.has("state_json"):
        return 0, 0
    try:
        rows = connection.execute(
            "SELECT count(*), count(CASE WHEN substr(state_json, 1, length(?1)) = ?1 THEN 1 END)"
            " FROM run_checkpoints",
            (ENCRYPTED,),
        ).fetchall()
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        return 0, 0
    return rows[0][0], rows[0][1]
