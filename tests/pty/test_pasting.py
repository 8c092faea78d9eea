"""Pastes are told from keys, however the terminal's input is cut into pieces."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from zeroth_tui.pasting import LONGEST, Pasted, PasteSplitter

START, END = "\x1b[200~", "\x1b[201~"
KEYS = st.text(st.sampled_from("ab\x1b[2~"), max_size=8).filter(lambda text: START not in text)
INSIDE = st.text(st.sampled_from("qy\r[]201~\t"), max_size=12).filter(lambda text: END not in text)


def parts(*pieces: str) -> tuple[str, list[str]]:
    """Return what was typed, joined, and the text of every paste."""
    splitter = PasteSplitter()
    found = [part for piece in pieces for part in splitter.feed(piece)]
    typed = "".join(part for part in found if isinstance(part, str))
    return typed, [part.text for part in found if isinstance(part, Pasted)]


@given(KEYS, INSIDE, KEYS, st.lists(st.integers(0, 40), max_size=4))
def test_a_paste_in_any_pieces_inside_the_marker_is_found(
    before: str, inside: str, after: str, cuts: list[int]
) -> None:
    # A piece may end anywhere but within the first two characters of what marks the start.
    whole = f"{before}|{START}{inside}{END}x{after}|"
    marked = len(before) + 1
    places = sorted({cut for cut in cuts if cut not in {marked + 1, marked + 2}})
    edges = [0, *(place for place in places if place < len(whole)), len(whole)]
    pieces = [whole[left:right] for left, right in pairwise(edges)]
    assert parts(*pieces) == (f"{before}|x{after}|", [inside])


def test_escape_codes_in_a_paste_are_no_keys() -> None:
    assert parts(f"{START}a\x1b]52;c;eA==\x07q\x9b\x1b[A{END}") == (
        "",
        ["a\ufffd]52;c;eA==\ufffdq\ufffd\ufffd[A"],
    )


def test_escape_alone_is_a_key_at_once() -> None:
    assert parts("\x1b") == ("\x1b", [])


def test_of_a_long_paste_the_beginning_is_kept() -> None:
    splitter = PasteSplitter()
    (pasted,) = splitter.feed(f"{START}{'a' * LONGEST}b{END}")
    (next_one,) = splitter.feed(f"{START}c{END}")
    assert pasted == Pasted("a" * LONGEST, cut=True)
    assert next_one == Pasted("c", cut=False)
