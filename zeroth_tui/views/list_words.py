"""What is said around a list: what it holds, how it is sorted, where the cursor is."""

from __future__ import annotations

from typing import Final

from zeroth_store.browse import RunOrder
from zeroth_tui.format import count
from zeroth_tui.views.flat_runs import order_words
from zeroth_tui.views.named_views import Mode

_TITLES: Final = {"threads": "Threads & runs", "runs": "Runs", "failures": "Failures"}


def title(mode: Mode, flat: bool) -> str:
    """Return what a list holds; a filtered tree is a flat list of runs."""
    return _TITLES["runs" if flat and mode == "threads" else mode]


def order(wanted: RunOrder, shown: RunOrder, *, searches: bool) -> str:
    """Return how a list is sorted, and that it is not yet as it was asked for."""
    if searches:
        return order_words(RunOrder())
    if shown != wanted:
        return f"{order_words(shown)} until indexed"
    return order_words(wanted)


def place(what: str, position: int, total: int, exact: bool) -> str:
    """Return `thread 3 of 1,204`; nothing for an empty list."""
    if not total:
        return ""
    about = "" if exact else "about "
    return f"{what} {count(min(position + 1, total))} of {about}{count(total)}".strip()


def empty(filtered: bool, failures: bool, exact: bool, clear: str) -> str:
    """Return what an empty list says, and what would fill it: the key `clear`, for one."""
    if filtered:
        return f"no run matches: {clear} clears the filter" if exact else "searching …"
    return "no run has failed" if failures else "no runs yet: they appear when one is written"
