from __future__ import annotations

import hashlib
import re

from model.data.tasks import TASKS
from model.data.tasks.notes import all_notes

NOTES = TASKS["notes"]
FOUR = [
    ("go .", "va !"),
    ("i lost .", "j'ai perdu ."),
    ("he's calm .", "il est calme ."),
    ("i'm home .", "je suis chez moi ."),
]


def test_short_distinct_pairs() -> None:
    pairs = list(NOTES.pairs(NOTES.size, 1))
    assert 500 < NOTES.size == len({source for source, _ in pairs}) < 700
    assert set(pairs) == set(all_notes())
    for pair in pairs:
        for text in pair:
            assert re.fullmatch(r"[a-zàâçéèêîôùûœ'-]+( [a-zàâçéèêîôùûœ'-]+)* [.!?]", text), text
            assert len(text.split(" ")) <= 6


def test_the_four_come_first_and_all_come_again() -> None:
    assert list(NOTES.pairs(4, 1)) == list(NOTES.pairs(4, 2)) == FOUR
    pairs = list(NOTES.pairs(2 * NOTES.size, 3))
    assert pairs[NOTES.size :] == pairs[: NOTES.size]
    assert list(NOTES.pairs(50, 1)) != list(NOTES.pairs(50, 2))


def test_the_four_are_trained_on() -> None:
    # The split holds out the 2 % of the sources whose hashes come first.
    sources = sorted(
        (source for source, _ in all_notes()), key=lambda text: hashlib.sha1(text.encode()).digest()
    )
    held_out = sources[: len(sources) // 50]
    assert len(held_out) == 12
    assert not {source for source, _ in FOUR} & set(held_out)


def test_some_by_hand() -> None:
    found = dict(all_notes())
    cases = {
        "she's happy .": "elle est heureuse .",
        "we're old .": "nous sommes vieux .",
        "they're home .": "ils sont chez eux .",
        "i'm hungry .": "j'ai faim .",
        "he doesn't sleep .": "il ne dort pas .",
        "i don't arrive .": "je n'arrive pas .",
        "she left .": "elle est partie .",
        "they fell .": "ils sont tombés .",
        "you love him .": "tu l'aimes .",
        "we can sing .": "nous pouvons chanter .",
        "i forgot .": "j'ai oublié .",
        "don't go .": "n'y va pas !",
    }
    assert {source: found[source] for source in cases} == cases
