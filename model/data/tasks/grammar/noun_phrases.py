"""Noun phrases: articles and other determiners, adjectives on either side, owners, and pronouns."""

from __future__ import annotations

import random
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from model.data.tasks.grammar.adjectives import ADJECTIVES, Adjective
from model.data.tasks.grammar.nouns import NOUNS, Noun
from model.data.tasks.grammar.spelling import article, begins_with_vowel
from model.data.tasks.grammar.words import English, French, Phrase


@dataclass(slots=True)
class Subject:
    """A phrase and what agrees with it.

    Attributes:
        person: place in `model.data.tasks.grammar.verbs.PERSONS`.
        kinds: of the noun; a pronoun is a person.
    """

    phrase: Phrase
    person: int
    feminine: bool
    plural: bool
    kinds: AbstractSet[str] = field(default_factory=frozenset)
    pronoun: bool = False


# English subject and object; French subject, direct and indirect object; person, feminine, plural. Where
# English does not tell, French is masculine, and "you" is one friend.
PRONOUNS = (
    ("i", "me", "je", "me", "me", 0, False, False),
    ("you", "you", "tu", "te", "te", 1, False, False),
    ("he", "him", "il", "le", "lui", 2, False, False),
    ("she", "her", "elle", "la", "lui", 2, True, False),
    ("we", "us", "nous", "nous", "nous", 3, False, True),
    ("they", "them", "ils", "les", "leur", 4, False, True),
)

# English: masculine, feminine, plural in French.
DETERMINERS = {
    "the": ("le", "la", "les"),
    "this": ("ce", "cette", ""),
    "these": ("", "", "ces"),
    "my": ("mon", "ma", "mes"),
    "your": ("ton", "ta", "tes"),
    "his": ("son", "sa", "ses"),
    "her": ("son", "sa", "ses"),
    "our": ("notre", "notre", "nos"),
    "their": ("leur", "leur", "leurs"),
    "a": ("un", "une", ""),
    "some": ("", "", "des"),
    "two": ("", "", "deux"),
    "three": ("", "", "trois"),
    "four": ("", "", "quatre"),
    "five": ("", "", "cinq"),
}
# Said of these nouns in French it would be another: grand-père.
MISLEADING = {("tall", "father"), ("tall", "mother")}
OWNERS = ("my", "your", "his", "her", "our", "their")
# These come last in English: a small red car, an old French book.
COLOURS = {"red", "green", "blue", "black", "white", "grey", "yellow", "french", "italian", "english"}

BY_KIND = {kind: tuple(noun for noun in NOUNS if kind in noun.kinds) for noun in NOUNS for kind in noun.kinds}


def pronouns() -> list[Subject]:
    """Every pronoun as the subject; each call makes them anew."""
    result = []
    for english, _, french, _, _, person, feminine, plural in PRONOUNS:
        word = English(english)
        phrase = Phrase([word], [French(french, (word,))])
        result.append(Subject(phrase, person, feminine, plural, frozenset({"person"}), pronoun=True))
    return result


def noun_phrase(
    draw: random.Random,
    kinds: AbstractSet[str],
    *,
    denied: bool = False,
    definite: bool = False,
    plain: bool = False,
) -> Subject:
    """A noun of one of `kinds` with what stands around it.

    Args:
        denied: it is the object of a negated verb: "a", "some" and "any" become de.
        definite: no "a" and no "some".
        plain: one determiner and the noun, no more.
    """
    noun = draw.choice(BY_KIND[draw.choice(sorted(kinds))])
    plural = bool(noun.plural) and draw.random() < 0.35
    own = not (plain or noun.mass) and ("person" not in noun.kinds or "kin" in noun.kinds)
    owner = _owner(draw) if own and draw.random() < 0.08 else None
    adjectives = [] if plain else _adjectives(draw, noun)
    determiner = "the" if owner else _determiner(draw, noun, plural, definite)
    words = [English(adjective.english) for adjective in adjectives]
    head = English(noun.plural if plural else noun.english)
    core = _core(noun, plural, list(zip(adjectives, words)), head)
    if owner:
        phrase = _owned(owner, core, words, head, noun, plural)
    else:
        phrase = _determined(determiner, core, words, head, noun, plural, denied)
    return Subject(phrase, 4 if plural else 2, noun.feminine, plural, noun.kinds)


