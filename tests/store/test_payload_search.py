"""Searching payloads: every run that holds a text is found once, with the place where it is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.filters import NOW, parsed
from tests.store.guests import Guest
from tests.store.payloads import history, hits, ids, pages, spot
from zeroth_store.browse import RunQuery, SearchPage, Spot
from zeroth_store.sqlite.search.payload_search import MOST_HITS, search_page


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    with Guest(tmp_path / "guest.db") as made:
        yield made


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("in:input:needle", Spot(place="input", step=1, path=("a", 1, "b"))),
        ("in:output:needle", Spot(place="output", step=0, path=("o", "my Needle"))),
        ("in:any:needle", Spot(place="output", step=0, path=("o", "my Needle"))),
        ("in:any:dispatched", Spot(place="input", in_flight=True, path=("x",))),
        ("in:any:first", Spot(place="input", path=("q",))),
        ("in:any:final", Spot(place="output")),
        ("in:any:1.10", Spot(place="input", step=1, path=("n",))),
        ("in:any:TRUE", Spot(place="input", step=1, path=("yes",))),
        ("in:any:null,absent", Spot(place="input", step=1, path=("no",))),
        ("in:output:absent,final", Spot(place="output")),
        ("in:any:final in:input:first", Spot(place="output")),
        ("-in:any:absent in:any:first", Spot(place="input", path=("q",))),
        ("-in:any:absent", None),
    ],
)
def test_a_hit_says_where(guest: Guest, text: str, found: Spot | None) -> None:
    given = {"a": [0, {"b": "the NEEDLE"}], "n": "NUMBER", "yes": True, "no": None}
    steps = json.dumps(history(({}, {"o": {"my Needle": 1}}), (given, {})))
    guest.run(
        "r",
        execution_history=steps.replace('"NUMBER"', "1.10"),
        metadata={
            "initial_input": {"q": "first"},
            "in_flight_dispatch": {"node_id": "n", "input_payload": {"x": "dispatched"}},
        },
        final_output='"the final word"',
    )
    assert spot(guest, text) == found


@pytest.mark.parametrize(
    "text",
    [
        *("in:input:final", "in:output:first", "in:any:audit", "in:any:path", "in:any:elsewhere"),
        *("in:any:1.1", "in:any:node", "in:input:first in:any:absent", "-in:any:first"),
        *("in:any:first -in:output:final", "in:input:fir%t", "in:input:fir_t"),
    ],
)
def test_what_is_elsewhere_is_no_hit(guest: Guest, text: str) -> None:
    guest.run(
        "r",
        execution_history=[{"node_id": "node", "audit_ref": "audit:1", "input_snapshot": {}}],
        metadata={"initial_input": ["first"], "path": ["elsewhere"], "last_output": "elsewhere"},
        final_output='[1.0, 2.5, 1.01, 11.0, "final"]',
    )
    assert ids(guest, text) == ""


def test_the_input_is_looked_for_where_a_run_without_a_record_of_it_has_it(guest: Guest) -> None:
    waiting = {"node_payloads": {"other": {"x": "b"}, "next": {"x": "a"}}}
    guest.run("recorded", metadata={"initial_input": {"x": "c"}, **waiting})
    guest.run("waits", metadata=waiting, pending_node_ids=["next"])
    guest.run("went on", metadata=waiting, execution_history=history(({"y": "b"}, {})))
    guest.run("ran", metadata=waiting, execution_history=history(({"y": "a"}, {})))
    found = [(hit.run.key.run_id, hit.spot) for hit in hits(guest, "in:input:a")]
    assert found == [
        ("ran", Spot(place="input", step=0, path=("y",))),
        ("waits", Spot(place="input", path=("x",))),
    ]


def test_the_other_terms_hold_too(guest: Guest) -> None:
    for run_id, status in (("one", "FAILED"), ("two", "COMPLETED"), ("three", "FAILED")):
        guest.run(run_id, status, final_output='"refund"')
    guest.run("old", "FAILED", final_output='"refund"', started_at="2020-01-01 10:00:00")
    assert ids(guest, "status:failed in:any:refund") == "old three one"
    assert ids(guest, "status:failed since:1w in:any:refund -id:three") == "one"
    query = RunQuery(text="TWO", statuses=("COMPLETED",), filter=parsed("in:any:refund"))
    page = search_page(guest.connection, query, None, NOW)
    assert [hit.run.key.run_id for hit in page.hits] == ["two"]
    assert page.scanned == 4


def test_each_hit_is_on_one_page_and_every_run_is_looked_at_once(guest: Guest) -> None:
    for number in range(20):
        guest.run(f"r{number}", final_output=json.dumps({"n": number % 3}))
    guest.sql("DELETE FROM runs WHERE run_id IN ('r4', 'r19')")
    found = pages(guest.connection, "in:output:2", seconds=0)
    assert [page.scanned for page in found] == [1] * 18 + [0]
    assert [len(page.hits) for page in found] == [
        n % 3 == 2 for n in range(18, -1, -1) if n != 4
    ] + [0]
    wanted = [f"r{n}" for n in range(18, -1, -1) if n % 3 == 2]
    assert [hit.run.key.run_id for page in found for hit in page.hits] == wanted
    assert pages(guest.connection, "in:output:2") == [
        SearchPage(tuple(hit for page in found for hit in page.hits), 18)
    ]


def test_a_page_has_so_many_hits_at_most(guest: Guest) -> None:
    for number in range(MOST_HITS + 1):
        guest.run(f"r{number}")
    found = pages(guest.connection, "-in:any:absent")
    assert [len(page.hits) for page in found] == [MOST_HITS, 1]
    assert found[1].hits[0].run.key.run_id == "r0"


def test_a_page_ends_with_its_time_however_large_the_rows_are(guest: Guest) -> None:
    large = json.dumps({"filler": ["x" * 1000] * 2000, "last": "needle"})
    for number in range(3):
        guest.run(f"r{number}", final_output=large)
    assert [page.scanned for page in pages(guest.connection, "in:any:absent", seconds=0)] == [
        *(1, 1, 1, 0)
    ]
    assert spot(guest, "id:r1 in:any:needle") == Spot(place="output", path=("last",))


def test_rows_that_no_connection_reads_are_passed_over(guest: Guest) -> None:
    for run_id, text in (("a", "needle"), ("b", "needle" * 5_000), ("c", "needle")):
        guest.run(run_id, final_output=json.dumps(text))
    guest.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 20_000)
    assert ids(guest, "in:output:needle") == "c a"
    assert ids(guest, "-in:output:absent") == "c a"
    assert [page.scanned for page in pages(guest.connection, "in:output:needle")] == [3]
    guest.sql("DELETE FROM runs WHERE run_id = 'c'")
    assert ids(guest, "in:output:needle") == "a"
