"""Settings of all tests: how many examples hypothesis tries, and what only a thorough run runs."""

from __future__ import annotations

import os
from typing import Final

import pytest
from hypothesis import settings

settings.register_profile("quick", max_examples=40, deadline=None)
settings.register_profile("thorough", max_examples=500, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

THOROUGH: Final = (
    "test_acting_clients",
    "test_acting_race",
    "test_acting_worker",
    "test_guest_checkpoint",
    "test_guest_refusals",
    "test_own_branches",
    "test_own_forks",
    "test_act_dialog_runs",
    "test_journal_screen",
    "test_checkpoints_encrypted",
    "test_checkpoints_pane",
    "test_filter_choices",
    "test_graph_tab",
    "test_row_list_mouse",
    "test_views_menu",
    "test_every_nasty_database_opens_and_stays_as_it_is",
)
"""Modules and tests that take long: `make thorough` runs them, `make test` leaves them out."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run be thorough."""
    parser.addoption("--thorough", action="store_true", help="run the tests that take long, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a thorough run is for."""
    if config.getoption("--thorough"):
        return
    slow = [item for item in items if any(name in item.nodeid for name in THOROUGH)]
    if slow and len(slow) < len(items):
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in set(slow)]
