"""The overview's right half: what runs took and cost by graph, and visits by node."""

from __future__ import annotations

from typing import Final

from zeroth_store.browse import RunOrder
from zeroth_store.overview import ENOUGH, GraphFigures, NodeFigures, Nodes, Overview, Stretch, Visit
from zeroth_store.overview_filters import FAILED, OVER, PAID, TIMED, at_least, of_graph, started_in
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Piece
from zeroth_tui.views.overview_table import Entry, Figure, Rows, Section, counted
from zeroth_tui.views.overview_words import took

_GRAPH_COLUMNS: Final = (8, 8, 8, 9, 9, 10)
_NODE_COLUMNS: Final = (8, 8, 9, 9, 10, 10)
_MOST: Final = 40
"""Rows of one table; how many more there are is said."""
_LONGEST: Final = RunOrder("duration")
_DEAREST: Final = RunOrder("cost")
_NONE: Final = Figure(fmt.NOTHING, "muted")
_TOO_FEW: Final = Figure(f"n<{ENOUGH}", "muted")


def right_half(overview: Overview, *, by_cost: bool) -> tuple[Section, ...]:
    """Return graphs and nodes, and what is to be known about their figures."""
    stretch = overview.stretch
    if stretch is None:
        return ()
    return (_graphs(overview, stretch), _nodes(overview.nodes, by_cost=by_cost), _notes(overview))


def _graphs(overview: Overview, stretch: Stretch) -> Section:
    graphs = overview.runs.graphs
    names = ("runs", "failed", "over", "p50", "p95", "cost")
    rows = [_graph(one, stretch) for one in graphs[:_MOST]]
    return _section("Graphs", "most runs first", names, rows, len(graphs), _GRAPH_COLUMNS)


def _graph(one: GraphFigures, stretch: Stretch) -> Entry:
    of = of_graph(one.graph)
    lengths = one.over
    failed = counted(one.failed, started_in(stretch, of, FAILED))
    name = fmt.NOTHING if one.graph is None else text.line(one.graph, 200) or "(empty)"
    over = counted(lengths.n, started_in(stretch, of, OVER, TIMED), _LONGEST)
    figures = (
        counted(one.total, started_in(stretch, of)),
        failed._replace(role="error") if one.failed else failed,
        over,
        _at_least(one, stretch, lengths.p50, lengths.from_p50),
        _at_least(one, stretch, lengths.p95, lengths.from_p95),
        _cost(one, stretch),
    )
    return Entry(("graph", repr(one.graph)), (Piece(f"  {name}"),), figures)


def _at_least(one: GraphFigures, stretch: Stretch, length: int | None, number: int) -> Figure:
    """Return a percentile, which leads to the runs that took so long or longer."""
    if length is None:
        return _TOO_FEW
    wanted = started_in(stretch, of_graph(one.graph), OVER, at_least(length))
    return Figure(took(length), target=Rows(str(wanted), number, _LONGEST))


def _cost(one: GraphFigures, stretch: Stretch) -> Figure:
    if one.cost.total is None:
        return _NONE
    wanted = started_in(stretch, of_graph(one.graph), PAID)
    return Figure(fmt.money(one.cost.total), target=Rows(str(wanted), one.cost.n, _DEAREST))


def _nodes(nodes: Nodes, *, by_cost: bool) -> Section:
    names = ("visits", "timed", "p50", "p95", "longest", "cost")
    order = "costliest first" if by_cost else "longest first"
    rows = nodes.rows
    if by_cost:
        rows = tuple(sorted(rows, key=lambda one: -(one.cost.total or 0)))
    entries = [_node(one) for one in rows[:_MOST]]
    return _section("Nodes", order, names, entries, len(rows), _NODE_COLUMNS)


def _node(one: NodeFigures) -> Entry:
    name = text.line(one.node, 200) or "(empty)"
    figures = (
        Figure(fmt.count(one.visits), "number", one.latest.key),
        Figure(fmt.count(one.timed), "muted"),
        _visit(one.p50) or _TOO_FEW,
        _visit(one.p95) or _TOO_FEW,
        _visit(one.longest) or _NONE,
        _spent(one),
    )
    return Entry(("node", one.node), (Piece(f"  {name}"),), figures)


def _visit(visit: Visit | None) -> Figure | None:
    """Return how long a visit took, which leads to its run."""
    return None if visit is None else Figure(took(visit.took), target=visit.key)


def _spent(one: NodeFigures) -> Figure:
    """Return what all visits cost, which leads to the run of the costliest one."""
    dearest = None if one.costliest is None else one.costliest.key
    return _NONE if one.cost.total is None else Figure(fmt.money(one.cost.total), target=dearest)


def _section(
    title: str,
    order: str,
    names: tuple[str, ...],
    rows: list[Entry],
    total: int,
    columns: tuple[int, ...],
) -> Section:
    heads = tuple(Figure(name, "muted") for name in names)
    entries = [Entry(None, (Piece(f" {title}", "strong"), Piece(f"  {order}", "muted")), heads)]
    entries += rows or [Entry(None, (Piece("  none in this time", "muted"),))]
    if total > len(rows):
        more = f"  and {fmt.count(total - len(rows))} more"
        entries.append(Entry(None, (Piece(more, "muted"),)))
    return Section(tuple(entries), columns)


def _notes(overview: Overview) -> Section:
    notes = [
        "Left and right choose a figure of a row, which opens as what it counts.",
        f"p50 and p95 by nearest rank, from {ENOUGH} on.",
        "A graph's are of runs that are over, from start to last write.",
        "A node's are as its audits measured them; a figure opens the run of that visit.",
        "Visits opens the latest, cost the costliest one.",
    ]
    if not overview.nodes.known:
        notes += ["No table node_audits here, the only place with true durations of nodes."]
    warnings = [
        f"Only the newest {fmt.count(most)} {what}"
        for most, what in (
            (overview.most, "runs are counted: the time is shortened to theirs."),
            (overview.looked_at, "runs are looked at until the index is built."),
            (overview.nodes.most, "visits of nodes are counted."),
        )
        if most is not None
    ]
    sentences = [Piece(words, "warning") for words in warnings]
    sentences += [Piece(words, "muted") for words in notes]
    return Section((), prose=tuple(sentences))
