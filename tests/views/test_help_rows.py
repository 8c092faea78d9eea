"""Keys as rows: merged where they say the same, wrapped where there is no room, grey where idle."""

from __future__ import annotations

from zeroth_tui.line import Row
from zeroth_tui.views.help_rows import Entry, Section, help_rows, merged


def text(row: Row) -> str:
    return "".join(piece.text for piece in row.line)


def test_two_keys_that_say_the_same_are_one_row() -> None:
    up, down = Entry(("↑", "k"), "move", "", "up"), Entry(("↓", "k"), "move", "", "down")
    other = Entry(("x",), "act", "", "act")
    assert merged((up, other, down)) == (Entry(("↑", "k", "↓"), "move", "", "up"), other)


def test_what_does_nothing_now_stays_apart_with_its_reason() -> None:
    works, idle = Entry(("a",), "act", "", 1), Entry(("b",), "act", "read-only", 2)
    assert merged((works, idle)) == (works, idle)
    rows = help_rows([Section("Act", (works, idle))], 60)
    assert [text(row) for row in rows] == [
        "Act",
        "  a             act",
        "  b             act (read-only)",
    ]
    assert [row.item for row in rows] == [None, 1, 2]
    assert {piece.role for piece in rows[2].line} == {"muted"}


def test_sections_are_set_apart_and_long_words_wrapped_beside_the_keys() -> None:
    long = Entry(("l",), "goes on over the end of the row", "", "long")
    rows = help_rows([Section("A", ()), Section("B", (long,))], 36)
    assert [text(row) for row in rows] == [
        "A",
        "",
        "B",
        "  l             goes on over the end",
        "                of the row",
    ]
    assert [row.item for row in rows[3:]] == ["long", "long"]


def test_many_keys_get_the_room_they_need() -> None:
    many = Entry(tuple("123456789"), "tabs", "", 0)
    (_, row) = help_rows([Section("Run", (many,))], 60)
    assert text(row) == "  1 2 3 4 5 6 7 8 9  tabs"
