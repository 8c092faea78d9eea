"""Views that have a name, and the command that opens a view again."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from zeroth_store.browse import RunOrder
from zeroth_tui.text.show import stands_for_itself
from zeroth_tui.views.flat_runs import order_words

Mode = Literal["threads", "runs", "failures"]
"""What the list shows: a tree of threads, all runs, or those that failed."""


class NamedView(msgspec.Struct, frozen=True):
    """What a list shows and how it is sorted, under a name."""

    name: str
    """How a person asks for it, whatever the case."""
    filter: str = ""
    """Text in the filter language; empty for all runs."""
    order: RunOrder = RunOrder()
    mode: Mode = "runs"

    @property
    def words(self) -> str:
        """What it shows and in which order, for a list of views; may hold what a person typed."""
        order = order_words(self.order) if self.order != RunOrder() else ""
        return "  ".join(part for part in (self.filter, order) if part) or order_words(self.order)


BUILT_IN: Final = (
    NamedView("Needs me", "is:waiting,stuck,dead-letter"),
    NamedView("Running", "is:live"),
    NamedView("Failed 24 h", "is:failed since:1d", mode="failures"),
    NamedView("Stuck", "is:stuck"),
    NamedView("Slowest", order=RunOrder("duration")),
    NamedView("Costliest", order=RunOrder("cost")),
    NamedView("Today", "since:today"),
)
"""The views that everybody has."""


def all_views(own: Iterable[NamedView] = ()) -> tuple[NamedView, ...]:
    """Return the built-in views and a person's own; an own one replaces a namesake in its place."""
    named = {view.name.casefold(): view for view in BUILT_IN}
    named.update((view.name.casefold(), view) for view in own)
    return tuple(named.values())


def find_view(name: str, views: Iterable[NamedView]) -> NamedView | None:
    """Return the view of this name, whatever the case and the blanks around it."""
    wanted = name.strip().casefold()
    return next((view for view in views if view.name.casefold() == wanted), None)


def no_such_view(name: str, views: Iterable[NamedView]) -> str:
    """Return the sentence for a name that no view has; it quotes the name: show it as stored."""
    known = ", ".join(view.name for view in views)
    return f'There is no view "{name}". Views: {known}'


def reopen_command(
    database: str,
    filter_text: str,
    order: RunOrder,
    mode: Mode,
    run_id: str | None,
    tab: str | None,
) -> str:
    """Return the shell command that opens this view again; what is usual anyway is left out.

    It is one line of visible characters whatever the parts hold, and says the same to bash, zsh
    and ksh as the parts do. Only NUL and lone surrogates cannot be said on a command line.
    """
    path = f"./{database}" if database.startswith("-") else database
    words = ["zeroth-tui", _quoted(path)]
    if filter_text:
        words += _option("--filter", filter_text)
    if order.by != RunOrder().by:
        words += _option("--sort", order.by)
    if not order.descending:
        words.append("--ascending")
    if mode != "threads" or order != RunOrder():  # asked for an order alone, it shows runs
        words += _option("--mode", mode)
    if run_id is not None:
        words += _option("--run", run_id)
    if tab is not None:
        words += _option("--tab", tab.lower())
    return " ".join(words)


def _option(name: str, value: str) -> list[str]:
    """Write an option; a value that begins like an option must touch it to be read as a value."""
    quoted = _quoted(value)
    return [f"{name}={quoted}"] if value.startswith("-") else [name, quoted]


_NOT_PLAIN: Final = re.compile(r"[^ -\[\]-~]|'")


def _quoted(text: str) -> str:
    r"""Quote a word for the shell; what cannot be shown is spelled as in `$'\u202e'`."""
    if all(stands_for_itself(char) for char in set(text)):
        return shlex.quote(text)
    return f"$'{_NOT_PLAIN.sub(_spelled, text)}'"


def _spelled(match: re.Match[str]) -> str:
    char = match[0]
    if char in "\\'":
        return f"\\{char}"
    if stands_for_itself(char):
        return char
    code = ord(char)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
