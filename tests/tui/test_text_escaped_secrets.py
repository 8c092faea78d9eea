"""Secrets behind a line end or a colour code are found however often the text is escaped."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_tui.text import MASK, mask_text

FAKE = "FAKE"
"""Every secret holds this, and nothing else does."""

SECRETS = (
    f"sk-{FAKE}{'a1b2' * 6}",
    f"ghp_{FAKE}{'a1b2' * 6}",
    f"eyJ{FAKE}aaaaaa.b.c",
    f"Bearer {FAKE}",
    f"bearer\t{FAKE}",
    f"authorization: Basic {FAKE}",
    f"Authorization: Basic {FAKE}",
    f"password={FAKE}",
    f"cookie: {FAKE}",
    f"token={FAKE}",
    f"api_key = {FAKE}",
    f"postgres://u:{FAKE}@db/x",
)
BEFORE = (
    *("", "é ", "x\n", "x\t", "x\r\n", "x\b", "\x1b[31m", "x\x1b[1;31m", "x\x1b[0m\n", "x\u2028"),
)


def as_json(text: object) -> str:
    return json.dumps(text)


def as_program(text: object) -> str:
    return repr(text)


@given(
    st.sampled_from(SECRETS),
    st.sampled_from(BEFORE),
    st.lists(st.sampled_from([as_json, as_program]), max_size=3),
    st.booleans(),
)
def test_a_secret_is_hidden_however_the_text_is_spelled(
    secret: str, before: str, spellings: list[Callable[[object], str]], member: bool
) -> None:
    text = f"failed: {before}{secret}"
    for spell in spellings:
        text = spell({"log": text}) if member and spell is as_json else spell(text)
    shown = mask_text(text)
    assert FAKE not in shown
    assert MASK in shown
    assert shown.startswith(text[: text.index("failed: ")])


@pytest.mark.parametrize(
    "text",
    [
        r"C:\new_tokens\max_tokens=4096",
        r"a\nmax_tokens: 12",
        "a[1]=2; b[item]=3",
        r"\u001b[31mmessage: all is well",
        "risk-assessment-of-the-quarter",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask_text(text) == text
