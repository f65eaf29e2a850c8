"""Models of others, changed: against `transformers` with hooks of plain torch, and `attention_mask`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.alterations.alteration import Alteration
from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions
from model.alterations.detach import Detach
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.foreign.inside.anatomy import ANATOMIES
from model.foreign.inside.inside import inside_of
from model.foreign.inside.tapping import NAME
from model.trace.trace import AttentionKind, Trace
from model.translator.translator import Translator
from tests.foreign_assets import quiet
from tests.model.foreign.inside.plain import W_O, attentions, logprobs, run, seen, sliced
from tests.model.foreign.opened import Opened, open_kind

TEXT = "The little girl gave her brother"
FAMILIES = ("bart", "bert", "gpt2", "llama", "m2m100", "t5")
CLOSE = 2e-6
"""How far weights computed in float32 may lie apart: what rounding differs where a cache is used."""
HEADS = 4


@pytest.fixture(scope="module", params=FAMILIES)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def case(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Opened:
    return open_kind(kind, tmp_path_factory.mktemp(kind))


def traced(case: Opened, *alterations: Alteration, **config: Any) -> Trace:
    config = {"max_length": 8, **config}
    return list(Translator(case.model).decode(TEXT, DecodeConfig(**config), alterations=alterations))[
        -1
    ].trace


def ids_of(trace: Trace) -> tuple[list[int], list[int]]:
    return trace.src_ids.tolist(), trace.tgt_in_ids.tolist()


def check(trace: Trace, want: Any) -> None:
    """The trace's patterns and probabilities are those of one run of `transformers`."""
    for name, layers in attentions(want).items():
        for layer, weights in enumerate(layers):
            found = trace.patterns.layer(AttentionKind(name), layer)
            np.testing.assert_allclose(found, weights[0].numpy(), atol=CLOSE, rtol=2e-5)
    if trace.steps:
        wanted = logprobs(want, trace.tgt_out_ids.tolist())
        np.testing.assert_allclose(trace.step_logprob, wanted.numpy(), atol=2e-4)
    elif trace.src_candidate_logprobs is not None:
        own = want.logits[0].log_softmax(-1).gather(-1, torch.tensor(trace.src_ids)[:, None])[:, 0]
        np.testing.assert_allclose(trace.src_logprob, own.numpy(), atol=2e-4)


def test_watching_changes_no_bit(case: Opened) -> None:
    trace, network = traced(case), case.model.inside.network  # type: ignore[union-attr]
    source, target = ids_of(trace)
    given = [torch.tensor([ids]) for ids in (source or target, target or source)]
    before = case.model.inside.run(*given, output_attentions=True)  # type: ignore[union-attr]
    with case.model.inside.tapped(lambda site, pattern: None):  # type: ignore[union-attr]
        assert network.config._attn_implementation == NAME
        after = case.model.inside.run(*given, output_attentions=True)  # type: ignore[union-attr]
    assert network.config._attn_implementation == "eager"
    assert torch.equal(before.logits, after.logits)
    assert torch.equal(before.logits, run(case.network, source, target).logits)
    for name, layers in attentions(before).items():
        assert all(torch.equal(a, b) for a, b in zip(layers, attentions(after)[name], strict=True))


@pytest.mark.parametrize("factor", [0.0, 0.5, 2.0])
def test_a_scaled_head_is_its_slice_before_the_output_projection(
    kind: str, case: Opened, factor: float
) -> None:
    for name, path in W_O[kind].items():
        trace = traced(case, ScaleHead(AttentionKind(name), 1, 2, factor))
        with sliced(case.network, path.format(1), 2, HEADS, factor):
            check(trace, run(case.network, *ids_of(trace)))
        assert [dict(one)["type"] for one in trace.alterations] == ["scale"]


