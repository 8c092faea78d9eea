"""The whole screen under a writer: thousands of changes, and the cursor is still on its run."""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import pytest

from tests.tui.harness import exploring
from tests.tui.sample import run_id
from tests.tui.writer import Writer, until, writing
from zeroth_store.browse import RunKey
from zeroth_tui.widgets.run_tree import RunTree

LIKE = run_id("7f3a11")
STATUSES = ("PENDING", "RUNNING", "WAITING_APPROVAL", "FAILED", "COMPLETED")
BURSTS, CHANGES = 80, 30


class Crowd:
    """Runs that come, change and go, all but one that somebody looks at."""

    def __init__(self, other: Writer) -> None:
        self._other = other
        self._chance = random.Random(20260301)  # noqa: S311 - the same changes each time
        self._made = 0
        self.runs: list[str] = []

    def stir(self, spared: str) -> None:
        """Add, change or remove a run."""
        what = self._chance.random()
        others = [run for run in self.runs if run != spared]
        if what < 0.4 or len(others) < 5:
            self._made += 1
            self.runs.append(f"run-{self._made:05}")
            self._other.add(self.runs[-1], LIKE, thread_id="crowd")
        elif what < 0.7:
            status = self._chance.choice(STATUSES)
            self._other.change(self._chance.choice(others), status=status, updated_at="2026-03-02")
        else:
            gone = self._chance.choice(others)
            self.runs.remove(gone)
            self._other.remove(gone)

    def key(self) -> str:
        """Return how somebody moves meanwhile."""
        return self._chance.choice(["down", "down", "up", "pagedown", "pageup", "g", "G"])


@pytest.mark.thorough
async def test_the_cursor_stays_on_its_run_through_thousands_of_changes(database: Path) -> None:
    with writing(database) as other:
        crowd = Crowd(other)
        for _ in range(60):
            crowd.stir("")
        async with exploring(database) as explorer:
            await explorer.press("t", *["down"] * 5)
            tree = explorer.app.screen.query_one(RunTree)
            for burst in range(BURSTS):
                held = tree.item
                assert isinstance(held, RunKey)
                for _ in range(CHANGES):
                    crowd.stir(held.run_id)
                expected = len(crowd.runs) + 8  # those of the sample
                await until(explorer, partial(has, tree, expected))
                row = tree.row_at(tree.cursor)
                assert tree.item == held
                assert row is not None
                assert row.item == held
                assert tree.top <= tree.cursor < tree.top + tree.size.height
                if burst % 4 == 3:
                    await explorer.press(crowd.key())


def has(tree: RunTree, runs: int) -> bool:
    """Whether the list on screen has so many runs."""
    flat = tree.forest.flat if tree.forest is not None else None
    return flat is not None and flat.total == runs
