"""What checkpoints hold: opened, refused with a reason, and cut into parts to compare."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from tests.store.guests import ERAS, Guest
from zeroth_store.browse import RunKey
from zeroth_store.checkpoint_detail import CheckpointFacts
from zeroth_store.encryption import EncryptionKey
from zeroth_store.sqlite.browser import SQLiteRunBrowser
from zeroth_store.sqlite.detail.snapshot_states import LARGEST

KEY = RunKey("default", "null", "r")
SECRET = Fernet.generate_key().decode()


@pytest.fixture(params=ERAS)
def guest(request: pytest.FixtureRequest, tmp_path: Path) -> Guest:
    return Guest(tmp_path / "guest.db", request.param)


async def facts_of(guest: Guest, *ids: str) -> dict[str, CheckpointFacts]:
    async with SQLiteRunBrowser(guest.path) as browser:
        return {one.checkpoint_id: one for one in await browser.checkpoint_facts(KEY, ids)}


async def problem(guest: Guest, secret: EncryptionKey | None = None) -> str | None:
    """Return why checkpoint `c` cannot be read, which both ways of reading must agree on."""
    async with SQLiteRunBrowser(guest.path, secret=secret) as browser:
        state = await browser.checkpoint_state(KEY, "c")
        (facts,) = await browser.checkpoint_facts(KEY, ("c",))
        as_of = await browser.run_as_of(KEY, "c")
    assert state is not None
    assert (state.problem, state.text is None, as_of is None) == (
        (facts.problem, True, True) if facts.problem else (None, False, False)
    )
    return state.problem


async def test_a_state_is_counted_by_its_parts(guest: Guest) -> None:
    state = {
        "status": "RUNNING",
        "execution_history": [{"a": [1, 2]}, {"b": 2}],
        "final_output": None,
        "error": "x" * 100,
        "metadata": {"i": 1, "thread_state": {"conversation": [1, 2, 3], "output": {}}},
    }
    with guest:
        guest.run("r")
        guest.checkpoint("c", "r", state)
        facts = (await facts_of(guest, "c", "never stored"))["c"]
    assert set(facts.parts) == {
        ("status",),
        ("execution_history",),
        ("error",),
        ("metadata",),
        ("metadata", "i"),
        ("metadata", "thread_state"),
        ("metadata", "thread_state", "conversation"),
        ("metadata", "thread_state", "output"),
    }
    assert (facts.shown("status"), facts.shown("error")) == ("RUNNING", None)
    assert facts.count("execution_history") == 2
    assert facts.count("metadata", "thread_state", "conversation") == 3
    assert facts.count("final_output") is None


async def test_equal_values_have_equal_digests_and_others_do_not(guest: Guest) -> None:
    with guest:
        guest.run("r")
        for name, number in (("a", 1), ("b", 1), ("c", 2)):
            guest.checkpoint(name, "r", {"metadata": {"same": [1], "n": number}})
        facts = await facts_of(guest, "a", "b", "c")
    assert facts["a"].parts == facts["b"].parts
    changed = {path for path, part in facts["c"].parts.items() if facts["a"].parts[path] != part}
    assert changed == {("metadata",), ("metadata", "n")}


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ('{"a": 1} x', "not JSON"),
        ("[]", "a list where an object belongs"),
        ("7", "a number where an object belongs"),
        ('{"a":' * 100_000, "nested too deeply"),
        (b"\x00\xff", "not JSON"),
    ],
)
async def test_what_is_no_state_says_why(state: object, said: str, tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
        guest.checkpoint("c", "r", state)
        assert said in (await problem(guest) or "")


async def test_nan_and_lone_surrogates_are_no_problem(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
        guest.checkpoint("c", "r", '{"metadata": {"x": NaN, "y": "\\ud800"}, "status": "FAILED"}')
        assert await problem(guest) is None
        facts = await facts_of(guest, "c")
    assert ("metadata", "x") in facts["c"].parts
    assert facts["c"].shown("status") == "FAILED"


async def test_without_a_key_an_encrypted_state_says_what_to_set(tmp_path: Path) -> None:
    token = Fernet(SECRET).encrypt(b'{"status": "COMPLETED"}').decode()
    other = EncryptionKey(Fernet.generate_key().decode(), "other.txt")
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
        guest.checkpoint("c", "r", token)
        assert await problem(guest) == (
            "encrypted: set ZEROTH_ENCRYPTION_KEY or start with --key-file PATH to read it"
        )
        assert "encrypted with another key" in (await problem(guest, other) or "")
        assert await problem(guest, EncryptionKey(SECRET, "key.txt")) is None


async def test_a_large_state_is_not_compared_in_the_list_but_opens(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
        guest.checkpoint("fits", "r", {"error": "x" * (LARGEST - len('{"error": ""}'))})
        guest.checkpoint("large", "r", {"error": "x" * LARGEST})
        facts = await facts_of(guest, "fits", "large")
        async with SQLiteRunBrowser(guest.path) as browser:
            state = await browser.checkpoint_state(KEY, "large")
    assert facts["fits"].problem is None
    assert facts["large"].problem == "larger than 1 MB"
    assert state is not None
    assert json.loads(state.text or "") == {"error": "x" * LARGEST}


async def test_what_is_gone_is_none(guest: Guest) -> None:
    with guest:
        guest.run("r")
        async with SQLiteRunBrowser(guest.path) as browser:
            assert await browser.checkpoint_state(KEY, "c") is None
            assert await browser.run_as_of(KEY, "c") is None
            assert await browser.checkpoint_facts(KEY, ("c",)) == ()


async def test_a_state_is_only_read_in_the_scope_of_the_run(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
        guest.checkpoint("c", "r", '{"status": "FAILED"}', tenant_id="acme")
        async with SQLiteRunBrowser(guest.path) as browser:
            assert await browser.checkpoint_state(KEY, "c") is None
            assert await browser.run_as_of(KEY, "c") is None
            assert await browser.checkpoint_facts(KEY, ("c",)) == ()


async def test_a_database_without_checkpoints_has_none(tmp_path: Path) -> None:
    with Guest(tmp_path / "g.db") as guest:
        guest.run("r")
        guest.sql("DROP TABLE run_checkpoints")
        async with SQLiteRunBrowser(guest.path) as browser:
            assert await browser.checkpoint_state(KEY, "c") is None
            assert await browser.checkpoint_facts(KEY, ("c",)) == ()
            assert await browser.run_as_of(KEY, "c") is None
