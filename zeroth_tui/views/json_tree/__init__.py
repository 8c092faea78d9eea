"""A JSON value as a tree that folds; see `JsonTree`."""

from zeroth_tui.views.json_tree.path import Again, Path, Rest, Step, path_text
from zeroth_tui.views.json_tree.tree import JsonTree

__all__ = ["Again", "JsonTree", "Path", "Rest", "Step", "path_text"]
