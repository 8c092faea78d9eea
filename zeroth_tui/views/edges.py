"""How one branch decision reads: what was asked, what was recorded, whether and why not taken."""

from __future__ import annotations

import json
from typing import Final

from zeroth_store.browse import ConditionEntry
from zeroth_tui import text
from zeroth_tui.line import Piece, Role
from zeroth_tui.views.layout import join, stored
from zeroth_tui.views.payload import decode
from zeroth_tui.views.reasons import explain_suppression

TAKEN: Final = "◆"
NOT_TAKEN: Final = "◇"
_ALWAYS: Final = "passthrough"
_OPERAND_RULES: Final = frozenset({"all", "any"})


def mark(edge: ConditionEntry) -> Piece:
    """Return the sign of an edge: filled when it was taken."""
    return Piece(TAKEN, "ok") if edge.taken else Piece(NOT_TAKEN, "muted")


def label(edge: ConditionEntry) -> str:
    """Return the edge's id, or its condition's."""
    return text.line(edge.edge_id or edge.condition_id) or "(no id)"


def target(edge: ConditionEntry) -> str:
    """Return where the edge leads."""
    return text.line(edge.target) if edge.target is not None else "(target not recorded)"


def question(edge: ConditionEntry) -> str:
    """Return the condition in words: its expression, or the rule over its operands."""
    if edge.rule == _ALWAYS:
        return "always (no condition)"
    operands = decode(edge.operands)
    if edge.rule in _OPERAND_RULES and isinstance(operands, list) and operands:
        return f"{edge.rule} of {', '.join(text.line(name, 80) for name in operands)}"
    if edge.expression is not None:
        return stored(edge.expression)
    return text.line(edge.rule) if edge.rule else "condition not recorded"


def answer(edge: ConditionEntry) -> str:
    """Return the recorded value; for a rule over operands, each operand with its own."""
    if edge.value is None:
        return "value not recorded"
    names, values = decode(edge.operands), decode(edge.value)
    if isinstance(names, list) and isinstance(values, list) and 0 < len(names) == len(values):
        pairs = zip(names, values, strict=True)
        return ", ".join(_operand(str(name), value) for name, value in pairs)
    return stored(edge.value)


def outcome(edge: ConditionEntry) -> str:
    """Return whether the run went along the edge, and why not."""
    if edge.taken:
        return "taken"
    if edge.suppression_reason is not None:
        return f"not taken: {explain_suppression(edge.suppression_reason)}"
    if edge.matched is None:
        return "not taken: whether it matched is not recorded"
    return "not taken: condition false"


def outcome_role(edge: ConditionEntry) -> Role:
    """Return the role of the outcome: what matched and was not taken deserves a look."""
    if edge.taken:
        return "ok"
    return "warning" if edge.matched else "muted"


def is_choice(edges: tuple[ConditionEntry, ...]) -> bool:
    """Whether there was anything to decide: not just unconditional edges that were taken."""
    return any(edge.rule != _ALWAYS or not edge.taken for edge in edges)


def decision_pieces(edge: ConditionEntry, width: int) -> tuple[Piece, ...]:
    """Return a decision for one line; a long condition leaves room for what came of it."""
    asked = "" if edge.rule == _ALWAYS else answer(edge)
    room = max(12, width // 4)
    return (
        mark(edge),
        Piece(f" {label(edge)}", "plain" if edge.taken else "muted"),
        Piece(f"  {join([text.clip(question(edge), room), text.clip(asked, room)])}", "muted"),
        Piece(f"  -> {target(edge)}", "plain" if edge.taken else "muted"),
        Piece(f"  {outcome(edge)}", outcome_role(edge)),
    )


def _operand(name: str, value: object) -> str:
    hidden = text.is_secret(name.rpartition(".")[2])
    shown = text.MASK if hidden else stored(json.dumps(value, ensure_ascii=False), 120)
    return f"{text.line(name, 80)} = {shown}"
