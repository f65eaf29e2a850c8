"""BLEU by hand: an example of the paper, any texts against sacreBLEU; the notes' model trained a moment."""

from __future__ import annotations

import math
from typing import Any

import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU as Judge

from model.inspection.answering import answer
from model.lessons.bleu import BLEU, NotesRun, NotesTraining, controls, text_of, variant_of
from model.lessons.bleu_counts import counted
from model.lessons.lesson import Numbers, taken_values
from model.questions.questions import Partial


def numbers(**given_: Any) -> Numbers:
    return BLEU.numbers(taken_values(controls(None), given_), None, None)


def found(result: Numbers) -> dict[str, Any]:
    return {one.name: one for one in result.findings}


def test_the_papers_example() -> None:
    # Section 2.1: "the" counts twice at most, as in the first reference; precision 2/7.
    texts = {
        "candidate": "the the the the the the the",
        "reference": "the cat is on the mat",
        "second": "there is a cat on the mat",
    }
    result = numbers(n=1, smoothing="none", **texts)
    assert (result.data["matches"][0], result.data["totals"][0]) == (2, 7)
    assert found(result)["clipped"].value == 5
    assert result.data["counting"] == [True, True] + [False] * 5
    assert result.data["clipped"] == [False, False] + [True] * 5
    assert result.data["score"] == 0.0  # of two words in a row none matches
    # exp: the orders without a match count a half, a quarter and an eighth of 6, 5 and 4.
    smoothed = (2 / 7 * 1 / 12 * 1 / 20 * 1 / 32) ** 0.25
    assert numbers(n=1, **texts).data["score"] == pytest.approx(smoothed)
    assert found(numbers(n=1, **texts))["sacrebleu"].holds


def test_a_short_translation_pays() -> None:
    result = numbers(candidate="the cat sat on", reference="the cat sat on the mat")
    # All of p1 to p4 are 1; 4 words against 6.
    assert result.data["score"] == pytest.approx(math.exp(1 - 6 / 4))
    assert result.data["penalty"] == pytest.approx(math.exp(-0.5))
    assert found(numbers(candidate="va !", reference="va !"))["short"].value == 3
    assert numbers(candidate="va !", reference="va !").data["score"] == 0.0
    assert numbers(candidate="va !", reference="va !", effective=True).data["score"] == pytest.approx(1.0)


def test_the_nearest_reference_length() -> None:
    # 4 tokens against 3 and 5: equally near, and the shorter one is taken.
    assert counted(list("abcd"), [list("abcde"), list("abc")], 2).reference == 3


words = st.lists(st.sampled_from(list("abcd.")), max_size=9).map(" ".join)


@settings(max_examples=80, deadline=None)
@given(
    words | st.text(max_size=20),
    words,
    words,
    st.integers(1, 4),
    st.sampled_from(["exp", "none"]),
    st.booleans(),
    st.sampled_from(["13a", "zh", "char"]),
)
def test_any_texts_are_scored_as_sacrebleu_does(
    candidate: str, one: str, two: str, orders: int, smoothing: str, effective: bool, tokens: str
) -> None:
    mine = numbers(
        candidate=candidate, reference=one, second=two, orders=orders, smoothing=smoothing,
        effective=effective, tokens=tokens,
    )  # fmt: skip
    judge = Judge(
        tokenize=tokens,
        smooth_method=smoothing,
        max_ngram_order=orders,
        effective_order=effective,
        force=True,
    )
    streams = [[text] for text in (one, two) if text] or [[""]]
    score = judge.corpus_score([candidate], streams)
    assert 100 * mine.data["score"] == pytest.approx(score.score, abs=1e-9)
    assert mine.data["penalty"] == pytest.approx(score.bp)
    assert (list(mine.data["matches"]), list(mine.data["totals"])) == (score.counts, score.totals)
    if effective and orders == 4 and smoothing == "exp" and tokens == "13a":
        references = [text[0] for text in streams]
        assert sacrebleu.sentence_bleu(candidate, references).score == pytest.approx(score.score)
    assert found(mine)["sacrebleu"].holds


def test_texts_of_pieces() -> None:
    assert text_of(["▁La", "▁petite", "▁fi", "lle", ".", "</s>"]) == "La petite fille."
    assert text_of(["▁", "你", "<0xE5>", "<0xA5>", "<0xBD>", "</s>"]) == "你好"
    assert variant_of("a b c d") == "a c b d"
    assert variant_of("你好吗") == "好你吗"
    assert (variant_of("a"), variant_of("")) == ("a", "")


def run(question: NotesTraining) -> tuple[list[tuple[int, int]], list[NotesRun]]:
    steps, runs = [], []
    for one in answer(None, question):
        if isinstance(one, tuple):
            steps.append(one)
        elif one is not None:
            made = one.answer if isinstance(one, Partial) else one
            assert isinstance(made, NotesRun)
            runs.append(made)
    return steps, runs


def test_the_notes_model_is_really_trained() -> None:
    question = NotesTraining(sentences=8, epochs=24, seed=2)
    steps, runs = run(question)
    assert steps == [(n, 24) for n in range(1, 25)]  # 8 sentences are one batch
    last = runs[-1]
    assert last.epochs.tolist() == [3, 6, 9, 12, 15, 18, 21, 24]
    assert [len(one.epochs) for one in runs] == list(range(1, 9))
    shown = last.samples[:4]
    assert [(one.source, one.reference) for one in shown[:1]] == [("go .", "va !")]
    judged = sacrebleu.corpus_bleu([one.output for one in shown], [[one.reference for one in shown]])
    assert last.notes == pytest.approx(judged.score / 100)
    assert last.trained[-1] > last.held_out[-1]
    assert not {one.source for one in last.samples if one.trained} & {
        one.source for one in last.samples if not one.trained
    }
    result = BLEU.numbers(taken_values(controls(None), {"of": "notes"}), last, None)
    assert found(result)["held_out"].holds
    assert (found(result)["trained"].value, found(result)["held_out"].value) == (
        last.trained[-1],
        last.held_out[-1],
    )


def test_training_is_the_same_twice_and_can_be_left() -> None:
    question = NotesTraining(sentences=8, epochs=4, seed=3)
    assert run(question)[1][-1].samples == run(question)[1][-1].samples
    begun = answer(None, question)
    next(begun)
    begun.close()  # type: ignore[attr-defined]
