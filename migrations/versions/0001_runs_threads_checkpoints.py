"""Runs, threads and checkpoints: the columns of Zeroth's revision 026, and indexes for browsing."""

from alembic import op

revision = "0001"
down_revision = None

SCOPE_IS_WORKSPACE = """
    CHECK ((workspace_id IS NULL AND workspace_scope = 'null')
        OR (workspace_id IS NOT NULL AND workspace_scope = 'value:' || workspace_id))
"""

RUNS = f"""
CREATE TABLE runs (
    run_id TEXT NOT NULL,
    checkpoint_id TEXT,
    parent_checkpoint_id TEXT,
    epoch INTEGER NOT NULL DEFAULT 0,
    workflow_name TEXT NOT NULL,
    status TEXT NOT NULL,
    current_step TEXT,
    completed_steps TEXT NOT NULL DEFAULT '[]',
    artifacts TEXT NOT NULL DEFAULT '{{}}',
    channels TEXT NOT NULL DEFAULT '{{}}',
    pending_approval TEXT,
    pending_interrupt_id TEXT,
    started_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    error TEXT,
    metadata TEXT NOT NULL DEFAULT '{{}}',
    graph_version_ref TEXT NOT NULL,
    deployment_ref TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    current_node_ids TEXT NOT NULL DEFAULT '[]',
    pending_node_ids TEXT NOT NULL DEFAULT '[]',
    execution_history TEXT NOT NULL DEFAULT '[]',
    node_visit_counts TEXT NOT NULL DEFAULT '{{}}',
    condition_results TEXT NOT NULL DEFAULT '[]',
    audit_refs TEXT NOT NULL DEFAULT '[]',
    final_output TEXT,
    failure_state TEXT,
    tenant_id TEXT NOT NULL DEFAULT 'default',
    workspace_id TEXT,
    workspace_scope TEXT NOT NULL,
    submitted_by TEXT,
    lease_worker_id TEXT,
    lease_acquired_at TEXT,
    lease_expires_at TEXT,
    failure_count INTEGER NOT NULL DEFAULT 0,
    recovery_checkpoint_id TEXT,
    token_snapshot_write_disabled INTEGER NOT NULL DEFAULT 0,
    lease_generation INTEGER NOT NULL DEFAULT 0,
    {SCOPE_IS_WORKSPACE},
    PRIMARY KEY (tenant_id, workspace_scope, run_id)
)
"""

THREADS = f"""
CREATE TABLE threads (
    thread_id TEXT NOT NULL,
    graph_version_ref TEXT NOT NULL,
    deployment_ref TEXT NOT NULL,
    status TEXT NOT NULL,
    participating_agent_refs TEXT NOT NULL DEFAULT '[]',
    state_snapshot_refs TEXT NOT NULL DEFAULT '[]',
    checkpoint_refs TEXT NOT NULL DEFAULT '[]',
    memory_bindings TEXT NOT NULL DEFAULT '[]',
    run_ids TEXT NOT NULL DEFAULT '[]',
    active_run_id TEXT,
    last_run_id TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    tenant_id TEXT NOT NULL DEFAULT 'default',
    workspace_id TEXT,
    workspace_scope TEXT NOT NULL,
    {SCOPE_IS_WORKSPACE},
    PRIMARY KEY (tenant_id, workspace_scope, thread_id)
)
"""

RUN_CHECKPOINTS = f"""
CREATE TABLE run_checkpoints (
    checkpoint_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    checkpoint_order INTEGER NOT NULL,
    state_json TEXT NOT NULL,
    created_at TEXT NOT NULL,
    tenant_id TEXT NOT NULL DEFAULT 'default',
    workspace_id TEXT,
    workspace_scope TEXT NOT NULL,
    {SCOPE_IS_WORKSPACE},
    PRIMARY KEY (tenant_id, workspace_scope, checkpoint_id)
)
"""

# A plain text test, since SQLite refuses JSON functions in an index while `trusted_schema` is off,
# as it is for every reader. It finds all child runs; which parent is theirs is read from the row.
IS_CHILD = """instr(metadata, '"parent_run_id"') > 0"""

INDEXES = (
    "idx_runs_scope ON runs (tenant_id, workspace_id, deployment_ref, thread_id, run_id)",
    "idx_runs_dispatch ON runs (tenant_id, deployment_ref, status, lease_expires_at)",
    "ix_runs_id ON runs (run_id)",
    "ix_runs_thread ON runs (tenant_id, workspace_scope, thread_id)",
    "ix_runs_started ON runs (started_at)",
    "ix_runs_updated ON runs (updated_at)",
    "ix_runs_status ON runs (status, started_at)",
    f"ix_runs_children ON runs (tenant_id, workspace_scope) WHERE {IS_CHILD}",
    "idx_threads_scope ON threads (tenant_id, workspace_id, deployment_ref, thread_id)",
    "ix_threads_id ON threads (thread_id)",
    "ix_threads_updated ON threads (updated_at)",
    "ix_checkpoints_id ON run_checkpoints (checkpoint_id)",
    "ix_checkpoints_thread ON run_checkpoints (tenant_id, workspace_scope, thread_id)",
    "ix_checkpoints_run ON run_checkpoints (tenant_id, workspace_scope, run_id)",
)


def upgrade() -> None:
    """Create the three tables and their indexes."""
    for table in (RUNS, THREADS, RUN_CHECKPOINTS):
        op.execute(table)
    for index in INDEXES:
        op.execute(f"CREATE INDEX {index}")
