"""Which columns of runs hold JSON."""

from __future__ import annotations

from typing import Final

RUN_JSON: Final = (
    *("completed_steps", "artifacts", "channels", "pending_approval", "metadata"),
    *("current_node_ids", "pending_node_ids", "execution_history", "node_visit_counts"),
    *("condition_results", "audit_refs", "final_output", "failure_state", "submitted_by"),
)
"""Their values are JSON text in a row, and JSON as they are in a checkpoint's state."""
