"""The Checkpoints tab: what was saved, the difference between any two, what an agent kept."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from zeroth_store.browse import CheckpointSummary, JsonText, RunKey
from zeroth_store.checkpoint_detail import CheckpointFacts
from zeroth_tui.line import Row
from zeroth_tui.views.checkpoint_changes import predecessors
from zeroth_tui.views.checkpoint_difference import Difference, difference_rows
from zeroth_tui.views.checkpoints import CheckpointItem, checkpoint_rows
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.thread_state import thread_state_rows
from zeroth_tui.widgets.branching_pane import BranchingPane
from zeroth_tui.widgets.pane import Build


class CheckpointsPane(BranchingPane):
    """Lists a thread's checkpoints; what one holds is asked for when it comes in sight."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "mark", "Mark", id="checkpoints.mark", tooltip="First of a comparison"),
        Binding(
            "d",
            "difference",
            "Difference",
            id="checkpoints.difference",
            tooltip="Compare with the marked checkpoint, or with the one before",
        ),
        Binding("escape", "close", "Back to the list", id="checkpoints.close"),
    ]

    over: reactive[Build | None] = reactive(None, init=False, bindings=True)
    """What covers the list: a difference or an agent's state."""

    @dataclass
    class FactsWanted(Message):
        """Checkpoints of which nothing is known yet came in sight."""

        key: RunKey
        checkpoint_ids: tuple[str, ...]

        def can_replace(self, message: Message) -> bool:
            """Only the last of a burst matters: it asks for everything in sight."""
            return isinstance(message, CheckpointsPane.FactsWanted)

    @dataclass
    class OpenWanted(Message):
        """Somebody wants to see what a checkpoint holds."""

        checkpoint: CheckpointSummary

    @dataclass
    class DifferenceWanted(Message):
        """Somebody wants to see what is different in two checkpoints."""

        key: RunKey
        before: CheckpointSummary
        after: CheckpointSummary

    def __init__(self, id: str, clock: Callable[[], datetime], zone: tzinfo) -> None:  # noqa: A002
        """Show times in `zone`, ages by `clock`."""
        super().__init__(id=id)
        self._clock = clock
        self._zone = zone
        self._run: LoadedRun | None = None
        self._facts: dict[str, CheckpointFacts] = {}
        self._fresh: set[str] = set()
        self._marked: str | None = None
        self._place: object | None = None  # where the cursor goes when the list is shown next
        self._heads: list[int] = []

    def show_run(self, run: LoadedRun) -> None:
        """List the checkpoints of a run's thread; what was known of the same thread stays."""
        old, self._run = self._run, run
        self._fresh = set()
        if run.as_of is None and (old is None or (old.as_of is None and not run.same_as(old))):
            self._place = self._last_own(run)
        if old is None or _thread(old) != _thread(run):
            self._facts, self._marked = {}, None
            self.over = None
        self.present(self.over or self._list)

    def learn(self, asked: FactsWanted, facts: tuple[CheckpointFacts, ...]) -> None:
        """Take what was asked for."""
        if self._run is None or asked.key != self._run.detail.summary.key:
            return
        self._fresh.update(asked.checkpoint_ids)
        self._facts.update((one.checkpoint_id, one) for one in facts)
        if self.over is None:
            self.rebuild()

    def show_difference(self, difference: Difference) -> None:
        """Cover the list with a difference."""
        self._show_over(lambda width: difference_rows(difference, self._zone, width))

    def show_thread_state(self, checkpoint: CheckpointSummary, state: JsonText) -> None:
        """Cover the list with what an agent kept for its thread."""
        self._show_over(lambda width: thread_state_rows(checkpoint, state, self._zone, width))

    def rebuild(self, item: object | None = None) -> None:
        """Lay the rows out again, and ask about those that came in sight.

        Out of sight the pane has no width: its rows stay, and with them the cursor's place.
        """
        if self.size.width:
            if self.over is None:
                item, self._place = item or self._place, None
            super().rebuild(item)
            self._ask()

    def watch_top(self) -> None:
        """Ask about what came in sight."""
        super().watch_top()
        self._ask()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done with the list, or with what covers it."""
        if action == "close":
            return self.over is not None
        if self.over is not None and action in {"mark", "difference", "restore", "fork"}:
            return False
        return super().check_action(action, parameters)

    def action_move(self, rows: int) -> None:
        """Move from checkpoint to checkpoint in the list."""
        if self.over is not None or not self._heads:
            super().action_move(rows)
            return
        at = bisect_right(self._heads, self.cursor) - 1
        self.cursor = self._heads[max(0, min(at + rows, len(self._heads) - 1))]

    def action_open(self) -> None:
        """Ask for what the checkpoint under the cursor holds."""
        if self.over is None and (summary := self._under_cursor()) is not None:
            self.post_message(self.OpenWanted(summary))

    def action_mark(self) -> None:
        """Make the checkpoint under the cursor the first one of a comparison, or not any more."""
        if (summary := self._under_cursor()) is not None:
            own = summary.checkpoint_id
            self._marked = None if self._marked == own else own
            self.rebuild()

    def action_difference(self) -> None:
        """Ask for the difference from the marked checkpoint, else from the one before."""
        after = self._under_cursor()
        if after is None or self._run is None:
            return
        before = self._find(self._marked or self._before(after))
        if before is None or before is after:
            self.notify("There is no checkpoint before this one: mark another with space")
        else:
            self.post_message(self.DifferenceWanted(self._run.detail.summary.key, before, after))

    def action_close(self) -> None:
        """Go back to the list."""
        self.over = None
        self.present(self._list)

    def chosen(self) -> tuple[RunKey, CheckpointSummary] | None:
        """Return the open run and the checkpoint under the cursor."""
        summary = self._under_cursor()
        return (
            None
            if self._run is None or summary is None
            else (self._run.detail.summary.key, summary)
        )

    def _show_over(self, build: Build) -> None:
        if self.over is None:
            self._place = self.item
        self.over = build
        self.present(build)
        self.cursor = self.top = 0

    def _list(self, width: int) -> tuple[Row, ...]:
        if self._run is None:
            return ()
        rows = checkpoint_rows(
            self._run.checkpoints,
            self._clock(),
            self._zone,
            width,
            facts=self._facts,
            marked=self._marked,
            thread_id=self._run.detail.summary.thread_id,
        )
        items = [row.item for row in rows]
        self._heads = [
            at
            for at, item in enumerate(items)
            if item is not None and item not in items[at - 1 : at]
        ]
        return rows

    def _ask(self) -> None:
        if self._run is None or self.over is not None:
            return
        before = predecessors(self._run.checkpoints)
        wanted: set[str] = set()
        for index in range(self.top, min(self.top + self.size.height, len(self.source))):
            item = self.source.row(index, self.size.width).item
            if isinstance(item, CheckpointItem):
                wanted |= {item.checkpoint_id, before.get(item.checkpoint_id, item.checkpoint_id)}
        if missing := tuple(sorted(wanted - self._fresh)):
            self.post_message(self.FactsWanted(self._run.detail.summary.key, missing))

    def _before(self, after: CheckpointSummary) -> str | None:
        """Return the checkpoint of the same run saved before, else the one above in the list."""
        if self._run is None:
            return None
        ids = [one.checkpoint_id for one in self._run.checkpoints if one.kind != "gone"]
        above = dict(zip(ids[1:], ids, strict=False)).get(after.checkpoint_id)
        return predecessors(self._run.checkpoints).get(after.checkpoint_id, above or "") or None

    def _under_cursor(self) -> CheckpointSummary | None:
        return (
            self._find(self.item.checkpoint_id) if isinstance(self.item, CheckpointItem) else None
        )

    @staticmethod
    def _last_own(run: LoadedRun) -> CheckpointItem | None:
        own = run.detail.summary.key.run_id
        ids = [one.checkpoint_id for one in run.checkpoints if one.run_id == own]
        return CheckpointItem(ids[-1]) if ids else None

    def _find(self, checkpoint_id: str | None) -> CheckpointSummary | None:
        found = () if self._run is None else self._run.checkpoints
        return next((one for one in found if one.checkpoint_id == checkpoint_id), None)


def _thread(run: LoadedRun) -> tuple[str, str, str | None]:
    summary = run.detail.summary
    return summary.key.tenant_id, summary.key.workspace_scope, summary.thread_id
