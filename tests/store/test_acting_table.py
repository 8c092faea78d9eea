"""Who may do what: the verdict for every status and lease, worked out by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import pytest

from zeroth_store.acting import offers
from zeroth_store.actions import Act, Offer, Standing
from zeroth_store.browse import Lease, RunKey
from zeroth_store.status import RunStatus
from zeroth_store.times import NO_MOMENT, Moment, parse_time

NOW = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
KEY = RunKey("default", "null", "r1")


def until(seconds: float) -> Moment:
    return Moment(NOW + timedelta(seconds=seconds), "stored")


LEASES = {
    "none": None,
    "nameless": Lease(None, NO_MOMENT, until(30)),
    "live": Lease("worker-3", NO_MOMENT, until(30)),
    "unreadable": Lease("worker-3", NO_MOMENT, parse_time("soon")),
    "expired": Lease("worker-3", NO_MOMENT, until(0)),
}
FREE = ("none", "nameless")


def standing(
    status: str | None, lease: str = "none", kind: Literal["own", "guest"] = "guest", **more: Any
) -> Standing:
    return Standing(kind=kind, status=status, lease=LEASES[lease], **more)


def allowed(found: Standing) -> set[str]:
    """The acts that may be done; a move by the status it leads to."""
    return {
        str(offer.to) if offer.act == "move" else offer.act
        for offer in offers(found, NOW)
        if offer.allowed
    }


def offer_of(found: Standing, act: Act, to: RunStatus | None = None) -> Offer:
    every = [o for o in offers(found, NOW) if o.act == act and to in (None, o.to)]
    assert len(every) == 1
    return every[0]


# ZEROTH.md section 4: which narrow writes beside a worker lost nothing.
GUEST: dict[str, set[str]] = {
    "PENDING": {"cancel", "checkpoint"},
    "RUNNING": {"cancel", "pause", "checkpoint"},
    "WAITING_APPROVAL": {"cancel", "checkpoint"},
    "WAITING_INTERRUPT": {"cancel", "checkpoint"},  # and resume without any lease
    "COMPLETED": {"checkpoint"},
    "FAILED": {"checkpoint"},  # and replay without a live lease
}


@pytest.mark.parametrize("lease", LEASES)
@pytest.mark.parametrize("status", GUEST)
def test_what_a_guest_allows(status: str, lease: str) -> None:
    expected = set(GUEST[status])
    if status == "WAITING_INTERRUPT" and lease in FREE:
        expected.add("resume")
    if status == "FAILED" and lease in (*FREE, "expired"):
        expected.add("replay")
    assert allowed(standing(status, lease)) == expected


# ZEROTH.md section 4, ALLOWED_TRANSITIONS, copied by hand.
MOVES: dict[str, set[str]] = {
    "PENDING": {"RUNNING", "FAILED"},
    "RUNNING": {"WAITING_APPROVAL", "WAITING_INTERRUPT", "COMPLETED", "FAILED"},
    "WAITING_APPROVAL": {"PENDING", "RUNNING", "COMPLETED", "FAILED"},
    "WAITING_INTERRUPT": {"RUNNING", "COMPLETED", "FAILED"},
    "COMPLETED": set(),
    "FAILED": {"PENDING"},
}
RESTORABLE = {"PENDING", "WAITING_APPROVAL", "FAILED"}
"""Those that are PENDING or may become so."""


@pytest.mark.parametrize("lease", LEASES)
@pytest.mark.parametrize("status", MOVES)
def test_what_an_own_database_allows(status: str, lease: str) -> None:
    expected = MOVES[status] | {"checkpoint", "fork"}
    if status in RESTORABLE and lease in (*FREE, "expired"):
        expected.add("restore")
    assert allowed(standing(status, lease, "own")) == expected


@pytest.mark.parametrize("status", [*MOVES, None, "PAUSED"])
def test_every_act_is_listed_whatever_the_status(status: str | None) -> None:
    guest = [offer.act for offer in offers(standing(status), NOW)]
    own = [(offer.act, offer.to) for offer in offers(standing(status, kind="own"), NOW)]
    assert guest == ["cancel", "pause", "resume", "replay", "checkpoint"]
    others = [("move", other) for other in MOVES if other != status]
    ends = [("checkpoint", None), ("restore", "PENDING"), ("fork", None)]
    assert sorted(own, key=str) == sorted([*others, *ends], key=str)


@pytest.mark.parametrize("kind", ["own", "guest"])
@pytest.mark.parametrize("status", [*MOVES, None, "PAUSED"])
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"may_write": False}, "read-only"),
        ({"triggers": ("audit_t", "sync_t")}, "audit_t, sync_t"),
        ({"named": False}, "id is no text"),
    ],
)
def test_what_bars_every_act(
    kind: Literal["own", "guest"], status: str | None, wrong: dict[str, Any], said: str
) -> None:
    found = offers(standing(status, kind=kind, **wrong), NOW)
    assert found
    assert all(said in offer.refusal and not offer.warnings for offer in found)


@pytest.mark.parametrize("status", [None, "PAUSED", "running", ""])
def test_a_status_that_is_not_known_bars_every_act(status: str | None) -> None:
    assert allowed(standing(status)) == set()
    assert allowed(standing(status, kind="own")) == set()


@pytest.mark.parametrize(
    ("kind", "status", "left"),
    [
        ("guest", "FAILED", set()),
        ("guest", "RUNNING", {"cancel", "pause"}),
        ("own", "FAILED", {"PENDING"}),
    ],
)
def test_an_erased_run_has_nothing_to_go_on_from(
    kind: Literal["own", "guest"], status: str, left: set[str]
) -> None:
    assert allowed(standing(status, kind=kind, erased=True)) == left


def test_an_encrypted_checkpoint_needs_the_key() -> None:
    without = standing("RUNNING", encrypted=True)
    assert "ZEROTH_ENCRYPTION_KEY" in offer_of(without, "checkpoint").refusal
    assert allowed(without) == {"cancel", "pause"}
    assert "checkpoint" in allowed(standing("RUNNING", encrypted=True, has_key=True))


@pytest.mark.parametrize(
    ("found", "act", "words"),
    [
        (standing("WAITING_APPROVAL"), "resume", "approvals API"),
        (standing("COMPLETED"), "cancel", "it is over: COMPLETED"),
        (standing("FAILED"), "pause", "only a RUNNING run can be paused"),
        (standing("FAILED", "live"), "replay", "worker-3 still holds its lease"),
        (standing("WAITING_INTERRUPT", "live"), "resume", "wait until it has stopped"),
        (standing("WAITING_INTERRUPT", "expired"), "resume", "cancel it, then replay it"),
        (standing("RUNNING", kind="own"), "restore", "fork it from the checkpoint"),
    ],
)
def test_a_refusal_says_why_and_what_to_do(found: Standing, act: Act, words: str) -> None:
    assert words in offer_of(found, act).refusal


def test_a_move_that_the_table_lacks_names_those_it_has() -> None:
    pending = offer_of(standing("PENDING", kind="own"), "move", RunStatus.COMPLETED)
    assert pending.refusal == "a PENDING run can only become RUNNING or FAILED"
    final = offer_of(standing("COMPLETED", kind="own"), "move", RunStatus.PENDING)
    assert final.refusal == "COMPLETED is final"


@pytest.mark.parametrize(
    ("found", "act", "words"),
    [
        (standing("RUNNING", "live"), "cancel", ["worker-3 holds it"]),
        (standing("RUNNING", "unreadable"), "pause", ["worker-3 holds it"]),
        (standing("RUNNING", "expired"), "cancel", []),
        (standing("RUNNING"), "cancel", []),
        (standing("FAILED", "expired"), "replay", ["worker-3 expired"]),
        (standing("FAILED", audits_ahead=True), "replay", ["DuplicateAuditIdError"]),
        (standing("FAILED", token_cancelled=True), "replay", ["token snapshot"]),
        (standing("FAILED", child=True), "replay", ["child run"]),
        (standing("FAILED", failure_reason="max_total_steps"), "replay", ["max_total_steps"]),
        (standing("FAILED", failure_reason="policy_violation"), "replay", []),
        (standing("FAILED", open_approvals=1), "replay", ["1 open approval stays"]),
        (standing("WAITING_APPROVAL", open_approvals=2), "cancel", ["2 open approvals stay"]),
        (standing("FAILED", operations_in_doubt=1), "replay", ["1 side effect in doubt"]),
        (standing("RUNNING", operations_in_doubt=2), "cancel", ["2 side effects in doubt"]),
        (standing("RUNNING", "live"), "checkpoint", ["between two steps"]),
        (standing("FAILED", audits_ahead=True, open_approvals=3), "checkpoint", []),
        (standing("RUNNING", "live", "own"), "fork", []),
        (
            standing("FAILED", "expired", audits_ahead=True, operations_in_doubt=1),
            "replay",
            ["expired", "in doubt", "DuplicateAuditIdError"],
        ),
    ],
)
def test_what_is_warned_of(found: Standing, act: Act, words: list[str]) -> None:
    offer = offer_of(found, act)
    assert offer.allowed
    assert len(offer.warnings) == len(words)
    assert all(word in warning for word, warning in zip(words, offer.warnings, strict=True))
