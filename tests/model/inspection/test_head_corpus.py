"""Heads over a corpus: against a plain reading of each sentence, and what comes of odd files."""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.bundle.bundle import Bundle, load_bundle
from model.errors import HeadscopeError
from model.heads.head_metrics import METRICS
from model.heads.head_roles import CorpusScores
from model.inspection.answering import answer
from model.inspection.head_corpus import score_corpus
from model.network.transformer import Transformer
from model.questions.head_questions import CorpusHeads
from model.trace.trace import AttentionKind
from tests.assets import END, PAIRS, START
from tests.model.decoding.test_batch_decoding import plain_greedy
from tests.model.heads.test_head_scores import looped

ENCODER, DECODER, CROSS = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF, AttentionKind.CROSS


@pytest.fixture(scope="module")
def bundle(tiny_bundle: Path) -> Bundle:
    return load_bundle(tiny_bundle)


def written(path: Path, pairs: Sequence[Sequence[str]]) -> str:
    path.write_text("".join("\t".join(pair) + "\n" for pair in pairs), encoding="utf-8")
    return str(path)


def scored(bundle: Bundle, path: str, **options: Any) -> CorpusScores:
    *_, last = score_corpus(bundle, CorpusHeads(path, **options))
    assert isinstance(last, CorpusScores)
    return last


def read_alone(model: Transformer, source: list[int], target_in: list[int]) -> dict[AttentionKind, Any]:
    """Patterns [layer, head, query, key] of one sentence read by itself, no batch and no padding."""
    taken: dict[AttentionKind, list[Any]] = {kind: [] for kind in AttentionKind}

    def tap(site: Any, pattern: torch.Tensor) -> None:
        taken[site.kind].append(pattern[0].numpy(force=True))

    with torch.inference_mode():
        memory = model.encode(torch.tensor([source]), tap=tap)
        model.decode(torch.tensor([target_in]), memory, tap=tap)
    return {kind: np.stack(layers) for kind, layers in taken.items()}


def means(bundle: Bundle, model: Transformer, ids: list[tuple[list[int], list[int]]]) -> dict[Any, Any]:
    """By family, layer, head and metric: the mean over the rows of all sentences, by loops."""
    sums: dict[Any, float] = {}
    rows: dict[Any, int] = {}
    piece = bundle.source_tokenizer.piece
    for source, target_in in ids:
        for kind, heads in read_alone(model, source, target_in).items():
            pieces = [piece(i) for i in (target_in if kind is DECODER else source)]
            causal_rows = heads.shape[2]
            for layer, head in np.ndindex(heads.shape[:2]):
                for row in range(causal_rows):  # one row at a time: each counts alike
                    alone = np.zeros_like(heads[layer, head])
                    alone[row] = heads[layer, head, row]
                    for name, value in looped(alone, kind, pieces).items():
                        if value is not None:
                            key = (kind, layer, head, name)
                            sums[key] = sums.get(key, 0.0) + value
                            rows[key] = rows.get(key, 0) + 1
    return {key: sums[key] / rows[key] for key in sums}


def found_of(scores: Any) -> dict[Any, float]:
    return {
        (kind, layer, head, str(metric)): float(values[layer, head, place])
        for kind, values in scores.values.items()
        for layer, head in np.ndindex(values.shape[:2])
        for place, metric in enumerate(METRICS)
        if not np.isnan(values[layer, head, place])
    }


def test_a_corpus_is_its_sentences_one_by_one(bundle: Bundle, tmp_path: Path) -> None:
    pairs = [PAIRS[4], PAIRS[0], PAIRS[2], PAIRS[7]]
    found = scored(bundle, written(tmp_path / "p.tsv", pairs), seed=5)
    encode = bundle.source_tokenizer.encode
    ids = [([*encode(source), END], [START, *encode(target)]) for source, target in pairs]
    assert found_of(found.scores) == pytest.approx(means(bundle, bundle.transformer, ids), abs=1e-5)
    random = Transformer(bundle.config.architecture, torch.Generator().manual_seed(5)).eval()
    assert found_of(found.random) == pytest.approx(means(bundle, random, ids), abs=1e-5)
    assert (found.sentences, found.left_out, found.forced, found.seed) == (4, 0, True, 5)
    assert found.scores.rows[ENCODER][0, 0] == sum(len(source) for source, _ in ids)
    assert found.scores.rows[CROSS][0, 0] == sum(len(target) for _, target in ids)
    assert (found.model_name, found.model_sha256) == (bundle.config.name, bundle.sha256)


