"""The refund desk: approvals that are granted, refused, or still awaited."""

from __future__ import annotations

from typing import Any, Final, Literal

from zeroth_store.status import RunStatus
from zeroth_tui.demo.scenario import Approval, Edge, Graph, Node, Scenario, Step, Story

REFUNDS: Final = Graph("refund-desk", "Refund desk", 7)


def _request(order: str, amount: float, why: str) -> dict[str, Any]:
    return {
        "order": order,
        "amount": amount,
        "currency": "EUR",
        "why": why,
        "gateway": {"merchant": "m-2201", "authorization": "Bearer demo-not-a-token"},
    }


def _assess(amount: float, advice: str) -> Node:
    return Node(
        "assess",
        2.6,
        {"advice": advice, "secret": "demo-signing-phrase"},
        cost=0.0022,
        edges=(
            Edge("r-review", "approval", "payload.amount > 50", amount > 50),
            Edge("r-auto", "pay-out", "payload.amount <= 50", amount <= 50),
        ),
    )


def _approval(
    wait: float, decision: Literal["approved", "rejected", "open"], **edits: object
) -> Approval:
    edges = () if decision == "rejected" else (Edge("r-pay", "pay-out"),)
    return Approval("approval", wait, decision, edits, edges)


_PAY_OUT: Final[Step] = Node("pay-out", 1.8, {"refund": "rf_7719", "state": "sent"})

_GRANTED: Final = Scenario(
    REFUNDS,
    _request("O-90113", 180.0, "Arrived broken, photos attached"),
    (_assess(180.0, "pay in full"), _approval(18.0, "approved"), _PAY_OUT),
)
_LOWERED: Final = Scenario(
    REFUNDS,
    _request("O-90177", 420.0, "Half of the set is missing"),
    (
        _assess(420.0, "pay half"),
        _approval(26.0, "approved", amount=210.0, edited_by="priya.finance"),
        _PAY_OUT,
    ),
)
_REFUSED: Final = Scenario(
    REFUNDS,
    _request("O-88002", 999.0, "Changed my mind after eleven months"),
    (_assess(999.0, "refuse: outside the return window"), _approval(14.0, "rejected")),
    ends=RunStatus.FAILED,
    reason="approval_rejected",
)
_SMALL: Final = Scenario(
    REFUNDS,
    _request("O-90121", 12.5, "Charged twice for shipping"),
    (_assess(12.5, "pay in full"), _PAY_OUT),
)
_AWAITED: Final = Scenario(
    REFUNDS,
    _request("O-90204", 1_340.0, "Wrong model delivered twice"),
    (_assess(1_340.0, "pay in full, apologise"), _approval(0.0, "open"), _PAY_OUT),
    ends=RunStatus.WAITING_APPROVAL,
)

STORIES: Final = (
    Story("Refunds with and without approval", "refunds", (_GRANTED, _SMALL), pause=4.0),
    Story("A refund that the reviewer lowers", "refunds", (_LOWERED,)),
    Story("A refund is refused", "refunds", (_REFUSED,)),
)
UNDECIDED: Final = Story("A refund that nobody has decided", "refunds", (_AWAITED,))
