"""Searching payloads that are stored oddly: each is searched, none raises."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.store.filters import parsed
from tests.store.guests import ERAS, Guest
from tests.store.payloads import history, ids, spot
from zeroth_store.browse import RunQuery, Spot
from zeroth_store.payloads import JsonPath
from zeroth_store.sqlite.browser import SQLiteRunBrowser


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    with Guest(tmp_path / "guest.db") as made:
        yield made


@pytest.mark.parametrize(
    ("column", "stored", "place"),
    [
        ("final_output", '{"a": "M\\u00DCller', "output"),
        ("final_output", "plain MÜller", "output"),
        ("final_output", "MÜLLER".encode(), "output"),
        ("final_output", "nul \0 mÜller", "output"),
        ("final_output", "[" * 100_000 + '"MÜller"', "output"),
        ("execution_history", '[{"output_snapshot": "M\\u00DCller"', "input"),
        ("execution_history", '{"a": "MÜller"}', "input"),
        ("execution_history", b"\xff M\xc3\x9cller", "input"),
        ("metadata", '["M\\u00DCller"]', "input"),
        ("metadata", "{MÜller}", "input"),
    ],
)
def test_a_cell_that_cannot_be_decoded_is_searched_as_stored(
    guest: Guest, column: str, stored: object, place: Any
) -> None:
    guest.run("r", **{column: stored})
    assert spot(guest, "in:any:mÜller") == Spot(place=place)
    assert ids(guest, "-in:any:mÜller") == ""
    assert ids(guest, "in:any:mÜllers") == ""


def test_a_history_that_cannot_be_decoded_is_input_and_output(guest: Guest) -> None:
    guest.run("r", execution_history="[needle")
    assert spot(guest, "in:output:needle") == Spot(place="output")
    assert spot(guest, "in:input:needle") == Spot(place="input")


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        (r'"\u0041BC"', "abc"),
        (r'"M\u00DCLLER"', "mÜller"),
        (r'"MÜLLER"', "mÜller"),
        (r'"éé \u00e9é"', "éé éé"),
        (r'"a/b\/c"', "a/b/c"),
        (r'"say \"50%\" C:\\x"', r'"\"50%\" C:\\x"'),
        (r'"\ud83d\uDE00"', "😀"),
    ],
)
def test_each_spelling_is_found(guest: Guest, stored: str, text: str) -> None:
    guest.run("r", final_output=stored)
    quoted = text if text.startswith('"') else f'"{text}"'
    assert ids(guest, f"in:output:{quoted}") == "r"


def test_odd_json_is_read_like_any_other(guest: Guest) -> None:
    deep = '{"a":' * 300 + '"needle"' + "}" * 300
    odd = f'[1, {{"node_id": null, "output_snapshot": {{"x": NaN, "y": [-Infinity, {deep}]}}}}]'
    guest.run("r", execution_history=odd, metadata='{"initial_input": {"s": "\\ud800 lone"}}')
    path: JsonPath = ("y", 1, *["a"] * 300)
    assert spot(guest, "in:any:needle") == Spot(place="output", step=1, path=path)
    assert spot(guest, "in:any:nan") == Spot(place="output", step=1, path=("x",))
    assert spot(guest, "in:any:-infinity") == Spot(place="output", step=1, path=("y", 0))
    assert spot(guest, "in:any:lone") == Spot(place="input", path=("s",))


def test_a_key_that_is_written_twice_hides_nothing(guest: Guest) -> None:
    guest.run("r", final_output='{"a": "one", "a": "two"}')
    assert (
        spot(guest, "in:any:one") == spot(guest, "in:any:two") == Spot(place="output", path=("a",))
    )


@pytest.mark.parametrize("era", ERAS)
async def test_any_schema_is_searched(tmp_path: Path, era: str) -> None:
    with Guest(tmp_path / "old.db", era) as guest:
        guest.run("r", execution_history=history(({}, "needle")), final_output='"needle"')
        guest.sql("ALTER TABLE runs DROP COLUMN final_output")
        guest.sql("ALTER TABLE runs DROP COLUMN metadata")
        guest.sql("ALTER TABLE runs DROP COLUMN pending_node_ids")
        async with SQLiteRunBrowser(guest.path) as browser:
            page = await browser.search(RunQuery(filter=parsed("in:any:needle")))
    (hit,) = page.hits
    assert hit.run.key == ("default", "null", "r")
    assert hit.spot == Spot(place="output", step=0)
    assert (page.scanned, page.more) == (1, None)


def test_the_longest_filter_is_searched(guest: Guest) -> None:
    guest.run("r", final_output='"x99"')
    guest.run("other", final_output='"y"')
    assert ids(guest, "in:any:" + ",".join(f'"x{n}"' for n in range(100))) == "r"
    assert ids(guest, " ".join(f'-in:any:"ü{n}"' for n in range(100))) == "other r"
    assert ids(guest, f"in:any:{'ü/%' * 5_000}") == ""
    assert ids(guest, f"in:any:{'ü/%' * 5_000},x99") == "r"
