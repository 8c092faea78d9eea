"""Writing with review: loops that end well, or at their visit limit."""

from __future__ import annotations

from typing import Final

from zeroth_tui.demo.scenario import Edge, Graph, Keep, Node, Scenario, Step, Story

NOTES: Final = Graph("release-notes", "Release notes with review", 2)
TRANSLATE: Final = Graph("translator", "Translator", 6)


def _draft(round_: int, text: str) -> Node:
    return Node(
        "draft",
        3.5,
        {"round": round_, "text": text},
        cost=0.0046,
        edges=(Edge("e-review", "review"),),
    )


def _review(quality: float, comment: str, *, limit: bool = False) -> Node:
    return Node(
        "review",
        2.0,
        {"quality": quality, "comment": comment},
        cost=0.0012,
        edges=(
            Edge(
                "e-again",
                "draft",
                "payload.quality < 0.8",
                quality < 0.8,
                suppressed="visit_limit" if limit else None,
            ),
            Edge("e-publish", "publish", "payload.quality >= 0.8", quality >= 0.8),
        ),
    )


_FIRST_ROUNDS: Final[tuple[Step, ...]] = (
    _draft(1, "Version 3.2 brings many improvements."),
    _review(0.35, "Says nothing. Which improvements?"),
    Keep(),
    _draft(2, "Version 3.2: exports are 4x faster, SSO for all plans."),
    _review(0.62, "Better. Mention the breaking change in /v1/export."),
    Keep(),
)
_ACCEPTED: Final = Scenario(
    NOTES,
    {"product": "Ledger", "version": "3.2.0", "tickets": ["LED-811", "LED-840", "LED-852"]},
    (
        *_FIRST_ROUNDS,
        _draft(3, "Ledger 3.2: exports 4x faster, SSO for all. Breaking: /v1/export needs `page`."),
        _review(0.91, "Ship it."),
        Node("publish", 1.1, {"url": "https://docs.example/ledger/3.2"}),
    ),
    by="nadia.docs",
)
_GIVES_UP: Final = Scenario(
    NOTES,
    {"product": "Ledger", "version": "3.2.1", "tickets": []},
    (
        *_FIRST_ROUNDS,
        _draft(3, "Version 3.2.1: fixes."),
        _review(0.41, "There is nothing in the tickets to write about.", limit=True),
    ),
    by="nadia.docs",
)
_TRANSLATION: Final = Scenario(
    TRANSLATE,
    {"text": "Your parcel is on its way.", "targets": ["de", "ja", "ko"]},
    (
        Node(
            "translate",
            4.2,
            {
                "translations": {
                    "de": "Ihr Paket ist unterwegs.",
                    "ja": "お荷物は配送中です。",
                    "ko": "소포가 배송 중입니다.",
                }
            },
            cost=0.0058,
            edges=(Edge("t-check", "check"),),
        ),
        Node("check", 1.6, {"verdict": "✓ all three", "confidence": 0.97}, estimate=0.0008),
    ),
    by="nadia.docs",
)

STORIES: Final = (
    Story("A review loop ends in a publication", "release-notes-3.2", (_ACCEPTED,)),
    Story("A review loop is stopped by its visit limit", "release-notes-3.2", (_GIVES_UP,)),
    Story("One sentence in three languages", "translations", (_TRANSLATION,)),
)
