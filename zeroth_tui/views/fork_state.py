"""The state that a fork starts from as a person edits it, and what an edit changes."""

from __future__ import annotations

import json
from typing import Any, Final

from zeroth_store.run_detail import JsonText
from zeroth_tui import text
from zeroth_tui.views.json_diff import Change, diff
from zeroth_tui.views.json_problem import json_problem

LONGEST: Final = 200_000
"""How many characters of a state can be edited: the editor is slow with more."""

_SET: Final = frozenset(
    {"run_id", "thread_id", "checkpoint_id", "parent_checkpoint_id", "parent_run_id"}
    | {"tenant_id", "workspace_id", "submitted_by", "started_at", "updated_at", "status"}
    | {"error", "failure_state", "final_output", "current_step", "current_node_ids"}
    | {"pending_approval", "pending_interrupt_id"}
)
"""What a fork sets itself, whatever its state says."""

_LINEAGE: Final = "forked_from"
"""What a fork sets in `metadata`."""

_FIRST: Final = ("pending_node_ids", "metadata")
"""What is edited most: the node to go on with, and its input."""


class NotEditable(ValueError):
    """A state that cannot be edited; the sentence says why."""


def editable(state: JsonText) -> str:
    """Return what of a planned fork's state may be changed, laid out for editing.

    Raises NotEditable.
    """
    try:
        laid_out = json.dumps(_members(state), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError) as error:
        raise NotEditable("the state is nested too deeply to be edited") from error
    shown = text.for_editing(laid_out)
    if len(shown) > LONGEST:
        size = f"{len(shown):,} characters, more than the {LONGEST:,}"
        raise NotEditable(f"the state has {size} that can be edited")
    return shown


def holds_secrets(shown: str) -> bool:
    """Whether there is something in a state that is masked elsewhere."""
    return text.mask_text(text.mask_json(shown)) != shown


def not_kept(edited: str, shown: str) -> str:
    """Return which members of an edited state a fork would not keep, as a sentence, or nothing.

    `shown` is what was edited.
    """
    known = _members(shown)
    found = json.loads(edited, parse_int=str)
    strange = [name for name in found if name not in known] if isinstance(found, dict) else []
    if not strange:
        return ""
    names = ", ".join(text.line(name, 40) for name in strange)
    kept = "is set by the fork itself" if _SET.issuperset(strange) else "is no part of this state"
    return f"{names} {kept}, so it would be lost: take it out"


def changes(before: JsonText, after: JsonText) -> tuple[Change, ...]:
    """Return what is different in the states of two planned forks, beside what forks set."""
    return diff(_plain(before), _plain(after))


def takes_constants(shown: str) -> bool:
    """Whether a state holds NaN or an infinity already, which stored states may."""
    return json_problem(shown) is not None


def _members(state: JsonText) -> dict[str, Any]:
    found = {name: value for name, value in json.loads(state).items() if name not in _SET}
    if isinstance(metadata := found.get("metadata"), dict):
        metadata.pop(_LINEAGE, None)
    return {**{name: found[name] for name in _FIRST if name in found}, **found}


def _plain(state: JsonText) -> str:
    return json.dumps(_members(state))
