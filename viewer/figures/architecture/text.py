"""Text: what stands on blocks, beside arrows and under the figure."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from model.folder.families import Family
from model.trace.trace import AttentionKind
from viewer.figures.architecture.anatomy import Anatomy, StackName
from viewer.figures.architecture.spec import Role, Sublayer

translate = QCoreApplication.translate
_ACTIVATIONS = {"relu": "ReLU", "gelu": "GELU", "gelu_new": "GELU", "silu": "SiLU", "swish": "SiLU"}


def title(anatomy: Anatomy) -> str:
    """Such as "Architecture: 4 encoder and 3 decoder layers"."""
    if anatomy.crosses:
        text = translate("Architecture", "Architecture: {encoder} encoder and {decoder} decoder layers")
    elif anatomy.family is Family.ENCODER_ONLY:
        text = translate("Architecture", "Architecture: an encoder of {encoder} layers")
    else:
        text = translate("Architecture", "Architecture: a decoder of {decoder} layers")
    return text.format(encoder=anatomy.encoder_layers, decoder=anatomy.decoder_layers)


def stack_name(stack: StackName) -> str:
    """Encoder or decoder."""
    if stack == "encoder":
        return translate("Architecture", "Encoder")
    return translate("Architecture", "Decoder")


def foot(anatomy: Anatomy, stack: StackName, tokens: int | None) -> str:
    """What a stack reads."""
    name = stack_name(stack)
    if tokens is None:
        return name
    if anatomy.crosses and stack == "encoder":
        text = translate("Architecture", "{stack} · source: {count} tokens")
    elif anatomy.crosses:
        text = translate("Architecture", "{stack} · so far: {count} tokens")
    else:
        text = translate("Architecture", "{stack} · {count} tokens")
    return text.format(stack=name, count=tokens)


def shape_text(shape: Sequence[int]) -> str:
    """Such as (13, 256)."""
    return f"({', '.join(map(str, shape))})" if shape else ""


def times(count: int) -> str:
    """How often a layer is there: "4 ×"."""
    return translate("Architecture", "{count} ×").format(count=count)


def layer_heading(layer: int, layers: int) -> str:
    """Such as "Layer 2 of 4"."""
    text = translate("Architecture", "Layer {layer} of {layers}")
    return text.format(layer=layer + 1, layers=layers)


def activation(name: str) -> str:
    """As papers write it."""
    return _ACTIVATIONS.get(name, name)


def block_name(anatomy: Anatomy, role: Role, sublayer: Sublayer, kind: AttentionKind | None = None) -> str:
    """What stands on a block."""
    norm = anatomy.norm_name or translate("Architecture", "Norm")
    if role == "attention":
        if sublayer == "cross":
            return translate("Architecture", "Cross-attention")
        if kind is AttentionKind.DECODER_SELF and not anatomy.in_rounds:
            return translate("Architecture", "Masked self-attention")
        return translate("Architecture", "Self-attention")
    return {
        "length": translate("Architecture", "Length"),
        "embedding": translate("Architecture", "Embedding"),
        "scale": translate("Architecture", "× √{d} = × {root}").format(
            d=anatomy.d_model, root=f"{anatomy.d_model**0.5:.4g}"
        )
        if anatomy.d_model
        else translate("Architecture", "× √d_model"),
        "positions": translate("Architecture", "+ Positions"),
        "segments": translate("Architecture", "+ Sentence A or B"),
        "feed_forward": translate("Architecture", "Feed-forward"),
        "norm": norm,
        "add": translate("Architecture", "Add"),
        "add_norm": translate("Architecture", "Add & {norm}").format(norm=norm),
        "linear": _top_name(anatomy),
        "softmax": translate("Architecture", "Softmax"),
        "copy": translate("Architecture", "Copy or generate"),
    }[role]


def _top_name(anatomy: Anatomy) -> str:
    if anatomy.top == "masked_words":
        return translate("Architecture", "Masked-word head")
    if anatomy.top == "classes":
        return translate("Architecture", "Classification head")
    return translate("Architecture", "Linear")


def block_note(anatomy: Anatomy, stack: StackName, role: Role, kind: AttentionKind | None) -> str:
    """The numbers under a block's name; empty where none are known."""
    d = anatomy.d_model
    if role == "embedding" and d and anatomy.vocab(stack):
        return f"{anatomy.vocab(stack):,} × {d}"
    if role == "length" and d:
        return f"{d} → {anatomy.architecture.get('max_positions', 0):,}"
    if role == "positions":
        return positions_name(anatomy.positions)
    if role == "attention" and kind is not None:
        return _heads_note(anatomy, kind)
    if role == "feed_forward" and d and anatomy.inner(stack):
        name = activation(anatomy.activation)
        note = f"{d} → {anatomy.inner(stack):,} → {d}"
        return f"{note}, {name}" if name else note
    if role == "linear":
        return _top_note(anatomy, stack)
    if role == "copy":
        return translate("Architecture", "gate, and the last cross-attention")
    return ""


