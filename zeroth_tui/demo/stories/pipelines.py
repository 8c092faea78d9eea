"""Data pipelines: fan-out, retries, dead letters and replay, tracebacks, a pause, a long run."""

from __future__ import annotations

from typing import Final

from zeroth_store.status import RunStatus
from zeroth_tui.demo.scenario import (
    Branch,
    Crash,
    Edge,
    Fail,
    FanOut,
    Graph,
    Interrupt,
    Keep,
    Node,
    Replay,
    Retry,
    Scenario,
    Stall,
    Step,
    Story,
)

INVOICES: Final = Graph("invoice-batch", "Invoice batch", 3)
SYNC: Final = Graph("warehouse-sync", "Warehouse sync", 5)
CONTRACTS: Final = Graph("contract-analyst", "Contract analyst", 1)
REPORT: Final = Graph("nightly-report", "Nightly report", 8)
EMBEDDINGS: Final = Graph("embedding-refresh", "Embedding refresh", 2)
CRAWLER: Final = Graph("site-crawler", "Site crawler", 9)

_CLAUSES_TRACEBACK: Final = """\
Traceback (most recent call last):
  File "/app/agents/contracts/runner.py", line 88, in run_node
    output = await node.execute(payload)
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/app/agents/contracts/nodes.py", line 141, in execute
    clauses = [parse_clause(part) for part in answer["clauses"]]
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/app/agents/contracts/nodes.py", line 97, in parse_clause
    return Clause(number=part["no"], text=part["text"].strip())
                                          ^^^^^^^^^^^^^^^^^^
AttributeError: 'NoneType' object has no attribute 'strip'"""

_PARSE_TRACEBACK: Final = """\
Traceback (most recent call last):
  File "/app/agents/contracts/nodes.py", line 52, in load_pdf
    return reader.read(source)
           ^^^^^^^^^^^^^^^^^^^
  File "/usr/lib/python3.12/site-packages/pdfkit/reader.py", line 310, in read
    raise CorruptFile(f"xref table of {source.name} ends at byte {position}")
pdfkit.errors.CorruptFile: xref table of Rahmenvertrag_§7.pdf ends at byte 18432

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/app/agents/contracts/runner.py", line 88, in run_node
    output = await node.execute(payload)
  File "/app/agents/contracts/nodes.py", line 54, in load_pdf
    raise NodeError("cannot read the contract") from error
agents.errors.NodeError: cannot read the contract"""


def _invoice(file: str, total: float | None, seconds: float) -> Branch:
    output = None if total is None else {"file": file, "total": total, "currency": "EUR"}
    return Branch({"file": file}, output, seconds, cost=0.0014)


_PARTLY_FAILED: Final = Scenario(
    INVOICES,
    {"folder": "inbox/2026-11", "files": 4},
    (
        FanOut(
            "split",
            0.8,
            items="items",
            work="extract",
            branches=(
                _invoice("Ångström-2207.pdf", 1_210.40, 3.1),
                _invoice("scan_0003.tif", None, 1.2),
                _invoice("ACME-118.pdf", 89.99, 2.2),
                _invoice("rechnung_köln.pdf", 640.00, 4.0),
            ),
            to_work=Edge("b-extract", "extract"),
            edges=(Edge("b-sum", "reconcile"),),
        ),
        Node("reconcile", 1.9, {"total": 1_940.39, "missing": ["scan_0003.tif"]}, cost=0.0007),
    ),
    by="cron",
)


def _sync(table: str, *steps: Step, ends: RunStatus, reason: str | None = None) -> Scenario:
    return Scenario(
        SYNC,
        {"table": table, "since": "2026-11-28", "dsn": {"host": "wh.internal", "password": "demo"}},
        (
            Node("extract", 2.2, {"rows": 48_210}, edges=(Edge("s-t", "transform"),)),
            Node("transform", 1.7, {"dropped": 12}, edges=(Edge("s-l", "load"),)),
            *steps,
        ),
        ends=ends,
        reason=reason,
        by="cron",
    )


