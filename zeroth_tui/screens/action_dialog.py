"""The dialog that changes a run's status: says exactly what will be done, and asks."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from zeroth_store.browse import RunSummary
from zeroth_store.status import ALLOWED_TRANSITIONS, RunStatus
from zeroth_tui.line import Piece, Row
from zeroth_tui.status import look
from zeroth_tui.text import line
from zeroth_tui.widgets.row_list import RowList
from zeroth_tui.widgets.row_source import FixedRows


class ActionDialog(ModalScreen[RunStatus | None]):
    """Offers the statuses that may follow; returns the chosen one, or None when cancelled.

    Cancel has the focus and Enter never confirms: a status is picked by its number or with the
    arrows, and `y` confirms it.
    """

    CSS_PATH = "action_dialog.tcss"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", "Cancel", id="dialog.cancel"),
        Binding("y", "confirm", "Confirm", id="dialog.confirm", tooltip="Write the change"),
        Binding("up,k", "pick(-1)", "Up", show=False, id="dialog.up"),
        Binding("down,j", "pick(1)", "Down", show=False, id="dialog.down"),
        *(
            Binding(str(number), f"choose({number})", show=False, id=f"dialog.choose_{number}")
            for number in range(1, 6)
        ),
    ]

    def __init__(self, run: RunSummary, seen: RunStatus) -> None:
        """Ask about `run`, whose status was `seen` when the dialog opened."""
        super().__init__()
        self._run = run
        self._seen = seen
        self._choices = [new for new in RunStatus if new in ALLOWED_TRANSITIONS[seen]]

    def compose(self) -> ComposeResult:
        """Lay out what it is, what may follow, what will be written, and the buttons."""
        with Vertical(id="dialog"):
            yield Static(Content("Change the status of run"), classes="title")
            yield Static(Content(line(self._run.key.run_id)), id="dialog-run")
            yield Static(Content(_where(self._run)), classes="muted")
            yield RowList(id="dialog-choices")
            yield Static(id="dialog-effect")
            with Horizontal(id="dialog-buttons"):
                yield Button("Cancel", id="cancel", variant="primary")
                confirm = Button("Confirm (y)", id="confirm", variant="error")
                confirm.can_focus = False
                yield confirm

    def on_mount(self) -> None:
        """List the choices, with the focus on Cancel."""
        choices = self.query_one(RowList)
        choices.can_focus = False
        choices.show(FixedRows(tuple(self._choice(at) for at in range(len(self._choices)))))
        choices.styles.height = len(self._choices)
        self.query_one("#cancel", Button).focus()
        self._show_effect()

    def _choice(self, at: int) -> Row:
        now, then = look(self._seen), look(self._choices[at])
        return Row(
            (
                Piece(f" {at + 1}  ", "muted"),
                Piece(f"{now.glyph} {now.word}", now.role),
                Piece("  ->  ", "muted"),
                Piece(f"{then.glyph} {then.word}", then.role),
            ),
            at,
        )

    @on(RowList.Moved)
    def show_choice(self) -> None:
        """Say what the picked change writes."""
        self._show_effect()

    def _show_effect(self) -> None:
        new = self._choices[self.query_one(RowList).cursor]
        columns = "status, updated_at"
        if self._seen is RunStatus.FAILED:
            columns = "status, error, failure_state, failure_count, updated_at"
        words = (
            f"Writes {columns} and a checkpoint, if the status is still {self._seen}.\n"
            f"y writes {new}. Enter and esc leave everything as it is."
        )
        self.query_one("#dialog-effect", Static).update(Content(words))

    @on(Button.Pressed, "#cancel")
    def press_cancel(self) -> None:
        """Leave without a change."""
        self.dismiss(None)

    @on(Button.Pressed, "#confirm")
    def press_confirm(self) -> None:
        """Return the picked status."""
        self.action_confirm()

    def action_cancel(self) -> None:
        """Leave without a change."""
        self.dismiss(None)

    def action_confirm(self) -> None:
        """Return the picked status."""
        self.dismiss(self._choices[self.query_one(RowList).cursor])

    def action_pick(self, by: int) -> None:
        """Pick the choice above or below."""
        self.query_one(RowList).action_move(by)

    def action_choose(self, number: int) -> None:
        """Pick a choice by its number."""
        if number <= len(self._choices):
            self.query_one(RowList).cursor = number - 1


def _where(run: RunSummary) -> str:
    parts = (f"graph {line(run.graph, 60)}", f"thread {line(run.thread_id, 60)}")
    scope = "" if run.key.tenant_id == "default" else f"  tenant {line(run.key.tenant_id, 60)}"
    return "  ".join(parts) + scope