def _heads_note(anatomy: Anatomy, kind: AttentionKind) -> str:
    heads = anatomy.heads_of(kind)
    if not heads:
        return ""
    if not anatomy.head_width:
        return translate("Architecture", "{heads} heads").format(heads=heads)
    if anatomy.kv_heads:
        text = translate("Architecture", "{heads} heads of {width}, {kv} of K, V")
        return text.format(heads=heads, width=anatomy.head_width, kv=anatomy.kv_heads)
    text = translate("Architecture", "{heads} heads of {width}")
    return text.format(heads=heads, width=anatomy.head_width)


def _top_note(anatomy: Anatomy, stack: StackName) -> str:
    if anatomy.top == "classes":
        return translate("Architecture", "{count} classes").format(count=anatomy.classes)
    vocab = anatomy.vocab(stack)
    if not vocab:
        return ""
    return f"{anatomy.d_model} → {vocab:,}" if anatomy.d_model else f"{vocab:,}"


def positions_name(positions: str) -> str:
    """What kind of positions a model has."""
    return {
        "sinusoidal": translate("Architecture", "sinusoidal"),
        "learned": translate("Architecture", "learned"),
        "rotary": translate("Architecture", "rotary"),
        "relative": translate("Architecture", "relative"),
        "alibi": "ALiBi",
    }.get(positions, "")


def memory_text(shape: Sequence[int], wiring: str) -> str:
    """What goes from the encoder to the decoder."""
    text = translate("Architecture", "K, V {shape}") if shape else translate("Architecture", "K, V")
    if wiring == "same_depth":
        text = translate("Architecture", "K, V by depth {shape}")
    elif wiring == "mix":
        text = translate("Architecture", "K, V mixed {shape}")
    return text.format(shape=shape_text(shape)).strip()


def wiring_sentence(wiring: str) -> str:
    """Which encoder layers the decoder reads, where the arrow of the figure does not say it."""
    return {
        "same_depth": translate(
            "Architecture", "Each decoder layer reads the encoder layer of its own depth, not the last."
        ),
        "mix": translate(
            "Architecture", "Each decoder layer reads a learned mix of the embedding and all encoder layers."
        ),
    }.get(wiring, "")


def query_text(shape: Sequence[int]) -> str:
    """What the decoder asks with."""
    text = translate("Architecture", "Q {shape}") if shape else translate("Architecture", "Q")
    return text.format(shape=shape_text(shape))


def cache_text(positions: int) -> str:
    """Under the cells of the cache."""
    if positions == 1:
        return translate("Architecture", "cache: 1 position")
    return translate("Architecture", "cache: {count} positions").format(count=positions)


def produced_text(token: str, probability: float | None) -> str:
    """What comes out at the top."""
    if probability is None:
        return token
    text = translate("Architecture", "{token}  {percent} %")
    return text.format(token=token, percent=f"{100 * probability:.0f}")


def unknown_wiring_badge() -> str:
    """Says that the figure leaves norms and sums out."""
    return translate("Architecture", "where it normalises and adds residuals is not known")


def step_sentence(step: int, steps: int) -> str:
    """Says which moment the figure shows."""
    return translate("Architecture", "As of step {step} of {steps}.").format(step=step + 1, steps=steps)


def positions_sentence(positions: str, *, own: bool = False) -> str:
    """Of positions that are no block of their own; empty where they are, or nobody knows them.

    Args:
        own: it is our Transformer: `relative` are vectors, elsewhere a bias.
    """
    if own and positions == "relative":
        return translate(
            "Architecture",
            "Positions are vectors added to keys and values by distance in each self-attention (relative).",
        )
    if own and positions == "rotary":
        return translate("Architecture", "Positions turn queries and keys in each self-attention (rotary).")
    return {
        "rotary": translate("Architecture", "Positions rotate queries and keys in each attention (rotary)."),
        "relative": translate("Architecture", "Positions are a bias on the scores in each self-attention."),
        "alibi": translate(
            "Architecture", "Positions lower the scores of distant keys in each self-attention (ALiBi)."
        ),
        "none": translate("Architecture", "It has no positional encoding."),
    }.get(positions, "")
