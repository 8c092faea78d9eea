"""Expressions in pieces: nothing lost, and every kind of word in its role."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zeroth_tui.views.expression import highlighted


def test_words_numbers_and_strings_are_told_apart() -> None:
    said = highlighted("payload.score2 >= 0.8 and label in [\"a b\", 'c']", "plain")
    assert [(piece.text.strip(), piece.role) for piece in said if piece.text.strip()] == [
        ("payload.score2", "plain"),
        (">=", "keyword"),
        ("0.8", "number"),
        ("and", "keyword"),
        ("label", "plain"),
        ("in", "keyword"),
        ("[", "plain"),
        ('"a b"', "string"),
        (",", "plain"),
        ("'c'", "string"),
        ("]", "plain"),
    ]


@given(st.text())
def test_nothing_is_lost(text: str) -> None:
    assert "".join(piece.text for piece in highlighted(text, "muted")) == text
