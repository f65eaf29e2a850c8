from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import pytest

from model.alignment.links import Links
from model.data.pairs.pair_files import Pair
from model.data.tasks import TASKS
from model.data.tasks.grammar.noun_phrases import Subject, pronouns
from model.data.tasks.grammar.spelling import joined
from model.data.tasks.grammar.verb_groups import Manner, be_group, clause, clitics, verb_group
from model.data.tasks.grammar.verbs import GIVING, INTRANSITIVE, SOCIAL, TRANSITIVE, Verb
from model.data.tasks.grammar.words import French, Phrase, fixed

GRAMMAR = TASKS["grammar"]
COUNT = 15_000

# Written down apart from the grammar's own tables.
MASCULINE = {
    "garçon", "homme", "roi", "médecin", "oncle", "cheval", "oiseau", "livre", "arbre", "œuf", "gâteau",
    "pain", "lait", "jardin", "hôtel",
}  # fmt: skip
FEMININE = {
    "fille", "femme", "reine", "tante", "souris", "lettre", "voiture", "pomme", "soupe", "eau", "maison",
    "école", "gare", "poule", "chemise",
}  # fmt: skip
PARTICIPLES_WITH_BE = ("arrivé", "parti", "tombé", "resté", "revenu", "allé", "venu")
VOWELS = "aàâeéèêiîoôuûœ"
SILENT_H = ("homme", "hommes", "horloge", "horloges", "hôtel", "hôtels", "hôpital", "hôpitaux")
ASPIRATED_H = ("hamster", "hamsters", "haricot", "haricots", "héros")


@cache
def sentences() -> list[Pair]:
    return list(GRAMMAR.pairs(COUNT, 11))


@cache
def links() -> list[Links]:
    return list(GRAMMAR.links(COUNT, 11))


def subject(english: str) -> Subject:
    return next(one for one in pronouns() if one.phrase.english[0].text == english)


def verb(base: str, particle: str = "") -> Verb:
    verbs = (*TRANSITIVE, *SOCIAL, *GIVING, *INTRANSITIVE)
    return next(one for one in verbs if (one.base, one.particle) == (base, particle))


def said(who: str, what: Verb, manner: Manner, whom: str = "", *, direct: bool = True) -> Pair:
    doer = subject(who)
    found = [one for one in clitics(doer, direct=direct) if one.english.text == whom]
    group = verb_group(what, doer, manner, found[0] if whom else None)
    phrase = clause(doer, group, Phrase(), "?" if manner.question else ".")
    return written(phrase)


def written(phrase: Phrase) -> Pair:
    english = " ".join(word.text for word in phrase.english)
    return english, " ".join(word.text for word in joined(phrase.french))


SENTENCES = [
    ("i eat .", "je mange .", "i", verb("eat"), Manner()),
    ("we eat .", "nous mangeons .", "we", verb("eat"), Manner()),
    ("she buys .", "elle achète .", "she", verb("buy"), Manner()),
    ("we buy .", "nous achetons .", "we", verb("buy"), Manner()),
    ("they called .", "ils ont appelé .", "they", verb("call"), Manner("past")),
    ("i do not open .", "je n' ouvre pas .", "i", verb("open"), Manner(denial="not")),
    ("i listen to .", "j' écoute .", "i", verb("listen", "to"), Manner()),
    ("she did not leave .", "elle n' est pas partie .", "she", verb("leave"), Manner("past", "not")),
    ("they fell .", "ils sont tombés .", "they", verb("fall"), Manner("past")),
    ("we never slept .", "nous n' avons jamais dormi .", "we", verb("sleep"), Manner("past", "never")),
    (
        "he does not always work .",
        "il ne travaille pas toujours .",
        "he",
        verb("work"),
        Manner("present", "not", "always"),
    ),
    ("you often sang .", "tu as souvent chanté .", "you", verb("sing"), Manner("past", "", "often")),
    ("she is not going to run .", "elle ne va pas courir .", "she", verb("run"), Manner("future", "not")),
    ("did i arrive ?", "est-ce que je suis arrivé ?", "i", verb("arrive"), Manner("past", question=True)),
]
WITH_OBJECTS = [
    ("he did not see her .", "il ne l' a pas vue .", "he", verb("see"), Manner("past", "not"), "her"),
    ("he saw them .", "il les a vus .", "he", verb("see"), Manner("past"), "them"),
    ("you help me .", "tu m' aides .", "you", verb("help"), Manner(), "me"),
    (
        "they are going to wait for us .",
        "ils vont nous attendre .",
        "they",
        verb("wait", "for"),
        Manner("future"),
        "us",
    ),
    (
        "does she know you ?",
        "est-ce qu' elle te connaît ?",
        "she",
        verb("know"),
        Manner(question=True),
        "you",
    ),
]


