"""What a person may do to a run, as values: who may do what is decided in one pure table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal, Protocol, get_args, runtime_checkable

import msgspec

from zeroth_store.run_detail import JsonText, Stored
from zeroth_store.status import RunStatus
from zeroth_store.summaries import Lease, RunKey

Act = Literal["cancel", "pause", "resume", "replay", "move", "checkpoint", "restore", "fork"]
"""The acts. `move` is any transition of an own database; the four before it are for guests."""

ACTS: Final[tuple[Act, ...]] = get_args(Act)


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that decides what may be done to a run at this moment."""

    kind: Literal["own", "guest"]
    may_write: bool = True
    """False for `--read-only`, and for guests without `--allow-writes`."""
    status: str | None
    """Exactly as stored."""
    lease: Lease | None = None
    named: bool = True
    """False when the stored id cannot be named exactly (it is a blob, NULL or no UTF-8)."""
    open_approvals: int = 0
    operations_in_doubt: int = 0
    """Side effects that are IN_FLIGHT or AMBIGUOUS."""
    audits_ahead: bool = False
    """The audits know of more than the row: the run was cut off between the two writes."""
    encrypted: bool = False
    """The database's checkpoints are encrypted."""
    has_key: bool = False
    """The key to them is there."""
    erased: bool = False
    """Retention removed the content."""
    failure_reason: str | None = None
    token_cancelled: bool = False
    """Zeroth's own cancel stopped its token snapshot, which no replay starts again."""
    child: bool = False
    """It was started by another run, whose worker drives it."""
    triggers: tuple[str, ...] = ()
    """Triggers on the tables that would be written."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """One act on one run: allowed, allowed with warnings, or refused."""

    act: Act
    to: RunStatus | None = None
    """The status that the run gets; None where it keeps its own."""
    refusal: str = ""
    """Why it cannot be done, as a sentence; empty where it can."""
    warnings: tuple[str, ...] = ()

    @property
    def allowed(self) -> bool:
        """Whether it can be done."""
        return not self.refusal


class Fields(msgspec.Struct, frozen=True, kw_only=True):
    """What a person adds to a move."""

    reason: str = ""
    """`failure_state.reason` for FAILED."""
    message: str = ""
    output: str | None = None
    """`final_output` as JSON for COMPLETED."""
    pending: tuple[str, ...] = ()
    """`pending_node_ids` for PENDING."""


class Write(msgspec.Struct, frozen=True, kw_only=True):
    """Exactly what an act writes: made once, shown to the person, then written."""

    act: Act
    key: RunKey
    """The run; for a fork the one that it starts from, which stays as it is."""
    seen: str
    """The status that must still be stored."""
    columns: Mapping[str, Stored]
    """Column of `runs` -> value, in the order in which they are shown; without `updated_at`
    values that are only known at the time of writing. Those of the new run for a fork, none for a
    checkpoint."""
    unleased: bool = False
    """Whether it is only written while no live lease holds the run."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a write."""

    key: RunKey
    written: bool
    stored: str | None
    """The status read back afterwards."""
    problem: str = ""
    """Why nothing was written, as a sentence, or why what was written did not stay."""
    before: Mapping[str, Stored] = msgspec.field(default_factory=dict)
    after: Mapping[str, Stored] = msgspec.field(default_factory=dict)
    checkpoint_id: str | None = None
    """The checkpoint that was written, for the act of that name."""
    run: RunKey | None = None
    """The new run of a fork."""


class RunActor(Protocol):
    """Acts on runs; each call compares with what was seen and reads back what is stored."""

    async def standing(self, key: RunKey) -> Standing | None:
        """Return what decides what may be done to a run; None when it is gone."""
        ...

    async def standings(self, keys: Sequence[RunKey]) -> tuple[Standing | None, ...]:
        """Return the same of several runs, in the order of the keys."""
        ...

    async def write(self, write: Write) -> Outcome:
        """Write what was shown. Raises a StoreError when the database cannot be written."""
        ...


@runtime_checkable
class RunBrancher(RunActor, Protocol):
    """Goes back to a saved state, or on from it in a new run; only own databases can."""

    async def plan_restore(self, key: RunKey, checkpoint_id: str) -> Write:
        """Return what would put a run back to one of its checkpoints.

        Raises ActRefused, UnreadableRow or a DatabaseError.
        """
        ...

    async def plan_fork(
        self,
        key: RunKey,
        *,
        checkpoint_id: str | None = None,
        step: int | None = None,
        new_thread: bool = False,
        state: JsonText | None = None,
    ) -> Write:
        """Return what would start a new run from a checkpoint or before a step of the history.

        `step` counts the stored history from 0; that step is the first to be done again. `state`
        is the whole state as JSON where the person changed it. Raises as `plan_restore`.
        """
        ...

    def state_of(self, write: Write) -> JsonText:
        """Return the state that a planned fork starts from, as JSON that a person may edit."""
        ...
