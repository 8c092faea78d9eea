"""What changed from one checkpoint to another, in a few words for a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from zeroth_store.browse import CheckpointSummary
from zeroth_store.checkpoint_detail import CheckpointFacts, PartPath
from zeroth_tui import format as fmt
from zeroth_tui import text

_THREAD_STATE: Final = "thread-state:"
_KEPT: Final[PartPath] = ("metadata", "thread_state")
_CONVERSATION: Final[PartPath] = (*_KEPT, "conversation")
_COUNTED: Final[tuple[tuple[PartPath, str, str], ...]] = (
    (("execution_history",), "history entry", "history entries"),
    (("condition_results",), "decision", "decisions"),
    (_CONVERSATION, "message", "messages"),
)
_SETTABLE: Final[tuple[PartPath, ...]] = (
    ("final_output",),
    ("failure_state",),
    ("error",),
    ("pending_approval",),
    ("metadata", "pending_approval"),
)
_ALWAYS_NEW: Final[frozenset[PartPath]] = frozenset(
    {
        *(("checkpoint_id",), ("parent_checkpoint_id",), ("updated_at",)),
        *(("metadata",), _KEPT),  # their members are compared
    }
)
_NAMED: Final = 3
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


def is_thread_state(summary: CheckpointSummary) -> bool:
    """Whether a checkpoint holds what an agent keeps for its thread, not a run."""
    return (summary.run_id or "").startswith(_THREAD_STATE)


def predecessors(summaries: Sequence[CheckpointSummary]) -> dict[str, str]:
    """Return for each checkpoint the one of the same run that was saved before it, if there is one.

    The order is that of the times: a run's own checkpoint is written again whenever the run is
    saved, so its place in the thread says nothing. Thread states follow one another.
    """
    order = sorted(summaries, key=lambda one: one.saved.instant or _NEVER)
    last: dict[str, str] = {}
    found: dict[str, str] = {}
    for summary in order:
        if summary.kind == "gone" or summary.run_id is None:
            continue
        series = _THREAD_STATE if is_thread_state(summary) else summary.run_id
        if series in last:
            found[summary.checkpoint_id] = last[series]
        last[series] = summary.checkpoint_id
    return found


def change_words(before: CheckpointFacts | None, after: CheckpointFacts) -> str:
    """Return what is different in a checkpoint; without another one, what it holds."""
    if before is None:
        return ", ".join(_holds(after)) or "nothing has happened yet"
    words = [*_grown(before, after), *_status(before, after), *_set(before, after)]
    said = {*_ALWAYS_NEW, *(path for path, _, _ in _COUNTED), *_SETTABLE, ("status",)}
    others = [".".join(path) for path in _changed(before, after) if path not in said]
    if others and _KEPT not in after.parts:  # what surrounds an agent's state is new each time
        more = len(others) - _NAMED
        named = ", ".join(text.line(name, 40) for name in others[:_NAMED])
        words.append(f"{named} changed" if more <= 0 else f"{named} and {more} more changed")
    return ", ".join(words) or "no change"


def _holds(facts: CheckpointFacts) -> Iterator[str]:
    for path, one, many in _COUNTED:
        if count := facts.count(*path):
            yield f"{fmt.count(count)} {one if count == 1 else many}"
    status = facts.shown("status")
    if status and _KEPT not in facts.parts:
        yield f"status {text.line(status, 40)}"
    yield from (f"{'.'.join(path)} set" for path in _SETTABLE if path in facts.parts)


def _grown(before: CheckpointFacts, after: CheckpointFacts) -> Iterator[str]:
    for path, one, many in _COUNTED:
        old, new = before.count(*path) or 0, after.count(*path) or 0
        if old != new:
            noun = one if abs(new - old) == 1 else many
            yield f"{'+' if new > old else '-'}{fmt.count(abs(new - old))} {noun}"
        elif before.parts.get(path) != after.parts.get(path) and new:
            yield f"{many} rewritten"


def _status(before: CheckpointFacts, after: CheckpointFacts) -> Iterator[str]:
    path = ("status",)
    if before.parts.get(path) != after.parts.get(path):
        old, new = before.shown(*path), after.shown(*path)
        yield f"status {text.line(old or '?', 40)} → {text.line(new or '?', 40)}"


def _set(before: CheckpointFacts, after: CheckpointFacts) -> Iterator[str]:
    for path in _SETTABLE:
        old, new = before.parts.get(path), after.parts.get(path)
        if old != new:
            verb = "set" if old is None else "removed" if new is None else "changed"
            yield f"{'.'.join(path)} {verb}"


def _changed(before: CheckpointFacts, after: CheckpointFacts) -> Iterable[PartPath]:
    paths = dict.fromkeys((*before.parts, *after.parts))
    return (path for path in paths if before.parts.get(path) != after.parts.get(path))
