"""The deployed graph of a run: which deployment is it, and what of its text can be read."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.store.guests import ERAS, Guest
from zeroth_store.browse import GraphEdge, GraphNode, GraphShape, RunKey, RunQuery
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.detail.graphs import read_graph

DEPLOYMENTS = """CREATE TABLE deployment_versions(deployment_id TEXT PRIMARY KEY,
 deployment_ref TEXT, version INTEGER, graph_version_ref TEXT, serialized_graph TEXT,
 tenant_id TEXT DEFAULT 'default', workspace_id TEXT)"""

SHARED = Path(__file__).parents[3] / "shared" / "data" / "zeroth"


@pytest.fixture(params=ERAS)
def guest(request: pytest.FixtureRequest, tmp_path: Path) -> Guest:
    made = Guest(tmp_path / "guest.db", request.param)
    made.sql(DEPLOYMENTS)
    return made


def deploy(guest: Guest, entry: str, graph: str = "g@1", ref: str = "prod", **more: object) -> None:
    """Store a deployment that is told apart by the entry node of its graph."""
    guest.insert(
        "deployment_versions",
        deployment_id=entry,
        deployment_ref=ref,
        graph_version_ref=graph,
        serialized_graph={"nodes": [], "edges": [], "entry_step": entry},
        **more,
    )


async def entry_of(guest: Guest, run: str, scope: str = "null") -> str | None:
    async with SQLiteRunBrowser(guest.path) as browser:
        found = await browser.graph(RunKey("default", scope, run))
    return found.entry if found else None


@pytest.mark.parametrize("written", ["g@2", "g:v2"])
@pytest.mark.parametrize("deployed", ["g@2", "g:v2"])
async def test_both_spellings_of_a_version_are_the_same(
    guest: Guest, written: str, deployed: str
) -> None:
    with guest:
        guest.run("r", graph_version_ref=written)
        deploy(guest, "other", "g@1")
        deploy(guest, "right", deployed)
        deploy(guest, "longer", "g@22")
        assert await entry_of(guest, "r") == "right"


async def test_the_own_deployment_comes_first_and_of_several_the_newest(guest: Guest) -> None:
    with guest:
        guest.run("r", deployment_ref="prod")
        deploy(guest, "old", ref="prod")
        deploy(guest, "new", ref="prod")
        deploy(guest, "same graph elsewhere", ref="staging")
        assert await entry_of(guest, "r") == "new"


async def test_a_child_run_is_deployed_under_the_name_of_its_graph(guest: Guest) -> None:
    with guest:
        guest.run("child", graph_version_ref="inner:v1", deployment_ref="inner")
        deploy(guest, "inner", "inner@1", ref="inner-prod")
        assert await entry_of(guest, "child") == "inner"


async def test_deployments_of_other_scopes_are_not_looked_at(guest: Guest) -> None:
    with guest:
        guest.run("r")
        guest.run("w", workspace_id="emea")
        deploy(guest, "other tenant", tenant_id="acme")
        deploy(guest, "emea", workspace_id="emea")
        assert await entry_of(guest, "r") is None
        assert await entry_of(guest, "w", "value:emea") == "emea"


async def test_no_run_no_table_and_no_name_have_no_graph(tmp_path: Path) -> None:
    with Guest(tmp_path / "bare.db") as guest:
        guest.run("r")
        assert await entry_of(guest, "r") is None
        guest.sql(DEPLOYMENTS)
        deploy(guest, "g")
        guest.run("nameless", graph_version_ref=None, deployment_ref=None)
        assert await entry_of(guest, "gone") is None
        assert await entry_of(guest, "nameless") is None
        assert await entry_of(guest, "r") == "g"


def node(**more: Any) -> dict[str, Any]:
    return {"node_id": "n", "node_type": "agent", "display": {"title": "N"}, **more}


def way(**more: Any) -> dict[str, Any]:
    return {"edge_id": "e", "source_node_id": "a", "target_node_id": "b", **more}


def read(**graph: Any) -> GraphShape:
    return read_graph(json.dumps(graph))


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        (node(), GraphNode(id="n", kind="agent", label="N")),
        (node(display=None, node_type=None), GraphNode(id="n")),
        (node(display={"title": 7}, extra={"x": 1}), GraphNode(id="n", kind="agent")),
        (
            node(parallel_config={"split_path": "items"}),
            GraphNode(id="n", kind="agent", label="N", fan_out=True),
        ),
        (node(parallel_config=None), GraphNode(id="n", kind="agent", label="N")),
        (
            node(node_type="subgraph", subgraph={"graph_ref": "inner"}),
            GraphNode(id="n", kind="subgraph", label="N", subgraph="inner"),
        ),
    ],
)
def test_nodes(stored: dict[str, Any], shown: GraphNode) -> None:
    assert read(nodes=[stored]).nodes == (shown,)


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        (None, None),
        ({"branch_rule": "expression", "expression": "x > 1"}, "x > 1"),
        (
            {"branch_rule": "all", "expression": "True", "operand_refs": ["p.a", "p.b"]},
            "all of p.a, p.b",
        ),
        ({"branch_rule": "any", "operand_refs": []}, "any"),
        ("always", '"always"'),
    ],
)
def test_conditions_in_words(condition: object, shown: str | None) -> None:
    edges = read(edges=[way(condition=condition)]).edges
    assert edges == (GraphEdge(id="e", source="a", target="b", condition=shown),)


def test_a_disabled_edge_without_a_name() -> None:
    edges = read(edges=[way(edge_id=None, enabled=False)]).edges
    assert edges == (GraphEdge(id="", source="a", target="b", enabled=False),)


def test_of_nodes_with_one_name_the_first_counts_and_order_is_kept() -> None:
    nodes = [node(node_id="b", node_type="x"), node(node_id="a"), node(node_id="b")]
    assert [(one.id, one.kind) for one in read(nodes=nodes).nodes] == [("b", "x"), ("a", "agent")]


def test_what_cannot_be_read_is_left_out_and_said() -> None:
    found = read(nodes=[node(), 7, {"name": "x"}], edges=[way(), {}], entry_step=3)
    assert [one.id for one in found.nodes] == ["n"]
    assert [one.id for one in found.edges] == ["e"]
    assert (found.entry, found.problem) == (None, "2 nodes not readable")


@pytest.mark.parametrize("stored", [None, "", "[]", "{", "null", b"\x00", 7, '{"nodes":7}'])
def test_what_is_no_graph_says_so(stored: str | bytes | int | None) -> None:
    found = read_graph(stored)
    assert (found.nodes, found.edges) == ((), ())
    assert found.problem


def test_numbers_that_only_python_reads_do_no_harm() -> None:
    assert read_graph('{"nodes":[{"node_id":"n","x":NaN}],"y":Infinity}').nodes == (
        GraphNode(id="n"),
    )


async def test_every_run_of_a_real_database_has_its_graph(tmp_path: Path) -> None:
    if not SHARED.exists():
        pytest.skip("the shared databases are not here")
    path = Path(shutil.copy(SHARED / "rev026-main.db", tmp_path / "main.db"))
    with closing(sqlite3.connect(path)) as plain:
        stored = dict(
            plain.execute(
                "SELECT d.graph_id, json_array_length(serialized_graph, '$.nodes') || ' ' ||"
                " json_array_length(serialized_graph, '$.edges') FROM deployment_versions d"
            ).fetchall()
        )
    async with SQLiteRunBrowser(path) as browser:
        page = await browser.runs(RunQuery(), limit=100)
        assert len(page.rows) == 49
        for run in page.rows:
            found = await browser.graph(run.key)
            assert found is not None
            assert found.problem is None
            name = (run.graph or "").split("@")[0].split(":")[0]
            assert f"{len(found.nodes)} {len(found.edges)}" == stored[name]
