"""One thing that was tried, how often, and how often it went wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_SHOWN: Final = 5


@dataclass(frozen=True, kw_only=True)
class Figure:
    """What a trial counted; every figure can fail."""

    trial: str
    """What was done, e.g. `kill -9 during transitions`."""
    tried: int
    """How often."""
    counted: str
    """What it did meanwhile, e.g. `13,289 acknowledged writes`."""
    wrong: int
    """How often a promise was broken."""
    promise: str
    """The promise, e.g. `lost`."""
    details: tuple[str, ...] = ()
    """What went wrong, a sentence each."""

    @property
    def kept(self) -> bool:
        """Whether something was tried and nothing went wrong."""
        return self.tried > 0 and self.wrong == 0

    @property
    def words(self) -> str:
        """Say it in one line, and the first things that went wrong in one each."""
        verdict = "ok" if self.kept else "BROKEN"
        wrong = f"{self.wrong:,} {self.promise}"
        line = f"{verdict:<7} {self.trial}: {self.tried:,} times, {self.counted}; {wrong}"
        return "\n        ".join((line, *self.details[:_SHOWN]))
