"""Exactly which columns each act writes, as ZEROTH.md found safe and Zeroth spells them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.store.test_acting_table import KEY, MOVES, NOW, offer_of, standing
from zeroth_store.acting import ActRefused, offers, plan
from zeroth_store.actions import Act, Fields, Standing
from zeroth_store.status import RunStatus


def planned(found: Standing, act: Act, to: RunStatus | None = None, **fields: Any) -> Any:
    write = plan(offer_of(found, act, to), KEY, found, Fields(**fields), NOW)
    assert (write.act, write.key, write.seen) == (act, KEY, found.status)
    return write


def test_a_cancel_writes_the_failure_as_zeroth_does_and_no_lease() -> None:
    write = planned(standing("RUNNING", "live"), "cancel", message="wrong input ü")
    assert write.columns == {
        "status": "FAILED",
        "error": "wrong input ü",
        "failure_state": '{"details":{},"message":"wrong input \\u00fc",'
        '"reason":"operator_cancelled"}',
    }
    assert not write.unleased


def test_a_cancel_cannot_be_given_another_reason() -> None:
    write = planned(standing("RUNNING"), "cancel", reason="dead_letter")
    assert write.columns["failure_state"] == (
        '{"details":{},"message":"cancelled by operator","reason":"operator_cancelled"}'
    )


def test_a_pause_and_a_resume_write_the_status_alone() -> None:
    pause = planned(standing("RUNNING", "live"), "pause")
    resume = planned(standing("WAITING_INTERRUPT"), "resume")
    assert pause.columns == {"status": "WAITING_INTERRUPT"}
    assert resume.columns == {"status": "PENDING"}
    assert (pause.unleased, resume.unleased) == (False, True)


def test_a_replay_writes_zeroths_columns() -> None:
    write = planned(standing("FAILED"), "replay")
    assert write.columns == {
        "status": "PENDING",
        "error": None,
        "failure_state": None,
        "failure_count": 0,
        "lease_worker_id": None,
        "lease_expires_at": None,
    }
    assert write.unleased


def test_a_checkpoint_writes_no_column_of_the_run() -> None:
    assert planned(standing("RUNNING"), "checkpoint").columns == {}


def test_a_move_to_failed_has_its_reason_and_message() -> None:
    write = planned(
        standing("RUNNING", kind="own"), "move", RunStatus.FAILED, reason="bad", message="no\udcff"
    )
    assert write.columns == {
        "status": "FAILED",
        "error": "no\\udcff",
        "failure_state": '{"details":{},"message":"no\\udcff","reason":"bad"}',
    }


def test_a_failure_without_a_message_says_its_reason() -> None:
    write = planned(standing("RUNNING", kind="own"), "move", RunStatus.FAILED, reason="bad")
    assert write.columns["error"] == "bad"


def test_a_move_to_completed_has_its_output() -> None:
    own = standing("RUNNING", kind="own")
    write = planned(own, "move", RunStatus.COMPLETED, output='{"b": 1, "a": "ü"}')
    assert write.columns == {"status": "COMPLETED", "final_output": '{"a":"\\u00fc","b":1}'}
    nothing = planned(own, "move", RunStatus.COMPLETED)
    assert nothing.columns == {"status": "COMPLETED"}
    null = planned(own, "move", RunStatus.COMPLETED, output="null")
    assert null.columns == {"status": "COMPLETED", "final_output": "null"}


def test_an_output_that_is_no_json_is_not_planned() -> None:
    with pytest.raises(ValueError, match="Expecting"):
        planned(standing("RUNNING", kind="own"), "move", RunStatus.COMPLETED, output="{a")


def test_a_move_from_failed_clears_the_failure() -> None:
    write = planned(standing("FAILED", kind="own"), "move", RunStatus.PENDING, pending=("a", "b"))
    assert write.columns == {
        "status": "PENDING",
        "error": None,
        "failure_state": None,
        "failure_count": 0,
        "pending_node_ids": '["a","b"]',
    }


def test_another_move_to_pending_writes_the_status_alone() -> None:
    write = planned(standing("WAITING_APPROVAL", kind="own"), "move", RunStatus.PENDING)
    assert write.columns == {"status": "PENDING"}


@pytest.mark.parametrize("status", MOVES)
def test_what_is_refused_cannot_be_planned(status: str) -> None:
    for kind in ("own", "guest"):
        found = standing(status, "live", kind)
        for offer in offers(found, NOW):
            if not offer.allowed:
                with pytest.raises(ActRefused, match=re.escape(offer.refusal)):
                    plan(offer, KEY, found, Fields(), NOW)


def test_an_act_of_another_kind_of_database_cannot_be_planned() -> None:
    move = offer_of(standing("RUNNING", kind="own"), "move", RunStatus.FAILED)
    with pytest.raises(ActRefused, match="not offered"):
        plan(move, KEY, standing("RUNNING"), Fields(), NOW)
