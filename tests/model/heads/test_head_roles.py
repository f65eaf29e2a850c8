"""When heads get names: constructed heads beside random ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from model.heads.head_metrics import METRICS, PLACE, Metric
from model.heads.head_roles import LEAST_SENTENCES, CorpusScores
from model.heads.head_scores import HeadScores, HeadTally, KeyTokens
from model.trace.trace import AttentionKind

ENCODER, DECODER, CROSS = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF, AttentionKind.CROSS
PIECES = ("▁a", "▁b", ".", "▁c", "▁d", "▁e", "</s>")


def tallied(kind: AttentionKind, heads: list[Any], pieces: tuple[str, ...] = PIECES) -> HeadScores:
    tally = HeadTally({kind: (1, len(heads))})
    for head, weights in enumerate(heads):
        tally.add(kind, 0, head, np.asarray(weights, np.float32), KeyTokens.of(kind, pieces))
    return tally.scores()


def random_heads(count: int, causal: bool) -> list[Any]:
    draw = np.random.default_rng(3)
    heads = draw.random((count, len(PIECES), len(PIECES)))
    heads = np.tril(heads) if causal else heads
    return list(heads / heads.sum(-1, keepdims=True))


def shifted(offset: int) -> Any:
    """All weight on one relative position; rows without it spread evenly."""
    head = np.eye(len(PIECES), k=offset)
    head[head.sum(-1) == 0] = 1 / len(PIECES)
    return head


def at(key: int) -> Any:
    head = np.full((len(PIECES), len(PIECES)), 0.4 / (len(PIECES) - 1))
    head[:, key] = 0.6
    return head


def corpus(scores: HeadScores, random: HeadScores, sentences: int = 100, **changes: Any) -> CorpusScores:
    return CorpusScores("x.tsv", sentences, 0, True, 1, scores, random, **changes)


def names(found: CorpusScores, kind: AttentionKind) -> dict[int, list[str]]:
    return {head: [role.name for role in roles] for (_, head), roles in found.roles(kind).items()}


def test_constructed_heads_are_named_and_random_ones_are_not() -> None:
    heads = [shifted(-1), shifted(1), shifted(0), at(6), at(2), *random_heads(3, causal=False)]
    random = tallied(ENCODER, random_heads(8, causal=False))
    found = corpus(tallied(ENCODER, heads), random)
    assert names(found, ENCODER) == {
        0: ["previous_token"],
        1: ["next_token"],
        2: ["same_token"],
        3: ["sink_end"],
        4: ["sink_punctuation"],
    }
    role = found.roles(ENCODER)[0, 0][0]
    assert role.score == 1.0
    # The largest of the random model's heads, whichever it is.
    hits = [np.mean([np.argmax(h[i]) == i - 1 for i in range(1, 7)]) for h in random_heads(8, causal=False)]
    assert role.random == pytest.approx(max(hits))


def test_a_head_of_a_decoder_that_parks_its_weight_on_the_start() -> None:
    head = np.zeros((7, 7))
    head[:, 0] = 1.0
    causal = random_heads(4, causal=True)
    found = corpus(
        tallied(DECODER, [head, *causal[:1]], ("<s>", *PIECES[:-1])),
        tallied(DECODER, causal, ("<s>", *PIECES[:-1])),
    )
    assert names(found, DECODER) == {0: ["sink_start"]}


def test_nothing_is_named_from_few_sentences() -> None:
    scores, random = tallied(ENCODER, [shifted(-1)]), tallied(ENCODER, random_heads(1, causal=False))
    assert names(corpus(scores, random, LEAST_SENTENCES), ENCODER) == {0: ["previous_token"]}
    assert names(corpus(scores, random, LEAST_SENTENCES - 1), ENCODER) == {}


def scores_of(metric: Metric, values: list[float]) -> HeadScores:
    table = np.full((1, len(values), len(METRICS)), np.nan)
    table[0, :, PLACE[metric]] = values
    return HeadScores({ENCODER: table}, {ENCODER: np.ones((1, len(values)), np.int64)})


@pytest.mark.parametrize(
    ("score", "random", "named"),
    [(0.5, 0.3, True), (0.49, 0.0, False), (0.6, 0.41, False), (0.62, 0.41, True), (0.5, np.nan, True)],
)
def test_the_rule_s_two_limits(score: float, random: float, named: bool) -> None:
    found = corpus(scores_of(Metric.END, [score, 0.1]), scores_of(Metric.END, [0.0, random]))
    assert names(found, ENCODER) == ({0: ["sink_end"]} if named else {})


def test_alignment_needs_gold_links() -> None:
    scores = HeadScores({CROSS: np.full((1, 2, len(METRICS)), np.nan)}, {CROSS: np.ones((1, 2), np.int64)})
    assert names(corpus(scores, scores), CROSS) == {}
    aer, random = np.array([[0.25, 0.55]]), np.array([[0.9, np.nan]])
    found = corpus(scores, scores, aer=aer, random_aer=random)
    assert names(found, CROSS) == {0: ["alignment"]}
    assert (found.roles(CROSS)[0, 0][0].score, found.roles(CROSS)[0, 0][0].random) == (
        0.75,
        pytest.approx(0.1),
    )
