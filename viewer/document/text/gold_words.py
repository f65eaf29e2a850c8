"""Words that gold links count, and which two words a cell joins."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterator
from weakref import WeakKeyDictionary

from model.alignment.hard import Rule, WordMap
from model.alignment.links import Gold, Link
from model.trace.trace import Trace

# The words of a trace under the gold links it was last asked with; goes with the trace.
_words: WeakKeyDictionary[Trace, dict[Hashable, WordMap]] = WeakKeyDictionary()


def words_of_gold(trace: Trace, gold: Gold | None) -> WordMap:
    """The words that links count; raises `HeadscopeError` as `WordMap.of`. Worked out once."""
    deque(finding_words(trace, gold), maxlen=0)
    return _words[trace][_key(gold)]


def finding_words(trace: Trace, gold: Gold | None) -> Iterator[None]:
    """Work them out in steps, where they are not known; raises `HeadscopeError` as `WordMap.of`."""
    known, key = _words.setdefault(trace, {}), _key(gold)
    if key not in known:
        words = yield from WordMap.steps(trace, gold)
        known.clear()
        known[key] = words
        known[" ".join(words.source), " ".join(words.target)] = words  # as links that name them say it


def _key(gold: Gold | None) -> Hashable:
    return (gold.source, gold.target) if gold is not None else ("", "")


def link_at(trace: Trace, gold: Gold | None, rule: Rule, query: int, key: int) -> Link | None:
    """The words that a cell of cross-attention joins; None where a start or end token is, or no word yet.

    Of several words in a piece, those that have most of it.

    Raises:
        HeadscopeError: as `WordMap.of` and `rows_of`.
    """
    words = words_of_gold(trace, gold)
    source, target = words.keys.main_word(key), words.word_at(rule, query)
    return None if source is None or target is None else (source, target)
