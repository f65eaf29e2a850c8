"""Flow text: its title and what its badges own up to."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind
from viewer.figures.map.spec import MapSpec


def threshold_badge(threshold: float, share: float, first: MapSpec, *, of_shown: bool) -> str:
    """Says how much of the weight the lines left out have; `of_shown`: of what hidden tokens leave."""
    translate = QCoreApplication.translate
    if first.quantity:
        text = translate("Figure", "lines below {threshold} hidden: {percent} % of the sum of all numbers")
    elif of_shown:
        text = translate(
            "Figure", "lines below {threshold} hidden: {percent} % of the weight between the tokens shown"
        )
    else:
        text = translate("Figure", "lines below {threshold} hidden: {percent} % of the weight")
    return text.format(threshold=f"{threshold:.3g}", percent=f"{100 * share:.1f}")


def crowd_badge(count: int) -> str:
    """Says that not every line is drawn."""
    text = QCoreApplication.translate(
        "Figure", "too many lines ({count}): only those of the chosen token are drawn"
    )
    return text.format(count=f"{count:,}")


def widths_badge() -> str:
    """Says that widths are no weights."""
    return QCoreApplication.translate("Figure", "square-root line widths, true values")


def heads_of_layer_title(kind: AttentionKind, layer: int, layers: int, heads: Sequence[int], of: int) -> str:
    """Such as "Decoder layer 2 of 4, heads 1, 3 of 8"; the number of heads where all are drawn."""
    translate = QCoreApplication.translate
    encoder, every = kind is AttentionKind.ENCODER_SELF, len(heads) == of
    if every and encoder:
        text = translate("Figure", "Encoder layer {layer} of {layers}, all {of} heads")
    elif every:
        text = translate("Figure", "Decoder layer {layer} of {layers}, all {of} heads")
    elif encoder:
        text = translate("Figure", "Encoder layer {layer} of {layers}, heads {heads} of {of}")
    else:
        text = translate("Figure", "Decoder layer {layer} of {layers}, heads {heads} of {of}")
    names = translate("Figure", ", ").join(str(head + 1) for head in heads)
    return text.format(layer=layer + 1, layers=layers, heads=names, of=of)
