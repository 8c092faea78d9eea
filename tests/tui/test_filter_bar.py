"""The filter bar as a person uses it: the line, what is wrong in it, and the ways out."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from tests.tui.filtering import NOW, typing
from zeroth_store.filters import Filter, TextTerm, TextValue, parse
from zeroth_tui.text.show import stands_for_itself
from zeroth_tui.widgets.filter_bar import FilterBar
from zeroth_tui.widgets.filter_input import FilterInput


async def test_without_a_filter_there_is_no_bar() -> None:
    async with typing() as person:
        assert person.lines[0] == "run 0"
        assert not person.bar.is_open


async def test_a_filter_is_on_while_it_is_typed_and_the_wrong_keeps_the_last() -> None:
    async with typing() as person:
        await person.open("status:fa")
        assert person.app.filters[-1] == "status:FAILED"
        await person.type(" bogus:1")
        # `status:failed b`, `bo` … were filters; with the colon it is none.
        assert person.app.filters[-1] == "status:FAILED bogus"
        assert person.bar.applied == "status:fa bogus"
        assert person.bar.value == "status:fa bogus:1"


async def test_the_wrong_part_is_underlined_and_its_place_said() -> None:
    async with typing() as person:
        await person.open("refund bogus:1")
        # The r is at 1, so the b is at 8.
        assert "at 8: There is no key bogus:" in person.lines[1]
        [segment] = [
            segment
            for segment in person.app.query_one(FilterInput).render_line(0)
            if segment.style is not None and segment.style.underline
        ]
        assert segment.text == "bogus:"
        await person.press("backspace", "backspace")
        assert person.lines[1] == "run 0"


async def test_what_is_missing_is_marked_where_it_is_missing() -> None:
    async with typing() as person:
        await person.open("node:")
        assert "at 6: Expected a value after node:" in person.lines[1]
        strip = person.app.query_one(FilterInput).render_line(0)
        marked = [part.text for part in strip if part.style is not None and part.style.underline]
        assert marked == [":"]


async def test_escape_closes_the_choices_then_ends_the_filter() -> None:
    async with typing() as person:
        await person.open("is:live status:wa")
        await person.press("escape")
        assert person.offered == []
        assert person.bar.value == "is:live status:wa"
        await person.press("escape")
        assert not person.bar.is_open
        assert person.app.filters[-1] == ""
        assert person.lines[0] == "run 0"
        assert person.app.focused is person.app.query_one("#tree")


async def test_a_filter_that_is_on_stays_in_sight_with_its_count() -> None:
    async with typing() as person:
        await person.open("status:failed")
        person.bar.count = "12 of 1,204"
        await person.press("enter")
        assert person.lines[0].startswith(" filter: status:failed  (/ edits, esc clears)")
        assert person.lines[0].endswith("12 of 1,204")
        assert person.lines[1] == "run 0"
        person.bar.close()
        await person.pilot.pause()
        assert person.lines[0] == "run 0"


async def test_wrong_text_is_not_done_with_and_never_reads_as_the_filter_that_is_on() -> None:
    async with typing((160, 24)) as person:
        await person.open("refund since:x")
        await person.press("enter")
        assert person.app.focused is person.app.query_one(FilterInput)
        await person.press("shift+tab")
        # `since` may have become a key, so `refund` was the last that was meant.
        assert person.lines[0].startswith(" filter: refund  not applied: at 14: Expected a time")


async def test_blanks_alone_are_no_filter() -> None:
    async with typing() as person:
        await person.open("  ")
        await person.press("enter")
        assert not person.bar.is_open
        assert person.app.filters == []


async def test_a_text_that_is_set_is_a_filter_at_once() -> None:
    async with typing() as person:
        person.bar.put("is:stuck")
        await person.pilot.pause()
        assert person.app.filters == ["is:stuck"]
        assert person.lines[0].startswith(" filter: is:stuck ")
        assert person.app.focused is person.app.query_one("#tree")
        person.bar.open()
        await person.type(",live")
        assert person.app.filters[-1] == "is:stuck,live"


async def test_the_same_filter_is_not_said_twice() -> None:
    async with typing() as person:
        await person.open("xy  ")
        assert person.app.filters == ["x", "xy"]


async def test_the_mouse_edits_and_chooses() -> None:
    async with typing() as person:
        person.bar.put("status:wa")
        await person.pilot.pause()
        await person.pilot.click(FilterBar, offset=(20, 0))
        assert person.app.focused is person.app.query_one(FilterInput)
        assert person.offered == ["WAITING_APPROVAL", "WAITING_INTERRUPT"]
        await person.pilot.click("ChoiceList", offset=(3, 1))
        assert person.bar.value == "status:WAITING_INTERRUPT"


async def test_the_help_moves_nothing_below() -> None:
    async with typing() as person:
        await person.open("refund")
        at = person.lines.index("run 9")
        await person.type(" status:")
        assert len(person.offered) == 7  # the reason and six choices
        assert person.lines.index("run 9") == at


async def test_leaving_the_terminal_for_a_while_leaves_the_person_typing() -> None:
    async with typing() as person:
        await person.open("refu")
        person.app.app_focus = False
        await person.pilot.pause()
        person.app.app_focus = True
        await person.pilot.pause()
        await person.type("nd")
        assert person.bar.value == "refund"


HOSTILE = "[/] [red]x \x1b]52;c;aGk=\x07 \u202e \ud800 \r\n\t \u241b"


async def test_hostile_text_is_drawn_and_stays_what_it_is() -> None:
    async with typing((120, 24)) as person:
        person.bar.put(HOSTILE)
        await person.pilot.pause()
        chip = person.lines[0]
        person.bar.open()
        await person.pilot.pause()
        typed = person.lines[0]
        await person.press("ctrl+u", *"node:")
        await person.offer("node", "", HOSTILE)
        await person.press("down", "tab")
        drawn = "\n".join([chip, typed, *person.lines])
        assert "[/] [red]x ␛]52;c;aGk=" in typed
        unusual = {char for char in drawn if not stands_for_itself(char)}
        assert unusual == set("\n␛␇␍␊␉")  # pictures of what is stored, and the ends of lines
        assert parse(person.bar.value, now=NOW) == Filter(
            (TextTerm("node", (TextValue(HOSTILE, exact=True),)),)
        )


@given(st.text(max_size=40))
def test_every_character_is_drawn_in_one_place(text: str) -> None:
    box = FilterInput("", id="box")
    with box.prevent(FilterInput.Changed):
        box.set_reactive(FilterInput.value, text)
    assert box.highlighter is not None
    drawn = box.highlighter(Text(text)).plain
    assert len(drawn) == len(text)
    for shown, stored in zip(drawn, text, strict=True):
        assert shown == stored or not stands_for_itself(stored)


def test_the_bar_does_not_bring_the_grammar() -> None:
    script = (
        "import sys, zeroth_tui.widgets.filter_bar\n"
        "print([name for name in sys.modules if name.startswith('zeroth_store.filters')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
