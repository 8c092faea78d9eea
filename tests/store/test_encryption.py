"""The encryption key: where it comes from, what it opens, and that it never shows."""

from __future__ import annotations

import pickle
import sys
import traceback
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from zeroth_store.encryption import EncryptionKey, NotDecrypted, UnusableKey, find_key

KEY = Fernet.generate_key().decode()
OTHER = Fernet.generate_key().decode()


def sealed(text: str, key: str = KEY) -> str:
    return Fernet(key).encrypt(text.encode()).decode()


def key_in(file: Path) -> EncryptionKey:
    found = find_key({}, file)
    assert found is not None
    return found


def test_a_value_is_opened_with_the_key_it_was_closed_with() -> None:
    token = sealed('{"name": "caf\u00e9"}')
    assert token.startswith("gAAAA")
    assert EncryptionKey(KEY, "here").decrypt(token) == '{"name": "caf\u00e9"}'


def test_another_key_and_a_damaged_value_are_told() -> None:
    key = EncryptionKey(OTHER, "keys/other")
    for token in (sealed("x"), "gAAAAABdamaged", sealed("x", OTHER)[:-8], "gAAAA\udcff"):
        with pytest.raises(NotDecrypted, match="another key than the one from keys/other"):
            key.decrypt(token)


def test_without_the_extra_the_way_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.fernet", None)  # as if not installed
    with pytest.raises(NotDecrypted, match=r"pip install 'zeroth-tui\[encryption\]'"):
        EncryptionKey(KEY, "here").decrypt("gAAAA")


def test_the_file_wins_over_the_environment_and_space_around_it_does_not_count(
    tmp_path: Path,
) -> None:
    file = tmp_path / "key.txt"
    file.write_text(f"\n  {KEY}\r\n")
    found = find_key({"ZEROTH_ENCRYPTION_KEY": OTHER}, file)
    assert found is not None
    assert found.decrypt(sealed("from the file")) == "from the file"


def test_the_environment_gives_the_key_and_an_empty_one_counts_as_none() -> None:
    found = find_key({"ZEROTH_ENCRYPTION_KEY": f" {KEY} "})
    assert found is not None
    assert found.decrypt(sealed("text")) == "text"
    assert find_key({}) is None
    assert find_key({"ZEROTH_ENCRYPTION_KEY": " \n"}) is None


@pytest.mark.parametrize(
    "content",
    ["", "short", KEY[:-1], f"{KEY} {KEY}", f"!{KEY[1:]}", "\x00" * 44, "k" * 10_000],
    ids=["empty", "short", "cut", "twice", "odd", "nul", "long"],
)
def test_what_is_no_key_is_refused_without_repeating_it(content: str, tmp_path: Path) -> None:
    file = tmp_path / "key.txt"
    file.write_text(content)
    with pytest.raises(UnusableKey) as caught:
        find_key({}, file)
    assert str(caught.value) == (
        f"{file} holds no encryption key: one is 44 characters of URL-safe base64"
    )


def test_a_bad_key_in_the_environment_names_the_variable() -> None:
    with pytest.raises(UnusableKey, match=r"^ZEROTH_ENCRYPTION_KEY holds no encryption key"):
        find_key({"ZEROTH_ENCRYPTION_KEY": "hunter2"})


def test_a_key_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableKey, match=r"missing\.txt cannot be read: No such file"):
        find_key({}, tmp_path / "missing.txt")
    with pytest.raises(UnusableKey, match="cannot be read: Is a directory"):
        find_key({}, tmp_path)


def test_the_key_shows_in_no_text_and_no_traceback(tmp_path: Path) -> None:
    file = tmp_path / "key.txt"
    file.write_text(KEY)
    key = key_in(file)
    assert (repr(key), str(key)) == (f"EncryptionKey(from {file})",) * 2
    with pytest.raises(NotDecrypted) as caught:
        key.decrypt(sealed("x", OTHER))
    shown = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    said = "".join(shown.format())
    assert "EncryptionKey(from" in said  # the locals are there
    assert KEY not in said


def test_the_key_cannot_be_written_down() -> None:
    with pytest.raises(TypeError, match="never written down"):
        pickle.dumps(EncryptionKey(KEY, "here"))
