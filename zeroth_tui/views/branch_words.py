"""Going back to a checkpoint and forking, in words: from where, how, and what a fork changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec

from zeroth_store.actions import Act, Offer
from zeroth_tui.format import count
from zeroth_tui.line import Piece, Row
from zeroth_tui.text import line
from zeroth_tui.views.act_choices import Choice
from zeroth_tui.views.act_words import about_rows
from zeroth_tui.views.branch_source import Source
from zeroth_tui.views.json_diff import Change, diff_rows
from zeroth_tui.views.layout import field, fit, paragraph, row

OWN_ALONE: Final = "only databases that zeroth_store made can do this: Zeroth drives this one"
"""Why a run of Zeroth's own databases is neither restored nor forked."""

_HOW: Final[dict[Act, str]] = {
    "restore": "b in Checkpoints (4)",
    "fork": "F on a step or checkpoint",
}
_NAMES: Final = 10
_TITLE: Final = 25


def with_ways(offers: Iterable[Offer], kind: Literal["own", "guest"]) -> tuple[Offer, ...]:
    """Return a run's offers with how to restore and fork: that starts elsewhere, not from a menu.

    Where the database cannot do it at all they are refused.
    """
    if kind == "guest":
        return (*offers, *(Offer(act=act, refusal=OWN_ALONE) for act in _HOW))
    return tuple(
        msgspec.structs.replace(one, refusal=_HOW[one.act])
        if one.act in _HOW and one.allowed
        else one
        for one in offers
    )


def way_rows(thread_id: str | None, changed: int | None, width: int) -> tuple[Row, ...]:
    """Return the ways to fork as lines of a menu, in the order of WAYS.

    `changed` is in how many places the state has been edited; None for a state as it was.
    """
    again = "" if changed is None else f"{count(changed)} {_changes(changed)} so far"
    said = (line(thread_id, 120), "", again)
    pairs = enumerate(zip(WAYS, said, strict=True))
    return tuple(
        row(
            width,
            Piece(f" {at + 1}  ", "muted"),
            Piece(f"{words:<{_TITLE}} "),
            Piece(more, "muted"),
            item=at,
        )
        for at, (words, more) in pairs
    )


WAYS: Final = ("Go on in the same thread", "Go on in a new thread", "Edit the state first …")
"""The ways to fork."""

SAME, NEW, EDIT = range(len(WAYS))


def about_way(way: int, choice: Choice, width: int) -> tuple[Row, ...]:
    """Return what is to be known before a way to fork is chosen."""
    if way == EDIT:
        words = "Shows what the new run starts from as JSON; what you change is compared before"
        return tuple(paragraph(f"{words} anything is written.", width, "muted"))
    words = "Makes a new PENDING run. The run that it starts from stays as it is."
    return (*paragraph(words, width, "muted"), *about_rows(choice, width))


def source_rows(source: Source, width: int) -> tuple[Row, ...]:
    """Return from where a run is restored or forked."""
    return tuple(field("from", source.words, width, "strong", at=_NAMES))


def fork_rows(
    source: Source, *, new_thread: bool, edits: Sequence[Change] | None, width: int
) -> tuple[Row, ...]:
    """Return from where a fork starts, and what of the state was edited."""
    thread = "a new one" if new_thread else "the same"
    rows = [*source_rows(source, width), *field("thread", thread, width, at=_NAMES)]
    if edits is None:
        return tuple(rows)
    number = len([one for one in edits if one.kind != "more"])
    words = f"edited, {count(number)} {_changes(number)}" if edits else "edited, without a change"
    rows += field("state", words, width, "warning" if edits else "muted", at=_NAMES)
    changed = diff_rows(tuple(edits)) if edits else ()
    return (*rows, *(Row(fit(one.line, width), one.item) for one in changed))


def _changes(number: int) -> str:
    return "change" if number == 1 else "changes"
