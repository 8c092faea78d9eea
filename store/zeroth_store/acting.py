"""The one table of who may do what to a run, and exactly what each act writes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Final

import msgspec

from zeroth_store.acting_words import barred, refusal, warnings_of
from zeroth_store.actions import Act, Fields, Offer, Standing, Write
from zeroth_store.errors import StoreError
from zeroth_store.run_detail import Stored
from zeroth_store.status import ALLOWED_TRANSITIONS, RunStatus
from zeroth_store.summaries import RunKey

CANCELLED: Final = "operator_cancelled"
"""The `failure_state.reason` of a run that a person stopped."""

_BY_OPERATOR: Final = "cancelled by operator"
_UNLEASED: Final[frozenset[Act]] = frozenset({"resume", "replay", "restore"})
_GUEST_ACTS: Final[tuple[tuple[Act, RunStatus | None], ...]] = (
    ("cancel", RunStatus.FAILED),
    ("pause", RunStatus.WAITING_INTERRUPT),
    ("resume", RunStatus.PENDING),
    ("replay", RunStatus.PENDING),
    ("checkpoint", None),
)
_OWN_ACTS: Final[tuple[tuple[Act, RunStatus | None], ...]] = (
    *(("move", status) for status in ALLOWED_TRANSITIONS),
    ("checkpoint", None),
    ("restore", RunStatus.PENDING),
    ("fork", None),
)


class ActRefused(StoreError):
    """An act that the run does not allow; the sentence is the refusal."""


def offers(standing: Standing, now: datetime) -> tuple[Offer, ...]:
    """Return every act that this kind of database knows, each allowed or refused.

    What is refused depends on the database and the run's own row alone, so that it can be looked
    at again under the lock; other tables only add warnings.
    """
    acts = _OWN_ACTS if standing.kind == "own" else _GUEST_ACTS
    kept = [(act, to) for act, to in acts if act != "move" or to != standing.status]
    why = barred(standing)
    return tuple(_offer(act, to, standing, now, why) for act, to in kept)


def _offer(
    act: Act, to: RunStatus | None, standing: Standing, now: datetime, barred_by: str
) -> Offer:
    no = barred_by or refusal(act, to, standing, now)
    return Offer(act=act, to=to, refusal=no, warnings=() if no else warnings_of(act, standing, now))


def check(act: Act, to: str | None, standing: Standing, now: datetime) -> None:
    """Raise ActRefused unless an act that leads to this status is offered."""
    found = [offer for offer in offers(standing, now) if (offer.act, offer.to) == (act, to)]
    if not found:
        raise ActRefused(f"{act} is not offered for this run as it is now")
    if not found[0].allowed:
        raise ActRefused(found[0].refusal)


def target(write: Write) -> str | None:
    """Return the status that a write leads to; None where the run keeps its own."""
    status = None if write.act == "fork" else write.columns.get("status")
    return status if isinstance(status, str) else None


def plan(offer: Offer, key: RunKey, standing: Standing, fields: Fields, now: datetime) -> Write:
    """Return exactly what an offered act writes.

    Raises ActRefused when it is not offered, ValueError when `fields.output` is no JSON. Restoring
    and forking need a saved state: an actor plans them.
    """
    check(offer.act, offer.to, standing, now)
    if offer.act in ("restore", "fork"):
        raise ValueError(f"{offer.act} is planned from a saved state, by a RunBrancher")
    return Write(
        act=offer.act,
        key=key,
        seen=standing.status or "",
        columns=_columns(offer, standing, fields),
        unleased=offer.act in _UNLEASED,
    )


def _columns(offer: Offer, standing: Standing, fields: Fields) -> dict[str, Stored]:
    match offer.act, offer.to:
        case "replay", _:
            nobody: dict[str, Stored] = {"lease_worker_id": None, "lease_expires_at": None}
            return {"status": RunStatus.PENDING.value, **_NO_FAILURE, **nobody}
        case "cancel", _:
            return _failed(msgspec.structs.replace(fields, reason=CANCELLED))
        case "move", RunStatus.FAILED:
            return _failed(fields)
        case "move", RunStatus.PENDING:
            return _pending(standing, fields.pending)
        case "move", RunStatus.COMPLETED if fields.output is not None:
            output = dumped(json.loads(fields.output))
            return {"status": RunStatus.COMPLETED.value, "final_output": output}
        case _, None:
            return {}
        case _, status:
            return {"status": status.value}


_NO_FAILURE: Final[dict[str, Stored]] = {"error": None, "failure_state": None, "failure_count": 0}


def _pending(standing: Standing, nodes: Iterable[str]) -> dict[str, Stored]:
    columns: dict[str, Stored] = {"status": RunStatus.PENDING.value}
    if standing.status == RunStatus.FAILED:
        columns |= _NO_FAILURE
    listed = list(nodes)
    return {**columns, "pending_node_ids": dumped(listed)} if listed else columns


def _failed(fields: Fields) -> dict[str, Stored]:
    """Return a failure as Zeroth stores it: in full as JSON, and in short as `error`."""
    reason = fields.reason.strip() or CANCELLED
    message = fields.message.strip() or (_BY_OPERATOR if reason == CANCELLED else reason)
    return {
        "status": RunStatus.FAILED.value,
        "error": message.encode("utf-8", "backslashreplace").decode(),
        "failure_state": dumped({"details": {}, "message": message, "reason": reason}),
    }


def dumped(value: object) -> str:
    """Return JSON as Zeroth spells it."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
