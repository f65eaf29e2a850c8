"""Words that gold links count, and which two words a cell joins."""

from __future__ import annotations

from collections.abc import Hashable
from weakref import WeakKeyDictionary

from model.alignment.hard import Rule, WordMap
from model.alignment.links import Gold, Link
from model.trace.trace import Trace

# The words of a trace under the gold links it was last asked with; goes with the trace.
_words: WeakKeyDictionary[Trace, dict[Hashable, WordMap]] = WeakKeyDictionary()


def words_of_gold(trace: Trace, gold: Gold | None) -> WordMap:
    """The words that links count; raises `HeadscopeError` as `WordMap.of`. Worked out once."""
    key = (gold.source, gold.target) if gold is not None else ("", "")
    known = _words.setdefault(trace, {})
    if key not in known:
        known.clear()
        words = known[key] = WordMap.of(trace, gold)
        known[" ".join(words.source), " ".join(words.target)] = words  # as links that name them say it
    return known[key]


def link_at(trace: Trace, gold: Gold | None, rule: Rule, query: int, key: int) -> Link | None:
    """The words that a cell of cross-attention joins; None where a start or end token is, or no word yet.

    Of several words in a piece, those that have most of it.

    Raises:
        HeadscopeError: as `WordMap.of`.
    """
    words = words_of_gold(trace, gold)
    speaking = words.rows_of(rule)[:, query]
    if not speaking.any() or not words.keys[key].any():
        return None
    produced = words.produced[query - (rule == "reads")]
    return int(words.keys[key].argmax()), int((produced * speaking).argmax())
