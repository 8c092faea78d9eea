"""What an agent keeps for its thread: the prompt as the model got it, and what was said."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import tzinfo
from typing import Any, Final

from zeroth_store.browse import CheckpointSummary, JsonText
from zeroth_tui import format as fmt
from zeroth_tui import text
from zeroth_tui.line import Piece, Row
from zeroth_tui.views.checkpoints import title
from zeroth_tui.views.layout import MASK_LIMIT, field, heading, paragraph, row
from zeroth_tui.views.payload import payload_rows

_EMPTY: Final = "This checkpoint holds no agent state."
_DIGITS: Final = 4000

LONGEST: Final = 262_144
"""How many characters of messages are shown; the message that goes beyond is the last one."""


def thread_state_rows(
    checkpoint: CheckpointSummary, state: JsonText, zone: tzinfo, width: int
) -> tuple[Row, ...]:
    """Return the agent's state in a checkpoint: prompt, conversation, input, output, response.

    Texts are shown with their own lines, wrapped, obvious secrets hidden.
    """
    top = row(width, Piece("agent state in ", "muted"), *title(checkpoint, zone))
    kept = _kept(state)
    if not kept:
        return (top, *paragraph(_EMPTY, width, "muted"))
    audit = _object(kept.get("audit"))
    rows = [
        top,
        *_about(audit, width),
        *_section("Prompt", list(_prompt(audit.get("prompt"), width)), width),
        *_section("Conversation", list(_said(kept.get("conversation"), width)), width),
    ]
    for name, value in (
        ("Input", kept.get("input")),
        ("Output", kept.get("output")),
        ("Response", audit.get("response")),
    ):
        if value is not None:
            rows += _section(name, _value(value, width), width)
    return tuple(rows)


def _kept(state: JsonText) -> Mapping[str, Any]:
    try:
        decoded = json.loads(state, parse_int=_whole)
    except (ValueError, RecursionError):
        return {}
    return _object(_object(_object(decoded).get("metadata")).get("thread_state"))


def _about(audit: Mapping[str, Any], width: int) -> list[Row]:
    usage = _object(audit.get("token_usage"))
    facts = {
        "model": usage.get("model_name"),
        "attempt": audit.get("attempt"),
        "tokens in": usage.get("input_tokens"),
        "tokens out": usage.get("output_tokens"),
    }
    return [
        line
        for name, value in facts.items()
        if value is not None
        for line in field(name, text.line(value), width)
    ]


def _prompt(prompt: object, width: int) -> Iterator[Row]:
    """Yield the prompt by messages where they are all of it, else as it was rendered."""
    if isinstance(prompt, str):
        yield from _text(prompt, width)
        return
    parts = _object(prompt)
    messages, rendered = parts.get("messages"), parts.get("rendered_prompt")
    if isinstance(rendered, str) and rendered != _joined(messages):
        yield from _text(rendered, width)
    else:
        yield from _said(messages, width)


def _joined(messages: object) -> str | None:
    """Return what a list of messages renders to."""
    if not isinstance(messages, list):
        return None
    contents = [_object(message).get("content") for message in messages]
    return "\n\n".join(map(str, contents)) if contents else None


def _said(messages: object, width: int) -> Iterator[Row]:
    """Yield messages with their roles, until as much is shown as a person waits for."""
    if not isinstance(messages, list):
        return
    shown = 0
    for at, message in enumerate(messages):
        if shown > LONGEST:
            more = f"… {fmt.count(len(messages) - at)} more messages are not shown"
            yield from paragraph(more, width, "warning")
            return
        role = _object(message).get("role")
        content = _object(message).get("content", message)
        yield from paragraph(f"— {text.line(role or 'message', 40)} —", width, "key")
        if isinstance(content, str):
            yield from _text(content, width)
            shown += min(len(content), MASK_LIMIT)
        else:
            yield from _value(content, width)


def _text(stored: str, width: int) -> list[Row]:
    shown = text.block(text.mask_text(stored[:MASK_LIMIT]) + stored[MASK_LIMIT:], MASK_LIMIT)
    return paragraph(shown, width, indent=2)


def _value(value: object, width: int) -> list[Row]:
    try:
        return payload_rows(json.dumps(value), width)
    except RecursionError:
        return paragraph("nested too deeply to be shown", width, "warning")


def _whole(digits: str) -> int | str:
    """Read an integer; one of more digits than Python converts stays text."""
    return int(digits) if len(digits) < _DIGITS else digits


def _section(name: str, rows: list[Row], width: int) -> list[Row]:
    return [Row(()), heading(name, width), *rows] if rows else []


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
