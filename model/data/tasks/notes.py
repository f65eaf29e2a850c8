"""Lecture notes: short English and French sentences, few enough to be learned in minutes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import cycle

from model.data.pairs.pair_files import Pair
from model.data.tasks.grammar.adjectives import ADJECTIVES
from model.data.tasks.grammar.noun_phrases import Subject, pronouns
from model.data.tasks.grammar.spelling import joined
from model.data.tasks.grammar.verb_groups import Manner, be_group, clitics, verb_group
from model.data.tasks.grammar.verbs import HAVE, INTRANSITIVE, SOCIAL
from model.data.tasks.grammar.words import French, Phrase

FIRST = (
    ("go .", "va !"),
    ("i lost .", "j'ai perdu ."),
    ("he's calm .", "il est calme ."),
    ("i'm home .", "je suis chez moi ."),
)

# English | French
_BY_HAND = """
run . | cours !
stop . | arrête !
wait . | attends !
listen . | écoute !
look . | regarde !
sit . | assieds-toi !
sleep . | dors !
eat . | mange !
drink . | bois !
sing . | chante !
dance . | danse !
speak . | parle !
work . | travaille !
play . | joue !
swim . | nage !
help . | à l'aide !
fire . | au feu !
jump . | saute !
try . | essaie !
stay . | reste !
leave . | pars !
come . | viens !
come in . | entre !
come here . | viens ici !
come back . | reviens !
come home . | rentre !
go home . | rentre chez toi !
go on . | continue !
go now . | va maintenant !
get up . | lève-toi !
wake up . | réveille-toi !
hurry up . | dépêche-toi !
be calm . | sois calme !
be good . | sois sage !
be happy . | sois heureux !
help me . | aide-moi !
help us . | aide-nous !
help him . | aide-le !
help her . | aide-la !
call me . | appelle-moi !
call us . | appelle-nous !
call him . | appelle-le !
call her . | appelle-la !
follow me . | suis-moi !
follow us . | suis-nous !
look at me . | regarde-moi !
look at us . | regarde-nous !
wait for me . | attends-moi !
wait for us . | attends-nous !
listen to me . | écoute-moi !
listen to us . | écoute-nous !
let's go . | allons-y !
let's eat . | mangeons !
let's sing . | chantons !
let's dance . | dansons !
let's play . | jouons !
let's run . | courons !
let's wait . | attendons !
let's work . | travaillons !
don't cry . | ne pleure pas !
don't go . | n'y va pas !
don't run . | ne cours pas !
don't speak . | ne parle pas !
don't wait . | n'attends pas !
don't laugh . | ne ris pas !
don't work . | ne travaille pas !
hello . | bonjour !
thank you . | merci !
good night . | bonne nuit !
good morning . | bonjour !
welcome . | bienvenue !
yes . | oui .
no . | non .
never . | jamais !
me too . | moi aussi .
not now . | pas maintenant .
not here . | pas ici .
not me . | pas moi .
of course . | bien sûr !
no problem . | pas de problème .
who ? | qui ?
where ? | où ?
when ? | quand ?
why ? | pourquoi ?
why me ? | pourquoi moi ?
who is it ? | qui est-ce ?
where are you ? | où es-tu ?
where is he ? | où est-il ?
where is she ? | où est-elle ?
who are you ? | qui es-tu ?
who is he ? | qui est-il ?
who is she ? | qui est-elle ?
how are you ? | comment vas-tu ?
how is he ? | comment va-t-il ?
how is she ? | comment va-t-elle ?
it's me . | c'est moi .
it's him . | c'est lui .
it's us . | c'est nous .
it's you . | c'est toi .
it's cold . | il fait froid .
it's hot . | il fait chaud .
it's late . | il est tard .
it's here . | c'est ici .
it's easy . | c'est facile .
it's good . | c'est bon .
it's true . | c'est vrai .
i see . | je vois .
i know . | je sais .
i don't know . | je ne sais pas .
i see it . | je le vois .
i want it . | je le veux .
i like it . | j'aime ça .
i try . | j'essaie .
i'm going . | j'y vais .
i'm coming . | j'arrive .
i'm from here . | je suis d'ici .
i have a cat . | j'ai un chat .
i have a dog . | j'ai un chien .
he has a cat . | il a un chat .
he has a dog . | il a un chien .
she has a cat . | elle a un chat .
she has a dog . | elle a un chien .
we have a cat . | nous avons un chat .
we have a dog . | nous avons un chien .
"""

_ADJECTIVES = (
    "calm", "happy", "sad", "tired", "rich", "shy", "polite", "patient", "jealous", "young", "old", "tall",
    "french", "english", "italian",
)  # fmt: skip
# What one is in English and has in French.
_HAVING = (
    ("hungry", "faim"), ("thirsty", "soif"), ("cold", "froid"), ("hot", "chaud"), ("right", "raison"),
    ("wrong", "tort"), ("afraid", "peur"), ("sleepy", "sommeil"),
)  # fmt: skip
_PAST = (
    ("lost", "perdu"), ("won", "gagné"), ("tried", "essayé"), ("understood", "compris"), ("paid", "payé"),
    ("ate", "mangé"), ("forgot", "oublié"), ("agreed", "accepté"),
)  # fmt: skip
_DEEDS = ("sleep", "work", "sing", "cry", "run", "dance", "leave", "fall", "arrive")
_SOCIAL = ("see", "love", "help")
_CAN = ("peux", "peux", "peut", "pouvons", "peuvent")
_HOME = ("moi", "toi", "lui", "nous", "eux")
_SHORT = (
    ("i am", "i'm"), ("you are", "you're"), ("he is", "he's"), ("she is", "she's"), ("we are", "we're"),
    ("they are", "they're"), ("do not", "don't"), ("does not", "doesn't"),
)  # fmt: skip


def draw_notes(seed: int) -> Iterator[Pair]:
    """Yields all sentences in an order drawn from the seed, `FIRST` first; then all of them again.

    All is in lower case and the mark at the end is a word of its own. Each English sentence has one
    translation.
    """
    rest = [pair for pair in all_notes() if pair not in FIRST]
    random.Random(f"notes {seed}").shuffle(rest)
    return cycle((*FIRST, *rest))


def all_notes() -> tuple[Pair, ...]:
    """Every sentence once, in the order they are written in."""
    by_hand = [tuple(line.split(" | ")) for line in _BY_HAND.strip().splitlines()]
    found = dict(FIRST)
    for english, french in (*by_hand, *_of_pronouns()):
        found.setdefault(english, french)
    return tuple(found.items())


def _of_pronouns() -> Iterator[Pair]:
    for subject in pronouns():
        english, french = _text(subject.phrase)
        for is_, est in (*_states(subject), *_deeds(subject), *_to_somebody(subject)):
            yield _pair(f"{english} {is_}", f"{french} {est}")


def _pair(english: str, french: str) -> Pair:
    """Both sentences as they are written: `i'm calm .`, `j'ai faim .`"""
    for long, short in _SHORT:
        english = english.replace(f"{long} ", f"{short} ")
    words = joined([French(text) for text in french.split()])
    return f"{english} .", f"{' '.join(word.text for word in words)} .".replace("' ", "'")


def _states(subject: Subject) -> Iterator[Pair]:
    """`i am calm`, `i am home`, `i am hungry`"""
    be, etre = _text(be_group(subject, Manner()).phrase)
    for adjective in ADJECTIVES:
        if adjective.english in _ADJECTIVES:
            form = adjective.form(feminine=subject.feminine, plural=subject.plural)
            yield f"{be} {adjective.english}", f"{etre} {form}"
    home = "elle" if subject.feminine else _HOME[subject.person]
    for english, french in (("here", "ici"), ("late", "en retard"), ("home", f"chez {home}")):
        yield f"{be} {english}", f"{etre} {french}"
    for english, french in _HAVING:
        yield f"{be} {english}", f"{HAVE[subject.person]} {french}"


def _deeds(subject: Subject) -> Iterator[Pair]:
    """`he sleeps`, `he does not sleep`, `he slept`, `he can sleep`, `he lost`"""
    for verb in INTRANSITIVE:
        if verb.base in _DEEDS:
            for manner in (Manner(), Manner(denial="not"), Manner("past")):
                yield _text(verb_group(verb, subject, manner).phrase)
            yield f"can {verb.base}", f"{_CAN[subject.person]} {verb.infinitive}"
    for past, participle in _PAST:
        yield past, f"{HAVE[subject.person]} {participle}"


def _to_somebody(subject: Subject) -> Iterator[Pair]:
    """`he loves her`"""
    for verb in SOCIAL:
        if verb.base in _SOCIAL:
            for clitic in clitics(subject, direct=True):
                yield _text(verb_group(verb, subject, Manner(), clitic).phrase)


def _text(phrase: Phrase) -> Pair:
    return " ".join(word.text for word in phrase.english), " ".join(word.text for word in phrase.french)
