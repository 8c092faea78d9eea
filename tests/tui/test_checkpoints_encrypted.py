"""Encrypted checkpoints in the real app: what opens them, and what is said when nothing does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from tests.store.guests import Guest
from tests.tui.harness import WIDE, exploring
from tests.tui.test_checkpoints_pane import state
from zeroth_store.encryption import EncryptionKey
from zeroth_tui.cli import main

pytestmark = pytest.mark.thorough

SECRET = Fernet.generate_key().decode()


def encrypted(path: Path) -> Path:
    done = state("r-main", "COMPLETED", "abc")
    with Guest(path) as guest:
        guest.run("r-main", "COMPLETED")
        guest.thread("t-1", ["r-main"], checkpoint_refs=["c1"])
        text = json.dumps(done).encode()
        guest.checkpoint("c1", "r-main", Fernet(SECRET).encrypt(text).decode())
    return path


async def test_an_encrypted_one_opens_with_its_key_alone(tmp_path: Path) -> None:
    path = encrypted(tmp_path / "guest.db")
    async with exploring(path, size=WIDE) as explorer:
        await explorer.open_run("r-main", "4", "enter")
        assert "encrypted: set ZEROTH_ENCRYPTION_KEY" in explorer.text
        assert "encrypted: set ZEROTH_ENCRYPTION_KEY" in explorer.said
        assert "as of" not in explorer.text
    wrong = EncryptionKey(Fernet.generate_key().decode(), "wrong.txt")
    async with exploring(path, size=WIDE, secret=wrong) as explorer:
        await explorer.open_run("r-main", "4")
        assert "encrypted with another key than the one from wrong.txt" in explorer.text
    async with exploring(path, size=WIDE, secret=EncryptionKey(SECRET, "key")) as explorer:
        await explorer.open_run("r-main", "4")
        assert "first of run r-main: 3 history entries, status COMPLETED" in explorer.text
        await explorer.press("enter")
        assert "as of checkpoint 1" in explorer.text
        assert SECRET not in explorer.svg


def test_a_key_that_is_none_is_refused_at_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = encrypted(tmp_path / "guest.db")
    bad = tmp_path / "bad.txt"
    bad.write_text("hunter2")
    assert main([str(path), "--key-file", str(bad)]) == 2
    said = capsys.readouterr().err
    assert said == (
        f"zeroth-tui: {bad} holds no encryption key: one is 44 characters of URL-safe base64\n"
    )
    monkeypatch.setenv("ZEROTH_ENCRYPTION_KEY", "hunter2")
    assert main([str(path)]) == 2
    assert "ZEROTH_ENCRYPTION_KEY holds no encryption key" in capsys.readouterr().err
