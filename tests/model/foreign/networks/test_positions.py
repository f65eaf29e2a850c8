"""What models know of positions, against their own files and formulas worked by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from model.folder.families import Family
from model.foreign.networks.positions import facts_of
from model.positions.position_facts import (
    NoPositions,
    PositionFacts,
    RelativeBias,
    RotaryPositions,
    TablePositions,
    position_name,
)
from tests.foreign_assets import quiet
from tests.model.foreign.networks.test_networks import BART, LLAMA, SIZES, SOURCE, T5
from tests.model.foreign.opened import open_kind, small_network
from tests.model.small import numpy_positions

SEQ2SEQ, CAUSAL = "AutoModelForSeq2SeqLM", "AutoModelForCausalLM"


def _facts(network: Any, family: Family) -> tuple[PositionFacts, ...]:
    ids = {"input_ids": torch.tensor([SOURCE])}
    if family is Family.ENCODER_DECODER:
        ids["decoder_input_ids"] = torch.tensor([SOURCE])

    def run() -> None:
        with quiet(), torch.no_grad():
            network(**ids, use_cache=False)

    return facts_of(network, family, run)


def _bucket(offset: int, *, bidirectional: bool, buckets: int = 32, furthest: int = 128) -> int:
    """T5's rule: half the buckets for near distances, one each; the others by the logarithm."""
    first = 0
    if bidirectional:
        buckets //= 2
        first = buckets if offset > 0 else 0
        distance = abs(offset)
    else:
        distance = max(0, -offset)
    exact = buckets // 2
    if distance < exact:
        return first + distance
    far = exact + int(math.log(distance / exact) / math.log(furthest / exact) * (buckets - exact))
    return first + min(far, buckets - 1)


def test_learned_tables_are_those_in_the_file(tmp_path: Path) -> None:
    for kind, names, offset in (
        ("bert", ["bert.embeddings.position_embeddings.weight"], 0),
        ("gpt2", ["transformer.wpe.weight"], 0),
        ("bart", ["model.encoder.embed_positions.weight", "model.decoder.embed_positions.weight"], 2),
    ):
        model = open_kind(kind, tmp_path / kind).model
        tensors = load_file(tmp_path / kind / "model.safetensors")
        assert len(model.positions) == len(names)
        for fact, name in zip(model.positions, names):
            assert isinstance(fact, TablePositions)
            assert fact.learned
            assert fact.base is None
            np.testing.assert_array_equal(fact.rows, tensors[name][offset:])
            assert not fact.rows.flags.writeable
        stacks = [fact.stack for fact in model.positions if isinstance(fact, TablePositions)]
        assert stacks == {"bert": ["encoder"], "gpt2": ["decoder"], "bart": ["encoder", "decoder"]}[kind]
        assert model.architecture["positions"] == "learned"


def test_padding_counts_as_fairseq_counts() -> None:
    sizes = SIZES | {"intermediate_size": 48, "max_position_embeddings": 20, "pad_token_id": 1}
    network = small_network("roberta", "AutoModelForMaskedLM", **sizes)
    (fact,) = _facts(network, Family.ENCODER_ONLY)
    assert isinstance(fact, TablePositions)
    assert fact.rows.shape == (18, 32)
    table = network.state_dict()["roberta.embeddings.position_embeddings.weight"].numpy()
    np.testing.assert_array_equal(fact.rows, table[2:])


@pytest.mark.parametrize(
    ("model_type", "offset", "steps", "more"),
    [
        ("pegasus", 0, 16, {}),
        ("m2m_100", 2, 15, {}),
        ("m2m_100", 1, 15, {"pad_token_id": 0}),  # it counts from behind its padding
    ],
)
def test_computed_tables_are_sines_and_cosines(
    model_type: str, offset: int, steps: int, more: dict[str, int]
) -> None:
    network = small_network(model_type, SEQ2SEQ, **BART | more)
    (fact,) = _facts(network, Family.ENCODER_DECODER)
    assert isinstance(fact, TablePositions)
    assert not fact.learned
    assert fact.stored == (model_type == "pegasus")  # a table in its file; M2M100 computes it
    assert (fact.stack, fact.layout) == ("both", "halves")
    assert len(fact.rows) == 42 - offset if offset else 40  # M2M100 makes two rows more
    for position in (0, 1, 7, 37):
        for pair in (0, 3, 15):
            angle = (position + offset) * 10000.0 ** (-pair / steps)
            assert fact.rows[position, pair] == pytest.approx(math.sin(angle), abs=1e-4)
            assert fact.rows[position, 16 + pair] == pytest.approx(math.cos(angle), abs=1e-4)
    assert fact.base is not None
    assert fact.base ** (-2 * 3 / 32) == pytest.approx(10000.0 ** (-3 / steps))


