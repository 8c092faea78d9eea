"""How to undo what the journal holds: the write that does it, or why there is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from zeroth_store.acting import plan
from zeroth_store.actions import Act, Fields, Offer, Standing, Write
from zeroth_store.status import ALLOWED_TRANSITIONS, RunStatus
from zeroth_tui.journal.entry import Entry
from zeroth_tui.status import look

_ONLY_ADDS: Final[Mapping[Act, str]] = {
    "checkpoint": "a checkpoint only adds to what is stored",
    "fork": "a fork leaves its run as it was: act on the new run instead",
}
_LEASE: Final = "lease_"


def undo_of(entry: Entry, later: Iterable[Entry] = ()) -> Write | str:
    """Return what undoes an entry, or as a sentence why nothing does.

    It is written only while the run has the status that the entry gave it. `later` are entries
    made since: the last act on a run is undone first.
    """
    if not entry.written:
        return "nothing was written, so there is nothing to undo"
    if entry.act in _ONLY_ADDS:
        return _ONLY_ADDS[entry.act]
    if entry.aimed not in set(RunStatus):
        return f"{look(entry.aimed).word} is no status that this version knows"
    if entry.stored is None:
        return "what is stored since could not be read"
    if entry.stored != entry.aimed:
        return f"another writer has made it {look(entry.stored).word} since"
    if any(one.written and _same_run(one, entry) for one in later):
        return "a later act on this run has to be undone first"
    return _own(entry) if entry.kind == "own" else _guest(entry)


def _same_run(one: Entry, other: Entry) -> bool:
    return (one.database, one.key) == (other.database, other.key)


def _own(entry: Entry) -> Write | str:
    """Go back along ALLOWED_TRANSITIONS, to the values from before."""
    if entry.aimed == entry.seen:
        return f"it was {entry.seen} before, too: restore an earlier checkpoint instead"
    allowed = ALLOWED_TRANSITIONS[RunStatus(entry.aimed)]
    if not allowed:
        return f"{entry.aimed} is final"
    if entry.seen not in allowed:
        ways = " or ".join(status for status in RunStatus if status in allowed)
        return f"a {entry.aimed} run cannot become {entry.seen} again, only {ways}"
    return _values_back(entry, "move")


def _guest(entry: Entry) -> Write | str:
    """Do what Zeroth's workers were found to take as the opposite."""
    match entry.act, entry.aimed:
        case "cancel", RunStatus.FAILED if entry.seen in {RunStatus.PENDING, RunStatus.RUNNING}:
            return _guest_act("replay", entry)
        case "cancel", _:
            again = look(entry.seen).word
            return f"a cancelled run can only be replayed, which does not make it {again}"
        case "pause", RunStatus.WAITING_INTERRUPT:
            return _guest_act("resume", entry)
        case "replay", RunStatus.PENDING if entry.seen == RunStatus.FAILED:
            return _values_back(entry, "cancel")
        case "resume", _:
            return "a PENDING run cannot be paused: pause it while it runs, or cancel it"
    return f"{entry.act} cannot be undone in a database of Zeroth's own"


def _guest_act(act: Act, entry: Entry) -> Write:
    """Return the act as it is planned for a run that nobody holds, which writing checks again."""
    offer = Offer(act=act, to=RunStatus.PENDING)
    standing = Standing(kind="guest", status=entry.aimed)
    return plan(offer, entry.key, standing, Fields(), entry.time)


def _values_back(entry: Entry, act: Act) -> Write | str:
    """Return a write of what the columns held before; a worker's lease stays as it is."""
    names = [name for name in entry.columns if not name.startswith(_LEASE)]
    for name in names:
        if name not in entry.before:
            return f"what {name} held before is not known"
        if name in entry.withheld:
            return f"the journal's file does not keep what {name} held before"
    columns = {name: entry.before[name] for name in names}
    if columns.get("status") != entry.seen:
        return "what its status was before is not known"
    return Write(act=act, key=entry.key, seen=entry.aimed, columns=columns)
