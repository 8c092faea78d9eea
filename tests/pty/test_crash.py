"""What a crash report says: where the mistake was, and nothing that was stored."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from zeroth_tui.crash import report
from zeroth_tui.text import MASK


def of(fail: Callable[[], object]) -> list[str]:
    """Return the lines of the report of what a function raises."""
    try:
        fail()
    except Exception as error:
        return report(error).split("\n")
    raise AssertionError("nothing was raised")


def reads_a_number() -> object:
    hidden = "local-value"
    return int(f"{hidden}-stored")


def test_places_are_shown_and_values_are_not() -> None:
    lines = of(reads_a_number)
    assert lines[0] == "zeroth-tui stopped because of a mistake in it: ValueError"
    assert lines[-1] == f"ValueError: invalid literal for int() with base 10: {MASK}"
    assert any("in reads_a_number" in line for line in lines)
    assert "local-value" not in "\n".join(lines)


def test_what_led_to_it_comes_first() -> None:
    def fail() -> None:
        try:
            reads_a_number()
        except ValueError as error:
            raise RuntimeError("cannot go on") from error

    lines = of(fail)
    assert lines.index("RuntimeError: cannot go on") == len(lines) - 1
    assert any(line.startswith("ValueError: invalid literal") for line in lines[:-1])


def test_each_error_of_a_group_is_told() -> None:
    def fail() -> None:
        raise ExceptionGroup("two", [KeyError("one-key"), TypeError("a 'str' is no 'int'")])

    lines = of(fail)
    assert f"KeyError: {MASK}" in lines
    assert "TypeError: a 'str' is no 'int'" in lines  # quotes names of types, not values
    assert lines[-1] == "ExceptionGroup: two (2 sub-exceptions)"


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("password=hunter2", f"password={MASK}"),
        ("at postgres://u:hunter2@db/x", f"at postgres://u:{MASK}@db/x"),
        ("\x1b[31msk-" + "a1b2" * 6, f"␛[31m{MASK}"),
        ("a\x1b]52;c;eA==\x07b\rc\u202e", "a␛]52;c;eA==␇b␍c\\u202e"),
        ("two\nlines", "two␊lines"),
    ],
)
def test_a_message_is_masked_and_harmless(message: str, shown: str) -> None:
    def fail() -> None:
        raise RuntimeError(message)

    assert of(fail)[-1] == f"RuntimeError: {shown}"


def test_an_error_whose_text_fails_is_told_all_the_same() -> None:
    class Broken(Exception):
        def __str__(self) -> str:
            raise ValueError

    def fail() -> None:
        raise Broken

    assert of(fail)[-1] == "Broken: "


def test_errors_that_lead_to_each_other_are_told_once() -> None:
    def fail() -> None:
        first, second = RuntimeError("first"), RuntimeError("second")
        first.__context__, second.__context__ = second, first
        raise first

    assert [line for line in of(fail) if line.startswith("RuntimeError")] == [
        "RuntimeError: second",
        "RuntimeError: first",
    ]