@pytest.mark.parametrize(("english", "french", "who", "what", "manner"), SENTENCES)
def test_verbs_by_hand(english: str, french: str, who: str, what: Verb, manner: Manner) -> None:
    assert said(who, what, manner) == (english, french)


@pytest.mark.parametrize(("english", "french", "who", "what", "manner", "whom"), WITH_OBJECTS)
def test_objects_by_hand(english: str, french: str, who: str, what: Verb, manner: Manner, whom: str) -> None:
    assert said(who, what, manner, whom) == (english, french)


def test_receivers_by_hand() -> None:
    gave = said("she", verb("give"), Manner("past"), "him", direct=False)
    assert gave == ("she gave him .", "elle lui a donné .")
    never = said("we", verb("show"), Manner(denial="never"), "them", direct=False)
    assert never == ("we never show them .", "nous ne leur montrons jamais .")


def test_be_by_hand() -> None:
    cases = {
        ("i", "present"): ("i am .", "je suis ."),
        ("i", "past"): ("i was .", "j' étais ."),
        ("they", "past"): ("they were .", "ils étaient ."),
    }
    for (who, tense), wanted in cases.items():
        doer = subject(who)
        manner = Manner("past" if tense == "past" else "present")
        assert written(clause(doer, be_group(doer, manner), Phrase(), ".")) == wanted
    doer = subject("she")
    denied = clause(doer, be_group(doer, Manner(denial="not")), fixed("tall", "grande", "0-0"), ".")
    assert written(denied) == ("she is not tall .", "elle n' est pas grande .")


def test_nobody_does_something_to_himself() -> None:
    for doer, refused in (("i", {"me", "us"}), ("you", {"you"}), ("we", {"me", "us"})):
        offered = {one.english.text for one in clitics(subject(doer), direct=True)}
        assert not offered & refused
        assert {"him", "her", "them"} <= offered


def test_what_neighbours_do_to_words() -> None:
    cases = {
        "le homme": "l' homme",
        "le hamster": "le hamster",
        "à le hôtel": "à l' hôtel",
        "à le roi": "au roi",
        "à les héros": "aux héros",
        "de le eau": "de l' eau",
        "de la eau": "de l' eau",
        "de le lait": "du lait",
        "de les rois": "des rois",
        "ma école": "mon école",
        "ce arbre": "cet arbre",
        "je ne aime pas": "je n' aime pas",
        "beaucoup de œufs": "beaucoup d' œufs",
        "est-ce que elle la écoute": "est-ce qu' elle l' écoute",
    }
    for before, after in cases.items():
        assert " ".join(word.text for word in joined([French(text) for text in before.split()])) == after


def test_many_sentences_and_one_translation_each() -> None:
    found: dict[str, str] = {}
    for english, french in sentences():
        assert found.setdefault(english, french) == french
    assert len(found) > 0.85 * COUNT


def test_sentences_are_words_in_lower_case() -> None:
    for pair in sentences():
        for text in pair:
            assert text == text.lower()
            assert re.fullmatch(r"[a-zàâçéèêîôûœ'-]+( [a-zàâçéèêîôûœ'-]+)* [.?]", text), text


def begins_with_vowel(word: str) -> bool:
    return word[0] in VOWELS or word in SILENT_H


def test_elision_and_contraction_everywhere() -> None:
    elided = {"l'", "j'", "n'", "d'", "m'", "t'", "qu'"}
    whole = {"le", "la", "je", "ne", "de", "me", "te", "que", "ma", "ta", "sa", "ce"}
    seen = set()
    for _, french in sentences():
        words = french.split(" ")
        for word, after in pairwise(words):
            if word in elided:
                assert begins_with_vowel(after), french
                seen.add(word)
            elif word in whole:
                assert not begins_with_vowel(after), french
            elif word in ("cet", "bel", "vieil", "nouvel"):
                assert begins_with_vowel(after), french
                seen.add(word)
            assert (word, after) not in {("à", "le"), ("à", "les"), ("de", "le"), ("de", "les")}, french
            if after in ASPIRATED_H:
                assert word not in elided, french
    assert seen == elided | {"cet", "bel", "vieil", "nouvel"}


