"""Sentences of the grammar, whole, drawn from a seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from model.alignment.links import Links
from model.data.pairs.pair_files import Pair
from model.data.tasks.grammar.adjectives import ADJECTIVES
from model.data.tasks.grammar.noun_phrases import Subject, noun_phrase, pronouns
from model.data.tasks.grammar.spelling import joined
from model.data.tasks.grammar.verb_groups import (
    Clitic,
    Denial,
    Manner,
    Tense,
    be_group,
    clause,
    clitics,
    verb_group,
)
from model.data.tasks.grammar.verbs import GIVING, INTRANSITIVE, MOVING, SOCIAL, TRANSITIVE, Verb
from model.data.tasks.grammar.words import English, French, Phrase, fixed

# When: English, French, links.
TIMES: dict[Tense, tuple[tuple[str, str, str], ...]] = {
    "present": (
        ("today", "aujourd'hui", "0-0"),
        ("now", "maintenant", "0-0"),
        ("every day", "tous les jours", "0-0 0-1 1-2"),
        ("in the morning", "le matin", "0-0 1-0 2-1"),
    ),
    "past": (
        ("yesterday", "hier", "0-0"),
        ("last night", "hier soir", "0-0 1-1"),
        ("this morning", "ce matin", "0-0 1-1"),
    ),
    "future": (
        ("tomorrow", "demain", "0-0"),
        ("tonight", "ce soir", "0-0 0-1"),
        ("next week", "la semaine prochaine", "0-2 1-0 1-1"),
    ),
}


def draw_grammar(seed: int) -> Iterator[Pair]:
    """Yields for ever English and French sentences, words separated by spaces; they may repeat.

    All is in lower case; the mark at the end is a word, and so is an elided l', j' or n'.
    """
    for phrase in _draw_phrases(seed):
        yield phrase.texts()


def draw_grammar_links(seed: int) -> Iterator[Links]:
    """Yields for ever the (source, target) places of words that render each other, of the same sentences."""
    for phrase in _draw_phrases(seed):
        yield phrase.links()


def _draw_phrases(seed: int) -> Iterator[Phrase]:
    draw = random.Random(f"grammar {seed}")
    kinds, weights = zip(*_SHAPES)
    while True:
        phrase = draw.choices(kinds, weights)[0](draw)
        yield Phrase(phrase.english, joined(phrase.french))


def _manner(draw: random.Random, *, state: bool = False, future: bool = True) -> Manner:
    tenses: tuple[Tense, ...] = ("present", "present", "past", "future") if future else ("present", "past")
    tense = "present" if state else draw.choice(tenses)
    if draw.random() < 0.12:
        return Manner(tense, question=True)
    chance = draw.random()
    denial: Denial = "not" if chance < 0.24 else "never" if chance < 0.32 else ""
    adverb = draw.random() < 0.12 and denial != "never" and tense != "future"
    return Manner(tense, denial, draw.choice(("often", "always")) if adverb else "")


def _end(manner: Manner) -> str:
    return "?" if manner.question else "."


def _subject(draw: random.Random, kinds: frozenset[str], *, definite: bool = False) -> Subject:
    if "person" in kinds and draw.random() < 0.4:
        return draw.choice(pronouns())
    if draw.random() < 0.12:
        return _with_relative(draw, kinds)
    return noun_phrase(draw, kinds, definite=definite)


def _with_relative(draw: random.Random, kinds: frozenset[str]) -> Subject:
    """`the girl who eats an apple`: the verb at its end agrees with the noun in front."""
    subject = noun_phrase(draw, kinds & {"person", "animal"}, definite=True, plain=True)
    fitting = [verb for verb in (*INTRANSITIVE, *TRANSITIVE) if verb.subjects & subject.kinds]
    verb = draw.choice(fitting)
    who = English("who" if "person" in subject.kinds else "that")
    rest = noun_phrase(draw, verb.objects, plain=True).phrase if verb.objects else Phrase()
    inner = Phrase([who], [French("qui", (who,))]) + verb_group(verb, subject, Manner()).phrase + rest
    subject.phrase = subject.phrase + inner
    return subject


def _time(draw: random.Random, verb: Verb, manner: Manner, chance: float = 0.25) -> Phrase:
    if verb.state or manner.often or manner.denial == "never" or draw.random() > chance:
        return Phrase()
    return fixed(*draw.choice(TIMES[manner.tense]))


def _being(draw: random.Random) -> Phrase:
    """`she is not tall.`"""
    subject = _subject(draw, frozenset({"person", "animal", "thing", "place", "food"}), definite=True)
    manner = _manner(draw, future=False)
    fitting = [adjective for adjective in ADJECTIVES if adjective.kinds & subject.kinds]
    if subject.kinds & {"mass"}:
        manner = Manner("present", manner.denial, "", manner.question)
    adjective = draw.choice(fitting)
    word = English(adjective.english)
    form = adjective.form(feminine=subject.feminine, plural=subject.plural)
    return clause(subject, be_group(subject, manner), Phrase([word], [French(form, (word,))]), _end(manner))


def _staying(draw: random.Random) -> Phrase:
    """`the keys are in the kitchen.`"""
    subject = _subject(draw, frozenset({"person", "animal", "kept"}), definite=True)
    manner = _manner(draw, future=False)
    return clause(subject, be_group(subject, manner), _inside(draw), _end(manner))


def _inside(draw: random.Random) -> Phrase:
    inside = English("in")
    place = noun_phrase(draw, {"inside"}, definite=True)
    return Phrase([inside], [French("dans", (inside,))]) + place.phrase


def _acting(draw: random.Random) -> Phrase:
    """`the boy sleeps in the garden.`"""
    verb = draw.choice(INTRANSITIVE)
    subject = _subject(draw, verb.subjects)
    manner = _manner(draw)
    rest = _inside(draw) if not verb.perfect_with_be and draw.random() < 0.25 else Phrase()
    rest = rest + _time(draw, verb, manner)
    return clause(subject, verb_group(verb, subject, manner), rest, _end(manner))


def _doing(draw: random.Random) -> Phrase:
    """`the girl does not eat the red apple.`"""
    verb = draw.choice((*TRANSITIVE, *TRANSITIVE, *SOCIAL))
    subject = _subject(draw, verb.subjects)
    manner = _manner(draw, state=verb.state)
    thing = noun_phrase(draw, verb.objects, denied=bool(manner.denial))
    rest = thing.phrase + _time(draw, verb, manner, 0.12)
    return clause(subject, verb_group(verb, subject, manner), rest, _end(manner))


def _doing_to_somebody(draw: random.Random) -> Phrase:
    """`the doctor helps her.`: the pronoun comes first in French, and a participle agrees with it."""
    verb = draw.choice(SOCIAL)
    subject = _subject(draw, verb.subjects)
    manner = _manner(draw, state=verb.state)
    group = verb_group(verb, subject, manner, _clitic(draw, subject, direct=True))
    return clause(subject, group, _time(draw, verb, manner), _end(manner))


def _clitic(draw: random.Random, subject: Subject, *, direct: bool) -> Clitic:
    return draw.choice(clitics(subject, direct=direct))


def _giving(draw: random.Random) -> Phrase:
    """`she gives the key to the king.`, `she gives him the key.`"""
    verb = draw.choice(GIVING)
    subject = _subject(draw, verb.subjects)
    manner = _manner(draw)
    gift = noun_phrase(draw, verb.objects, denied=bool(manner.denial))
    if draw.random() < 0.4:
        group = verb_group(verb, subject, manner, _clitic(draw, subject, direct=False))
        return clause(subject, group, gift.phrase + _time(draw, verb, manner, 0.1), _end(manner))
    to = English("to")
    receiver = noun_phrase(draw, {"person"}, definite=True)
    rest = gift.phrase + Phrase([to], [French("à", (to,))]) + receiver.phrase
    return clause(subject, verb_group(verb, subject, manner), rest, _end(manner))


def _moving(draw: random.Random) -> Phrase:
    """`we go to the market.`, `they came from the station.`"""
    verb = draw.choice(MOVING)
    subject = _subject(draw, verb.subjects)
    manner = _manner(draw)
    place = noun_phrase(draw, verb.objects, definite=True)
    group = verb_group(verb, subject, manner)
    # The English preposition is a word of its own here: à, de.
    preposition = group.phrase.english.pop()
    french = [
        French(word.text, tuple(own for own in word.of if own is not preposition))
        for word in group.phrase.french
    ]
    group.phrase = Phrase(group.phrase.english, french)
    towards = Phrase([preposition], [French("à" if preposition.text == "to" else "de", (preposition,))])
    return clause(subject, group, towards + place.phrase + _time(draw, verb, manner, 0.2), _end(manner))


def _doing_twice(draw: random.Random) -> Phrase:
    """`the boy takes the key and hides it.`: the pronoun has the gender of a noun further in front."""
    first = draw.choice(TRANSITIVE)
    subject = _subject(draw, frozenset({"person"}))
    thing = noun_phrase(draw, first.objects - {"person", "animal", "place", "kin"})
    fitting = [
        verb for verb in TRANSITIVE if verb.objects & thing.kinds and verb is not first and not verb.state
    ]
    second = draw.choice(fitting)
    it = English("them" if thing.plural else "it")
    text = "les" if thing.plural else "la" if thing.feminine else "le"
    clitic = Clitic(it, French(text, (it,)), True, thing.feminine, thing.plural)
    and_ = English("and")
    rest = thing.phrase + Phrase([and_], [French("et", (and_,))])
    rest = rest + verb_group(second, subject, Manner(), clitic).phrase
    return clause(subject, verb_group(first, subject, Manner()), rest, ".")


_SHAPES: tuple[tuple[Callable[[random.Random], Phrase], int], ...] = (
    (_being, 20),
    (_staying, 6),
    (_acting, 14),
    (_doing, 26),
    (_doing_to_somebody, 10),
    (_giving, 8),
    (_moving, 8),
    (_doing_twice, 8),
)
