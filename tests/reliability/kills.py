"""Kills writers at any moment, and looks for what they had acknowledged."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.reliability.figure import Figure
from tests.store.acting_forks import TURN, journal_of, statuses
from tests.store.forks import LIFE, Stage
from tests.store.guests import Guest
from tests.store.processes import said_by
from tests.store.support import TABLES, PlainSQL
from zeroth_store import schema
from zeroth_store.models import utc_now
from zeroth_tui.journal import Entry, Journal

_FORKS: Final = "tests.store.forks"
_ACTING: Final = "tests.store.acting_forks"
_RUNS: Final = 12
_PARTS: Final = {*TABLES, schema.VERSION_TABLE}
_PROMISE: Final = "lost, half written or damaged"


def trial() -> Iterable[Figure]:
    """Kill each kind of writer a hundred times or more."""
    with tempfile.TemporaryDirectory() as folder:
        yield own_writes(Path(folder, "own.db"), 300)
        yield starts(Path(folder, "starts"), 150)
        yield guest_writes(Path(folder, "guest.db"), 200, wal=True)
        yield guest_writes(Path(folder, "rolling.db"), 100, wal=False)


def own_writes(path: Path, kills: int) -> Figure:
    """Kill what takes runs of an own database through their life, `kills` times."""
    said = said_by(_FORKS, "write", path, kills)
    acknowledged = {run_id: int(stage) for run_id, stage in said}
    stored = _stages(path)
    broken = [*_damage(path), *_misfits(path)]
    for run_id, reached in acknowledged.items():
        # The kill may come after a commit and before its acknowledgement: one stage more.
        if stored.get(run_id) not in LIFE[reached - 1 : reached + 1]:
            broken.append(f"{run_id} was told {LIFE[reached - 1]}, stored is {stored.get(run_id)}")
    unheard = stored.keys() - acknowledged.keys()
    broken += [f"{run} is {stored[run]}, never said" for run in unheard if stored[run] != LIFE[0]]
    if len(unheard) > kills:
        broken.append(f"{len(unheard)} runs were never said, by {kills} processes")
    return Figure(
        trial="kill -9 in create, transition, history, put, checkpoint",
        tried=len({run_id.partition("-")[0] for run_id in acknowledged}),
        counted=f"{len(said):,} acknowledged writes of {len(stored):,} runs",
        wrong=len(broken),
        promise=_PROMISE,
        details=tuple(broken),
    )


def starts(folder: Path, kills: int) -> Figure:
    """Kill what initializes new files, `kills` times; each must then be usable."""
    folder.mkdir()
    acknowledged: dict[str, list[str]] = {}
    for kind, *words in said_by(_FORKS, "start", folder, kills):
        if kind == "done":
            acknowledged.setdefault(words[0], []).append(words[1])
    broken: list[str] = []
    seen: Counter[str] = Counter()
    for path in sorted(folder.glob("*.db")):
        found = _tables(path)
        seen["empty" if not found else "whole"] += 1
        broken += _damage(path)
        if found not in (set(), _PARTS):
            broken.append(f"{path.name} has only {', '.join(sorted(found))}")
        schema.upgrade(str(path), path.name, patience=0.1)
        runs = set(statuses(path))
        lost = [run for run in acknowledged.get(path.stem, []) if run not in runs]
        broken += [f"{path.name} has lost {run}" for run in lost]
        if _tables(path) != _PARTS:
            broken.append(f"{path.name} could not be initialized again")
    return Figure(
        trial="kill -9 in initialize",
        tried=seen.total(),
        counted=f"{seen['whole']} files whole, {seen['empty']} still empty, all initialized then",
        wrong=len(broken),
        promise="half made or stuck",
        details=tuple(broken),
    )


def guest_writes(path: Path, kills: int, *, wal: bool) -> Figure:
    """Kill what pauses, resumes, cancels, replays and checkpoints runs of a guest."""
    with Guest(path, wal=wal) as guest:
        guest.thread("t-1", [f"r{run}" for run in range(_RUNS)], checkpoint_refs="[]")
        for run in range(_RUNS):
            guest.run(f"r{run}", "COMPLETED" if run % 3 == 0 else "RUNNING")
    known = statuses(path)
    said = said_by(_ACTING, "kill", path, kills)
    wrote = [words[1:] for words in said if words[0] == "wrote"]
    stored = ["stored", *(f"{run}={status}" for run, status in statuses(path).items())]
    broken = [
        *_damage(path),
        *_leaps(known, [*said, stored]),
        *_half_acts(path, kills, [made for _, _, made, _ in wrote if made != "-"]),
        *_forgotten(path, kills, wrote),
    ]
    acts = Counter(entry.act for entry in _journalled(path))
    counted = ", ".join(f"{acts[act]:,} {act}" for act, _ in TURN.values())
    return Figure(
        trial=f"kill -9 beside a guest in {'WAL' if wal else 'rollback'} mode",
        tried=min(kills, len(wrote)),
        counted=f"{len(wrote):,} acknowledged and journalled writes ({counted})",
        wrong=len(broken),
        promise=_PROMISE,
        details=tuple(broken),
    )


def _damage(path: Path) -> list[str]:
    query = PlainSQL(str(path))
    found = [str(row[0]) for row in query("PRAGMA integrity_check") if row != ("ok",)]
    return [f"{path.name}: {words}" for words in found]


def _tables(path: Path) -> set[str]:
    sql = "SELECT name FROM sqlite_master WHERE type = 'table'"
    return {name for (name,) in PlainSQL(str(path))(sql)}


def _stages(path: Path) -> dict[str, Stage]:
    """Return the stage at which each run is; its `write` is of LIFE, by the rest."""
    names = {stage[1:]: stage.write for stage in LIFE}
    rows = PlainSQL(str(path))(
        "SELECT run_id, status, json_array_length(execution_history),"
        " metadata ->> '$.put' IS run_id, (SELECT count(*) FROM run_checkpoints c"
        " WHERE c.run_id = runs.run_id) FROM runs"
    )
    return {run_id: Stage(names.get(tuple(found), "?"), *found) for run_id, *found in rows}


def _misfits(path: Path) -> Iterator[str]:
    """Yield what rows, checkpoints and threads of an own database do not agree about."""
    query = PlainSQL(str(path))
    for (run_id,) in query(
        "SELECT run_id FROM runs LEFT JOIN run_checkpoints c USING (checkpoint_id, run_id)"
        " WHERE c.state_json ->> '$.status' IS NOT status"
        " OR c.state_json -> '$.execution_history' IS NOT json(execution_history)"
        " OR c.state_json -> '$.metadata' IS NOT json(metadata)"
    ):
        yield f"{run_id} and its checkpoint differ"
    for column, ident, table in (
        ("run_ids", "run_id", "runs"),
        ("checkpoint_refs", "checkpoint_id", "run_checkpoints"),
    ):
        listed = query(f"SELECT thread_id, value FROM threads, json_each({column})")
        rows = query(f"SELECT thread_id, {ident} FROM {table}")
        yield from (f"{column} and {table} differ in {row}" for row in set(listed) ^ set(rows))


def _leaps(known: dict[str, str], said: Iterable[list[str]]) -> Iterator[str]:
    """Yield where a run is not where the last acknowledged write left it.

    The one that was being written at a kill may have got a step further.
    """
    for kind, *words in said:
        moves = [(words[0], words[1])] if kind == "wrote" else _moved(known, words)
        if len(moves) > 1:
            yield f"{len(moves)} runs have changed, and nobody said so"
        for run_id, status in moves:
            if TURN[known[run_id]][1] != status:
                yield f"{run_id} was {known[run_id]}, {kind} is {status}"
            known[run_id] = status


def _moved(known: dict[str, str], stored: list[str]) -> list[tuple[str, str]]:
    pairs = [(run_id, status) for run_id, _, status in (word.partition("=") for word in stored)]
    return [(run_id, status) for run_id, status in pairs if known[run_id] != status]


def _half_acts(path: Path, kills: int, made: list[str]) -> Iterator[str]:
    """Yield rows that hold a part of an act, and checkpoints that are not where they should be."""
    query = PlainSQL(str(path))
    for (run_id,) in query(
        "SELECT run_id FROM runs WHERE (status = 'FAILED') <> (error IS NOT NULL)"
        " OR (status = 'FAILED') <> (failure_state IS NOT NULL)"
    ):
        yield f"{run_id} holds half a failure"
    rows = {row[0] for row in query("SELECT checkpoint_id FROM run_checkpoints")}
    listed = {row[0] for row in query("SELECT value FROM threads, json_each(checkpoint_refs)")}
    yield from (f"checkpoint {one} is in one place only" for one in rows ^ listed)
    yield from (f"checkpoint {one} is lost" for one in set(made) - rows)
    if len(rows) > len(made) + kills:
        yield f"{len(rows)} checkpoints, {len(made)} acknowledged"


def _journalled(path: Path) -> tuple[Entry, ...]:
    return Journal(journal_of(path), utc_now, "olga").load(1_000_000).entries


def _forgotten(path: Path, kills: int, wrote: list[list[str]]) -> Iterator[str]:
    """Yield what was acknowledged and is not in the journal's file, session by session."""
    loaded = Journal(journal_of(path), utc_now, "olga").load(1_000_000)
    if loaded.unreadable > kills:
        yield f"{loaded.unreadable} lines of the journal are cut off"
    kept = _by_session((one.session, _line(one)) for one in loaded.entries)
    told = _by_session((session, (run, status)) for run, status, _, session in wrote)
    for session, lines in told.items():
        # The entry may be there and its acknowledgement not.
        if kept.get(session, [])[: len(lines)] != lines:
            yield f"the journal of {session} has lost some of {len(lines)} entries"
        if len(kept.get(session, [])) > len(lines) + 1:
            yield f"the journal of {session} has more than it did"


def _line(entry: Entry) -> tuple[str, str]:
    status = json.dumps(entry.after.get("status", entry.stored))
    return entry.key.run_id, json.loads(status)


def _by_session(
    lines: Iterable[tuple[str, tuple[str, str]]],
) -> Mapping[str, list[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for session, line in lines:
        found.setdefault(session, []).append(line)
    return found
