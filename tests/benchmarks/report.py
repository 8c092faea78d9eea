"""What a benchmark found: one line for each target, with its bound and whether it is met."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Row:
    """One target, measured or with the reason why it could not be."""

    target: str
    bound: float
    unit: str
    """`x` for a ratio to what it is compared with, otherwise what is counted."""
    measured: float | None
    detail: str = ""
    """The two figures of a ratio, or what went wrong."""

    @property
    def verdict(self) -> str:
        """Say `ok`, `MISSED` or, when there is nothing to judge, `NOT RUN`."""
        if self.measured is None:
            return "NOT RUN"
        return "ok" if self.measured <= self.bound else "MISSED"


def ratio(target: str, bound: float, figures: tuple[float, float]) -> Row:
    """Make the row of a comparison from the CPU milliseconds of ours and of the other."""
    ours, other = figures
    return Row(
        target=target,
        bound=bound,
        unit="x",
        measured=ours / other,
        detail=f"{ours:.0f} ms CPU, {other:.0f} ms",
    )


def table(rows: Iterable[Row]) -> str:
    """Draw the rows as a table of plain text."""
    cells = [("target", "measured", "bound", "verdict", "")]
    cells += [
        (
            row.target,
            "-" if row.measured is None else f"{row.measured:.2f} {row.unit}",
            "-" if row.measured is None else f"<= {row.bound:g} {row.unit}",
            row.verdict,
            row.detail,
        )
        for row in rows
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    )
