"""What `zeroth-tui info` prints: the facts of a database, for people and for programs."""

from __future__ import annotations

import json
from collections import Counter

from zeroth_store.browse import DatabaseInfo
from zeroth_store.times import Moment
from zeroth_tui.format import count
from zeroth_tui.status import look
from zeroth_tui.text import line


def as_json(info: DatabaseInfo) -> str:
    """Return the facts as one JSON object, statuses as stored (SQL NULL as `(null)`)."""
    by_status: Counter[str] = Counter()
    for status, number in info.runs_by_status:
        by_status["(null)" if status is None else status] += number
    return json.dumps(
        {
            "kind": info.kind,
            "revision": info.revision,
            "journal_mode": info.journal_mode,
            "runs": info.runs,
            "runs_by_status": by_status,
            "threads": info.threads,
            "checkpoints": info.checkpoints,
            "checkpoints_encrypted": info.checkpoints_encrypted,
            "oldest_run": _instant(info.oldest_run),
            "newest_run": _instant(info.newest_run),
            "warnings": list(info.warnings),
        },
        indent=2,
    )


def _instant(moment: Moment) -> str | None:
    return None if moment.instant is None else moment.instant.isoformat()


def as_text(info: DatabaseInfo) -> str:
    """Return the facts as aligned lines."""
    encrypted = f", {count(info.checkpoints_encrypted)} encrypted"
    rows = [
        ("database", line(info.path, 1000)),
        ("kind", f"{info.kind}, schema revision {line(info.revision or 'unknown', 60)}"),
        ("journal", line(info.journal_mode, 40)),
        ("runs", count(info.runs)),
        *(("", _status_words(status, number)) for status, number in info.runs_by_status),
        ("threads", count(info.threads)),
        (
            "checkpoints",
            count(info.checkpoints) + (encrypted if info.checkpoints_encrypted else ""),
        ),
        ("oldest run", _instant(info.oldest_run) or "—"),
        ("newest run", _instant(info.newest_run) or "—"),
        *(("warning", line(warning, 1000)) for warning in info.warnings),
    ]
    return "\n".join(f"{name:<12} {words}".rstrip() for name, words in rows)


def _status_words(status: str | None, number: int) -> str:
    seen = look(status)
    return f"{count(number):>7}  {seen.glyph} {seen.word}"