def _adjectives(draw: random.Random, noun: Noun) -> list[Adjective]:
    """None, one, or two of which the second is a colour or a nationality."""
    fitting = [
        adjective
        for adjective in ADJECTIVES
        if adjective.kinds & noun.kinds and (adjective.english, noun.english) not in MISLEADING
    ]
    amount = draw.random()
    if amount < 0.5 or not fitting:
        return []
    chosen = draw.choice(fitting)
    late = [adjective for adjective in fitting if adjective.english in COLOURS]
    if amount < 0.9 or not chosen.first or not late:
        return [chosen]
    return [chosen, draw.choice(late)]


def _determiner(draw: random.Random, noun: Noun, plural: bool, definite: bool) -> str:
    if draw.random() < (0.6 if "kin" in noun.kinds else 0.0 if "person" in noun.kinds else 0.2):
        return draw.choice(OWNERS)
    if noun.mass:
        return draw.choice(("the", "the", "this") if definite else ("the", "some", "some", "this"))
    if plural:
        few = ("the", "the", "the", "these", "two", "three", "four", "five")
        return draw.choice(few if definite else (*few, "some", "some", "some", "many"))
    return draw.choice(
        ("the", "the", "this") if definite or not noun.plural else ("the", "the", "this", "a", "a")
    )


def _core(
    noun: Noun, plural: bool, adjectives: list[tuple[Adjective, English]], head: English
) -> list[French]:
    """The noun with its adjectives, before and after it."""
    text = noun.french_plural if plural else noun.french
    before: list[French] = []
    after: list[French] = []
    for adjective, word in adjectives:
        form = adjective.form(feminine=noun.feminine, plural=plural)
        if adjective.first and not plural and not noun.feminine and begins_with_vowel(text):
            form = adjective.before_vowel
        (before if adjective.first else after).append(French(form, (word,)))
    return [*before, French(text, (head,)), *after]


def _determined(
    determiner: str,
    core: list[French],
    words: list[English],
    head: English,
    noun: Noun,
    plural: bool,
    denied: bool,
) -> Phrase:
    text = determiner
    if denied and determiner == "some":
        text = "any"
    elif determiner == "a":
        text = article(words[0].text if words else head.text)
    word = English(text)
    adjective_first = core[0].text not in (noun.french, noun.french_plural)
    return Phrase(
        [word, *words, head],
        [
            *(French(part, (word,)) for part in _french(determiner, noun, plural, denied, adjective_first)),
            *core,
        ],
    )


def _french(determiner: str, noun: Noun, plural: bool, denied: bool, adjective_first: bool) -> list[str]:
    """The determiner in French: one word, or two."""
    if denied and determiner in ("a", "some"):
        return ["de"]
    if determiner == "many":
        return ["beaucoup", "de"]
    if determiner == "some" and noun.mass:
        return ["de", "la" if noun.feminine else "le"]
    if determiner == "some" and adjective_first:
        return ["de"]  # de petits chats
    return [DETERMINERS[determiner][2 if plural else noun.feminine]]


def _owner(draw: random.Random) -> tuple[list[English], list[French]]:
    """A person in English and French: the king, my sister."""
    noun = draw.choice(BY_KIND["person"])
    kin = "kin" in noun.kinds
    determiner = English(draw.choice(OWNERS) if kin and draw.random() < 0.7 else draw.choice(("the", "this")))
    head = English(noun.english)
    article = DETERMINERS[determiner.text][noun.feminine]
    return [determiner, head], [French(article, (determiner,)), French(noun.french, (head,))]


def _owned(
    owner: tuple[list[English], list[French]],
    core: list[French],
    words: list[English],
    head: English,
    noun: Noun,
    plural: bool,
) -> Phrase:
    """`the king 's cat`: le chat du roi; the article and de both render the 's."""
    own = English("'s")
    article = French(DETERMINERS["the"][2 if plural else noun.feminine], (own,))
    english, french = owner
    return Phrase([*english, own, *words, head], [article, *core, French("de", (own,)), *french])
