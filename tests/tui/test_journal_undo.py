"""What undoes an entry of the journal: the opposite act where the table has one, else why not."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.tui.journals import KEY, entry
from zeroth_store.acting import check, target
from zeroth_store.actions import Standing, Write
from zeroth_store.status import ALLOWED_TRANSITIONS, RunStatus
from zeroth_store.summaries import RunKey
from zeroth_tui.journal import Entry, undo_of
from zeroth_tui.text import MASK

FAILURE = '{"details":{},"message":"boom","reason":"node_execution_failed"}'


def moved(seen: str, aimed: str, **changes: Any) -> Entry:
    columns = {
        "columns": ("status", "error"),
        "before": {"status": seen, "error": None},
        "after": {"status": aimed, "error": "x"},
    }
    return entry(**{"seen": seen, "aimed": aimed, "stored": aimed, **columns, **changes})


def guest(act: str, seen: str, aimed: str, **changes: Any) -> Entry:
    return moved(seen, aimed, act=act, kind="guest", **changes)


@pytest.mark.parametrize(
    ("seen", "aimed"),
    [(seen, aimed) for seen, nexts in ALLOWED_TRANSITIONS.items() for aimed in sorted(nexts)],
)
def test_a_move_is_undone_exactly_where_the_table_allows_the_way_back(
    seen: RunStatus, aimed: RunStatus
) -> None:
    undo = undo_of(moved(seen, aimed))
    if seen in ALLOWED_TRANSITIONS[aimed]:
        assert undo == Write(
            act="move", key=KEY, seen=aimed, columns={"status": seen, "error": None}
        )
        check("move", seen, Standing(kind="own", status=aimed), entry().time)
    else:
        assert isinstance(undo, str)


def test_the_reason_names_what_the_table_allows() -> None:
    assert undo_of(moved("RUNNING", "COMPLETED")) == "COMPLETED is final"
    assert undo_of(moved("RUNNING", "FAILED")) == (
        "a FAILED run cannot become RUNNING again, only PENDING"
    )
    assert undo_of(moved("WAITING_APPROVAL", "PENDING")) == (
        "a PENDING run cannot become WAITING_APPROVAL again, only RUNNING or FAILED"
    )


def test_what_failed_was_put_back_with_its_failure() -> None:
    columns = ("status", "error", "failure_state", "failure_count")
    before = {
        "status": "FAILED",
        "error": "boom",
        "failure_state": FAILURE,
        "failure_count": 2,
    }
    undo = undo_of(moved("FAILED", "PENDING", columns=columns, before=before))
    assert isinstance(undo, Write)
    assert (undo.seen, dict(undo.columns)) == ("PENDING", before)


@pytest.mark.parametrize("seen", ["PENDING", "RUNNING"])
def test_a_cancelled_guest_is_replayed_as_zeroth_does(seen: str) -> None:
    undo = undo_of(guest("cancel", seen, "FAILED"))
    assert undo == Write(
        act="replay",
        key=KEY,
        seen="FAILED",
        columns={
            "status": "PENDING",
            "error": None,
            "failure_state": None,
            "failure_count": 0,
            "lease_worker_id": None,
            "lease_expires_at": None,
        },
        unleased=True,
    )


def test_a_paused_guest_is_resumed() -> None:
    undo = undo_of(guest("pause", "RUNNING", "WAITING_INTERRUPT"))
    assert undo == Write(
        act="resume",
        key=KEY,
        seen="WAITING_INTERRUPT",
        columns={"status": "PENDING"},
        unleased=True,
    )


def test_a_replayed_guest_gets_its_failure_back_and_keeps_its_lease() -> None:
    columns = ("status", "error", "failure_state", "failure_count", "lease_worker_id")
    before = {
        "status": "FAILED",
        "error": "boom",
        "failure_state": FAILURE,
        "failure_count": 1,
        "lease_worker_id": "worker-3",
    }
    undo = undo_of(guest("replay", "FAILED", "PENDING", columns=columns, before=before))
    assert isinstance(undo, Write)
    assert (undo.act, undo.seen) == ("cancel", "PENDING")
    assert dict(undo.columns) == {
        "status": "FAILED",
        "error": "boom",
        "failure_state": FAILURE,
        "failure_count": 1,
    }


def test_every_undo_of_a_guest_is_an_act_that_its_table_offers() -> None:
    found = 0
    for act, seen, aimed in product(("cancel", "pause", "resume", "replay"), RunStatus, RunStatus):
        undo = undo_of(guest(act, seen, aimed))
        if isinstance(undo, Write):
            found += 1
            check(undo.act, target(undo), Standing(kind="guest", status=undo.seen), entry().time)
    assert found


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (moved("RUNNING", "FAILED", written=False), "nothing was written"),
        (moved("PENDING", "FAILED", stored="RUNNING"), "has made it RUNNING since"),
        (moved("PENDING", "FAILED", stored=None), "could not be read"),
        (moved("RUNNING", "RUNNING", act="checkpoint"), "only adds"),
        (moved("FAILED", "FAILED", act="fork"), "act on the new run instead"),
        (moved("PENDING", "PENDING", act="restore"), "restore an earlier checkpoint"),
        (moved("PENDING", "FAILED", before={"status": "PENDING"}), "what error held before"),
        (moved("PENDING", "FAILED", before={"error": None}), "what status held before"),
        (moved("PENDING", "FAILED", columns=("error",)), "what its status was before"),
        (moved("PENDING", "[/]"), "no status that this version knows"),
        (guest("cancel", "WAITING_APPROVAL", "FAILED"), "does not make it WAITING_APPROVAL"),
        (guest("resume", "WAITING_INTERRUPT", "PENDING"), "cannot be paused"),
    ],
)
def test_what_cannot_be_undone_says_why(made: Entry, words: str) -> None:
    undo = undo_of(made)
    assert isinstance(undo, str)
    assert words in undo


def test_a_value_that_the_file_hides_is_never_written_back() -> None:
    before = {"status": "PENDING", "error": MASK}
    undo = undo_of(moved("PENDING", "FAILED", before=before, withheld=("error",)))
    assert undo == "the journal's file does not keep what error held before"


def test_the_last_act_on_a_run_is_undone_first() -> None:
    first, other_run = moved("PENDING", "FAILED"), RunKey("default", "null", "other")
    again = moved("FAILED", "PENDING")
    assert undo_of(first, [again]) == "a later act on this run has to be undone first"
    for harmless in ({"key": other_run}, {"database": "other.db"}, {"written": False}):
        later = moved("FAILED", "PENDING", **harmless)
        assert isinstance(undo_of(first, [later]), Write)
