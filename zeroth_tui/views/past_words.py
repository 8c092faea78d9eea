"""What is said of a moment of the past: when it is, what had happened, and what is not known."""

from __future__ import annotations

from datetime import datetime, tzinfo
from typing import Final

import msgspec

from zeroth_store.past.browsing import Known
from zeroth_store.past.events import Event, What, place
from zeroth_store.past.knowing import moment_of
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Line, Piece
from zeroth_tui.views.layout import fit

_WORDS: Final[dict[What, str]] = {
    "started": "the run started",
    "node began": "{} began",
    "node ended": "{} {}",
    "decided": "{} decided on the way",
    "asked": "{} asked for approval",
    "answered": "the approval at {} was answered",
    "side effect": "side effect {}",
    "checkpoint": "a checkpoint was saved",
    "child": "{} started a child run",
    "written": "the run was written: {}",
}
_BETWEEN: Final = "  "


class PastMoment(msgspec.Struct, frozen=True, kw_only=True):
    """A moment that is shown instead of now."""

    at: datetime
    known: Known
    events: tuple[Event, ...] = ()
    """Everything that has a time of the run that is looked at."""
    speed: int = 1
    """How many seconds of the past one second plays."""
    playing: bool = False
    searches: bool = False
    """Whether the list is what a search through payloads has found."""
    notice: str = ""
    """What the last key could not do, and why."""


def moment_line(
    shown: PastMoment, zone: tzinfo, now: datetime, width: int, *, back: str = "ctrl+t"
) -> Line:
    """Return the moment with its zone and age, whether time goes on, and the key to now."""
    pace = f"▶ playing {shown.speed}x" if shown.playing else f"■ stopped {shown.speed}x"
    return fit(
        (
            Piece(" ◀◀ PAST ", "warning"),
            Piece(f" {fmt.moment(moment_of(shown.at), zone)}", "strong"),
            Piece(f"{_BETWEEN}{fmt.ago(shown.at, now)}", "plain"),
            Piece(f"{_BETWEEN}{pace}", "running" if shown.playing else "muted"),
            Piece(f"{_BETWEEN}{back}: now", "muted"),
        ),
        width,
    )


def known_line(shown: PastMoment, width: int) -> Line:
    """Return what had happened last, and what nothing tells of the moment."""
    happened = Piece(f" {_happened(shown)}", "plain")
    if shown.notice:
        happened = Piece(f" {text.line(shown.notice, 100)}", "warning")
    gaps = [Piece(f"{_BETWEEN}{words}", "muted") for words in _gaps(shown)]
    return fit((happened, *gaps), width)


def _happened(shown: PastMoment) -> str:
    """Return the last event of the run, and its place among all."""
    past = place(shown.events, shown.at)
    total = len(shown.events)
    if not total:
        return "no run is open"
    if not past:
        return f"before the run (0 of {total})"
    event = shown.events[past - 1]
    when = "" if event.instant == shown.at else "after: "
    return f"{when}{event_words(event)} ({past} of {total})"


def event_words(event: Event) -> str:
    """Return what happened."""
    name = text.line(event.name, 40) or "a node"
    result = text.line(event.result, 40) or "ended"
    words = _WORDS[event.what]
    if event.what == "written":
        return words.format(result)
    if event.what == "answered" and event.result:
        return f"{words.format(name)}: {result}"
    return words.format(name, result)


def _gaps(shown: PastMoment) -> list[str]:
    known = shown.known
    words: list[str] = []
    if known.under_way:
        were = "was" if known.under_way == 1 else "were"
        runs = fmt.counted(known.under_way, "run")
        words.append(f"{runs} {were} under way in a state that is not recorded")
    if shown.searches:
        words.append("a search leaves out runs that were written later")
    if known.undated:
        words.append(f"{fmt.counted(known.undated, 'run')} without a readable start always shown")
    return words
