"""The part of the command palette that finds runs and threads in the whole database."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import Final, Protocol, runtime_checkable

from textual.command import Hit, Hits, Provider
from textual.content import Content

from zeroth_store.browse import RunSummary, ThreadKey, ThreadSummary
from zeroth_store.errors import StoreError
from zeroth_tui.format import age, counted
from zeroth_tui.plain import PLAIN, plain_text
from zeroth_tui.status import look
from zeroth_tui.text import line
from zeroth_tui.views.run_cells import scope_words

_THREAD: Final = "≡"
_LIMIT: Final = 120
"""How many stored characters of a name are shown: what is behind them tells few runs apart."""


@runtime_checkable
class Finding(Protocol):
    """What a screen offers so that the palette finds runs and threads in it."""

    async def look_up(self, text: str) -> tuple[RunSummary | ThreadSummary, ...]:
        """Return the runs and threads that fit a text, the best first."""
        ...

    def open_run(self, run: RunSummary) -> None:
        """Show this run, wherever it is in the list."""
        ...

    def open_thread(self, key: ThreadKey) -> None:
        """Show this thread with its runs."""
        ...

    def now(self) -> datetime:
        """Return the time from which ages are counted."""
        ...


class RunsProvider(Provider):
    """Finds runs and threads by their id or graph, behind the commands that fit as well."""

    async def search(self, query: str) -> Hits:
        """Yield what fits; nothing while the database cannot be read, which the screen says."""
        screen = self.screen
        if not isinstance(screen, Finding):
            return
        try:
            found = await screen.look_up(query)
        except StoreError:
            return
        now = screen.now()
        for place, item in enumerate(found):
            # The palette sorts by score: commands have one or more, the best of ours comes first.
            yield Hit(
                1 / (place + 2),
                shown(item, now, plain=self.app.has_class(PLAIN)),
                partial(_go_to, screen, item),
                text=line(item.key[-1], _LIMIT),
            )


def _go_to(screen: Finding, item: RunSummary | ThreadSummary) -> None:
    if isinstance(item, RunSummary):
        screen.open_run(item)
    else:
        screen.open_thread(item.key)


def shown(item: RunSummary | ThreadSummary, now: datetime, *, plain: bool = False) -> Content:
    """Return a run or a thread as two lines: which it is, and where it belongs."""
    made = item.started if isinstance(item, RunSummary) else item.created
    glyph = f"{_glyph(item)} "
    first = Content.assemble(
        plain_text(glyph) if plain else glyph,
        (line(item.key[-1], _LIMIT) or "(empty)", "bold"),
        f"  {line(item.graph, _LIMIT)}",
        f"  {age(made.instant, now)}",
    )
    return Content("\n").join([first, Content.styled(f"  {_place(item)}", "dim")])


def _glyph(item: RunSummary | ThreadSummary) -> str:
    return look(item.status).glyph if isinstance(item, RunSummary) else _THREAD


def _place(item: RunSummary | ThreadSummary) -> str:
    scope = scope_words(item.key.tenant_id, item.key.workspace_scope)
    if isinstance(item, ThreadSummary):
        return f"thread of {counted(item.run_count, 'run')} in {scope}"
    thread = f" in thread {line(item.thread_id, _LIMIT)}" if item.thread_id else ""
    return f"{look(item.status).word} run{thread} of {scope}"
