"""The mouse in a list: rows under it, clicks, the wheel and the scroll bar."""

from __future__ import annotations

import pytest
from textual import events

from tests.tui.listing import HEIGHT, WIDTH, ground, listing, strips, texts

pytestmark = pytest.mark.thorough


async def test_the_row_under_the_mouse_is_lighter_until_it_leaves() -> None:
    async with listing() as (rows, pilot, _):
        plain = ground(strips(rows)[4])
        await pilot.hover(rows, offset=(3, 4))
        assert ground(strips(rows)[4]) != plain
        assert ground(strips(rows)[5]) == plain
        rows.repainted.clear()
        await pilot.hover(rows, offset=(3, 6))
        assert sorted(rows.repainted) == [4, 6]
        assert ground(strips(rows)[4]) == plain
        rows.post_message(events.Leave(rows))
        await pilot.pause()
        assert ground(strips(rows)[6]) == plain


async def test_the_wheel_scrolls_without_the_cursor_and_stops_at_the_ends() -> None:
    async with listing(15) as (rows, pilot, _):
        await pilot.hover(rows, offset=(3, 3))
        for kind, top in (
            (events.MouseScrollUp, "row 0"),
            (events.MouseScrollDown, "row 3"),
            (events.MouseScrollDown, "row 5"),
            (events.MouseScrollDown, "row 5"),
            (events.MouseScrollUp, "row 2"),
        ):
            rows.post_message(kind(rows, 3, 3, 0, 0, 0, False, False, False))
            await pilot.pause()
            assert texts(rows)[0] == top
        assert rows.item == 0


async def test_a_click_moves_and_a_second_one_opens() -> None:
    async with listing() as (rows, pilot, app):
        await pilot.click(rows, offset=(3, 4))
        assert (rows.item, app.opened) == (4, [])
        await pilot.click(rows, offset=(3, 4))
        assert app.opened == [4]
        await pilot.click(rows, offset=(3, 7), times=2)
        assert app.opened == [4, 7]


async def test_a_click_below_the_last_row_does_nothing() -> None:
    async with listing(3) as (rows, pilot, app):
        await pilot.click(rows, offset=(3, 8))
        assert (rows.item, app.opened) == (0, [])


async def test_the_scroll_bar_is_dragged_and_clicked_without_the_cursor() -> None:
    async with listing() as (rows, pilot, app):
        bar = WIDTH - 1
        await pilot.mouse_down(rows, offset=(bar, 0))
        await pilot.hover(rows, offset=(bar, HEIGHT - 1))
        assert texts(rows)[-1] == "row 99"
        await pilot.hover(rows, offset=(4, 0))  # the mouse may leave the bar meanwhile
        assert texts(rows)[0] == "row 0"
        await pilot.mouse_up(rows, offset=(4, 0))
        await pilot.hover(rows, offset=(bar, HEIGHT - 1))
        assert texts(rows)[0] == "row 0"
        await pilot.click(rows, offset=(bar, HEIGHT - 1))
        assert texts(rows)[-1] == "row 99"
        assert (rows.item, app.opened) == (0, [])
