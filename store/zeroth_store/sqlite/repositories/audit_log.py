"""Audits and approvals beside the runs of an own database: what nodes took, what people decided.

Zeroth has both tables in every revision, and the read side looks at them wherever they are. An own
database has them once somebody keeps such a log; no migration depends on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from zeroth_store.models import Run
from zeroth_store.sqlite.repositories.database import Session
from zeroth_store.sqlite.repositories.ready import Repository
from zeroth_store.sqlite.repositories.rows import column_time, to_json

_OF_A_RUN: Final = """run_id TEXT NOT NULL, thread_id TEXT, node_id TEXT NOT NULL,
 graph_version_ref TEXT NOT NULL, deployment_ref TEXT NOT NULL, tenant_id TEXT NOT NULL
 DEFAULT 'default', workspace_id TEXT"""

_TABLES: Final = (
    f"""CREATE TABLE IF NOT EXISTS node_audits (audit_id TEXT PRIMARY KEY, {_OF_A_RUN},
 created_at TEXT NOT NULL, record_json TEXT NOT NULL, cost_usd REAL, cost_event_id TEXT,
 chain_sequence INTEGER)""",
    """CREATE UNIQUE INDEX IF NOT EXISTS uq_node_audits_tenant_run_chain_sequence
 ON node_audits (tenant_id, run_id, chain_sequence)""",
    f"""CREATE TABLE IF NOT EXISTS approvals (approval_id TEXT PRIMARY KEY, {_OF_A_RUN},
 status TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
 record_json TEXT NOT NULL, sla_deadline TEXT, escalation_action TEXT, escalated_from_id TEXT)""",
    """CREATE INDEX IF NOT EXISTS idx_approvals_run_id
 ON approvals (run_id, created_at, approval_id)""",
)
"""The columns and indexes of Zeroth's revision 026, as far as runs are looked up by them."""

_NEXT: Final = """(SELECT coalesce(max(chain_sequence), 0) + 1 FROM node_audits
 WHERE tenant_id = :tenant_id AND run_id = :run_id)"""


@dataclass(frozen=True)
class NodeAudit:
    """One execution of a node."""

    audit_id: str
    """Two of one id are one: the later replaces the earlier."""
    node_id: str
    status: str
    started: datetime
    completed: datetime
    attempt: int = 1
    cost_usd: float | None = None
    estimated_cost_usd: float | None = None


@dataclass(frozen=True)
class ApprovalRecord:
    """One question to a person, and the answer once there is one."""

    approval_id: str
    node_id: str
    payload: Mapping[str, Any]
    """What is to be approved."""
    asked: datetime
    decision: str | None = None
    """approve, reject, edit_and_approve; None while nobody has decided."""
    resolved: datetime | None = None
    actor: str | None = None
    """Who decided."""
    edited: Mapping[str, Any] | None = None
    """What the decision made of the payload."""


class AuditLog(Repository):
    """Keeps the audits and approvals of runs."""

    async def initialize(self) -> None:
        """Make the tables that are missing; raises what every repository's `initialize` raises."""
        await super().initialize()
        async with self._database.transaction() as session:
            for statement in _TABLES:
                await session.execute(statement)

    async def record(
        self,
        run: Run,
        audits: Iterable[NodeAudit] = (),
        approvals: Iterable[ApprovalRecord] = (),
    ) -> None:
        """Keep what is told of a run; who is told again replaces what was kept."""
        async with self._ready.transaction() as session:
            for audit in audits:
                await _save_audit(session, run, audit)
            for approval in approvals:
                await _save_approval(session, run, approval)


async def forget(session: Session, run_id: str, tenant_id: str, workspace_id: str | None) -> None:
    """Remove what a log keeps of a run, if there is a log."""
    found = await session.fetch_all(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('node_audits',"
        " 'approvals')"
    )
    for table in found:
        await session.execute(
            f"DELETE FROM {table['name']} WHERE tenant_id = ? AND workspace_id IS ? AND run_id = ?",
            (tenant_id, workspace_id, run_id),
        )


async def _save_audit(session: Session, run: Run, audit: NodeAudit) -> None:
    record = {
        **_shared(run, audit.node_id),
        "attempt": audit.attempt,
        "audit_id": audit.audit_id,
        "completed_at": audit.completed,
        "cost_usd": audit.cost_usd,
        "estimated_cost_usd": audit.estimated_cost_usd,
        "input_snapshot": {},
        "output_snapshot": {},
        "started_at": audit.started,
        "status": audit.status,
    }
    values = {
        **_shared(run, audit.node_id),
        "audit_id": audit.audit_id,
        "created_at": column_time(audit.completed),
        "record_json": to_json(record),
    }
    await session.execute(
        f"INSERT INTO node_audits ({', '.join(values)}, chain_sequence)"
        f" VALUES ({', '.join(f':{name}' for name in values)}, {_NEXT})"
        " ON CONFLICT (audit_id) DO UPDATE SET created_at = excluded.created_at,"
        " record_json = excluded.record_json",
        values,
    )


async def _save_approval(session: Session, run: Run, approval: ApprovalRecord) -> None:
    status = "pending" if approval.decision is None else "resolved"
    record = {
        **_shared(run, approval.node_id),
        "allowed_actions": ["approve", "reject", "edit_and_approve"],
        "approval_id": approval.approval_id,
        "created_at": approval.asked,
        "proposed_payload": approval.payload,
        "requested_by": run.submitted_by,
        "resolution": _resolution(approval),
        "status": status,
        "summary": f"Approval required for node {approval.node_id}",
        "updated_at": approval.resolved or approval.asked,
    }
    values = {
        **_shared(run, approval.node_id),
        "approval_id": approval.approval_id,
        "created_at": column_time(approval.asked),
        "record_json": to_json(record),
        "status": status,
        "updated_at": column_time(approval.resolved or approval.asked),
    }
    await session.execute(
        f"INSERT INTO approvals ({', '.join(values)})"
        f" VALUES ({', '.join(f':{name}' for name in values)})"
        " ON CONFLICT (approval_id) DO UPDATE SET status = excluded.status,"
        " updated_at = excluded.updated_at, record_json = excluded.record_json",
        values,
    )


def _resolution(approval: ApprovalRecord) -> dict[str, Any] | None:
    if approval.decision is None:
        return None
    return {
        "actor": {"subject": approval.actor},
        "decision": approval.decision,
        "edited_payload": approval.edited,
        "resolved_at": approval.resolved,
    }


def _shared(run: Run, node_id: str) -> dict[str, Any]:
    return {
        "deployment_ref": run.deployment_ref,
        "graph_version_ref": run.graph_version_ref,
        "node_id": node_id,
        "run_id": run.run_id,
        "tenant_id": run.tenant_id,
        "thread_id": run.thread_id,
        "workspace_id": run.workspace_id,
    }
