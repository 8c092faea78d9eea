"""Support triage: a chat over several runs, each of which takes another branch."""

from __future__ import annotations

from typing import Final

from zeroth_tui.demo.scenario import Edge, Graph, Node, Payload, Scenario, Story

TRIAGE: Final = Graph("support-triage", "Support triage", 4)


def _ways_out(score: float) -> tuple[Edge, ...]:
    """Return the ways out of `classify` for a ticket of this urgency."""
    return (
        Edge("e-urgent", "escalate", "payload.score >= 0.8", score >= 0.8),
        Edge(
            "e-normal",
            "reply",
            "payload.score >= 0.3 and payload.score < 0.8",
            score >= 0.3 and score < 0.8,
        ),
        Edge("e-spam", "discard", "payload.score < 0.3", score < 0.3),
        Edge("e-legacy", "discard", "True", suppressed="edge_disabled"),
    )


def _classify(score: float, label: str) -> Node:
    return Node(
        "classify",
        1.4,
        {"label": label, "score": score, "model": "triage-small-2"},
        cost=0.00042,
        edges=_ways_out(score),
    )


def _ticket(ticket: str, customer: str, message: str) -> Payload:
    return {
        "ticket": ticket,
        "customer": {"name": customer, "plan": "business", "since": "2023-04-02"},
        "message": message,
        "helpdesk": {"url": "https://help.example/api", "api_key": "demo-key-not-real"},
    }


_LOOKS_SLOW: Final = Scenario(
    TRIAGE,
    _ticket("T-4411", "Zoë Müller", "Dashboards are slow since this morning, is that known?"),
    (
        _classify(0.46, "performance"),
        Node(
            "reply",
            3.2,
            {
                "answer": "Thanks, Zoë. We see higher latency in eu-west and are on it. 🛠️",
                "tokens": {"prompt": 812, "completion": 64},
            },
            cost=0.0031,
        ),
    ),
)
_IS_DOWN: Final = Scenario(
    TRIAGE,
    _ticket("T-4411", "Zoë Müller", "Now it is completely down!! We are losing orders."),
    (
        _classify(0.95, "outage"),
        Node(
            "escalate",
            2.1,
            {"incident": "INC-2093", "on_call": "platform-eu"},
            edges=(Edge("e-notify", "notify"),),
        ),
        Node("notify", 0.7, {"channel": "#incidents", "delivered": True}),
    ),
)
_ALL_WELL: Final = Scenario(
    TRIAGE,
    _ticket("T-4411", "Zoë Müller", "Back to normal here. Danke schön!"),
    (
        _classify(0.31, "thanks"),
        Node("reply", 2.4, {"answer": "Glad to hear it. Closing T-4411."}, cost=0.0019),
    ),
)
_SPAM: Final = Scenario(
    TRIAGE,
    _ticket("T-4418", "seo-experts", "Rank #1 on every search engine, guaranteed"),
    (_classify(0.04, "spam"), Node("discard", 0.3, {"kept": False})),
)
_QUESTION: Final = Scenario(
    TRIAGE,
    _ticket("T-4420", "Kenji 田中", "請求書をPDFで送ってもらえますか?"),
    (
        _classify(0.38, "billing"),
        Node(
            "reply",
            3.0,
            {"answer": "田中様、請求書をお送りしました。", "language": "ja"},
            cost=0.0027,
        ),
    ),
)

STORIES: Final = (
    Story(
        "A customer comes back until the outage is over",
        "support-{n}",
        (_LOOKS_SLOW, _IS_DOWN, _ALL_WELL),
        agents=("triage-agent", "reply-agent"),
    ),
    Story("Spam is discarded", "support-{n}", (_SPAM,), agents=("triage-agent",)),
)
JUST_ASKED: Final = Story(
    "A question that no worker has taken yet",
    "support-{n}",
    (_QUESTION,),
    agents=("triage-agent", "reply-agent"),
)
