"""Looking for what cannot be read and why: pages, then rows one by one, as far as the time goes."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from typing import Final

from zeroth_store.encryption import ENCRYPTED, EncryptionKey, NotDecrypted
from zeroth_store.sqlite.checkup.facts import BadCell, Integrity, Scan
from zeroth_store.sqlite.decoding.cells import json_text, text_of
from zeroth_store.sqlite.decoding.jsontext import Unreadable, raw_members
from zeroth_store.sqlite.decoding.large_cells import TOO_LARGE, rows_at
from zeroth_store.sqlite.detail.run import read_run
from zeroth_store.sqlite.detail.snapshot_states import opened
from zeroth_store.sqlite.detail.snapshots import checkpoints_table
from zeroth_store.sqlite.index.source import summaries_at
from zeroth_store.sqlite.tables import is_damage

LONGEST: Final = 5.0
"""Seconds that each of the looks takes at the most."""

_MOST: Final = 2_000
"""Rows of a table that are looked at."""

_NAMED: Final = 20
"""What is named of the problems; the rest is counted."""


def check_structure(connection: sqlite3.Connection, seconds: float = LONGEST) -> Integrity:
    """Let SQLite check the pages and rows of the whole file, for some seconds at the most."""
    # A progress handler is not asked while pages are looked at; an interrupt is seen there.
    started = time.monotonic()
    timer = threading.Timer(seconds, connection.interrupt)
    timer.daemon = True
    timer.start()
    problems: list[str] = []
    try:
        for row in connection.execute(f"PRAGMA quick_check({_NAMED})"):
            problems += (text_of(row[0]) or "").splitlines()
        finished = True
    except sqlite3.DatabaseError as error:
        finished = is_damage(error)
        if finished:
            problems.append(str(error))
        elif getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_INTERRUPT:
            raise
    finally:
        timer.cancel()
    found = tuple(p for p in problems if p != "ok" and not p.startswith("***"))
    return Integrity(found[:_NAMED], finished, time.monotonic() - started)


def scan_runs(connection: sqlite3.Connection, total: int, seconds: float = LONGEST) -> Scan:
    """Read the newest runs whole, as opening them does."""
    return _scan(connection, "runs", total, seconds, _bad_in_run)


def scan_checkpoints(
    connection: sqlite3.Connection,
    total: int,
    secret: EncryptionKey | None,
    seconds: float = LONGEST,
) -> Scan:
    """Read the states of the newest checkpoints; what is encrypted only where there is a key."""

    def bad(connection: sqlite3.Connection, number: int) -> Iterator[BadCell]:
        return _bad_in_checkpoint(connection, number, secret)

    return _scan(connection, "checkpoints", total, seconds, bad)


def _scan(
    connection: sqlite3.Connection,
    what: str,
    total: int,
    seconds: float,
    bad_in: Callable[[sqlite3.Connection, int], Iterator[BadCell]],
) -> Scan:
    deadline = time.monotonic() + seconds
    bad: list[BadCell] = []
    looked_at = bad_rows = 0
    try:
        for number in _newest(connection, "runs" if what == "runs" else "run_checkpoints"):
            if time.monotonic() > deadline:
                break
            found = list(bad_in(connection, number))
            looked_at += 1
            bad += found
            bad_rows += bool(found)
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
        bad_rows += 1
        bad.insert(0, BadCell("", "", f"those behind it are out of reach: {error}"))
    return Scan(what, looked_at, total, tuple(bad[:_NAMED]), bad_rows)


def _newest(connection: sqlite3.Connection, table: str) -> list[int]:
    if table == "run_checkpoints" and checkpoints_table(connection) is None:
        return []
    newest = f"SELECT rowid FROM {table} ORDER BY rowid DESC LIMIT {_MOST}"
    return [row[0] for row in connection.execute(newest).fetchall()]


def _bad_in_run(connection: sqlite3.Connection, number: int) -> Iterator[BadCell]:
    summary = summaries_at(connection, (number,)).get(number)
    if summary is None:  # deleted meanwhile
        return
    name = summary.key.run_id
    if not summary.writable:
        yield BadCell(name, "run_id", "is no text that names the run: it can only be looked at")
    detail = read_run(connection, summary.key)
    for problem in () if detail is None else detail.problems:
        yield BadCell(name, problem.column, problem.message)


def _bad_in_checkpoint(
    connection: sqlite3.Connection, number: int, secret: EncryptionKey | None
) -> Iterator[BadCell]:
    rows, large = rows_at(
        connection, "SELECT checkpoint_id, state_json FROM run_checkpoints", (number,)
    )
    if large:
        yield BadCell(f"row {number}", "state_json", TOO_LARGE)
    for name, state in rows:
        try:
            text = json_text(state)
            if secret is not None or not text.startswith(ENCRYPTED):
                raw_members(opened(text, secret))
        except (Unreadable, NotDecrypted) as error:
            yield BadCell(text_of(name) or "", "state_json", str(error))
