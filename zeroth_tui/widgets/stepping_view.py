"""The part of the open run that goes from step to step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType
from textual.reactive import reactive

from zeroth_tui.hidden_keys import hidden
from zeroth_tui.views.loaded import LoadedRun
from zeroth_tui.views.step import Step, find
from zeroth_tui.widgets.framed import Framed


class SteppingView(Framed):
    """Selects the step before or after, of the run or of one node."""

    BINDING_GROUP_TITLE = "Run"

    BINDINGS: ClassVar[list[BindingType]] = [
        *hidden(
            "The step before, the step after",
            ("run.previous", "left_square_bracket", "step(-1)", "Previous step"),
            ("run.next", "right_square_bracket", "step(1)", "Next step"),
        ),
        *hidden(
            "The visit of the same node before, the one after",
            ("run.visit_before", "left_curly_bracket", "visit(-1)", "Visit before"),
            ("run.visit_after", "right_curly_bracket", "visit(1)", "Visit after"),
        ),
    ]

    loaded: reactive[LoadedRun | None] = reactive(None, init=False, repaint=False)
    """The open run; None while none is."""
    step: reactive[int | None] = reactive(None, init=False, repaint=False)
    """`Step.index` of the selected step; None where the run has none."""

    def put_cursor_on_step(self) -> None:
        """Put the cursor of the open pane on the selected step."""
        raise NotImplementedError

    def action_step(self, by: int) -> None:
        """Select the step before or after, in the order of the timeline."""
        if self.loaded is not None:
            self._select_among(self.loaded.steps, by)

    def action_visit(self, by: int) -> None:
        """Select the visit before or after of the same node."""
        if self.loaded is None or self.step is None:
            return
        here = find(self.loaded.steps, self.step)
        if here is not None:
            same = tuple(step for step in self.loaded.steps if step.node_id == here.node_id)
            self._select_among(same, by)

    def _select_among(self, steps: Sequence[Step], by: int) -> None:
        order = [step.index for step in steps]
        if order:
            at = order.index(self.step) if self.step in order else 0
            self.step = order[max(0, min(at + by, len(order) - 1))]
            self.put_cursor_on_step()
