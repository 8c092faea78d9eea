"""Whatever JSON can say comes back from the store as it was given."""

from __future__ import annotations

import asyncio
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.conftest import STORES
from tests.store.support import OpenStore, a_run
from zeroth_store import Run, RunHistoryEntry, RunStatus

_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
"""Two halves in a row: JSON cannot tell them from the character they make."""

TEXT = st.text(st.characters(exclude_categories=()), max_size=12).filter(
    lambda text: not _PAIR.search(text)
)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def same(one: object, other: object) -> bool:
    """Equal in value and type, where NaN equals NaN."""
    if type(one) is not type(other):
        return False
    match one, other:
        case float(), float():
            return one == other or (math.isnan(one) and math.isnan(other))
        case list(), list():
            return len(one) == len(other) and all(map(same, one, other))
        case dict(), dict():
            return one.keys() == other.keys() and all(same(one[k], other[k]) for k in one)
        case _:
            return one == other


def test_any_json_comes_back(template: Path, tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        opening = STORES["memory"](template, tmp_path)
        store = runner.run(opening.__aenter__())

        @given(st.dictionaries(TEXT, JSON, max_size=4), JSON, JSON)
        def check(metadata: dict[str, Any], output: Any, seen: Any) -> None:
            entry = RunHistoryEntry(node_id="n", status="completed", output_snapshot={"x": seen})
            run = a_run(
                status=RunStatus.COMPLETED,
                metadata=metadata,
                final_output=output,
                history=[entry],
                checkpoint_id="c",
            )
            loaded, checkpoint = runner.run(_saved(store, run))
            for version in (loaded, checkpoint):
                assert same(version.metadata, metadata)
                assert same(version.outputs, output)
                assert same(version.history[0].output_snapshot, {"x": seen})

        check()
        runner.run(opening.__aexit__(None, None, None))


async def _saved(store: OpenStore, run: Run) -> tuple[Run, Run]:
    await store.runs.put(run)
    loaded, checkpoint = await store.runs.get("r1"), await store.runs.get_checkpoint("c")
    assert loaded is not None
    assert checkpoint is not None
    return loaded, checkpoint


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
        (2**70, "1180591620717411303424"),
        ("\ud800", '"\\ud800"'),
        ("größer 😀", '"gr\\u00f6\\u00dfer \\ud83d\\ude00"'),
        ("", '""'),
        (0, "0"),
        (False, "false"),
        ({"b": 1, "a": [1.5, None]}, '{"a":[1.5,null],"b":1}'),
    ],
)
async def test_values_are_spelt_as_zeroth_spells_them(
    store: OpenStore, value: Any, text: str
) -> None:
    """Sorted keys, no spaces, ASCII, NaN bare (ZEROTH.md section 2)."""
    run = await store.runs.create(a_run(metadata={"v": value}))
    assert store.cell("runs", "metadata", run_id="r1") == f'{{"v":{text}}}'
    assert f'"metadata":{{"v":{text}}}' in store.cell("run_checkpoints", "state_json", run_id="r1")
    assert same(run.metadata["v"], value)
    await store.runs.transition("r1", RunStatus.RUNNING)
    await store.runs.transition("r1", RunStatus.COMPLETED, final_output=value)
    assert store.cell("runs", "final_output", run_id="r1") == text


async def test_no_output_is_null(store: OpenStore) -> None:
    await store.runs.create(a_run(final_output=None))
    assert store.cell("runs", "final_output", run_id="r1") is None


async def test_metadata_that_only_looks_like_a_parent_stays_metadata(store: OpenStore) -> None:
    run = await store.runs.create(a_run(metadata={"parent_run_id": 5}))
    assert (run.metadata, run.parent_run_id) == ({"parent_run_id": 5}, None)


async def test_deep_json_is_refused_or_kept_but_never_half(store: OpenStore) -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    before = store.dump()
    with pytest.raises(RecursionError):
        await store.runs.create(a_run(metadata={"deep": deep}))
    assert store.dump() == before
    shallow = json.loads("[" * 200 + "]" * 200)
    assert (await store.runs.create(a_run(metadata={"deep": shallow}))).metadata["deep"] == shallow
