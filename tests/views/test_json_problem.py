"""What makes a text no JSON, and where."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroth_tui.views.json_problem import JsonProblem, json_problem, line_and_column


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": 1}', None),
        ("", JsonProblem("not JSON: Expecting value", 0)),
        ('{\n "a" 1}', JsonProblem("not JSON: Expecting ':' delimiter", 7)),
        ('["NaN", NaN]', JsonProblem("not JSON: NaN is no number", 8)),
        ('{"-Infinity": -Infinity}', JsonProblem("not JSON: -Infinity is no number", 14)),
        (f"[{'9' * 10_000}]", None),
        ("[" * 100_000, JsonProblem("nested too deeply to be checked", None)),
    ],
)
def test_the_first_problem_and_its_place(text: str, problem: JsonProblem | None) -> None:
    assert json_problem(text) == problem


def test_constants_pass_where_they_are_stored() -> None:
    assert json_problem("[NaN, Infinity]", constants=True) is None
    assert json_problem("[NaN, x]", constants=True) == JsonProblem("not JSON: Expecting value", 6)


@pytest.mark.parametrize(
    ("at", "place"), [(0, (0, 0)), (2, (0, 2)), (3, (1, 0)), (4, (2, 0)), (6, (2, 2))]
)
def test_a_place_as_line_and_column(at: int, place: tuple[int, int]) -> None:
    assert line_and_column("ab\n\ncd", at) == place


@given(st.text(alphabet='{}[]",:0aN\\\n '))
def test_it_agrees_with_the_reader(text: str) -> None:
    def refuse(name: str) -> object:
        raise ValueError(name)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        assert json_problem(text) is not None
    else:
        assert json_problem(text) is None
