"""The dialog that acts on several runs, on odd ones, and on terminals of any size."""

from __future__ import annotations

import pytest
from textual import events
from textual.app import App

from tests.tui.act_dialogs import FAILED, NARROW, RUN, WIDE, candidate, dialog, failed, planned
from zeroth_store.actions import Offer, Standing, Write
from zeroth_store.summaries import RunKey
from zeroth_tui.screens.act_dialog import ActDialog
from zeroth_tui.views.act_choices import Candidate, choices
from zeroth_tui.widgets.field_input import FieldInput

pytestmark = pytest.mark.thorough


async def test_several_runs_are_previewed_and_those_that_do_not_fit_are_left_out() -> None:
    runs = [candidate(f"r{at}") for at in range(6)]
    runs += [candidate(f"c{at}", "COMPLETED") for at in range(2)]
    async with dialog(*runs, size=WIDE) as opened:
        assert "6 Move to ✖ FAILED 6 of 8" in opened.words  # RUNNING is offered as well
        await opened.press("6")
        assert "8 selected, 6 eligible, 2 skipped because 2 COMPLETED is final" in opened.words
        assert "runs 6" in opened.words
        await opened.press("y")
        assert [write.key.run_id for write in opened.written] == [f"r{at}" for at in range(6)]


async def test_more_than_ten_runs_ask_for_their_number() -> None:
    async with dialog(*(candidate(f"r{at}") for at in range(11))) as opened:
        await opened.press(FAILED, "y")
        assert opened.returned == []
        assert "type 11 to confirm" in opened.words
        await opened.type("count", "10")
        await opened.press("y")
        assert opened.returned == []
        opened.screen.query_one("#act-count").focus()
        await opened.press("backspace", "1", "enter", "y")
        assert len(opened.written) == 11


async def test_ten_runs_do_not() -> None:
    async with dialog(*(candidate(f"r{at}") for at in range(10))) as opened:
        await opened.press(FAILED, "y")
        assert len(opened.written) == 10


async def test_the_runs_are_those_of_the_opening() -> None:
    runs = [candidate("a"), candidate("b")]
    screen = ActDialog(runs, planned)
    app: App[None] = App()
    returned: list[tuple[Write, ...] | None] = []
    async with app.run_test(size=NARROW) as pilot:
        await app.push_screen(screen, returned.append)
        runs.append(candidate("c"))
        await pilot.press(FAILED)
        await pilot.pause()
        await pilot.press("y")
        await pilot.pause()
    assert returned[0] is not None
    assert [write.key.run_id for write in returned[0]] == ["a", "b"]


async def test_an_act_that_was_chosen_elsewhere_is_only_confirmed() -> None:
    run = candidate(operations_in_doubt=2)
    [only] = [one for one in choices([run]) if one.to == "FAILED"]
    async with dialog(run, only=only) as opened:
        assert "2 side effects in doubt" in opened.words
        shown = [field for field in opened.screen.query(FieldInput) if field.region.area]
        assert [field.id for field in shown] == ["act-note"]
        assert opened.focused == "cancel"
        await opened.type("note", "undo")
        await opened.press("y")
        assert dict(opened.written[0].columns) == failed()
        assert opened.screen.reason == "undo"
    async with dialog(run, only=only) as opened:
        await opened.press("escape")
        assert opened.returned == [None]


async def test_a_run_that_is_gone_or_offers_nothing_says_so() -> None:
    gone = Candidate(RunKey("default", "null", "r"), None)
    async with dialog(gone) as opened:
        assert "Nothing can be done to run r" in opened.words
        await opened.press("enter", "1", "y")
        assert opened.returned == []
        await opened.press("escape")
        assert opened.returned == [None]


@pytest.mark.parametrize("size", [NARROW, (60, 18), (120, 36)])
async def test_the_buttons_stay_in_sight(size: tuple[int, int]) -> None:
    runs = [candidate(f"r{at}", operations_in_doubt=1) for at in range(20)]
    async with dialog(*runs, size=size) as opened:
        await opened.press(FAILED)
        for name in ("#cancel", "#confirm", "#act-message", "#act-count"):
            region = opened.screen.query_one(name).region
            assert region.area
            assert opened.screen.region.contains_region(region)


async def test_any_size_of_terminal_is_survived() -> None:
    async with dialog() as opened:
        for page in (False, True):
            if page:
                await opened.press(FAILED)
            for size in ((1, 1), (200, 60), (20, 5), NARROW):
                await opened.pilot.resize_terminal(*size)
                await opened.pilot.pause()
        assert f"run {RUN}" in opened.words


HOSTILE = "[/] [red]x\x1b]52;c;eA==\x07\u202e[@click=app.quit]y[/]"


async def test_hostile_text_is_shown_as_what_it_is() -> None:
    shown = r"[/] [red]x␛]52;c;eA==␇\u202e[@click=app.quit]y[/]"
    offer = Offer(act="cancel", refusal=HOSTILE)
    refused = Candidate(
        RunKey("default", "null", "r"), Standing(kind="guest", status="x"), (offer,)
    )
    async with dialog(refused, size=WIDE) as opened:
        assert shown in opened.text
    async with dialog(candidate(HOSTILE), size=WIDE) as opened:
        await opened.press(FAILED)
        assert f"run {shown}" in opened.words
        field = opened.screen.query_one("#act-message")
        field.focus()
        await opened.pilot.pause()
        field.post_message(events.Paste(HOSTILE))
        await opened.press("enter")
        assert "\x1b" not in opened.text
        await opened.press("y")
        assert opened.written[0].key.run_id == HOSTILE
        assert opened.written[0].columns["error"] == HOSTILE
