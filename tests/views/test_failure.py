"""The failure pane: why, where, with which input, what is in doubt; or how a run stands."""

from __future__ import annotations

import json
from datetime import UTC

import msgspec
import pytest

from tests.views.build import NOW, audit, detail, entry, key, summary, texts, words
from zeroth_store.browse import (
    FailureInfo,
    OperationEntry,
    RelatedRows,
    RunDetail,
)
from zeroth_tui.line import Row
from zeroth_tui.text import MASK
from zeroth_tui.views import reasons
from zeroth_tui.views.failure import failure_rows
from zeroth_tui.views.step import RunItem, StepItem
from zeroth_tui.views.steps import steps

NOTHING = RelatedRows()

TRACEBACK = """Traceback (most recent call last):
  File "/srv/app/nodes/load.py", line 7, in run
    client.put(row)
  File "/usr/lib/python3.11/site-packages/httpx/_client.py", line 9, in put
    raise Timeout()
httpx.Timeout: no answer"""


def failed(
    reason: str | None = "node_execution_failed",
    message: str | None = "boom",
    details: str | None = None,
    error: str | None = None,
) -> RunDetail:
    run = detail(
        [entry(0, "extract", 1), entry(1, "load", 2, 3, status="failed", given='{"n": 1}')],
        run=summary("FAILED", failed_node="load"),
    )
    return msgspec.structs.replace(run, failure=FailureInfo(reason, message, details, error))


def pane(run: RunDetail, related: RelatedRows = NOTHING, width: int = 120) -> tuple[Row, ...]:
    return failure_rows(run, related, steps(run, related, NOW), width, NOW, UTC)


def shown(run: RunDetail, related: RelatedRows = NOTHING, width: int = 120) -> list[str]:
    return texts(pane(run, related, width))


def test_a_failure_names_reason_message_node_last_step_and_input() -> None:
    rows = pane(failed())
    assert texts(rows) == [
        reasons.FAILURES["node_execution_failed"].words,
        reasons.FAILURES["node_execution_failed"].advice,
        "reason      node_execution_failed",
        "message     boom",
        "failed at   load",
        "last done   extract  2026-03-01 10:00:01.000 UTC",
        "Input of load",
        "  {",
        '    "n": 1',
        "  }",
    ]
    assert [rows[4].item, rows[5].item] == [StepItem(1), StepItem(0)]


def test_the_dispatch_of_the_failing_node_is_its_exact_input_and_secrets_are_hidden() -> None:
    run = msgspec.structs.replace(
        failed(),
        in_flight_node="load",
        in_flight_input='{"job": "j1", "api_key": "k-123"}',
    )
    assert shown(run)[-4:] == ["  {", '    "job": "j1",', f'    "api_key": "{MASK}"', "  }"]


def test_the_error_is_shown_only_where_it_says_more() -> None:
    assert not any(line.startswith("error") for line in shown(failed(error="boom")))
    assert "error       other" in shown(failed(error="other"))


def test_secrets_in_a_message_are_hidden() -> None:
    lines = shown(failed(message="cannot reach postgres://app:hunter2@db/x"))
    assert f"message     cannot reach postgres://app:{MASK}@db/x" in lines


@pytest.mark.parametrize(
    "run",
    [
        failed(message=TRACEBACK),
        failed(message=TRACEBACK.replace("\n", "\\n")),
        failed(details=json.dumps({"job": {"trace": [TRACEBACK]}})),
        failed(error=TRACEBACK),
    ],
    ids=["message", "escaped", "details", "error"],
)
def test_a_traceback_has_real_lines_and_own_frames_stand_out(run: RunDetail) -> None:
    rows = pane(run)
    lines = [words(row.line) for row in rows]
    start = lines.index("Traceback (▸ own code)")
    assert lines[start + 1 :] == [
        "  Traceback (most recent call last):",
        '▸   File "/srv/app/nodes/load.py", line 7, in run',
        "      client.put(row)",
        '    File "/usr/lib/python3.11/site-packages/httpx/_client.py", line 9, in put',
        "      raise Timeout()",
        "  httpx.Timeout: no answer",
    ]
    roles = [row.line[0].role for row in rows[start + 1 :]]
    assert roles == ["muted", "strong", "strong", "muted", "muted", "error"]
    assert "most recent call last" not in "".join(lines[:start])


