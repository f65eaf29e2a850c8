"""Metrics of heads against patterns worked by hand, and loops over rows that share no code with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.heads.head_metrics import FACTS, Metric
from model.heads.head_scores import HeadScores, score_trace
from model.inspection.answering import answer
from model.questions.head_questions import TraceHeads
from model.trace import trace as trace_module
from model.trace.trace import ArrayPatterns, AttentionKind, Trace
from tests.model.tiny_trace import make_trace

ENCODER, DECODER, CROSS = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF, AttentionKind.CROSS
SHARES = [str(metric) for metric, facts in FACTS.items() if facts.most == 1.0]


def trace_of(
    arrays: dict[AttentionKind, Any],
    source: Sequence[str] = (),
    target: Sequence[str] = (),
    **changes: Any,
) -> Trace:
    """One layer of as many heads as there are matrices."""
    patterns = {kind: np.array([heads], np.float32) for kind, heads in arrays.items()}
    sizes = {"src_tokens": tuple(source), "tgt_in_tokens": tuple(target)}
    return make_trace(patterns=ArrayPatterns(patterns), **sizes, **changes)


def scored(trace: Trace) -> HeadScores:
    *_, last = score_trace(trace)
    assert isinstance(last, HeadScores)
    return last


def of(trace: Trace, kind: AttentionKind, layer: int = 0, head: int = 0) -> dict[str, float | None]:
    scores = scored(trace)
    values = {str(metric): float(scores.of(kind, metric)[layer, head]) for metric in Metric}
    return {name: None if math.isnan(value) else value for name, value in values.items()}


def test_an_encoder_head_by_hand() -> None:
    # x , </s>: row 0 reads the next token, row 1 halves between both neighbours, row 2 the token before.
    head = [[0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.0, 1.0, 0.0]]
    found = of(trace_of({ENCODER: [head]}, ("▁x", "▁,", "</s>")), ENCODER)
    assert found == pytest.approx(
        {
            "entropy": math.log(2) / 3,
            "normalised_entropy": math.log(2) / math.log(3) / 3,
            "maximum": 2.5 / 3,
            "distance": 1.0,
            # Each row is one token off, of at most 2, 1 and 2.
            "diagonality": (0.5 + 0.0 + 0.5) / 3,
            "previous": (0.5 + 1.0) / 2,
            "next": (1.0 + 0.5) / 2,
            "same": 0.0,
            "end": 0.5 / 3,
            "start": None,
            "punctuation": 2.0 / 3,
            "previous_top": 1.0,  # of equal weights the first counts
            "next_top": 0.5,
            "same_top": 0.0,
        }
    )


def test_a_decoder_head_by_hand() -> None:
    # <s> a . reads the first row's only key, then the token before, then itself.
    head = [[1.0, 0.0, 0.0], [0.75, 0.25, 0.0], [0.0, 0.0, 1.0]]
    found = of(trace_of({DECODER: [head]}, (), ("<s>", "▁a", ".")), DECODER)
    entropy = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    assert found == pytest.approx(
        {
            "entropy": entropy / 3,
            "normalised_entropy": entropy / math.log(2) / 2,  # the first row sees one key
            "maximum": 2.75 / 3,
            "distance": 0.25,
            "diagonality": (0.25 + 1.0) / 2,  # the first row has nowhere else to look
            "previous": 0.375,
            "next": None,
            "same": (1.0 + 0.25 + 1.0) / 3,
            "end": None,
            "start": 1.75 / 3,
            "punctuation": 1.0 / 3,
            "previous_top": 0.5,
            "next_top": None,
            "same_top": 2.0 / 3,
        }
    )


def test_a_cross_head_by_hand() -> None:
    # Two steps over three source tokens: the diagonal goes from the first to the last.
    head = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    found = of(trace_of({CROSS: [head]}, ("▁x", "▁y", "</s>"), ("<s>", "▁a")), CROSS)
    assert found["diagonality"] == pytest.approx((1.0 + 0.5) / 2)
    assert (found["maximum"], found["entropy"], found["end"]) == (1.0, 0.0, 0.0)
    names = ("distance", "previous", "next", "same", "previous_top", "next_top", "same_top", "punctuation")
    assert [found[name] for name in names] == [None] * len(names)


def test_the_extremes_are_the_ends_of_each_range() -> None:
    even, sharp = np.full((4, 4), 0.25), np.eye(4)
    trace = trace_of({ENCODER: [even, sharp]}, ("a", "b", "c", "</s>"))
    spread, focused = of(trace, ENCODER), of(trace, ENCODER, head=1)
    assert spread["entropy"] == pytest.approx(math.log(4))
    assert (spread["normalised_entropy"], spread["maximum"]) == (pytest.approx(1.0), 0.25)
    assert (focused["normalised_entropy"], focused["maximum"], focused["diagonality"]) == (0.0, 1.0, 1.0)
    assert math.copysign(1.0, focused["entropy"] or 0.0) == 1.0  # no minus 0 in files


def test_masked_rows_count_in_nothing() -> None:
    head = np.array([[0.5, 0.5, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    trace = trace_of({ENCODER: [head]}, ("a", "b", "</s>"))
    found = of(trace, ENCODER)
    assert scored(trace).rows[ENCODER][0, 0] == 2
    assert found["maximum"] == pytest.approx(0.75)
    assert found["end"] == pytest.approx(0.5)
    assert found["next"] == pytest.approx(0.5)  # row 0 alone: row 2 has no next token


def test_a_blocked_source_token_is_no_key_that_a_row_may_see() -> None:
    head = [[0.5, 0.0, 0.5], [0.5, 0.0, 0.5], [0.5, 0.0, 0.5]]
    change = ({"type": "block", "token": 1},)
    found = of(trace_of({ENCODER: [head]}, ("a", ".", "</s>"), alterations=change), ENCODER)
    assert found["normalised_entropy"] == pytest.approx(1.0)
    assert found["punctuation"] is None
    assert found["previous_top"] == 1.0  # row 1 alone: what row 2 would read is blocked
    assert found["same"] == pytest.approx(0.5)


def test_a_round_of_a_decoding_at_once_looks_ahead() -> None:
    head = [[0.0, 1.0], [1.0, 0.0]]
    trace = trace_of({DECODER: [head]}, (), ("<s>", "a"), extra={"frame": "0", "frame_kind": "round"})
    assert of(trace, DECODER)["next"] == 1.0


@pytest.mark.parametrize(
    ("pieces", "counted"),
    [
        (("▁.", "▁a", "</s>"), [0]),
        (("▁a,", "…", "?!"), [1, 2]),
        (("<0xE3>", "<0x80>", "<0x82>", "x"), [0, 1, 2]),  # 。 in bytes
        (("<0x41>", "<0x2C>", "▁"), [1]),
        (("<0xE3>", "<0x80>", "a"), []),  # bytes that make no character
        (("$", "+", "<unk>"), []),  # signs, and what stands for no text
    ],
)
def test_what_is_punctuation(pieces: tuple[str, ...], counted: list[int]) -> None:
    for place, _ in enumerate(pieces):
        head = np.zeros((3, len(pieces)))
        head[:, place] = 1.0
        found = of(trace_of({CROSS: [head]}, pieces, ("<s>", "b", "c")), CROSS)["punctuation"]
        assert found == (None if not counted else float(place in counted)), pieces[place]


def test_a_model_s_own_names_of_the_end() -> None:
    for name in ("</s>", "[SEP]", "<|endoftext|>", "<end>"):
        assert of(trace_of({ENCODER: [np.eye(2)]}, ("a", name)), ENCODER)["end"] == 0.5, name
    assert of(trace_of({ENCODER: [np.eye(2)]}, ("a", "<0x41>")), ENCODER)["end"] is None


# An independent version: loops over rows and keys of one head.


def looped(head: Any, kind: AttentionKind, pieces: Sequence[str]) -> dict[str, float | None]:
    causal, own = kind is DECODER, kind is not CROSS
    queries, keys = head.shape
    taken: dict[str, list[float]] = {str(metric): [] for metric in Metric}
    start = {j for j, piece in enumerate(pieces) if piece == "<s>" or (causal and j == 0)}
    end = {j for j, piece in enumerate(pieces) if piece == "</s>"} - start
    stops = {j for j, piece in enumerate(pieces) if piece.strip("\u2581") in {*".,?!'-"}}
    for i in range(queries):
        row = [float(head[i, j]) for j in range(keys)]
        visible = [j for j in range(keys) if not causal or j <= i]
        if not any(row):
            continue
        entropy = sum(-w * math.log(w) for w in row if w > 0)
        taken["entropy"].append(entropy)
        taken["maximum"].append(max(row))
        if len(visible) > 1:
            taken["normalised_entropy"].append(entropy / math.log(len(visible)))
        x = i / (queries - 1) if queries > 1 else 0.0
        gaps = [abs(x - (j / (keys - 1) if keys > 1 else 0.0)) for j in range(keys)]
        widest = max(gaps[j] for j in visible)
        if widest > 0:
            taken["diagonality"].append(1 - sum(w * gap for w, gap in zip(row, gaps)) / widest)
        for name, group in (("end", end), ("start", start), ("punctuation", stops)):
            if any(j <= queries - 1 or not causal for j in group):
                taken[name].append(sum(row[j] for j in group))
        if own:
            taken["distance"].append(sum(w * abs(i - j) for j, w in enumerate(row)))
            for name, j in (("previous", i - 1), ("next", i + 1), ("same", i)):
                if j in visible:
                    taken[name].append(row[j])
                    taken[name + "_top"].append(float(row.index(max(row)) == j))
    return {name: sum(values) / len(values) if values else None for name, values in taken.items()}


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from([ENCODER, DECODER, CROSS]),
    queries=st.integers(1, 7),
    keys=st.integers(1, 7),
    seed=st.integers(0, 2**32 - 1),
    masked=st.booleans(),
    block=st.sampled_from([1, 16, 1 << 17]),
)
def test_any_pattern_agrees_with_the_loops(
    kind: AttentionKind, queries: int, keys: int, seed: int, masked: bool, block: int
) -> None:
    draw = np.random.default_rng(seed)
    keys = keys if kind is CROSS else queries
    heads = draw.random((2, queries, keys), dtype=np.float32) ** 3
    if kind is DECODER:
        heads = np.tril(heads)
    heads /= heads.sum(-1, keepdims=True)
    if masked:
        heads[:, draw.integers(queries)] = 0
    pieces = tuple(draw.choice(["▁a", ".", ",", "<s>", "</s>"], keys))
    source, target = (("x",), pieces) if kind is DECODER else (pieces, ("<s>",) * queries)
    if kind is ENCODER:
        target = ()
    trace = trace_of({kind: heads}, source, target)
    for head in range(2):
        expected = looped(heads[head], kind, pieces)
        with patch.object(trace_module, "_BLOCK", block):
            found = of(trace, kind, head=head)
        assert {n for n, v in found.items() if v is None} == {n for n, v in expected.items() if v is None}
        for name, value in expected.items():
            assert found[name] == pytest.approx(value, abs=1e-6), name
            assert name not in SHARES or value is None or -1e-6 <= value <= 1 + 1e-6


def test_every_head_of_every_layer_and_its_progress() -> None:
    trace = make_trace(s=4, t=3)
    events = list(answer(None, TraceHeads(trace)))
    progress = [event for event in events if isinstance(event, tuple)]
    assert progress == [(done, 6) for done in range(7)]  # three families of two layers
    assert events.count(None) == 12
    scores = events[-1]
    assert isinstance(scores, HeadScores)
    for kind in AttentionKind:
        for layer in range(2):
            for head in range(2):
                weights = trace.pattern(kind, layer, head)
                assert scores.of(kind, Metric.MAXIMUM)[layer, head] == pytest.approx(weights.max(-1).mean())


def test_questions_of_two_traces_are_two_questions() -> None:
    one, other = make_trace(), make_trace()
    assert TraceHeads(one) == TraceHeads(one)
    assert hash(TraceHeads(one)) == hash(TraceHeads(one))
    assert TraceHeads(one) != TraceHeads(other)
