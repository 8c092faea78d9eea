"""Checkpoints of guests: what Zeroth would have stored, beside what it has stored already."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.store.acting import KEY, Rows, changes, everything, planned
from tests.store.guests import ERAS, Guest
from tests.store.support import SHARED, START, START_COLUMN, START_JSON, Clock, Ids
from zeroth_store.actions import Outcome
from zeroth_store.browse import RunKey
from zeroth_store.encryption import EncryptionKey
from zeroth_store.sqlite.acting.guest_actor import GuestActor

pytestmark = pytest.mark.thorough

SAMPLES = SHARED / "data" / "zeroth"
FERNET = "x3TPWGvM2r5yZs8HnJ0kQdUaBcEfLiOpRtVwYz1345A="
OTHER = "Ab3TPWGvM2r5yZs8HnJ0kQdUaBcEfLiOpRtVwYz1345="


def actor_on(path: Path, key: str | None = None) -> GuestActor:
    secret = None if key is None else EncryptionKey(key, "a test")
    return GuestActor(path, secret, clock=Clock(), ids=Ids("new"))


async def checkpoint(path: Path, secret: str | None = None, key: RunKey = KEY) -> Outcome:
    actor = actor_on(path, secret)
    return await actor.write(await planned(actor, "checkpoint", START, key))


def sealed(text: str, key: str = FERNET) -> str:
    fernet = pytest.importorskip("cryptography.fernet")
    token: bytes = fernet.Fernet(key).encrypt(text.encode())
    return token.decode()


def unsealed(token: str, key: str = FERNET) -> Any:
    fernet = pytest.importorskip("cryptography.fernet")
    return json.loads(fernet.Fernet(key).decrypt(token))


@pytest.fixture
def guest(tmp_path: Path) -> Iterator[Guest]:
    with Guest(tmp_path / "guest.db") as made:
        made.thread("t-1", ["r1"], checkpoint_refs='["c-1"]')
        made.run("r1", "RUNNING", checkpoint_id="c-1", metadata='{"n":NaN,"parent_run_id":"p"}')
        yield made


def new_rows(before: Rows, after: Rows) -> dict[str, dict[str, Any]]:
    """The rows that are new or changed, by table: at most one of each."""
    found = changes(before, after)
    assert len({table for table, _ in found}) == len(found)
    return {table: after[table, rowid] for table, rowid in found}


@pytest.mark.parametrize("era", ERAS)
async def test_a_checkpoint_is_a_row_and_a_reference(tmp_path: Path, era: str) -> None:
    path = tmp_path / "guest.db"
    with Guest(path, era) as guest:
        guest.thread("t-1", ["r1"], checkpoint_refs='["c-0","c-1"]')
        guest.thread("t-2", checkpoint_refs="[]")
        guest.run("r1", "RUNNING", checkpoint_id="c-1", workspace_id=None)
        before = everything(path)
        outcome = await checkpoint(path)
        rows = new_rows(before, everything(path))
    assert (outcome.written, outcome.problem, outcome.checkpoint_id) == (True, "", "new1")
    assert rows.keys() == {"threads", "run_checkpoints"}
    assert rows["threads"]["checkpoint_refs"] == '["c-0","c-1","new1"]'
    assert rows["threads"]["updated_at"] == START_COLUMN
    assert rows["threads"]["thread_id"] == "t-1"
    stored = rows["run_checkpoints"]
    scope = {"tenant_id": "default", "workspace_id": None, "workspace_scope": "null"}
    assert {name: value for name, value in stored.items() if name != "state_json"} == {
        "checkpoint_id": "new1",
        "run_id": "r1",
        "thread_id": "t-1",
        "checkpoint_order": 2,
        "created_at": START_COLUMN,
        **(scope if era >= "022" else {}),
    }


async def test_the_state_is_zeroths_model_of_the_row(guest: Guest) -> None:
    await checkpoint(guest.path)
    ((text,),) = guest.sql("SELECT state_json FROM run_checkpoints")
    assert '"metadata":{"n":NaN,"parent_run_id":"p"},' in text
    state = json.loads(text)
    assert text == json.dumps(state, sort_keys=True, separators=(",", ":"))
    assert len(state) == 31  # ZEROTH.md section 2
    assert state["checkpoint_id"] == "new1"
    assert state["parent_checkpoint_id"] == "c-1"
    assert state["parent_run_id"] == "p"
    assert state["updated_at"] == START_JSON
    assert state["started_at"] == "2026-03-01T10:00:00Z"
    assert (state["tenant_id"], state["final_output"], state["artifacts"]) == ("default", None, {})


async def test_a_state_of_the_first_versions_stays_one(guest: Guest) -> None:
    guest.checkpoint("c-1", "r1", '{"run_id":"r1"}')
    await checkpoint(guest.path)
    ((text,),) = guest.sql("SELECT state_json FROM run_checkpoints WHERE checkpoint_id = 'new1'")
    state = json.loads(text)
    assert len(state) == 30
    assert "parent_run_id" not in state


@pytest.mark.parametrize(
    ("breaking", "said"),
    [
        ("UPDATE runs SET execution_history = '[{'", "execution_history is no JSON"),
        ("UPDATE runs SET metadata = x'00'", "metadata is no JSON"),
        ("UPDATE threads SET checkpoint_refs = 'c-1'", "checkpoint_refs is no JSON"),
        ("UPDATE threads SET checkpoint_refs = '{}'", "checkpoint_refs is no list"),
        ("UPDATE runs SET thread_id = 't-9'", "thread has no row"),
        ("UPDATE runs SET thread_id = x'00'", "thread_id is no text"),
        ("DROP TABLE threads", "thread has no row"),
        ("DROP TABLE run_checkpoints", "no table of checkpoints"),
    ],
)
async def test_what_no_checkpoint_can_hold_is_refused_whole(
    guest: Guest, breaking: str, said: str
) -> None:
    guest.sql(breaking)
    before = everything(guest.path)
    outcome = await checkpoint(guest.path)
    assert (outcome.written, outcome.stored, outcome.checkpoint_id) == (False, "RUNNING", None)
    assert said in outcome.problem
    assert everything(guest.path) == before


async def test_a_status_that_changed_keeps_the_checkpoint_from_being_written(guest: Guest) -> None:
    actor = actor_on(guest.path)
    write = await planned(actor, "checkpoint", START)
    guest.sql("UPDATE runs SET status = 'COMPLETED'")
    outcome = await actor.write(write)
    assert outcome.problem == "changed to COMPLETED by another writer, nothing done"
    assert guest.sql("SELECT count(*) FROM run_checkpoints") == [(0,)]


async def test_a_checkpoint_is_encrypted_where_the_others_are(guest: Guest) -> None:
    guest.checkpoint("c-1", "r1", sealed('{"parent_run_id":null}'))
    outcome = await checkpoint(guest.path, FERNET)
    assert (outcome.written, outcome.problem) == (True, "")
    ((token,),) = guest.sql("SELECT state_json FROM run_checkpoints WHERE checkpoint_id = 'new1'")
    assert token.startswith("gAAAA")
    state = unsealed(token)
    assert (state["run_id"], state["checkpoint_id"], len(state)) == ("r1", "new1", 31)


async def test_a_key_alone_does_not_encrypt(guest: Guest) -> None:
    guest.checkpoint("c-1", "r1", '{"parent_run_id":null}')
    await checkpoint(guest.path, FERNET)
    ((text,),) = guest.sql("SELECT state_json FROM run_checkpoints WHERE checkpoint_id = 'new1'")
    assert text.startswith("{")


@pytest.mark.parametrize("owner", ["r1", "r2"])
async def test_another_key_writes_nothing(guest: Guest, owner: str) -> None:
    name = "c-1" if owner == "r1" else "c-2"
    guest.checkpoint(name, owner, sealed('{"parent_run_id":null}'))
    before = everything(guest.path)
    outcome = await checkpoint(guest.path, OTHER)
    assert not outcome.written
    assert "encrypted with another key" in outcome.problem
    assert everything(guest.path) == before


def sample(name: str, tmp_path: Path) -> Path:
    if not (SAMPLES / name).exists():
        pytest.skip(f"no {name} among the shared databases")
    return Path(shutil.copy(SAMPLES / name, tmp_path / name))


@pytest.mark.parametrize(
    ("name", "key_file"),
    [
        ("rev001.db", None),
        ("rev004-v0.1.0.db", None),
        ("rev022-v0.22.4.db", None),
        ("rev026-main.db", None),
        ("rev026-tenants.db", None),
        ("rev026-encrypted.db", "encryption-key.txt"),
    ],
)
async def test_a_checkpoint_says_what_zeroths_own_last_one_says(
    tmp_path: Path, name: str, key_file: str | None
) -> None:
    path = sample(name, tmp_path)
    secret = None if key_file is None else (SAMPLES / key_file).read_text().strip()
    states = _states(path, secret)[:12]
    actor = actor_on(path, secret)
    for key, own in states:
        outcome = await actor.write(await planned(actor, "checkpoint", START, key))
        assert outcome.problem == ""
        made = _state(path, str(outcome.checkpoint_id), secret)
        assert made["parent_checkpoint_id"] == own["checkpoint_id"]
        # Ours is named, dated and linked otherwise; a parent is only in the metadata once Zeroth
        # has read the run again.
        for state in (made, own):
            for differing in ("checkpoint_id", "parent_checkpoint_id", "updated_at"):
                del state[differing]
            state.pop("parent_run_id", None)
        assert made == own
    assert len(states) >= 5


def _states(path: Path, secret: str | None) -> list[tuple[RunKey, dict[str, Any]]]:
    """The runs whose last checkpoint is as new as their row, with its state."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        runs = connection.execute(
            "SELECT r.*, c.state_json FROM runs r JOIN run_checkpoints c"
            " ON c.checkpoint_id = r.checkpoint_id AND c.run_id = r.run_id"
        ).fetchall()
    found = []
    for run in runs:
        text = run["state_json"]
        state = unsealed(text, secret or "") if text.startswith("gAAAA") else json.loads(text)
        fresh = state["updated_at"][:19] == run["updated_at"][:19]
        if fresh and state["status"] == run["status"]:
            scope = run["workspace_id"]
            key = RunKey(
                run["tenant_id"] or "default",
                "null" if scope is None else f"value:{scope}",
                run["run_id"],
            )
            if state["tenant_id"] == key.tenant_id and state["workspace_id"] == scope:
                found.append((key, state))
    return found


def _state(path: Path, checkpoint_id: str, secret: str | None) -> dict[str, Any]:
    with closing(sqlite3.connect(path)) as connection:
        ((text,),) = connection.execute(
            "SELECT state_json FROM run_checkpoints WHERE checkpoint_id = ?", (checkpoint_id,)
        ).fetchall()
    assert text.startswith("gAAAA") is (secret is not None)
    state: dict[str, Any] = unsealed(text, secret) if secret else json.loads(text)
    return state
