"""What `zeroth-tui demo` takes: good values shape what is played, bad ones are named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.demo.stagehands import NOON, FakeTime, opened, rows, runs
from zeroth_tui.commands.demo import parser, run
from zeroth_tui.demo.player import play
from zeroth_tui.demo.programme import Programme, run_demo
from zeroth_tui.demo.stories import REPERTOIRE

Fresh = Callable[[str], Path]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--speed", "0"], "'0' is no number from 0.1 to 100"),
        (["--speed", "nan"], "'nan' is no number from 0.1 to 100"),
        (["--speed", "fast"], "'fast' is no number from 0.1 to 100"),
        (["--threads", "0"], "'0' is no whole number from 1 to 100"),
        (["--threads", "2.5"], "'2.5' is no whole number from 1 to 100"),
        (["--fill", "-1"], "'-1' is no whole number from 0 to 1,000,000"),
        (["--fill", "2000000"], "'2000000' is no whole number from 0 to 1,000,000"),
        (["--seed", "x"], "invalid int value: 'x'"),
        (["--for", "-1"], "'-1' is no number from 0"),
        (["--tour", "--headless"], "--tour needs the screen that --headless goes without"),
    ],
)
def test_a_bad_value_is_named_and_ends_with_2(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        run(words)
    assert left.value.code == 2
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_numbers_are_read_as_people_write_them() -> None:
    options = parser().parse_args(["--fill", "100,000", "--speed", "2.5", "--no-loop"])
    assert (options.fill, options.speed, options.loop) == (100_000, 2.5, False)
    assert parser().parse_args([]).loop is True


@pytest.mark.parametrize("threads", [1, 3])
async def test_so_many_stories_live_at_a_time(threads: int, fresh: Fresh) -> None:
    path, time = fresh("threads"), FakeTime()
    most = 0
    async with opened(path) as store:

        async def look() -> None:
            nonlocal most
            begun = rows(
                path,
                "SELECT count(DISTINCT thread_id) AS living FROM runs WHERE started_at >= ?"
                " AND status NOT IN ('COMPLETED', 'FAILED')",
                NOON.isoformat(),
            )
            most = max(most, begun[0]["living"])

        for second in range(1, 60):
            time.after(float(second), look)
        await play(store, clock=time.clock, sleep=time.sleep, rounds=4, threads=threads, new=False)
    assert most == threads


@pytest.mark.thorough
async def test_a_demo_without_loop_tells_each_story_once(fresh: Fresh) -> None:
    path, time = fresh("once"), FakeTime()
    async with opened(path) as store:
        await play(store, clock=time.clock, sleep=time.sleep, rounds=len(REPERTOIRE), new=False)
    submitted = [run for run in runs(path) if "parent_run_id" not in run["metadata"]]
    assert len(submitted) == sum(len(story.turns) for story in REPERTOIRE)


@pytest.mark.thorough
async def test_a_filled_demo_has_its_past_too(fresh: Fresh) -> None:
    path = fresh("filled")
    await run_demo(path, Programme(filled=30, seconds=0.0))
    stored = runs(path)
    waiting = [run for run in stored if run["status"] == "WAITING_APPROVAL"]
    assert len(waiting) == 3  # an undecided refund, an order and its child
    assert len(stored) > 30 + 25
