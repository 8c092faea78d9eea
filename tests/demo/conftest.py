"""Fixtures of the demo's tests: empty databases whose schema is made only once."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.demo.stagehands import Row, opened, runs, seeded


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("demo") / "empty.db"

    async def make() -> None:
        async with opened(path):
            """Opening makes the schema."""

    asyncio.run(make())
    return path


@pytest.fixture
def fresh(empty_file: Path, tmp_path: Path) -> Callable[[str], Path]:
    """Return what makes an empty database of a name."""
    return lambda name: Path(shutil.copy(empty_file, tmp_path / f"{name}.db"))


@pytest.fixture(scope="session")
def past(empty_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = Path(shutil.copy(empty_file, tmp_path_factory.mktemp("demo") / "past.db"))
    asyncio.run(seeded(path, 7))
    return path


@pytest.fixture(scope="session")
def stored(past: Path) -> list[Row]:
    return runs(past)
