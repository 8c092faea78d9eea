"""The tree of threads and runs: what hangs where, and which row is which at any length."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from tests.views.build import NOW, moment, summary, words
from zeroth_store.browse import (
    THREAD_RUNS,
    Lease,
    RollUp,
    RunSummary,
    ThreadKey,
    ThreadSummary,
)
from zeroth_tui.views.run_tree import LOOSE, Forest, Node, thread_nodes
from zeroth_tui.views.tree_index import TreeIndex
from zeroth_tui.views.tree_rows import TreeRows


def thread(number: int) -> ThreadSummary:
    return ThreadSummary(
        key=ThreadKey("default", "null", f"t-{number}"),
        status="active",
        graph="g@1",
        deployment=None,
        created=moment(0),
        updated=moment(0),
    )


def run(name: str, parent: str | None = None, status: str = "COMPLETED") -> RunSummary:
    return summary(status, run_id=name, parent=parent)


def tree(*runs: RunSummary, **fields: object) -> list[str]:
    """Return the rows below one thread: depth, what kind, which run."""
    key = thread(0).key
    forest = Forest(runs={key: runs}, open=frozenset({key}), **fields)  # type: ignore[arg-type]
    return [
        f"{node.depth} {node.kind} {node.run.key.run_id if node.run else node.note}"
        for node in thread_nodes(forest, key, NOW)
    ]


def test_children_hang_under_their_parents() -> None:
    assert tree(run("a"), run("b", "a"), run("c", "b"), run("d")) == [
        "1 run a",
        "2 run b",
        "3 run c",
        "1 run d",
    ]


def test_children_in_other_threads_hang_there_too() -> None:
    parent, child = run("a"), run("far", "a")
    assert tree(parent, children={parent.key: (child,)}) == ["1 run a", "2 run far"]


def test_a_long_thread_says_how_many_older_runs_are_not_below_it() -> None:
    newest = [run(f"r-{number:04}") for number in range(THREAD_RUNS)]
    held = RollUp(THREAD_RUNS + 1_234, (("COMPLETED", THREAD_RUNS + 1_234),))
    rows = tree(*newest, roll_ups={thread(0).key: held})
    assert rows[:2] == [
        "1 note 1,234 older runs: a filter thread:ID lists them",
        "1 run r-0000",
    ]
    assert len(rows) == 1 + THREAD_RUNS
    # What is read a moment later than the counts is no reason to say so.
    assert tree(run("a"), roll_ups={thread(0).key: held}) == ["1 run a"]


def test_a_circle_of_parents_is_shown_once_and_said() -> None:
    assert tree(run("a", "b"), run("b", "a")) == [
        "1 run a",
        "1 note its parents form a circle",
        "2 run b",
    ]


def test_a_run_that_names_itself_is_said() -> None:
    assert tree(run("a", "a")) == ["1 run a", "1 note names itself as parent"]


def test_what_failed_and_what_is_stuck_says_why() -> None:
    expired = Lease("w", moment(0), moment(NOW - timedelta(minutes=12)))
    assert tree(summary("RUNNING", run_id="free"), summary("RUNNING", run_id="old", lease=expired))[
        1::2
    ] == ["1 reason free", "1 reason old"]
    key = thread(0).key
    stuck = summary("RUNNING", run_id="old", lease=expired)
    forest = Forest(
        threads={0: thread(0)},
        total=1,
        places={key: 0},
        runs={key: (stuck,)},
        open=frozenset({key}),
    )
    rows = TreeRows(forest, NOW)
    assert words(rows.row(1, 60).line).startswith("     ▶!old RUNNING")
    assert words(rows.row(2, 70).line).strip() == (
        "lease expired 12m ago: goes on when a worker restarts"
    )


def naive(forest: Forest) -> list[object]:
    """Return the item of every row, built one after the other."""
    items: list[object] = []
    for position in range(forest.total):
        here = forest.threads.get(position)
        items.append(here.key if here else None)
        if here is not None and here.key in forest.places:
            items += [node.item for node in thread_nodes(forest, here.key, NOW)]
    if forest.loose:
        items.append(LOOSE)
        if LOOSE in forest.open:
            items += [node.item for node in thread_nodes(forest, LOOSE, NOW)]
    return items


@given(data=st.data(), total=st.integers(0, 12), loose=st.integers(0, 3))
def test_every_row_is_found_where_it_is(data: st.DataObject, total: int, loose: int) -> None:
    opened = data.draw(st.sets(st.integers(0, max(0, total - 1)), max_size=total))
    hidden = data.draw(st.sets(st.integers(0, max(0, total - 1)), max_size=total)) - opened
    threads = {at: thread(at) for at in range(total) if at not in hidden}
    places = {thread(at).key: at for at in opened if at < total}
    runs = {
        key: tuple(run(f"{key.thread_id}-{n}") for n in range(data.draw(st.integers(0, 3))))
        for key in places
    }
    shown = frozenset(places) | ({LOOSE} if data.draw(st.booleans()) else frozenset())
    forest = Forest(
        threads=threads,
        total=total,
        places=places,
        runs=runs,
        loose=tuple(run(f"loose-{n}") for n in range(loose)),
        open=shown,
    )
    index, expected = TreeIndex(forest, NOW), naive(forest)
    assert [index.node(row).item for row in range(len(index))] == expected
    for item in {item for item in expected if item is not None}:
        assert index.find(item) == expected.index(item)
    heads = [row for row in range(len(index)) if index.node(row).depth == 0]
    assert [index.position(row) for row in heads] == list(range(len(heads)))
    rows = TreeRows(forest, NOW)
    assert rows.missing(0, len(rows)) == bool(hidden & set(range(total)))


def test_a_million_threads_cost_as_much_as_ten() -> None:
    last = thread(999_999)
    forest = Forest(threads={999_999: last}, total=1_000_000)
    index = TreeIndex(forest, NOW)
    assert len(index) == 1_000_000
    assert index.node(999_999) == Node(last.key, 0, "thread", thread=last, open=False)
    assert index.find(last.key) == 999_999
