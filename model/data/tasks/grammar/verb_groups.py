"""Verb groups: tense, negation, adverbs, pronouns, and their places in French."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.data.tasks.grammar.noun_phrases import PRONOUNS, Subject
from model.data.tasks.grammar.verbs import BE, GO, HAVE, WAS, Verb
from model.data.tasks.grammar.words import English, French, Phrase

Tense = Literal["present", "past", "future"]
Denial = Literal["", "not", "never"]

DENIED = {"not": "pas", "never": "jamais"}
OFTEN = {"often": "souvent", "always": "toujours"}


@dataclass(frozen=True)
class Manner:
    """How a clause is said.

    Attributes:
        often: an adverb of `OFTEN`, or "".
        question: a yes-no question.
    """

    tense: Tense = "present"
    denial: Denial = ""
    often: str = ""
    question: bool = False


@dataclass(frozen=True)
class Clitic:
    """A pronoun for an object: after the verb in English, in front of it in French.

    Attributes:
        direct: a participle agrees with it.
    """

    english: English
    french: French
    direct: bool
    feminine: bool
    plural: bool


def clitics(subject: Subject, *, direct: bool) -> list[Clitic]:
    """Every pronoun for an object other than the subject itself; each call makes them anew."""
    own = {0: (0, 3), 1: (1,), 3: (0, 3)}.get(subject.person, ()) if subject.pronoun else ()
    result = []
    for _, english, _, accusative, dative, person, feminine, plural in PRONOUNS:
        if person not in own:
            word = English(english)
            french = French(accusative if direct else dative, (word,))
            result.append(Clitic(word, french, direct, feminine, plural))
    return result


@dataclass
class VerbGroup:
    """A verb in its clause, apart where the languages put something between the parts.

    Attributes:
        fronted: what a question puts in front of the subject: does, is, was.
        asking: est-ce que, or nothing.
        phrase: the rest.
    """

    fronted: list[English]
    asking: list[French]
    phrase: Phrase


def clause(subject: Subject, group: VerbGroup, rest: Phrase, end: str) -> Phrase:
    """Subject, verb and the rest as a sentence with its mark at the end."""
    mark = English(end)
    return Phrase(
        [*group.fronted, *subject.phrase.english, *group.phrase.english, *rest.english, mark],
        [*group.asking, *subject.phrase.french, *group.phrase.french, *rest.french, French(end, (mark,))],
    )


def verb_group(verb: Verb, subject: Subject, manner: Manner, clitic: Clitic | None = None) -> VerbGroup:
    """A verb other than be.

    An English auxiliary renders the French finite verb, and in a question est-ce que besides; `not` and
    `never` render both halves of the negation; a preposition that belongs to the verb renders the verb.
    """
    deny = [English(manner.denial)] if manner.denial else []
    often = [English(manner.often)] if manner.often else []
    auxiliary, main = _english(verb, subject, manner)
    particle = [English(verb.particle)] if verb.particle else []
    content = (*main, *particle)
    if manner.tense == "present":
        before, after = [French(verb.present[subject.person], (*auxiliary, *content))], []
    elif manner.tense == "past":
        helper = BE if verb.perfect_with_be else HAVE
        # "ate" is both a mangé; in "did eat" each word has its own.
        finite = French(helper[subject.person], tuple(auxiliary) or tuple(main))
        before, after = [finite], [French(_participle(verb, subject, clitic), content)]
    else:
        before = [French(GO[subject.person], tuple(auxiliary))]
        after = [French(verb.infinitive, content)]
    pronoun = [clitic.french] if clitic else []
    if manner.tense == "future":
        after = [*pronoun, *after]
    else:
        before = [*pronoun, *before]
    adverbs = [French(OFTEN[word.text], (word,)) for word in often]
    french = [*_negated(deny, before), *adverbs, *after]
    fronted = auxiliary[:1] if manner.question else []
    helpers = auxiliary[1:] if manner.question else auxiliary
    object_ = [clitic.english] if clitic else []
    english = [*helpers[:1], *deny, *often, *helpers[1:], *main, *particle, *object_]
    return VerbGroup(fronted, _asking(fronted), Phrase(english, french))


def be_group(subject: Subject, manner: Manner) -> VerbGroup:
    """The verb be in the present, or in the past (the French imparfait)."""
    past = manner.tense == "past"
    forms = ("was", "were", "was", "were", "were") if past else ("am", "are", "is", "are", "are")
    be = English(forms[subject.person])
    deny = [English(manner.denial)] if manner.denial else []
    often = [English(manner.often)] if manner.often else []
    finite = French((WAS if past else BE)[subject.person], (be,))
    adverbs = [French(OFTEN[word.text], (word,)) for word in often]
    fronted = [be] if manner.question else []
    english = [*deny, *often] if manner.question else [be, *deny, *often]
    return VerbGroup(fronted, _asking(fronted), Phrase(english, [*_negated(deny, [finite]), *adverbs]))


def _english(verb: Verb, subject: Subject, manner: Manner) -> tuple[list[English], list[English]]:
    """Auxiliaries (did; is going) and the main verb (eat; to eat)."""
    third = subject.person == 2
    if manner.tense == "future":
        be = ("am", "are", "is", "are", "are")[subject.person]
        return [English(be), English("going")], [English("to"), English(verb.base)]
    if manner.denial == "not" or manner.question:
        do = "did" if manner.tense == "past" else "does" if third else "do"
        return [English(do)], [English(verb.base)]
    text = verb.past if manner.tense == "past" else verb.third if third else verb.base
    return [], [English(text)]


def _participle(verb: Verb, subject: Subject, clitic: Clitic | None) -> str:
    """It agrees with the subject where être helps, with a direct object in front of it where avoir does."""
    if verb.perfect_with_be:
        return agreed(verb.participle, subject.feminine, subject.plural)
    if clitic and clitic.direct:
        return agreed(verb.participle, clitic.feminine, clitic.plural)
    return verb.participle


def agreed(participle: str, feminine: bool, plural: bool) -> str:
    """A participle with its endings; one that ends in s takes no second one."""
    text = participle + "e" * feminine
    return text if not plural or text.endswith("s") else text + "s"


def _negated(deny: list[English], finite: list[French]) -> list[French]:
    """ne … pas around the finite verb and its pronoun."""
    if not deny:
        return finite
    word = deny[0]
    return [French("ne", (word,)), *finite, French(DENIED[word.text], (word,))]


def _asking(fronted: list[English]) -> list[French]:
    return [French("est-ce", tuple(fronted)), French("que", tuple(fronted))] if fronted else []
