"""The menu of named views, each with the number of runs that it shows at the moment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one
from textual.screen import ModalScreen
from textual.widgets import Static

from zeroth_store.errors import StoreError
from zeroth_tui.format import NOTHING, count
from zeroth_tui.key_words import keyed
from zeroth_tui.line import Piece, Row
from zeroth_tui.screens.helped_screen import HelpedScreen
from zeroth_tui.text import cells, line, pad
from zeroth_tui.views.named_views import NamedView
from zeroth_tui.widgets.row_list import RowList
from zeroth_tui.widgets.row_source import FixedRows
from zeroth_tui.widgets.single_click_list import SingleClickList

Count = Callable[[NamedView], Awaitable[int | None]]
"""Counts the runs that a view shows; None where that is not known."""

_FOOT: Final = "{list.open:enter} or number opens, {views.cancel:esc} cancels"
_WAITING: Final = "…"
_WIDEST_NAME: Final = 24
_WIDTH_OF_COUNT: Final = 11
_DIGITS: Final = 9


class ViewsMenu(ModalScreen[NamedView | None], HelpedScreen[NamedView | None]):
    """Lets a person choose a view; returns it, or None when cancelled."""

    CSS_PATH = "views_menu.tcss"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,v", "cancel", "Cancel", id="views.cancel", tooltip="Change nothing"),
        *(
            Binding(
                str(digit),
                f"choose({digit})",
                show=False,
                id=f"views.choose_{digit}",
                tooltip="Choose a view by its number",
            )
            for digit in range(1, _DIGITS + 1)
        ),
    ]

    rows = query_one(RowList)

    def __init__(self, views: Sequence[NamedView], count: Count) -> None:
        """Offer `views`, which `count` counts one after the other while the menu is open."""
        super().__init__()
        self._views = tuple(views)
        self._count = count
        self._counts: dict[NamedView, str] = {}

    def compose(self) -> ComposeResult:
        """Lay out the list under its title."""
        with Vertical(id="views"):
            yield Static(Content("Views"), classes="title")
            yield SingleClickList(id="views-list")
            yield Static(Content(keyed(self, _FOOT)), classes="muted")

    def place_words(self) -> str:
        """Return where the focus is, in words."""
        return "the views"

    def on_mount(self) -> None:
        """Show the views at once, and their counts as they come."""
        self.rows.styles.height = len(self._views)
        self._show()
        self.rows.focus()
        self._count_views()

    @work(group="view-counts")
    async def _count_views(self) -> None:
        for view in self._views:
            try:
                found = await self._count(view)
            except StoreError:  # the screen below says what is wrong with the database
                found = None
            self._counts[view] = NOTHING if found is None else count(found)
            self._show()

    def _show(self) -> None:
        width = min(_WIDEST_NAME, max((cells(line(view.name)) for view in self._views), default=0))
        rows = (self._row(at, view, width) for at, view in enumerate(self._views, start=1))
        self.rows.show(FixedRows(tuple(rows)))

    def _row(self, number: int, view: NamedView, width: int) -> Row:
        digit = str(number) if number <= _DIGITS else " "
        found = self._counts.get(view, _WAITING)
        pieces = (
            Piece(f" {digit}  ", "muted"),
            Piece(pad(line(view.name), width)),
            Piece(f"{found:>{_WIDTH_OF_COUNT}}", "number" if found[0].isdigit() else "muted"),
            Piece(f"   {line(view.words)}", "muted"),
        )
        return Row(pieces, view)

    @on(RowList.Opened)
    def choose_row(self, event: RowList.Opened) -> None:
        """Return the view that was opened."""
        if isinstance(event.item, NamedView):
            self.dismiss(event.item)

    def action_choose(self, number: int) -> None:
        """Return a view by its number."""
        if number <= len(self._views):
            self.dismiss(self._views[number - 1])

    def action_cancel(self) -> None:
        """Leave without a view."""
        self.dismiss(None)
