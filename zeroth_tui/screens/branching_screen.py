"""The part of the explorer that goes back to a checkpoint, and on from anywhere in a new run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

import msgspec
from textual import on, work
from textual.binding import BindingType

from zeroth_store.actions import Act, RunBrancher
from zeroth_store.errors import StoreError
from zeroth_store.run_detail import JsonText
from zeroth_tui.hidden_keys import hidden
from zeroth_tui.screens.acting_screen import Result
from zeroth_tui.screens.checkpoint_screen import CheckpointScreen
from zeroth_tui.screens.matches_screen import MatchesScreen
from zeroth_tui.text import line
from zeroth_tui.views.branch_source import Source, from_checkpoint, source_of
from zeroth_tui.widgets.checkpoints_pane import CheckpointsPane
from zeroth_tui.widgets.run_tabs import CHECKPOINTS

if TYPE_CHECKING:
    from zeroth_tui.screens.fork_dialog import Forks
    from zeroth_tui.views.act_choices import Candidate


class BranchingScreen(CheckpointScreen, MatchesScreen):
    """Restores and forks runs of own databases; what is written is shown and asked first."""

    BINDING_GROUP_TITLE = "Act"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden(
            "A new run from before the selected step, or from a checkpoint",
            ("explorer.fork", "F", "fork", "Fork"),
        ),
    ]

    def on_mount(self) -> None:
        """Let checkpoints be gone back to where anything can be changed."""
        self.run_view.checkpoints.branching = self._actor is not None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what cannot be done at all, grey what there is no run for."""
        if action in {"fork", "restore"}:
            return False if self._actor is None else (self.opened is not None or None)
        return super().check_action(action, parameters)

    def action_fork(self) -> None:
        """Ask how to go on in a new run from the checkpoint or step that is chosen."""
        opened = self.opened
        if opened is None:
            return
        if self.run_view.tab == CHECKPOINTS and opened.as_of is None:
            self.run_view.checkpoints.action_fork()
        elif (source := source_of(opened, self.run_view.step)) is not None:
            self._fork(source)
        else:
            words = "No history tells of this step: choose another one, or a checkpoint (4)"
            self.notify(words, severity="warning")

    def action_restore(self) -> None:
        """Ask whether to go back to the checkpoint that is chosen."""
        if self.run_view.tab == CHECKPOINTS:
            self.run_view.checkpoints.action_restore()
        else:
            self.notify("Choose what to go back to in Checkpoints (4)", severity="warning")

    @on(CheckpointsPane.BranchWanted)
    def branch(self, event: CheckpointsPane.BranchWanted) -> None:
        """Go back to a checkpoint of the thread, or on from it in a new run."""
        event.stop()
        if event.act == "restore":
            self._restore(from_checkpoint(event.key, event.checkpoint_id))
        else:
            self._fork(from_checkpoint(event.key, event.checkpoint_id))

    @work(exclusive=True, group="ask")
    async def _restore(self, source: Source) -> None:
        from zeroth_tui.screens.act_dialog import ActDialog
        from zeroth_tui.views.act_choices import choices
        from zeroth_tui.views.branch_words import source_rows

        if (brancher := self._brancher()) is None or source.checkpoint_id is None:
            return
        try:
            write = await brancher.plan_restore(source.key, source.checkpoint_id)
            run = await self._offering(brancher, source, "restore")
        except StoreError as error:
            self._refuse(error)
            return
        only, lead = choices([run])[0], partial(source_rows, source)
        await self.confirm(ActDialog([run], lambda *_: write, only=only, lead=lead))

    @work(exclusive=True, group="ask")
    async def _fork(self, source: Source) -> None:
        from zeroth_tui.screens.fork_dialog import ForkDialog

        if (brancher := self._brancher()) is None:
            return

        async def plan(state: JsonText | None) -> Forks:
            return await _plan_forks(brancher, source, state)

        try:
            forks = await plan(None)
            run = await self._offering(brancher, source, "fork")
        except StoreError as error:
            self._refuse(error)
            return
        await self.confirm(ForkDialog(run, source, forks, plan))

    def _brancher(self) -> RunBrancher | None:
        """Return the actor where it can restore and fork; say so where it cannot."""
        from zeroth_tui.views.branch_words import OWN_ALONE

        if isinstance(self._actor, RunBrancher):
            return self._actor
        words = "The past cannot be changed" if self._actor is None else OWN_ALONE
        self.notify(words, severity="warning", markup=False)
        return None

    async def _offering(self, brancher: RunBrancher, source: Source, act: Act) -> Candidate:
        """Return the run with this one offer. Raises ActRefused when it is not offered."""
        from zeroth_store.acting import ActRefused, offers
        from zeroth_tui.views.act_choices import Candidate

        standing = await brancher.standing(source.key)
        offered = () if standing is None else offers(standing, self._clock())
        found = next((one for one in offered if one.act == act), None)
        if found is None or not found.allowed:
            raise ActRefused("the run does not allow it any more")
        if self._looked_at != source.key:
            elsewhere = f"this is run {line(source.key.run_id)}, not the one that is open"
            found = msgspec.structs.replace(found, warnings=(elsewhere, *found.warnings))
        return Candidate(source.key, standing, (found,))

    def _refuse(self, error: StoreError) -> None:
        self.notify(line(str(error)), severity="warning", markup=False)

    async def show_written(self, results: Sequence[Result]) -> None:
        """Open the run that a fork has made."""
        made = next((outcome.run for _, outcome in results if outcome.run is not None), None)
        if made is None:
            await super().show_written(results)
        else:
            await self.open_by_key(made)


async def _plan_forks(brancher: RunBrancher, source: Source, state: JsonText | None) -> Forks:
    """Plan a fork for either thread. Raises a StoreError."""
    from zeroth_tui.screens.fork_dialog import Forks

    same, new = [
        await brancher.plan_fork(
            source.key,
            checkpoint_id=source.checkpoint_id,
            step=source.step,
            new_thread=new_thread,
            state=state,
        )
        for new_thread in (False, True)
    ]
    return Forks(same, new, brancher.state_of(same))
