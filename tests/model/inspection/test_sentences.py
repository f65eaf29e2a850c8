"""A file of sentences: what of each is told, against numpy on the traces that were saved."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from model.bundle.bundle import Bundle, load_bundle, write_bundle
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.questions.questions import Partial
from model.questions.sentence_list import (
    FileSentences,
    SentenceList,
    attention_entropy,
    coverage,
    length_ratio,
)
from model.trace.trace import ArrayPatterns, AttentionKind, Trace
from tests.model import tiny_bundle
from tests.model.safetensors_by_hand import parse

GIRL, DOG = "the little girl gave her brother a red apple", "a dog ran over the wet grass"


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    a, spm = tiny_bundle.architecture(decoder_layers=3, max_positions=64), tiny_bundle.spm()
    write_bundle(tmp_path / "bundle", tiny_bundle.config(a), tiny_bundle.transformer(a), spm, spm, half=False)
    return load_bundle(tmp_path / "bundle")


def _answers(bundle: Bundle, question: FileSentences) -> list[Any]:
    return list(answer(bundle, question, None))


def _file(tmp_path: Path, text: str | bytes, **changes: Any) -> FileSentences:
    path = tmp_path / "sentences.txt"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return FileSentences(str(path), str(tmp_path / "traces"), **changes)


def test_every_number_is_that_of_the_saved_trace(bundle: Bundle, tmp_path: Path) -> None:
    *_, done = _answers(bundle, _file(tmp_path, f"{GIRL}\r\n\n{DOG}\tun chien\n"))

    assert isinstance(done, SentenceList)
    assert [(row.line, row.text) for row in done.rows] == [(1, GIRL), (3, DOG)]
    assert (done.total, done.beyond, done.model_sha256) == (2, False, bundle.sha256)
    for row in done.rows:
        arrays, header = parse(Path(row.trace))
        logprobs = arrays["step_logprob"].astype(np.float64)
        cross = arrays["cross"].astype(np.float64)
        layers, heads, steps, source = cross.shape
        mean = np.zeros((steps, source))
        for layer in range(layers):
            for head in range(heads):
                mean += cross[layer, head] / (layers * heads)
        covered = [min(1.0, sum(mean[t, s] for t in range(steps))) for s in range(source - 1)]
        entropies = [-sum(w * math.log(w) for w in line if w > 0) for line in mean]
        assert row.logprob == pytest.approx(logprobs.sum(), abs=1e-6)
        assert row.mean_logprob == pytest.approx(logprobs.sum() / steps, abs=1e-6)
        assert row.lowest == pytest.approx(math.exp(logprobs.min()), rel=1e-6)
        assert row.coverage == pytest.approx(sum(covered) / (source - 1), abs=1e-6)
        assert row.entropy == pytest.approx(sum(entropies) / steps, abs=1e-6)
        assert header["src_text"] == row.text
        assert header["tgt_text"] == row.translation
        assert row.steps == steps


def test_it_grows_and_can_be_stopped_between_tokens(bundle: Bundle, tmp_path: Path) -> None:
    found = _answers(bundle, _file(tmp_path, f"{GIRL}\n{DOG}\n"))

    grown = [part.answer for part in found if isinstance(part, Partial)]
    assert [len(part.rows) for part in grown] == [1]
    assert [part for part in found if isinstance(part, tuple)] == [(0, 2), (1, 2), (2, 2)]
    assert found.count(None) >= sum(row.steps for row in found[-1].rows)


def test_a_sentence_that_fails_leaves_the_others(bundle: Bundle, tmp_path: Path) -> None:
    long = "the dog " * 200
    huge = "a" * 30_000
    *_, done = _answers(bundle, _file(tmp_path, f"{long}\n{huge}\n{DOG}\n"))

    problems = [row.problem.code if row.problem else "" for row in done.rows]
    assert problems == ["too_long", "sentence_long", ""]
    assert [bool(row.trace) for row in done.rows] == [False, False, True]
    assert math.isnan(done.rows[0].coverage)


def test_no_more_than_the_limit(bundle: Bundle, tmp_path: Path) -> None:
    *_, done = _answers(bundle, _file(tmp_path, f"{DOG}\n" * 3, limit=2))

    assert (len(done.rows), done.total, done.beyond) == (2, 2, True)


@pytest.mark.parametrize(
    ("content", "code"), [(b"", "sentences_none"), (b" \n\t\n", "sentences_none"), (None, "corpus_missing")]
)
def test_a_file_without_sentences(bundle: Bundle, tmp_path: Path, content: bytes | None, code: str) -> None:
    question = FileSentences(str(tmp_path / "none.txt"), str(tmp_path / "traces"))
    if content is not None:
        question = _file(tmp_path, content)

    with pytest.raises(HeadscopeError) as raised:
        _answers(bundle, question)

    assert raised.value.code == code


def _trace(cross: list[list[float]], source: tuple[str, ...], target: tuple[str, ...]) -> Trace:
    ids = np.arange(len(source), dtype=np.int64)
    steps = np.arange(len(target), dtype=np.int64)
    zeros = np.zeros(len(target), np.float32)
    return Trace(
        patterns=ArrayPatterns({AttentionKind.CROSS: np.array(cross, np.float32)[None, None]}),
        src_text="", tgt_text="", src_tokens=source, tgt_in_tokens=("<s>", *target[:-1]),
        tgt_out_tokens=target, src_ids=ids, tgt_in_ids=steps, tgt_out_ids=steps, step_logprob=zeros,
        candidate_ids=np.zeros((len(target), 0), np.int64),
        candidate_logprobs=np.zeros((len(target), 0), np.float32),
        candidate_tokens=((),) * len(target),
    )  # fmt: skip


def test_worked_by_hand() -> None:
    # "a" is read 0.5 + 0.25 = 0.75 times, "b" 0.5 + 0.75 = 1.25 times, of which 1 counts; "</s>" counts not.
    weights = np.array([[0.5, 0.5, 0.0], [0.25, 0.75, 0.0]])
    trace = _trace(weights.tolist(), ("▁a", "▁b", "</s>"), ("▁c", "</s>"))

    assert coverage(trace, weights) == pytest.approx((0.75 + 1.0) / 2)
    first, second = math.log(2), 0.25 * math.log(4) + 0.75 * math.log(4 / 3)
    assert attention_entropy(weights) == pytest.approx((first + second) / 2)
    assert length_ratio(trace) == 0.5
