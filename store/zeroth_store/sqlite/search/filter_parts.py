"""The pieces of SQL that a filter is compiled from: fragments with bound values, cells, times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from zeroth_store.sqlite.tables import is_json

LARGE: Final = 65_536
"""A JSON cell longer than this is shown in lists by other means, so SQL alone does not judge it."""

_DIGIT: Final = "[0-9]"
_SECOND: Final = "-".join((_DIGIT * 4, _DIGIT * 2, _DIGIT * 2)) + "T" + ":".join((_DIGIT * 2,) * 3)
_SPELLINGS: Final = ((f"{_SECOND}.{_DIGIT * 6}+00:00", 32), (f"{_SECOND}+00:00", 25))


class Sql(NamedTuple):
    """A piece of SQL and the values that its marks stand for, in order."""

    text: str
    params: tuple[object, ...] = ()


NEVER: Final = Sql("0")
"""A condition that is false."""

ALWAYS: Final = Sql("1")
"""A condition that is true."""


class Judged(NamedTuple):
    """A condition, and where SQL cannot tell: there its answer is not to be trusted."""

    true: Sql
    """May be NULL, which counts as false."""
    doubt: Sql = NEVER
    """Never NULL."""

    def possible(self, *, negated: bool) -> Sql:
        """Return what holds for every row for which the condition (or its opposite) may hold."""
        return either(no(self.true) if negated else self.true, self.doubt)


def either(*parts: Sql) -> Sql:
    """Return a condition that holds where one of these does."""
    return _joined(" OR ", [part for part in parts if part != NEVER], NEVER)


def both(*parts: Sql) -> Sql:
    """Return a condition that holds where all of these do."""
    return _joined(" AND ", [part for part in parts if part != ALWAYS], ALWAYS)


def no(part: Sql) -> Sql:
    """Return a condition that holds where another is false or NULL."""
    return Sql(f"NOT COALESCE({part.text}, 0)", part.params)


def any_judged(parts: Iterable[Judged]) -> Judged:
    """Return a condition that holds where one of these does."""
    every = list(parts)
    doubts = dict.fromkeys(part.doubt for part in every)
    return Judged(either(*(part.true for part in every)), either(*doubts))


def text(column: str) -> str:
    """Return SQL for a cell as lists show it: a blob by its size, numbers in digits."""
    if column == "NULL":
        return column
    return (
        f"CASE typeof({column}) WHEN 'blob' THEN '<blob ' || length({column}) || ' bytes>'"
        f" ELSE CAST({column} AS TEXT) END"
    )


def json_text(column: str, path: str) -> str:
    """Return SQL for a string inside a JSON object; NULL where there is none."""
    return _json(column, path, "'text'")


def json_number(column: str, path: str) -> str:
    """Return SQL for a number inside a JSON object; NULL where there is none."""
    return _json(column, path, "'integer', 'real'")


def json_doubt(column: str) -> Sql:
    r"""Return where SQLite may read a JSON cell otherwise than Python does.

    It is malformed (or holds NaN), large, or holds `\u00..`, which SQLite cuts off (`\u0000`) or
    does not see through in a key. What is not looked for: a key that is written twice.
    """
    if column == "NULL":
        return NEVER
    sound = f"{is_json(column)} AND length({column}) <= {LARGE} AND instr({column}, '\\u00') = 0"
    return Sql(f"({column} IS NOT NULL AND NOT ({sound}))")


def time_doubt(column: str) -> Sql:
    """Return where a time is not spelled as Zeroth spells it, so that its text does not compare."""
    if column == "NULL":
        return NEVER
    return Sql(f"({column} IS NOT NULL AND NOT ({_is_plain_time(column)}))")


def _json(column: str, path: str, types: str) -> str:
    if column == "NULL":
        return column
    return (
        f"CASE WHEN {is_json(column)} THEN CASE WHEN json_type({column}, '{path}') IN ({types})"
        f" THEN json_extract({column}, '{path}') END END"
    )


def _is_plain_time(column: str) -> str:
    """Return SQL for: ISO with seconds or microseconds and `+00:00`, and a date that exists."""
    spelled = " OR ".join(
        f"{column} GLOB '{pattern}' AND length(CAST({column} AS BLOB)) = {length}"
        for pattern, length in _SPELLINGS
    )
    # A modifier makes SQLite carry the days over that a month does not have.
    exists = f"COALESCE(date({column}, '+0 days') = substr({column}, 1, 10), 0)"
    return f"typeof({column}) = 'text' AND ({spelled}) AND {column} >= '0001' AND {exists}"


def _joined(word: str, parts: Sequence[Sql], nothing: Sql) -> Sql:
    if not parts:
        return nothing
    if len(parts) == 1:
        return parts[0]
    body = word.join(f"({part.text})" for part in parts)
    return Sql(body, tuple(value for part in parts for value in part.params))
