"""Driving models of `transformers`: their caches kept, cut, forked and chosen from; what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from model.errors import HeadscopeError
from model.foreign.networks.causal_network import CausalNetwork
from model.foreign.networks.networks import ForeignNetwork
from model.foreign.networks.seq2seq_network import Seq2SeqNetwork
from model.network.attention import AttentionSite
from model.trace.trace import AttentionKind
from tests.foreign_assets import quiet
from tests.model.foreign.opened import in_one_run, small_network

SIZES = {"vocab_size": 40, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
LLAMA = {**SIZES, "num_key_value_heads": 2, "intermediate_size": 48, "max_position_embeddings": 40}
GPT2 = {"vocab_size": 40, "n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 40}
T5 = {"vocab_size": 40, "d_model": 32, "d_kv": 8, "d_ff": 48, "num_layers": 2, "num_heads": 4}
BART = {
    "vocab_size": 40,
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 48,
    "decoder_ffn_dim": 48,
    "max_position_embeddings": 40,
    "pad_token_id": 1,
    "bos_token_id": 0,
    "eos_token_id": 2,
}
# Decoders whose caches forget, or which have none, beside those that keep everything.
CAUSAL: dict[str, dict[str, Any]] = {
    "gpt2": GPT2,
    "llama": LLAMA,
    "mistral": LLAMA | {"sliding_window": 3},
    "gemma2": LLAMA | {"sliding_window": 3, "head_dim": 8},
    "openai-gpt": GPT2,
    "opt": SIZES | {"ffn_dim": 48, "word_embed_proj_dim": 32, "max_position_embeddings": 40},
    "bloom": {"vocab_size": 40, "hidden_size": 32, "n_layer": 2, "n_head": 4},
}
FSMT = {name: size for name, size in BART.items() if name != "vocab_size"} | {"langs": ["en", "de"]}
SEQ2SEQ: dict[str, dict[str, Any]] = {
    "t5": T5,
    "bart": BART,
    "mbart": BART,
    "pegasus": BART,
    "m2m_100": BART,
    "fsmt": FSMT | {"src_vocab_size": 40, "tgt_vocab_size": 40},
    "switch_transformers": T5 | {"num_experts": 2, "num_decoder_layers": 2},
}
SOURCE, TARGET = [4, 5, 6, 7, 8, 9, 3], [2, 5, 9, 7, 8, 9, 30, 31]


def _driven(kind: str, *, verified: bool = False) -> tuple[Any, ForeignNetwork]:
    causal = kind in CAUSAL
    sizes = CAUSAL[kind] if causal else SEQ2SEQ[kind]
    network = small_network(kind, "AutoModelForCausalLM" if causal else "AutoModelForSeq2SeqLM", **sizes)
    made: Callable[..., ForeignNetwork] = CausalNetwork if causal else Seq2SeqNetwork
    return network, made(network, name=kind, verified=verified, sample=(SOURCE[:4], TARGET[:6]))


@pytest.fixture(scope="module", params=[*CAUSAL, *SEQ2SEQ])
def driven(request: pytest.FixtureRequest) -> tuple[Any, ForeignNetwork]:
    return _driven(request.param)


class _Rows:
    """A tap that puts the rows of every step below each other."""

    def __init__(self) -> None:
        self.seen: list[AttentionSite] = []
        self.rows: dict[AttentionSite, list[Tensor]] = {}

    def __call__(self, site: AttentionSite, pattern: Tensor) -> None:
        self.seen.append(site)
        self.rows.setdefault(site, []).append(pattern)

    def whole(self, kind: AttentionKind, layer: int) -> Tensor:
        steps = self.rows[AttentionSite(kind, layer)]
        width = steps[-1].shape[-1]
        padded = [torch.nn.functional.pad(step, (0, width - step.shape[-1])) for step in steps]
        return torch.cat(padded, 2)


def _start(network: ForeignNetwork, tap: Any = None, batch: int = 1) -> Any:
    memory = network.encode(torch.tensor([SOURCE]), tap=tap) if network.crosses else None
    return network.start_cache(memory, batch=batch)


def _target(*ids: int) -> Tensor:
    return torch.tensor([ids])


def test_steps_with_the_cache_show_what_one_run_without_shows(driven: tuple[Any, ForeignNetwork]) -> None:
    network, ours = driven
    want = in_one_run(network, SOURCE if ours.crosses else [], TARGET)
    rows = _Rows()
    state = _start(ours, rows)
    logits = [ours.decode_step(_target(*TARGET[:3]), state, tap=rows)]
    logits += [ours.decode_step(_target(token), state, tap=rows) for token in TARGET[3:]]
    torch.testing.assert_close(torch.cat(logits, 1), want.logits, atol=1e-4, rtol=1e-5)
    own = want.decoder_attentions if ours.crosses else want.attentions
    for layer, pattern in enumerate(own):
        torch.testing.assert_close(rows.whole(AttentionKind.DECODER_SELF, layer), pattern, atol=1e-5, rtol=0)
    if ours.crosses:
        for layer, pattern in enumerate(want.encoder_attentions):
            seen = rows.rows[AttentionSite(AttentionKind.ENCODER_SELF, layer)][0]
            torch.testing.assert_close(seen, pattern, atol=1e-5, rtol=0)
        for layer, pattern in enumerate(want.cross_attentions):
            torch.testing.assert_close(rows.whole(AttentionKind.CROSS, layer), pattern, atol=1e-5, rtol=0)


def test_each_layer_tells_its_own_attention_and_then_cross(driven: tuple[Any, ForeignNetwork]) -> None:
    _, ours = driven
    rows = _Rows()
    ours.decode_step(_target(2), _start(ours), tap=rows)
    kinds = (
        (AttentionKind.DECODER_SELF, AttentionKind.CROSS) if ours.crosses else (AttentionKind.DECODER_SELF,)
    )
    assert rows.seen == [AttentionSite(kind, layer) for layer in range(2) for kind in kinds]


def test_what_is_forgotten_is_as_if_it_had_never_been_read(driven: tuple[Any, ForeignNetwork]) -> None:
    _, ours = driven
    state = _start(ours)
    want = ours.decode_step(_target(*TARGET[:4]), state)
    ours.decode_step(_target(30, 31), state)
    for kept in (2, 0):
        state.truncate(kept)
        assert state.length == kept
        again = ours.decode_step(_target(*TARGET[kept:4]), state)
        torch.testing.assert_close(again, want[:, kept:], atol=1e-4, rtol=1e-5)


def test_a_fork_and_its_origin_go_on_without_each_other(driven: tuple[Any, ForeignNetwork]) -> None:
    _, ours = driven
    state = _start(ours)
    ours.decode_step(_target(*TARGET[:4]), state)
    branch, copy = state.fork(2), state.fork()
    assert (branch.length, copy.length, state.length) == (2, 4, 4)
    other = ours.decode_step(_target(20), branch)
    here = ours.decode_step(_target(21), state)
    there = ours.decode_step(_target(21), copy)
    torch.testing.assert_close(here, there)
    anew = _start(ours)
    want = ours.decode_step(_target(*TARGET[:2], 20), anew)
    torch.testing.assert_close(other, want[:, -1:], atol=1e-4, rtol=1e-5)
    assert (branch.length, state.length) == (3, 5)


def test_chosen_sequences_go_on_in_their_new_order(driven: tuple[Any, ForeignNetwork]) -> None:
    _, ours = driven
    state = _start(ours)
    ours.decode_step(_target(2), state)
    state.select(torch.tensor([0, 0, 0]))
    ours.decode_step(torch.tensor([[5], [6], [7]]), state)
    state.select(torch.tensor([2, 0, 2, 1]))
    logits = ours.decode_step(torch.tensor([[8], [8], [9], [9]]), state)
    for row, path in enumerate(([2, 7, 8], [2, 5, 8], [2, 7, 9], [2, 6, 9])):
        want = ours.decode_step(_target(*path), _start(ours))
        torch.testing.assert_close(logits[row : row + 1], want[:, -1:], atol=1e-4, rtol=1e-5)


@pytest.mark.parametrize("kind", ["t5", "bart"])
def test_padded_sources_in_one_batch_are_each_as_alone(kind: str) -> None:
    _, ours = _driven(kind)
    short = SOURCE[:4]
    ids = torch.tensor([SOURCE, [*short, 1, 1, 1]])
    mask = torch.arange(7) < torch.tensor([[7], [4]])
    memory = ours.encode(ids, key_mask=mask)
    state = ours.start_cache(memory, memory_mask=mask)
    rows = _Rows()
    both = ours.decode_step(torch.tensor([[2, 5], [2, 6]]), state, tap=rows)
    alone = ours.decode_step(_target(2, 6), ours.start_cache(ours.encode(torch.tensor([short]))))
    torch.testing.assert_close(both[1:], alone, atol=1e-4, rtol=1e-5)
    assert float(rows.rows[AttentionSite(AttentionKind.CROSS, 0)][0][1, :, :, 4:].abs().max()) == 0
    state.select(torch.tensor([1, 1]))
    next_both = ours.decode_step(torch.tensor([[7], [8]]), state)
    want = ours.decode_step(_target(2, 6, 8), ours.start_cache(ours.encode(torch.tensor([short]))))
    torch.testing.assert_close(next_both[1:], want[:, -1:], atol=1e-4, rtol=1e-5)


def test_a_composite_tells_the_layers_of_each_part() -> None:
    import transformers

    sizes = SIZES | {"intermediate_size": 48, "max_position_embeddings": 40}
    decoder = sizes | {"num_hidden_layers": 3, "is_decoder": True, "add_cross_attention": True}
    parts = [transformers.BertConfig(**part) for part in (sizes, decoder)]
    with quiet():
        config = transformers.EncoderDecoderConfig.from_encoder_decoder_configs(*parts)
        network = transformers.EncoderDecoderModel(config).eval().requires_grad_(False)
        network.set_attn_implementation("eager")
    ours = Seq2SeqNetwork(network, name="x", verified=False, sample=(SOURCE, TARGET))
    shape = ours.attention_shape
    assert (shape.encoder_layers, shape.decoder_layers, shape.cross, ours.keeps) == (2, 3, True, True)


def test_a_model_without_a_cache_reads_all_again() -> None:
    assert not _driven("openai-gpt")[1].keeps
    assert _driven("mistral")[1].keeps


def test_changes_are_refused() -> None:
    _, ours = _driven("t5")
    with pytest.raises(HeadscopeError) as wrong:
        ours.encode(torch.tensor([SOURCE]), tap=lambda _, pattern: pattern)
    assert wrong.value.code == "source_cannot"
    with pytest.raises(HeadscopeError) as wrong:
        ours.decode_step(_target(2), _start(ours), position_ids=torch.tensor([[3]]))
    assert wrong.value.code == "source_cannot"


def test_a_token_that_the_model_has_no_row_for_is_refused() -> None:
    _, ours = _driven("gpt2")
    with pytest.raises(HeadscopeError) as wrong:
        ours.decode_step(_target(40), _start(ours))
    assert wrong.value.code == "token_id"


STATE_SPACE = {
    "vocab_size": 40,
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "state_size": 4,
}
LED = {**BART, "max_encoder_position_embeddings": 40, "max_decoder_position_embeddings": 40}
LED |= {"attention_window": 4}
del LED["max_position_embeddings"]


@pytest.mark.parametrize(
    ("model_type", "sizes", "code"),
    [
        pytest.param("mamba", STATE_SPACE, "attention_missing", id="no attention at all"),
        pytest.param(
            "lfm2",
            LLAMA | {"layer_types": ["conv", "full_attention"]},
            "attention_missing",
            id="not in every layer",
        ),
        pytest.param("led", LED, "attention_shape_unknown", id="local attention"),
        pytest.param(
            "gpt_oss",
            LLAMA | {"num_local_experts": 2, "num_experts_per_tok": 1, "head_dim": 8},
            "attention_rows",
            id="a sink takes a share of every row",
        ),
        pytest.param(
            "xlm",
            {"n_words": 40, "emb_dim": 32, "n_layers": 2, "n_heads": 4},
            "attention_later",
            id="sees what comes",
        ),
    ],
)
def test_what_would_make_a_wrong_picture_is_refused(
    model_type: str, sizes: dict[str, Any], code: str
) -> None:
    writes = model_type == "led"
    network = small_network(
        model_type, "AutoModelForSeq2SeqLM" if writes else "AutoModelForCausalLM", **sizes
    )
    made: Callable[..., ForeignNetwork] = Seq2SeqNetwork if writes else CausalNetwork
    with pytest.raises(HeadscopeError) as wrong, quiet():
        made(network, name="x", verified=False, sample=(SOURCE, TARGET))
    assert wrong.value.code == code
    assert model_type in str(wrong.value)


def test_fused_attention_that_shows_no_weights_is_refused() -> None:
    network = small_network("llama", "AutoModelForCausalLM", **LLAMA)
    with quiet():
        network.set_attn_implementation("sdpa")
    with pytest.raises(HeadscopeError) as wrong, quiet():
        CausalNetwork(network, name="x", verified=True, sample=(SOURCE, TARGET))
    assert wrong.value.code == "attention_missing"


def test_an_unproven_models_rows_are_added_up_at_every_step(monkeypatch: pytest.MonkeyPatch) -> None:
    network, ours = _driven("bloom")
    state = _start(ours)
    ours.decode_step(_target(2), state)
    honest = network.forward

    def leaking(*args: Any, **kwargs: Any) -> Any:
        out = honest(*args, **kwargs)
        out.attentions = tuple(pattern * 0.9 for pattern in out.attentions)
        return out

    monkeypatch.setattr(network, "forward", leaking)
    with pytest.raises(HeadscopeError) as wrong:
        ours.decode_step(_target(5), state)
    assert wrong.value.code == "attention_rows"
    assert "0.9" in str(wrong.value)