def test_articles_have_the_gender_of_their_noun() -> None:
    masculine, feminine = {"le", "un", "ce", "cet"}, {"la", "une", "cette"}
    seen = set()
    for _, french in sentences():
        words = french.split(" ")
        for word, after in pairwise(words):
            if after in MASCULINE and word in masculine | feminine:
                assert word in masculine, french
                seen.add(after)
            if after in FEMININE and word in masculine | feminine:
                assert word in feminine, french
                seen.add(after)
    assert len(seen) > 25


def test_denial() -> None:
    denied = 0
    for english, french in sentences():
        words = french.split(" ")
        amount = sum(word in ("not", "never") for word in english.split(" "))
        assert amount == sum(word in ("pas", "jamais") for word in words)
        assert amount == sum(word in ("ne", "n'") for word in words)
        denied += amount
        if re.search(r"\bany\b", english):
            assert re.search(r"\b(pas|jamais)\b.* (de|d') ", french), (english, french)
    assert denied > COUNT / 10


def test_participles_with_be_agree_with_the_subject() -> None:
    pattern = re.compile(
        r"^(elle|il|ils|nous) (?:n' |ne )?(?:est|sont|sommes) (?:pas |jamais |souvent |toujours )?(\w+)"
    )
    endings = {"elle": "e", "il": "", "ils": "s", "nous": "s"}
    seen = set()
    for _, french in sentences():
        match = pattern.match(french)
        if match and any(match[2].startswith(stem) for stem in PARTICIPLES_WITH_BE):
            stem = next(stem for stem in PARTICIPLES_WITH_BE if match[2].startswith(stem))
            assert match[2] == stem + endings[match[1]], french
            seen.add(match[1])
    assert seen == set(endings)


def test_adjectives_stand_where_they_belong() -> None:
    for english, french in sentences():
        for words, order in (
            (("red", "car"), r"\bvoiture (\w+ )?rouge\b"),
            (("old", "friend"), r"\bvieil(le)? \w+\b"),
        ):
            if " ".join(words) in english and "cars" not in english and "friends" not in english:
                assert re.search(order, french), (english, french)


def test_links_say_what_renders_what() -> None:
    # English word: what it may be linked to.
    meanings = {
        "not": {"ne", "n'", "pas"}, "never": {"ne", "n'", "jamais"}, "red": {"rouge", "rouges"},
        "girl": {"fille"}, "apples": {"pommes"}, "often": {"souvent"}, "them": {"les", "leur"},
        "she": {"elle"}, "kings": {"rois"}, "at": {"regarde", "regardes", "regardons", "regardent", "regardé",
        "regardée", "regardés", "regarder"}, ".": {"."}, "?": {"?"}, "who": {"qui"}, "two": {"deux"},
    }  # fmt: skip
    seen = set()
    for (english, french), own in zip(sentences(), links()):
        words, rendered = english.split(" "), french.split(" ")
        assert {j for _, j in own} == set(range(len(rendered)))
        for i, j in own:
            if words[i] in meanings:
                assert rendered[j] in meanings[words[i]], (english, french)
                seen.add(words[i])
    assert seen == set(meanings)


def test_links_by_hand() -> None:
    doer = subject("he")
    whom = next(one for one in clitics(doer, direct=True) if one.english.text == "her")
    phrase = clause(doer, verb_group(verb("see"), doer, Manner("past", "not"), whom), Phrase(), ".")
    # he did not see her . | il ne l' a pas vue .
    places = {id(word): i for i, word in enumerate(phrase.english)}
    found = sorted((places[id(own)], j) for j, word in enumerate(joined(phrase.french)) for own in word.of)
    assert found == [(0, 0), (1, 3), (2, 1), (2, 4), (3, 5), (4, 2), (5, 6)]


def test_a_tall_father_is_no_grandfather() -> None:
    for english, french in sentences():
        assert "grand père" not in french, english
        assert "grande mère" not in french, english
