"""How a text that is looked for in payloads may be spelled there."""

from __future__ import annotations

import pytest

from zeroth_store.filters import PayloadTerm, payload_needles


@pytest.mark.parametrize(
    ("value", "needles"),
    [
        ("refund", {"refund"}),
        ("Müller", {"müller", r"m\u00fcller"}),
        ('say "hi"', {'say "hi"', r"say \"hi\""}),
        ("ü\n", {"ü\n", r"\u00fc\n", "ü\\n"}),
        ("😀", {"😀", r"\ud83d\ude00"}),
    ],
)
def test_needles_are_the_spellings_in_json(value: str, needles: set[str]) -> None:
    assert set(payload_needles(PayloadTerm("any", (value,)))) == needles


def test_needles_of_every_value() -> None:
    assert payload_needles(PayloadTerm("output", ("b", "a"))) == ("b", "a")