def test_sources_alone_are_translated(bundle: Bundle, tmp_path: Path) -> None:
    sources = [pair[0] for pair in PAIRS[:3]]
    path = tmp_path / "sources.txt.xz"
    path.write_bytes(lzma.compress(("\n".join(sources) + "\n").encode()))
    found = scored(bundle, str(path))
    assert not found.forced
    ids = []
    for text in sources:
        source = [*bundle.source_tokenizer.encode(text), END]
        ids.append((source, [START, *plain_greedy(bundle, source, len(source) * 3 // 2 + 20)]))
    assert found_of(found.scores) == pytest.approx(means(bundle, bundle.transformer, ids), abs=1e-5)


def test_the_limit_takes_the_first_and_blank_sides_are_left_out(bundle: Bundle, tmp_path: Path) -> None:
    pairs = [("", "Rien."), PAIRS[0], ("Nothing.", " "), PAIRS[1], PAIRS[2]]
    found = scored(bundle, written(tmp_path / "p.tsv", pairs), limit=2)
    alone = scored(bundle, written(tmp_path / "q.tsv", PAIRS[:2]))
    assert found.sentences == 2
    assert found_of(found.scores) == found_of(alone.scores)


def test_what_is_too_long_is_counted_not_read(bundle: Bundle, tmp_path: Path) -> None:
    most = bundle.config.architecture.max_positions
    pairs = [PAIRS[0], ("dog " * most, "chien"), ("dog", "chien " * most)]
    found = scored(bundle, written(tmp_path / "p.tsv", pairs))
    assert (found.sentences, found.left_out) == (1, 2)
    with pytest.raises(HeadscopeError) as caught:
        scored(bundle, written(tmp_path / "long.tsv", pairs[1:]))
    assert caught.value.code == "heads_nothing"


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "corpus_empty"), (b"\n\n", "corpus_empty"), (b"a\tb\nc\n", "corpus_one_column")],
)
def test_bad_files_are_one_sentence(bundle: Bundle, tmp_path: Path, data: bytes, code: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_bytes(data)
    with pytest.raises(HeadscopeError) as caught:
        scored(bundle, str(path))
    assert caught.value.code == code
    with pytest.raises(HeadscopeError, match="file"):
        scored(bundle, str(tmp_path / "none.tsv"))


def test_progress_counts_readings_and_can_be_left(bundle: Bundle, tmp_path: Path) -> None:
    question = CorpusHeads(written(tmp_path / "p.tsv", PAIRS[:5]))
    events = list(answer(bundle, question, None))
    progress = [event for event in events if isinstance(event, tuple)]
    assert progress[0] == (0, 0)
    assert progress[-1] == (10, 10)
    assert [done for done, _ in progress] == sorted(done for done, _ in progress)
    left = answer(bundle, question, None)
    next(left)
    left.close()  # type: ignore[attr-defined]


def test_gold_links_give_the_error_rate_of_the_summed_links(bundle: Bundle, tmp_path: Path) -> None:
    pairs = [("I like green tea .", "thé vert"), ("", ""), ("She has a little dog .", "Elle a un chien")]
    path = written(tmp_path / "p.tsv", pairs)
    gold_path = tmp_path / "gold.pharaoh"
    gold_path.write_text("3-0 2-1\n\n0-0 1-1 2p2 4-3\n")
    gold = [
        ({(3, 0), (2, 1)}, {(3, 0), (2, 1)}),
        ({(0, 0), (1, 1), (4, 3)}, {(0, 0), (1, 1), (4, 3), (2, 2)}),
    ]
    tokenizer = bundle.source_tokenizer
    for rule, shift in (("predicts", 0), ("reads", 1)):
        found = scored(bundle, path, gold=str(gold_path), rule=rule)
        assert found.aer is not None
        assert found.random_aer is not None
        counts = np.zeros((*found.aer.shape, 3))
        for (source, target), (sure, possible) in zip((pairs[0], pairs[2]), gold):
            ids = [*tokenizer.encode(source), END]
            out = tokenizer.encode(target)
            heads = read_alone(bundle.transformer, ids, [START, *out])[CROSS]
            words = [word_of([tokenizer.piece(i) for i in part]) for part in (ids[:-1], out)]
            for layer, head in np.ndindex(found.aer.shape):
                links = set()
                for word in range(max(words[1]) + 1):
                    rows = [row + shift for row, own in enumerate(words[1]) if own == word]
                    weight = heads[layer, head][rows].mean(0)
                    by_word = np.zeros(max(words[0]) + 1)
                    for key, own in enumerate(words[0]):
                        by_word[own] += weight[key]
                    links.add((int(by_word.argmax()), word))
                counts[layer, head] += [
                    len(links & sure) + len(links & possible),
                    len(links) + len(sure),
                    0,
                ]
        assert found.aer == pytest.approx(1 - counts[..., 0] / counts[..., 1])
        assert (found.gold, found.rule) == (str(gold_path), rule)
        assert not np.array_equal(found.aer, found.random_aer)


def word_of(pieces: list[str]) -> list[int]:
    """Which word each piece is in: one begins at every word mark."""
    return list(np.cumsum([piece.startswith("\u2581") for piece in pieces]) - 1)


def test_gold_that_does_not_belong_says_so(bundle: Bundle, tmp_path: Path) -> None:
    path, gold = written(tmp_path / "p.tsv", PAIRS[:2]), tmp_path / "gold"
    for text, code in (
        ("0-0\n", "heads_gold_lines"),
        ("0-99\n\n", "pharaoh_range"),
        ("x\n\n", "pharaoh_link"),
    ):
        gold.write_text(text)
        with pytest.raises(HeadscopeError) as caught:
            scored(bundle, path, gold=str(gold))
        assert caught.value.code == code
    (tmp_path / "sources.txt").write_text("I like green tea.\n")
    with pytest.raises(HeadscopeError) as caught:
        scored(bundle, str(tmp_path / "sources.txt"), gold=str(gold))
    assert caught.value.code == "heads_gold_targets"
