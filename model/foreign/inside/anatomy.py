"""Anatomy: where the parts of a model of `transformers` lie, by the names of its modules.

A row a shape of modules; types of model that are built alike share one. `model.foreign.inside.inside` finds
the modules of a loaded model by its row, and tries whether they do what is said here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.folder.families import Family
from model.trace.trace import AttentionKind

SublayerName = Literal["self_attention", "cross", "feed_forward"]


@dataclass(frozen=True)
class Part:
    """A sub-layer, its modules named from the layer.

    Attributes:
        writes: the module whose output is added to the residual stream.
        norm: the norm before the sub-layer in pre-norm, else after the residual sum.
        last: its last matrix: W_O, or the second of the feed-forward network.
        attention: the module that looks; empty of a feed-forward network.
    """

    name: SublayerName
    writes: str
    norm: str
    last: str
    attention: str = ""


@dataclass(frozen=True)
class Stack:
    """A stack of layers.

    Attributes:
        layers: path of the list of its layers, from the model without what is on top.
        parts: sub-layers of each layer, in the order of computation.
        norm: `pre_norm` or `post_norm`.
        before: path of a norm between the embeddings and the first layer, which some models of a shape lack.
        closing: path of a norm behind the last layer; empty without one.
    """

    layers: str
    parts: tuple[Part, ...]
    norm: Literal["pre_norm", "post_norm"]
    before: str = ""
    closing: str = ""


@dataclass(frozen=True)
class Anatomy:
    """A shape of modules.

    Attributes:
        types: model types built so, as `config.json` names them; tests hold each against `transformers`.
        norms: LayerNorm, or RMSNorm, which takes no mean off.
        scores: what the attention does to q · k before positions and mask: divided by the root of a head's
            width, or left as it is.
        positions: how positions act in self-attention, by the name that pictures know; empty for not at all.
    """

    types: tuple[str, ...]
    family: Family
    encoder: Stack | None = None
    decoder: Stack | None = None
    norms: Literal["layer", "rms"] = "layer"
    scores: Literal["root", "plain"] = "root"
    positions: Literal["", "rotary", "bias"] = ""

    def stack(self, kind: AttentionKind) -> Stack | None:
        """The stack that a kind of attention is part of."""
        return self.encoder if kind is AttentionKind.ENCODER_SELF else self.decoder


def _bart(norm: Literal["pre_norm", "post_norm"], *types: str) -> Anatomy:
    own = Part("self_attention", "self_attn", "self_attn_layer_norm", "self_attn.out_proj", "self_attn")
    cross = Part("cross", "encoder_attn", "encoder_attn_layer_norm", "encoder_attn.out_proj", "encoder_attn")
    inner = Part("feed_forward", "fc2", "final_layer_norm", "fc2")

    def stack(name: str, parts: tuple[Part, ...]) -> Stack:
        closing = f"{name}.layer_norm" if norm == "pre_norm" else ""
        return Stack(f"{name}.layers", parts, norm, f"{name}.layernorm_embedding", closing)

    return Anatomy(
        types,
        Family.ENCODER_DECODER,
        encoder=stack("encoder", (own, inner)),
        decoder=stack("decoder", (own, cross, inner)),
    )


def _t5(*types: str) -> Anatomy:
    def part(name: SublayerName, place: int, module: str, last: str) -> Part:
        path = f"layer.{place}.{module}"
        looks = "" if name == "feed_forward" else path
        return Part(name, path, f"layer.{place}.layer_norm", f"{path}.{last}", looks)

    own, cross = part("self_attention", 0, "SelfAttention", "o"), part("cross", 1, "EncDecAttention", "o")
    inner = [part("feed_forward", place, "DenseReluDense", "wo") for place in (1, 2)]
    return Anatomy(
        types,
        Family.ENCODER_DECODER,
        encoder=Stack("encoder.block", (own, inner[0]), "pre_norm", closing="encoder.final_layer_norm"),
        decoder=Stack(
            "decoder.block", (own, cross, inner[1]), "pre_norm", closing="decoder.final_layer_norm"
        ),
        norms="rms",
        scores="plain",
        positions="bias",
    )


_BERT = Anatomy(
    ("bert", "roberta", "xlm-roberta", "camembert"),
    Family.ENCODER_ONLY,
    encoder=Stack(
        "encoder.layer",
        (
            Part(
                "self_attention",
                "attention.output.dense",
                "attention.output.LayerNorm",
                "attention.output.dense",
                "attention.self",
            ),
            Part("feed_forward", "output.dense", "output.LayerNorm", "output.dense"),
        ),
        "post_norm",
        before="embeddings.LayerNorm",
    ),
)
_DISTILBERT = Anatomy(
    ("distilbert",),
    Family.ENCODER_ONLY,
    encoder=Stack(
        "transformer.layer",
        (
            Part("self_attention", "attention", "sa_layer_norm", "attention.out_lin", "attention"),
            Part("feed_forward", "ffn", "output_layer_norm", "ffn.lin2"),
        ),
        "post_norm",
        before="embeddings.LayerNorm",
    ),
)
_GPT2 = Anatomy(
    ("gpt2",),
    Family.DECODER_ONLY,
    decoder=Stack(
        "h",
        (
            Part("self_attention", "attn", "ln_1", "attn.c_proj", "attn"),
            Part("feed_forward", "mlp", "ln_2", "mlp.c_proj"),
        ),
        "pre_norm",
        closing="ln_f",
    ),
)
_LLAMA = Anatomy(
    ("llama", "mistral", "qwen2"),
    Family.DECODER_ONLY,
    decoder=Stack(
        "layers",
        (
            Part("self_attention", "self_attn", "input_layernorm", "self_attn.o_proj", "self_attn"),
            Part("feed_forward", "mlp", "post_attention_layernorm", "mlp.down_proj"),
        ),
        "pre_norm",
        closing="norm",
    ),
    norms="rms",
    positions="rotary",
)

ANATOMIES: tuple[Anatomy, ...] = (
    _BERT,
    _DISTILBERT,
    _GPT2,
    _LLAMA,
    _t5("t5", "mt5"),
    _bart("post_norm", "bart"),
    _bart("pre_norm", "mbart", "m2m_100", "pegasus"),
)
"""Every shape that can be looked into."""


def anatomy_of(model_type: str, family: Family) -> Anatomy | None:
    """The row of a type of model; None where nobody has described it, or it is used as something else."""
    rows = (row for row in ANATOMIES if model_type in row.types and row.family is family)
    return next(rows, None)
