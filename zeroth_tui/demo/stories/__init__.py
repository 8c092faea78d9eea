"""The stories that the demo tells: what it repeats, and what is still open when it begins."""

from __future__ import annotations

from typing import Final

from zeroth_tui.demo.scenario import Story
from zeroth_tui.demo.stories import desk, orders, pipelines, support, writing

REPERTOIRE: Final[tuple[Story, ...]] = (
    *support.STORIES,
    *writing.STORIES,
    *desk.STORIES,
    *orders.STORIES,
    *pipelines.STORIES,
)
"""Stories that come to an end within a minute or two."""

OPEN: Final[tuple[tuple[Story, float], ...]] = (
    (desk.UNDECIDED, 2_400.0),
    (orders.CHILD_UNDECIDED, 780.0),
    (pipelines.STUCK, 1_500.0),
    (pipelines.CRAWL, 150.0),
    (support.JUST_ASKED, 0.2),
)
"""Stories without an end in sight, and how many seconds before the demo's start they began."""
