"""The document of the filter language says what is so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.store.filters import parsed, wrong

DOCUMENT = Path(__file__).parents[2] / "docs" / "filter.md"


def examples() -> list[str]:
    """Every filter in a box of the document, without the explanation behind it."""
    boxes: list[str] = re.findall(r"```filter\n(.*?)```", DOCUMENT.read_text("utf-8"), re.DOTALL)
    return [re.sub(r" {2,}# .*", "", line) for box in boxes for line in box.splitlines()]


def test_there_are_examples() -> None:
    assert len(examples()) > 40


@pytest.mark.parametrize("text", examples())
def test_an_example_of_the_document_works(text: str) -> None:
    assert parsed(text).terms


def test_what_the_document_calls_wrong_is_wrong_there() -> None:
    rows = re.findall(r"^\| `(.+?)` \| `(.+?)` \|", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert len(rows) == 5
    for text, marked in rows:
        error = wrong(text)
        assert text[error.start : error.end] == marked
