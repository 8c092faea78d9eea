"""Whatever the settings hold: they are taken, or one sentence says why not; nothing else comes."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from contextlib import suppress
from datetime import date, datetime, time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.shares import share
from zeroth_tui.commands import explore
from zeroth_tui.commands.arguments import find_settings
from zeroth_tui.keys import check_keymap, known_keys
from zeroth_tui.settings import KNOWN, Known, RefusedError, Settings, SettingsError, load
from zeroth_tui.settings.errors import must_be
from zeroth_tui.settings.lines import lines_of

HUGE = 16**5000
"""A whole number that TOML can spell in hexadecimal digits, and Python not in decimal ones."""

TEXTS = st.text() | st.sampled_from(["~x/y.db", "\0", "ctrl+i", "shift+a", "name", "sort", "a,b"])
VALUES = st.recursive(
    TEXTS
    | st.booleans()
    | st.integers()
    | st.builds(lambda: HUGE)
    | st.floats()
    | st.dates()
    | st.times()
    | st.datetimes(),
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=8,
)


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
@given(value=VALUES)
@share(2)
def test_every_value_is_taken_or_refused_in_a_sentence(known: Known, value: object) -> None:
    with suppress(RefusedError):
        try:
            known.take(value)
        except ValueError:
            assert known.allowed in str(must_be(known.name, value, known.allowed))


@given(st.dictionaries(st.sampled_from([*known_keys()]) | TEXTS, TEXTS, max_size=3))
@share(4)
def test_every_keymap_stands_or_is_refused(keymap: dict[str, str]) -> None:
    with suppress(RefusedError):
        check_keymap(keymap)


def refused(folder: Path, text: str) -> str:
    """Return the sentence that the command line says of a settings file."""
    file = folder / "mine.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(SettingsError) as caught:
        find_settings(explore.parser().parse_args(["--config", str(file)]))
    return str(caught.value).removeprefix(str(file))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("theme = ['dark']", ':1: theme ["dark"] must be dark, light,'),
        ("theme = {}", ":1: theme {} must be dark, light,"),
        ("time_zone = []", ":1: time_zone [] must be local, UTC"),
        ("time_zone = { a = [1] }", ":1: time_zone {a = [1]} must be local, UTC"),
        ('database = "\\u0000"', ':1: database "\0" must be a path'),
        (f"plain = 0x{'f' * 5000}", ":1: plain (a very large number) must be true or false"),
        (f"refresh = {'1' * 5000}", " cannot be read: a number in it is too long"),
        (f"plain = {'[' * 3000}", " cannot be read: what it sets is nested too deeply"),
        (f"keymap.{'a.' * 3000}b = 'x'", " cannot be read: what it sets is nested too deeply"),
        (f"views = {'[' * 25}{']' * 25}", " cannot be read: what it sets is nested too deeply"),
    ],
)
def test_what_python_chokes_on_is_refused_in_a_sentence(
    tmp_path: Path, text: str, sentence: str
) -> None:
    assert refused(tmp_path, text).startswith(sentence)


def test_a_file_may_begin_with_the_mark_of_an_editor(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("theme = 'nord'", "utf-8-sig")
    assert load({}, tmp_path / "mine.toml") == Settings(theme="nord")


@pytest.mark.parametrize(
    "name", ["READONLY", "COLUMNS", "KEYMAP", "VIEWS", "read_only", "", "CONFIG_"]
)
def test_a_variable_that_sets_nothing_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match=f"^ZEROTH_TUI_{name}: no such variable. Known: ZEROTH"):
        load({f"ZEROTH_TUI_{name}": "1"})


def test_a_home_of_nobody_is_the_name_of_a_folder() -> None:
    assert explore.at_home("~nobody-at-all/x.db") == Path("~nobody-at-all/x.db")
    assert explore.at_home("~/x.db") == Path.home() / "x.db"


# Lines


def spelled(value: object) -> str:
    """Return a value as TOML spells it, lists over several lines."""
    match value:
        case bool():
            return str(value).lower()
        case list():
            return "[\n" + "".join(f"  {spelled(one)},\n" for one in value) + "]"
        case str():
            return f'"""\n{value}"""'
        case date() | time() | datetime():
            return value.isoformat()
    return str(value)


WORDS = st.sampled_from(["a", "b", "c", '"d.e"', "'#'"])
SCALARS = st.integers(0, 9) | st.booleans() | st.dates() | st.sampled_from(["x", "x\ny", "[a]"])
STATEMENTS = st.one_of(
    st.just(""),
    st.just("# a = 1"),
    st.builds("{} = {}".format, WORDS, (SCALARS | st.lists(SCALARS, max_size=3)).map(spelled)),
    st.builds("{}.{} = {{ {} = 1 }}".format, WORDS, WORDS, WORDS),
    st.builds(" [{}]".format, WORDS),
    st.builds("[{}.{}]".format, WORDS, WORDS),
    st.builds("[[{}]] # more".format, WORDS),
    st.builds("[[{}.{}]]".format, WORDS, WORDS),
)


@given(st.lists(STATEMENTS, max_size=12))
def test_a_value_begins_where_the_text_up_to_there_is_read_for_the_first_time(
    statements: list[str],
) -> None:
    text = ""
    for statement in statements:  # those that may follow
        if reads(f"{text}{statement}\n"):
            text += f"{statement}\n"
    assert lines_of(text) == slowly(text)


def reads(text: str) -> bool:
    """Whether a text is TOML."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def slowly(text: str) -> dict[str, int]:
    """Return the lines of all values by reading every beginning of the text."""
    found: dict[str, int] = {}
    lines, begin = text.split("\n"), 1
    for end in range(1, len(lines) + 1):
        if reads(beginning := "\n".join(lines[:end])):
            for path in paths(tomllib.loads(beginning), ""):
                found.setdefault(path, begin)
            begin = end + 1
    return found


def paths(value: object, place: str) -> list[str]:
    """Return the dotted paths in a value."""
    inner: Iterable[tuple[object, object]] = ()
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
    named = [(f"{place}.{key}" if place else str(key), one) for key, one in inner]
    return [path for name, one in named for path in (name, *paths(one, name))]
