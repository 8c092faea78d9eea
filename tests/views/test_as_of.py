"""A run as of a checkpoint: the line that says so, and what is not claimed of it."""

from __future__ import annotations

from datetime import UTC

import msgspec

from tests.views.build import NOW, at, detail, moment, summary, texts
from zeroth_store.browse import AsOf, RelatedRows
from zeroth_store.times import Moment
from zeroth_tui.views.as_of import as_of_row
from zeroth_tui.views.header import header_rows
from zeroth_tui.views.loaded import LoadedRun, load
from zeroth_tui.views.standing import standing_rows

THEN = AsOf(checkpoint_id="c" * 32, position=2, moment=moment(252))


def loaded(as_of: AsOf | None, status: str = "RUNNING") -> LoadedRun:
    run = msgspec.structs.replace(detail(run=summary(status)), as_of=as_of)
    return load(run, RelatedRows(), (), NOW)


def line(as_of: AsOf, width: int) -> str:
    return texts([as_of_row(as_of, UTC, width)])[0]


def test_the_line_names_checkpoint_time_and_the_way_back_at_any_width() -> None:
    assert line(THEN, 100) == (
        "◷ as of checkpoint 3, 2026-03-01 10:04:12.000 UTC, esc returns to now"
    )
    assert line(THEN, 60) == "◷ as of checkpoint 3, 10:04:12, esc returns to now"
    assert line(THEN, 42) == "◷ as of checkpoint 3, 10:04:12, esc: now"


def test_one_without_place_or_time_is_named_by_its_id() -> None:
    lost = AsOf(checkpoint_id="feedface" * 4, position=None, moment=Moment(raw="someday"))
    assert line(lost, 100) == "◷ as of checkpoint feedface, someday (?), esc returns to now"


def test_time_stands_still_at_the_checkpoint_and_nothing_grows() -> None:
    then, now = loaded(THEN), loaded(None)
    assert (then.live, now.live) == (False, True)
    assert then.clock(lambda: NOW)() == at(252)
    assert now.clock(lambda: NOW)() == NOW


def test_a_run_as_of_another_checkpoint_is_another_sight_of_it() -> None:
    other = msgspec.structs.replace(THEN, checkpoint_id="d" * 32)
    saved_again = msgspec.structs.replace(THEN, moment=moment(300))
    assert loaded(THEN).same_as(loaded(saved_again))
    assert not loaded(THEN).same_as(loaded(other))
    assert not loaded(THEN).same_as(loaded(None))
    assert loaded(None).same_as(loaded(None, "COMPLETED"))


def test_no_lease_is_claimed_or_missed_in_the_past() -> None:
    then, now = loaded(THEN).detail, loaded(None).detail
    said = "nothing will pick it up"
    assert said in str(texts(header_rows(now, RelatedRows(), NOW, UTC, 200)))
    assert said not in str(texts(header_rows(then, RelatedRows(), NOW, UTC, 200)))
    assert said in str(texts(standing_rows(now, RelatedRows(), (), 200, NOW, UTC)))
    assert said not in str(texts(standing_rows(then, RelatedRows(), (), 200, NOW, UTC)))
