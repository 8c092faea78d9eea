"""How a text that is looked for in payloads may be spelled in stored JSON."""

from __future__ import annotations

import json

from zeroth_store.ascii_case import lower
from zeroth_store.filters.terms import PayloadTerm


def payload_needles(term: PayloadTerm) -> tuple[str, ...]:
    r"""Return every spelling of a payload term's texts: as typed, and as JSON escapes them.

    Zeroth stores `ü` as `\u00fc`, other writers as it is. The needles are in lower ASCII case:
    look for each in lower-cased cells, and one that is found is enough.
    """
    spellings = (
        spelling
        for value in term.values
        for spelling in (
            value,
            json.dumps(value)[1:-1],
            json.dumps(value, ensure_ascii=False)[1:-1],
        )
    )
    return tuple(dict.fromkeys(map(lower, spellings)))