@pytest.mark.parametrize("stored", [torch.float32, torch.float16, torch.bfloat16])
def test_a_table_of_weights_that_holds_sinusoids_is_no_learned_one(stored: torch.dtype) -> None:
    """BART's rows begin at 2; the decoder's table is another one, so that the two are told apart."""
    network = small_network("bart", SEQ2SEQ, **BART)
    table = torch.from_numpy(numpy_positions(42, 32, "halves")).to(stored).float()
    network.model.encoder.embed_positions.weight.data.copy_(table)
    encoder, decoder = _facts(network, Family.ENCODER_DECODER)
    assert isinstance(encoder, TablePositions)
    assert isinstance(decoder, TablePositions)
    assert (encoder.learned, encoder.stored, encoder.layout, encoder.base) == (False, True, "halves", 1e4)
    assert (decoder.learned, decoder.stored) == (True, False)
    network.model.encoder.embed_positions.weight.data[7, 3] += 0.01
    assert all(isinstance(f, TablePositions) and f.learned for f in _facts(network, Family.ENCODER_DECODER))


def test_a_table_that_is_not_used_as_it_is_told_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    network = small_network("gpt2", CAUSAL, vocab_size=40, n_embd=32, n_layer=1, n_head=4, n_positions=40)
    honest = network.transformer.wpe.forward
    monkeypatch.setattr(network.transformer.wpe, "forward", lambda ids: honest(ids + 1))
    assert _facts(network, Family.DECODER_ONLY) == (NoPositions(),)


def test_llama_turns_pairs_half_a_head_apart() -> None:
    network = small_network("llama", CAUSAL, **LLAMA)
    (fact,) = _facts(network, Family.DECODER_ONLY)
    assert isinstance(fact, RotaryPositions)
    want = [10000.0 ** (-2 * pair / 8) for pair in range(4)]
    np.testing.assert_allclose(fact.inverse_frequencies, want, rtol=1e-6)
    assert (fact.base, fact.head_width, fact.scaling, fact.layout) == (10000.0, 8, "", "halves")
    assert (fact.max_positions, fact.stack) == (40, "decoder")


def test_scaling_of_the_frequencies_is_told() -> None:
    scaled = {"rope_type": "linear", "factor": 4.0, "rope_theta": 500.0}
    network = small_network("llama", CAUSAL, **LLAMA, rope_parameters=scaled)
    (fact,) = _facts(network, Family.DECODER_ONLY)
    assert isinstance(fact, RotaryPositions)
    want = [500.0 ** (-2 * pair / 8) / 4 for pair in range(4)]
    np.testing.assert_allclose(fact.inverse_frequencies, want, rtol=1e-6)
    assert (fact.base, fact.scaling) == (500.0, "linear")


@pytest.mark.parametrize("model_type", ["gpt_neox", "phi"])
def test_a_part_of_a_head_may_be_left_unturned(model_type: str) -> None:
    half = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5}
    sizes = SIZES | {"intermediate_size": 48, "max_position_embeddings": 40, "rope_parameters": half}
    (fact,) = _facts(small_network(model_type, CAUSAL, **sizes), Family.DECODER_ONLY)
    assert isinstance(fact, RotaryPositions)
    np.testing.assert_allclose(fact.inverse_frequencies, [1.0, 10000.0**-0.5], rtol=1e-6)
    assert (fact.head_width, fact.layout) == (8, "halves")


