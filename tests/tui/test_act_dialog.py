"""The dialog that acts on a run: what it offers, shows and returns, by keys and by mouse."""

from __future__ import annotations

import json

import pytest
from textual import events

from tests.tui.act_dialogs import (
    COMPLETED,
    FAILED,
    NARROW,
    PENDING,
    RUN,
    WIDE,
    candidate,
    dialog,
    failed,
)
from zeroth_store.actions import Write
from zeroth_store.summaries import RunKey


@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_menu_lists_what_can_be_done_and_why_the_rest_cannot(
    size: tuple[int, int],
) -> None:
    async with dialog(size=size) as opened:
        assert "1 Move to ○ PENDING a RUNNING run can only be…" in opened.words
        assert "5 Move to ✖ FAILED" in opened.words
        assert "6 Write a checkpoint" in opened.words
        # The whole refusal of the choice under the cursor.
        assert (
            "can only become WAITING_APPROVAL, WAITING_INTERRUPT, COMPLETED or FAILED"
            in opened.words
        )


async def test_the_page_shows_the_run_the_change_and_what_is_written() -> None:
    async with dialog() as opened:
        await opened.press(FAILED)
        assert f"run {RUN}" in opened.words
        assert "now ▶ RUNNING -> ✖ FAILED" in opened.words
        for column, value in failed().items():
            assert f"{column} {value}" in opened.words
        assert "while it is still RUNNING" in opened.words
        assert opened.focused == "cancel"


async def test_y_returns_exactly_what_was_shown() -> None:
    async with dialog() as opened:
        await opened.press(FAILED)
        await opened.type("reason", "stuck")
        await opened.type("message", "by hand")
        columns = failed(reason="stuck", message="by hand")
        for column, value in columns.items():
            assert f"{column} {value}" in opened.words
        await opened.press("y")
        [write] = opened.written
        assert write == Write(
            act="move", key=RunKey("default", "null", RUN), seen="RUNNING", columns=columns
        )
        assert opened.screen.reason == "by hand"


@pytest.mark.parametrize("keys", [("y",), ("Y", "x", "c"), ("enter", "y")])
async def test_nothing_is_confirmed_in_the_menu(keys: tuple[str, ...]) -> None:
    async with dialog() as opened:  # the cursor is on a refused choice
        await opened.press(*keys)
        assert opened.returned == []


async def test_enter_never_confirms() -> None:
    async with dialog() as opened:
        await opened.press(FAILED)
        await opened.type("message", "yes")  # and its `y` is a letter
        assert opened.returned == []
        assert opened.focused == "cancel"
        await opened.press("enter")
        assert opened.returned == [None]


async def test_enter_held_down_in_the_menu_ends_at_cancel() -> None:
    async with dialog() as opened:
        await opened.press("down", "enter", "enter", "enter")
        assert opened.returned == [None]


async def test_escape_goes_one_step_back() -> None:
    async with dialog() as opened:
        await opened.press(FAILED, "tab")
        opened.screen.query_one("#act-message").focus()
        await opened.press("escape")
        assert opened.focused == "cancel"
        await opened.press("escape")
        assert "What to do to run" in opened.words
        assert opened.focused == "act-choices"
        await opened.press("escape")
        assert opened.returned == [None]


async def test_a_field_is_empty_when_its_act_is_chosen_again() -> None:
    async with dialog() as opened:
        await opened.press(FAILED)
        await opened.type("message", "old")
        await opened.press("escape", FAILED)
        assert "old" not in opened.text
        await opened.press("y")
        assert dict(opened.written[0].columns) == failed()


@pytest.mark.parametrize("number", [PENDING, "9"])
async def test_a_refused_or_missing_number_opens_nothing(number: str) -> None:
    async with dialog() as opened:
        await opened.press(number, "y")
        assert opened.returned == []
        assert opened.focused == "act-choices"


async def test_an_output_must_be_json() -> None:
    async with dialog() as opened:
        await opened.press(COMPLETED)
        await opened.type("output", "{done")
        assert "not JSON: Expecting property name" in opened.words
        await opened.press("y")
        await opened.pilot.click("#confirm")
        assert opened.returned == []
        opened.screen.query_one("#act-output").focus()
        await opened.press("ctrl+u")
        await opened.type("output", '{"done": true}')
        assert 'final_output {"done":true}' in opened.words
        await opened.press("y")
        assert dict(opened.written[0].columns) == {
            "status": "COMPLETED",
            "final_output": '{"done":true}',
        }


async def test_json_of_several_lines_can_be_pasted() -> None:
    pasted = json.dumps({"done": True, "n": [1, 2]}, indent=2)
    async with dialog() as opened:
        await opened.press(COMPLETED)
        field = opened.screen.query_one("#act-output")
        field.focus()
        await opened.pilot.pause()
        field.post_message(events.Paste(pasted))
        await opened.press("enter", "y")
        assert opened.written[0].columns["final_output"] == '{"done":true,"n":[1,2]}'


async def test_a_run_waiting_for_approval_goes_on_at_the_nodes_that_were_named() -> None:
    async with dialog(candidate(status="WAITING_APPROVAL")) as opened:
        await opened.press("1")
        await opened.type("pending", "draft, send")
        await opened.press("y")
        assert dict(opened.written[0].columns) == {
            "status": "PENDING",
            "pending_node_ids": '["draft","send"]',
        }


async def test_the_mouse_chooses_confirms_and_cancels() -> None:
    async with dialog() as opened:
        await opened.pilot.click("#act-choices", offset=(10, 0))  # a refused choice
        assert opened.focused == "act-choices"
        await opened.pilot.click("#act-choices", offset=(10, 4))
        await opened.pilot.pause()
        assert "now ▶ RUNNING -> ✖ FAILED" in opened.words
        await opened.pilot.click("#confirm")
        assert dict(opened.written[0].columns) == failed()
    async with dialog() as opened:
        await opened.press(FAILED)
        await opened.pilot.click("#cancel")
        assert opened.returned == [None]
