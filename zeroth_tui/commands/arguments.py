"""Arguments that more than one command takes."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zeroth_store.encryption import EncryptionKey


def add_key_file(parser: argparse.ArgumentParser) -> None:
    """Take the file of a key to encrypted checkpoints."""
    parser.add_argument(
        "--key-file", metavar="PATH", help="opens encrypted checkpoints; else ZEROTH_ENCRYPTION_KEY"
    )


def secret(options: argparse.Namespace) -> EncryptionKey | None:
    """Return the key to encrypted checkpoints, if one is given. Raises UnusableKey."""
    from zeroth_store.encryption import find_key

    return find_key(os.environ, Path(options.key_file) if options.key_file else None)
