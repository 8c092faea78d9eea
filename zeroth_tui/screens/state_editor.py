"""The editor of the state that a fork starts from: JSON, checked as it is typed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar, Final

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.getters import query_one
from textual.reactive import reactive
from textual.screen import ModalScreen
from textual.widgets import Static, TextArea

from zeroth_store.errors import StoreError
from zeroth_tui.format import count
from zeroth_tui.key_words import keyed
from zeroth_tui.screens.pushed_screen import PushedScreen
from zeroth_tui.text import line
from zeroth_tui.views.fork_state import holds_secrets, not_kept, takes_constants
from zeroth_tui.views.json_problem import JsonProblem, json_problem, line_and_column
from zeroth_tui.widgets.json_area import JsonArea
from zeroth_tui.widgets.key_bar import KeyBar

Check = Callable[[str], Awaitable[None]]
"""Takes an edited state up. Raises a StoreError that says why it cannot be a run's."""

_SECRETS: Final = """\
This state holds values that are masked everywhere else: passwords, keys or tokens.
The editor shows every value as it is.

{editor.reveal:v} shows it, {editor.leave:esc} goes back."""
_DROPPED: Final = (
    "{editor.leave:esc} again drops what you changed, {editor.go_on:ctrl+s} goes on with it"
)


class StateEditor(ModalScreen[bool], PushedScreen[bool]):
    """Returns whether `check` has taken the edited state."""

    AUTO_FOCUS = ""  # what is covered takes no key
    CSS_PATH = "state_editor.tcss"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "go_on", "Go on", id="editor.go_on", tooltip="Compare, then fork"),
        Binding("escape", "leave", "Back", id="editor.leave", tooltip="Back, without the changes"),
        Binding("v", "reveal", "Show the values", id="editor.reveal"),
    ]

    covered: reactive[bool] = reactive(False, bindings=True)
    """Whether a person has still to ask for the values, as some are secret."""

    area = query_one(JsonArea)
    cover = query_one("#editor-cover", Static)
    told = query_one("#editor-told", Static)

    def __init__(self, shown: str, text: str, check: Check, *, may_show: bool) -> None:
        """Edit `text`, which was `shown` at first; `may_show` when its secrets were asked for."""
        super().__init__()
        self._shown = shown
        self._text = text
        self._check = check
        self._constants = takes_constants(shown)
        self._warned = False
        self.set_reactive(StateEditor.covered, not may_show and holds_secrets(text))

    def compose(self) -> ComposeResult:
        """Lay out the text, what covers it, and what is to be said of it."""
        with Vertical(id="editor"):
            yield Static("The state that the new run starts from", classes="title")
            yield Static(Content(keyed(self, _SECRETS)), id="editor-cover")
            yield JsonArea()
            yield Static(id="editor-told")
            yield KeyBar()

    def on_mount(self) -> None:
        """Show the text, unless it has to be asked for."""
        self.watch_covered()

    def watch_covered(self) -> None:
        """Show the text or what covers it."""
        self.cover.display, self.area.display = self.covered, not self.covered
        if not self.covered:
            self.area.load_text(self._text)
            self.area.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Offer to show what is covered, or to go on with what is not."""
        if action == "reveal":
            return self.covered
        return not self.covered if action == "go_on" else True

    @on(TextArea.Changed)
    def check_text(self) -> None:
        """Say what is wrong in the text as it is now."""
        self._warned = False
        problem = self._problem()
        self._say("" if problem is None else self._where(problem), wrong=problem is not None)

    @work(exclusive=True, group="check")
    async def _take(self, edited: str) -> None:
        try:
            await self._check(edited)
        except StoreError as error:
            self._say(str(error), wrong=True)
        else:
            self.dismiss(True)

    def action_reveal(self) -> None:
        """Show the values."""
        self.covered = False

    def action_go_on(self) -> None:
        """Have the text taken, or go to what is wrong in it."""
        edited, problem = self.area.text, self._problem()
        if problem is not None:
            self._say(self._where(problem), wrong=True)
            if problem.at is not None:
                self.area.move_cursor(line_and_column(edited, problem.at))
        elif lost := not_kept(edited, self._shown):
            self._say(lost, wrong=True)
        else:
            self._take(edited)

    def action_leave(self) -> None:
        """Leave; with changes in the text not before a second time."""
        if self.covered or self._warned or self.area.text == self._text:
            self.dismiss(False)
        else:
            self._warned = True
            self._say(keyed(self, _DROPPED), wrong=False)

    def _problem(self) -> JsonProblem | None:
        return json_problem(self.area.text, constants=self._constants)

    def _where(self, problem: JsonProblem) -> str:
        if problem.at is None:
            return problem.words
        row, column = line_and_column(self.area.text, problem.at)
        return f"line {count(row + 1)}, column {count(column + 1)}: {problem.words}"

    def _say(self, words: str, *, wrong: bool) -> None:
        self.told.update(Content(line(words)))
        self.told.set_class(wrong, "-wrong")
