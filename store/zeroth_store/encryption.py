"""Reading and writing what Zeroth encrypts: the key, kept out of sight, and what it opens."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from zeroth_store.errors import StoreError

VARIABLE: Final = "ZEROTH_ENCRYPTION_KEY"
"""The environment variable that Zeroth itself takes its key from."""

ENCRYPTED: Final = "gAAAA"
"""What every Fernet token starts with; JSON never does."""

NO_KEY: Final = f"encrypted: set {VARIABLE} or start with --key-file PATH to read it"
"""What to do about an encrypted value where no key was given."""

_KEY: Final = re.compile(r"[A-Za-z0-9_+/-]{43}=")
_LONGEST: Final = 4096


class UnusableKey(StoreError):
    """What was given as a key is none; the sentence says where it came from, not what it is."""


class NotDecrypted(StoreError):
    """A value stays closed; the sentence says why."""


class NotEncrypted(StoreError):
    """A value that must not be written in the clear was not written; the sentence says why."""


class EncryptionKey:
    """A Fernet key that no log, message or traceback can show."""

    __slots__ = ("__key", "_source")

    def __init__(self, key: str, source: str) -> None:
        """Take the key that `source` names; raises UnusableKey when it is none."""
        if _KEY.fullmatch(key) is None:
            raise UnusableKey(
                f"{source} holds no encryption key: one is 44 characters of URL-safe base64"
            )
        self.__key = key
        self._source = source

    def __repr__(self) -> str:
        return f"EncryptionKey(from {self._source})"

    def __reduce__(self) -> str | tuple[object, ...]:
        raise TypeError("an encryption key is never written down")

    def decrypt(self, token: str) -> str:
        """Return what a Fernet token holds; raises NotDecrypted."""
        try:
            from cryptography.fernet import Fernet, InvalidToken
        except ImportError:
            raise NotDecrypted(
                "encrypted: to read it, pip install 'zeroth-tui[encryption]'"
            ) from None
        try:
            return Fernet(self.__key).decrypt(token).decode("utf-8", "surrogateescape")
        except (InvalidToken, ValueError):
            raise NotDecrypted(
                f"encrypted with another key than the one from {self._source}, or damaged"
            ) from None

    def encrypt(self, text: str) -> str:
        """Return a Fernet token that holds the text; raises NotEncrypted."""
        try:
            from cryptography.fernet import Fernet
        except ImportError:
            raise NotEncrypted(
                "must be encrypted: to write it, pip install 'zeroth-tui[encryption]'"
            ) from None
        try:
            return Fernet(self.__key).encrypt(text.encode("utf-8", "surrogateescape")).decode()
        except ValueError:
            raise NotEncrypted("must be encrypted, and its text cannot be") from None


def find_key(environ: Mapping[str, str], file: Path | None = None) -> EncryptionKey | None:
    """Return the key in `file`, else the one in the environment, else None; raises UnusableKey."""
    if file is not None:
        return EncryptionKey(_read(file), str(file))
    given = environ.get(VARIABLE, "").strip()
    return EncryptionKey(given, VARIABLE) if given else None


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(_LONGEST).decode("ascii", "replace").strip()
    except OSError as error:
        raise UnusableKey(f"the key file {file} cannot be read: {error.strerror}") from None
