"""Which terminal gets what to draw attention: never more than it is known to understand."""

from __future__ import annotations

import pytest

from zeroth_tui.text.notices import attention

NINE = "\x07\x1b]9;title: words\x1b\\"
SEVEN = "\x07\x1b]777;notify;title;words\x1b\\"


@pytest.mark.parametrize(
    ("environment", "written"),
    [
        ({}, ""),
        ({"TERM": "dumb", "VTE_VERSION": "7600"}, ""),
        ({"TERM": "linux"}, "\x07"),
        ({"TERM": "xterm-256color"}, "\x07"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, "\x07"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, NINE),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, NINE),
        ({"TERM": "xterm-ghostty"}, NINE),
        ({"TERM": "xterm-kitty"}, NINE),
        ({"TERM": "foot-extra"}, SEVEN),
        ({"TERM": "rxvt-unicode-256color"}, SEVEN),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, SEVEN),
    ],
)
def test_each_terminal_gets_what_it_understands(environment: dict[str, str], written: str) -> None:
    assert attention(environment, "title", "words") == written


def test_a_semicolon_does_not_end_the_title() -> None:
    assert attention({"TERM": "foot"}, "a;b", "c;d") == "\x07\x1b]777;notify;a,b;c,d\x1b\\"
