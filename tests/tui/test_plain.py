"""Plain mode: what a screen reader would stumble over is said in words, or not at all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.tui.harness import NARROW, WIDE, exploring
from tests.tui.test_themes import SCREENS
from tests.views.build import NOW as VIEW_NOW
from tests.views.build import audit, detail, entry, summary, words
from zeroth_store.browse import RelatedRows
from zeroth_tui.line import Piece
from zeroth_tui.plain import WORDS, plain_line
from zeroth_tui.settings import Settings
from zeroth_tui.status import look
from zeroth_tui.views.steps import steps
from zeroth_tui.views.timeline_rows import late_timeline_rows

MORE = (
    ("comma",),  # an event of the past
    ("escape", "ctrl+t", "question_mark"),
    ("escape", "ctrl+p"),
    ("7", "f"),  # a run by its id
    ("escape", "4"),
    ("6",),
    ("7",),
    ("escape", "space", "W"),
    ("slash", "b", "o", "g", "u", "s", ":"),
)
"""The keys that lead to more screens, on from those of the themes."""
PLAIN = Settings(plain=True, time_zone="UTC")
SAID = "…—•␀␡␦\u2420-\u243f"
"""What the program writes as text: a cut, nothing, a hidden secret, control characters."""
DRAWN = re.compile(rf"[^\s -~{SAID}]")
"""Whatever is no letter of English: the sample holds nothing else."""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ((Piece("✖ ", "error"), Piece("7f3a11")), "failed 7f3a11"),
        ((Piece("✖ ", "error"), Piece("7f3a11 "), Piece("FAILED ", "error")), " 7f3a11 FAILED "),
        (
            (Piece("◷", "waiting"), Piece(" 7f3a11 "), Piece("APPROVAL", "waiting")),
            " 7f3a11 APPROVAL",
        ),
        ((Piece("✖ FAILED", "error"), Piece(" -> "), Piece("○ PENDING")), " FAILED ->  PENDING"),
        # What is stored may hold the same word, and be that word:
        ((Piece("✖ ", "error"), Piece("81bc02 failed-orders@2")), "failed 81bc02 failed-orders@2"),
        ((Piece("✖ ", "error"), Piece("FAILED")), "failed FAILED"),
        ((Piece("▸ "), Piece("closed-loop"), Piece(" 2 ✖1")), "closed closed-loop 2 failed 1"),
        ((Piece("RUNNING → FAILED  store"),), "RUNNING to FAILED  store"),
        # One beside the other:
        ((Piece("⇧← any"),), "shift from any"),
        ((Piece("▶✖ x"),), "running failed x"),
        ((Piece("a✖▶b"),), "a failed running b"),
        ((Piece(" ◀◀ PAST "),), "    PAST "),
        ((Piece("5 ✖1 ▶2"),), "5 failed 1 running 2"),
        ((Piece("a"), Piece("   ▇▇▇✖   "), Piece("0.8s")), "a  failed  0.8s"),
        ((Piece("wide      apart"),), "wide  apart"),
        ((Piece("    indented"),), "    indented"),
        ((Piece('"✖ │"', "string"),), '"✖ │"'),
    ],
)
def test_glyphs_become_words(line: tuple[Piece, ...], words: str) -> None:
    assert "".join(piece.text for piece in plain_line(line)) == words


def test_every_status_has_a_word() -> None:
    for status in ("PENDING", "RUNNING", "WAITING_APPROVAL", "WAITING_INTERRUPT", "COMPLETED"):
        assert look(status).glyph in WORDS


def test_the_timeline_says_when_instead_of_drawing_it() -> None:
    """`ingest` runs for 0.8 s from the start, `classify` for 0.8 s from 2.2 s on."""
    history = [entry(0, "ingest", 1, audit="a"), entry(1, "classify", 3, audit="b")]
    audits = (audit("a", "ingest", 0, 0.8), audit("b", "classify", 2.2, 3))
    related = RelatedRows(audits=audits)
    run = detail(history, run=summary("COMPLETED", started=0, updated=3))
    rows = late_timeline_rows(run, related, steps(run, related, VIEW_NOW), 60, VIEW_NOW, plain=True)
    said = [re.sub(" +", " ", words(rows.row(at, 60).line)) for at in range(2)]
    assert said == ["✔ ingest after 0ms 800ms", "✔ classify after 2.2s 800ms"]


async def test_times_are_in_the_zone_that_is_set(database: Path) -> None:
    """The sample's runs are of March 2026, when Kathmandu is 5 h 45 min ahead of UTC."""
    settings = Settings(time_zone="Asia/Kathmandu")
    async with exploring(database, size=WIDE, settings=settings) as explorer:
        assert re.search(r"started \d{4}-\d\d-\d\d [\d:.]+ \+0545", explorer.text)


async def test_lists_have_the_columns_that_are_set(database: Path) -> None:
    settings = Settings(columns=("graph", "status", "cost"))
    async with exploring(database, size=WIDE, settings=settings) as explorer:
        await explorer.press("t")
        heading = next(line for line in explorer.text.splitlines() if "graph" in line)
        assert re.findall("[a-z]+", heading.split("│")[1]) == ["run", "graph", "status", "cost"]


@pytest.mark.thorough
@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_no_screen_draws_anything(database: Path, size: tuple[int, int]) -> None:
    async with exploring(database, size=size, settings=PLAIN) as explorer:
        for keys in (*SCREENS, *MORE):
            await explorer.press(*keys)
            assert DRAWN.findall(explorer.text) == [], keys
        assert explorer.app.animation_level == "none"
