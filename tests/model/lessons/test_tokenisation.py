"""The lesson of tokenisation against SentencePiece's own cuts, scores and n-best lists."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sentencepiece
from hypothesis import given, settings
from hypothesis import strategies as st

from model.bundle.bundle import load_bundle
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.lessons.answers.tokenisation import small_vocabulary
from model.lessons.lesson import Numbers, Subject, taken_values
from model.lessons.tokenisation import TOKENISATION
from model.tokens.lattice import Arc, best_cuts, log_total
from model.trace.trace import Trace
from tests.assets import tiny_tokenizer_bytes

# More Latin letters than characters of Chinese, which has a story of its own.
ODD = st.text("aeinrstwk ▁.我😀é", max_size=30).map(lambda text: f"wrist{text}" + " sterner" * 5)


def shown(model: Any = None, subject: Subject | None = None, **given: Any) -> Numbers:
    values = taken_values(TOKENISATION.controls(subject), given)
    asked = TOKENISATION.asks(values, subject)
    assert asked is not None
    *_, last = answer(model, *asked)
    return TOKENISATION.numbers(values, last, subject)


def found(numbers: Numbers) -> dict[str, Any]:
    return {one.name: one for one in numbers.findings}


def own(method: str, size: int, language: str = "en") -> sentencepiece.SentencePieceProcessor:
    """The vocabulary of the lesson, cut by nothing but SentencePiece."""
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(small_vocabulary(language, method, size).data)
    return processor


def ways(
    processor: sentencepiece.SentencePieceProcessor, text: str, most: int
) -> list[tuple[list[str], float]]:
    """SentencePiece's n best cuts with their scores; what it gives is a protocol buffer."""
    data = processor.nbest_encode(text, nbest_size=most, return_type="serialized_proto")
    found = []
    for number, cut in fields(data):
        assert number == 1
        inner = list(fields(cut))
        pieces = [dict(fields(one))[1].decode() for field, one in inner if field == 2]
        (score,) = struct.unpack("<f", dict(inner)[3])
        found.append((pieces, score))
    return found


def fields(data: bytes) -> Iterator[tuple[int, Any]]:
    def number() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte, at = data[at], at + 1
            value, shift = value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    at = 0
    while at < len(data):
        tag = number()
        size = {0: None, 5: 4, 2: -1}[tag & 7]
        if size is None:
            yield tag >> 3, number()
            continue
        size = number() if size < 0 else size
        at += size
        yield tag >> 3, data[at - size : at]


def test_two_ways_by_hand() -> None:
    """p(ab) = 1/2, p(a) = p(b) = 1/4: cut whole it is eight times as probable as in two."""
    half, quarter = math.log(1 / 2), math.log(1 / 4)
    arcs = [Arc(0, 1, "a", quarter), Arc(1, 2, "b", quarter), Arc(0, 2, "ab", half)]

    best, second = best_cuts(arcs, 0, 2, 5)

    assert [[arc.piece for arc in cut.arcs] for cut in (best, second)] == [["ab"], ["a", "b"]]
    assert math.exp(best.score - second.score) == pytest.approx(8)
    assert math.exp(log_total(arcs, 0, 2)) == pytest.approx(1 / 2 + 1 / 16)


@settings(max_examples=40, deadline=None)
@given(ODD)
def test_the_best_way_is_that_of_sentencepiece(text: str) -> None:
    numbers = shown(of="small", method="unigram", size=150, text=text)

    (pieces, score), *others = ways(own("unigram", 150), text, 2)
    assert numbers.data["pieces"] == pieces
    said = found(numbers)
    assert said["score"].holds
    assert said["score"].value == pytest.approx(score, abs=1e-3)
    assert ("second" in said) == bool(others)
    if others:
        assert said["second"].value == pytest.approx(others[0][1], abs=1e-3)


