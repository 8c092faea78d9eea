"""The deployed graph of a run: found by the version the run names, read as far as it can be."""

from __future__ import annotations

import re
import sqlite3
from typing import Final, TypeVar

import msgspec

from zeroth_store.graphs import GraphEdge, GraphNode, GraphShape
from zeroth_store.sqlite.decoding.cells import bind, json_text, read_inner
from zeroth_store.sqlite.decoding.jsontext import (
    NOTHING,
    Unreadable,
    raw_text,
    read_object,
    read_objects,
    read_strings,
)
from zeroth_store.sqlite.decoding.large_cells import TOO_LARGE
from zeroth_store.sqlite.finding import scope_of
from zeroth_store.sqlite.lists.summaries import summary_of
from zeroth_store.sqlite.tables import find_table, runs_table
from zeroth_store.summaries import RunKey, RunSummary

S = TypeVar("S", bound=msgspec.Struct)

_VERSION: Final = re.compile(r"(.*)(?:@|:v)([0-9]+)", re.DOTALL)
_OPERAND_RULES: Final = frozenset({"all", "any"})
_NULL: Final = "null"


class _Graph(msgspec.Struct):
    nodes: msgspec.Raw = NOTHING
    edges: msgspec.Raw = NOTHING
    entry_step: str | None = None


class _Node(msgspec.Struct):
    node_id: str
    node_type: str | None = None
    display: msgspec.Raw = NOTHING
    parallel_config: msgspec.Raw = NOTHING
    subgraph: msgspec.Raw = NOTHING


class _Display(msgspec.Struct):
    title: str | None = None


class _Subgraph(msgspec.Struct):
    graph_ref: str | None = None


class _Edge(msgspec.Struct):
    source_node_id: str
    target_node_id: str
    edge_id: str | None = None
    enabled: bool = True
    condition: msgspec.Raw = NOTHING


class _Condition(msgspec.Struct):
    branch_rule: str | None = None
    expression: str | None = None
    operand_refs: msgspec.Raw = NOTHING


def run_graph(connection: sqlite3.Connection, key: RunKey) -> GraphShape | None:
    """Return the deployed graph of a run; None where no deployment of it is stored."""
    run = summary_of(connection, runs_table(connection), key)
    table = find_table(connection, "deployment_versions")
    if run is None or table is None or not table.has("graph_version_ref", "serialized_graph"):
        return None
    names = _spellings(run.graph)
    same = f"{table.column('deployment_ref')} = CAST(? AS TEXT)"
    marks = ", ".join("CAST(? AS TEXT)" for _ in names)
    try:
        rows = connection.execute(
            f"SELECT serialized_graph FROM deployment_versions WHERE {table.in_scope()}"
            f" AND graph_version_ref IN ({marks}) ORDER BY {same} DESC, rowid DESC LIMIT 1",
            (*scope_of(key), *(bind(name) for name in names), _deployment(run)),
        ).fetchall()
    except sqlite3.DataError:
        return GraphShape(problem=TOO_LARGE)
    return read_graph(rows[0][0]) if rows else None


def read_graph(value: str | bytes | int | float | None) -> GraphShape:
    """Decode a serialized graph; what cannot be read is left out, and said."""
    try:
        graph = read_object(json_text(value), _Graph)
    except Unreadable as error:
        return GraphShape(problem=str(error))
    nodes, lost_nodes = _list(graph.nodes, _Node)
    edges, lost_edges = _list(graph.edges, _Edge)
    by_id: dict[str, GraphNode] = {}
    for node in nodes:
        by_id.setdefault(node.node_id, _node(node))
    return GraphShape(
        nodes=tuple(by_id.values()),
        edges=tuple(_edge(edge) for edge in edges),
        entry=graph.entry_step,
        problem=_lost(lost_nodes, "nodes") or _lost(lost_edges, "edges"),
    )


def _spellings(graph: str | None) -> tuple[str, ...]:
    """Return how deployments may name the version that a run names `g@3` or `g:v3`."""
    named = _VERSION.fullmatch(graph or "")
    if named is None:
        return (graph or "",)
    return f"{named[1]}@{named[2]}", f"{named[1]}:v{named[2]}"


def _deployment(run: RunSummary) -> str | bytes | None:
    return None if run.deployment is None else bind(run.deployment)


def _list(raw: msgspec.Raw, shape: type[S]) -> tuple[list[S], int]:
    """Decode a list; returns what can be read of it and how many elements cannot."""
    try:
        found = read_objects(raw_text(raw) or "[]", shape)
    except Unreadable:
        return [], 1
    return [one for one in found if one is not None], found.count(None)


def _lost(count: int, what: str) -> str | None:
    return f"{count} {what} not readable" if count else None


def _node(node: _Node) -> GraphNode:
    return GraphNode(
        id=node.node_id,
        kind=node.node_type,
        label=read_inner(node.display, _Display).title,
        subgraph=read_inner(node.subgraph, _Subgraph).graph_ref,
        fan_out=_is_there(node.parallel_config),
    )


def _edge(edge: _Edge) -> GraphEdge:
    return GraphEdge(
        id=edge.edge_id or "",
        source=edge.source_node_id,
        target=edge.target_node_id,
        condition=_condition(edge.condition),
        enabled=edge.enabled,
    )


def _condition(raw: msgspec.Raw) -> str | None:
    """Return a condition in words, as `conditions` of a run are read; None where there is none."""
    if not _is_there(raw):
        return None
    condition = read_inner(raw, _Condition)
    if condition.branch_rule in _OPERAND_RULES and (names := _names(condition.operand_refs)):
        return f"{condition.branch_rule} of {', '.join(names)}"
    return condition.expression or condition.branch_rule or raw_text(raw)


def _names(raw: msgspec.Raw) -> tuple[str, ...]:
    try:
        return read_strings(raw_text(raw) or "[]")
    except Unreadable:
        return ()


def _is_there(raw: msgspec.Raw) -> bool:
    return raw_text(raw) not in (None, _NULL)
