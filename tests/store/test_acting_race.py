"""Of actors that race for a run exactly one wins and each loser is told; a kill leaves no half."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.kills import guest_writes
from tests.reliability.races import guest_actors, own_actors

pytestmark = pytest.mark.thorough


def test_each_run_of_a_guest_has_one_winner(tmp_path: Path) -> None:
    figure = guest_actors(tmp_path / "guest.db", runs=12)
    assert figure.kept, figure.words


def test_each_run_of_an_own_database_has_one_winner(tmp_path: Path) -> None:
    figure = own_actors(tmp_path / "own.db", runs=12)
    assert figure.kept, figure.words


@pytest.mark.parametrize("wal", [True, False])
def test_a_killed_actor_loses_nothing_it_had_acknowledged(tmp_path: Path, wal: bool) -> None:
    figure = guest_writes(tmp_path / "guest.db", kills=20, wal=wal)
    assert figure.kept, figure.words
