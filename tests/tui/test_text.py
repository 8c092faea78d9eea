"""Stored text on its way to a screen: nothing acts, nothing is lost, nothing looks alike."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from zeroth_tui.text import (
    block,
    cells,
    clip,
    line,
    one_line_json,
    pad,
)

CASES = Path(__file__).parents[3] / "shared" / "cases"
ANY_TEXT = st.text(st.characters(exclude_categories=()))


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("plain [b]text[/b] :skull:", "plain [b]text[/b] :skull:"),
        ("FAILED\rCOMPLETED", "FAILED␍COMPLETED"),
        ("a\0b\tc\nd\x1b[31m\x7f", "a␀b␉c␊d␛[31m␡"),
        ("\x85\x9b", r"\u0085\u009b"),
        ("\u202e\u2066\u200f\u061c", r"\u202e\u2066\u200f\u061c"),
        ("a\u200bb\u2060\ufeff\u00ad\u180e", r"a\u200bb\u2060\ufeff\u00ad\u180e"),
        ("\u2028\u2029", r"\u2028\u2029"),
        ("\U000e0041", r"\U000e0041"),
        ("❤\ufe0f\ufe0e", r"❤\ufe0f\ufe0e"),
        ("👍\U0001f3fd", r"👍\U0001f3fd"),
        ("\ud800\udcff", r"\ud800\udcff"),
        ("\ue000\ufffe\U0010ffff", r"\ue000\ufffe\U0010ffff"),
        ("a\u00a0b\u3000c", r"a\u00a0b\u3000c"),
        ("cafe\u0301", r"cafe\u0301"),
        ("ㅤ\u115f\u2800", r"\u3164\u115f\u2800"),
        ("Grüße 日本語 हिन्दी", "Grüße 日本語 हिन्दी"),
        (None, ""),
        (7, "7"),
        (True, "True"),
        (0.5, "0.5"),
        (b"\0" * 4096, "<blob 4096 bytes>"),
    ],
)
def test_a_line_shows_what_is_stored(stored: object, shown: str) -> None:
    assert line(stored) == shown


def test_an_integer_of_any_size_is_survived() -> None:
    assert line(10**5000) == "<int too long to show>"


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (r"\u202e", r"\\u202e"),  # would read as an escape made here
        ("\\\u202e", r"\\\u202e"),  # a backslash, then an override
        ("␀", r"\u2400"),  # would read as NUL
        (r"M\u00fcller", r"M\u00fcller"),  # ü is never escaped, so this is what is stored
        (r"C:\users", r"C:\users"),
        (r"\ud83d\ude00", r"\ud83d\ude00"),  # how JSON stores an emoji
        (r"\ud83d", r"\\ud83d"),
    ],
)
def test_what_would_be_ambiguous_is_escaped_itself(stored: str, shown: str) -> None:
    assert line(stored) == shown


def test_no_two_texts_look_the_same() -> None:
    parts = ["\\", "u202e", "U000e0041", "\u202e", "\0", "␀", "u2400", "ud83d", "\ud83d", "ü"]
    texts = {"".join(chosen) for size in range(1, 5) for chosen in product(parts, repeat=size)}
    assert len({line(text) for text in texts}) == len(texts)


@given(ANY_TEXT)
def test_a_line_is_one_line_of_printable_text(stored: str) -> None:
    shown = line(stored)
    assert shown.isprintable()
    assert shown.encode().decode() == shown


def test_a_long_line_says_how_much_more_there_is() -> None:
    assert line("x" * 1239, limit=5) == "xxxxx… +1,234"
    assert line("x" * 5, limit=5) == "xxxxx"


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("a\tb\n\tc", "a   b\n    c"),
        ("abcd\te", "abcd    e"),
        ("one\r\ntwo", "one␍\ntwo"),
        ("\x1b]52;c;x\x07\u202e", "␛]52;c;x␇\\u202e"),
    ],
)
def test_a_block_keeps_its_lines(stored: str, shown: str) -> None:
    assert block(stored) == shown


@given(ANY_TEXT)
def test_a_block_ends_lines_where_the_stored_text_does(stored: str) -> None:
    shown = block(stored)
    assert shown.count("\n") == stored.count("\n")
    assert all(part.isprintable() for part in shown.split("\n"))


@pytest.mark.parametrize(
    ("number", "column", "distinct"), [("03", "run_id", 9), ("05", "workflow_name", 11)]
)
def test_the_hostile_cases_stay_apart_on_one_line_each(
    number: str, column: str, distinct: int, tmp_path: Path
) -> None:
    if not CASES.is_dir():
        pytest.skip("the shared cases are not here")
    (maker,) = CASES.glob(f"{number}-*/make.py")
    subprocess.run([sys.executable, str(maker), str(tmp_path)], check=True, capture_output=True)
    with sqlite3.connect(tmp_path / "case.db") as connection:
        stored = [row[0] for row in connection.execute(f"SELECT {column} FROM runs")]
    connection.close()
    shown = {line(value) for value in stored}
    assert len(shown) == len(set(stored)) == distinct
    assert all(text.isprintable() for text in shown)


def test_widths_are_those_the_screen_library_draws() -> None:
    shown = [char for char in map(chr, range(0x20, 0x20000)) if char.isprintable()]
    shown = [char for char in shown if line(char) == char]
    assert [hex(ord(char)) for char in shown if cells(char) != cell_len(char)] == []


@pytest.mark.parametrize(
    ("text", "width", "clipped"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "ab…"),
        ("日本", 4, "日本"),
        ("日本", 3, "日…"),
        ("日本", 2, "…"),
        ("abc", 1, "…"),
        ("abc", 0, ""),
        ("", 3, ""),
    ],
)
def test_clipping(text: str, width: int, clipped: str) -> None:
    assert clip(text, width) == clipped


@given(ANY_TEXT.map(line), st.integers(0, 40))
def test_padded_text_has_exactly_its_width(text: str, width: int) -> None:
    assert cells(pad(text, width)) == width
    assert cells(clip(text, width)) <= width


@pytest.mark.parametrize(
    ("text", "copied"),
    [
        ("run-1", "run-1"),
        ('{"a":"ü"}', '{"a":"ü"}'),
        ("rm -rf x\n", r'"rm -rf x\n"'),
        ('{\n\t"a": 1\n}', '{  "a": 1 }'),
        ('say "hi"\r', r'"say \"hi\"\r"'),
        ("\u202e", r'"\u202e"'),
        ("\ud800", r'"\ud800"'),
        ("\U000e0041", r'"\udb40\udc41"'),
    ],
)
def test_copied_text_is_one_harmless_line(text: str, copied: str) -> None:
    assert one_line_json(text) == copied


@given(ANY_TEXT)
def test_copied_text_encodes_and_gives_back_what_was_stored(text: str) -> None:
    copied = one_line_json(text)
    assert copied.isprintable()
    assert copied.encode().decode() == copied
    if copied != text:
        assert json.loads(copied) in {text, _value(text)}


def _value(text: str) -> object:
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return value
