"""Aggregates against patterns worked by hand and against loops over single numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from model.trace.aggregates import (
    any_merged,
    gradient_times_attention,
    max_heads,
    max_layers,
    mean_layers,
    merged,
    rollouts,
    value_weighted,
    value_weighted_largest,
)
from model.trace.trace import ArrayPatterns, AttentionKind

ENCODER, DECODER, CROSS = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF, AttentionKind.CROSS

# Two layers of two heads over two tokens.
HAND = np.array(
    [
        [[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]],
        [[[0.0, 1.0], [1.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]]],
    ],
    np.float32,
)


def patterns_of(kind: AttentionKind, weights: np.ndarray[Any, Any]) -> ArrayPatterns:
    return ArrayPatterns({kind: weights})


def drawn(layers: int, heads: int, queries: int, keys: int, seed: int = 1) -> np.ndarray[Any, Any]:
    weights = np.random.default_rng(seed).random((layers, heads, queries, keys))
    return (weights / weights.sum(-1, keepdims=True)).astype(np.float32)


def test_mean_and_maximum_by_hand() -> None:
    patterns = patterns_of(ENCODER, HAND)
    assert max_heads(patterns, ENCODER, 0).tolist() == [[1, 0], [1, 1]]
    assert mean_layers(patterns, ENCODER).tolist() == [[0.5, 0.5], [0.75, 0.25]]
    assert max_layers(patterns, ENCODER).tolist() == [[1, 1], [1, 1]]


def test_rollout_by_hand() -> None:
    """Layer 1: the mean is [[1, 0], [½, ½]], so A′ = [[1, 0], [¼, ¾]]; layer 2: A′ = [[½, ½], [½, ½]].

    The product A′₂ A′₁ = [[⅝, ⅜], [⅝, ⅜]]; in the other order it would be [[½, ½], [½, ½]].
    """
    patterns = patterns_of(ENCODER, HAND)
    first, second = rollouts(patterns)
    assert first.tolist() == [[1, 0], [0.25, 0.75]]
    assert second.tolist() == [[0.625, 0.375], [0.625, 0.375]]


def test_rollout_counts_a_masked_row_as_its_residual_alone() -> None:
    """A row of zeros has ½ on itself, which makes 1 once the row sums to 1."""
    weights = np.array([[[[0.0, 0.0], [0.5, 0.5]]]], np.float32)
    assert next(rollouts(patterns_of(ENCODER, weights))).tolist() == [[1, 0], [0.25, 0.75]]


def rollout_by_loops(weights: np.ndarray[Any, Any], layer: int) -> list[list[float]]:
    _, heads, tokens, _ = weights.shape
    product = [[float(i == j) for j in range(tokens)] for i in range(tokens)]
    for index in range(layer + 1):
        mixed = []
        for i in range(tokens):
            row = [
                sum(float(weights[index, h, i, j]) for h in range(heads)) / heads / 2 + (i == j) / 2
                for j in range(tokens)
            ]
            mixed.append([value / sum(row) for value in row])
        product = [
            [sum(mixed[i][m] * product[m][j] for m in range(tokens)) for j in range(tokens)]
            for i in range(tokens)
        ]
    return product


@pytest.mark.parametrize("layer", [0, 1, 2])
def test_rollout_is_that_of_loops_and_its_rows_sum_to_one(layer: int) -> None:
    weights = drawn(3, 4, 6, 6)
    found = list(rollouts(patterns_of(ENCODER, weights)))[layer]
    np.testing.assert_allclose(found, rollout_by_loops(weights, layer), atol=1e-6)
    np.testing.assert_allclose(found.sum(1), 1, atol=1e-6)


def test_means_and_maxima_are_those_of_loops() -> None:
    weights = drawn(3, 4, 5, 7)
    patterns = patterns_of(CROSS, weights)
    for query in range(5):
        for key in range(7):
            every = [[float(weights[n, h, query, key]) for h in range(4)] for n in range(3)]
            flat = [value for layer in every for value in layer]
            assert max_heads(patterns, CROSS, 2)[query, key] == max(every[2])
            assert mean_layers(patterns, CROSS)[query, key] == pytest.approx(sum(flat) / 12)
            assert max_layers(patterns, CROSS)[query, key] == max(flat)
    np.testing.assert_allclose(mean_layers(patterns, CROSS).sum(1), 1, atol=1e-6)


def test_value_weighted_by_hand() -> None:
    """Head 0 makes (3, 4) of the key, head 1 (−3, 4): lengths 5 and 5, inner product −9 + 16 = 7."""
    gram = np.array([[[[25.0, 7.0], [7.0, 25.0]]]], np.float32)
    weights = np.array([[[[0.5]], [[1.0]]]], np.float32)
    patterns = patterns_of(CROSS, weights)
    assert value_weighted(patterns, gram, CROSS, 0, 0)[0, 0] == pytest.approx(2.5)
    assert value_weighted(patterns, gram, CROSS, 0, 1)[0, 0] == pytest.approx(5)
    # ½ (3, 4) + (−3, 4) = (−1.5, 6).
    assert value_weighted(patterns, gram, CROSS, 0, None)[0, 0] == pytest.approx(math.hypot(1.5, 6))
    # With head 1 doubled: ½ (3, 4) + 2 (−3, 4) = (−4.5, 10).
    doubled = value_weighted(patterns, gram, CROSS, 0, None, [1.0, 2.0])
    assert doubled[0, 0] == pytest.approx(math.hypot(4.5, 10))
    assert value_weighted(patterns, gram, CROSS, 0, 1, [1.0, 0.0])[0, 0] == 0


def test_value_weighted_is_the_length_of_the_sum_of_vectors() -> None:
    """More keys than are worked out at once; the oracle adds vectors."""
    layers, heads, queries, keys, size = 2, 3, 4, 150, 5
    weights = drawn(layers, heads, queries, keys)
    values = np.random.default_rng(2).normal(size=(layers, heads, keys, size))
    grams = np.zeros((layers, keys, heads, heads), np.float32)
    for n in range(layers):
        for k in range(keys):
            for a in range(heads):
                for b in range(heads):
                    grams[n, k, a, b] = sum(values[n, a, k, i] * values[n, b, k, i] for i in range(size))
    patterns = patterns_of(DECODER, weights)
    together = value_weighted(patterns, grams, DECODER, 1, None)
    alone = value_weighted(patterns, grams, DECODER, 1, 2)
    for q in range(queries):
        for k in range(keys):
            parts = [
                [float(weights[1, h, q, k]) * values[1, h, k, i] for i in range(size)] for h in range(heads)
            ]
            total = [sum(part[i] for part in parts) for i in range(size)]
            assert together[q, k] == pytest.approx(math.sqrt(sum(v * v for v in total)), rel=1e-3, abs=1e-5)
            assert alone[q, k] == pytest.approx(math.sqrt(sum(v * v for v in parts[2])), rel=1e-3, abs=1e-6)
    largest = max(
        float(weights[n, h, q, k]) * math.sqrt(sum(v * v for v in values[n, h, k]))
        for n in range(layers)
        for h in range(heads)
        for q in range(queries)
        for k in range(keys)
    )
    found = value_weighted_largest(patterns, grams, DECODER, lambda layer: ())
    assert found == pytest.approx(largest, rel=1e-4)


def test_gradient_times_attention() -> None:
    weights = drawn(2, 3, 2, 4)
    gradients = np.random.default_rng(3).normal(size=weights.shape).astype(np.float32)
    patterns = patterns_of(CROSS, weights)
    one = gradient_times_attention(patterns, gradients, CROSS, 1, 2)
    mean = gradient_times_attention(patterns, gradients, CROSS, 1, None)
    for q in range(2):
        for k in range(4):
            products = [float(weights[1, h, q, k]) * float(gradients[1, h, q, k]) for h in range(3)]
            assert one[q, k] == pytest.approx(products[2], rel=1e-6)
            assert mean[q, k] == pytest.approx(sum(products) / 3, rel=1e-5, abs=1e-8)


def test_words_are_sums_over_keys_and_means_over_queries() -> None:
    matrix = np.array([[0.1, 0.2, 0.7], [0.5, 0.3, 0.2], [0.0, 0.4, 0.6]], np.float32)
    found = merged(matrix, [(0, 2), (2, 3)], [(0, 1), (1, 3)])
    # Row 1: the mean of (0.1, 0.9) and (0.5, 0.5); row 2: (0, 1).
    np.testing.assert_allclose(found, [[0.3, 0.7], [0.0, 1.0]], atol=1e-7)


def test_merged_rows_of_weights_still_sum_to_one_and_gaps_are_left_out() -> None:
    weights = drawn(1, 1, 9, 8)[0, 0]
    rows, columns = [(0, 1), (1, 4), (6, 7)], [(0, 3), (3, 4), (4, 8)]
    found = merged(weights, rows, columns)
    np.testing.assert_allclose(found.sum(1), 1, atol=1e-6)
    for i, (first, end) in enumerate(rows):
        for j, (left, right) in enumerate(columns):
            sums = [sum(float(weights[q, k]) for k in range(left, right)) for q in range(first, end)]
            assert found[i, j] == pytest.approx(sum(sums) / len(sums))
    found = any_merged(weights > 0.2, rows, columns)
    for i, (first, end) in enumerate(rows):
        for j, (left, right) in enumerate(columns):
            cells = [weights[q, k] > 0.2 for q in range(first, end) for k in range(left, right)]
            assert bool(found[i, j]) == any(cells)
    assert merged(weights, [], columns).shape == (0, 3)
    assert merged(weights, rows, []).shape == (3, 0)


def test_heads_are_read_one_at_a_time() -> None:
    """A source that gives out single heads only: no aggregate of weights needs a whole layer at once."""

    class Single(ArrayPatterns):
        def layer(self, kind: AttentionKind, layer: int) -> Any:
            raise AssertionError("a whole layer was read")

    patterns = Single({ENCODER: HAND})
    for found in (
        max_heads(patterns, ENCODER, 0),
        mean_layers(patterns, ENCODER),
        max_layers(patterns, ENCODER),
        list(rollouts(patterns))[1],
    ):
        assert found.dtype == np.float32
