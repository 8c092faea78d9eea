"""What the bar of the past says: the moment, what had happened, and what nothing tells."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone
from typing import get_args

import pytest

from tests.views.build import NOW, at, words
from zeroth_store.past.browsing import Known
from zeroth_store.past.events import Event, What
from zeroth_tui import text
from zeroth_tui.views.past_words import PastMoment, event_words, known_line, moment_line

ALL_KNOWN = Known(runs=5, under_way=0, undated=0)
EVENTS = (Event(at(0), "started"), Event(at(3), "node ended", "classify", "completed"))


def shown(seconds: float = 3, known: Known = ALL_KNOWN, **more: object) -> PastMoment:
    return PastMoment(at=at(seconds), known=known, **more)  # type: ignore[arg-type]


def test_the_moment_is_said_with_its_zone_its_age_and_the_way_back() -> None:
    zone = timezone(timedelta(hours=1), "CET")
    said = words(moment_line(shown(), zone, NOW, 200))
    assert said == (" ◀◀ PAST  2026-03-01 11:00:03.000 CET  59m ago  ■ stopped 1x  ctrl+t: now")
    played = shown(playing=True, speed=20)
    assert "▶ playing 20x" in words(moment_line(played, zone, NOW, 200))


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (-1, "before the run (0 of 2)"),
        (0, "the run started (1 of 2)"),
        (2, "after: the run started (1 of 2)"),
        (3, "classify completed (2 of 2)"),
    ],
)
def test_what_had_happened_last_is_said(seconds: float, said: str) -> None:
    assert words(known_line(shown(seconds, events=EVENTS), 200)).strip() == said


def test_no_run_and_a_notice_are_said_instead() -> None:
    assert words(known_line(shown(), 200)).strip() == "no run is open"
    assert words(known_line(shown(notice="no such time"), 200)).strip() == "no such time"


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (
            Known(runs=9, under_way=1, undated=0),
            "1 run was under way in a state that is not recorded",
        ),
        (
            Known(runs=9999, under_way=1204, undated=0),
            "1,204 runs were under way in a state that is not recorded",
        ),
        (Known(runs=9, under_way=0, undated=1), "1 run without a readable start always shown"),
    ],
)
def test_what_is_not_known_is_said_with_the_number(known: Known, said: str) -> None:
    assert words(known_line(shown(known=known), 200)).endswith(f"  {said}")
    assert "leaves out" in words(known_line(shown(known=known, searches=True), 200))


@pytest.mark.parametrize("what", get_args(What))
def test_every_event_has_words_and_none_lets_stored_text_act(what: What) -> None:
    evil = "\x1b]0;x\x07[/]\n"
    said = event_words(Event(at(0), what, evil, evil))
    assert said
    assert "{" not in said
    assert not any(ord(letter) < 32 or ord(letter) == 127 for letter in said)


@pytest.mark.parametrize("width", [1, 20, 80, 160])
def test_no_line_is_wider_than_the_screen(width: int) -> None:
    busy = shown(known=Known(runs=9, under_way=3, undated=2), events=EVENTS, searches=True)
    for said in (moment_line(busy, UTC, NOW, width), known_line(busy, width)):
        assert text.cells(words(said)) <= width
