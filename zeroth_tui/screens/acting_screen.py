"""The part of the explorer that acts on runs, where it is given an actor, and keeps the journal."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from textual import work
from textual.binding import Binding, BindingType

from zeroth_store.actions import Act, Outcome, Write
from zeroth_store.browse import RunKey, RunSummary
from zeroth_store.errors import StoreError
from zeroth_tui.format import counted
from zeroth_tui.hidden_keys import hidden
from zeroth_tui.screens.going_screen import GoingScreen
from zeroth_tui.text import line

if TYPE_CHECKING:
    from zeroth_tui.journal import Entry, Journal
    from zeroth_tui.screens.act_dialog import ActDialog
    from zeroth_tui.views.act_choices import Candidate, Choice
    from zeroth_tui.widgets.act_page import Plan

MANY: Final = 100
"""From so many runs on it takes a moment to look at them, and to write."""

Kind = Literal["own", "guest"]
"""Whose database it is."""

Result = tuple[Write, Outcome]
"""What was written, and what became of it."""


class ActingScreen(GoingScreen):
    """Asks what to do, shows exactly what is written, writes it and says what became of it."""

    BINDING_GROUP_TITLE = "Act"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(
            "x",
            "act",
            "Actions",
            id="explorer.act",
            tooltip="What can be done to the run, or to the marked ones",
        ),
        Binding(
            "c",
            "checkpoint",
            "Checkpoint",
            id="explorer.checkpoint",
            tooltip="Write a checkpoint of the run, or of the marked ones",
        ),
        *hidden(
            "What was done from here, and how to undo it",
            ("explorer.journal", "at", "journal", "Journal"),
        ),
    ]

    _opened_journal: Journal | None = None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what cannot be done at all, grey what there is no run for."""
        if action == "journal":
            return self._journal_path is not None
        if action not in {"act", "checkpoint"}:
            return super().check_action(action, parameters)
        if self._actor is None:
            return False
        return True if self._chosen else None

    def action_act(self) -> None:
        """Offer what can be done to the marked runs, else to the open one."""
        self.note_use("explorer.act")
        self._act(self._chosen, None)

    def action_checkpoint(self) -> None:
        """Offer to write a checkpoint of the marked runs, else of the open one."""
        self._act(self._chosen, "checkpoint")

    def action_journal(self) -> None:
        """Show what was done from here, and undo some of it."""
        self._show_journal()

    @property
    def _chosen(self) -> tuple[RunKey, ...]:
        """The runs that an act is for."""
        if self.marks:
            return tuple(sorted(self.marks))
        summary = self._summary
        acting_now = summary is not None and self.opened is not None and self.opened.as_of is None
        return (summary.key,) if summary is not None and acting_now else ()

    @property
    def _summary(self) -> RunSummary | None:
        return None if self.opened is None else self.opened.detail.summary

    @work(exclusive=True, group="ask")
    async def _act(self, keys: Sequence[RunKey], only: Act | None) -> None:
        await self.ask_about(keys, only)

    async def ask_about(self, keys: Sequence[RunKey], only: Act | None, what: str = "") -> None:
        """Ask what to do to runs, called `what`, and do it; with `only` that act alone."""
        from zeroth_store.acting import plan
        from zeroth_tui.views.act_choices import choices

        now = self._clock()
        runs = await self._candidates(keys)
        self.marks -= {run.key for run in runs if run.standing is None}
        if runs:
            wanted = next((one for one in choices(runs) if one.act == only), None)
            await self._ask(runs, partial(plan, now=now), wanted, what)

    async def _ask(
        self, runs: Sequence[Candidate], plan: Plan, only: Choice | None, what: str = ""
    ) -> None:
        from zeroth_tui.screens.act_dialog import ActDialog

        await self.confirm(ActDialog(runs, plan, only=only, what=what))

    async def confirm(self, dialog: ActDialog) -> None:
        """Show what would be written, and write it when it is confirmed."""
        if writes := await self.app.push_screen_wait(dialog):
            self._write(dialog.kind, writes, dialog.reason)

    async def _candidates(self, keys: Sequence[RunKey]) -> list[Candidate]:
        """Return runs with what can be done to them; none when that is not known."""
        from zeroth_store.acting import offers
        from zeroth_tui.views.act_choices import Candidate
        from zeroth_tui.views.branch_words import with_ways

        if self._actor is None:
            return []
        try:
            standings = await self._actor.standings(keys)
        except StoreError as error:
            self.notify(line(str(error)), severity="error", markup=False)
            return []
        found: list[Candidate] = []
        for key, standing in zip(keys, standings, strict=True):
            offered = () if standing is None else offers(standing, self._clock())
            kind = "own" if standing is None else standing.kind
            found.append(Candidate(key, standing, with_ways(offered, kind)))
        return found

    @work(group="write")
    async def _write(self, kind: Kind, writes: Sequence[Write], reason: str) -> None:
        from zeroth_tui.views.act_outcomes import unwritten_words

        if (actor := self._actor) is None:
            self.notify("Nothing was written: the past cannot be changed", severity="warning")
            return
        if len(writes) > MANY:
            self.notify(f"Writing to {counted(len(writes), 'run')} …", markup=False)
        results: list[Result] = []
        for write in writes:
            try:
                outcome = await actor.write(write)
            except StoreError as error:
                words = unwritten_words(error)
                outcome = Outcome(key=write.key, written=False, stored=None, problem=words)
            results.append((write, outcome))
            await self._note(kind, write, outcome, reason)
        self._say(results)
        self.marks -= {write.key for write in writes}
        await self.show_written(results)

    async def show_written(self, results: Sequence[Result]) -> None:  # noqa: ARG002
        """Show the runs as they are after something was written."""
        self.action_reload()

    async def _note(self, kind: Kind, write: Write, outcome: Outcome, reason: str) -> None:
        from zeroth_tui.journal import JournalError

        journal = self._journal()
        if journal is None:
            return
        try:
            await asyncio.to_thread(
                journal.record,
                write,
                outcome,
                database=self._opening.database,
                kind=kind,
                reason=reason,
            )
        except JournalError as error:
            self.notify(line(str(error)), severity="error", markup=False)

    def _journal(self) -> Journal | None:
        """Return the journal, opened when it is first needed."""
        if self._opened_journal is None and self._journal_path is not None:
            from zeroth_tui.journal import Journal, user_name

            self._opened_journal = Journal(self._journal_path, self._live, user_name())
        return self._opened_journal

    def _say(self, results: Sequence[Result]) -> None:
        """Say what became of one write in a toast, of several in a list."""
        from zeroth_tui.screens.act_results import ActResults
        from zeroth_tui.views.act_outcomes import outcome_words

        if len(results) == 1:
            said = outcome_words(*results[0])
            self.notify(said.words, severity=said.severity, markup=False)
        else:
            self.app.push_screen(ActResults(results), self._open_result)

    def _open_result(self, key: RunKey | None) -> None:
        if key is not None:
            self._look_at(key)

    @work(group="ask")
    async def _show_journal(self) -> None:
        from zeroth_tui.screens.journal_screen import JournalScreen

        journal = self._journal()
        if journal is None:
            return
        screen = JournalScreen(
            journal,
            database=self._opening.database,
            clock=self._live,
            zone=self._zone,
            may_write=self._actor is not None,
        )
        undo = await self.app.push_screen_wait(screen)
        if undo is not None:
            await self._undo(undo.entry, undo.write)

    async def _undo(self, entry: Entry, write: Write) -> None:
        """Ask once more, with what the run allows now, and write the inverse."""
        from zeroth_store.acting import target
        from zeroth_tui.views.act_choices import choices

        wanted = (write.act, target(write))
        runs = [
            run._replace(offers=tuple(one for one in run.offers if (one.act, one.to) == wanted))
            for run in await self._candidates((write.key,))
        ]
        only = choices(runs)
        if only:
            await self._ask(runs, lambda *_: write, only[0])
        elif runs:
            words = f"{entry.act} cannot be undone: the run does not allow it as it stands now"
            self.notify(words, severity="warning", markup=False)
