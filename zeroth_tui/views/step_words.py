"""How one step reads: its name, its sign, how long it took and what is odd about it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from zeroth_store.browse import ApprovalEntry
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Piece, Role
from zeroth_tui.status import look
from zeroth_tui.views.layout import short
from zeroth_tui.views.step import NO_RESULT, Step

_DECISIONS: Final = {
    "approve": "approved",
    "reject": "rejected",
    "edit_and_approve": "edited and approved",
}
_DONE: Final = frozenset({"completed", "failed", "running"})
"""Step statuses that read like the run status of the same name."""


def title(step: Step) -> str:
    """Return a step's node: `work[0]` in a branch of a fan-out, `work #2` on its second visit."""
    node = text.line(step.node_id, 200) or "(empty)"
    if step.branch is not None:
        node = f"{node}[{text.line(step.branch, 20)}]"
    return f"{node} #{step.visit}" if step.visit > 1 else node


def step_look(step: Step) -> tuple[str, Role]:
    """Return a one-cell sign and its role."""
    if step.failed:
        return "✖", "error"
    if step.origin == "waiting":
        return "◷", "waiting" if step.waiting else "muted"
    status = (step.status or "").lower()
    seen = look(status.upper() if status in _DONE else step.status)
    return seen.glyph, seen.role


def waited(step: Step, now: datetime) -> timedelta | None:
    """Return how long a step waited for a decision, until now where it still does."""
    if step.waited_from is None:
        return None
    return (step.waited_until or max(now, step.waited_from)) - step.waited_from


def length_words(step: Step, now: datetime) -> str:
    """Return how long a step took: `?` where no start is stored, `!` after impossible times."""
    taken = _taken(step, now)
    words = "?" if taken is None else fmt.duration(taken.total_seconds())
    return f"{words}!" if step.clamped else words


def note(step: Step, *, erased: bool = False) -> Piece | None:
    """Return what a reader has to know of a step that is not a plain history entry."""
    if step.denied:
        return Piece("denied: a policy refused it, so it never ran", "warning")
    decided = decision_words(step.approval) if step.approval is not None else None
    if decided is not None:
        return Piece(decided, "warning" if step.failed else "muted")
    if step.origin == "audit" and not erased:
        return Piece("only its audit is stored: the run row does not hold it", "warning")
    if step.status == NO_RESULT:
        return Piece("was dispatched; no result is stored", "warning")
    if step.origin == "waiting":
        return Piece(_wait_words(step), "warning")
    return None


def decision_words(approval: ApprovalEntry) -> str | None:
    """Return who decided what; None while nobody has."""
    if approval.decision is None:
        return None
    done = _DECISIONS.get(approval.decision) or text.line(approval.decision)
    if approval.edited and approval.decision == "approve":
        done = _DECISIONS["edit_and_approve"]
    return f"{done} by {text.line(approval.actor)}" if approval.actor else done


def _taken(step: Step, now: datetime) -> timedelta | None:
    if step.start is not None and step.in_flight:
        return max(now, step.start) - step.start
    if step.start is not None and step.end is not None:
        return step.end - step.start
    return waited(step, now) if step.end is None else None


def _wait_words(step: Step) -> str:
    if step.status == "interrupted":
        return "interrupted before it"
    if step.approval is None:
        if step.children:
            return "waits for its child run"
        return "waits; no approval is stored"
    asked = short(step.approval.approval_id)
    if step.waiting:
        return f"waits for approval {asked}"
    return f"approval {asked}: {text.line(step.status)}"