def test_details_are_pretty_printed_and_capped() -> None:
    lines = shown(failed(details=json.dumps(list(range(500)))))
    # 502 lines with the brackets; 200 are shown.
    assert lines[-1] == "  … 302 more lines"
    assert lines[lines.index("Details") + 1 :][:2] == ["  [", "    0,"]


def test_side_effects_in_doubt_come_first() -> None:
    operations = tuple(
        OperationEntry(operation_key=state, target=f"to-{state}", state=state, attempt=1)
        for state in ("COMPLETED", "AMBIGUOUS", "FAILED", "IN_FLIGHT")
    )
    lines = shown(failed(), RelatedRows(operations=operations))
    start = lines.index("Side effects: 4, 2 in doubt: a replay may repeat them")
    assert [line.split()[0] for line in lines[start + 1 : start + 5]] == [
        "AMBIGUOUS",
        "IN_FLIGHT",
        "COMPLETED",
        "FAILED",
    ]


def test_a_failed_child_can_be_opened_and_a_missing_one_is_said() -> None:
    child = summary("FAILED", run_id="c1", parent_node="load")
    run = failed("subgraph_execution_failed")
    assert RunItem(key("c1")) in [row.item for row in pane(run, RelatedRows(children=(child,)))]
    assert "The child run that failed is not in this database." in shown(run)


def test_a_policy_denial_names_the_node_that_never_ran() -> None:
    rows = RelatedRows(audits=(audit("audit:9", "publish", 4, 4, status="rejected"),))
    run = detail([entry(0, "a", 1)], run=summary("FAILED"))
    run = msgspec.structs.replace(run, failure=FailureInfo("policy_violation", "denied"))
    lines = shown(run, rows)
    assert "denied      publish: a policy refused it, so it never ran" in lines
    assert not any(line.startswith("failed at") for line in lines)


def test_a_dead_letter_says_how_often_it_failed() -> None:
    run = msgspec.structs.replace(
        detail(run=summary("FAILED", failure_count=3)), failure=FailureInfo("dead_letter", None)
    )
    assert "dead letter yes, 3 failures counted" in shown(run)


def test_an_unknown_reason_is_named_as_stored() -> None:
    assert shown(failed("we\x1bird"))[0] == "we␛ird: a reason that this version does not know."


@pytest.mark.parametrize("reason", sorted(reasons.FAILURES))
def test_every_known_reason_has_words_and_advice(reason: str) -> None:
    meaning = reasons.explain(reason)
    assert meaning.words.endswith(".")
    assert meaning.advice.endswith(".")


def test_the_table_of_reasons_is_the_platforms() -> None:
    assert set(reasons.FAILURES) == {
        "node_execution_failed",
        "worker_exception",
        "max_total_steps",
        "max_total_runtime",
        "policy_violation",
        "approval_rejected",
        "operator_cancelled",
        "dead_letter",
        "parallel_execution_failed",
        "subgraph_execution_failed",
        "subgraph_not_configured",
        "subgraph_resume_failed",
        "join_deadlock",
    }
    assert set(reasons.ENDINGS) == {"no_outgoing_edges", "branch_suppressed"}
    assert set(reasons.SUPPRESSIONS) == {"edge_disabled", "visit_limit"}


@pytest.mark.parametrize(
    "details", ["[" * 3000 + "]" * 3000, "[" * 300 + "]" * 300, "{nope", "NaN", '"\\ud800"', ""]
)
def test_any_stored_details_are_shown_without_raising(details: str) -> None:
    assert shown(failed(details=details), width=40)
