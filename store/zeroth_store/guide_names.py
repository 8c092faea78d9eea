"""The how-to guide's names for what a run is built from, and the fields they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_FIELD_OF: Final = {
    "id": "run_id",
    "graph_id": "graph_version_ref",
    "history": "execution_history",
    "outputs": "final_output",
}


def with_field_names(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run's values by field name, `deployment_ref` and `thread_id` defaulted.

    Raises ValueError when one thing is given under two names.
    """
    values = dict(given)
    for alias, field in _FIELD_OF.items():
        if alias in values:
            if field in values:
                raise ValueError(f"{alias} and {field} are the same thing: give one")
            values[field] = values.pop(alias)
    if "inputs" in values:
        values["metadata"] = _with_input(values.get("metadata") or {}, values.pop("inputs"))
    if values.get("thread_id", "") is None:
        values["thread_id"] = ""
    if values.get("deployment_ref") is None and "graph_version_ref" in values:
        values["deployment_ref"] = values["graph_version_ref"]
    return values


def _with_input(metadata: Any, inputs: Any) -> dict[str, Any]:
    """Put the inputs where Zeroth keeps them."""
    if not isinstance(metadata, Mapping):
        raise ValueError("metadata must be a mapping")
    if "initial_input" in metadata:
        raise ValueError("inputs and metadata['initial_input'] are the same thing: give one")
    return {**metadata, "initial_input": inputs}