_LOADED: Final = Node("load", 2.4, {"loaded": 48_198}, estimate=0.0004)
_DIES_THREE_TIMES: Final = (Crash("load", 2.0, 3.0), Crash("load", 1.1, 5.0), Crash("load", 1.0, 0))
_RETRIED: Final = _sync(
    "orders", Retry("load", 1.5, 2.0), Retry("load", 1.5, 4.0), _LOADED, ends=RunStatus.COMPLETED
)
_REPLAYED: Final = _sync(
    "payments",
    Retry("load", 1.5, 2.0),
    *_DIES_THREE_TIMES,
    Replay(20.0),
    _LOADED,
    ends=RunStatus.COMPLETED,
)
_DEAD: Final = _sync(
    # It stays dead unless a person replays it: then it loads.
    "events",
    *_DIES_THREE_TIMES,
    _LOADED,
    ends=RunStatus.FAILED,
    reason="dead_letter",
)

_NO_CLAUSES: Final = Scenario(
    CONTRACTS,
    {"document": "MSA_Hoffmann_2026.pdf", "questions": ["termination", "liability"]},
    (
        Node("load", 1.5, {"pages": 31, "characters": 88_410}, edges=(Edge("a-ask", "clauses"),)),
        Fail("clauses", 5.2, _CLAUSES_TRACEBACK),
    ),
    ends=RunStatus.FAILED,
    reason="node_execution_failed",
    by="leo.legal",
)
_CORRUPT: Final = Scenario(
    CONTRACTS,
    {"document": "Rahmenvertrag_§7.pdf", "questions": ["Kündigung"]},
    (
        Fail(
            "load",
            0.9,
            "cannot read the contract",
            details={"exception": "agents.errors.NodeError", "traceback": _PARSE_TRACEBACK},
        ),
    ),
    ends=RunStatus.FAILED,
    reason="node_execution_failed",
    by="leo.legal",
)

_PAUSED: Final = Scenario(
    REPORT,
    {"day": "2026-11-28", "audience": "board"},
    (
        Node("collect", 2.5, {"series": 14}, edges=(Edge("n-w", "write"),)),
        Interrupt(12.0),
        Node(
            "write",
            4.5,
            {"headline": "Revenue +3.1 %, churn flat", "words": 642},
            cost=0.0091,
            edges=(Edge("n-s", "send"),),
        ),
        Node("send", 0.8, {"recipients": 9}),
    ),
    by="cron",
)


_STUCK: Final = Scenario(
    EMBEDDINGS,
    {"collection": "help-centre", "model": "embed-multi-1"},
    (
        Node("list", 1.4, {"documents": 1_204}, edges=(Edge("m-e", "embed"),)),
        Stall("embed", 40.0),
        Node("embed", 6.0, {"vectors": 1_204}, cost=0.0188, edges=(Edge("m-s", "swap"),)),
        Node("swap", 0.6, {"alias": "help-centre-live"}),
    ),
    ends=RunStatus.RUNNING,
    by="cron",
)


def _page(number: int, last: int) -> tuple[Step, ...]:
    more = number < last
    page = Node(
        "visit",
        4.0,
        {"page": number, "url": f"https://docs.example/guide/{number}", "queue": last - number},
        cost=0.0006,
        edges=(
            Edge("v-next", "visit", "payload.queue > 0", more),
            Edge("v-done", "index", "payload.queue == 0", not more),
        ),
    )
    return (page, Keep()) if number % 10 == 0 else (page,)


_CRAWLING: Final = Scenario(
    CRAWLER,
    {"site": "https://docs.example", "session_token": "demo-session"},
    (
        *(step for number in range(1, 301) for step in _page(number, 300)),
        Node("index", 3.0, {"indexed": 300}),
    ),
    by="cron",
)

STORIES: Final = (
    Story("A fan-out with one failed branch", "invoices-2026-11", (_PARTLY_FAILED,)),
    Story("A node succeeds at its third attempt", "warehouse", (_RETRIED,)),
    Story("Retries, a dead letter, a replay", "warehouse", (_REPLAYED,)),
    Story("A dead letter", "warehouse", (_DEAD,)),
    Story("A traceback as the failure's message", "contracts", (_NO_CLAUSES,)),
    Story("A traceback in the failure's details", "contracts", (_CORRUPT,)),
    Story("A pause between two nodes", "nightly-report", (_PAUSED,)),
)
STUCK: Final = Story("A worker died and nobody took its run up", "embeddings", (_STUCK,))
CRAWL: Final = Story("A run that goes on and on", "crawls", (_CRAWLING,))
