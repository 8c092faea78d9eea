"""How old what is on screen is, in words: live, behind, paused, or as of a moment."""

from __future__ import annotations

import msgspec

from zeroth_tui import text
from zeroth_tui.format import count
from zeroth_tui.line import Line, Piece


class Freshness(msgspec.Struct, frozen=True, kw_only=True):
    """What is known about the age of the data."""

    read: str = ""
    """The time of day at which the last change was taken in; empty before the first read."""
    snapshot: bool = False
    """Whether the database is read as it was when it was opened."""
    behind: str = ""
    """For how long the database has not answered, or has been read; empty while that is short."""
    trouble: str = ""
    """Why the database cannot be read; empty while all is well."""
    age: str = ""
    """How long ago `read` was; only said where it matters."""
    waiting: int | None = None
    """How many changes wait for the end of a pause; None while nothing is paused."""
    following: bool = False
    """Whether the cursor goes to each new run."""
    past: bool = False
    """Whether a moment of the past is shown, however new the data is."""

    @property
    def old(self) -> bool:
        """Whether what is on screen may no longer be so."""
        return bool(self.trouble)


def fresh_pieces(now: Freshness) -> Line:
    """Return what the first line says of it, the most important first."""
    pieces = [Piece("following  ", "running")] if now.following else []
    if now.trouble:
        since = f", {now.age} ago" if now.age else ""
        then = f"as of {now.read}{since}  " if now.read else ""
        return (Piece(then, "warning"), Piece(text.line(now.trouble, 100), "error"))
    if now.past:
        return (Piece("PAST", "warning"),)
    if now.waiting is not None:
        return (*pieces, Piece(_waiting(now.waiting), "warning"))
    if now.behind:
        return (*pieces, Piece(f"{now.behind} behind", "warning"))
    if not now.read:
        return (*pieces, Piece("opening …", "muted"))
    return (*pieces, Piece(f"{'snapshot of' if now.snapshot else 'live'} {now.read}", "muted"))


def title_words(now: Freshness) -> list[str]:
    """Return what the list's title says of it."""
    words = ["following"] if now.following and not now.old else []
    if now.waiting is not None:
        words.append("paused")
    if now.old:
        words.append(f"as of {now.read}" if now.read else "not read")
    return words


def _waiting(number: int) -> str:
    if not number:
        return "paused"
    return f"paused, {count(number)} {'change waits' if number == 1 else 'changes wait'}"
