"""What the filter bar offers while typing, and how it is put in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.filtering import NOW, typing
from zeroth_store.filters import Filter, TextTerm, TextValue, complete, parse
from zeroth_store.filters.terms import KEYS
from zeroth_tui.widgets.filter_choices import KEY_NOTES, choices
from zeroth_tui.widgets.filter_input import FilterInput

pytestmark = pytest.mark.thorough


async def test_keys_and_known_values_complete_with_tab() -> None:
    async with typing() as person:
        await person.open("sta")
        assert person.offered == ["status:"]
        await person.press("tab")
        assert person.bar.value == "status:"
        await person.type("wa")
        assert person.offered == ["WAITING_APPROVAL", "WAITING_INTERRUPT"]
        await person.press("down", "tab")
        assert person.bar.value == "status:WAITING_INTERRUPT"
        assert person.offered == []
        assert person.app.filters[-1] == "status:WAITING_INTERRUPT"


async def test_half_a_key_is_not_searched_for_until_it_is_meant_as_a_word() -> None:
    async with typing() as person:
        await person.open("sta")
        assert person.app.filters == []
        await person.type("rt")
        # No key begins with `star`: that is a word.
        assert person.app.filters == ["star", "start"]
        await person.press("ctrl+u", *"node", "enter")
        assert person.app.filters[-1] == "node"
        assert person.app.focused is person.app.query_one("#tree")


@pytest.mark.parametrize("key", ["tab", "right", "ctrl+@"])
async def test_three_keys_take_a_choice(key: str) -> None:
    async with typing() as person:
        await person.open("durat")
        await person.press(key)
        assert person.bar.value == "duration:"


async def test_enter_takes_a_choice_only_after_going_through_them() -> None:
    async with typing() as person:
        await person.open("status:wa")
        await person.press("down", "enter")
        assert person.bar.value == "status:WAITING_INTERRUPT"
        assert person.app.focused is person.app.query_one(FilterInput)
        await person.press("enter")
        assert person.app.focused is person.app.query_one("#tree")


async def test_right_moves_the_cursor_unless_it_is_at_the_end() -> None:
    async with typing() as person:
        await person.open("status:wa")
        await person.press("left", "left", "right")
        assert person.bar.value == "status:wa"
        await person.press("right", "right")
        assert person.bar.value == "status:WAITING_APPROVAL"


async def test_values_of_the_database_are_asked_for_and_put_in_exactly() -> None:
    async with typing() as person:
        await person.open("node:c")
        assert person.app.wishes == [("node", ""), ("node", "c")]
        await person.offer("node", "c", "classify", 'cut "it"')
        assert person.offered == ["classify", "cut"]
        await person.press("down", "tab")
        assert person.bar.value == r'node:="cut \"it\""'
        # Read back it is this value alone, as stored.
        expected = TextTerm("node", (TextValue('cut "it"', exact=True),))
        assert parse(person.bar.value, now=NOW) == Filter((expected,))


async def test_an_answer_that_comes_too_late_changes_nothing() -> None:
    async with typing() as person:
        await person.open("node:cl")
        await person.offer("node", "c", "cut")
        await person.offer("graph", "cl", "clean@1")
        assert person.offered == []


async def test_values_that_still_fit_stay_until_the_answer() -> None:
    async with typing() as person:
        await person.open("node:c")
        await person.offer("node", "c", "classify", "cut")
        await person.type("u")
        assert person.offered == ["cut"]
        await person.press("ctrl+u", *"graph:c")
        assert person.offered == []


async def test_the_marked_choice_survives_late_values() -> None:
    async with typing() as person:
        await person.open("status:wa")
        await person.press("down")
        await person.offer("status", "wa", "WAITED")
        await person.press("tab")
        assert person.bar.value == "status:WAITING_INTERRUPT"


async def test_the_list_is_reached_by_down_where_nothing_is_offered() -> None:
    async with typing() as person:
        await person.open("refund")
        await person.press("down")
        assert person.app.focused is person.app.query_one("#tree")


@given(st.text(max_size=30), st.integers(0, 30), st.lists(st.text(max_size=8), max_size=4))
def test_choosing_never_fails_and_values_read_back(
    text: str, cursor: int, values: list[str]
) -> None:
    at = complete(text, cursor)
    for choice in choices(at, tuple(values)):
        assert choice.text in {*at.candidates, *values}
        if choice.text not in at.candidates:
            found = parse(f"{at.kind}:{choice.put}", now=NOW)
            assert isinstance(found, Filter)
            [term] = found.terms
            assert term.values == (TextValue(choice.text, exact=True),)


def test_what_is_typed_already_is_not_offered() -> None:
    assert choices(complete("status:failed", 13), ("FAILED",)) == ()
    assert choices(complete("node:ab", 7), ("AB", "x")) == ()
    both = choices(complete("node:ab", 7), ("AB", "abc"))
    assert [choice.text for choice in both] == ["AB", "abc"]


def test_every_key_has_a_note() -> None:
    assert set(KEY_NOTES) == {f"{key}:" for key in KEYS}
