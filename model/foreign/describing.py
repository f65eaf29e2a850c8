"""Describing a model that `transformers` runs: sizes and kinds, by the names of our own."""

from __future__ import annotations

from typing import Any

from model.foreign.networks.config_values import number_of, value_of
from model.positions.position_facts import PositionFacts, is_stored, position_name
from model.trace.attention_shape import AttentionShape
from model.trace.trace import AttentionKind, Trace

_WIDTH = ("d_model", "hidden_size", "n_embd", "dim")
_INNER = ("d_ff", "encoder_ffn_dim", "ffn_dim", "intermediate_size", "n_inner", "hidden_dim")
_HEAD_WIDTH = ("head_dim", "d_kv")
_INNER_OF_DECODER = ("decoder_ffn_dim",)
_ACTIVATION = (
    "feed_forward_proj",
    "activation_function",
    "hidden_act",
    "hidden_activation",
    "activation",
    "afn",
)
_POST = "albert bart bert camembert distilbert electra fsmt openai-gpt plbart roberta xlm-roberta"
_PRE = (
    "bloom codegen falcon gemma gpt2 gpt_bigcode gpt_neo gpt_neox gptj llama m2m_100 mbart mistral mixtral "
    "mt5 nllb-moe pegasus pegasus_x phi phi3 qwen2 qwen3 roberta-prelayernorm stablelm starcoder2 t5 umt5"
)
_POST_NORM, _PRE_NORM = frozenset(_POST.split()), frozenset(_PRE.split())
"""Model types by what their layers normalise: configurations seldom say it."""


def describe(
    config: Any,
    shape: AttentionShape,
    facts: tuple[PositionFacts, ...],
    *,
    source_vocab: int,
    target_vocab: int,
) -> dict[str, Any]:
    """`ForeignModel.architecture`; what the configuration does not say is absent."""
    own = config.get_text_config()
    heads = shape.encoder_heads or shape.decoder_heads
    result: dict[str, Any] = {
        "model_type": str(config.model_type),
        "encoder_layers": shape.encoder_layers,
        "decoder_layers": shape.decoder_layers,
        "n_heads": heads,
        "positions": position_name(facts),
        "source_vocab": source_vocab,
        "target_vocab": target_vocab,
    }
    if is_stored(facts):
        result["positions_stored"] = True
    if shape.decoder_heads not in (0, heads):
        result["decoder_heads"] = shape.decoder_heads
    grouped = number_of(own, "num_key_value_heads")
    if 0 < grouped < heads:
        result["kv_heads"] = grouped
    width = number_of(own, *_WIDTH)
    if width:
        result["d_model"] = width
        head_width = number_of(own, *_HEAD_WIDTH) or width // heads
        if head_width * heads != width:
            result["head_width"] = head_width
        # GPT-2 leaves it open where it is four times the width.
        result["d_ff"] = number_of(own, *_INNER) or 4 * width
        writes = number_of(own, *_INNER_OF_DECODER) if shape.encoder_layers and shape.decoder_layers else 0
        if writes not in (0, result["d_ff"]):
            result["decoder_d_ff"] = writes
    if value_of(own, "scale_embedding") is True:
        result["scale_embedding"] = True
    said = (value_of(own, name) for name in _ACTIVATION)
    activation = next((name for name in said if isinstance(name, str)), "")
    if activation:
        result["activation"] = activation
    norm = _norm(own)
    if norm:
        result["norm"] = norm
    return result


def shape_of_reader(trace: Trace) -> AttentionShape:
    """Of an encoder alone, by a text that it has read."""
    found = trace.patterns.shape(AttentionKind.ENCODER_SELF)
    assert found is not None
    layers, heads = found[:2]
    return AttentionShape(layers, heads, 0, 0, cross=False)


def _norm(config: Any) -> str:
    """Whether each layer normalises what it reads or what it writes; empty where it is not known."""
    if config.model_type in _POST_NORM:
        return "post_norm"
    return "pre_norm" if config.model_type in _PRE_NORM else ""
