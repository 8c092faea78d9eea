"""Orders: a parent run with child runs of other graphs, one of which fails or waits."""

from __future__ import annotations

from typing import Final

from zeroth_store.status import RunStatus
from zeroth_tui.demo.scenario import (
    Approval,
    Child,
    Edge,
    Fail,
    Graph,
    Node,
    Payload,
    Scenario,
    Story,
)

ORDERS: Final = Graph("order-flow", "Order flow", 12)
CREDIT: Final = Graph("credit-check", "Credit check", 3)
LABELS: Final = Graph("ship-label", "Shipping label", 1)


def _order(order: str, buyer: str, amount: int) -> Payload:
    return {
        "order": order,
        "buyer": {"name": buyer, "country": "PT"},
        "amount": amount,
        "warehouse": {"user": "svc-orders", "password": "demo-only"},
    }


_INTAKE: Final = Node(
    "intake", 1.2, {"currency": "EUR", "lines": 3}, edges=(Edge("o-credit", "credit"),)
)
_SCORE: Final = Node("score", 2.8, {"credit": 712, "bureau": "north"}, cost=0.0009)
_BUREAU_OFFLINE: Final = Fail(
    "score",
    3.4,
    "bureau 'north' did not answer within 3.0 s",
    details={"exception": "httpx.ReadTimeout", "url": "https://bureau.example/v2/score"},
)


def _credit(*steps: Node | Fail | Approval, ends: RunStatus = RunStatus.COMPLETED) -> Child:
    reason = "node_execution_failed" if ends is RunStatus.FAILED else None
    return Child(
        "credit", Scenario(CREDIT, {}, steps, ends, reason), edges=(Edge("o-label", "label"),)
    )


_LABEL: Final = Child(
    "label",
    Scenario(
        LABELS,
        {},
        (
            Node("route", 1.0, {"carrier": "Correio"}, edges=(Edge("l-print", "print"),)),
            Node("print", 0.9, {"label": "PT-55-0192"}),
        ),
    ),
    edges=(Edge("o-ship", "ship"),),
)
_SHIP: Final = Node("ship", 1.3, {"shipped": True})

_SHIPPED: Final = Scenario(
    ORDERS, _order("O-90231", "Inês Conceição", 250), (_INTAKE, _credit(_SCORE), _LABEL, _SHIP)
)
_NO_CREDIT: Final = Scenario(
    ORDERS,
    _order("O-90240", "Łukasz Żak", 4_800),
    (_INTAKE, _credit(_BUREAU_OFFLINE, ends=RunStatus.FAILED)),
    ends=RunStatus.FAILED,
    reason="subgraph_execution_failed",
)
_WAITING: Final = Scenario(
    ORDERS,
    _order("O-90244", "Ana Sousa", 9_900),
    (
        _INTAKE,
        _credit(
            Node(
                "score",
                2.8,
                {"credit": 540, "bureau": "north"},
                cost=0.0009,
                edges=(Edge("c-review", "review", "payload.amount > 5000", True),),
            ),
            Approval("review", 0.0, "open"),
            ends=RunStatus.WAITING_APPROVAL,
        ),
        _LABEL,
        _SHIP,
    ),
    ends=RunStatus.WAITING_APPROVAL,
)

STORIES: Final = (
    Story("An order with two child runs", "order-{n}", (_SHIPPED,), agents=("order-agent",)),
    Story("A child run fails its parent", "order-{n}", (_NO_CREDIT,), agents=("order-agent",)),
)
CHILD_UNDECIDED: Final = Story(
    "A parent waits for the approval of its child", "order-{n}", (_WAITING,)
)
