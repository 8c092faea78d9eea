"""The dialog that acts on runs: offers what can be done, says exactly what is written, and asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one
from textual.screen import ModalScreen
from textual.widgets import Static

from zeroth_store.actions import Write
from zeroth_tui.format import counted
from zeroth_tui.key_words import keyed
from zeroth_tui.line import Row
from zeroth_tui.text import clip, line
from zeroth_tui.views.act_choices import Candidate, Choice, choices
from zeroth_tui.views.act_words import about_rows, choice_row, title
from zeroth_tui.widgets.act_page import ActPage, Lead, Plan
from zeroth_tui.widgets.auto_pane import AutoPane
from zeroth_tui.widgets.pane import nothing
from zeroth_tui.widgets.row_list import RowList
from zeroth_tui.widgets.row_source import FixedRows
from zeroth_tui.widgets.single_click_list import SingleClickList

_WIDTH: Final = 72
"""Cells inside the dialog, where the terminal has room for it."""
_FRAME: Final = 14
"""Lines of the dialog that are not choices: frame, title, hint, and what is said of a choice."""
_LEAST: Final = 3
_DIGITS: Final = 9

_FOOT: Final = "{list.open:enter} or number chooses, {act.back:esc} leaves"


class ActDialog(ModalScreen[tuple[Write, ...] | None]):
    """Returns the writes that were shown when they were confirmed, or None.

    The runs are those given at opening, as they stood then: each write compares with that.
    """

    CSS_PATH = "act_dialog.tcss"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="act.back", tooltip="Back, with nothing written"),
        *(
            Binding(
                str(digit),
                f"choose({digit})",
                show=False,
                id=f"act.choose_{digit}",
                tooltip="Choose by number",
            )
            for digit in range(1, _DIGITS + 1)
        ),
    ]

    heading = query_one("#act-title", Static)
    menu = query_one("#act-menu", Vertical)
    offered = query_one("#act-choices", SingleClickList)
    told = query_one("#act-about", AutoPane)
    page = query_one(ActPage)

    def __init__(
        self,
        runs: Sequence[Candidate],
        plan: Plan,
        *,
        only: Choice | None = None,
        what: str = "",
        lead: Lead = nothing,
    ) -> None:
        """Ask what to do to `runs`, called `what`; with `only`, no more than whether and why.

        `lead` is said above what is written.
        """
        super().__init__()
        self._runs = tuple(runs)
        self._called = what
        self._lead = lead
        self.choices = choices(runs) if only is None else (only,)
        """The acts, in the order of the menu."""
        self._plan = plan
        self._asks = only is None
        self.reason = ""
        """Why it is done, for the journal; known when the dialog is closed."""

    def compose(self) -> ComposeResult:
        """Lay out the menu of acts, and the page that asks about one of them."""
        with Vertical(id="act"):
            yield Static(id="act-title", classes="title")
            with Vertical(id="act-menu"):
                yield SingleClickList(id="act-choices")
                yield AutoPane(id="act-about")
                yield Static(Content(keyed(self, _FOOT)), classes="muted")
            yield ActPage(self._plan, self._lead, id="act-page")

    def on_mount(self) -> None:
        """Open the menu, or the page of the only act."""
        self.told.can_focus = False
        if self._asks:
            self.open_menu()
        else:
            self.open_page(self.choices[0])

    def on_resize(self) -> None:
        """Leave room for what is said of a choice."""
        self._fit()

    def _fit(self) -> None:
        room = max(_LEAST, self.size.height - _FRAME)
        self.offered.styles.height = min(room, max(1, len(self.offered.source)))

    def menu_title(self) -> str:
        """Return what is asked above the menu."""
        question = "What to do to" if self.choices else "Nothing can be done to"
        return f"{question} {self.what}"

    def menu_rows(self, width: int) -> tuple[Row, ...]:
        """Return the lines of the menu; a row's item is its position."""
        acts = enumerate(self.choices, start=1)
        return tuple(choice_row(number, one, width) for number, one in acts)

    def about(self, at: int, width: int) -> tuple[Row, ...]:
        """Return what is to be known of a line of the menu."""
        return tuple(about_rows(self.choices[at], width)) if at < len(self.choices) else ()

    def choose(self, at: int) -> None:
        """Ask about a line of the menu, if it can be done to any of the runs."""
        if at < len(self.choices) and self.choices[at].eligible:
            self.open_page(self.choices[at])

    def open_menu(self) -> None:
        """Show what there is to choose from."""
        self.page.display, self.menu.display = False, True
        self._head(self.menu_title())
        self.offered.show(FixedRows(self.menu_rows(_WIDTH)))
        self.offered.focus()
        self._fit()
        self.tell_about()

    def open_page(self, choice: Choice) -> None:
        """Show exactly what an act writes, and ask."""
        self.page.display, self.menu.display = True, False
        self._head(f"{title(choice.act, choice.to)}: {self.what}")
        self.page.ask(choice, fields=self._asks)

    def _head(self, words: str) -> None:
        self.heading.update(Content(words))

    @property
    def kind(self) -> Literal["own", "guest"]:
        """Whose database the runs are of."""
        return next((run.standing.kind for run in self._runs if run.standing is not None), "own")

    @property
    def what(self) -> str:
        """What is acted on, in words."""
        if self._called:
            return self._called
        if len(self._runs) == 1:
            return clip(f"run {line(self._runs[0].key.run_id)}", _WIDTH // 2)
        return counted(len(self._runs), "run")

    @on(RowList.Moved, "#act-choices")
    def tell_about(self) -> None:
        """Say what is to be known of the line under the cursor."""
        at = self.offered.cursor
        self.told.present(lambda width: self.about(at, width))

    @on(RowList.Opened, "#act-choices")
    def open_choice(self, event: RowList.Opened) -> None:
        """Ask about the act that was chosen."""
        if isinstance(event.item, int):
            self.action_choose(event.item + 1)

    @on(ActPage.Confirmed)
    def return_writes(self, event: ActPage.Confirmed) -> None:
        """Return what was shown."""
        self.reason = event.reason
        self.dismiss(event.writes)

    @on(ActPage.Cancelled)
    def return_nothing(self) -> None:
        """Leave without a change."""
        self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Numbers choose in the menu alone."""
        return action != "choose" or self.menu.display

    def action_choose(self, number: int) -> None:
        """Choose a line of the menu by its number."""
        if number <= len(self.offered.source):
            self.offered.cursor = number - 1
            self.choose(number - 1)

    def action_back(self) -> None:
        """Go from a field to Cancel, from there to the menu, from there away."""
        if self.menu.display or not self._asks:
            self.dismiss(None)
        elif not self.page.leave():
            self.open_menu()
