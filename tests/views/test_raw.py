"""The row as stored."""

from __future__ import annotations

from zeroth_store.browse import CellProblem, RunDetail, RunKey, RunSummary, Stored
from zeroth_store.times import NO_MOMENT
from zeroth_tui.line import Row
from zeroth_tui.text import MASK
from zeroth_tui.views.raw import raw_rows


def detail(*columns: tuple[str, Stored], problems: tuple[CellProblem, ...] = ()) -> RunDetail:
    summary = RunSummary(
        key=RunKey("default", "null", "run-1"),
        status=None,
        thread_id=None,
        graph=None,
        deployment=None,
        workflow=None,
        started=NO_MOMENT,
        updated=NO_MOMENT,
    )
    return RunDetail(summary=summary, columns=columns, problems=problems)


def words(row: Row) -> list[str]:
    return "".join(piece.text for piece in row.line).split()


def test_every_column_has_name_type_size_and_value_in_table_order() -> None:
    rows = raw_rows(
        detail(("run_id", "run-1"), ("epoch", 0), ("cost", 0.5), ("blob", b"\x00\xff"), ("x", "ü"))
    )
    assert [row.item for row in rows] == ["run_id", "epoch", "cost", "blob", "x"]
    assert [words(row) for row in rows] == [
        ["run_id", "TEXT", "5", "B", "run-1"],
        ["epoch", "INTEGER", "0"],
        ["cost", "REAL", "0.5"],
        ["blob", "BLOB", "2", "B", "<blob", "2", "bytes>", "00", "ff"],
        ["x", "TEXT", "2", "B", "ü"],
    ]


def test_null_is_told_from_text_that_says_so() -> None:
    null, text = raw_rows(detail(("a", None), ("b", "NULL")))
    assert words(null) == ["a", "NULL", "NULL"]
    assert words(text) == ["b", "TEXT", "4", "B", "NULL"]
    assert null.line[-1].role != text.line[-1].role


def test_bytes_that_are_no_utf8_count_as_stored() -> None:
    (row,) = raw_rows(detail(("a", b"ab\xff".decode("utf-8", "surrogateescape"))))
    assert words(row) == ["a", "TEXT", "3", "B", r"ab\udcff"]


def test_a_value_is_one_line_and_a_long_one_is_cut() -> None:
    short, long = raw_rows(detail(("a", "x\n\x1b[2J"), ("b", "y" * 1734)))
    assert short.line[-1].text == "x␊␛[2J"
    assert long.line[-1].text == "y" * 500 + "… +1,234"


def test_secrets_are_masked_by_key_and_by_form_also_in_broken_json() -> None:
    rows = raw_rows(
        detail(
            ("metadata", '{"a":1,"password":"p1"}'),
            ("final_output", '{"api_key": "cut off'),
            ("error", "login failed: password=p1"),
            ("secret", "p1"),
        )
    )
    assert [row.line[-1].text for row in rows] == [
        f'{{"a":1,"password":"{MASK}"}}',
        f'{{"api_key": "{MASK}"',
        f"login failed: password={MASK}",
        MASK,
    ]


def test_what_is_wrong_with_a_column_is_said_below_it() -> None:
    problem = CellProblem("metadata", "not JSON: Expecting value at character 0")
    rows = raw_rows(detail(("metadata", "x"), ("error", None), problems=(problem,)))
    assert [row.item for row in rows] == ["metadata", "metadata", "error"]
    assert rows[1].line[0].text.strip() == problem.message


def test_hostile_column_names_are_only_text() -> None:
    (row,) = raw_rows(detail(("[/x]\x1b", 1)))
    assert words(row)[0] == "[/x]␛"
