"""A self-check of a database before anyone attaches to it, which leaves everything as it was."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from zeroth_store.encryption import EncryptionKey, NotDecrypted
from zeroth_store.errors import StoreError
from zeroth_store.sqlite.acting.facts import encrypted_state, find_triggers
from zeroth_store.sqlite.checkup.describe import RunTotals, describe_content, identify, total_runs
from zeroth_store.sqlite.checkup.facts import Checkup, KeyFacts, OpeningFacts
from zeroth_store.sqlite.checkup.place import (
    choose_opening,
    describe_place,
    untouched,
    unwritable,
)
from zeroth_store.sqlite.checkup.rows import LONGEST, check_structure, scan_checkpoints, scan_runs
from zeroth_store.sqlite.connection.mounts import MOUNTS
from zeroth_store.sqlite.connection.place import Place, place_of
from zeroth_store.sqlite.connection.session import Session
from zeroth_store.sqlite.decoding.cells import text_of

T = TypeVar("T")

BUDGET: Final = 30.0
"""Seconds that counting and describing may take; looks at pages and rows have their own."""

_ODD_SQL: Final = """SELECT type, name, tbl_name FROM sqlite_master
 WHERE type = 'view' OR (type = 'table' AND COALESCE(rootpage, 0) = 0)
 OR (type = 'trigger' AND lower(tbl_name) NOT IN ('runs', 'threads', 'run_checkpoints'))
 ORDER BY type, name LIMIT 20"""


def check_up(
    location: str | os.PathLike[str],
    secret: EncryptionKey | None = None,
    *,
    seconds: float = LONGEST,
    mounts: Path = MOUNTS,
) -> Checkup:
    """Find out what there is to know about a database.

    Each look at its pages and rows takes `seconds` at the most. `mounts` lists the file systems.
    Never raises a StoreError: what it would say is the checkup's `refusal`.
    """
    place = place_of(location)
    found = Checkup(location=place.location)
    if place.path is not None:
        found = msgspec.structs.replace(found, place=describe_place(place.path, mounts))
    try:
        opening = choose_opening(place)
        found = msgspec.structs.replace(found, opening=opening)
        with untouched(place, opening) as readable, Session(readable, budget=BUDGET) as session:
            return _examine(session, found, place, secret, seconds)
    except StoreError as error:
        return msgspec.structs.replace(found, refusal=str(error))


def _examine(
    session: Session,
    found: Checkup,
    place: Place,
    secret: EncryptionKey | None,
    seconds: float,
) -> Checkup:
    """Add what only the content tells; what cannot be found out is said instead."""
    kind, _ = session.run(identify)
    unknown: list[str] = []

    def learn(work: Callable[[sqlite3.Connection], T]) -> T | None:
        try:
            return session.run(work)
        except StoreError as error:
            unknown.append(str(error))
            return None

    totals = learn(total_runs) or RunTotals()
    info = learn(lambda connection: describe_content(connection, session, totals))
    key = learn(lambda connection: _try_key(connection, secret))
    runs, checkpoints = (info.runs, info.checkpoints) if info else (0, 0)
    triggers = learn(find_triggers) or ()
    opening = found.opening or OpeningFacts(session.mode, "", copied=False)
    return msgspec.structs.replace(
        found,
        kind=kind,
        info=info,
        key=key or KeyFacts("not needed"),
        odd_objects=learn(_odd_objects) or (),
        obstacles=(
            *unwritable(place, opening),
            *(f"trigger {name} could change what is written" for name in triggers),
        ),
        integrity=learn(lambda connection: check_structure(connection, seconds)),
        scans=tuple(
            filter(
                None,
                (
                    learn(lambda connection: scan_runs(connection, runs, seconds)),
                    learn(
                        lambda connection: scan_checkpoints(
                            connection, checkpoints, secret, seconds
                        )
                    ),
                ),
            )
        ),
        unknown=tuple(dict.fromkeys(unknown)),
    )


def _try_key(connection: sqlite3.Connection, secret: EncryptionKey | None) -> KeyFacts:
    """Try the key on one of the checkpoints made last."""
    token = encrypted_state(connection)
    if token is None:
        return KeyFacts("not needed")
    if secret is None:
        return KeyFacts("missing")
    try:
        secret.decrypt(token)
    except NotDecrypted as error:
        return KeyFacts("does not open", str(error))
    return KeyFacts("opens")


def _odd_objects(connection: sqlite3.Connection) -> tuple[str, ...]:
    """Name what Zeroth and this store never make, by what it is."""
    return tuple(
        f"{'virtual table' if kind == 'table' else text_of(kind)} {text_of(name)}"
        + (f" on {text_of(table)}" if kind == "trigger" else "")
        for kind, name, table in connection.execute(_ODD_SQL).fetchall()
    )
