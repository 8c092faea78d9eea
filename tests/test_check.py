"""A self-check finds what it should, says it in words, and leaves everything as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from tests.store.guests import ERAS, Guest, listing
from zeroth_store.encryption import EncryptionKey
from zeroth_store.sqlite.checkup.report import check_up
from zeroth_tui.check import Finding, as_text, findings, verdict


def found(path: Path, secret: EncryptionKey | None = None) -> tuple[Finding, ...]:
    """Check a database, which must leave its folder as it was."""
    before = listing(path.parent) if path.is_file() else {}
    result = findings(check_up(path, secret))
    assert before == (listing(path.parent) if path.is_file() else {})
    return result


def to_know(path: Path, secret: EncryptionKey | None = None) -> list[str]:
    """Return the words of what there is to know, as `about: words`."""
    return [f"{f.about}: {f.words}" for f in found(path, secret) if f.level == "know"]


def words(path: Path, about: str) -> str:
    """Return what is said about one thing."""
    return "\n".join(f.words for f in found(path) if f.about == about)


@pytest.fixture
def guest(tmp_path: Path) -> Guest:
    guest = Guest(tmp_path / "g.db")
    guest.run("r1")
    guest.run("r2", "FAILED")
    guest.thread("t-1", ["r1", "r2"])
    guest.checkpoint("c1", "r1", '{"status":"COMPLETED"}')
    return guest


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("wal", [False, True])
def test_a_healthy_guest_has_nothing_to_know(tmp_path: Path, era: str, wal: bool) -> None:
    path = tmp_path / "g.db"
    with Guest(path, era, wal=wal) as guest:
        guest.run("r1")
        guest.thread("t-1", ["r1"])
        guest.checkpoint("c1", "r1", "{}")
    result = found(path)
    assert verdict(result) == "fine"
    said = [(finding.about, finding.words) for finding in result]
    journal = "wal" if wal else "delete"
    for expected in (
        ("what it is", f"Zeroth's (guest), schema revision {era}, journal {journal}"),
        ("holds", "1 run, 1 thread, 1 checkpoint"),
        ("rows", "1 of 1 runs read, newest first: nothing that cannot be read"),
        ("rows", "1 of 1 checkpoints read, newest first: nothing that cannot be read"),
        ("acting", "possible with --allow-writes"),
    ):
        assert expected in said
    assert any(about == "integrity" and "found nothing wrong" in words for about, words in said)
    assert any(about == "never" and "migrated" in words for about, words in said)


def test_each_unreadable_cell_is_named_with_its_reason(guest: Guest) -> None:
    with guest:
        guest.run("bad", metadata="[1]", execution_history=b"\x00\x01\x02")
        guest.run(b"\xff\xfe")
        guest.checkpoint("c2", "r1", "[1]")
    assert to_know(guest.path) == [
        "rows: 4 of 4 runs read, newest first: 2 hold what cannot be read",
        "rows: rowid:4 run_id: is no text that names the run: it can only be looked at",
        "rows: bad execution_history: a blob of 3 bytes where JSON text belongs",
        "rows: bad metadata: a list where an object belongs",
        "rows: 2 of 2 checkpoints read, newest first: 1 holds what cannot be read",
        "rows: c2 state_json: a list where an object belongs",
    ]


def test_a_look_at_rows_ends_when_its_time_is_over(guest: Guest) -> None:
    with guest:
        checkup = check_up(guest.path, seconds=0)
    assert [(scan.what, scan.looked_at, scan.total) for scan in checkup.scans] == [
        ("runs", 0, 2),
        ("checkpoints", 0, 1),
    ]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("CREATE VIEW v AS SELECT 1", ["schema: view v: Zeroth makes none; it is not looked at"]),
        (
            "CREATE VIRTUAL TABLE f USING fts5(x)",
            ["schema: virtual table f: Zeroth makes none; it is not looked at"],
        ),
        (
            "CREATE TRIGGER spy AFTER INSERT ON node_audits BEGIN SELECT 1; END",
            ["schema: trigger spy on node_audits: Zeroth makes none; it is not looked at"],
        ),
        (
            "CREATE TRIGGER spy AFTER UPDATE ON runs BEGIN DELETE FROM threads; END",
            [
                "what it is: trigger spy on runs changes what a write does",
                "acting: not possible: trigger spy could change what is written",
            ],
        ),
        (
            "ALTER TABLE runs DROP COLUMN metadata",
            ["what it is: runs lacks the columns metadata"],
        ),
    ],
)
def test_what_zeroth_does_not_make_is_named(
    guest: Guest, statement: str, expected: list[str]
) -> None:
    with guest:
        guest.sql(statement)
    assert to_know(guest.path) == expected


def test_a_damaged_file_is_partly_read_and_better_not_written(tmp_path: Path) -> None:
    path = tmp_path / "g.db"
    with Guest(path) as guest:
        for number in range(200):
            guest.run(f"r{number}", error="x" * 400)
        (page,) = guest.sql("PRAGMA page_size")[0]
        root = guest.sql("SELECT rootpage FROM sqlite_master WHERE name = 'runs'")[0][0]
    with path.open("r+b") as file:
        file.seek((root - 1) * page)
        file.write(b"\xff" * page)
    said = to_know(path)
    assert any(line.startswith("integrity: ") for line in said)
    assert "acting: better not: writing into a damaged file damages more" in said
    assert words(path, "holds").startswith("runs that cannot be counted, ")


@pytest.mark.parametrize("given", ["none", "right", "wrong"])
def test_whether_the_key_opens_what_is_encrypted(guest: Guest, given: str) -> None:
    right, wrong = Fernet.generate_key(), Fernet.generate_key()
    with guest:
        guest.checkpoint("c2", "r2", Fernet(right).encrypt(b"{}").decode())
    key = {"none": None, "right": right, "wrong": wrong}[given]
    secret = None if key is None else EncryptionKey(key.decode(), "a test")
    said = "".join(f.words for f in found(guest.path, secret) if f.about == "encryption")
    assert said.startswith("1 checkpoint encrypted")
    reason = {
        "none": ": set ZEROTH_ENCRYPTION_KEY or give --key-file PATH to read them",
        "right": "; the key opens the newest",
        "wrong": "; encrypted with another key than the one from a test, or damaged",
    }[given]
    assert said.endswith(reason)
    assert verdict(found(guest.path, secret)) == ("fine" if given == "right" else "know")


def test_a_lock_that_lasts_is_said(guest: Guest) -> None:
    with guest:
        guest.sql("BEGIN EXCLUSIVE")
        (said,) = [f for f in findings(check_up(guest.path)) if f.level == "unusable"]
    assert said == Finding(
        "refused", "g.db is busy: another process holds its lock; nothing changed", "unusable"
    )


def test_stored_text_is_shown_and_never_acts(guest: Guest) -> None:
    with guest:
        guest.run("\x1b]0;PWNED\x07\u202eid", metadata="{")
        guest.sql('CREATE VIEW "v\x1b[2J\x9b31m" AS SELECT 1')
    text = as_text(check_up(guest.path))
    assert all(char.isprintable() or char == "\n" for char in text)
    assert "PWNED" in text
