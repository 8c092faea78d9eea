"""The language in which the demo's runs are written down: what happens in a run, step by step.

A step's output is its input with what it `adds`, so a scenario tells only what is new. Seconds
and costs are typical values; a performance varies them a little.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from zeroth_store.status import RunStatus

Payload = Mapping[str, Any]
"""A JSON object that travels along the edges of a graph."""


@dataclass(frozen=True)
class Edge:
    """A way out of a node, and how it was decided."""

    id: str
    target: str
    expression: str | None = None
    """None for an edge without a condition."""
    value: Any = True
    """What the expression evaluated to."""
    suppressed: Literal["visit_limit", "edge_disabled"] | None = None
    """Why the edge was not taken whatever its condition said."""

    @property
    def matched(self) -> bool:
        """Whether the condition held; a disabled edge is never evaluated."""
        return bool(self.value) and self.suppressed != "edge_disabled"

    @property
    def taken(self) -> bool:
        """Whether the run went along this edge."""
        return self.matched and self.suppressed is None


@dataclass(frozen=True)
class Node:
    """A node that runs and completes."""

    id: str
    seconds: float
    adds: Payload = field(default_factory=dict)
    cost: float | None = None
    """US dollars that were measured."""
    estimate: float | None = None
    """US dollars that were only estimated."""
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True)
class Retry:
    """A failed attempt at a node; the next step tries the same node again."""

    id: str
    seconds: float
    backoff: float


@dataclass(frozen=True)
class Crash:
    """A worker that dies inside a node; the third death makes the run a dead letter."""

    id: str
    seconds: float
    backoff: float


@dataclass(frozen=True)
class Stall:
    """A worker that dies inside a node of a run that nobody takes up: its lease runs out.

    The next step is the same node, for when a person sends the run back to the queue.
    """

    id: str
    seconds: float


@dataclass(frozen=True)
class Fail:
    """A node that fails, and the run with it."""

    id: str
    seconds: float
    message: str
    """What is stored as the failure's message, a whole traceback where there was one."""
    reason: str = "node_execution_failed"
    details: Payload = field(default_factory=dict)


@dataclass(frozen=True)
class Replay:
    """Somebody sends a failed run back to the queue."""

    after: float


@dataclass(frozen=True)
class Approval:
    """A node that waits until a reviewer decides."""

    id: str
    wait: float
    decision: Literal["approved", "rejected", "open"]
    """open: nobody decides, the run keeps waiting."""
    adds: Payload = field(default_factory=dict)
    """What the reviewer changed."""
    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True)
class Interrupt:
    """A pause between two nodes, after which the run goes on."""

    wait: float


@dataclass(frozen=True)
class Keep:
    """A checkpoint that later saves do not overwrite."""


@dataclass(frozen=True)
class Branch:
    """One of the parallel branches of a fan-out."""

    input: Payload
    output: Payload | None
    """None for a branch that failed."""
    seconds: float
    cost: float | None = None


@dataclass(frozen=True)
class FanOut:
    """A node that splits its input, and the branches that work on the parts at the same time."""

    id: str
    seconds: float
    items: str
    """The key under which the parts, and then the results, are passed on."""
    work: str
    """The node that every branch runs."""
    branches: tuple[Branch, ...]
    to_work: Edge
    """The edge from the splitting node to the branches' node."""
    edges: tuple[Edge, ...]
    """The ways out of the branches' node, once all of them are done."""


@dataclass(frozen=True)
class Child:
    """A node that runs another graph as a child run in the same thread.

    The child's input is this node's. A child that completes hands its output on; one that fails
    makes this run fail.
    """

    id: str
    scenario: Scenario
    edges: tuple[Edge, ...] = ()


Step = Node | Retry | Crash | Stall | Fail | Replay | Approval | Interrupt | Keep | FanOut | Child


@dataclass(frozen=True)
class Graph:
    """A published version of a graph."""

    id: str
    name: str
    version: int

    @property
    def ref(self) -> str:
        """How a run that came through the API names its graph."""
        return f"{self.id}@{self.version}"

    @property
    def child_ref(self) -> str:
        """How a child run names its graph."""
        return f"{self.id}:v{self.version}"

    @property
    def child_prefix(self) -> str:
        """What stands before the ids of nodes and edges when the graph runs as a child."""
        return f"subgraph:{self.id}:{self.version}:"


@dataclass(frozen=True)
class Scenario:
    """The whole life of one run."""

    graph: Graph
    input: Payload
    """What it is started with; children get their parent's payload instead."""
    steps: tuple[Step, ...]
    ends: RunStatus = RunStatus.COMPLETED
    """The status in which the run stays."""
    reason: str | None = None
    """Why it failed, when it ends FAILED."""
    by: str = "olga.operator"
    """Who submitted it; child runs are submitted by nobody."""

    @property
    def first_node(self) -> str:
        """The node that the run begins with."""
        return next(
            step.id for step in self.steps if not isinstance(step, Replay | Interrupt | Keep)
        )


@dataclass(frozen=True)
class Story:
    """The runs of one thread, one after another."""

    name: str
    thread: str
    """The thread's id; `{n}` stands for a number drawn at each performance."""
    turns: tuple[Scenario, ...]
    agents: tuple[str, ...] = ()
    """The agents that take part in the thread."""
    pause: float = 8.0
    """Seconds from the end of one run to the next."""
