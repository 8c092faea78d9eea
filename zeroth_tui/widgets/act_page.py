"""The page that says exactly what an act writes, asks what is missing, and lets it be confirmed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final

import msgspec
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.getters import query_one
from textual.message import Message
from textual.widgets import Button, Input, Static

from zeroth_store.actions import Fields, Offer, Standing, Write
from zeroth_store.summaries import RunKey
from zeroth_tui.line import Row
from zeroth_tui.text import line
from zeroth_tui.views.act_choices import Choice
from zeroth_tui.views.act_fields import FIELDS, HINTS, FieldName, Wrong, asked, read, why
from zeroth_tui.views.act_words import about_rows, write_rows
from zeroth_tui.widgets.auto_pane import AutoPane
from zeroth_tui.widgets.field_input import FieldInput

Plan = Callable[[Offer, RunKey, Standing, Fields], Write]
"""Makes exactly what would be written for an offer to a run.

Runs that stand alike get the same, but for their key."""

Lead = Callable[[int], tuple[Row, ...]]
"""Makes what is said above what is written, for a width in cells."""

MOST_AT_ONCE: Final = 10
"""Acting on more runs than this asks for their number."""

_FRAME: Final = 9
"""Lines of the dialog that are neither what is written nor a field."""
_LEAST: Final = 3


class ActPage(Vertical):
    """Plans anew with every key typed, so that what is confirmed is what is shown.

    Cancel has the focus, Enter never confirms.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "confirm", "Confirm", id="act.confirm", tooltip="Write what is shown"),
    ]

    rows = query_one("#act-rows", AutoPane)
    problem = query_one("#act-problem", Static)
    cancel = query_one("#cancel", Button)
    confirm = query_one("#confirm", Button)

    @dataclass
    class Confirmed(Message):
        """A person wants what is shown to be written."""

        writes: tuple[Write, ...]
        reason: str
        """What the journal keeps of why."""

    class Cancelled(Message):
        """A person wants nothing to be written."""

    def __init__(
        self,
        plan: Plan,
        lead: Lead,
        *,
        id: str | None = None,  # noqa: A002
    ) -> None:
        """Show what `plan` makes, under what `lead` says."""
        super().__init__(id=id)
        self._plan = plan
        self._choice: Choice | None = None
        self._asked: tuple[FieldName, ...] = ()
        self._writes: tuple[Write, ...] = ()
        self._lead = lead

    def compose(self) -> ComposeResult:
        """Lay out what is written, the fields, what is wrong, and the buttons."""
        yield AutoPane(id="act-rows")
        for name in FIELDS:
            yield from _field(name, HINTS[name])
        yield from _field("count", "how many runs")
        yield Static(id="act-problem")
        with Horizontal(id="act-buttons"):
            yield Button("Cancel", id="cancel", variant="primary")
            confirm = Button("Confirm (y)", id="confirm", variant="error")
            confirm.can_focus = False
            yield confirm

    def ask(self, choice: Choice, *, fields: bool) -> None:
        """Ask whether an act is to be done, and why; with `fields`, for what it writes as well."""
        self._choice = choice
        self._asked = asked(choice.act, choice.to) if fields else ("note",)
        for name in FIELDS:
            self._show_field(name, shown=name in self._asked)
        self._show_field("count", shown=self._many)
        self.cancel.focus()
        self._plan_writes()

    def _show_field(self, name: str, *, shown: bool) -> None:
        self._input(name).value = ""
        self.query_one(f"#act-field-{name}").display = shown

    @property
    def _many(self) -> bool:
        return self._choice is not None and len(self._choice.eligible) > MOST_AT_ONCE

    @property
    def _typed(self) -> dict[FieldName, str]:
        return {name: self._input(name).value for name in self._asked}

    def _input(self, name: str) -> FieldInput:
        return self.query_one(f"#act-{name}", FieldInput)

    def on_resize(self) -> None:
        """Leave room for the buttons, however low the terminal is."""
        self._fit()

    def _fit(self) -> None:
        others = _FRAME + len(self._asked) + self._many + self.problem.display
        self.rows.styles.max_height = max(_LEAST, self.screen.size.height - others)

    @on(Input.Changed)
    def change_field(self) -> None:
        """Show what would be written now."""
        self._plan_writes()

    @on(Input.Submitted)
    def leave_field(self) -> None:
        """Go to Cancel: Enter never confirms."""
        self.cancel.focus()

    def _plan_writes(self) -> None:
        """Plan with what was typed; while that cannot be used nothing can be confirmed."""
        if self._choice is None:
            return
        fields = read(self._typed)
        self._input("output").wrong = (fields.at, fields.at) if isinstance(fields, Wrong) else None
        if isinstance(fields, Wrong):
            self._writes = ()
            self._say(fields.words)
        else:
            self._writes = self._planned(self._choice, fields)
            self._say(self._missing())
        self.rows.present(self._build)
        self._fit()

    def _planned(self, choice: Choice, fields: Fields) -> tuple[Write, ...]:
        """Plan for each run; runs that stand alike get the same, so that is planned once."""
        alike: dict[tuple[Offer, Standing], Write] = {}
        for run in choice.eligible:
            if (run.offer, run.standing) not in alike:
                write = self._plan(run.offer, run.key, run.standing, fields)
                alike[run.offer, run.standing] = write
        return tuple(
            msgspec.structs.replace(alike[run.offer, run.standing], key=run.key)
            for run in choice.eligible
        )

    def _missing(self) -> str:
        runs = str(len(self._writes))
        if self._many and self._input("count").value.strip() != runs:
            return f"More than {MOST_AT_ONCE} runs: type {runs} to confirm"
        return ""

    def _say(self, words: str) -> None:
        self.problem.update(Content(line(words)))
        self.problem.display = bool(words)
        self.confirm.disabled = bool(words) or not self._writes

    def _build(self, width: int) -> tuple[Row, ...]:
        if self._choice is None:
            return ()
        about = (*about_rows(self._choice, width), *self._lead(width))
        written = write_rows(self._writes, width)
        return (*about, *([Row(())] if about and written else []), *written)

    @on(Button.Pressed, "#cancel")
    def press_cancel(self) -> None:
        """Leave without a change."""
        self.post_message(self.Cancelled())

    @on(Button.Pressed, "#confirm")
    def press_confirm(self) -> None:
        """Have what is shown written."""
        self.action_confirm()

    def action_confirm(self) -> None:
        """Have what is shown written, unless something is still missing."""
        if not self.confirm.disabled:
            self.post_message(self.Confirmed(self._writes, why(self._typed)))

    def leave(self) -> bool:
        """Go from a field to Cancel; False when the focus is there already."""
        if not isinstance(self.screen.focused, FieldInput):
            return False
        self.cancel.focus()
        return True


def _field(name: str, hint: str) -> ComposeResult:
    with Horizontal(id=f"act-field-{name}", classes="field"):
        yield Static(Content(name))
        yield FieldInput(hint, id=f"act-{name}")
