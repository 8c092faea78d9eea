"""What became of an action, in words."""

from __future__ import annotations

from typing import Literal, NamedTuple

from zeroth_store.browse import RunKey
from zeroth_store.errors import StoreError
from zeroth_store.protocols import RunOperator
from zeroth_store.status import RunStatus
from zeroth_tui.text import line
from zeroth_tui.views.layout import short


class Outcome(NamedTuple):
    """A sentence for the person, and how bad it is."""

    words: str
    severity: Literal["information", "warning", "error"]


async def change_status(
    operator: RunOperator, key: RunKey, seen: RunStatus, new: RunStatus
) -> Outcome:
    """Move a run from the status that was seen, and say what is stored afterwards."""
    try:
        stored = await operator.change_status(key, seen, new)
    except StoreError as error:
        return Outcome(line(str(error)), "error")
    name = short(key.run_id)
    if stored != new:
        return Outcome(
            f"{name} became {new}, but another writer has made it {line(stored)} since", "warning"
        )
    return Outcome(f"{name}: {seen} -> {new}, read back", "information")


async def write_checkpoint(operator: RunOperator, key: RunKey, seen: RunStatus) -> Outcome:
    """Write a checkpoint of a run while its status is the one that was seen."""
    try:
        checkpoint_id = await operator.snapshot(key, seen)
    except StoreError as error:
        return Outcome(line(str(error)), "error")
    return Outcome(f"{short(key.run_id)}: checkpoint {short(checkpoint_id)} written", "information")
