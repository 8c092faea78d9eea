"""A stock list of many rows: what scrolling in the explorer is compared with."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import DataTable

ROWS = 10_000


class TableApp(App[None]):
    """Shows as many columns as the explorer's list, with a cursor for whole rows."""

    def compose(self) -> ComposeResult:
        """Show the table."""
        yield DataTable[str](cursor_type="row")

    def on_mount(self) -> None:
        """Fill it with rows like those of a run list."""
        table: DataTable[str] = self.query_one(DataTable)
        table.add_columns("id", "status", "duration", "age", "graph")
        table.add_rows(
            (f"{n * 2654435761 % 2**32:08x}", "COMPLETED", f"{n % 60}.0s", "331d", f"graph-{n % 7}")
            for n in range(ROWS)
        )
        table.focus()


if __name__ == "__main__":
    TableApp().run()
