"""Leaving a writer alone: a short moment now and then, a longer one while its log grows."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from zeroth_store.sqlite.giving_way import GivingWay

USUAL = 1_000 * 4_096
"""Bytes that a log reaches where nobody holds it up: SQLite's default, a thousand pages of 4 KB."""


class Machine:
    """A clock that only sleeping and `work` move on, and a log that somebody writes to."""

    def __init__(self, log: Path, size: Callable[[float], int] = lambda _: 0) -> None:
        self.log = log
        self.now = self.slept = 0.0
        self.size = size
        self.work(0)

    def work(self, seconds: float) -> None:
        self.now = round(self.now + seconds, 6)
        with self.log.open("r+b" if self.log.exists() else "wb") as file:
            file.truncate(self.size(self.now))  # sparse: it takes no room

    def sleep(self, seconds: float) -> None:
        self.slept = round(self.slept + seconds, 6)
        self.work(seconds)

    def way(self) -> GivingWay:
        return GivingWay(self.log, clock=lambda: self.now, sleep=self.sleep)


def test_statements_follow_each_other_for_20_ms_and_then_5_ms_are_left(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "log")
    way = machine.way()
    machine.work(0.019)
    way.give(rested=False)
    assert machine.slept == 0
    machine.work(0.002)
    way.give(rested=False)
    assert machine.slept == 0.005
    machine.work(0.019)
    way.give(rested=False)
    assert machine.slept == 0.005


def test_who_has_not_read_for_a_while_begins_at_once(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "log")
    way = machine.way()
    machine.work(10)
    way.give(rested=True)
    machine.work(0.019)
    way.give(rested=False)
    assert machine.slept == 0


def test_a_log_that_is_as_large_as_usual_is_no_reason_to_wait(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "log", lambda now: min(USUAL, int(now * 10 * USUAL)))
    way = machine.way()
    machine.work(0.05)
    way.give(rested=False)
    assert machine.slept == 0.005


def test_while_the_log_grows_nobody_reads(tmp_path: Path) -> None:
    """It grows until 0.070 s: at 0.090 s it has not for 20 ms, which is seen 5 ms later at most."""
    machine = Machine(tmp_path / "log", lambda now: USUAL + int(min(now, 0.07) * 1e6))
    way = machine.way()
    machine.work(0.03)
    way.give(rested=False)
    assert 0.09 <= machine.now <= 0.095
    slept = machine.slept
    machine.work(0.03)
    way.give(rested=False)  # as large as it was: SQLite keeps the file and begins it anew
    assert machine.slept == round(slept + 0.005, 6)


def test_a_log_that_somebody_else_holds_up_is_waited_for_a_tenth_of_a_second(
    tmp_path: Path,
) -> None:
    machine = Machine(tmp_path / "log", lambda now: USUAL + int(now * 1e6))
    way = machine.way()
    machine.work(0.03)
    way.give(rested=False)
    assert machine.slept == 0.105
    machine.work(0.1)
    way.give(rested=True)  # it was not us: for a second reading goes on
    assert machine.slept == 0.105
    machine.work(1)
    way.give(rested=True)  # a rest between two jobs is no reason to overlook it
    assert 0.205 <= machine.slept <= 0.21


def test_a_database_that_nobody_writes_to_is_read_without_a_pause(tmp_path: Path) -> None:
    machine = Machine(tmp_path / "log")
    way = GivingWay(None, clock=lambda: machine.now, sleep=machine.sleep)
    machine.work(1)
    way.give(rested=False)
    assert machine.slept == 0
    missing = GivingWay(tmp_path / "none", clock=lambda: machine.now, sleep=machine.sleep)
    machine.work(1)
    missing.give(rested=False)
    assert machine.slept == 0.005
