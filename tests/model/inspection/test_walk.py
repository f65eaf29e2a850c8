"""A position's way, its neurons and its lenses, against plain torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from model.alterations.alteration import Alteration
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events
from model.inspection.readings import Readings
from model.questions.answers import EmbeddingSum, Walk, WalkStep
from model.questions.questions import EmbeddingOf, Reading, WalkOf
from model.trace.trace import Side
from tests.model.inspection.asked import CHANGED, CHANGES, OUT, SOURCE, ask, oracle, reading
from tests.model.inspection.conftest import KINDS, Made, Make
from tests.model.inspection.watched import WatchedPlain
from tests.model.network.plain_transformer import ACTIVATIONS

STACKS: dict[Side, str] = {"source": "encoder", "target": "decoder"}
LAYERS = {"source": 2, "target": 3}
SUBLAYERS = {
    "source": (("self_attention", "self_attn", "norm1"), ("feed_forward", "feed_forward", "norm2")),
    "target": (
        ("self_attention", "self_attn", "norm1"),
        ("cross", "multihead_attn", "norm2"),
        ("feed_forward", "feed_forward", "norm3"),
    ),
}
CHANGES_BY_NAME: dict[str, tuple[tuple[Alteration, ...], dict[str, Any]]] = {
    "as it is": ((), {}),
    "altered": (CHANGES, CHANGED),
}


def close(ours: Any, expected: Any, atol: float = 1e-5) -> None:
    np.testing.assert_allclose(np.asarray(ours), np.asarray(expected), atol=atol, rtol=1e-4)


def expected_steps(plain: WatchedPlain, side: Side, position: int) -> list[tuple[Any, ...]]:
    """Stage, sub-layer, layer, vector, and of a norm what goes in."""
    stack, pre = STACKS[side], plain.a["norm"] == "pre_norm"
    steps: list[tuple[Any, ...]] = []
    for layer in range(LAYERS[side]):
        for name, module, norm_name in SUBLAYERS[side]:
            passed = plain.seen[f"{stack}.layers.{layer}.{module}"]
            norm = plain.seen[f"{stack}.layers.{layer}.{norm_name}"]
            normed = ("norm", name, layer, norm.left[position], norm.entered[position])
            stream = norm.entered if pre else passed.entered
            total = (stream + passed.left)[position]
            parts = [(name, name, layer, passed.left[position]), ("residual", name, layer, total)]
            steps += [normed, *parts] if pre else [*parts, normed]
    if pre:
        last = plain.seen[f"{stack}.norm"]
        steps.append(("final_norm", "final_norm", None, last.left[position], last.entered[position]))
    return steps


def is_step(found: WalkStep, stage: str, sublayer: str, layer: int | None, vector: Tensor) -> None:
    assert (found.stage, found.sublayer, found.layer) == (stage, sublayer, layer)
    assert found.vector.dtype == np.float32
    assert not found.vector.flags.writeable
    close(found.vector, vector)
    assert found.norm == pytest.approx(float(vector.norm()), rel=1e-4)


@pytest.mark.parametrize("changes", list(CHANGES_BY_NAME))
@pytest.mark.parametrize("side", list(STACKS))
def test_every_stage_of_every_position(made: Made, side: Side, changes: str) -> None:
    alterations, changed = CHANGES_BY_NAME[changes]
    plain = oracle(made.folder, **changed)
    readings = Readings(made.bundle)
    for position in range(len(SOURCE if side == "source" else OUT)):
        walk = ask(made.bundle, WalkOf(side, position), reading(*alterations), readings)
        assert isinstance(walk, Walk)
        assert (walk.side, walk.position) == (side, position)
        entrance, way = walk.steps[:3], walk.steps[3:]
        sums = plain.embedded[0 if side == "source" else 1][position]
        is_step(entrance[2], "sum", "sum", None, sums)
        for found, (stage, sublayer, layer, vector, *before) in zip(
            way, expected_steps(plain, side, position), strict=True
        ):
            is_step(found, stage, sublayer, layer, vector)
            if before:
                close(found.before, before[0])
                assert found.mean == pytest.approx(float(before[0].mean()), abs=1e-5)
                assert found.deviation == pytest.approx(float(before[0].std(correction=0)), abs=1e-5)
            else:
                assert found.before.size == found.mean == found.deviation == 0


@pytest.mark.parametrize("side", list(STACKS))
def test_what_enters_a_stack(made: Made, side: Side) -> None:
    plain = oracle(made.folder)
    found = ask(made.bundle, EmbeddingOf(side), reading())
    assert isinstance(found, EmbeddingSum)
    tied = {"all": "source_embedding", "target_output": "target_embedding", "none": "target_embedding"}
    name = "source_embedding" if side == "source" else tied[plain.a["tie_embeddings"]]
    ids = SOURCE if side == "source" else (2, *OUT[:-1])
    scale = 8**0.5 if plain.a["scale_embedding"] else 1.0
    token = plain.w[f"{name}.weight"][list(ids)] * scale

    assert found.side == side
    assert found.scale == pytest.approx(scale)
    close(found.embedding, token)
    close(found.total, plain.embedded[0 if side == "source" else 1])
    close(found.position, plain.embedded[0 if side == "source" else 1] - token)
    assert found.position.any() == (plain.a["positions"] != "none")
    walk = ask(made.bundle, WalkOf(side, 3), reading())
    for step, rows in zip(walk.steps, (found.embedding, found.position, found.total)):
        np.testing.assert_array_equal(step.vector, rows[3])
    assert [step.stage for step in walk.steps[:3]] == ["embedding", "position", "sum"]


def test_positions_taken_away_are_zeros(make: Make) -> None:
    found = ask(make().bundle, EmbeddingOf("target"), reading(*CHANGES))

    assert not found.position.any()
    np.testing.assert_array_equal(found.embedding, found.total)


@pytest.mark.parametrize("side", list(STACKS))
def test_the_neurons_that_do_most(made: Made, side: Side) -> None:
    plain = oracle(made.folder)
    for position in range(5):
        walk = ask(made.bundle, WalkOf(side, position), reading())
        assert [found.layer for found in walk.neurons] == list(range(LAYERS[side]))
        for found in walk.neurons:
            name = f"{STACKS[side]}.layers.{found.layer}."
            reads = plain.seen[name + "feed_forward"].entered[position]
            inner = F.linear(reads, plain.w[name + "linear1.weight"], plain.w[name + "linear1.bias"])
            inner = ACTIVATIONS[plain.a["activation"]](inner)
            effect = inner.abs() * plain.w[name + "linear2.weight"].norm(dim=0)
            assert found.total == 12
            assert found.active == int((inner > 0).sum())
            assert len(set(found.index.tolist())) == 12
            close(found.activation, inner[found.index.tolist()])
            close(found.effect, effect[found.index.tolist()])
            close(found.effect, effect.sort(descending=True).values)


def test_no_more_than_twelve_neurons(make: Make) -> None:
    found = ask(make(d_ff=40).bundle, WalkOf("source", 0), reading()).neurons[0]

    assert (len(found.index), found.total) == (12, 40)
    assert np.all(np.diff(found.effect) <= 0)


def test_what_the_decoder_would_say_after_each_layer(made: Made) -> None:
    plain = oracle(made.folder)
    names = {"all": "source_embedding.weight", "target_output": "target_embedding.weight"}
    output = plain.w[names.get(plain.a["tie_embeddings"], "output.weight")]
    bias = plain.w["output.bias"] if plain.a["output_bias"] else 0.0
    for position, produced in enumerate(OUT):
        walk = ask(made.bundle, WalkOf("target", position), reading())
        assert [lens.layer for lens in walk.lenses] == [0, 1, 2, None]
        for lens, layer in zip(walk.lenses, (0, 1, 2, 2)):
            norm = plain.seen[f"decoder.layers.{layer}.norm3"]
            hidden = norm.left[position]
            if plain.a["norm"] == "pre_norm":
                stream = (norm.entered + plain.seen[f"decoder.layers.{layer}.feed_forward"].left)[position]
                hidden = F.layer_norm(
                    stream, (8,), plain.w["decoder.norm.weight"], plain.w["decoder.norm.bias"], 1e-5
                )
            logits = output @ hidden + bias
            if plain.a.get("copying") and layer == 2:
                logits = plain.pointed(plain.closed["decoder"] @ output.T, list(SOURCE))[position]
            logprobs = logits.log_softmax(-1)
            order = logits.argsort(descending=True)[:10]
            assert lens.ids.tolist() == order.tolist()
            assert lens.tokens == tuple(map(made.bundle.target_tokenizer.piece, order.tolist()))
            close(lens.logits, logits[order])
            close(lens.logprobs, logprobs[order])
            assert lens.produced == pytest.approx(float(logprobs[produced]), abs=1e-5)
            assert lens.rank == 1 + int((logits > logits[produced]).sum())


def test_the_last_lens_is_the_word_that_was_decoded(made: Made) -> None:
    config = DecodeConfig(prefix_ids=(9, 17, 5), max_length=6, candidates=10)
    trace = list(decode_events(made.bundle, "the red dog", config, alterations=CHANGES[:2]))[-1].trace
    assert trace.step_rank is not None
    for step in range(trace.steps):
        walk = ask(made.bundle, WalkOf("target", step), Reading.of(trace))
        lens = walk.lenses[-1]
        assert lens.produced == pytest.approx(float(trace.step_logprob[step]), abs=1e-5)
        assert lens.ids.tolist() == trace.candidate_ids[step].tolist()
        assert lens.tokens == trace.candidate_tokens[step]
        close(lens.logprobs, trace.candidate_logprobs[step])
        assert lens.rank == trace.step_rank[step]
        assert walk.produced == trace.tgt_out_tokens[step]
        assert walk.tokens == trace.tgt_in_tokens


def test_a_source_position_produces_nothing(make: Make) -> None:
    bundle = make().bundle
    walk = ask(bundle, WalkOf("source", 2), reading(out=()))

    assert (walk.produced, walk.lenses) == ("", ())
    assert walk.tokens == tuple(map(bundle.source_tokenizer.piece, SOURCE))


tokens = st.lists(st.integers(4, 27), min_size=1, max_size=9).map(lambda ids: (*ids, 3))


@settings(max_examples=30, deadline=None)
@given(kind=st.sampled_from(sorted(KINDS)), source=tokens, out=tokens, data=st.data())
def test_any_way_of_any_reading(
    make: Make, kind: str, source: tuple[int, ...], out: tuple[int, ...], data: st.DataObject
) -> None:
    bundle, folder = make(**KINDS[kind])
    step = data.draw(st.integers(0, len(out) - 1))
    plain = WatchedPlain(folder)
    logprobs = plain.read(source, out)[step]
    walk = ask(bundle, WalkOf("target", step), Reading("", source, out))

    for found, (_, _, _, vector, *_) in zip(walk.steps[3:], expected_steps(plain, "target", step)):
        close(found.vector, vector, 2e-5)
    assert walk.lenses[-1].produced == pytest.approx(float(logprobs[out[step]]), abs=1e-4)
    assert walk.lenses[-1].logprobs[0] == pytest.approx(float(torch.max(logprobs)), abs=1e-4)
