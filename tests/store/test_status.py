"""The transition table, against ZEROTH.md section 4 written down by hand."""

from __future__ import annotations

from itertools import product

import pytest

from zeroth_store import ALLOWED_TRANSITIONS, InvalidTransition, RunStatus, ThreadStatus
from zeroth_store.status import check_transition

STATUSES = {
    "PENDING",
    "RUNNING",
    "WAITING_APPROVAL",
    "WAITING_INTERRUPT",
    "COMPLETED",
    "FAILED",
}
ALLOWED = {
    ("PENDING", "RUNNING"),
    ("PENDING", "FAILED"),
    ("RUNNING", "WAITING_APPROVAL"),
    ("RUNNING", "WAITING_INTERRUPT"),
    ("RUNNING", "COMPLETED"),
    ("RUNNING", "FAILED"),
    ("WAITING_APPROVAL", "PENDING"),
    ("WAITING_APPROVAL", "RUNNING"),
    ("WAITING_APPROVAL", "COMPLETED"),
    ("WAITING_APPROVAL", "FAILED"),
    ("WAITING_INTERRUPT", "RUNNING"),
    ("WAITING_INTERRUPT", "COMPLETED"),
    ("WAITING_INTERRUPT", "FAILED"),
    ("FAILED", "PENDING"),
}
PERMITTED = ALLOWED | {(status, status) for status in STATUSES}
FORBIDDEN = set(product(STATUSES, STATUSES)) - PERMITTED


def test_the_statuses_are_spelt_as_zeroth_stores_them() -> None:
    assert {status.value for status in RunStatus} == STATUSES
    assert {status.value for status in ThreadStatus} == {"active", "completed", "archived"}


def test_the_table_holds_the_allowed_pairs_and_no_other() -> None:
    pairs = {(old.value, new.value) for old, news in ALLOWED_TRANSITIONS.items() for new in news}
    assert pairs == ALLOWED
    assert {status.value for status in ALLOWED_TRANSITIONS} == STATUSES


def test_the_table_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        ALLOWED_TRANSITIONS[RunStatus.COMPLETED] = frozenset()  # type: ignore[index]


@pytest.mark.parametrize(("old", "new"), sorted(PERMITTED))
def test_a_permitted_pair_passes(old: str, new: str) -> None:
    check_transition(RunStatus(old), RunStatus(new))


@pytest.mark.parametrize(("old", "new"), sorted(FORBIDDEN))
def test_a_forbidden_pair_is_refused_in_zeroths_words(old: str, new: str) -> None:
    with pytest.raises(ValueError, match=f"^invalid run transition: {old} -> {new}$") as caught:
        check_transition(RunStatus(old), RunStatus(new))
    error = caught.value
    assert isinstance(error, InvalidTransition)
    assert (error.current, error.new) == (old, new)
