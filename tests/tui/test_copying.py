"""Copying keeps the screen free, hides secrets, and what was asked for last is what is copied."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tui.harness import Explorer, exploring
from tests.tui.writer import until
from zeroth_tui.text import MASK, mask_text
from zeroth_tui.widgets.state_pane import StatePane

LARGE = f"{'x ' * 30_000}password=hunter2"
MASKED = f"{'x ' * 30_000}password={MASK}"


def ask(explorer: Explorer, text: str, may_go_on: threading.Event) -> threading.Event:
    """Ask for a copy that takes until something happens; returns what tells that it has begun."""
    begun = threading.Event()

    def make() -> str:
        begun.set()
        assert may_go_on.wait(20)
        return text

    pane = explorer.app.screen.query_one(StatePane)
    pane.post_message(StatePane.CopyWanted(make))
    return begun


async def test_the_screen_is_free_while_a_value_is_made_ready(database: Path) -> None:
    may_go_on = threading.Event()
    async with exploring(database) as explorer:
        try:
            begun = ask(explorer, "password=hunter2", may_go_on)
            await until(explorer, begun.is_set)
            await explorer.pilot.press("t")
            await until(explorer, lambda: "Runs, newest first" in explorer.text)
            assert explorer.said == explorer.app.clipboard == ""
        finally:
            may_go_on.set()
        await explorer.settle()
        assert explorer.app.clipboard == f"password={MASK}"
        assert explorer.said == f"Copied password={MASK}"


async def test_what_was_asked_for_last_is_what_is_copied(database: Path) -> None:
    slow = threading.Event()
    async with exploring(database) as explorer:
        try:
            begun = ask(explorer, "first", slow)
            await until(explorer, begun.is_set)
            explorer.app.copy_to_clipboard("second")
        finally:
            slow.set()
        await explorer.settle()
        assert explorer.app.clipboard == "second"
        assert explorer.said == ""
        explorer.app.copy_to_clipboard(LARGE)
        explorer.app.copy_to_clipboard("third")
        await explorer.settle()
        assert explorer.app.clipboard == "third"


async def test_a_long_text_is_copied_later_and_masked_as_well(database: Path) -> None:
    async with exploring(database) as explorer:
        explorer.app.copy_to_clipboard(LARGE)
        assert explorer.app.clipboard == ""
        await explorer.settle()
        assert explorer.app.clipboard == MASKED


async def test_more_than_a_terminal_takes_is_not_copied_and_the_way_out_is_said(
    database: Path,
) -> None:
    async with exploring(database) as explorer:
        explorer.app.copy_to_clipboard("x" * 1_000_000)
        await explorer.settle()
        assert len(explorer.app.clipboard) == 1_000_000
        explorer.app.copy_to_clipboard("x" * 1_000_001)
        await explorer.settle()
        assert len(explorer.app.clipboard) == 1_000_000
        assert explorer.said == (
            "Not copied: 1,000,001 characters, and a terminal takes 1,000,000."
            " `w` writes a value into a file."
        )


@pytest.mark.parametrize(
    ("key", "copied"),
    [("y", '"logistics"'), pytest.param("Y", "$.team", marks=pytest.mark.thorough)],
)
async def test_keys_of_the_state_copy_what_is_under_the_cursor(
    database: Path, key: str, copied: str
) -> None:
    async with exploring(database) as explorer:
        await explorer.open_run("7f3a11", "3", *["down"] * 4, key)
        assert explorer.app.clipboard == copied
        assert explorer.said == f"Copied {copied}"


PARTS = st.sampled_from(
    [
        *("https://", "a:b", "@", "host", " ", ":", "=", '"', "bearer ", "BeArEr\t", "Bearer"),
        *("sk-" + "a" * 16, "ghp_" + "b" * 20, "xoxb-" + "c" * 10, "AKIA" + "D" * 16, "task_id"),
        *("eyJ" + "a" * 10 + ".b.c", "password", "\x1b[1m", "İ", "word"),
    ]
)


@given(st.lists(PARTS, max_size=8).map("".join))
def test_a_text_without_a_kind_of_secret_is_masked_as_one_that_has_it(text: str) -> None:
    """What makes masking look for every kind, far away from the text, changes nothing in it."""
    every = f"; https://u:p@h bearer x sk-{'a' * 16}; "
    # Not the other way round: a quote that `text` leaves open goes on behind it.
    assert mask_text(every + text) == mask_text(every) + mask_text(text)
