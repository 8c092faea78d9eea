"""Views by name, and the command that opens a view again."""

from __future__ import annotations

import argparse
import shlex
import shutil
import subprocess
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_store.browse import RunOrder
from zeroth_store.filters import Filter, StateTerm, parse
from zeroth_tui.text.show import stands_for_itself
from zeroth_tui.views.named_views import (
    BUILT_IN,
    Mode,
    NamedView,
    all_views,
    find_view,
    no_such_view,
    reopen_command,
)

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize("view", BUILT_IN, ids=lambda view: view.name)
def test_every_built_in_filter_is_a_filter(view: NamedView) -> None:
    found = parse(view.filter, now=NOW)
    assert isinstance(found, Filter)
    # A view that neither leaves runs out nor sorts them is none.
    assert found.terms or view.order != RunOrder()


def test_needs_me_is_any_of_its_three_reasons() -> None:
    found = parse(BUILT_IN[0].filter, now=NOW)
    assert found == Filter((StateTerm(("waiting", "stuck", "dead-letter")),))


def test_built_in_views_are_those_that_are_promised() -> None:
    names = ["Needs me", "Running", "Failed 24 h", "Stuck", "Slowest", "Costliest", "Today"]
    assert [view.name for view in BUILT_IN] == names


@pytest.mark.parametrize("asked", ["needs me", "NEEDS ME", "  Needs Me "])
def test_a_view_is_found_whatever_the_case(asked: str) -> None:
    assert find_view(asked, BUILT_IN) is BUILT_IN[0]


def test_an_unknown_view_names_those_there_are() -> None:
    views = (NamedView("One"), NamedView("Two"))
    assert find_view("tow", views) is None
    assert no_such_view("tow", views) == 'There is no view "tow". Views: One, Two'


def test_own_views_follow_the_built_in_ones_and_replace_namesakes_in_place() -> None:
    mine, stuck = NamedView("Mine", "refund"), NamedView("STUCK", "is:stuck tenant:acme")
    views = all_views((mine, stuck))
    assert len(views) == len(BUILT_IN) + 1
    assert views[3] is stuck
    assert views[-1] is mine


def test_words_say_what_a_view_shows_and_how_it_is_sorted() -> None:
    assert NamedView("a", "is:live").words == "is:live"
    assert NamedView("a", order=RunOrder("cost")).words == "cost ↓"
    assert NamedView("a", "x", RunOrder("cost", descending=False)).words == "x  cost ↑"
    assert NamedView("a").words == "newest first"


def reopened(command: str) -> argparse.Namespace:
    """Read a command as a command line is read."""
    parser = argparse.ArgumentParser()
    parser.add_argument("database")
    for name in ("--filter", "--sort", "--mode", "--run", "--tab"):
        parser.add_argument(name)
    parser.add_argument("--ascending", action="store_true")
    program, *words = shlex.split(command)
    assert program == "zeroth-tui"
    return parser.parse_args(words)


def test_the_command_says_only_what_is_not_usual() -> None:
    plain = reopen_command("runs.db", "", RunOrder(), "threads", None, None)
    assert plain == "zeroth-tui runs.db"
    whole = reopen_command("my runs.db", "a b", RunOrder("cost"), "runs", "81bc", "State")
    expected = (
        "zeroth-tui 'my runs.db' --filter 'a b' --sort cost --mode runs --run 81bc --tab state"
    )
    assert whole == expected
    turned = reopen_command("runs.db", "", RunOrder(descending=False), "threads", None, None)
    assert turned == "zeroth-tui runs.db --ascending --mode threads"


def test_what_begins_like_an_option_is_still_a_value() -> None:
    command = reopen_command("-x.db", "-status:failed", RunOrder(), "runs", "-1", None)
    read = reopened(command)
    assert (read.database, read.filter, read.run) == ("./-x.db", "-status:failed", "-1")


VISIBLE = st.text(st.characters(exclude_categories=["C"]).filter(stands_for_itself), min_size=1)


@given(VISIBLE, VISIBLE, st.sampled_from(["threads", "runs", "failures"]))
def test_visible_parts_come_back_as_they_are(text: str, run: str, mode: Mode) -> None:
    read = reopened(reopen_command("runs.db", text, RunOrder("cost"), mode, run, None))
    assert (read.filter, read.run) == (text, run)
    assert read.sort == "cost"
    assert (read.mode or "threads") == mode


@given(st.text(min_size=1), st.text(), st.text())
def test_nothing_in_the_command_can_act_on_a_terminal(path: str, text: str, run: str) -> None:
    command = reopen_command(path, text, RunOrder(), "runs", run, None)
    assert [char for char in command if not stands_for_itself(char)] == []


HOSTILE = ["a\x1b]52;c;aGk=\x07b", "it's\ta\\b\n", "\u202eevil\u200b'$(id)`id`", "\U000e0041ü"]


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
@pytest.mark.parametrize("text", HOSTILE)
def test_bash_understands_what_cannot_be_shown(text: str) -> None:
    command = reopen_command("runs.db", text, RunOrder(), "threads", text, None)
    assert not set(text) & set(command) & {"\x1b", "\x07", "\t", "\n", "\u202e", "\u200b"}
    script = "zeroth-tui() { printf '%s\\0' \"$@\"; }\n" + command
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"}
    )
    assert done.stdout.decode().split("\0") == ["runs.db", "--filter", text, "--run", text, ""]