@pytest.mark.parametrize("mode", ["greedy", "beam", "forced"])
def test_a_blocked_token_is_an_attention_mask_of_0(case: Opened, mode: str) -> None:
    if case.model.family == "encoder_only":
        trace = traced(case, BlockToken(2), BlockToken(4))
    else:
        trace = traced(
            case, BlockToken(2), BlockToken(4), mode=mode, target="a red" if mode == "forced" else None
        )
    assert trace.patterns.layer(trace.kinds[0], 0)[..., 2].max() == 0
    check(trace, run(case.network, *ids_of(trace), hidden=[2, 4]))


def test_a_token_that_may_look_nowhere_looks_nowhere(tmp_path: Path) -> None:
    case = open_kind("gpt2", tmp_path)
    trace = traced(case, BlockToken(0))
    weights = trace.patterns.layer(AttentionKind.DECODER_SELF, 1)
    assert not weights[:, 0].any()
    np.testing.assert_allclose(weights[:, 1:].sum(-1), 1, atol=1e-5)


def test_a_replaced_row_is_mixed_by_hand(kind: str, case: Opened) -> None:
    """Its head's part of what W_O gets is the row times the values, which plain hooks read."""
    untouched = traced(case)
    for name, path in W_O[kind].items():
        attention, query = AttentionKind(name), 2
        keys = untouched.patterns.shape(attention)[3] if name != "decoder_self" else query + 1  # type: ignore[index]
        weights = np.linspace(1, 3, keys) / np.linspace(1, 3, keys).sum()
        trace = traced(case, SetRow(attention, 0, 1, query, weights=tuple(weights.tolist())))
        shown = trace.patterns.layer(attention, 0)[1, query]
        np.testing.assert_allclose(shown[:keys], weights, atol=1e-6)
        assert not shown[keys:].any()
        source, target = ids_of(trace)
        values_at = _VALUES[kind, name]
        with seen(case.network, values_at) as given, torch.no_grad():
            run(case.network, source, target)
        mixed = torch.tensor(weights) @ _by_head(given[values_at][1][0], kind)[1, :keys].double()
        with seen(case.model.inside.network, path.format(0)) as found:  # type: ignore[union-attr]
            traced(case, SetRow(attention, 0, 1, query, weights=tuple(weights.tolist())))
        own = found[path.format(0)][0][0, query].view(HEADS, -1)[1]
        np.testing.assert_allclose(own.numpy(), mixed.numpy(), atol=1e-5, rtol=1e-4)


_VALUES = {
    ("bert", "encoder_self"): "bert.encoder.layer.0.attention.self.value",
    ("gpt2", "decoder_self"): "transformer.h.0.attn.c_attn",
    ("llama", "decoder_self"): "model.layers.0.self_attn.v_proj",
    ("t5", "encoder_self"): "encoder.block.0.layer.0.SelfAttention.v",
    ("t5", "decoder_self"): "decoder.block.0.layer.0.SelfAttention.v",
    ("t5", "cross"): "decoder.block.0.layer.1.EncDecAttention.v",
}
for _kind in ("bart", "m2m100"):
    _VALUES[_kind, "encoder_self"] = "model.encoder.layers.0.self_attn.v_proj"
    _VALUES[_kind, "decoder_self"] = "model.decoder.layers.0.self_attn.v_proj"
    _VALUES[_kind, "cross"] = "model.decoder.layers.0.encoder_attn.v_proj"


