"""What a person may add to an act, and reading what was typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args

from zeroth_store.actions import Act, Fields
from zeroth_store.status import RunStatus
from zeroth_tui.views.json_problem import json_problem

FieldName = Literal["reason", "message", "output", "pending", "note"]
"""The fields of the dialog. The journal alone keeps `note`; the others are stored in the run."""

FIELDS: Final[tuple[FieldName, ...]] = get_args(FieldName)

HINTS: Final[Mapping[FieldName, str]] = {
    "reason": "a word for machines, such as operator_cancelled",
    "message": "what happened, for people",
    "output": "JSON; empty for none",
    "pending": "ids of the nodes to go on with, commas between them",
    "note": "why, for the journal alone",
}
"""What each field asks for."""


class Wrong(NamedTuple):
    """A field that cannot be used as it is."""

    field: FieldName
    words: str
    at: int
    """Where in the field, in characters."""


def asked(act: Act, to: RunStatus | None) -> tuple[FieldName, ...]:
    """Return which fields an act asks for."""
    match act, to:
        case "move", RunStatus.FAILED:
            return ("reason", "message")
        case "move", RunStatus.COMPLETED:
            return ("output", "note")
        case "move", RunStatus.PENDING:
            return ("pending", "note")
        case "cancel", _:
            return ("message",)
    return ("note",)


def read(typed: Mapping[FieldName, str]) -> Fields | Wrong:
    """Return what was typed, or the first thing that is wrong in it."""
    output = typed.get("output", "").strip() or None
    if output is not None and (wrong := _not_json(typed["output"])) is not None:
        return wrong
    nodes = (node.strip() for node in typed.get("pending", "").split(","))
    return Fields(
        reason=typed.get("reason", "").strip(),
        message=typed.get("message", "").strip(),
        output=output,
        pending=tuple(node for node in nodes if node),
    )


def why(typed: Mapping[FieldName, str]) -> str:
    """Return the reason that the journal keeps."""
    return next((typed[n].strip() for n in ("note", "message", "reason") if typed.get(n)), "")


def _not_json(text: str) -> Wrong | None:
    """Return what makes it no JSON."""
    problem = json_problem(text)
    if problem is None:
        return None
    where = "" if problem.at is None else f" at character {problem.at + 1}"
    return Wrong("output", f"{problem.words}{where}", problem.at or 0)
