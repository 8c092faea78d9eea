"""Which hint is shown: the first that fits, whose key works and was not used."""

from __future__ import annotations

from zeroth_tui.views.hints import HINTS, Seen, hint_words

IN_LIST, IN_RUN = Seen(True, False, False), Seen(True, True, False)
KEYS = {hint.command: hint.command.split(".")[1] for hint in HINTS}


def test_the_first_hint_is_to_go_into_the_run_or_its_failure() -> None:
    assert hint_words(IN_LIST, KEYS, frozenset()) == "open goes into the run"
    failed = IN_LIST._replace(failed=True)
    assert hint_words(failed, KEYS, frozenset()) == "open opens the failure"


def test_a_key_that_does_not_work_here_is_not_hinted_at() -> None:
    keys = {name: key for name, key in KEYS.items() if name != "list.open"}
    assert hint_words(IN_LIST, keys, frozenset()).startswith("filter ")


def test_each_used_key_makes_room_for_the_next_until_there_is_none() -> None:
    for seen in (IN_LIST, IN_RUN, Seen(False, False, False)):
        used: set[str] = set()
        shown: list[str] = []
        while words := hint_words(seen, KEYS, frozenset(used)):
            shown.append(words)
            used |= {name for name, key in KEYS.items() if words.startswith(f"{key} ")}
        fitting = [hint for hint in HINTS if hint.fits(seen)]
        assert len(shown) == len(fitting) == len(set(shown))
