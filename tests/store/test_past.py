"""A run as of a moment, stage by stage: what was known, and what was not."""

from __future__ import annotations

import msgspec
import pytest

from tests.store.past_rows import approval, checkpoint, operation
from tests.views.build import at, audit, detail, edge, entry, key, moment, summary
from zeroth_store.browse import FailureInfo, Lease, RelatedRows, RunDetail
from zeroth_store.past.events import following, place, preceding, run_events
from zeroth_store.past.life import UNDER_WAY, life_of
from zeroth_store.past.related import checkpoints_at, related_at
from zeroth_store.past.runs import UNTOLD, detail_at, summary_at
from zeroth_store.times import NO_MOMENT

# A run with one of everything: `a` works from 1 to 3 and `gate` waits from 4 to 8, then works from
# 8 to 9, when the run fails.
RUN = msgspec.structs.replace(
    detail(
        (
            entry(0, "a", 3.1, audit="audit:1", given='{"q":1}'),
            entry(1, "gate", 8, 9.1, status="failed", audit="audit:2"),
        ),
        (msgspec.structs.replace(edge(0, "a", "e", "gate"), evaluated=moment(3.2)),),
        run=msgspec.structs.replace(
            summary(
                "FAILED", updated=10, lease=Lease("w", moment(0), moment(60)), failed_node="gate"
            ),
            failure_reason="node_execution_failed",
        ),
    ),
    columns=(("run_id", key().run_id), ("status", "FAILED"), ("metadata", "{}")),
    failure=FailureInfo("node_execution_failed", "boom"),
    metadata="{}",
    initial_input='{"q":0}',
)
ROWS = RelatedRows(
    audits=(audit("audit:1", "a", 1, 3), audit("audit:2", "gate", 8, 9)),
    approvals=(approval("one", 4, 8),),
    operations=(operation("mail", 8.2, 8.8),),
    children=(summary("COMPLETED", run_id="child", started=1.5, updated=2.5),),
)
LIFE = life_of(RUN, ROWS)


def run_at(seconds: float) -> RunDetail:
    found = detail_at(RUN, at(seconds), LIFE)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("seconds", "status"),
    [
        (0, UNDER_WAY),  # nothing tells whether it had been taken up
        (1, "RUNNING"),
        (2.9, "RUNNING"),
        (3, UNDER_WAY),  # between the nodes
        (4, "WAITING_APPROVAL"),
        (7.9, "WAITING_APPROVAL"),
        (8, "RUNNING"),
        (9, UNDER_WAY),
        (9.9, UNDER_WAY),
        (10, "FAILED"),
        (1000, "FAILED"),
    ],
)
def test_the_status_is_as_recorded_or_said_to_be_unknown(seconds: float, status: str) -> None:
    assert run_at(seconds).summary.status == status


def test_a_run_is_not_there_before_its_start() -> None:
    assert detail_at(RUN, at(-0.001), LIFE) is None
    assert summary_at(RUN.summary, at(-0.001)) is None


def test_a_run_without_a_readable_start_was_always_there() -> None:
    run = summary("COMPLETED", started=None, updated=5)
    shown = summary_at(run, at(-100))
    assert shown is not None
    assert shown.status == UNDER_WAY
    assert summary_at(run, at(5)) == run


def test_a_node_at_work_is_in_flight_with_its_input_and_its_true_start() -> None:
    then = run_at(2)
    assert (then.in_flight_node, then.in_flight_input) == ("a", '{"q":1}')
    assert then.summary.updated.instant == at(1)
    assert then.history == ()
    assert then.summary.lease == UNTOLD


def test_the_second_of_two_nodes_at_work_is_an_entry_without_an_end() -> None:
    run = detail(
        (entry(0, "left", 5, audit="audit:1"), entry(1, "right", 6, audit="audit:2")),
        run=summary(updated=7),
    )
    rows = RelatedRows(audits=(audit("audit:1", "left", 1, 5), audit("audit:2", "right", 2, 6)))
    then = detail_at(run, at(3), life_of(run, rows))
    assert then is not None
    assert then.in_flight_node == "left"
    [beside] = then.history
    assert (beside.index, beside.node_id, beside.status) == (1, "right", "running")
    assert (beside.started.instant, beside.completed) == (at(2), NO_MOMENT)


