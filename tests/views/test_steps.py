"""Steps: times, visits, order, waits, children and decisions, against hand-made runs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tests.views.build import (
    NOW,
    RUN,
    at,
    audit,
    detail,
    entry,
    moment,
    summary,
)
from zeroth_store.browse import ApprovalEntry, HistoryEntry, RelatedRows
from zeroth_store.times import Moment
from zeroth_tui.views.step import EdgeItem
from zeroth_tui.views.step_words import title
from zeroth_tui.views.steps import Step, StepItem, find, loose_children, steps

NOTHING = RelatedRows()


def only(found: Sequence[Step]) -> Step:
    assert len(found) == 1
    return found[0]


def approval(node: str, created: float, resolved: float | None = None) -> ApprovalEntry:
    return ApprovalEntry(
        approval_id=f"ap-{created}",
        node_id=node,
        status="pending" if resolved is None else "resolved",
        created=moment(created),
        updated=moment(created),
        decision=None if resolved is None else "approve",
        resolved=moment(resolved),
    )


def test_a_completed_entry_holds_only_its_end() -> None:
    step = only(steps(detail([entry(0, "a", 4.2)]), NOTHING, NOW))
    assert (step.knowledge, step.start, step.end) == ("ends", None, at(4.2))


def test_a_failed_entry_holds_both_times() -> None:
    step = only(steps(detail([entry(0, "a", 1, 3, status="failed")]), NOTHING, NOW))
    assert (step.knowledge, step.start, step.end) == ("span", at(1), at(3))
    assert step.failed
    assert not step.denied


def test_the_audit_gives_the_exact_times_by_reference() -> None:
    rows = RelatedRows(audits=(audit("audit:1", "a", 1, 2),))
    step = only(steps(detail([entry(0, "a", 2.5, audit="audit:1")]), rows, NOW))
    assert (step.knowledge, step.start, step.end) == ("exact", at(1), at(2))


def test_a_branch_audit_is_found_by_the_reference_itself_and_gives_the_start() -> None:
    ref = f"{RUN}:branch:0:audit:1"
    rows = RelatedRows(audits=(audit(ref, "work", 1, 1, branch=f"{RUN}:branch:0"),))
    step = only(steps(detail([entry(0, "work", 3, audit=ref)]), rows, NOW))
    assert (step.knowledge, step.start, step.end) == ("span", at(1), at(3))
    assert (step.branch, title(step)) == ("0", "work[0]")


def test_an_end_before_the_start_and_a_time_to_come_are_clamped_and_marked() -> None:
    history = [
        entry(0, "a", 5, 3, status="failed"),
        entry(1, "b", NOW + timedelta(days=1)),
        entry(2, "c", 6),
    ]
    found = steps(detail(history), NOTHING, NOW)
    a, b, c = (find(found, index) for index in (0, 1, 2))
    assert a is not None
    assert b is not None
    assert c is not None
    assert (a.start, a.end, a.clamped) == (at(5), at(5), True)
    assert (b.end, b.clamped) == (NOW, True)
    assert not c.clamped


def test_an_entry_without_readable_times_stands_behind_the_one_stored_before_it() -> None:
    history = [entry(0, "a", 1), entry(1, "lost"), entry(2, "b", 2)]
    assert [step.node_id for step in steps(detail(history), NOTHING, NOW)] == ["a", "lost", "b"]


def test_visits_count_in_stored_order_and_rows_sort_by_first_start() -> None:
    # A failed branch is stored before its source, and began after it.
    history = [
        entry(0, "work", 5, 6, status="failed"),
        entry(1, "split", 4),
        entry(2, "work", 4.5),
    ]
    found = steps(detail(history), NOTHING, NOW)
    assert [(step.node_id, step.visit) for step in found] == [
        ("split", 1),
        ("work", 2),
        ("work", 1),
    ]


def test_a_denied_node_has_an_audit_and_no_entry() -> None:
    rows = RelatedRows(
        audits=(
            audit("audit:1", "a", 1, 2),
            audit("audit:2", "publish", 3, 3, status="rejected"),
            audit("x:worker:1", "__worker__", 4, None, status="rejected"),
            audit("x:approve", "b", 4, 4, status="approval_api"),
        )
    )
    found = steps(detail([entry(0, "a", 2, audit="audit:1")]), rows, NOW)
    assert [(step.node_id, step.denied, step.index) for step in found] == [
        ("a", False, 0),
        ("publish", True, -1),
    ]


def test_a_resolved_approval_is_the_wait_of_the_visit_it_released() -> None:
    # The first approval was abandoned by a cancel, a replay asked again.
    rows = RelatedRows(approvals=(approval("ask", 1), approval("ask", 4, 6)))
    run = detail([entry(0, "ask", 7)], run=summary("COMPLETED", updated=8))
    found = steps(run, rows, NOW)
    released = find(found, 0)
    assert released is not None
    assert (released.waited_from, released.waited_until) == (at(4), at(6))
    abandoned = find(found, -1)
    assert abandoned is not None
    assert (abandoned.status, abandoned.waiting) == ("not decided", False)
    assert (abandoned.waited_from, abandoned.waited_until) == (at(1), at(8))


def test_waiting_for_approval_is_a_step_that_says_since_when() -> None:
    rows = RelatedRows(approvals=(approval("ask", 3),))
    run = detail([entry(0, "a", 2)], run=summary("WAITING_APPROVAL"))
    step = find(steps(run, rows, NOW), -1)
    assert step is not None
    assert step.waiting
    assert (step.node_id, step.waited_from, step.waited_until) == ("ask", at(3), None)
    assert step.approval is not None


def test_waiting_for_a_child_is_a_step_of_the_node_that_spawned_it() -> None:
    child = summary("WAITING_APPROVAL", run_id="c1", started=3, parent=RUN, parent_node="check")
    run = msgspec.structs.replace(
        detail([entry(0, "a", 2)], run=summary("WAITING_APPROVAL")), pending_child_run_id="c1"
    )
    step = find(steps(run, RelatedRows(children=(child,)), NOW), -1)
    assert step is not None
    assert (step.node_id, step.waiting, step.children) == ("check", True, (child,))
    assert step.waited_from == at(3)


def test_an_interrupted_run_waits_at_its_next_node() -> None:
    run = msgspec.structs.replace(
        detail([entry(0, "a", 2)], run=summary("WAITING_INTERRUPT", updated=5, current_step="a")),
        pending_nodes=("b",),
    )
    step = find(steps(run, NOTHING, NOW), -1)
    assert step is not None
    assert (step.node_id, step.status, step.waited_from) == ("b", "interrupted", at(5))


def test_the_running_node_began_at_the_runs_last_write() -> None:
    run = msgspec.structs.replace(
        detail([entry(0, "a", 2)], run=summary("RUNNING", updated=5)), in_flight_node="a"
    )
    step = find(steps(run, NOTHING, NOW), -1)
    assert step is not None
    assert step.in_flight
    assert (step.node_id, step.visit, step.start, step.end) == ("a", 2, at(5), None)


def test_a_failed_dispatch_is_a_step_only_while_nothing_tells_its_end() -> None:
    run = msgspec.structs.replace(detail(run=summary("FAILED")), in_flight_node="a")
    assert only(steps(run, NOTHING, NOW)).status == "no result"
    told = msgspec.structs.replace(run, history=(entry(0, "a", 1, 2, status="failed"),))
    assert only(steps(told, NOTHING, NOW)).index == 0
    lost = RelatedRows(audits=(audit("audit:1", "a", 1, 2),))
    assert only(steps(run, lost, NOW)).origin == "audit"


def test_children_hang_under_the_visit_that_was_open_when_they_began() -> None:
    first = summary(run_id="c1", started=1, parent=RUN, parent_node="check")
    second = summary(run_id="c2", started=5, parent=RUN, parent_node="check")
    orphan = summary(run_id="c3", started=5, parent=RUN, parent_node="gone")
    rows = RelatedRows(children=(first, second, orphan))
    found = steps(detail([entry(0, "check", 2), entry(1, "check", 6)]), rows, NOW)
    assert [step.children for step in found] == [(first,), (second,)]
    assert loose_children(found, rows) == (orphan,)


def test_item_types_with_one_index_are_different_things() -> None:
    assert len({StepItem(1), StepItem(1), EdgeItem(1)}) == 2


instants = st.none() | st.datetimes(
    min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31), timezones=st.just(UTC)
)
moments = st.builds(Moment, instants, st.just("stored"))
nodes = st.sampled_from(["a", "b", ""])
statuses = st.sampled_from(["completed", "failed", "rejected", "started", "weird", None])
entries = st.builds(
    HistoryEntry,
    index=st.integers(0, 5),
    node_id=nodes,
    status=statuses,
    attempt=st.none() | st.integers(),
    started=moments,
    completed=moments,
    audit_ref=st.none(),
)


@given(history=st.lists(entries, max_size=6), status=st.sampled_from(["RUNNING", "FAILED", "x"]))
def test_any_history_gives_every_entry_once_in_order_of_first_known_time(
    history: list[HistoryEntry], status: str
) -> None:
    found = steps(detail(history, run=summary(status)), NOTHING, NOW)
    assert sorted(step.index for step in found) == sorted(entry.index for entry in history)
    known = [step.first for step in found if step.first is not None]
    assert known == sorted(known)
    assert all(moment <= NOW for moment in known)
    for step in found:
        assert step.start is None or step.end is None or step.start <= step.end
