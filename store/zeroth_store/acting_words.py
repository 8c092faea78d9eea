"""Why an act on a run is refused, and what to know before doing one that is allowed: sentences."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from zeroth_store.actions import Act, Standing
from zeroth_store.encryption import VARIABLE
from zeroth_store.status import ALLOWED_TRANSITIONS, RunStatus
from zeroth_store.summaries import Lease

_OVER: Final = (RunStatus.COMPLETED, RunStatus.FAILED)
_FROM: Final[dict[Act, tuple[RunStatus, ...]]] = {
    "cancel": tuple(status for status in RunStatus if status not in _OVER),
    "pause": (RunStatus.RUNNING,),
    "resume": (RunStatus.WAITING_INTERRUPT,),
    "replay": (RunStatus.FAILED,),
    "restore": tuple(s for s in RunStatus if RunStatus.PENDING in {s, *ALLOWED_TRANSITIONS[s]}),
}
_DONE: Final[dict[Act, str]] = {"pause": "paused", "resume": "resumed", "replay": "replayed"}
_LIMITS: Final = ("max_total_steps", "max_total_runtime")


def holder(lease: Lease | None, now: datetime) -> str | None:
    """Return the worker whose lease on a run is live; one that cannot be read counts as live."""
    if lease is None or lease.worker_id is None:
        return None
    expires = lease.expires.instant
    return lease.worker_id if expires is None or expires > now else None


def barred(standing: Standing) -> str:
    """Return why nothing at all may be done to a run; empty where something may."""
    if not standing.may_write:
        way = "" if standing.kind == "own" else ": start with --allow-writes to act on its runs"
        return f"this database is open read-only{way}"
    if standing.triggers:
        names = ", ".join(standing.triggers)
        return f"triggers on its tables could change what is written: {names}"
    if not standing.named:
        return "its stored id is no text that can name it, so a write could meet another run"
    if standing.status is None:
        return "it has no status that can be compared with"
    if standing.status not in set(RunStatus):
        return f"its status {standing.status} is none that this version knows"
    return ""


def refusal(act: Act, to: RunStatus | None, standing: Standing, now: datetime) -> str:
    """Return why this act is refused; empty where it is allowed."""
    status = RunStatus(standing.status or "")
    if act == "move":
        return _move_refusal(status, to)
    if act in _FROM and status not in _FROM[act]:
        return _status_refusal(act, status)
    if act in ("replay", "restore") and (worker := holder(standing.lease, now)):
        return f"{worker} still holds its lease: wait until that is given back or has expired"
    if act == "resume" and standing.lease is not None and standing.lease.worker_id is not None:
        return _leased_refusal(standing.lease.worker_id, standing.lease, now)
    if standing.erased and act in ("replay", "checkpoint", "restore", "fork"):
        return "retention erased its content: there is no state left to save or to go on from"
    if act == "checkpoint" and standing.encrypted and not standing.has_key:
        return (
            "checkpoints are encrypted here: set "
            f"{VARIABLE} or start with --key-file PATH to write one"
        )
    return ""


def _move_refusal(status: RunStatus, to: RunStatus | None) -> str:
    allowed = ALLOWED_TRANSITIONS[status]
    if to in allowed:
        return ""
    if not allowed:
        return f"{status} is final"
    return f"a {status} run can only become {_either(s for s in RunStatus if s in allowed)}"


def _status_refusal(act: Act, status: RunStatus) -> str:
    if act == "resume" and status is RunStatus.WAITING_APPROVAL:
        return (
            "it waits for an approval, which is more than a status: decide it through Zeroth's"
            " approvals API"
        )
    if act == "restore":
        return f"a {status} run cannot become PENDING: fork it from the checkpoint instead"
    if act == "cancel" or status is RunStatus.COMPLETED:
        return f"it is over: {status}"
    return f"it is {status}: only a {_either(_FROM[act])} run can be {_DONE[act]}"


def _leased_refusal(worker: str, lease: Lease, now: datetime) -> str:
    if holder(lease, now):
        return f"{worker} still holds its lease: wait until it has stopped and given that back"
    return f"the lease of {worker} expired and was never given back: cancel it, then replay it"


def warnings_of(act: Act, standing: Standing, now: datetime) -> tuple[str, ...]:
    """Return what to know before doing an act that is allowed."""
    return (
        *_lease_warnings(act, standing, now),
        *_company_warnings(act, standing),
        *(_replay_warnings(standing) if act == "replay" else ()),
    )


def _lease_warnings(act: Act, standing: Standing, now: datetime) -> list[str]:
    worker = holder(standing.lease, now)
    if worker is None:
        named = None if standing.lease is None else standing.lease.worker_id
        stale = named is not None and act in ("replay", "restore")
        return [f"the lease of {named} expired: if that worker lives, both run it"] if stale else []
    if act == "checkpoint":
        return [f"{worker} is running it: the checkpoint may be from between two steps"]
    if act == "fork":
        return []
    return [f"{worker} holds it and may write over this at its next step: look again afterwards"]


def _company_warnings(act: Act, standing: Standing) -> list[str]:
    """Return what other tables say of an act that stops a run or has it driven again."""
    if act in ("checkpoint", "fork"):
        return []
    found = []
    if standing.open_approvals:
        what = _count(standing.open_approvals, "open approval")
        then = {"replay": " and the run asks again", "cancel": ": deciding it changes nothing"}
        found.append(f"{what} stays as it is{then.get(act, '')}")
    if standing.operations_in_doubt:
        what = _count(standing.operations_in_doubt, "side effect")
        found.append(f"{what} in doubt: what was begun may have happened, or happen twice")
    return found


def _replay_warnings(standing: Standing) -> list[str]:
    found = []
    if standing.audits_ahead:
        found.append("its audits are ahead of the run: Zeroth fails with DuplicateAuditIdError")
    if standing.token_cancelled:
        found.append("Zeroth's API cancelled its token snapshot: the replay fails at once")
    if standing.failure_reason in _LIMITS:
        found.append(f"it ran into {standing.failure_reason}, which is still used up")
    if standing.child:
        found.append("it is a child run: unless its parent goes on, no worker may take it")
    return found


def _either(statuses: Iterable[RunStatus]) -> str:
    *others, last = [status.value for status in statuses]
    return f"{', '.join(others)} or {last}" if others else last


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
