"""Random filters, the moment at which tests look, and which runs a filter finds."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import TypeVar

from hypothesis import strategies as st

from tests.store.guests import Guest
from zeroth_store.filters import (
    Filter,
    FilterError,
    PayloadTerm,
    RangeTerm,
    StateTerm,
    Term,
    TextTerm,
    TextValue,
    TimeTerm,
    matches,
    parse,
)
from zeroth_store.filters.terms import (
    PLACES,
    STATES,
    TEXT_KEYS,
    TIME_KEYS,
    Ago,
    Clock,
    Day,
    Range,
    State,
    TimeValue,
    Today,
    Unit,
)
from zeroth_store.sqlite.lists.summaries import fetch_summaries
from zeroth_store.sqlite.search.filter_sql import compile_filter
from zeroth_store.sqlite.tables import runs_table

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
T = TypeVar("T")
UNITS: tuple[Unit, ...] = ("s", "m", "h", "d", "w")
ZONES = st.sampled_from([UTC, timezone(timedelta(hours=9)), timezone(-timedelta(minutes=90))])


def parsed(text: str) -> Filter:
    """The filter that a text means; the test fails when it is none."""
    found = parse(text, now=NOW)
    assert isinstance(found, Filter), found
    return found


def wrong(text: str) -> FilterError:
    """What is wrong with a text; the test fails when it is a filter."""
    found = parse(text, now=NOW)
    assert isinstance(found, FilterError)
    return found


def found(guest: Guest, text: str, now: datetime = NOW) -> str:
    """The ids of the runs that a filter finds, with blanks between them, in order of storing."""
    table = runs_table(guest.connection)
    where = compile_filter(parsed(text), frozenset(table.columns), now)
    rows = fetch_summaries(
        guest.connection, table, f"WHERE ({where.sql}) ORDER BY rowid", where.params
    )
    return " ".join(run.key.run_id for _, run in rows if matches(parsed(text), run, now))


def several(values: st.SearchStrategy[T]) -> st.SearchStrategy[tuple[T, ...]]:
    """One to three different values."""
    return st.lists(values, min_size=1, max_size=3, unique=True).map(tuple)


def text_terms(texts: st.SearchStrategy[str] = TEXTS) -> st.SearchStrategy[Term]:
    """Terms that compare text; the values are such as `parse` returns."""
    exact = texts.map(lambda text: TextValue(text, exact=True))
    part = texts.filter(bool).map(TextValue)
    null = st.just(TextValue(None, exact=True))
    keys = [key for key in TEXT_KEYS if key != "status"]
    return st.one_of(
        st.builds(TextTerm, st.just("word"), several(exact | part), st.booleans()),
        st.builds(TextTerm, st.just("status"), several(exact | null), st.booleans()),
        st.builds(TextTerm, st.sampled_from(keys), several(exact | part | null), st.booleans()),
    )


def time_values() -> st.SearchStrategy[TimeValue]:
    """Times near and far, in years that every zone has."""
    plain = st.datetimes(datetime(1990, 1, 1), datetime(2050, 1, 1))
    moments = st.one_of(plain, st.builds(lambda at, zone: at.replace(tzinfo=zone), plain, ZONES))
    return st.one_of(
        st.builds(Ago, st.integers(0, 5_000), st.sampled_from(UNITS)),
        st.just(Today()),
        st.dates(date(1990, 1, 1), date(2050, 1, 1)).map(Day),
        moments.map(Clock),
    )


def ranges(numbers: st.SearchStrategy[float]) -> st.SearchStrategy[Range]:
    """Ranges with one limit or two."""
    return st.one_of(
        st.builds(lambda low, out: Range(low=low, above_low=out), numbers, st.booleans()),
        st.builds(lambda high, out: Range(high=high, below_high=out), numbers, st.booleans()),
        st.builds(Range, numbers, numbers),
    )


def range_terms() -> st.SearchStrategy[Term]:
    """Terms over durations in microseconds and over dollars."""
    lengths = st.integers(0, 10**17)
    dollars = st.floats(0, 1e15)
    return st.one_of(
        st.builds(RangeTerm, st.just("duration"), several(ranges(lengths)), st.booleans()),
        st.builds(RangeTerm, st.just("cost"), several(ranges(dollars)), st.booleans()),
    )


def state_terms(states: tuple[State, ...] = STATES) -> st.SearchStrategy[Term]:
    """Terms over these conditions."""
    return st.builds(StateTerm, several(st.sampled_from(states)), st.booleans())


def time_terms() -> st.SearchStrategy[Term]:
    """Terms over the time of start."""
    return st.builds(TimeTerm, st.sampled_from(TIME_KEYS), several(time_values()), st.booleans())


def filters() -> st.SearchStrategy[Filter]:
    """Filters of every kind of term."""
    payloads = st.builds(
        PayloadTerm, st.sampled_from(PLACES), several(TEXTS.filter(bool)), st.booleans()
    )
    terms = st.one_of(text_terms(), time_terms(), range_terms(), state_terms(), payloads)
    return st.lists(terms, max_size=4).map(lambda found: Filter(tuple(found)))
