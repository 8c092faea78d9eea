"""The least that a Textual app can be: what the start of the explorer is compared with."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Static


class MinimalApp(App[None]):
    """Shows one line."""

    def compose(self) -> ComposeResult:
        """Show the text that the harness waits for."""
        yield Static("a minimal app")


if __name__ == "__main__":
    MinimalApp().run()
