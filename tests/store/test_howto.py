"""The how-to guide's example runs as printed, only its three import lines changed."""

from __future__ import annotations

import subprocess

import pytest

from tests.store.support import PYTHON, ROOT, SHARED

EXAMPLE = ROOT / "docs" / "examples" / "howto.py"
IMPORT = "from zeroth_store import AsyncSQLiteDatabase, Run, RunRepository, RunStatus"


@pytest.mark.thorough
def test_the_example_prints_what_the_guide_promises_and_ends_by_itself() -> None:
    """It never closes its database; the timeout is for that."""
    done = subprocess.run(
        [PYTHON, "-W", "error", EXAMPLE], capture_output=True, text=True, timeout=30, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "status : COMPLETED\noutputs: None\nhistory:\n"


def test_the_example_is_the_guides_text() -> None:
    guides = sorted((SHARED / "seeds").glob("*.txt")) if SHARED.is_dir() else []
    printed = [text for path in guides if "import asyncio" in (text := path.read_text())]
    if not printed:
        pytest.skip("the how-to guide is not at hand")
    start = printed[0].index("async def main()")
    end = printed[0].index("asyncio.run(main())") + len("asyncio.run(main())")
    ours = EXAMPLE.read_text()
    assert ours.split(f"{IMPORT}\n")[1].strip() == printed[0][start:end]
