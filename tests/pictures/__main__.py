"""Writes every picture into `screenshots/`, or into the folder that is named."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Final

from tests.pictures.recording import SESSION, record
from tests.pictures.scenes import SCENES, SIZES, THEMES, demo, showing
from tests.tui.harness import exploring
from tests.tui.sample import NOW

FOLDER: Final = Path(__file__).parents[2] / "screenshots"


async def draw(folder: Path) -> None:
    """Write `SIZE/THEME/SCENE.svg` of every scene, and `session.svg`, which moves."""
    async with demo() as path:
        for size, cells in SIZES.items():
            for theme in THEMES:
                place = folder / size / theme
                place.mkdir(parents=True, exist_ok=True)
                for scene in SCENES:
                    async with showing(path, scene, cells, theme) as explorer:
                        (place / f"{scene.name}.svg").write_text(explorer.svg, encoding="utf-8")
        async with exploring(path, size=SIZES["wide"], now=NOW) as explorer:
            explorer.app.theme = THEMES[0]
            session = await record(explorer, SESSION)
        (folder / "session.svg").write_text(session, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(draw(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER))
