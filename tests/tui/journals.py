"""Journals and entries for the tests of the journal."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

from zeroth_store.actions import Outcome, Write
from zeroth_store.summaries import RunKey
from zeroth_tui.journal import Entry, Journal

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
KEY = RunKey("default", "null", "81bc02e4")
CANCEL = Write(act="cancel", key=KEY, seen="RUNNING", columns={"status": "FAILED", "error": "no"})
DONE = Outcome(
    key=KEY,
    written=True,
    stored="FAILED",
    before={"status": "RUNNING", "error": None},
    after={"status": "FAILED", "error": "no"},
)


def ticking() -> Callable[[], datetime]:
    seconds = count()
    return lambda: NOON + timedelta(seconds=next(seconds))


def journal(path: Path) -> Journal:
    return Journal(path, ticking(), "olga")


def record(to: Journal, **changes: Any) -> Entry:
    return to.record(
        CANCEL, DONE, **{"database": "runs.db", "kind": "guest", "reason": "stuck", **changes}
    )


def entry(**changes: Any) -> Entry:
    fields: dict[str, Any] = {
        "time": NOON,
        "session": "s",
        "user": "olga",
        "database": "runs.db",
        "kind": "own",
        "key": KEY,
        "act": "move",
        "seen": "RUNNING",
        "aimed": "FAILED",
        "written": True,
        "stored": "FAILED",
    }
    return Entry(**{**fields, **changes})
