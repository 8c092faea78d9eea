"""An upgrade keeps every row, survives being killed, and leaves alone what it must."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reliability.upgrades import every_version, killed_upgrades, refusals
from tests.store.later_version import LOSES, REBUILDS, later_version


@pytest.mark.thorough
def test_an_upgrade_from_any_version_keeps_all_rows(tmp_path: Path) -> None:
    figure = every_version(tmp_path / "every", later_version(tmp_path / "later", REBUILDS))
    assert figure.kept, figure.words


@pytest.mark.thorough
def test_an_upgrade_that_is_killed_is_finished_by_the_next_start(tmp_path: Path) -> None:
    later = later_version(tmp_path / "later", REBUILDS)
    figure = killed_upgrades(tmp_path / "killed", later, kills=20)
    assert figure.kept, figure.words


@pytest.mark.thorough
def test_what_must_be_left_alone_is_and_a_migration_that_loses_rows_is_not_kept(
    tmp_path: Path,
) -> None:
    figure = refusals(tmp_path / "refused", later_version(tmp_path / "careless", LOSES))
    assert figure.kept, figure.words