def test_what_the_end_brought_is_not_known_before_it() -> None:
    then = run_at(9.9)
    assert (then.failure, then.output, then.metadata) == (None, None, None)
    assert (then.summary.failure_reason, then.summary.failed_node) == (None, None)
    assert then.columns == (("run_id", key().run_id),)
    assert then.initial_input == '{"q":0}'
    assert [one.node_id for one in then.history] == ["a", "gate"]
    assert [one.node_id for one in run_at(9).history] == ["a"]
    assert run_at(3.1).conditions == ()
    assert len(run_at(3.2).conditions) == 1


def test_other_tables_are_cut_at_the_moment() -> None:
    def then(seconds: float) -> RelatedRows:
        return related_at(ROWS, at(seconds), {})

    assert then(2.9).audits == ()
    assert [one.node_id for one in then(3).audits] == ["a"]
    assert then(3.9).approvals == ()
    [asked] = then(7.9).approvals
    assert (asked.status, asked.decision, asked.actor) == ("pending", None, None)
    assert then(8).approvals == ROWS.approvals
    assert then(8.1).operations == ()
    assert [one.state for one in then(8.5).operations] == [None]
    assert then(8.8).operations == ROWS.operations
    assert [one.status for one in then(2).children] == [UNDER_WAY]
    assert then(1.4).children == ()
    assert then(2.5).children == ROWS.children


def test_an_approval_that_was_asked_anew_leaves_open_how_long_the_first_was_waited_for() -> None:
    rows = RelatedRows(approvals=(approval("first", 1, None), approval("again", 5, None)))
    life = life_of(detail(run=summary(updated=9)), rows)
    assert [life.status(at(seconds)) for seconds in (1, 4.9, 5, 8)] == [
        *(UNDER_WAY, UNDER_WAY),
        *("WAITING_APPROVAL", "WAITING_APPROVAL"),
    ]


def test_a_lease_taken_later_was_not_held() -> None:
    lease = Lease("w", moment(20), moment(80))
    waiting = summary("PENDING", updated=5, lease=lease)
    running = summary("RUNNING", updated=5, lease=lease)
    then = summary_at(waiting, at(10)), summary_at(running, at(10))
    assert [run and run.lease for run in then] == [None, UNTOLD]
    assert summary_at(waiting, at(20)) == waiting


def test_a_checkpoint_that_was_written_again_has_lost_what_it_held() -> None:
    rows = (checkpoint("once", 2, 2), checkpoint("twice", 3, 9))
    assert checkpoints_at(rows, at(1)) == ()
    assert checkpoints_at(rows, at(2)) == rows[:1]
    _, twice = checkpoints_at(rows, at(8))
    assert (twice.kind, twice.size) == ("gone", 0)
    assert checkpoints_at(rows, at(9)) == rows


def test_events_come_in_order_with_what_they_are() -> None:
    events = run_events(RUN, ROWS, (checkpoint("c", 0.5, 10),), LIFE)
    told = [((one.instant - at(0)).total_seconds(), one.what, one.name) for one in events]
    assert told == [
        (0, "started", ""),
        (0.5, "checkpoint", ""),
        (1, "node began", "a"),
        (1.5, "child", ""),
        (3.1, "node ended", "a"),
        (3.2, "decided", "a"),
        (4, "asked", "gate"),
        (8, "answered", "gate"),
        (8.2, "side effect", "mail"),
        (8.8, "side effect", "mail"),
        (9.1, "node ended", "gate"),
        (10, "written", ""),
    ]
    assert [place(events, at(seconds)) for seconds in (-1, 0, 1.2, 10)] == [0, 1, 3, 12]
    after, before = following(events, at(1)), preceding(events, at(1))
    assert after is not None
    assert before is not None
    assert (after.instant, before.instant) == (at(1.5), at(0.5))
    assert following(events, at(10)) is None
    assert preceding(events, at(0)) is None
