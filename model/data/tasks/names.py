"""Names: sentences of the grammar about two people with names; some names are never in a sentence.

Nothing agrees with a name, so that an unseen one tells all that its translation takes: itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from model.alignment.links import Links
from model.data.pairs.pair_files import Pair
from model.data.tasks.grammar.noun_phrases import Subject, noun_phrase
from model.data.tasks.grammar.spelling import joined
from model.data.tasks.grammar.verb_groups import Denial, Manner, Tense, clause, verb_group
from model.data.tasks.grammar.verbs import GIVING, SOCIAL, Verb
from model.data.tasks.grammar.words import English, French, Phrase

# None begins with a vowel: whether `que` is `qu'` before a word can be told from its letters alone.
_FIRST = """
bal bel bor cal cor dal dan del dor fal fen gal gar jan jor kal kel lan lor mal mar mel mir nal nor pal per
ral ren sal sor tal tor val ver wil zan
"""
_LAST = "a ana ando ara el en eo ia ian ina io is o on or una us"
_WORDS = {"melon", "salon"}  # of other sentences
_EACH_UNSEEN = 6  # one name in so many

_NAMES = [first + last for first in _FIRST.split() for last in _LAST.split() if first + last not in _WORDS]
UNSEEN = tuple(_NAMES[::_EACH_UNSEEN])
KNOWN = tuple(name for name in _NAMES if name not in UNSEEN)


def draw_names(seed: int, names: Sequence[str] = KNOWN) -> Iterator[Pair]:
    """Yields for ever English sentences about people of these names, and French ones; they may repeat."""
    for phrase in _draw_phrases(seed, names):
        yield phrase.texts()


def draw_name_links(seed: int) -> Iterator[Links]:
    """Yields for ever the (source, target) places of words that render each other, of the same sentences."""
    for phrase in _draw_phrases(seed, KNOWN):
        yield phrase.links()


def _draw_phrases(seed: int, names: Sequence[str]) -> Iterator[Phrase]:
    draw = random.Random(f"names {seed}")
    while True:
        shape = draw.choice(_SHAPES)
        one, other = draw.sample(names, 2)
        phrase = shape(draw, one, other)
        yield Phrase(phrase.english, joined(phrase.french))


def _named(name: str) -> Phrase:
    word = English(name)
    return Phrase([word], [French(name, (word,))])


def _clause(draw: random.Random, name: str, verb: Verb, rest: Callable[[Manner], Phrase]) -> Phrase:
    tense: Tense = "present" if verb.state else draw.choice(("present", "past", "future"))
    denial: Denial = "not" if draw.random() < 0.2 else ""
    manner = Manner(tense, denial, question=draw.random() < 0.2)
    subject = Subject(_named(name), 2, False, False, frozenset({"person"}))
    group = verb_group(verb, subject, manner)
    return clause(subject, group, rest(manner), "?" if manner.question else ".")


def _meeting(draw: random.Random, one: str, other: str) -> Phrase:
    """`anna does not help ben .`"""
    return _clause(draw, one, draw.choice(SOCIAL), lambda manner: _named(other))


def _giving(draw: random.Random, one: str, other: str) -> Phrase:
    """`anna gives the key to ben .`"""
    verb = draw.choice(GIVING)

    def rest(manner: Manner) -> Phrase:
        to = English("to")
        gift = noun_phrase(draw, verb.objects, denied=bool(manner.denial), plain=True)
        return gift.phrase + Phrase([to], [French("à", (to,))]) + _named(other)

    return _clause(draw, one, verb, rest)


_SHAPES = (_meeting, _giving)
