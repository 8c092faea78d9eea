"""Any run at any moment: the present where all is past, and at no time anything from later."""

from __future__ import annotations

from datetime import datetime

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from tests.shares import share
from tests.store.past_rows import approval, checkpoint, operation
from tests.views.build import at, audit, detail, edge, entry, moment, summary
from zeroth_store.browse import RelatedRows, RunDetail
from zeroth_store.past.life import life_of
from zeroth_store.past.related import checkpoints_at, related_at
from zeroth_store.past.runs import detail_at, summary_at
from zeroth_store.times import Moment

END = 100
SECONDS = st.integers(0, END)
TIMES = st.one_of(st.none(), SECONDS)
STATUSES = st.sampled_from(["COMPLETED", "FAILED", "RUNNING", "WAITING_APPROVAL", "odd", None])


@st.composite
def runs(draw: st.DrawFn) -> tuple[RunDetail, RelatedRows]:
    """A run of whatever nodes at whatever times, whether they make sense or not."""
    count = draw(st.integers(0, 4))
    history = [
        entry(at_, draw(st.sampled_from("ab")), draw(TIMES), draw(TIMES), audit=f"audit:{at_}")
        for at_ in range(count)
    ]
    conditions = [
        msgspec.structs.replace(edge(at_, "a", "e", "b"), evaluated=moment(draw(TIMES)))
        for at_ in range(draw(st.integers(0, 3)))
    ]
    run = detail(
        history,
        conditions,
        run=summary(draw(STATUSES), started=draw(TIMES), updated=draw(TIMES)),
    )
    rows = RelatedRows(
        audits=tuple(
            audit(f"audit:{at_}", "a", draw(TIMES), draw(TIMES))
            for at_ in range(draw(st.integers(0, 5)))
        ),
        approvals=tuple(approval(f"p{at_}", draw(TIMES), draw(TIMES)) for at_ in range(count)),
        operations=tuple(operation(f"o{at_}", draw(TIMES), draw(TIMES)) for at_ in range(count)),
        children=tuple(
            summary(draw(STATUSES), run_id=f"c{at_}", started=draw(TIMES), updated=draw(TIMES))
            for at_ in range(draw(st.integers(0, 2)))
        ),
    )
    return run, rows


@share(2)
@given(runs(), st.integers(END, 2 * END))
def test_as_of_now_is_the_present(made: tuple[RunDetail, RelatedRows], seconds: int) -> None:
    run, rows = made
    now = at(seconds)
    assert summary_at(run.summary, now, life_of(run, rows)) == run.summary
    assert detail_at(run, now, life_of(run, rows)) == run
    assert related_at(rows, now, {}) == rows


@share(2)
@given(st.lists(st.tuples(TIMES, TIMES), max_size=4), SECONDS, SECONDS)
def test_checkpoints_come_and_hold_what_they_hold_now_since_they_were_saved_last(
    made: list[tuple[int | None, int | None]], one: int, other: int
) -> None:
    rows = tuple(checkpoint(f"c{place}", *times) for place, times in enumerate(made))
    earlier, later = (checkpoints_at(rows, at(end)) for end in sorted((one, other)))
    assert {row.checkpoint_id for row in earlier} <= {row.checkpoint_id for row in later}
    assert [row for row in earlier if row.kind == "state" and row not in later] == []
    assert checkpoints_at(rows, at(END)) == rows


@share(2)
@given(runs(), SECONDS, SECONDS)
def test_what_was_known_stays_known(
    made: tuple[RunDetail, RelatedRows], one: int, other: int
) -> None:
    run, rows = made
    life = life_of(run, rows)
    earlier, later = at(min(one, other)), at(max(one, other))
    before, after = detail_at(run, earlier, life), detail_at(run, later, life)
    if before is not None:
        assert after is not None
        done = [known for known in before.history if known.status != "running"]
        assert [known for known in done if known not in after.history] == []
        assert set(before.conditions) <= set(after.conditions)
    then, afterwards = related_at(rows, earlier, {}), related_at(rows, later, {})
    assert set(then.audits) <= set(afterwards.audits)
    for name in ("approvals", "operations", "children"):
        assert len(getattr(then, name)) <= len(getattr(afterwards, name))


@share(2)
@given(runs(), SECONDS)
def test_nothing_from_later_is_shown(made: tuple[RunDetail, RelatedRows], seconds: int) -> None:
    run, rows = made
    then = at(seconds)
    found = detail_at(run, then, life_of(run, rows))
    related = related_at(rows, then, {})
    shown: list[Moment] = []
    if found is not None and found.summary != run.summary:
        shown += [found.summary.updated]
        shown += [time for one in found.history for time in (one.started, one.completed)]
        shown += [one.evaluated for one in found.conditions]
    shown += [time for one in related.approvals for time in (one.created, one.resolved)]
    shown += [time for one in related.operations for time in (one.created, one.updated)]
    shown += [time for one in related.children for time in (one.started, one.updated)]
    assert [one for one in shown if is_later(one.instant, then)] == []


def is_later(instant: datetime | None, than: datetime) -> bool:
    return instant is not None and instant > than
