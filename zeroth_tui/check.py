"""What `zeroth-tui check` prints: every finding in a line, and whether it is one to know."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Final, Literal

import msgspec

from zeroth_store.encryption import VARIABLE
from zeroth_store.sqlite.checkup.facts import (
    Checkup,
    Integrity,
    OpeningFacts,
    PlaceFacts,
    Scan,
)
from zeroth_tui.format import count, duration, size
from zeroth_tui.text import line

Level = Literal["fine", "know", "unusable"]

EXIT: Final[dict[Level, int]] = {"fine": 0, "know": 1, "unusable": 2}
"""What the command returns for the worst finding."""

LARGE_LOG: Final = 64 * 1024 * 1024
"""A write-ahead log of this size is not being written back: somebody keeps it from that."""

_WIDEST: Final = 1000
_MARKS: Final[dict[Level, str]] = {"fine": " ", "know": "!", "unusable": "✖"}
_NEVER: Final = "migrated, indexed, given a table, switched to another journal mode, cleaned up"


class Finding(msgspec.Struct, frozen=True):
    """One thing that the check found out."""

    about: str
    """A word for what it is about, e.g. `file`; lines of one kind follow each other."""
    words: str
    level: Level = "fine"


def findings(checkup: Checkup) -> tuple[Finding, ...]:
    """Put a checkup into words, in the order in which a person asks."""
    return tuple(_findings(checkup))


def verdict(found: Iterable[Finding]) -> Level:
    """Return the worst level among findings."""
    return max((finding.level for finding in found), key=lambda level: EXIT[level], default="fine")


def as_text(checkup: Checkup) -> str:
    """Return the findings as aligned lines, the verdict last."""
    found = findings(checkup)
    rows = [("database", line(checkup.location, _WIDEST), "fine"), *map(_row, found)]
    rows.append(("verdict", _verdict_words(found), verdict(found)))
    lines = []
    before = ""
    for about, words, level in rows:
        name = "" if about == before else about
        lines.append(f"{_MARKS[level]} {name:<11} {words}".rstrip())
        before = about
    return "\n".join(lines)


def as_json(checkup: Checkup) -> str:
    """Return verdict, findings and facts as one JSON object in ASCII."""
    found = findings(checkup)
    facts = {
        "location": checkup.location,
        "verdict": verdict(found),
        "refusal": checkup.refusal,
        "findings": [{"about": f.about, "level": f.level, "words": f.words} for f in found],
        "facts": msgspec.to_builtins(checkup, enc_hook=str),
    }
    return json.dumps(facts, indent=2).replace("\x7f", "\\u007f")


def _row(finding: Finding) -> tuple[str, str, Level]:
    return finding.about, line(finding.words, _WIDEST), finding.level


def _verdict_words(found: Iterable[Finding]) -> str:
    levels = [finding.level for finding in found]
    if "unusable" in levels:
        return "cannot be used as it is"
    known = levels.count("know")
    return f"{_things(known)} to know, marked !" if known else "nothing in the way"


def _findings(checkup: Checkup) -> Iterator[Finding]:
    if checkup.refusal:
        yield Finding("refused", checkup.refusal, "unusable")
    if checkup.place is not None:
        yield from _place(checkup.place, checkup.kind)
    if checkup.refusal:
        return
    if checkup.opening is not None:
        yield _opening(checkup.opening)
    yield from _content(checkup)
    yield from _encryption(checkup)
    yield from _never(checkup)
    if checkup.integrity is not None:
        yield from _integrity(checkup.integrity)
    for odd in checkup.odd_objects:
        yield Finding("schema", f"{odd}: Zeroth makes none; it is not looked at", "know")
    for scan in checkup.scans:
        yield from _scan(scan, checkup.key.state == "missing")
    for reason in checkup.unknown:
        yield Finding("unknown", reason, "know")
    yield from _acting(checkup)


def _place(place: PlaceFacts, kind: str | None) -> Iterator[Finding]:
    system = place.file_system
    where = f", on {system.kind}" if system is not None else ""
    file = place.file
    yield Finding("file", f"{size(file.size)}, {file.permissions}, owner {file.owner}{where}")
    if kind == "own" and file.permissions[4:] != "------":
        yield Finding("file", "others than its owner can get at it: chmod 600 it", "know")
    if place.shared_warning:
        yield Finding("file", place.shared_warning, "know")
    folder = place.folder
    yield Finding("folder", f"{folder.name}, {folder.permissions}, owner {folder.owner}")
    for side in place.beside:
        yield Finding("beside it", f"{side.name}, {size(side.size)}")
        if side.name.endswith("-wal") and side.size > LARGE_LOG:
            yield Finding(
                "beside it",
                "so large a log is not being written back: a reader that never ends, or a writer"
                " that died; reads get slower with it",
                "know",
            )


def _opening(opening: OpeningFacts) -> Finding:
    if opening.makes:
        words = (
            f"live; its log has content and nobody has it open, so {opening.makes} will be made,"
            " as any program makes it (this check has read a copy instead)"
        )
        return Finding("opening", words)
    match opening.mode:
        case "live":
            words = "live: every commit is seen, and no file is made"
        case "quiet":
            words = "nobody has it open: read without making a file, followed as soon as one writes"
        case "snapshot":
            words = (
                "as a snapshot: its folder or file is not yours, and files that a live reader"
                " leaves could lock the owner out; what is only in its log is not seen"
            )
            return Finding("opening", words, "know")
        case _:
            words = "as the URI says"
    return Finding("opening", words)


def _content(checkup: Checkup) -> Iterator[Finding]:
    info = checkup.info
    if info is None:
        return
    made = "its own store" if info.kind == "own" else "Zeroth's (guest)"
    yield Finding(
        "what it is",
        f"{made}, schema revision {info.revision or 'unknown'}, journal {info.journal_mode}",
    )
    damaged = checkup.integrity is not None and bool(checkup.integrity.problems)
    runs = _things(info.runs, "run") if info.runs or not damaged else "runs that cannot be counted"
    threads, checkpoints = _things(info.threads, "thread"), _things(info.checkpoints, "checkpoint")
    yield Finding("holds", f"{runs}, {threads}, {checkpoints}")
    for warning in info.warnings:
        yield Finding("what it is", warning, "know")


def _encryption(checkup: Checkup) -> Iterator[Finding]:
    total = checkup.info.checkpoints_encrypted if checkup.info is not None else 0
    what = f"{_things(total, 'checkpoint')} encrypted"
    match checkup.key.state:
        case "opens":
            yield Finding("encryption", f"{what}; the key opens the newest")
        case "does not open":
            yield Finding("encryption", f"{what}; {checkup.key.problem}", "know")
        case "missing":
            words = f"{what}: set {VARIABLE} or give --key-file PATH to read them"
            yield Finding("encryption", words, "know")
        case _:
            yield Finding("encryption", "no checkpoint needs a key")


def _never(checkup: Checkup) -> Iterator[Finding]:
    if checkup.kind == "guest":
        yield Finding("never", _NEVER)
        yield Finding("only on x", "with --allow-writes: the run that you act on, in one UPDATE")
    elif checkup.kind == "own":
        yield Finding(
            "only on x", "the runs that you act on; --read-only offers nothing that writes"
        )


def _integrity(integrity: Integrity) -> Iterator[Finding]:
    took = duration(integrity.seconds)
    for problem in integrity.problems:
        yield Finding("integrity", problem, "know")
    if not integrity.finished:
        yield Finding("integrity", f"checked in part: the time was over after {took}")
    elif not integrity.problems:
        yield Finding("integrity", f"quick_check of the whole file found nothing wrong ({took})")


def _scan(scan: Scan, closed: bool) -> Iterator[Finding]:
    of_all = f" of {count(scan.total)}" if scan.total >= scan.looked_at else ""
    looked = f"{count(scan.looked_at)}{of_all} {scan.what} read, newest first"
    if closed and scan.what == "checkpoints":
        looked += ", those encrypted left closed"
    if not scan.bad_rows:
        if scan.total:
            yield Finding("rows", f"{looked}: nothing that cannot be read")
        return
    rows = "1 holds" if scan.bad_rows == 1 else f"{count(scan.bad_rows)} hold"
    words = f"{looked}: {rows} what cannot be read" if scan.looked_at else f"no {scan.what} read"
    yield Finding("rows", words, "know")
    for cell in scan.bad:
        where = " ".join(filter(None, (cell.row, cell.column)))
        yield Finding("rows", f"{where}: {cell.problem}" if where else cell.problem, "know")


def _acting(checkup: Checkup) -> Iterator[Finding]:
    for obstacle in checkup.obstacles:
        yield Finding("acting", f"not possible: {obstacle}", "know")
    if checkup.integrity is not None and checkup.integrity.problems:
        yield Finding("acting", "better not: writing into a damaged file damages more", "know")
    elif not checkup.obstacles:
        way = " with --allow-writes" if checkup.kind == "guest" else ""
        yield Finding("acting", f"possible{way}")


def _things(number: int, name: str = "thing") -> str:
    return f"{count(number)} {name}" if number == 1 else f"{count(number)} {name}s"