@pytest.mark.parametrize(
    ("model_type", "sizes"),
    [
        (
            "gptj",
            {"vocab_size": 40, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 40, "rotary_dim": 4},
        ),
        ("glm", LLAMA | {"head_dim": 8, "pad_token_id": 0}),
        ("cohere", LLAMA | {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}}),
    ],
)
def test_neighbours_that_turn_together_are_told(model_type: str, sizes: dict[str, Any]) -> None:
    (fact,) = _facts(small_network(model_type, CAUSAL, **sizes), Family.DECODER_ONLY)
    assert isinstance(fact, RotaryPositions)
    assert (fact.layout, fact.head_width, fact.base) == ("interleaved", 8, 10000.0)
    turned = 8 if model_type == "cohere" else 4
    want = [10000.0 ** (-2 * pair / turned) for pair in range(turned // 2)]
    np.testing.assert_allclose(fact.inverse_frequencies, want, rtol=1e-6)


def test_kinds_of_layers_with_frequencies_of_their_own_are_all_told() -> None:
    rope = {
        "sliding_attention": {"rope_type": "default", "rope_theta": 100.0},
        "full_attention": {"rope_type": "linear", "rope_theta": 900.0, "factor": 2.0},
    }
    sizes = LLAMA | {"head_dim": 8, "sliding_window": 4, "rope_parameters": rope}
    sizes |= {"layer_types": ["sliding_attention", "full_attention"]}
    facts = _facts(small_network("gemma3_text", CAUSAL, **sizes), Family.DECODER_ONLY)
    told = {fact.base: fact for fact in facts if isinstance(fact, RotaryPositions)}
    assert set(told) == {100.0, 900.0}
    assert (told[100.0].scaling, told[900.0].scaling) == ("", "linear")
    want = [900.0 ** (-2 * pair / 8) / 2 for pair in range(4)]
    np.testing.assert_allclose(told[900.0].inverse_frequencies, want, rtol=1e-6)


def test_t5_biases_are_those_in_the_file_by_the_papers_buckets(tmp_path: Path) -> None:
    model = open_kind("t5", tmp_path).model
    tensors = load_file(tmp_path / "model.safetensors")
    assert [type(fact) for fact in model.positions] == [RelativeBias, RelativeBias]
    for fact, stack in zip(model.positions, ("encoder", "decoder")):
        assert isinstance(fact, RelativeBias)
        both = stack == "encoder"
        assert (fact.stack, fact.bidirectional, fact.max_distance) == (stack, both, 128)
        name = f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        np.testing.assert_array_equal(fact.weights, tensors[name])
        assert fact.offsets.tolist() == list(range(-128, 129 if both else 1))
        want = [_bucket(offset, bidirectional=both) for offset in fact.offsets.tolist()]
        assert fact.buckets.tolist() == want


def test_t5_scores_move_by_the_bias_that_is_told() -> None:
    """Attention of equal queries and keys is the softmax of the biases alone."""
    network = small_network("t5", SEQ2SEQ, **T5)
    attention = network.encoder.block[0].layer[0].SelfAttention
    attention.q.weight.zero_()
    fact = _facts(network, Family.ENCODER_DECODER)[0]
    assert isinstance(fact, RelativeBias)
    with torch.no_grad():
        pattern = network.encoder(torch.tensor([SOURCE]), output_attentions=True).attentions[0][0].numpy()
    by_offset = dict(zip(fact.offsets.tolist(), fact.weights[fact.buckets].astype(float)))
    for query in range(len(SOURCE)):
        scores = np.array([by_offset[key - query] for key in range(len(SOURCE))])
        want = np.exp(scores - scores.max(0)) / np.exp(scores - scores.max(0)).sum(0)
        np.testing.assert_allclose(pattern[:, query], want.T, atol=1e-5)


@pytest.mark.parametrize(
    ("model_type", "auto", "sizes"),
    [
        pytest.param(
            "bloom", CAUSAL, {"vocab_size": 40, "hidden_size": 32, "n_layer": 2, "n_head": 4}, id="ALiBi"
        ),
        pytest.param("falcon", CAUSAL, SIZES | {"alibi": True}, id="ALiBi beside an idle rotary"),
        pytest.param("umt5", SEQ2SEQ, T5, id="a bias for every layer"),
    ],
)
def test_what_cannot_be_shown_is_not_claimed(model_type: str, auto: str, sizes: dict[str, Any]) -> None:
    family = Family.ENCODER_DECODER if auto == SEQ2SEQ else Family.DECODER_ONLY
    facts = _facts(small_network(model_type, auto, **sizes), family)
    assert facts == (NoPositions(known=False),)
    assert position_name(facts) == "unknown"
