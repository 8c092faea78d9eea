"""A pane that is as high as what it shows."""

from __future__ import annotations

from functools import cache

from textual.geometry import Size

from zeroth_tui.widgets.pane import Build, Pane


class AutoPane(Pane):
    """Takes a line for each of its rows, up to its `max-height`; the keys scroll what is more."""

    DEFAULT_CSS = "AutoPane { height: auto; }"

    def present(self, build: Build, *, item: object | None = None) -> None:
        """Show other rows, and ask for the height that they take."""
        super().present(cache(build), item=item)
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """Return how many rows there are at this width."""
        return len(self._build(max(1, width - 1)))
