"""The journal's file: complete, private, and safe from crashes and from other sessions."""

from __future__ import annotations

import json
import stat
import threading
from pathlib import Path

import pytest

from tests.tui.journals import CANCEL, KEY, entry, journal, record
from zeroth_store.actions import Outcome
from zeroth_tui.journal import JournalError
from zeroth_tui.journal.entry import to_line


def test_an_entry_says_who_did_what_when_to_which_run_and_what_became_of_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "state" / "journal.jsonl"
    record(journal(path))
    [line] = path.read_text().splitlines()
    members = json.loads(line)
    assert members.pop("session")
    assert members == {
        "time": "2026-03-01T12:00:00+00:00",
        "user": "olga",
        "database": "runs.db",
        "kind": "guest",
        "key": ["default", "null", "81bc02e4"],
        "act": "cancel",
        "reason": "stuck",
        "seen": "RUNNING",
        "aimed": "FAILED",
        "columns": ["status", "error"],
        "written": True,
        "stored": "FAILED",
        "problem": "",
        "before": {"status": "RUNNING", "error": None},
        "after": {"status": "FAILED", "error": "no"},
        "withheld": [],
    }


def test_only_the_user_can_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "state" / "journal.jsonl"
    record(journal(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    record(journal(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_another_session_reads_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    written = [record(journal(path), reason=reason) for reason in ("one", "two", "three")]
    loaded = journal(path).load(10)
    assert sorted(loaded.entries, key=repr) == sorted(written, key=repr)
    assert loaded.unreadable == 0


def test_the_last_entries_are_read_oldest_first(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    writer = journal(path)
    for number in range(300):  # more than one block of the file
        record(writer, reason=f"{number} {'x' * 500}")
    assert [e.reason.split()[0] for e in journal(path).load(3).entries] == ["297", "298", "299"]
    assert len(journal(path).load(300).entries) == 300
    assert len(journal(path).load(1000).entries) == 300


def test_a_session_knows_its_own_secrets_and_no_entry_twice(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    ours, theirs = journal(path), journal(path)
    record(theirs)
    secret = Outcome(key=KEY, written=True, stored="FAILED", before={"error": "password=hunter2"})
    kept = ours.record(CANCEL, secret, database="runs.db", kind="own")
    assert ours.entries() == (kept,)
    by_us, by_them = ours.load(10).entries, theirs.load(10).entries
    assert len(by_us) == len(by_them) == 2
    assert [e.before for e in by_us if e.session == kept.session] == [secret.before]
    [seen] = [e for e in by_them if e.session == kept.session]
    assert "hunter2" not in str(seen.before)
    assert seen.withheld == ("error",)


def test_a_line_cut_off_by_a_crash_spoils_no_other(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    record(journal(path), reason="whole")
    with path.open("ab") as file:
        file.write(to_line(entry()).encode()[:50])
    record(journal(path), reason="after")
    loaded = journal(path).load(10)
    assert {e.reason for e in loaded.entries} == {"whole", "after"}
    assert loaded.unreadable == 1


def test_sessions_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"

    def work() -> None:
        mine = journal(path)
        for _ in range(25):
            record(mine)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    loaded = journal(path).load(1000)
    assert (len(loaded.entries), loaded.unreadable) == (100, 0)


def test_looking_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "state" / "journal.jsonl"
    assert journal(path).load(10).entries == ()
    assert list(tmp_path.iterdir()) == []


def test_what_the_file_does_not_take_is_said_and_still_known(tmp_path: Path) -> None:
    mine = journal(tmp_path)  # a folder
    with pytest.raises(JournalError, match=tmp_path.name):
        record(mine)
    assert [e.reason for e in mine.entries()] == ["stuck"]
    with pytest.raises(JournalError, match="cannot be read"):
        mine.load(10)


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("")
    link = tmp_path / "journal.jsonl"
    link.symlink_to(target)
    with pytest.raises(JournalError):
        record(journal(link))
    assert target.read_text() == ""
