"""What changed between two checkpoints, in words."""

from __future__ import annotations

from zeroth_store.checkpoint_detail import CheckpointFacts, PartPath, StatePart
from zeroth_tui.views.checkpoint_changes import change_words


def facts(*parts: tuple[PartPath, StatePart]) -> CheckpointFacts:
    return CheckpointFacts(checkpoint_id="c", parts=dict(parts))


def items(name: str, count: int, digest: int | None = None) -> tuple[PartPath, StatePart]:
    return (name,), StatePart(count if digest is None else digest, count=count)


def value(*path: str, digest: int = 1, shown: str | None = None) -> tuple[PartPath, StatePart]:
    return path, StatePart(digest, shown=shown)


def test_growth_status_and_output_come_in_this_order() -> None:
    before = facts(items("execution_history", 1), value("status", digest=1, shown="RUNNING"))
    after = facts(
        items("execution_history", 3),
        items("condition_results", 1),
        value("status", digest=2, shown="COMPLETED"),
        value("final_output"),
    )
    assert change_words(before, after) == (
        "+2 history entries, +1 decision, status RUNNING → COMPLETED, final_output set"
    )


def test_what_shrinks_is_removed_or_changed_is_told() -> None:
    before = facts(items("execution_history", 5), value("error"), value("failure_state", digest=1))
    after = facts(items("execution_history", 4), value("failure_state", digest=2))
    assert change_words(before, after) == ("-1 history entry, failure_state changed, error removed")


def test_a_history_of_the_same_length_may_differ() -> None:
    before, after = (facts(items("execution_history", 2, digest=n)) for n in (7, 8))
    assert change_words(before, after) == "history entries rewritten"


def test_other_members_are_named_up_to_three() -> None:
    names = ("a", "b", "c", "d")
    before = facts(*(value("metadata", name, digest=1) for name in names))
    one = facts(*(value("metadata", name, digest=1 + (name == "a")) for name in names))
    after = facts(*(value("metadata", name, digest=2) for name in names))
    assert change_words(before, one) == "metadata.a changed"
    assert change_words(before, after) == "metadata.a, metadata.b, metadata.c and 1 more changed"


def test_what_is_new_in_every_checkpoint_is_no_change() -> None:
    def stamped(digest: int) -> CheckpointFacts:
        names = ("checkpoint_id", "parent_checkpoint_id", "updated_at", "metadata")
        return facts(*(value(name, digest=digest) for name in names))

    assert change_words(stamped(1), stamped(2)) == "no change"


def test_without_another_one_it_says_what_is_there() -> None:
    after = facts(
        items("execution_history", 1), value("status", shown="FAILED"), value("failure_state")
    )
    assert change_words(None, after) == "1 history entry, status FAILED, failure_state set"
    assert change_words(None, facts(items("execution_history", 0))) == "nothing has happened yet"


def test_of_an_agents_state_only_the_conversation_counts() -> None:
    def kept(messages: int) -> CheckpointFacts:
        return facts(
            value("metadata", "thread_state", digest=messages),
            (("metadata", "thread_state", "conversation"), StatePart(messages, count=messages)),
            value("run_id", digest=messages),
            value("status", shown="PENDING"),
        )

    assert change_words(kept(2), kept(4)) == "+2 messages"
    assert change_words(None, kept(2)) == "2 messages"


def test_stored_names_are_shown_harmless() -> None:
    words = change_words(facts(), facts(value("metadata", "\x1b[31m"), value("status", shown="\n")))
    assert "\x1b" not in words
    assert "\n" not in words
