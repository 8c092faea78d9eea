"""The part of the explorer that acts on the open run, where it is given an operator."""

from __future__ import annotations

from typing import ClassVar

from textual import work
from textual.binding import Binding, BindingType

from zeroth_store.browse import RunKey, RunSummary
from zeroth_store.protocols import RunOperator
from zeroth_store.status import ALLOWED_TRANSITIONS, RunStatus
from zeroth_tui.screens import acting
from zeroth_tui.screens.going_screen import GoingScreen


class ActingScreen(GoingScreen):
    """Changes the status of the open run, and writes checkpoints of it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "act", "Actions", id="explorer.act", tooltip="Change the run's status"),
        Binding("c", "checkpoint", "Checkpoint", id="explorer.checkpoint"),
    ]

    def action_act(self) -> None:
        """Ask which status the run is to get."""
        self._act()

    def action_checkpoint(self) -> None:
        """Write a checkpoint of the run."""
        self._checkpoint()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Hide what cannot be done at all, grey what cannot be done to this run."""
        if action not in {"act", "checkpoint"}:
            return True
        if self._operator is None:
            return False
        status = self._known_status
        if status is None:
            return None
        return True if action == "checkpoint" or ALLOWED_TRANSITIONS[status] else None

    @work(group="ask")
    async def _act(self) -> None:
        summary, seen = self._summary, self._known_status
        if self._operator is None or summary is None or seen is None:
            return
        from zeroth_tui.screens.action_dialog import ActionDialog

        new = await self.app.push_screen_wait(ActionDialog(summary, seen))
        if new is not None:
            self._change(self._operator, summary.key, seen, new)

    @work(group="write")
    async def _change(
        self, operator: RunOperator, key: RunKey, seen: RunStatus, new: RunStatus
    ) -> None:
        self._say(await acting.change_status(operator, key, seen, new))

    @work(group="write")
    async def _checkpoint(self) -> None:
        summary, seen = self._summary, self._known_status
        if self._operator is not None and summary is not None and seen is not None:
            self._say(await acting.write_checkpoint(self._operator, summary.key, seen))

    def _say(self, outcome: acting.Outcome) -> None:
        self.notify(outcome.words, severity=outcome.severity, markup=False)
        self.action_reload()

    @property
    def _summary(self) -> RunSummary | None:
        return None if self.opened is None else self.opened.detail.summary

    @property
    def _known_status(self) -> RunStatus | None:
        """The open run's status, if it is one that this version knows and may write."""
        summary = self._summary
        if self.opened is not None and self.opened.as_of is not None:
            return None  # what a checkpoint holds is past
        if summary is None or not summary.writable or summary.status not in set(RunStatus):
            return None
        return RunStatus(summary.status)
