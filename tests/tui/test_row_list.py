"""The list that every pane is: what it repaints, and what it owes for drawing by itself."""

from __future__ import annotations

import asyncio

import pytest
from rich.color import Color
from textual.geometry import Region

from tests.tui.listing import (
    HEIGHT,
    WIDTH,
    ListApp,
    colours,
    ground,
    listing,
    numbered,
    strips,
    texts,
)
from zeroth_tui.line import Piece, Row
from zeroth_tui.widgets.row_source import FixedRows


async def test_moving_in_sight_repaints_two_rows_and_nothing_else() -> None:
    async with listing() as (rows, pilot, _):
        await pilot.press("down")
        assert sorted(rows.repainted) == [0, 1]


async def test_scrolling_draws_known_rows_as_the_same_strips() -> None:
    async with listing() as (rows, pilot, _):
        await pilot.press(*["down"] * 9)
        before = strips(rows)
        await pilot.press("down")
        after = strips(rows)
        # Row 9 lost the cursor, and the thumb stays at the top for the first rows of a hundred.
        assert [new is old for new, old in zip(after[1:8], before[2:9], strict=True)] == [True] * 7
        assert texts(rows) == [f"row {n}" for n in range(1, 11)]
        await pilot.press("up")
        assert strips(rows)[1] is after[1]


async def test_nothing_is_repainted_while_nothing_reads_differently() -> None:
    async with listing() as (rows, pilot, _):
        rows.tick()
        rows.show(numbered(100))
        await pilot.pause()
        assert rows.repainted == []


async def test_only_a_row_that_reads_differently_is_repainted() -> None:
    async with listing() as (rows, _, _):
        other = tuple(numbered(100).row(n, WIDTH) for n in range(100))
        changed = Row((Piece("other"),), 3)
        rows.show(FixedRows((*other[:3], changed, *other[4:])))
        assert rows.repainted == [3]
        assert texts(rows)[3] == "other"


async def test_the_scroll_bar_follows_the_length() -> None:
    async with listing(5) as (rows, pilot, _):
        assert not any(mark in strips(rows)[0].text for mark in "█│")
        rows.show(numbered(20))
        await pilot.pause()
        # Half of the rows are in sight, so the thumb is half as high as the bar.
        assert "".join(strip.text[-1] for strip in strips(rows)) == "█████│││││"
        rows.show(numbered(3))
        await pilot.pause()
        assert [strip.text.strip() for strip in strips(rows)] == ["row 0", "row 1", "row 2"] + (
            [""] * 7
        )


async def test_rows_are_cut_for_the_width_of_now() -> None:
    async with listing() as (rows, pilot, _):
        await pilot.resize_terminal(5, HEIGHT)
        await pilot.pause()
        assert rows.render_lines(Region(0, 0, 5, HEIGHT))[9].text == "row…│"


async def test_a_part_of_the_lines_can_be_drawn() -> None:
    async with listing() as (rows, _, _):
        assert [strip.text for strip in rows.render_lines(Region(2, 3, 4, 2))] == ["w 3 ", "w 4 "]


async def test_no_color_takes_the_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listing() as (rows, _, _):
        assert not all(is_grey(colour) for strip in strips(rows) for colour in colours(strip))
    monkeypatch.setenv("NO_COLOR", "1")
    async with listing() as (rows, _, _):
        seen = {colour for strip in strips(rows) for colour in colours(strip)}
        assert seen
        assert all(is_grey(colour) for colour in seen)


def is_grey(colour: Color) -> bool:
    """Whether a colour has no hue."""
    return colour.triplet is not None and len(set(colour.triplet)) == 1


async def test_another_theme_draws_in_other_colours() -> None:
    async with listing() as (rows, pilot, app):
        before = strips(rows)[5]
        app.theme = "textual-light"
        await pilot.pause()
        assert ground(strips(rows)[5]) != ground(before)
        assert strips(rows)[5].text == before.text
        assert set(rows.repainted) == set(range(HEIGHT))


async def test_a_border_and_padding_are_drawn_and_clicks_still_meet() -> None:
    async with listing() as (rows, pilot, _):
        rows.styles.border = ("ascii", "red")
        rows.styles.padding = (0, 2)
        await pilot.pause()
        drawn = [strip.text for strip in strips(rows)]
        assert drawn[0] == drawn[-1] == "+------------------+"
        assert drawn[3].startswith("|  row 2 ")
        await pilot.click(rows, offset=(5, 3))
        assert rows.item == 2


async def test_a_disabled_list_is_faint() -> None:
    async with listing() as (rows, pilot, _):
        before = colours(strips(rows)[5])
        rows.disabled = True
        await pilot.pause()
        assert colours(strips(rows)[5]) != before


async def test_without_focus_the_cursor_is_another_and_only_its_row_is_drawn() -> None:
    async with listing() as (rows, pilot, app):
        await pilot.press("down", "down")
        before = strips(rows)
        rows.repainted.clear()
        app.set_focus(None)
        await pilot.pause()
        after = strips(rows)
        assert ground(after[2]) != ground(before[2])
        assert after[3:] == before[3:]


async def test_the_cursor_stays_on_its_item_and_on_its_line() -> None:
    async with listing() as (rows, pilot, _):
        await pilot.press("end", "up", "up")
        assert (rows.item, rows.cursor - rows.top) == (97, 7)
        rows.show(numbered(150, start=-50))
        await pilot.pause()
        assert (rows.item, rows.cursor, rows.cursor - rows.top) == (97, 147, 7)


def test_rows_can_be_shown_before_there_is_a_screen() -> None:
    async def show() -> None:
        app = ListApp(numbered(0))
        async with app.run_test(size=(1, 1)) as pilot:
            app.rows.show(numbered(3))
            await pilot.pause()
            assert app.rows.item == 0

    asyncio.run(show())
