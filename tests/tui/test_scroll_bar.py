"""The arithmetic of the scroll bar, at any length of the list."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zeroth_tui.widgets.scroll_bar import ScrollBar


@st.composite
def bars(draw: st.DrawFn) -> ScrollBar:
    """Draw any bar that can be."""
    height = draw(st.integers(1, 300))
    total = height + draw(st.integers(1, 2_000_000))
    return ScrollBar(height, total, draw(st.integers(0, total - height)))


@given(bars())
def test_the_thumb_is_on_the_bar_and_at_its_end_only_at_the_end_of_the_list(bar: ScrollBar) -> None:
    assert 1 <= bar.size <= bar.height
    assert 0 <= bar.start <= bar.height - bar.size
    if bar.size < bar.height:
        last = bar.start + bar.size == bar.height
        assert last == (bar.top == bar.total - bar.height)
    assert len(bar.thumb) == bar.size
    assert bar.thumb.start == bar.start


@given(bars(), st.integers(-5, 305))
def test_a_dragged_thumb_stands_where_the_mouse_has_it(bar: ScrollBar, start: int) -> None:
    dragged = bar._replace(top=bar.top_at(start))
    assert 0 <= dragged.top <= bar.total - bar.height
    assert dragged.start == max(0, min(start, bar.height - bar.size))


def test_no_bar_where_all_is_in_sight() -> None:
    assert ScrollBar.of(10, 10, 0) is None
    assert ScrollBar.of(0, 10, 0) is None
    assert ScrollBar.of(10, 11, 0) == ScrollBar(10, 11, 0)
