"""What is acknowledged stays, nothing is half written, and a race has one winner."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.kills import own_writes, starts
from tests.reliability.races import repositories
from tests.reliability.races import starts as starts_at_once


@pytest.mark.thorough
def test_eight_processes_initialize_a_new_file_at_once(tmp_path: Path) -> None:
    figure = starts_at_once(tmp_path, files=1, processes=8)
    assert figure.kept, figure.words


@pytest.mark.thorough
def test_each_race_has_exactly_one_winner(tmp_path: Path) -> None:
    figure = repositories(tmp_path / "own.db", runs=30)
    assert figure.kept, figure.words


def test_a_killed_writer_loses_nothing_it_had_acknowledged(tmp_path: Path) -> None:
    figure = own_writes(tmp_path / "own.db", kills=12)
    assert figure.kept, figure.words


@pytest.mark.thorough
def test_a_killed_start_leaves_a_file_that_the_next_one_initializes(tmp_path: Path) -> None:
    figure = starts(tmp_path / "starts", kills=8)
    assert figure.kept, figure.words
