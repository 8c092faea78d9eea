"""What Pydantic says of a value that does not fit reaches a toast whole, whatever it quotes."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from pydantic import ValidationError
from textual.widgets._toast import Toast

from tests.store.guests import Guest
from tests.tui.branching import SOURCE, ask
from tests.tui.harness import WIDE, Explorer, exploring
from zeroth_store import Run, StoreError
from zeroth_store.actions import Outcome, Write
from zeroth_store.sqlite.acting.guest_actor import GuestActor
from zeroth_tui.text import line

MARKUP: Final = "[/] [@click=app.quit]x[/] [b $text [type=missing, input_value={'a': 1}]"
"""Closes what is not open, would quit when clicked, never ends, and is what Pydantic writes."""


def toasted(explorer: Explorer) -> str:
    """Return what stands in the only toast on the screen, without line ends and spaces."""
    [toast] = explorer.app.screen.query(Toast)
    area = toast.region
    lines = explorer.text.splitlines()[area.y : area.bottom]
    return "".join("".join(row[area.x : area.right].strip("▌ ").split()) for row in lines)


def without_spaces(words: str) -> str:
    return "".join(words.split())


def refusal(**members: object) -> ValidationError:
    """Return the error of a run that cannot be."""
    with pytest.raises(ValidationError) as caught:
        Run.model_validate({"graph_id": "g", **members})
    return caught.value


class Refusing(GuestActor):
    """Finds in every write what a model does not allow."""

    async def write(self, write: Write) -> Outcome:
        """Raise what Pydantic raises, as the store's error."""
        raise StoreError(f"{write.act}: {refusal(**{MARKUP: {'a': MARKUP}})}")


@pytest.mark.thorough
async def test_the_text_of_a_validation_error_is_toasted_whole(tmp_path: Path) -> None:
    path = tmp_path / "guest.db"
    with Guest(path) as guest:
        guest.run("r1", "PENDING")
    text = str(refusal(**{MARKUP: {"a": MARKUP}}))
    assert "[type=extra_forbidden, input_value={'a': " in text
    async with exploring(path, actor=Refusing(path), size=WIDE) as explorer:
        await ask(explorer, "x", "What to do to run r1")
        await ask(explorer, "1", "PENDING -> ✖ FAILED")
        await ask(explorer, "y", "validation error")
        whole = f"r1: cancel: {line(text)}; nothing changed"
        assert explorer.said == whole
        assert toasted(explorer) == without_spaces(whole)
        await explorer.pilot.click(Toast)
        await ask(explorer, "x", "What to do to run r1")


@pytest.mark.thorough
@pytest.mark.parametrize("keys", ["F", "x5y"])
async def test_a_stored_name_that_is_markup_is_quoted_in_a_toast(database: Path, keys: str) -> None:
    with closing(sqlite3.connect(database)) as other, other:
        counts = json.dumps({MARKUP: "x"})
        other.execute("UPDATE runs SET node_visit_counts = ? WHERE run_id = ?", (counts, SOURCE))
    async with exploring(database, size=WIDE) as explorer:
        await explorer.open_run(SOURCE[:6])
        await explorer.press(*keys)
        problem = f"node_visit_counts.{MARKUP}: Input should be a valid integer"
        assert problem in explorer.said
        assert without_spaces(problem) in toasted(explorer)
