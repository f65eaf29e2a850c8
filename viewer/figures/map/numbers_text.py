"""Titles and badges of maps whose numbers are no plain weights; layers and heads counted from 1."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind, Trace
from viewer.document.selection import AddedNumbers, AnyNumbers, Numbers, Selection
from viewer.document.text.place_text import map_place
from viewer.document.text.token_text import token_texts
from viewer.figures.map.numbers import MIXING, OVER_LAYERS, About, about
from viewer.figures.map.spec import MapSpec
from viewer.figures.text import map_title


def numbers_title(trace: Trace, selection: Selection, numbers: AnyNumbers) -> str:
    """Such as "Encoder, rollout up to layer 3 of 4"."""
    translate = QCoreApplication.translate
    kind, layer, head = selection.kind, selection.layer, selection.head
    layers, heads = trace.layers(kind), trace.heads(kind)
    if numbers is Numbers.WEIGHTS:
        return map_title(kind, layer, layers, head, heads)
    encoder = kind is AttentionKind.ENCODER_SELF
    values = {"layer": layer + 1, "layers": layers, "heads": heads}
    if numbers is Numbers.ROLLOUT:
        return translate("Figure", "Encoder, rollout up to layer {layer} of {layers}").format(**values)
    if numbers in MIXING:
        return mixing_title(kind, numbers).format(**values)
    if numbers in OVER_LAYERS:
        return _over_layers(numbers, encoder).format(**values)
    if numbers is Numbers.MAX_HEADS:
        text = (
            translate("Figure", "Encoder layer {layer} of {layers}, maximum over {heads} heads")
            if encoder
            else translate("Figure", "Decoder layer {layer} of {layers}, maximum over {heads} heads")
        )
        return text.format(**values)
    if numbers is Numbers.VALUE_WEIGHTED and head is None:
        text = (
            translate("Figure", "Encoder layer {layer} of {layers}, {heads} heads together, value-weighted")
            if encoder
            else translate(
                "Figure", "Decoder layer {layer} of {layers}, {heads} heads together, value-weighted"
            )
        )
        return text.format(**values)
    return _named(map_title(kind, layer, layers, head, heads), numbers)


def numbers_place(trace: Trace, selection: Selection, numbers: AnyNumbers) -> str:
    """The title's short form, for sentences."""
    translate = QCoreApplication.translate
    kind, layer, head = selection.kind, selection.layer, selection.head
    heads = trace.heads(kind)
    encoder = kind is AttentionKind.ENCODER_SELF
    values = {"layer": layer + 1, "layers": trace.layers(kind), "heads": heads}
    if numbers is Numbers.ROLLOUT:
        return translate("Figure", "Encoder, up to layer {layer}").format(**values)
    if numbers in (Numbers.ALTI, Numbers.ZEROING) and not encoder:
        return translate("Figure", "Decoder, up to layer {layer}").format(**values)
    if numbers in (Numbers.ALTI, Numbers.ZEROING):
        return translate("Figure", "Encoder, up to layer {layer}").format(**values)
    if numbers in MIXING:
        return map_place(kind, layer, None, heads)
    if numbers in OVER_LAYERS:
        return _over_layers(numbers, encoder).format(**values)
    if numbers is Numbers.MAX_HEADS or (numbers is Numbers.VALUE_WEIGHTED and head is None):
        text = (
            translate("Figure", "Encoder layer {layer}, {heads} heads")
            if encoder
            else translate("Figure", "Decoder layer {layer}, {heads} heads")
        )
        return text.format(**values)
    return map_place(kind, layer, head, heads)


def _over_layers(numbers: AnyNumbers, encoder: bool) -> str:
    translate = QCoreApplication.translate
    if numbers is Numbers.MEAN_LAYERS:
        return (
            translate("Figure", "Encoder, mean over all {layers} × {heads} heads")
            if encoder
            else translate("Figure", "Decoder, mean over all {layers} × {heads} heads")
        )
    return (
        translate("Figure", "Encoder, maximum over all {layers} × {heads} heads")
        if encoder
        else translate("Figure", "Decoder, maximum over all {layers} × {heads} heads")
    )


def mixing_title(kind: AttentionKind, numbers: AnyNumbers) -> str:
    """What the shares of a kind are of, with {layer} and {layers} to be filled in."""
    translate = QCoreApplication.translate
    if numbers is Numbers.ZEROING:
        return translate("Figure", "Encoder, value zeroing up to layer {layer} of {layers}")
    if numbers is Numbers.ALTI:
        return {
            AttentionKind.ENCODER_SELF: translate(
                "Figure", "Encoder, contributions up to layer {layer} of {layers}"
            ),
            AttentionKind.DECODER_SELF: translate(
                "Figure", "Decoder, contributions of the prefix up to layer {layer} of {layers}"
            ),
            AttentionKind.CROSS: translate(
                "Figure", "Decoder, contributions of the source up to layer {layer} of {layers}"
            ),
        }[kind]
    encoder = kind is AttentionKind.ENCODER_SELF
    if numbers is Numbers.ZEROING_LAYER:
        return (
            translate("Figure", "Encoder layer {layer} of {layers}, value zeroing")
            if encoder
            else translate("Figure", "Decoder layer {layer} of {layers}, value zeroing")
        )
    return (
        translate("Figure", "Encoder layer {layer} of {layers}, contributions")
        if encoder
        else translate("Figure", "Decoder layer {layer} of {layers}, contributions")
    )


def _named(title: str, numbers: AnyNumbers) -> str:
    name = about(numbers).name.lower()
    return QCoreApplication.translate("Figure", "{title}, {numbers}").format(title=title, numbers=name)


