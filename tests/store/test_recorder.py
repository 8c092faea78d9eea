"""ConditionResultRecorder: appends in memory, in order, and touches the run."""

from __future__ import annotations

from collections.abc import Iterator

from tests.store.support import START, a_run
from zeroth_store import ConditionResultRecorder, RunConditionResult

ONE, TWO, THREE = (RunConditionResult(condition_id=name, matched=True) for name in "123")


def test_record_appends_one_and_touches() -> None:
    run = a_run(condition_results=[ONE])
    assert ConditionResultRecorder().record(run, TWO) is run
    assert run.condition_results == [ONE, TWO]
    assert run.updated_at > START


def test_record_many_appends_in_order_from_any_iterable() -> None:
    def results() -> Iterator[RunConditionResult]:
        yield TWO
        yield THREE

    run = a_run(condition_results=[ONE])
    assert ConditionResultRecorder().record_many(run, results()) is run
    assert [result.condition_id for result in run.condition_results] == ["1", "2", "3"]
    assert run.updated_at > START
