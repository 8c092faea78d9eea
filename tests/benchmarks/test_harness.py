"""The measuring itself: a harness that sees nothing would find every target met."""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from tests.benchmarks.harness import NotPainted, Terminal, cpu_of, interleaved
from tests.benchmarks.report import Row, ratio, table

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the CPU clocks are Linux's")

PAINTS = r"""
import sys, time, tty
tty.setraw(0)
print("\x1b[?2026$p", end="", flush=True)
answer = sys.stdin.read(11)
assert answer == "\x1b[?2026;1$y", answer
print("not yet", end="", flush=True)
print("\r\nworking", end="", flush=True)
until = time.process_time() + 0.2
while time.process_time() < until: pass
print("\r\npainted\x1b[?20", end="", flush=True)
print("26l", end="", flush=True)
print("!" * len(sys.stdin.read(1)) * 7, end="", flush=True)
sys.stdin.read(1)
"""


@linux_only
def test_a_terminal_answers_sees_frames_and_counts_bytes_and_cpu(tmp_path: Path) -> None:
    with Terminal([sys.executable, "-c", PAINTS], tmp_path) as terminal:
        used = terminal.wait_for("painted")
        assert terminal.text().splitlines() == ["not yet", "working", "painted"]
        assert 200 <= used <= terminal.cpu() < 10_000
        assert terminal.bytes_in(0.2) == 0
        terminal.press("x")
        assert terminal.bytes_in(5) == 7


@linux_only
def test_a_text_that_never_comes_is_told_with_the_screen(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "print('something else', end='\x1b[?2026l')"]
    with Terminal(command, tmp_path) as terminal, pytest.raises(NotPainted, match="something else"):
        terminal.wait_for("painted")


@linux_only
def test_the_cpu_of_a_whole_run(tmp_path: Path) -> None:
    burn = "import time\nwhile time.process_time() < 0.3: pass"
    assert 300 <= cpu_of([sys.executable, "-c", burn], tmp_path) < 10_000
    with pytest.raises(CalledProcessError):
        cpu_of([sys.executable, "-c", "raise SystemExit(3)"], tmp_path)


def test_medians_of_turns_without_the_first() -> None:
    ours, other = iter([900.0, 1, 5, 3]), iter([900.0, 10, 10, 70])
    assert interleaved(lambda: next(ours), lambda: next(other), 3) == (3, 10)


def test_a_target_is_met_at_its_bound_and_missed_above() -> None:
    assert ratio("start", 1.5, (30, 20)).verdict == "ok"
    assert ratio("start", 1.5, (31, 20)).verdict == "MISSED"
    unmeasured = Row(target="start", bound=1.5, unit="x", measured=None, detail="no terminal")
    assert unmeasured.verdict == "NOT RUN"
    assert table([ratio("start", 1.5, (30, 20)), unmeasured]).splitlines() == [
        "target  measured  bound     verdict",
        "start   1.50 x    <= 1.5 x  ok       30 ms CPU, 20 ms",
        "start   -         -         NOT RUN  no terminal",
    ]
