"""The cursor is on a run and not on a row: whatever comes and goes, it stays where it was put."""

from __future__ import annotations

import asyncio

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from textual.app import App, ComposeResult

from tests.shares import share
from tests.tui.sample import NOW
from tests.views.build import key, summary
from zeroth_store.browse import RunKey
from zeroth_tui.views.flat_runs import FlatRuns
from zeroth_tui.views.run_tree import Forest
from zeroth_tui.widgets.run_tree import RunTree

HEIGHT = 8

Change = tuple[str, int]
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(["add above", "add anywhere", "delete", "down", "up", "page", "wheel"]),
        st.integers(0, 40),
    ),
    max_size=25,
)


class ListApp(App[None]):
    """Shows one list."""

    CSS = f"RunTree {{ height: {HEIGHT}; }}"

    def compose(self) -> ComposeResult:
        yield RunTree(lambda: NOW)


def forest(names: list[str], *, again: bool = True) -> Forest:
    """Return the list of these runs, all of it loaded."""
    runs = {at: summary(run_id=name) for at, name in enumerate(names)}
    return Forest(flat=FlatRuns(total=len(runs), runs=runs), again=again)


def shown_item(tree: RunTree) -> object:
    row = tree.row_at(tree.cursor)
    return None if row is None else row.item


async def live_through(changes: list[Change]) -> None:
    """Change the list and move in it; after each change the cursor's run is still under it."""
    app = ListApp()
    async with app.run_test(size=(60, HEIGHT + 2)) as pilot:
        tree = app.query_one(RunTree)
        tree.focus()
        names = [f"run-{number:03}" for number in range(20)]
        fresh = iter(range(1000, 9999))
        tree.forest = forest(names, again=False)
        await pilot.pause()
        for what, number in changes:
            held, was_top = tree.item, tree.top
            offset = tree.cursor - tree.top
            match what:
                case "down":
                    tree.action_move(number % 5)
                case "up":
                    tree.action_move(-(number % 5))
                case "page":
                    tree.action_page(1 if number % 2 else -1)
                case "wheel":
                    tree.top += number % 7 - 3
                case "add above":
                    names[:0] = [f"run-{next(fresh)}" for _ in range(number % 4)]
                case "add anywhere":
                    names.insert(number % (len(names) + 1), f"run-{next(fresh)}")
                case "delete" if names:
                    del names[number % len(names)]
            if what in {"add above", "add anywhere", "delete"}:
                tree.forest = forest(names)
                assert tree.item == held
                in_sight = 0 <= offset < HEIGHT
                if what == "add above" and was_top > 0 and in_sight:
                    assert tree.cursor - tree.top == offset
            else:
                await pilot.pause()
            assert shown_item(tree) == tree.item
            assert isinstance(tree.item, RunKey)
            # Gone or not: what is listed is the runs, and at most one more that is remembered.
            listed = {tree.source.row(at, 60).item for at in range(len(tree.source))}
            assert listed == {key(name) for name in names} | {tree.item}


@settings(share(2), suppress_health_check=list(HealthCheck))
@given(changes=CHANGES)
def test_the_cursor_stays_on_its_run(changes: list[Change]) -> None:
    asyncio.run(live_through(changes))
