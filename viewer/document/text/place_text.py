"""Places in a model, in words: a kind, a layer and head, a training step."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.folder.families import Family
from model.trace.trace import AttentionKind, FrameKind, Trace
from viewer.document.text.model_text import family_of_trace


def kind_name(kind: AttentionKind, trace: Trace | None = None) -> str:
    """The kind's name in a sentence; of a model with one stack alone, as its `trace` shows, without it."""
    translate = QCoreApplication.translate
    family = Family.ENCODER_DECODER if trace is None else family_of_trace(trace)
    if family is Family.ENCODER_ONLY or (
        family is Family.DECODER_ONLY and trace is not None and not trace.is_causal
    ):
        return translate("Figure", "self-attention")
    if family is Family.DECODER_ONLY:
        return translate("Figure", "causal self-attention")
    if kind is AttentionKind.ENCODER_SELF:
        return translate("Figure", "encoder self-attention")
    if kind is AttentionKind.DECODER_SELF:
        return translate("Figure", "decoder self-attention")
    return translate("Figure", "cross-attention")


def map_place(kind: AttentionKind, layer: int, head: int | None, heads: int) -> str:
    """The title's short form: "Decoder layer 2, head 4"."""
    translate = QCoreApplication.translate
    encoder = kind is AttentionKind.ENCODER_SELF
    if head is None and encoder:
        text = translate("Figure", "Encoder layer {layer}, mean over {heads} heads")
    elif head is None:
        text = translate("Figure", "Decoder layer {layer}, mean over {heads} heads")
    elif encoder:
        text = translate("Figure", "Encoder layer {layer}, head {head}")
    else:
        text = translate("Figure", "Decoder layer {layer}, head {head}")
    return text.format(layer=layer + 1, head=(head or 0) + 1, heads=heads)


def training_step(step: int) -> str:
    """Such as "training step 1,200"."""
    return QCoreApplication.translate("Figure", "training step {step}").format(step=f"{step:,}")


def frame_text(kind: FrameKind, number: int) -> str:
    """Such as "training step 1,200", or "round 3"."""
    if kind == "training_step":
        return training_step(number)
    return QCoreApplication.translate("Figure", "round {number}").format(number=number)
