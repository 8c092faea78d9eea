"""Which stored values are secrets, and how they are hidden until somebody asks to see them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

MASK: Final = "••hidden••"
"""Stands for a secret; Zeroth's own mask, `***REDACTED***`, may be what is stored."""

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ANYWHERE: Final = re.compile(r"password|passwd|passphrase|pwd|secret|credential|api_?key")
_KEY: Final = re.compile(r"(?:^|_)(?:private|access|signing|encryption|auth)_?keys?$")
_LAST: Final = re.compile(
    r"(?:^|_)(?:proxy_)?authorization(?:_header)?$"
    r"|token$"
    r"|(?:^|_)(?:access|refresh|auth|bearer|session|id)_?tokens$"
    r"|(?:^|_)(?:set_)?cookies?$"
    r"|(?:^|_)bearer$"
)


@lru_cache(maxsize=4096)
def is_secret(key: str) -> bool:
    """Whether a value stored under this name is to be hidden.

    Names are compared by their words, whatever the case and separators (`x-api-key`,
    `clientSecret`). Counts of tokens (`tokens`, `max_tokens`, `token_usage`) are no secrets.
    """
    words = "_".join(_WORD.findall(unicodedata.normalize("NFKC", key[:200]))).lower()
    return any(pattern.search(words) for pattern in (_ANYWHERE, _KEY, _LAST))


_ASSIGNED: Final = re.compile(
    r"(?<![\w.-])(?P<key>[\w.-]{1,64})\\*[\"']?\s{0,3}[=:]\s{0,3}", re.IGNORECASE
)
_GIVEN: Final = re.compile(
    r"\"(?:[^\"\\]++|\\.)*+\"?|'(?:[^'\\]++|\\.)*+'?|\\+\"[^\"]*\"?|\\+'[^']*'?"
    r"|(?:(?:bearer|basic|digest|token)\s+)?[^\s,;&\"'\])}]+",
    re.IGNORECASE | re.DOTALL,
)
_QUOTE: Final = re.compile(r"\\*[\"']")
_COLOUR: Final = r"\[[0-9;]*[A-Za-z]"
_ESCAPED: Final = r"\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[0-7]{1,3}|[abefnrtv])"
_START: Final = rf"(?:\b|\x1b{_COLOUR}|{_ESCAPED}(?:{_COLOUR})?)"
"""Where a word begins, which may be behind the letter that ends a terminal's colour code, or the
spelling of a line end or any other character in JSON and in programs."""

_BEFORE_KEY: Final = re.compile(r"u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[0-9]*[A-Za-z]|[0-7]{1,3}")
"""The part of these that may look like the beginning of a name."""

_BEARER: Final = re.compile(
    rf"(?P<scheme>{_START}bearer(?:\s|\\+[nrt])+)[^\s,;\"'\])}}]+", re.IGNORECASE
)
_URL: Final = re.compile(
    rf"(?P<login>{_START}[a-z][a-z0-9+.-]{{0,30}}://[^\s:/@]{{0,128}}:)"
    r"(?!\d{1,5}(?:[/?#\s]|$))[^\s\"'<>]{0,256}@",
    re.IGNORECASE,
)
_WELL_KNOWN: Final = re.compile(
    rf"(?P<before>{_START})(?:(?:sk|pk|rk)[-_][\w-]{{16,}}|gh[pousr]_\w{{20,}}"
    r"|github_pat_\w{20,}|xox[a-z]-[\w-]{10,}|AKIA[0-9A-Z]{16}\b|eyJ[\w-]{10,}\.[\w-]+\.[\w-]*)"
)

_SIGNS: Final = (
    *("sk-", "sk_", "pk-", "pk_", "rk-", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    *("github_pat_", "xox", "AKIA", "eyJ"),
)
"""One of them is in every well-known key: most text holds none, and is read faster by them."""


def mask_text(text: str) -> str:
    """Return free text (an error message, a log line) with its obvious secrets hidden.

    Hides the password of `scheme://user:password@host`, what is given to a secret name
    (`password=x`, `"api_key": "x"`), what follows `Bearer`, and keys of well-known form.
    """
    if "://" in text and "@" in text:
        text = _URL.sub(rf"\g<login>{MASK}@", text)
    text = _hide_assigned(text)
    if "bearer" in text.lower():
        text = _BEARER.sub(rf"\g<scheme>{MASK}", text)
    if any(sign in text for sign in _SIGNS):
        text = _WELL_KNOWN.sub(rf"\g<before>{MASK}", text)
    return text


def _hide_assigned(text: str) -> str:
    """Hide what is given to secret names; what is given to others may hold a secret name itself."""
    parts: list[str] = []
    done = at = 0
    while assigned := _ASSIGNED.search(text, at):
        at = assigned.end()
        secret = any(map(is_secret, _names(text, assigned.start(), assigned["key"])))
        given = _GIVEN.match(text, at) if secret else None
        if given is not None:
            quote = _QUOTE.match(given[0])
            parts += [text[done:at], f"{quote[0]}{MASK}{quote[0]}" if quote else MASK]
            done = at = given.end()
    return "".join(parts) + text[done:]


def _names(text: str, start: int, key: str) -> Iterator[str]:
    """Yield what a name may be: itself, or what follows the end of an escape sequence."""
    yield key
    if text[start - 1 : start] in {"\\", "[", ";"} and (code := _BEFORE_KEY.match(key)):
        yield key[code.end() :]


_MEMBER: Final = re.compile(r'"(?P<key>(?:[^"\\]++|\\.)*+)(?:"(?P<colon>\s*+:\s*+)?)?', re.DOTALL)
_PLAIN: Final = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[^\s,\[\]{}"]+', re.DOTALL)
_NESTED: Final = re.compile(r'[^\[\]{}"]++|"(?:[^"\\]++|\\.)*+"?|[\[{]|[\]}]', re.DOTALL)
_HARMLESS: Final = frozenset({"null", "true", "false", '""', "{}", "[]"})


def mask_json(text: str) -> str:
    """Return JSON text with the values of secret keys masked; text that is no JSON does no harm."""
    parts: list[str] = []
    at = 0
    for member in _MEMBER.finditer(text):
        if member.start() < at or not member["colon"] or not is_secret(_unescaped(member["key"])):
            continue
        end = _value_end(text, member.end())
        if text[member.end() : end] not in _HARMLESS:
            parts += [text[at : member.end()], f'"{MASK}"']
            at = end
    return "".join(parts) + text[at:]


def _value_end(text: str, start: int) -> int:
    """Return where a JSON value ends, or the text when the value is cut short."""
    if text[start : start + 1] not in {"{", "["}:
        value = _PLAIN.match(text, start)
        return value.end() if value else start
    depth = 0
    for token in _NESTED.finditer(text, start):
        depth += (token[0] in "{[") - (token[0] in "}]")
        if depth == 0:
            return token.end()
    return len(text)


def _unescaped(key: str) -> str:
    r"""Decode `\uXXXX` in a key; no other escape can spell a secret name."""
    return re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), key)
