"""Rows to models and back: the one place that knows how the repositories' columns are spelt.

JSON is written as Zeroth writes it: sorted keys, no spaces, ASCII, NaN bare, times ending in `Z`.
Fields a model does not know are kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from zeroth_store.errors import UnreadableRow
from zeroth_store.models import Run, Thread
from zeroth_store.sqlite.lists.run_columns import RUN_JSON
from zeroth_store.summaries import workspace_scope

_Model = TypeVar("_Model", Run, Thread)

RUN_COLUMNS: Final = (
    *("run_id", "checkpoint_id", "parent_checkpoint_id", "epoch", "workflow_name", "status"),
    *("current_step", "completed_steps", "artifacts", "channels", "pending_approval"),
    *("pending_interrupt_id", "started_at", "updated_at", "error", "metadata"),
    *("graph_version_ref", "deployment_ref", "thread_id", "current_node_ids"),
    *("pending_node_ids", "execution_history", "node_visit_counts", "condition_results"),
    *("audit_refs", "final_output", "failure_state", "tenant_id", "workspace_id"),
    "submitted_by",
)
"""The columns of `runs` that a Run carries; leases and counters are not among them."""

THREAD_COLUMNS: Final = (
    *("thread_id", "graph_version_ref", "deployment_ref", "status"),
    *("participating_agent_refs", "state_snapshot_refs", "checkpoint_refs", "memory_bindings"),
    *("run_ids", "active_run_id", "last_run_id", "created_at", "updated_at", "tenant_id"),
    "workspace_id",
)
"""The columns of `threads` that a Thread carries."""

_RUN_JSON: Final = frozenset(RUN_JSON)
_THREAD_JSON: Final = frozenset(
    {"participating_agent_refs", "state_snapshot_refs", "checkpoint_refs"}
    | {"memory_bindings", "run_ids"}
)


def to_json(value: object) -> str:
    """Return JSON text as Zeroth spells it; raises TypeError or ValueError for what is no JSON."""
    return json.dumps(value, default=_plain, sort_keys=True, separators=(",", ":"))


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return {**vars(value), **(value.model_extra or {})}
    if isinstance(value, datetime):
        text = value.isoformat()
        return f"{text[:-6]}Z" if text.endswith("+00:00") else text
    raise TypeError(f"{type(value).__name__} cannot be stored as JSON")


def column_time(value: datetime) -> str:
    """Return a time for a column: UTC, so that text order is time order; naive means UTC."""
    aware = value if value.tzinfo else value.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat()


def column_value(column: str, value: Any) -> Any:
    """Return what to bind for one field of a run or a thread."""
    if value is None:
        return None
    if column in _RUN_JSON or column in _THREAD_JSON:
        return to_json(value)
    if column == "error":
        # Messages of exceptions may hold bytes of a file name as lone surrogates (PEP 383).
        return value.encode("utf-8", "backslashreplace").decode()
    return column_time(value) if isinstance(value, datetime) else value


def checked(model: _Model) -> _Model:
    """Return a copy of a run or thread, validated again.

    Raises ValidationError when somebody assigned a field a value that it cannot hold.
    """
    return type(model).from_stored({**vars(model), **(model.model_extra or {})})


def run_values(run: Run) -> dict[str, Any]:
    """Return the run's columns, `workspace_scope` included, ready to bind."""
    values = {name: column_value(name, getattr(run, name)) for name in RUN_COLUMNS}
    if run.parent_run_id is not None:
        metadata = {"parent_run_id": run.parent_run_id, **run.metadata}
        values["metadata"] = column_value("metadata", metadata)
    return {**values, "workspace_scope": workspace_scope(run.workspace_id)}


def thread_values(thread: Thread) -> dict[str, Any]:
    """Return the thread's columns, `workspace_scope` included, ready to bind."""
    valid = checked(thread)
    values = {name: column_value(name, getattr(valid, name)) for name in THREAD_COLUMNS}
    return {**values, "workspace_scope": workspace_scope(valid.workspace_id)}


def run_from_row(row: Mapping[str, Any]) -> Run:
    """Build a Run from a row of `runs`. Raises UnreadableRow naming the cells that do not fit."""
    what = f"run {row['run_id']!r}"
    values = _decoded(row, RUN_COLUMNS, _RUN_JSON, what)
    metadata = values["metadata"]
    parent = metadata.get("parent_run_id") if isinstance(metadata, dict) else None
    values["parent_run_id"] = parent if isinstance(parent, str) else None
    return _built(Run.from_stored, values, what)


def thread_from_row(row: Mapping[str, Any]) -> Thread:
    """Build a Thread from a row of `threads`. Raises UnreadableRow."""
    what = f"thread {row['thread_id']!r}"
    return _built(Thread.from_stored, _decoded(row, THREAD_COLUMNS, _THREAD_JSON, what), what)


def stored_list(row: Mapping[str, Any], column: str) -> list[Any]:
    """Return the items of a run's JSON list as they are stored. Raises UnreadableRow."""
    what = f"run {row['run_id']!r}"
    items = _parsed(row[column], what, column)
    if not isinstance(items, list):
        raise UnreadableRow(what, f"{column} is no list")
    return items


def state_json(run: Run) -> str:
    """Return the run as a checkpoint stores it: one JSON object with every field of the model."""
    return to_json(run)


def run_from_state(text: str, what: str) -> Run:
    """Build a Run from a checkpoint's text. Raises UnreadableRow, also for encrypted ones."""
    if not text.startswith("{"):
        raise UnreadableRow(what, "its state is encrypted or no JSON object")
    return _built(Run.from_stored, _parsed(text, what, "state_json"), what)


def _decoded(
    row: Mapping[str, Any], columns: tuple[str, ...], as_json: frozenset[str], what: str
) -> dict[str, Any]:
    """Return a row's cells as Python values; NULL in a column with a default means the default."""
    return {
        name: (_parsed if name in as_json else _sound)(row[name], what, name)
        for name in columns
        if row[name] is not None or name in {"metadata", "final_output"}
    }


def _sound(value: Any, what: str, column: str) -> Any:
    """Return a cell; what is no UTF-8 could not be written back as it was."""
    if isinstance(value, str) and not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise UnreadableRow(what, f"{column} is no UTF-8") from error
    return value


def _parsed(text: str | None, what: str, column: str) -> Any:
    if text is None:
        return {} if column == "metadata" else None
    try:
        return json.loads(_sound(text, what, column))
    except (ValueError, RecursionError) as error:
        raise UnreadableRow(what, f"{column} is not JSON: {error}") from error


def _built(build: Callable[[dict[str, Any]], _Model], values: Any, what: str) -> _Model:
    try:
        return build(values)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(str(part) for part in problem['loc'])}: {problem['msg']}"
            for problem in error.errors(include_url=False, include_input=False)
        )
        raise UnreadableRow(what, problems) from error
