"""Wrapping and cutting: nothing is lost without a mark, and nothing is wider than it may be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.views.build import words
from zeroth_tui import text
from zeroth_tui.line import Piece
from zeroth_tui.views.layout import fit, wrap

letters = st.text(alphabet="ab 漢", max_size=60)


@pytest.mark.parametrize(
    ("given_text", "parts"),
    [
        ("one two three", ["one two", "three"]),
        ("one twos three", ["one twos", "three"]),
        ("abcdefghijkl", ["abcdefgh", "ijkl"]),
        ("a bcdefghijklm", ["a", "bcdefghi", "jklm"]),
        ("", []),
    ],
)
def test_text_is_wrapped_at_spaces_and_long_words_are_cut(
    given_text: str, parts: list[str]
) -> None:
    assert list(wrap(given_text, 8)) == parts


@given(whole=letters, width=st.integers(8, 30))
def test_wrapping_loses_only_spaces(whole: str, width: int) -> None:
    parts = list(wrap(whole, width))
    assert "".join(parts).replace(" ", "") == whole.replace(" ", "")
    assert all(text.cells(part) <= width for part in parts)


@given(parts=st.lists(letters, max_size=4), width=st.integers(1, 80))
def test_a_line_fits_and_what_is_cut_ends_in_a_mark(parts: list[str], width: int) -> None:
    whole = "".join(parts)
    cut = words(fit(tuple(Piece(part) for part in parts), width))
    if text.cells(whole) <= width:
        assert cut == whole
    else:
        assert text.cells(cut) <= width
        assert cut.endswith("…")
        assert whole.startswith(cut[:-1])