def _by_head(values: torch.Tensor, kind: str) -> torch.Tensor:
    """[H, n, e] of what a projection [n, ·] gives: GPT-2's all three at once, Llama's for two heads each."""
    if kind == "gpt2":
        values = values.chunk(3, -1)[2]
    heads = HEADS // 2 if kind == "llama" else HEADS
    return values.view(len(values), heads, -1).transpose(0, 1).repeat_interleave(HEADS // heads, 0)


def test_all_cross_attention_off(kind: str, case: Opened) -> None:
    if "cross" not in W_O[kind]:
        with pytest.raises(HeadscopeError) as wrong:
            traced(case, Detach(0.0))
        assert wrong.value.code == "alteration_kind"
        return
    trace = traced(case, Detach(0.0))
    hooks = [
        case.network.get_submodule(W_O[kind]["cross"].format(layer)).register_forward_pre_hook(
            lambda _, given: (torch.zeros_like(given[0]),)
        )
        for layer in range(trace.patterns.shape(AttentionKind.CROSS)[0])  # type: ignore[index]
    ]
    want = run(case.network, *ids_of(trace))
    for hook in hooks:
        hook.remove()
    check(trace, want)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (ChangePositions(), "others_cannot_be"),
        (Reorder((1, 0)), "others_cannot_be"),
        (ScaleHead(AttentionKind.ENCODER_SELF, 9), "alteration_layer"),
    ],
)
def test_what_cannot_be_changed_is_refused(tmp_path: Path, change: Alteration, code: str) -> None:
    with pytest.raises(HeadscopeError) as wrong:
        traced(open_kind("t5", tmp_path), change)
    assert wrong.value.code == code


TINY = {"vocab_size": 40, "num_hidden_layers": 2, "num_attention_heads": 4, "hidden_size": 32}
TINY |= {"intermediate_size": 48, "max_position_embeddings": 64, "num_key_value_heads": 2}
OTHER = {
    "distilbert": {"vocab_size": 40, "dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 48},
    "gpt2": {"vocab_size": 40, "n_embd": 32, "n_layer": 2, "n_head": 4},
}
T5 = {"vocab_size": 40, "d_model": 32, "d_kv": 12, "d_ff": 48, "num_layers": 2, "num_heads": 4}
STACK = {"attention_heads": 4, "ffn_dim": 48, "layers": 2}
BART = {"vocab_size": 40, "d_model": 32, "max_position_embeddings": 64}
BART |= {f"{stack}_{name}": size for stack in ("encoder", "decoder") for name, size in STACK.items()}
AUTO = {
    "encoder_only": "AutoModelForMaskedLM",
    "decoder_only": "AutoModelForCausalLM",
    "encoder_decoder": "AutoModelForSeq2SeqLM",
}


@pytest.mark.parametrize(
    ("model_type", "row"),
    [(name, row) for row in ANATOMIES for name in row.types],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_every_type_of_the_registry_opens(model_type: str, row: Any) -> None:
    """It is built as its row says, and a head off is its slice off."""
    import transformers

    sizes = T5 if row.scores == "plain" else BART if row.family == "encoder_decoder" else TINY
    torch.manual_seed(1)
    with quiet():
        config = transformers.AutoConfig.for_model(model_type, **OTHER.get(model_type, sizes))
        auto = getattr(transformers, AUTO[row.family])
        network = auto.from_config(config, attn_implementation="eager").eval().requires_grad_(False)
    inside = inside_of(network, row.family, ([5, 6, 7, 8], [2, 3, 4]))
    assert inside is not None
    source, target = torch.tensor([[5, 6, 7, 8]]), torch.tensor([[2, 3, 4]])
    site = next(site for site in inside.sites.values() if site.layer == 1)
    module = inside.module(site, inside.part(site).last)
    path = next(name for name, one in network.named_modules() if one is module)

    def off(at: Any, pattern: torch.Tensor) -> torch.Tensor | None:
        return pattern * torch.tensor([1.0, 1, 0, 1]).view(4, 1, 1) if at == site else None

    with inside.tapped(off):
        found = inside.run(source, target).logits
    with sliced(network, path, 2, HEADS, 0.0):
        wanted = inside.run(source, target).logits
    torch.testing.assert_close(found, wanted, atol=1e-6, rtol=1e-5)
    assert not torch.equal(found, inside.run(source, target).logits)


def test_scores_that_are_divided_otherwise_are_not_opened() -> None:
    import transformers

    with quiet():
        config = transformers.GPT2Config(**OTHER["gpt2"], scale_attn_by_inverse_layer_idx=True)
        network = transformers.AutoModelForCausalLM.from_config(config, attn_implementation="eager").eval()
    assert inside_of(network, ANATOMIES[2].family, ([5, 6, 7], [2, 3])) is None
