"""An entry as a line of the journal's file: ASCII, without secrets, and read back as written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.journals import entry
from zeroth_store.summaries import RunKey
from zeroth_tui.journal.entry import LONGEST_KEPT, from_line, to_line


@pytest.mark.parametrize(
    "changes",
    [
        {"before": {"error": "postgres://bob:hunter2@db/x"}},
        {"after": {"failure_state": '{"details":{"api_key":"hunter2"}}'}},
        {"after": {"error": "sent Authorization: Bearer hunter2"}},
        {"before": {"client_secret": "hunter2"}},
        {"reason": "password=hunter2"},
        {"problem": "could not connect: password=hunter2"},
    ],
)
def test_secrets_never_reach_the_file(changes: dict[str, Any]) -> None:
    line = to_line(entry(**changes))
    assert "hunter2" not in line
    cells = [*changes.get("before", {}), *changes.get("after", {})]
    assert json.loads(line)["withheld"] == cells


def test_a_very_long_value_is_left_out_and_named() -> None:
    fits, too_long = "x" * LONGEST_KEPT, "x" * (LONGEST_KEPT + 1)
    line = to_line(entry(before={"a": fits, "b": too_long}))
    read = from_line(line.encode())
    assert read is not None
    assert read.before == {"a": fits, "b": None}
    assert read.withheld == ("b",)


ANY_TEXT = st.text(st.characters(codec=None), max_size=20)  # lone surrogates included
CELLS = st.dictionaries(
    st.sampled_from(["status", "final_output", "pending_node_ids", "epoch"]),
    st.none() | st.integers(-(2**63), 2**63 - 1) | st.binary(max_size=9) | st.just(0.5) | ANY_TEXT,
)


@given(before=CELLS, after=CELLS, run_id=ANY_TEXT, user=ANY_TEXT, stored=st.none() | ANY_TEXT)
def test_any_stored_value_comes_back_from_one_line_of_ascii(
    before: dict[str, Any], after: dict[str, Any], run_id: str, user: str, stored: str | None
) -> None:
    key = RunKey("default", "null", run_id)
    made = entry(before=before, after=after, key=key, user=user, stored=stored)
    line = to_line(made)
    assert line.isascii()
    assert line.isprintable()
    read = from_line(line.encode())
    assert read is not None
    if not read.withheld:  # text that reads like a secret is masked
        assert read == made


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{",
        b"null",
        b"[1]",
        b"\xff\xfe",
        b'{"before":1,"after":{}}',
        b"[" * 100_000,
        to_line(entry()).replace('"move"', '"explode"').encode(),
        to_line(entry()).replace("+00:00", "").encode(),
        to_line(entry(before={"a": b"x"})).replace("base64", "pickle").encode(),
    ],
)
def test_a_line_of_anything_else_is_no_entry(line: bytes) -> None:
    assert from_line(line) is None
