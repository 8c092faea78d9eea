"""What a run started with, what it cost, and what is left of it after retention."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store.guests import Guest
from zeroth_store.browse import Cost, JsonText, RunDetail, RunKey
from zeroth_store.sqlite.browser import SQLiteRunBrowser


async def detail(guest: Guest) -> RunDetail:
    async with SQLiteRunBrowser(guest.path) as browser:
        found = await browser.run(RunKey("default", "null", "r"))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("metadata", "history", "expected"),
    [
        ({"initial_input": {"n": 1}}, [{"node_id": "a", "input_snapshot": {"n": 2}}], '{"n": 1}'),
        ({}, [{"node_id": "a", "input_snapshot": {"n": 2}}], '{"n": 2}'),
        ({"node_payloads": {"z": {"n": 3}, "a": {"n": 4}}}, [], '{"n": 4}'),
        ({"node_payloads": {"a": {"n": 4}}}, [{"node_id": "b", "input_snapshot": 5}], "5"),
        ({"node_payloads": {"other": {"n": 6}}}, [], '{"n": 6}'),
        ({"node_payloads": [7]}, [], None),
        ({}, [], None),
    ],
)
async def test_the_original_input_and_its_fallbacks(
    tmp_path: Path, metadata: object, history: object, expected: JsonText | None
) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r", metadata=metadata, execution_history=history, pending_node_ids=["a"])
        assert (await detail(guest)).initial_input == expected


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ("{}", Cost(0.75, 2.0)),
        ('{"total_cost_usd": 9, "total_estimated_cost_usd": null}', Cost(9.0, None)),
        ('{"total_cost_usd": "9"}', Cost(0.75, 2.0)),
    ],
)
async def test_cost_is_the_recorded_total_else_the_sum_of_the_steps(
    tmp_path: Path, metadata: str, expected: Cost
) -> None:
    steps = [
        {"node_id": "a", "cost_usd": 0.5},
        {"node_id": "b", "cost_usd": 0.25, "estimated_cost_usd": 2},
        {"node_id": "c", "cost_usd": "much"},
    ]
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r", metadata=metadata, execution_history=steps)
        assert (await detail(guest)).summary.cost == expected


async def test_a_run_without_costs_has_none_rather_than_zero(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db", "001") as guest:
        guest.run("r", execution_history='[{"node_id": "a", "cost_usd": NaN}]')
        assert (await detail(guest)).summary.cost == Cost(None, None)


async def test_an_erased_run_says_so(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db", "026") as guest:
        guest.run("r", token_snapshot_write_disabled=1)
        found = await detail(guest)
    assert found.erased
    assert (found.history, found.output, found.failure, found.problems) == ((), None, None, ())


async def test_a_cell_beyond_the_limit_does_not_hide_the_run(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r", "FAILED")
        guest.sql("UPDATE runs SET metadata = CAST(zeroblob(70000000) AS TEXT)")
        found = await detail(guest)
    assert found.summary.status == "FAILED"
    assert [(p.column, p.message) for p in found.problems] == [
        ("metadata", "larger than 64 MB, which is more than is read")
    ]
