"""How an overview speaks: lengths, rates, shares, and what enter opens."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.views.build import key
from zeroth_store.overview import OverviewQuery, Stretch
from zeroth_tui.views.overview_table import Figure, Rows
from zeroth_tui.views.overview_words import (
    failed_words,
    length_words,
    next_length,
    opens,
    rate,
    since_words,
    step_words,
)

NINE = timezone(timedelta(hours=9), "JST")
SINCE = datetime(2026, 3, 1, 23, 50, tzinfo=UTC)


def stretch(since: datetime, until: datetime | None) -> Stretch:
    return Stretch(since=since, until=until, end=since, step=timedelta(seconds=30), bars=1)


def test_lengths_go_from_a_quarter_of_an_hour_to_all_time() -> None:
    wanted = OverviewQuery()
    words = [length_words(wanted)]
    for _ in range(6):
        wanted = OverviewQuery(next_length(wanted, 1))
        words.append(length_words(wanted))
    assert words == [
        "the last 15 min",
        "the last 1 h",
        "the last 6 h",
        "the last 24 h",
        "the last 7 days",
        "all time",
        "all time",
    ]
    assert next_length(OverviewQuery(), -1) == timedelta(minutes=15)
    assert next_length(OverviewQuery(None), -1) == timedelta(days=7)
    assert length_words(OverviewQuery(at_newest=True)) == "15 min up to the newest run"


def test_times_name_their_zone_and_their_day_once() -> None:
    until = SINCE + timedelta(minutes=15)
    assert since_words(stretch(SINCE, None), UTC) == "since 2026-03-01 23:50:00 UTC"
    assert since_words(stretch(SINCE, until), UTC) == (
        "since 2026-03-01 23:50:00 until 2026-03-02 00:05:00 UTC"
    )
    assert since_words(stretch(SINCE, until), NINE) == (
        "since 2026-03-02 08:50:00 until 09:05:00 JST"
    )
    last = datetime.max.replace(tzinfo=UTC)
    assert since_words(stretch(last, None), NINE) == "since 9999-12-31 23:59:59 UTC"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "1 s"),
        (30, "30 s"),
        (120, "2 min"),
        (3_600, "1 h"),
        (21_600, "6 h"),
        (2_419_200, "28 d"),
    ],
)
def test_a_bar_is_as_long_as_people_say(seconds: int, words: str) -> None:
    assert step_words(timedelta(seconds=seconds)) == words


@pytest.mark.parametrize(
    ("number", "minutes", "words"),
    [
        (1_203, 15, "80/min"),
        (20_000, 1, "20,000/min"),
        (49, 15, "3.3/min"),
        (15, 15, "1.0/min"),
        (14, 15, "56/h"),
        (5, 600, "12/d"),
        (1, 60 * 24 * 7, "0.1/d"),
        (0, 15, ""),
        (5, 0, ""),
    ],
)
def test_a_rate_is_of_the_unit_in_which_it_is_one_or_more(
    number: int, minutes: float, words: str
) -> None:
    assert rate(number, timedelta(minutes=minutes)) == words


def test_a_failure_rate_is_claimed_from_twenty_on() -> None:
    assert failed_words(2, 19) == "of 19 over"
    assert failed_words(1, 20) == "5.0 % of over"


def test_what_enter_opens_is_said_and_hostile_names_are_harmless() -> None:
    assert opens(None, "enter") == opens(Figure("—"), "enter") == "nothing to open here"
    assert (
        opens(Figure("1", target=Rows("is:failed", 1)), "enter") == "enter opens 1 run: is:failed"
    )
    assert opens(Figure("9", target=Rows("", 1204)), "enter") == "enter opens 1,204 runs: "
    assert opens(Figure("9", target=key("a\x1b[2J")), "enter") == "enter opens the run a␛[2J"
    assert (
        opens(Figure("9", target=Rows('graph:="\x1b"', 2)), "enter")
        == 'enter opens 2 runs: graph:="␛"'
    )
    assert (
        opens(Figure("x", target="newest"), "enter") == "enter shows the time up to the newest run"
    )
