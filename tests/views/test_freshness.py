"""How old what is on screen is: one sentence for each way in which it can be."""

from __future__ import annotations

import pytest

from zeroth_tui.views.freshness import Freshness, fresh_pieces, title_words

LIVE = {"read": "10:05:00 UTC"}
GONE = {**LIVE, "trouble": "runs.db does not exist", "age": "8s"}


@pytest.mark.parametrize(
    ("known", "words", "title"),
    [
        ({}, "opening …", []),
        (LIVE, "live 10:05:00 UTC", []),
        ({**LIVE, "snapshot": True}, "snapshot of 10:05:00 UTC", []),
        ({**LIVE, "behind": "3s"}, "3s behind", []),
        ({**LIVE, "waiting": 0}, "paused", ["paused"]),
        ({**LIVE, "waiting": 1}, "paused, 1 change waits", ["paused"]),
        ({**LIVE, "waiting": 1204}, "paused, 1,204 changes wait", ["paused"]),
        ({**LIVE, "following": True}, "following  live 10:05:00 UTC", ["following"]),
        (
            {**LIVE, "following": True, "waiting": 2},
            "following  paused, 2 changes wait",
            ["following", "paused"],
        ),
        (GONE, "as of 10:05:00 UTC, 8s ago  runs.db does not exist", ["as of 10:05:00 UTC"]),
        (
            {**GONE, "following": True, "waiting": 2, "behind": "3s"},
            "as of 10:05:00 UTC, 8s ago  runs.db does not exist",
            ["paused", "as of 10:05:00 UTC"],
        ),
        ({"trouble": "a.db is no database"}, "a.db is no database", ["not read"]),
    ],
)
def test_each_state_has_its_words(known: dict[str, object], words: str, title: list[str]) -> None:
    now = Freshness(**known)  # type: ignore[arg-type]
    assert "".join(piece.text for piece in fresh_pieces(now)) == words
    assert title_words(now) == title
    assert now.old == ("trouble" in known)


def test_trouble_is_told_with_its_hostile_parts_made_visible() -> None:
    (_, words) = fresh_pieces(Freshness(trouble="\x1b]0;t\x07.db does not exist"))
    assert words.text == "␛]0;t␇.db does not exist"
