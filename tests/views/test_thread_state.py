"""What an agent keeps for its thread: its prompt as text, and what else is there."""

from __future__ import annotations

import json
from datetime import UTC
from typing import Any

import pytest

from tests.views.build import texts
from tests.views.test_checkpoints import checkpoint
from zeroth_tui.views.thread_state import LONGEST, thread_state_rows


def shown(kept: Any, width: int = 60) -> list[str]:
    state = json.dumps({"metadata": {"thread_state": kept}})
    return texts(thread_state_rows(checkpoint(2), state, UTC, width))


def prompt(*contents: str, rendered: str | None = None) -> dict[str, Any]:
    messages = [{"role": "user", "content": content} for content in contents]
    text = "\n\n".join(contents) if rendered is None else rendered
    return {"audit": {"prompt": {"messages": messages, "rendered_prompt": text}}}


def test_the_prompt_has_its_own_lines_by_message_and_no_escapes() -> None:
    lines = shown(prompt('Say "hi"\n\ttwice', "caf\u00e9"))
    start = lines.index("Prompt")
    assert lines[start : start + 6] == [
        "Prompt",
        "— user —",
        '  Say "hi"',
        "      twice",
        "— user —",
        "  caf\u00e9",
    ]


def test_long_lines_are_wrapped_with_nothing_lost() -> None:
    words = " ".join(f"word{n}" for n in range(100))
    lines = shown(prompt(words), 40)
    assert all(len(line) <= 40 for line in lines)
    start = lines.index("— user —") + 1
    assert " ".join(line.strip() for line in lines[start:]) == words


def test_a_prompt_that_is_more_than_its_messages_is_shown_as_rendered() -> None:
    lines = shown(prompt("part", rendered="part and more"))
    assert lines[lines.index("Prompt") + 1 :] == ["  part and more"]


def test_a_prompt_may_be_plain_text() -> None:
    lines = shown({"audit": {"prompt": "all of it"}})
    assert lines[lines.index("Prompt") + 1 :] == ["  all of it"]


def test_the_rest_follows_with_its_headings() -> None:
    kept = {
        "audit": {
            "attempt": 2,
            "response": {"content": "done"},
            "token_usage": {"model_name": "m-1", "input_tokens": 12, "output_tokens": 7},
        },
        "conversation": [{"role": "human", "content": "hello"}],
        "input": {"q": 1},
        "output": {"a": 2},
    }
    lines = shown(kept)
    assert lines[0].startswith("agent state in checkpoint 3 feedface")
    headings = ("Conversation", "Input", "Output", "Response")
    assert [line for line in lines if line in headings] == list(headings)
    for said in ("model", "m-1", "tokens in", "12", "  hello", '  "q": 1'):
        assert any(said in line for line in lines), said


def test_secrets_are_hidden_in_text_and_in_values() -> None:
    kept = {**prompt("use password=hunter2 now"), "output": {"api_key": "sk-live-123"}}
    said = "\n".join(shown(kept))
    assert "hunter2" not in said
    assert "sk-live-123" not in said
    assert "hidden" in said


@pytest.mark.thorough
def test_a_text_too_long_to_show_says_how_much_is_missing() -> None:
    said = "".join(shown(prompt("x" * 70_000)))
    assert said.count("x") == 65_536
    assert said.endswith("+4,464")


def test_of_very_many_messages_those_not_shown_are_counted() -> None:
    size = 60_000
    shown_whole = LONGEST // size + 1  # the one that goes beyond is shown
    lines = shown(prompt(*["y" * size] * 9), 1000)
    assert sum(line.count("y") for line in lines) == shown_whole * size
    assert lines[-1] == f"… {9 - shown_whole} more messages are not shown"


@pytest.mark.parametrize(
    "kept",
    [
        None,
        7,
        [],
        {"audit": []},
        {"audit": {"prompt": 7, "response": None}},
        {"audit": {"prompt": {"messages": [None, 7, {"content": [1]}, {"role": 5}]}}},
        {"conversation": {"a": 1}, "output": [[[[]]]]},
        {"audit": {"prompt": {"messages": "x", "rendered_prompt": ["y"]}}},
        {"output": float("nan"), "input": None},
    ],
)
def test_any_shape_is_shown_without_an_error(kept: object) -> None:
    assert shown(kept)[0].startswith("agent state in checkpoint 3")


def test_numbers_of_any_length_and_text_that_is_no_state_do_no_harm() -> None:
    digits = "9" * 5000
    state = f'{{"metadata":{{"thread_state":{{"output":{{"n":{digits}}}}}}}}}'
    assert "Output" in texts(thread_state_rows(checkpoint(), state, UTC, 60))
    for broken in ("", "{", "[]", '{"metadata": 1}', "[" * 100_000):
        lines = texts(thread_state_rows(checkpoint(), broken, UTC, 60))
        assert lines[1:] == ["This checkpoint holds no agent state."]


def test_control_characters_are_shown_not_sent() -> None:
    said = "".join(shown(prompt("\x1b]52;c;x\x07", "a\u202eb")))
    assert not set(said) & {"\x1b", "\x07", "\u202e"}
