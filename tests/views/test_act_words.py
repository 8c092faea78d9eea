"""Exactly what would be written, in words: every value by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.views.build_acts import HOSTILE, SHOWN, failing, key, texts, words
from zeroth_store.actions import Write
from zeroth_store.run_detail import Stored
from zeroth_store.summaries import RunKey
from zeroth_tui.text import MASK, cells
from zeroth_tui.views.act_words import column_words, write_rows


def test_the_exact_run_the_change_and_every_column_are_shown() -> None:
    run_id = "81bc02e4-5e5f-4c0f-9a58-08b5d6c3f1aa"
    assert texts(write_rows([failing(run_id, failure_state=None)], 80)) == [
        f"run       {run_id}",
        "now       ▶ RUNNING  ->  ✖ FAILED",
        "writes",
        "  status                FAILED",
        "  error                 boom",
        "  failure_state         NULL",
        "only      while it is still RUNNING",
    ]


def test_another_tenant_is_named_and_so_is_a_lease_that_stands_in_the_way() -> None:
    write = Write(
        act="replay",
        key=RunKey("acme", "value:lab", "r1"),
        seen="FAILED",
        columns={"status": "PENDING"},
        unleased=True,
    )
    shown = words(write_rows([write], 80))
    assert "run r1 of acme/lab" in shown
    assert "only while it is still FAILED and no live lease holds it" in shown


def test_a_long_id_is_wrapped_not_cut() -> None:
    run_id = "0123456789" * 20
    shown = texts(write_rows([failing(run_id)], 40))
    assert "".join(line[10:] for line in shown[:7]) == run_id


def test_a_checkpoint_writes_no_column_and_keeps_the_status() -> None:
    write = Write(act="checkpoint", key=key("r1"), seen="RUNNING", columns={})
    assert texts(write_rows([write], 60)) == [
        "run       r1",
        "now       ▶ RUNNING",
        "writes    a checkpoint of the run as it is",
        "only      while it is still RUNNING",
    ]


def test_a_fork_leaves_its_run_as_it_is() -> None:
    write = Write(act="fork", key=key("r1"), seen="FAILED", columns={"status": "PENDING"})
    shown = texts(write_rows([write], 60))
    assert "now       ✖ FAILED" in shown
    assert "new run" in shown


def test_runs_that_get_the_same_stand_together_and_others_apart() -> None:
    writes = [failing("a"), failing("b", "PENDING"), failing("c"), failing("d", error="else")]
    shown = texts(write_rows(writes, 60))
    assert [line for line in shown if line.startswith(("run", "now"))] == [
        "runs      2",
        "now       ▶ RUNNING  ->  ✖ FAILED",
        "run       a",
        "run       c",
        "run       b",
        "now       ○ PENDING  ->  ✖ FAILED",
        "run       d",
        "now       ▶ RUNNING  ->  ✖ FAILED",
    ]


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("error", None, "NULL"),
        ("error", "", "(empty)"),
        ("failure_count", 0, "0"),
        ("error", HOSTILE, SHOWN),
        ("final_output", '{"a":"\\u202e"}', '{"a":"\\\\u202e"}'),
        ("final_output", '{"api_key":"hunter2","n":1}', f'{{"api_key":"{MASK}","n":1}}'),
        ("error", "password=hunter2", f"password={MASK}"),
        ("client_secret", "hunter2", MASK),
        ("status", b"\x00\xff", "<blob 2 bytes>"),
    ],
)
def test_a_cell_is_shown_in_one_clean_line_without_its_secrets(
    name: str, value: Stored, shown: str
) -> None:
    assert column_words(name, value) == shown


@given(
    run_id=st.text(st.characters(codec=None), max_size=40),
    value=st.text(st.characters(codec=None), max_size=40) | st.none() | st.integers(),
    width=st.integers(30, 120),
)
def test_nothing_stored_reaches_the_screen_raw_or_too_wide(
    run_id: str, value: Stored, width: int
) -> None:
    rows = write_rows([failing(run_id, seen="[/]\x1b", error=value)], width)
    for line in texts(rows):
        assert line.isprintable()
        assert cells(line) <= width
