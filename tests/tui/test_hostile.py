"""Text that strangers wrote: shown as stored, and never acting on the terminal."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.tui.harness import exploring
from tests.tui.sample import run_id
from zeroth_tui.screens.act_dialog import ActDialog

MARKUP = "[/] [@click=app.quit]press[/] [red]x[/red] [link='http://e.invalid']l[/link] $text"
ESCAPES = "a\x1b]52;c;cHduZWQ=\x07b\x1b[31mc\x9b31md\x0ee\x00f\rg\x08h\u202ei\u200bj"
HOSTILE = {
    "markup": MARKUP,
    "markup-unclosed": "ZLEX z [b + should [type=missing, input_value={'a': 1}]",
    "escapes": ESCAPES,
    "brackets": "[" * 40,
    "surrogate": "a\ud800b",
}
NOT_PRINTABLE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ud800-\udfff]")


def poison(path: Path, text: str) -> str:
    """Put hostile text into every column and JSON place of the newest run; returns its id."""
    whole = json.dumps({text: text, "list": [text]})
    history = json.dumps(
        [
            {
                "node_id": text,
                "status": text,
                "started_at": "2026-03-01T10:04:51Z",
                "output_snapshot": {text: text},
            }
        ]
    )
    decisions = json.dumps(
        [
            {
                "condition_id": text,
                "matched": True,
                "selected_edge_id": text,
                "details": {
                    "edge_id": text,
                    "expression": text,
                    "source_node_id": text,
                    "target_node_id": text,
                    "suppression_reason": text,
                    "value": text,
                },
            }
        ]
    )
    failure = json.dumps({"reason": text, "message": text, "details": {text: text}})
    hostile_id = f"{text}-id".encode("utf-8", "replace").decode()
    plain = text.encode("utf-8", "replace").decode()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(
            "UPDATE runs SET run_id = ?, workflow_name = ?, graph_version_ref = ?,"
            " current_step = ?, error = ?, metadata = ?, execution_history = ?,"
            " condition_results = ?, failure_state = ?, final_output = ?, lease_worker_id = ?,"
            " lease_expires_at = ?, submitted_by = ? WHERE run_id = ?",
            (
                *(hostile_id, plain, plain, plain, plain, whole, history, decisions, failure),
                *(json.dumps(text), plain, plain, json.dumps({"subject": text})),
                run_id("a03e5d"),
            ),
        )
        connection.execute(
            "UPDATE threads SET thread_id = ?, run_ids = ? WHERE thread_id = 'nightly'",
            (plain, json.dumps([hostile_id])),
        )
        connection.execute("UPDATE runs SET thread_id = ? WHERE run_id = ?", (plain, hostile_id))
    return hostile_id


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name == "escapes" else pytest.mark.thorough)
        for name in HOSTILE
    ],
)
async def test_every_place_shows_hostile_text_harmlessly(name: str, database: Path) -> None:
    text = HOSTILE[name]
    poison(database, text)
    seen = []
    async with exploring(database, size=(200, 50)) as explorer:
        for key in ("g", "down", *"1234567", "end"):
            await explorer.press(key)
            seen.append(explorer.text)
        await explorer.press("t")
        seen.append(explorer.text)
        await explorer.pilot.hover("#tree", offset=(3, 1))
        await explorer.press("x")
        assert isinstance(explorer.app.screen, ActDialog)
        seen.append(explorer.text)
        await explorer.press("escape")
        await explorer.press("y")
        seen.extend((explorer.text, explorer.said))
        await explorer.filter("[/]")
        seen.append(explorer.text)
        picture = explorer.svg
    whole = "\n".join(seen)
    assert NOT_PRINTABLE.findall(whole) == []
    assert NOT_PRINTABLE.findall(picture) == []
    if name.startswith(("markup", "brackets")):
        # Bracketed text is shown character by character; secrets-like words are not in these.
        assert text[:25] in whole


async def test_a_failing_action_quotes_hostile_text_in_its_toast(database: Path) -> None:
    hostile_id = poison(database, MARKUP)
    async with exploring(database) as explorer:
        await explorer.press("x", "1")
        with closing(sqlite3.connect(database, isolation_level=None)) as other:
            other.execute("UPDATE runs SET status = 'FAILED' WHERE run_id = ?", (hostile_id,))
        await explorer.press("y")
        assert MARKUP[:15] in explorer.said
        assert "changed to FAILED by another writer" in explorer.said
