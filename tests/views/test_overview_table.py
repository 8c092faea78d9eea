"""Tables of figures: what fits, what is chosen, and what that leads to."""

from __future__ import annotations

import pytest

from tests.views.build import key
from zeroth_store.filters import Filter
from zeroth_tui.line import Line, Piece
from zeroth_tui.text import cells
from zeroth_tui.views.overview_table import (
    Choice,
    Entry,
    Figure,
    Rows,
    Section,
    beside,
    chosen,
    counted,
    figures_of,
    table,
)
from zeroth_tui.views.sparkline import sparkline

RUN = Figure("1.2s", target=key())
NONE = Figure("—", "muted")
NOBODY = Choice(None, 0)


def text(line: Line) -> str:
    return "".join(piece.text for piece in line)


def section(*figures: Figure) -> Section:
    heading = Entry(None, (Piece("Graphs", "strong"),), (Figure("runs"), Figure("p50")))
    row = Entry(("graph", "g"), (Piece("support-triage@3"),), figures)
    return Section((heading, row), (8, 8))


def test_figures_end_below_each_other_at_the_right_edge() -> None:
    first, second = table([section(counted(1204, Filter()), RUN)], 40, NOBODY)
    assert text(first.line) == "Graphs                      runs     p50"
    assert text(second.line) == "support-triage@3           1,204    1.2s"
    assert (first.item, second.item) == (None, ("graph", "g"))


def test_the_chosen_figure_is_marked_without_moving_anything() -> None:
    parts = [section(counted(1204, Filter()), RUN)]
    _, row = table(parts, 40, Choice(("graph", "g"), 0))
    assert text(row.line) == "support-triage@3          ▸1,204    1.2s"
    _, row = table(parts, 40, Choice(("graph", "g"), 1))
    assert text(row.line) == "support-triage@3           1,204   ▸1.2s"
    _, row = table(parts, 40, Choice(("graph", "other"), 1))
    assert "▸" not in text(row.line)


def test_columns_are_left_out_from_the_right_before_names_are_cut() -> None:
    _, row = table([section(counted(1, Filter()), RUN)], 31, NOBODY)
    assert text(row.line) == "support-triage@3" + " " * 14 + "1"
    _, row = table([section(counted(1, Filter()), RUN)], 32, NOBODY)
    assert text(row.line).endswith("1    1.2s")


@pytest.mark.parametrize("width", [1, 5, 17, 80, 300])
def test_no_row_is_wider_than_the_screen(width: int) -> None:
    parts = [section(Figure("9" * 50, target=key()), NONE), section(NONE, NONE)]
    for row in table(parts, width, Choice(("graph", "g"), 0)):
        assert sum(cells(piece.text) for piece in row.line) <= width


def test_tables_stand_apart() -> None:
    rows = table([section(NONE, NONE), section(NONE, NONE)], 40, NOBODY)
    assert [bool(row.line) for row in rows] == [True, True, False, True, True]


def test_only_what_leads_somewhere_is_chosen() -> None:
    figures = (NONE, RUN, NONE, NONE, RUN)
    assert [chosen(figures, column) for column in range(6)] == [1, 1, 1, 4, 4, 4]
    assert chosen((NONE, NONE), 0) is None
    assert chosen((), 0) is None


def test_left_and_right_go_from_one_to_the_next_and_stop_at_the_ends() -> None:
    figures = (NONE, RUN, NONE, NONE, RUN)
    assert (beside(figures, 0, 1), beside(figures, 4, -1)) == (4, 1)
    assert (beside(figures, 1, -1), beside(figures, 4, 1)) == (1, 4)
    assert beside((NONE,), 0, 1) is None


def test_sentences_below_a_table_are_wrapped_and_not_cut() -> None:
    told = Section((), prose=(Piece("Left and right choose a figure of a row.", "muted"),))
    rows = table([told], 24, NOBODY)
    assert [text(row.line) for row in rows] == [
        " Left and right choose a",
        " figure of a row.",
    ]


def test_the_figures_of_a_row_are_those_that_are_drawn() -> None:
    part = section(RUN, NONE)
    assert figures_of([part], ("graph", "g"), 32) == (RUN, NONE)
    assert figures_of([part], ("graph", "g"), 31) == (RUN,)  # as in the test of columns above
    assert figures_of([part], ("graph", "h"), 32) == ()
    assert figures_of([part], None, 32) == ()  # headings have no name


def test_a_counted_number_says_which_list_it_is_of() -> None:
    figure = counted(1204, Filter())
    assert (figure.text, figure.target) == ("1,204", Rows("", 1204))


@pytest.mark.parametrize(
    ("values", "width", "expected"),
    [
        ((0, 1, 8, 4, 16), 5, "·▁▄▂█"),
        ((0, 0), 2, "··"),
        ((1, 1000), 2, "▁█"),  # one is never drawn as none
        ((3, 6), 5, "▄▄██"),
        ((3, 6), 100, "▄▄▄███"),
        ((9, 1, 2, 4, 8), 4, "…▂▄█"),  # 2, 4 and 8 of 9 are 1.8, 3.6 and 7.1 eighths
        ((), 5, ""),
        ((1,), 0, ""),
    ],
)
def test_bars_over_time(values: tuple[int, ...], width: int, expected: str) -> None:
    assert sparkline(values, width) == expected
