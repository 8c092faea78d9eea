"""The dialog that acts on runs: offers what can be done, says exactly what is written, and asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one
from textual.screen import ModalScreen
from textual.widgets import Static

from zeroth_store.actions import Write
from zeroth_tui.format import count
from zeroth_tui.line import Row
from zeroth_tui.text import clip, line
from zeroth_tui.views.act_choices import Candidate, Choice, choices
from zeroth_tui.views.act_words import about_rows, choice_row, title
from zeroth_tui.widgets.act_page import ActPage, Plan
from zeroth_tui.widgets.auto_pane import AutoPane
from zeroth_tui.widgets.row_list import RowList
from zeroth_tui.widgets.row_source import FixedRows
from zeroth_tui.widgets.single_click_list import SingleClickList

_WIDTH: Final = 72
"""Cells inside the dialog, where the terminal has room for it."""
_FRAME: Final = 14
"""Lines of the dialog that are not choices: frame, title, hint, and what is said of a choice."""
_LEAST: Final = 3
_DIGITS: Final = 9


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
    about = query_one("#act-about", AutoPane)
    page = query_one(ActPage)

    def __init__(
        self, runs: Sequence[Candidate], plan: Plan, *, only: Choice | None = None
    ) -> None:
        """Ask what to do to `runs`; with `only`, no more than whether and why."""
        super().__init__()
        self._runs = tuple(runs)
        self._choices = choices(runs) if only is None else (only,)
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
                yield Static("enter or number chooses, esc leaves", classes="muted")
            yield ActPage(self._plan, id="act-page")

    def on_mount(self) -> None:
        """Open the menu, or the page of the only act."""
        self.about.can_focus = False
        if self._asks:
            self._open_menu()
        else:
            self._open_page(self._choices[0])

    def on_resize(self) -> None:
        """Leave room for what is said of a choice."""
        self._fit()

    def _fit(self) -> None:
        room = max(_LEAST, self.size.height - _FRAME)
        self.offered.styles.height = min(room, max(1, len(self._choices)))

    def _open_menu(self) -> None:
        self.page.display, self.menu.display = False, True
        question = "What to do to" if self._choices else "Nothing can be done to"
        self._say(f"{question} {self._what}")
        rows = (choice_row(at, one, _WIDTH) for at, one in enumerate(self._choices, start=1))
        self.offered.show(FixedRows(tuple(rows)))
        self.offered.focus()
        self._fit()
        self.about.present(self._build_about)

    def _open_page(self, choice: Choice) -> None:
        self.page.display, self.menu.display = True, False
        self._say(f"{title(choice.act, choice.to)}: {self._what}")
        self.page.ask(choice, fields=self._asks)

    def _say(self, words: str) -> None:
        self.heading.update(Content(words))

    @property
    def _what(self) -> str:
        if len(self._runs) == 1:
            return clip(f"run {line(self._runs[0].key.run_id)}", _WIDTH // 2)
        return f"{count(len(self._runs))} runs"

    def _build_about(self, width: int) -> tuple[Row, ...]:
        at = self.offered.cursor
        return tuple(about_rows(self._choices[at], width)) if at < len(self._choices) else ()

    @on(RowList.Moved, "#act-choices")
    def tell_about(self) -> None:
        """Say what is to be known of the act under the cursor."""
        self.about.present(self._build_about)

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
        """Ask about an act by its number, if it can be done to any of the runs."""
        if number <= len(self._choices):
            self.offered.cursor = number - 1
            if self._choices[number - 1].eligible:
                self._open_page(self._choices[number - 1])

    def action_back(self) -> None:
        """Go from a field to Cancel, from there to the menu, from there away."""
        if self.menu.display or not self._asks:
            self.dismiss(None)
        elif not self.page.leave():
            self._open_menu()
