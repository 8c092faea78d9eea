"""What each stored reason means in plain words, and what a person can do about it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from zeroth_tui import text


class Meaning(NamedTuple):
    """A stored reason, explained."""

    words: str
    """What happened."""
    advice: str
    """What can be done; empty where nothing needs to be."""


FAILURES: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "node_execution_failed": Meaning(
            "A node raised an error, or the run's budget was used up.",
            "Look at the message and the node's input; mend the cause, then replay: the run goes on"
            " at this node.",
        ),
        "worker_exception": Meaning(
            "The worker itself failed while it drove the run; the cause is only in its log.",
            "Search the worker's log at this time. Check side effects in doubt before a replay.",
        ),
        "max_total_steps": Meaning(
            "The run was stopped because it took more steps than the graph allows.",
            "Look for a loop that does not end. A replay meets the same limit again.",
        ),
        "max_total_runtime": Meaning(
            "The run was stopped because it took longer than the graph allows.",
            "Look for the slow step. A replay meets the same limit again.",
        ),
        "policy_violation": Meaning(
            "A policy refused a node, so it never ran.",
            "Change the policy or the node's capabilities, then replay.",
        ),
        "approval_rejected": Meaning(
            "A person rejected the approval that the run waited for.",
            "Talk to who rejected it. A replay asks again.",
        ),
        "operator_cancelled": Meaning(
            "An operator cancelled the run.",
            "Replay it if that was a mistake; the token engine cannot go on after a cancel.",
        ),
        "dead_letter": Meaning(
            "The run failed as often as is allowed and will not be tried again by itself.",
            "Mend the cause first; a replay sets the count of failures back to zero.",
        ),
        "parallel_execution_failed": Meaning(
            "A parallel branch failed and its siblings were given up.",
            "Look at the failed branch; a replay runs the branches again.",
        ),
        "subgraph_execution_failed": Meaning(
            "A child run failed, and this run with it.",
            "Open the child run: the cause is there.",
        ),
        "subgraph_not_configured": Meaning(
            "A node names a subgraph that this deployment does not have.",
            "Deploy the subgraph or mend the reference, then replay.",
        ),
        "subgraph_resume_failed": Meaning(
            "The run could not go on after its child run.",
            "Open the child run and see how it ended.",
        ),
        "join_deadlock": Meaning(
            "Branches wait at a join for others that can no longer arrive.",
            "See which branch never reached the join; the graph needs a change.",
        ),
    }
)
"""`failure_state.reason` -> what it means."""

ENDINGS: Final[Mapping[str, Meaning]] = MappingProxyType(
    {
        "no_outgoing_edges": Meaning(
            "The run ended at a node without outgoing edges: the graph's regular end.", ""
        ),
        "branch_suppressed": Meaning(
            "The run ended because no edge was taken: every condition was false or suppressed.",
            "See the conditions if it was meant to go on.",
        ),
    }
)
"""`metadata.terminal_reason` of runs that completed -> what it means."""

SUPPRESSIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "visit_limit": "visit limit reached: the condition matched, and the edge was used up",
        "edge_disabled": "the edge is disabled in the graph",
    }
)
"""`details.suppression_reason` of an edge that was not taken -> why, in words."""


def explain(reason: str | None) -> Meaning:
    """Return what a failure reason means; an unknown one is named as stored."""
    if reason is None:
        return Meaning("No reason is stored.", "")
    known = FAILURES.get(reason)
    unknown = f"{text.line(reason)}: a reason that this version does not know."
    return known or Meaning(unknown, "")


def explain_ending(reason: str) -> Meaning:
    """Return what a terminal reason means; an unknown one is named as stored."""
    known = ENDINGS.get(reason)
    return known or Meaning(f"The run ended: {text.line(reason)}.", "")


def explain_suppression(reason: str) -> str:
    """Return why an edge was suppressed; an unknown reason is shown as stored."""
    return SUPPRESSIONS.get(reason) or text.line(reason)