def numbers_badge(trace: Trace, selection: Selection, numbers: AnyNumbers) -> str:
    """Name, formula in short and the shortest caveat."""
    translate = QCoreApplication.translate
    values = {"name": about(numbers).name, "formula": _short(numbers, one_head=selection.head is not None)}
    if numbers is Numbers.GRADIENT:
        text = translate("Figure", "{name} ({formula}) of step {step} “{token}”, not attention weights")
        token = token_texts(trace.tgt_out_tokens, style=trace.token_style)[selection.step].marked
        return text.format(**values, step=selection.step + 1, token=token)
    if numbers is Numbers.VALUE_WEIGHTED:
        text = translate("Figure", "{name} ({formula}): lengths, not attention weights")
    elif numbers is Numbers.ALTI and selection.kind is not AttentionKind.ENCODER_SELF:
        text = translate(
            "Figure",
            "{name} ({formula}), not attention weights: rows of source and prefix sum to 1 together",
        )
    elif numbers in (Numbers.MAX_HEADS, Numbers.MAX_LAYERS):
        text = translate("Figure", "{name} ({formula}), not attention weights: rows need not sum to 1")
    else:
        text = translate("Figure", "{name} ({formula}), not attention weights")
    return text.format(**values)


def _short(numbers: AnyNumbers, *, one_head: bool) -> str:
    """The formula's core; the caption and the menu have all of it."""
    if numbers in (Numbers.MAX_HEADS, Numbers.MAX_LAYERS):
        return "max α"
    if numbers is Numbers.MEAN_LAYERS:
        return QCoreApplication.translate("Figure", "mean of α")
    if numbers is Numbers.ROLLOUT:
        return "∏ (½ ᾱ + ½ I)"
    if numbers in (Numbers.ALTI, Numbers.ALTI_LAYER):
        return "‖y‖₁ − ‖y − T(x)‖₁"
    if numbers in (Numbers.ZEROING, Numbers.ZEROING_LAYER):
        return "1 − cos(y, y | v = 0)"
    if numbers is Numbers.VALUE_WEIGHTED:
        return "α ‖f(x)‖" if one_head else "‖Σ α f(x)‖"
    if numbers is Numbers.GRADIENT:
        return "α · ∂ log p / ∂α"
    if isinstance(numbers, AddedNumbers):
        return about(numbers).formula
    return "q·k" if numbers is Numbers.SCORES else "q·k / √d_head"


def placed_badge() -> str:
    """That positions act in this attention, and their part is in the numbers."""
    return QCoreApplication.translate("Figure", "with what positions add by distance")


def copies_badge() -> str:
    """That contributions say nothing of what is copied."""
    return QCoreApplication.translate("Figure", "what is copied from the source is not counted")


def undivided_badge() -> str:
    """That the formula's divisor is not there in this model (T5)."""
    return QCoreApplication.translate("Figure", "this model does not divide by √d_head")


def scale_badge(levels: tuple[float, float]) -> str:
    """That a map's colours are on a scale of their own; empty for 0 to 1."""
    if levels == (0.0, 1.0):
        return ""
    low, high = (f"{level:.3g}".replace("-", "−") for level in levels)
    return QCoreApplication.translate("Figure", "own scale: {low} to {high}").format(low=low, high=high)


def instead_badge(numbers: AnyNumbers, reason: str) -> str:
    """That the chosen numbers do not exist here, so that weights are shown."""
    text = QCoreApplication.translate("Figure", "weights are shown, not “{numbers}”: {reason}")
    return text.format(numbers=about(numbers).name, reason=reason)


def words_badge() -> str:
    """How pieces are merged to words."""
    return QCoreApplication.translate(
        "Figure", "pieces merged into words: sums over keys, means over queries"
    )


def no_words_badge(numbers: AnyNumbers) -> str:
    """Why numbers stay in pieces."""
    if isinstance(numbers, AddedNumbers):
        return QCoreApplication.translate(
            "Figure", "pieces, not whole words: nobody says what these numbers add up to"
        )
    return QCoreApplication.translate(
        "Figure", "pieces, not whole words: scores of pieces cannot be added up"
    )


def changed_output_badge(numbers: AnyNumbers) -> str:
    """What becomes of heads whose output is multiplied."""
    translate = QCoreApplication.translate
    if numbers in (*MIXING, Numbers.VALUE_WEIGHTED, Numbers.GRADIENT):
        return translate("Figure", "the numbers include the factors that scale heads' outputs")
    return translate("Figure", "heads whose output was changed are included")


def hidden_sum_badge(share: float | None) -> str:
    """How much of the rows' sums lies on columns that are left out; None where sums say nothing."""
    if share is None:
        return QCoreApplication.translate("Figure", "special tokens hidden")
    text = QCoreApplication.translate("Figure", "special tokens hidden: {percent} % of the rows' sums")
    return text.format(percent=f"{100 * share:.1f}")


def pieces_badge() -> str:
    """That a page of heads shows pieces where other views show words."""
    return QCoreApplication.translate("Figure", "heads: pieces, not whole words")


def numbers_facts(spec: MapSpec, said: About) -> dict[str, Any]:
    """The same for data: which numbers these are; of weights (a mean over heads) the trace says so."""
    facts: dict[str, Any] = {"formula": said.formula, "caveat": said.caveat, "numbers_source": said.source}
    if spec.numbers is not Numbers.WEIGHTS:
        facts |= {"numbers": str(spec.numbers), "levels": list(spec.levels)}
    return facts


def words_tip() -> str:
    """What merging pieces to words does, in a sentence."""
    return QCoreApplication.translate(
        "Figure",
        "Merge pieces into words: the sum over the pieces that are read, the mean over those that "
        "read. A decoder's row is the word that it reads. Rows of weights still sum to 1.",
    )
