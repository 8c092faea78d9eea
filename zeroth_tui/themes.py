"""The looks to choose from. Their text can be read on everything that it is drawn on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from textual.theme import Theme

DEFAULT_THEME: Final = "dark"
"""The look where nothing else is asked for."""

THEME_NAMES: Final = (DEFAULT_THEME, "light", "high-contrast", "colour-blind", "terminal")
"""In the order in which a key goes through them."""

ROW_LOOKS: Final = "row-looks"
"""The variable of a theme that sets rows off by text styles, `style`, instead of by colours."""

_DARK: Final = {
    "block-cursor-background": "#0A5C9E",
    "block-cursor-foreground": "#FFFFFF",
    "warning-muted": "#40300F",
}


def themes() -> tuple[Theme, ...]:
    """Return the themes that THEME_NAMES lists."""
    return _dark(), _light(), _high_contrast(), _colour_blind(), _terminal()


def _dark() -> Theme:
    from textual.theme import Theme

    return Theme(
        "dark",
        primary="#0178D4",
        secondary="#004578",
        accent="#FFA62B",
        warning="#FFA62B",
        error="#BA3C5B",
        success="#4EBF71",
        foreground="#E0E0E0",
        variables=_DARK
        | _text("#A9A9A9", "#8AD4A1", "#FFC473", "#E193A5", "#6FB3E8", "#8FAFC8", "#FFC473"),
    )


def _light() -> Theme:
    from textual.theme import Theme

    return Theme(
        "light",
        primary="#0B5394",
        secondary="#45617A",
        accent="#E8B04A",
        warning="#8A5300",
        error="#A8203C",
        success="#1F7A3D",
        foreground="#1F1F1F",
        background="#F4F4F4",
        surface="#EDEDED",
        panel="#E2E2E2",
        dark=False,
        variables={
            "block-cursor-background": "#6FA8DC",
            "block-cursor-foreground": "#101010",
            "warning-muted": "#F2DDB0",
        }
        | _text("#535353", "#186030", "#794900", "#A11E39", "#0B5394", "#3D566C", "#7A2E8E"),
    )


def _high_contrast() -> Theme:
    from textual.theme import Theme

    return Theme(
        "high-contrast",
        primary="#5FD7FF",
        secondary="#B8D8F0",
        accent="#FFAFFF",
        warning="#FFD700",
        error="#FF8A8A",
        success="#5FFF87",
        foreground="#FFFFFF",
        background="#000000",
        surface="#000000",
        panel="#101010",
        boost="#101010",
        variables={
            ROW_LOOKS: "style",
            "block-cursor-background": "#FFD700",
            "block-cursor-foreground": "#000000",
            "border": "#FFD700",
            "warning-muted": "#000000",
        }
        | _text("#D0D0D0", "#5FFF87", "#FFD700", "#FF8A8A", "#5FD7FF", "#B8D8F0", "#FFAFFF"),
    )


def _colour_blind() -> Theme:
    """Tell well from ill by blue and orange, after Okabe and Ito, and by how light they are."""
    from textual.theme import Theme

    return Theme(
        "colour-blind",
        primary="#0072B2",
        secondary="#56B4E9",
        accent="#E69F00",
        warning="#F0E442",
        error="#D55E00",
        success="#56B4E9",
        foreground="#E0E0E0",
        variables=_DARK
        | _text("#A9A9A9", "#56B4E9", "#F0E442", "#FF9040", "#A8C8FF", "#A0B0C0", "#E8A5CB"),
    )


def _terminal() -> Theme:
    """Use the sixteen colours of the terminal alone, on its own background."""
    from textual.theme import Theme

    return Theme(
        "terminal",
        ansi=True,
        primary="ansi_blue",
        secondary="ansi_cyan",
        accent="ansi_magenta",
        warning="ansi_yellow",
        error="ansi_red",
        success="ansi_green",
        foreground="ansi_default",
        background="ansi_default",
        surface="ansi_default",
        panel="ansi_default",
        boost="ansi_default",
        variables={
            ROW_LOOKS: "style",
            "border": "ansi_blue",
            "border-blurred": "ansi_default",
            "block-cursor-background": "ansi_blue",
            "block-cursor-foreground": "ansi_bright_white",
            "ansi-background": "ansi_default",
            "ansi-foreground": "ansi_default",
            "text-muted": "ansi_default",
            "warning-muted": "ansi_default",
        },
    )


def _text(
    muted: str, success: str, warning: str, error: str, primary: str, secondary: str, accent: str
) -> dict[str, str]:
    """Return the colours of text, which Textual would derive from those of areas."""
    return {
        "text-muted": muted,
        "text-success": success,
        "text-warning": warning,
        "text-error": error,
        "text-primary": primary,
        "text-secondary": secondary,
        "text-accent": accent,
    }
