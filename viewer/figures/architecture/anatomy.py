"""Anatomy: what a model is made of, as far as it is known; its picture leaves out what is not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from model.folder.families import Family
from model.trace.trace import AttentionKind, Trace
from viewer.document.text.model_text import family_of_trace

StackName = Literal["encoder", "decoder"]
Top = Literal["words", "masked_words", "classes", ""]

_PARALLEL = frozenset(("codegen", "falcon", "gpt_neox", "gptj", "phi"))
"""Model types that may compute attention and feed-forward side by side, not one after the other."""
_EMBEDDING_NORM = frozenset(("albert", "bart", "bert", "camembert", "distilbert", "mbart", "roberta"))
"""Model types that normalise what enters the first layer."""
_SEGMENTS = frozenset(("albert", "bert"))
"""Model types that add a vector for the sentence of a pair."""
_SCALED_SCORES = frozenset(("bart", "bert", "distilbert", "gpt2", "llama", "m2m_100", "mbart", "roberta"))
_UNSCALED_SCORES = frozenset(("mt5", "t5", "umt5"))
_RMS_NORM = frozenset(("gemma", "llama", "mistral", "mixtral", "mt5", "phi3", "qwen2", "qwen3", "t5", "umt5"))
_PLAIN_NETWORK = frozenset(("bart", "bert", "distilbert", "gpt2", "m2m_100", "mbart", "roberta"))
"""Model types of which more is known than their configuration says: compared with `transformers`."""


@dataclass(frozen=True)
class Anatomy:
    """A model's parts; numbers that are not known are 0, names empty.

    Attributes:
        own: it is in our own Transformer, of which everything is known.
        heads, decoder_heads: of each layer of the encoder and of the decoder.
        kv_heads: where several heads of queries share one of keys and values; else 0.
        norm: `post_norm` or `pre_norm`; empty where it is not known how layers normalise and add.
        scaled: embeddings are multiplied by sqrt(d_model).
        positions: `sinusoidal`, `learned`, `rotary`, `relative`, `none`, `unknown`.
        tie: which weights the output shares, as in `Architecture`.
        wiring: which encoder layers the decoder's read, as in `Architecture`.
        top: what stands on the last layer.
        score_scale: whether scores are divided by sqrt(head_width); None where it is not known.
        copying: words may be copied from what the encoder reads.
        plain_network: the feed-forward network is two matrices with biases.
        architecture: what all this was read from.
    """

    family: Family
    encoder_layers: int
    decoder_layers: int
    heads: int = 0
    decoder_heads: int = 0
    kv_heads: int = 0
    own: bool = False
    model_type: str = ""
    d_model: int = 0
    head_width: int = 0
    d_ff: int = 0
    decoder_d_ff: int = 0
    activation: str = ""
    norm: str = ""
    norm_name: str = ""
    scaled: bool = False
    embedding_norm: bool = False
    segments: bool = False
    positions: str = "unknown"
    source_vocab: int = 0
    target_vocab: int = 0
    tie: str = ""
    wiring: str = "last"
    top: Top = ""
    classes: int = 0
    score_scale: bool | None = None
    plain_network: bool = False
    copying: bool = False
    architecture: Mapping[str, Any] = field(default_factory=dict)

    @property
    def stacks(self) -> tuple[StackName, ...]:
        """Those that it has."""
        if self.family is Family.ENCODER_ONLY:
            return ("encoder",)
        return ("decoder",) if self.family is Family.DECODER_ONLY else ("encoder", "decoder")

    @property
    def crosses(self) -> bool:
        """Whether the decoder reads what the encoder found."""
        return self.family is Family.ENCODER_DECODER

    @property
    def in_rounds(self) -> bool:
        """Whether all tokens are written at once, in rounds."""
        return self.architecture.get("generation") == "all_at_once"

    @property
    def added_positions(self) -> bool:
        """Whether a vector is added for the place, as the paper does."""
        return self.positions in ("sinusoidal", "learned")

    def layers(self, stack: StackName) -> int:
        """Of a stack."""
        return self.encoder_layers if stack == "encoder" else self.decoder_layers

    def vocab(self, stack: StackName) -> int:
        """Tokens that a stack can read."""
        if self.family is not Family.ENCODER_DECODER:
            return self.source_vocab or self.target_vocab
        return self.source_vocab if stack == "encoder" else self.target_vocab

    def heads_of(self, kind: AttentionKind) -> int:
        """In a layer of a family of attention."""
        return self.heads if kind is AttentionKind.ENCODER_SELF else self.decoder_heads

    def inner(self, stack: StackName) -> int:
        """Width of the feed-forward network."""
        return self.decoder_d_ff or self.d_ff if stack == "decoder" else self.d_ff


def anatomy_of(architecture: Mapping[str, Any], family: Family) -> Anatomy:
    """Of a model, by what is said of it.

    Args:
        architecture: `Architecture.to_json` of a model of ours, else `ForeignModel.architecture`.
    """
    said, kind = architecture, str(architecture.get("model_type", ""))
    own = "tie_embeddings" in said
    heads, width = _number(said, "n_heads"), _number(said, "d_model")
    inner = _number(said, "d_ff")
    norm = "" if kind in _PARALLEL else str(said.get("norm", ""))
    named = norm and (own or kind in _SCALED_SCORES | _UNSCALED_SCORES | _RMS_NORM)
    return Anatomy(
        family=family,
        encoder_layers=_number(said, "encoder_layers"),
        decoder_layers=_number(said, "decoder_layers"),
        heads=heads,
        decoder_heads=_number(said, "decoder_heads") or heads,
        kv_heads=_number(said, "kv_heads"),
        own=own,
        model_type=kind,
        d_model=width,
        head_width=_number(said, "head_width") or (width // heads if heads else 0),
        d_ff=inner,
        decoder_d_ff=_number(said, "decoder_d_ff") or inner,
        activation=str(said.get("activation", "")),
        norm=norm,
        norm_name=_norm_name(said, kind) if named else "",
        scaled=bool(said.get("scale_embedding")),
        embedding_norm=kind in _EMBEDDING_NORM,
        segments=kind in _SEGMENTS,
        positions=str(said.get("positions", "unknown")),
        source_vocab=_number(said, "source_vocab"),
        target_vocab=_number(said, "target_vocab"),
        tie=str(said.get("tie_embeddings", "")),
        wiring=str(said.get("wiring", "last")),
        top=_top(said, family),
        classes=len(said["classes"]) if isinstance(said.get("classes"), list | tuple) else 0,
        score_scale=True if own or kind in _SCALED_SCORES else False if kind in _UNSCALED_SCORES else None,
        plain_network=own or kind in _PLAIN_NETWORK,
        copying=said.get("copying") is True,
        architecture=dict(said),
    )


def anatomy_of_trace(trace: Trace) -> Anatomy:
    """Of a model that only a trace tells of: stacks, layers and heads."""
    encoder, decoder = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF
    return Anatomy(
        family=family_of_trace(trace),
        encoder_layers=trace.layers(encoder),
        decoder_layers=trace.layers(decoder) or trace.layers(AttentionKind.CROSS),
        heads=trace.heads(encoder),
        decoder_heads=trace.heads(decoder) or trace.heads(AttentionKind.CROSS),
        top="" if trace.only_reads else "words",
    )


def _norm_name(said: Mapping[str, Any], kind: str) -> str:
    if said.get("normalisation") == "batch":
        return "BatchNorm"
    return "RMSNorm" if kind in _RMS_NORM else "LayerNorm"


def _top(said: Mapping[str, Any], family: Family) -> Top:
    if family is not Family.ENCODER_ONLY:
        return "words"
    if said.get("classes"):
        return "classes"
    return "masked_words" if said.get("mask_token") and not said.get("unshown_head") else ""


def _number(said: Mapping[str, Any], name: str) -> int:
    value = said.get(name)
    return value if type(value) is int and value > 0 else 0
