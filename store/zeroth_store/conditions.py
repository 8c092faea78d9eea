"""Keeping branching decisions on a run, so that it can be seen why each branch was taken."""

from __future__ import annotations

from collections.abc import Iterable

from zeroth_store.models import Run, RunConditionResult


class ConditionResultRecorder:
    """Appends condition results to a run in memory; saving the run is the caller's step."""

    def record(self, run: Run, result: RunConditionResult) -> Run:
        """Append one condition result to `run` and update its timestamp; returns `run`."""
        return self.record_many(run, (result,))

    def record_many(self, run: Run, results: Iterable[RunConditionResult]) -> Run:
        """Append condition results to `run` and update its timestamp once; returns `run`."""
        run.condition_results.extend(results)
        run.touch()
        return run
