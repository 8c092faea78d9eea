"""Runs to act on, writes, and what rows say, for the tests of acts in words."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from zeroth_store.acting import offers
from zeroth_store.actions import Standing, Write
from zeroth_store.run_detail import Stored
from zeroth_store.status import RunStatus
from zeroth_store.summaries import RunKey
from zeroth_tui.line import Row
from zeroth_tui.views.act_choices import Candidate, Choice, choices

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
HOSTILE = "a\x1b]52;c\u202e[/] [red]x"
SHOWN = r"a␛]52;c\u202e[/] [red]x"


def key(run_id: str) -> RunKey:
    return RunKey("default", "null", run_id)


def candidate(run_id: str, status: str, **changes: Any) -> Candidate:
    standing = Standing(**{"kind": "own", "status": status, **changes})
    return Candidate(key(run_id), standing, offers(standing, NOW))


def failing(run_id: str = "r1", seen: str = "RUNNING", **columns: Stored) -> Write:
    changes = {"status": "FAILED", "error": "boom", **columns}
    return Write(act="move", key=key(run_id), seen=seen, columns=changes)


def texts(rows: Iterable[Row]) -> list[str]:
    return ["".join(piece.text for piece in row.line) for row in rows]


def words(rows: Iterable[Row]) -> str:
    return " ".join(" ".join(texts(rows)).split())


def choice(candidates: list[Candidate], to: RunStatus) -> Choice:
    [found] = [one for one in choices(candidates) if (one.act, one.to) == ("move", to)]
    return found