def test_the_next_best_ways_of_a_word_are_those_of_sentencepiece() -> None:
    numbers = shown(of="small", method="unigram", size=200, text="unbelievable", back=3)

    pieces, scores = zip(*ways(own("unigram", 200), "unbelievable", 6), strict=True)
    assert numbers.data["cuts"] == list(pieces)
    assert numbers.data["scores"] == pytest.approx(list(scores), abs=1e-3)
    # What a way's score is made of: those of its pieces, as the file has them.
    lit = {tuple(one) for one in numbers.data["lit"]}
    arcs = [arc for arc in numbers.data["arcs"] if (arc["start"], arc["end"]) in lit]
    assert sum(arc["score"] for arc in arcs) == pytest.approx(scores[3], abs=1e-3)
    assert 0 < sum(numbers.data["shares"]) <= 1 + 1e-9


@settings(max_examples=40, deadline=None)
@given(ODD, st.sampled_from([60, 300]))
def test_merges_end_where_those_of_sentencepiece_do(text: str, size: int) -> None:
    numbers = shown(of="small", method="bpe", size=size, text=text)

    assert found(numbers)["merges"].holds
    assert numbers.data["pieces"] == own("bpe", size).encode(text, out_type=str)
    learned = [one["learned"] for one in numbers.data["merges"]]
    assert all(one >= 1 for one in learned)


def test_merges_are_made_one_after_the_other() -> None:
    """The last of a smaller vocabulary's pieces were learned last: with fewer merges it cuts the same."""
    text = "unbelievable"
    all_made = shown(of="small", method="bpe", size=300, text=text).data
    fewer = shown(of="small", method="bpe", size=300, text=text, back=2).data
    none = shown(of="small", method="bpe", size=300, text=text, back=20).data

    assert len(fewer["lit"]) == len(all_made["lit"]) + 2
    assert [one["done"] for one in fewer["merges"]][-3:] == [True, False, False]
    assert none["lit"] == [[at, at + 1] for at in range(len(text) + 1)]
    first = all_made["merges"][0]
    neighbours = {"▁unbelievable"[at : at + 2] for at in range(len(text))}
    ranks = {pair: own("bpe", 300).piece_to_id(pair) for pair in neighbours}
    known = {pair: rank for pair, rank in ranks.items() if rank > 3}
    assert first["left"] + first["right"] == min(known, key=lambda pair: known[pair])


def test_more_pieces_cut_less_and_an_emoji_is_spelled_in_bytes() -> None:
    numbers = shown(text="The unbelievable readers \U0001f600", of="small", size=200, beside=60)

    said = found(numbers)
    assert said["sizes"].holds
    assert said["sizes"].value == len(own("unigram", 200).encode("The unbelievable readers \U0001f600")) / 4
    assert said["spelled"].about["characters"] == "\U0001f600"
    assert numbers.data["pieces"][-4:] == ["<0xF0>", "<0x9F>", "<0x98>", "<0x80>"]
    sizes, ratios = numbers.data["sizes"], numbers.data["ratios"]
    for size, ratio in list(zip(sizes, ratios, strict=True))[::3]:
        cut = own("unigram", int(size)).encode("The unbelievable readers \U0001f600")
        assert ratio == len(cut) / 4


def test_the_open_model_and_a_long_chinese_text(tiny_bundle: Path, tiny_trace: Trace) -> None:
    subject, bundle = Subject.of(tiny_trace), load_bundle(tiny_bundle)
    numbers = shown(bundle, subject)
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(tiny_tokenizer_bytes())
    assert numbers.data["pieces"] == processor.encode(tiny_trace.src_text, out_type=str)
    picked = shown(bundle, subject, piece=0).data["view"]
    assert picked[0] == 0
    assert picked[1] == 1 + tiny_trace.src_text.index(" ")

    long = shown(bundle, subject, of="small", method="bpe", text="读者写书。" * 400)
    start, end = long.data["view"]
    assert 0 < end - start <= 22
    assert len(json.dumps(long.to_json())) < 200_000


def test_nothing_to_cut_is_refused() -> None:
    with pytest.raises(HeadscopeError) as raised:
        shown(text="  ")
    assert raised.value.code == "empty_text"
