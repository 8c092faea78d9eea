"""A pane of checkpoints from which runs can be gone back with, and gone on from in a new run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from zeroth_store.browse import CheckpointSummary, RunKey
from zeroth_tui.views.checkpoint_changes import is_thread_state
from zeroth_tui.widgets.pane import Pane


class BranchingPane(Pane):
    """Asks for the checkpoint under the cursor to be restored, or forked from."""

    BINDING_GROUP_TITLE = "Checkpoints"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "b",
            "restore",
            "Go back",
            id="checkpoints.restore",
            tooltip="Take the run back to this checkpoint",
        ),
        Binding(
            "F", "fork", "Fork", id="checkpoints.fork", tooltip="A new run from this checkpoint"
        ),
    ]

    branching: reactive[bool] = reactive(False, init=False, bindings=True)
    """Whether anything can be changed at all."""

    @dataclass
    class BranchWanted(Message):
        """Somebody wants to restore a checkpoint, or to fork from it."""

        act: Literal["restore", "fork"]
        key: RunKey
        """The run that the checkpoint is of, any of the thread's."""
        checkpoint_id: str

    def chosen(self) -> tuple[RunKey, CheckpointSummary] | None:
        """Return the open run and the checkpoint under the cursor."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Hide what cannot be done at all."""
        return self.branching if action in {"restore", "fork"} else True

    def action_restore(self) -> None:
        """Ask for the run of the checkpoint under the cursor to be as it was then."""
        self._branch("restore")

    def action_fork(self) -> None:
        """Ask for a new run from the checkpoint under the cursor."""
        self._branch("fork")

    def _branch(self, act: Literal["restore", "fork"]) -> None:
        if (chosen := self.chosen()) is None:
            self.notify("There is no checkpoint under the cursor", severity="warning")
            return
        key, checkpoint = chosen
        if checkpoint.run_id is None or is_thread_state(checkpoint):
            self.notify("This checkpoint holds no run to go on with", severity="warning")
            return
        own = key._replace(run_id=checkpoint.run_id)
        self.post_message(self.BranchWanted(act, own, checkpoint.checkpoint_id))
