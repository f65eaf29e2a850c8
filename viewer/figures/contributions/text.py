"""Words of the contribution graph: an edge, its heads, what is hidden."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind

CONTEXT = "Contributions"


def percent(share: float) -> str:
    """A share as a person reads it."""
    number = f"{100 * share:.0f}" if 0.0995 <= share < 0.995 or share == 1 else f"{100 * share:.1f}"
    return QCoreApplication.translate("Wording", "{number} %").format(number=number)


def edge_words(kind: AttentionKind, layer: int, upper: str, lower: str, share: float, flow: float) -> str:
    """Such as "Encoder layer 2: 23 % of “girl” is “The”; 12 % of the word comes this way."."""
    translate = QCoreApplication.translate
    text = {
        AttentionKind.ENCODER_SELF: translate(
            "Contributions", "Encoder layer {layer}: {share} of “{upper}” is “{lower}”."
        ),
        AttentionKind.DECODER_SELF: translate(
            "Contributions", "Decoder layer {layer}: {share} of “{upper}” is “{lower}”, read so far."
        ),
        AttentionKind.CROSS: translate(
            "Contributions", "Decoder layer {layer}: {share} of “{upper}” is “{lower}” of the source."
        ),
    }[kind]
    said = text.format(layer=layer + 1, share=percent(share), upper=upper, lower=lower)
    way = translate("Contributions", "{flow} of the word comes this way.").format(flow=percent(flow))
    return f"{said} {way}"


def head_name(head: int | None) -> str:
    """A head, from 1, or the residual connection."""
    if head is None:
        return QCoreApplication.translate("Contributions", "residual connection")
    return QCoreApplication.translate("Contributions", "head {head}").format(head=head + 1)


def heads_words(heads: Sequence[tuple[int | None, float]]) -> str:
    """What carries most of an edge; empty where nothing by itself does."""
    if not heads:
        return ""
    head, share = heads[0]
    text = QCoreApplication.translate("Contributions", "Most of it by: {head} ({share}).")
    return text.format(head=head_name(head), share=percent(share))


def threshold_badge(threshold: float, hidden: float) -> str:
    """What the threshold hides; empty for no threshold."""
    if threshold <= 0:
        return ""
    text = QCoreApplication.translate(
        "Contributions", "edges under {threshold} hidden: {percent} % of what flows"
    )
    return text.format(threshold=f"{threshold:.3g}", percent=f"{100 * hidden:.1f}")


def crowd_badge(shown: int, count: int) -> str:
    """That not every edge over the threshold is drawn."""
    text = QCoreApplication.translate("Contributions", "the strongest {shown} of {count} edges")
    return text.format(shown=f"{shown:,}", count=f"{count:,}")


def share_badge(source: float) -> str:
    """What comes from where."""
    text = QCoreApplication.translate("Contributions", "source {source} %, prefix {prefix} %")
    number = round(100 * source)
    return text.format(source=number, prefix=100 - number)


def measure_badge() -> str:
    """What an edge is."""
    return QCoreApplication.translate(
        "Contributions", "edges: contribution (ALTI+) × what flows on, not attention weights"
    )


def heads_note() -> str:
    """How an edge is shared out among heads."""
    return QCoreApplication.translate(
        "Contributions",
        "An edge's heads: the same measure for what each head brings by itself, which no paper defines.",
    )


def stack_names() -> tuple[str, str]:
    """Above the numbers of the layers of encoder and decoder."""
    translate = QCoreApplication.translate
    return translate("Contributions", "encoder layer"), translate("Contributions", "decoder layer")


def row_text(read: str, predicted: str) -> str:
    """A step: what it reads, what it predicts."""
    return f"{read} → {predicted}"
