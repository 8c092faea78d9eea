"""What can be done to one or several runs: their offers put together, each with who is left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from zeroth_store.actions import ACTS, Act, Offer, Standing
from zeroth_store.status import RunStatus
from zeroth_store.summaries import RunKey
from zeroth_tui.status import look

GONE = "the run is no longer stored"
"""Why nothing can be done to a run without a standing."""


class Candidate(NamedTuple):
    """A run that somebody wants to act on, as it stood when they asked."""

    key: RunKey
    standing: Standing | None
    """None when the run is gone."""
    offers: tuple[Offer, ...] = ()


class Counted(NamedTuple):
    """A sentence, and of how many runs it is true."""

    words: str
    runs: int


class Eligible(NamedTuple):
    """A run that an act can be done to, and its own offer of that act."""

    key: RunKey
    standing: Standing
    offer: Offer


class Choice(NamedTuple):
    """One act, with the runs it can be done to and the reasons why it cannot to the others."""

    act: Act
    to: RunStatus | None
    eligible: tuple[Eligible, ...]
    skipped: tuple[Counted, ...]
    """The reasons, the most frequent first."""

    @property
    def selected(self) -> int:
        """How many runs it was asked of."""
        return len(self.eligible) + sum(reason.runs for reason in self.skipped)

    @property
    def warnings(self) -> tuple[Counted, ...]:
        """What is to be known before it is done, the most frequent first."""
        return _counted(words for run in self.eligible for words in run.offer.warnings)


def choices(candidates: Sequence[Candidate]) -> tuple[Choice, ...]:
    """Return every act that any of the runs offers, the acts in the order of ACTS."""
    offered = [{(offer.act, offer.to): offer for offer in run.offers} for run in candidates]
    found = {what for one in offered for what in one}
    return tuple(
        _choice(
            act,
            to,
            [(run, one.get((act, to))) for run, one in zip(candidates, offered, strict=True)],
        )
        for act in ACTS
        for to in (None, *RunStatus)
        if (act, to) in found
    )


def _choice(
    act: Act, to: RunStatus | None, runs: Iterable[tuple[Candidate, Offer | None]]
) -> Choice:
    eligible: list[Eligible] = []
    reasons: list[str] = []
    for run, offer in runs:
        if run.standing is None:
            reasons.append(GONE)
        elif offer is None:
            reasons.append(_not_offered(to, run.standing))
        elif not offer.allowed:
            reasons.append(offer.refusal)
        else:
            eligible.append(Eligible(run.key, run.standing, offer))
    return Choice(act, to, tuple(eligible), _counted(reasons))


def _not_offered(to: RunStatus | None, standing: Standing) -> str:
    word = look(standing.status).word
    return f"it is {word} already" if standing.status == to else f"not offered while it is {word}"


def _counted(sentences: Iterable[str]) -> tuple[Counted, ...]:
    return tuple(Counted(words, runs) for words, runs in Counter(sentences).most_common())
