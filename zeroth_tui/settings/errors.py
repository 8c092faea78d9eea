"""What is wrong with a setting: first why, then where it stands."""

from __future__ import annotations

from typing import Final

Path = tuple[str | int, ...]
"""The keys that lead to a value of the settings file, e.g. `("views", 0, "sort")`."""


_BITS: Final = 64
"""Of the whole numbers that TOML promises; of some that are longer Python shows no digits."""


class SettingsError(Exception):
    """A setting cannot be used; the sentence names where it stands."""


class RefusedError(Exception):
    """A value cannot be used; who knows where it stands makes a SettingsError of it."""

    def __init__(self, why: str, path: Path = ()) -> None:
        """Say why, and of which part of the value if it is not the whole."""
        super().__init__(why)
        self.path = path
        """The keys from the value to the part that is wrong."""


def must_be(name: str, value: object, allowed: str, path: Path = ()) -> RefusedError:
    """Return the refusal of a value that is not among those that are allowed."""
    return RefusedError(f"{name} {quoted(value)} must be {allowed}", path)


def quoted(value: object) -> str:
    """Return a value as the sentence shows it: text in quotes, the rest as TOML spells it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(quoted, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key} = {quoted(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, int) and value.bit_length() > _BITS:
        return "(a very large number)"
    return f'"{value}"' if isinstance(value, str) else str(value)
