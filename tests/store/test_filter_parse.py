"""The filter language: what each term means, what is wrong with a text, and the way back."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.filters import NOW, filters, parsed, wrong
from zeroth_store.filters import (
    EVERYTHING,
    Filter,
    PayloadTerm,
    RangeTerm,
    StateTerm,
    Term,
    TextTerm,
    TextValue,
    TimeTerm,
    parse,
    render,
)
from zeroth_store.filters.terms import Ago, Clock, Day, Range, TextKey, Today


def part(text: str) -> TextValue:
    return TextValue(text)


def whole(text: str | None) -> TextValue:
    return TextValue(text, exact=True)


def term_of(text: str) -> Term:
    """The one term that a text means."""
    (term,) = parsed(text).terms
    return term


@pytest.mark.parametrize(
    ("text", "key", "values"),
    [
        ("refund", "word", [part("refund")]),
        ("refund,chargeback", "word", [part("refund"), part("chargeback")]),
        ("a,a", "word", [part("a")]),
        ('"two  words"', "word", [part("two  words")]),
        (r'"say \"hi\" C:\\x \n"', "word", [part(r'say "hi" C:\x \n')]),
        ("=Exact", "word", [whole("Exact")]),
        ("12:30", "word", [part("12:30")]),
        ('Key("x")', "word", [part('Key("x")')]),
        ("(null)", "word", [part("(null)")]),
        ("graph:doc@3", "graph", [part("doc@3")]),
        ("GRAPH:Doc", "graph", [part("Doc")]),
        ("node:subgraph:credit:1:score", "node", [part("subgraph:credit:1:score")]),
        ("thread:=a", "thread", [whole("a")]),
        ('thread:=""', "thread", [whole("")]),
        ('thread:="a b",c', "thread", [whole("a b"), part("c")]),
        ("tenant:-x", "tenant", [part("-x")]),
        ("workspace:(null)", "workspace", [whole(None)]),
        ('workspace:"(null)"', "workspace", [part("(null)")]),
        ("workspace:=(null)", "workspace", [whole("(null)")]),
        ("reason:node", "reason", [part("node")]),
        ("id:81bc", "id", [part("81bc")]),
        ("parent:81bc", "parent", [part("81bc")]),
    ],
)
def test_text(text: str, key: TextKey, values: list[TextValue]) -> None:
    assert term_of(text) == TextTerm(key, tuple(values))


@pytest.mark.parametrize(
    ("text", "statuses"),
    [
        ("status:failed", ["FAILED"]),
        ("status:F", ["FAILED"]),
        ("status:wait", ["WAITING_APPROVAL", "WAITING_INTERRUPT"]),
        ("status:waiting_i", ["WAITING_INTERRUPT"]),
        ("status:run,pend", ["RUNNING", "PENDING"]),
        ("status:wait,WAITING_APPROVAL", ["WAITING_APPROVAL", "WAITING_INTERRUPT"]),
        ("status:zombie", ["zombie"]),
        ("status:RUNNINGS", ["RUNNINGS"]),
        ('status:" RUNNING"', [" RUNNING"]),
        ("status:=running", ["running"]),
        ('status:""', [""]),
        ("status:(null)", [None]),
        ('status:"(null)"', ["(null)"]),
    ],
)
def test_a_status_is_resolved(text: str, statuses: list[str | None]) -> None:
    assert term_of(text) == TextTerm("status", tuple(map(whole, statuses)))


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("since:10m", TimeTerm("since", (Ago(10, "m"),))),
        ("until:1W", TimeTerm("until", (Ago(1, "w"),))),
        ("since:today", TimeTerm("since", (Today(),))),
        ("since:2026-03-01", TimeTerm("since", (Day(date(2026, 3, 1)),))),
        ("since:2026-03-01T10:00", TimeTerm("since", (Clock(datetime(2026, 3, 1, 10)),))),
        (
            'since:"2026-03-01 10:00Z"',
            TimeTerm("since", (Clock(datetime(2026, 3, 1, 10, tzinfo=UTC)),)),
        ),
        ("duration:>10s", RangeTerm("duration", (Range(low=10_000_000, above_low=True),))),
        ("duration:>=1.5ms", RangeTerm("duration", (Range(low=1_500),))),
        ("duration:<1h", RangeTerm("duration", (Range(high=3_600_000_000, below_high=True),))),
        ("duration:1s..5m", RangeTerm("duration", (Range(1_000_000, 300_000_000),))),
        ("duration:1s..", RangeTerm("duration", (Range(low=1_000_000),))),
        ("duration:..2d", RangeTerm("duration", (Range(high=172_800_000_000),))),
        ("cost:>0.1", RangeTerm("cost", (Range(low=0.1, above_low=True),))),
        ("cost:<=$.5", RangeTerm("cost", (Range(high=0.5),))),
        ("cost:0..1e-3", RangeTerm("cost", (Range(0, 0.001),))),
        ("is:live,Dead-Letter", StateTerm(("live", "dead-letter"))),
        ("in:output:refund", PayloadTerm("output", ("refund",))),
        ("in:output refund", PayloadTerm("output", ("refund",))),
        ('in:any "two words",x', PayloadTerm("any", ("two words", "x"))),
        ("in:input:a:b", PayloadTerm("input", ("a:b",))),
        ("in:any:=1", PayloadTerm("any", ("=1",))),
    ],
)
def test_other_terms(text: str, term: Term) -> None:
    assert term_of(text) == term


def test_terms_stand_in_order_and_a_minus_negates() -> None:
    assert parsed("  a -b\t-is:live -in:any:x\n").terms == (
        TextTerm("word", (part("a"),)),
        TextTerm("word", (part("b"),), negated=True),
        StateTerm(("live",), negated=True),
        PayloadTerm("any", ("x",), negated=True),
    )


def test_payload_terms_are_apart() -> None:
    found = parsed("in:any x is:live")
    assert found.payload_terms == (PayloadTerm("any", ("x",)),)
    assert found.row_terms == (StateTerm(("live",)),)


def test_nothing_is_everything() -> None:
    assert parse("", now=NOW) == parse(" \n", now=NOW) == EVERYTHING == Filter()


@pytest.mark.parametrize(
    ("text", "marked", "said"),
    [
        ("a statsu:failed", "statsu:", "status:"),
        ("gra:x", "gra:", "graph:"),
        ("Foo:x", "Foo:", '"foo:..."'),
        ("x status:", "", "a value after status:"),
        ("status:failed,", "", "every comma"),
        ("a,,b", "", "both sides of a comma"),
        ("a -", "", "after -"),
        ('graph:""', '""', "between the quotes"),
        ('x "two words', '"two words', "closes"),
        ('x "two"words y', '"two"words', "a blank or a comma"),
        ("since:yesterday", "yesterday", "2026-03-01T10:00"),
        ("since:2026-02-30", "2026-02-30", "today"),
        ("since:=1d", "=1d", "today"),
        ("since:1d,soon", "soon", "today"),
        ("since:999999999w", "999999999w", "between the years 1 and 9999"),
        ("until:9999-12-31", "9999-12-31", "between the years 1 and 9999"),
        ("duration:10s", "10s", ">10s"),
        ("duration:>10", ">10", ">10s"),
        ("duration:1s..x", "1s..x", "1s..5m"),
        ("duration:..", "..", "1s..5m"),
        ("duration:>165344w", ">165344w", ">10s"),  # more than 10**17 microseconds
        ("cost:>1e999", ">1e999", ">0.1"),
        ("cost:>-1", ">-1", ">0.1"),
        ("cost:>٣", ">٣", ">0.1"),
        ("is:brokn,live", "brokn", "dead-letter"),
        ("is:dead", "dead", "dead-letter)"),
        ("in:x:y", "x", "input, output, any"),
        ("in:", "", "input, output, any"),
        ("in:any", "", "in:any:refund"),
        ("in:any status:failed", "", "in:any:refund"),
        ("in:any -x", "", "in:any:refund"),
        ('in:any:""', '""', "between the quotes"),
    ],
)
def test_an_error_says_where_and_what_was_expected(text: str, marked: str, said: str) -> None:
    error = wrong(text)
    assert text[error.start : error.end] == marked
    assert said in error.message
    assert str(error) == error.message
    assert error.message.endswith(".")


def test_the_first_error_is_named_where_it_is() -> None:
    assert wrong("is:a since:b").start == 3
    assert (wrong("x status: y").start, wrong("x status: y").end) == (9, 9)


def check_any(text: str) -> None:
    """Whatever a text is, it parses to a filter that round-trips or to an error within it."""
    found = parse(text, now=NOW)
    if isinstance(found, Filter):
        assert parse(render(found), now=NOW) == found
    else:
        assert 0 <= found.start <= found.end <= len(text)


@given(st.text())
def test_any_text(text: str) -> None:
    check_any(text)


PIECES = st.sampled_from(
    [*'-:,"\\ =<>.()', "in:", "any", "status:", "since:", "1d", "is:", "x", "ü", "\0", "duration:"]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_any_text_that_is_almost_a_filter(text: str) -> None:
    check_any(text)


@given(filters())
def test_a_filter_round_trips(wanted: Filter) -> None:
    assert parse(render(wanted), now=NOW) == wanted
    assert str(wanted) == render(wanted)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("STATUS:wait   -x", "status:WAITING_APPROVAL,WAITING_INTERRUPT -x"),
        ("status:=running", 'status:="running"'),
        ("in:any two", "in:any:two"),
        ("duration:>=90s", "duration:90s.."),
        ("duration:<60s", "duration:<1m"),
        ("since:1D until:today", "since:1d until:today"),
    ],
)
def test_how_a_filter_is_written(text: str, written: str) -> None:
    assert render(parsed(text)) == written


def test_a_pasted_megabyte_is_an_error_or_a_word() -> None:
    assert wrong("x " * 500_000).start == 200  # behind 100 words
    assert wrong(",".join(map(str, range(101)))).start == 0
    assert wrong("status:w " * 51).start == 450  # each stands for two statuses
    assert wrong('"' + "\\x" * 500_000).start == 0
    assert term_of("x" * 1_000_000) == TextTerm("word", (part("x" * 1_000_000),))
