"""The one door for stored text: what comes out can be drawn, measured and copied without harm."""

from zeroth_tui.text.clipboard import one_line_json
from zeroth_tui.text.editing import for_editing
from zeroth_tui.text.secrets import MASK, is_secret, mask_json, mask_text
from zeroth_tui.text.show import LINE_LIMIT, block, line
from zeroth_tui.text.width import cells, clip, pad

__all__ = [
    "LINE_LIMIT",
    "MASK",
    "block",
    "cells",
    "clip",
    "for_editing",
    "is_secret",
    "line",
    "mask_json",
    "mask_text",
    "one_line_json",
    "pad",
]
