"""Reading JSON text into structs, with the parts nobody asked for left exactly as written."""

from __future__ import annotations

import json
import re
from functools import cache
from json.decoder import JSONDecoder
from typing import Any, Final, TypeVar

import msgspec

from zeroth_store.browse import JsonText

S = TypeVar("S", bound=msgspec.Struct)

NOTHING: Final = msgspec.Raw()
"""The value of a struct's undecoded field that is not there."""

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_JSON: Final = JSONDecoder()
_NAMES: Final = {
    dict: "an object",
    list: "a list",
    str: "a string",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    type(None): "null",
}


class Unreadable(ValueError):
    """JSON text that is malformed or of another shape; the message says what and where."""


def read_object(text: str, shape: type[S]) -> S:
    """Decode a JSON object into a struct; Unreadable when it is none.

    A member of another type than the struct's field counts as missing. What msgspec refuses but
    Python writes (NaN, lone surrogates) is read by a slower way with the same result.
    """
    decoder: msgspec.json.Decoder[S] = _decoder(shape)
    try:
        return decoder.decode(text)
    except (ValueError, RecursionError):
        return _assemble(members(text), shape)


def read_objects(text: str, shape: type[S]) -> list[S | None]:
    """Decode a JSON list of objects; None for an element that cannot be read as one."""
    try:
        return list(_decoder(list[shape]).decode(text))  # type: ignore[valid-type]
    except (ValueError, RecursionError):
        return [_read_element(part, shape) for part in elements(text)]


def read_strings(text: str) -> tuple[str, ...]:
    """Decode a JSON list of strings, leaving out elements of other types."""
    try:
        return tuple(_decoder(list[str]).decode(text))
    except (ValueError, RecursionError):
        items = [load_json(part) for part in elements(text)]
        return tuple(item for item in items if isinstance(item, str))


def members(text: str) -> dict[str, JsonText]:
    """Split a JSON object into its members, each value exactly as written."""
    _expect(load_json(text), dict)
    found: dict[str, JsonText] = {}
    at = _skip(text, _skip(text, 0) + 1)
    while text[at] != "}":
        key, at = _JSON.raw_decode(text, at)
        found[key], at = _value(text, _skip(text, _skip(text, at) + 1))
    return found


def raw_members(text: str) -> dict[str, JsonText]:
    """Split a JSON object as `members` does, at once where no value needs the slower way."""
    try:
        parts = _decoder(dict[str, msgspec.Raw]).decode(text)
    except (ValueError, RecursionError):
        return members(text)
    return {name: raw_text(raw) or "" for name, raw in parts.items()}


def elements(text: str) -> list[JsonText]:
    """Split a JSON list into its elements, each exactly as written."""
    try:
        return [raw_text(raw) or "" for raw in _decoder(list[msgspec.Raw]).decode(text)]
    except (ValueError, RecursionError):
        _expect(load_json(text), list)
    found: list[JsonText] = []
    at = _skip(text, _skip(text, 0) + 1)
    while text[at] != "]":
        part, at = _value(text, at)
        found.append(part)
    return found


def load_json(text: str) -> Any:
    """Decode JSON the way Python does; Unreadable says at which character it fails."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(f"not JSON: {error.msg} at character {error.pos}") from None
    except RecursionError:
        raise Unreadable("nested too deeply to be read") from None
    except ValueError as error:
        raise Unreadable(f"not JSON: {error}") from None


def check_json(text: str) -> None:
    """Raise Unreadable unless the text is one JSON value."""
    try:
        _decoder(msgspec.Raw).decode(text)
    except (ValueError, RecursionError):
        load_json(text)


def raw_text(raw: msgspec.Raw) -> JsonText | None:
    """Return a field that was left undecoded, as written; None when it is not there."""
    return str(raw, "utf-8", "surrogatepass") or None


def _assemble(parts: dict[str, JsonText], shape: type[S]) -> S:
    values: dict[str, Any] = {}
    for field in _fields(shape):
        if (part := parts.get(field.name)) is None:
            continue
        if field.type is msgspec.Raw:
            values[field.name] = msgspec.Raw(part.encode("utf-8", "surrogatepass"))
            continue
        try:
            values[field.name] = msgspec.convert(load_json(part), type=field.type)
        except msgspec.ValidationError:
            continue
    for field in _fields(shape):
        if field.required and field.name not in values:
            raise Unreadable(f"no {field.name} in an object that needs one")
    return shape(**values)


def _read_element(text: str, shape: type[S]) -> S | None:
    try:
        return read_object(text, shape)
    except Unreadable:
        return None


def _value(text: str, start: int) -> tuple[JsonText, int]:
    """Return the value that starts here, and where the next one (or the end) is."""
    _, end = _JSON.raw_decode(text, start)
    at = _skip(text, end)
    return text[start:end], _skip(text, at + 1) if text[at] == "," else at


def _skip(text: str, at: int) -> int:
    """Return where the white space that starts here ends."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _expect(value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise Unreadable(f"{_NAMES[type(value)]} where {_NAMES[kind]} belongs")


@cache
def _decoder(shape: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(shape)


@cache
def _fields(shape: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(shape)
