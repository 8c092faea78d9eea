"""A share of the fuzzing that `make reliability` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.fuzz import fuzz


def test_a_few_spoiled_databases_are_read_without_harm(tmp_path: Path) -> None:
    found = fuzz(tmp_path, 4, first=1000, explored=1000, samples=())
    assert (found.files, found.crashed, found.hung, found.changed) == (4, [], [], [])


@pytest.mark.thorough
def test_many_spoiled_databases_are_read_without_harm(tmp_path: Path) -> None:
    found = fuzz(tmp_path, 80, first=2000, explored=20)
    assert (found.files, found.crashed, found.hung, found.changed) == (80, [], [], [])
