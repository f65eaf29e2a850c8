"""Alterations as people write and read them, in English and counted from 1; no torch."""

from __future__ import annotations

import re

from model.alterations import Alteration, BlockToken, ChangePositions, Reorder, ScaleHead, SetRow
from model.errors import HeadscopeError
from model.trace import AttentionKind

_FAMILY = {
    AttentionKind.ENCODER_SELF: "self-attention of encoder layer",
    AttentionKind.DECODER_SELF: "self-attention of decoder layer",
    AttentionKind.CROSS: "cross-attention of decoder layer",
}
_ABLATION = re.compile(
    r"(?P<kind>encoder[-_]self|decoder[-_]self|cross):(?P<layer>[0-9]{1,9})(:(?P<head>[0-9]{1,9}))?"
    r"(=(?P<factor>[0-9]{0,9}\.?[0-9]{0,20}))?"
)


def label(alteration: Alteration) -> str:
    """One phrase, such as "cross-attention of decoder layer 2, head 3 switched off"."""
    match alteration:
        case ScaleHead(kind, layer, head, factor):
            what = "switched off" if factor == 0 else f"× {factor:g}"
            return f"{_place(kind, layer, head)} {what}"
        case BlockToken(token):
            return f"source token {token + 1} blocked"
        case ChangePositions():
            return _positions(alteration)
        case SetRow():
            place = _place(alteration.kind, alteration.layer, alteration.head)
            return f"row {alteration.query + 1} of {place} {_row(alteration)}"
        case Reorder(order):
            return "pieces reordered " + " ".join(str(place + 1) for place in order)


def parse_ablation(text: str) -> ScaleHead:
    """`cross:2:3` switches a head off, `cross:2:3=0.5` scales it, `cross:2` means all heads of the layer.

    Raises:
        HeadscopeError: `ablation_syntax`, or a factor out of range.
    """
    found = _ABLATION.fullmatch(text.strip().lower())
    numbers = [] if found is None else [found["layer"], found["head"] or "1"]
    if found is None or "0" in {number.lstrip("0") or "0" for number in numbers}:
        raise HeadscopeError("ablation_syntax", text=repr(text))
    factor = found["factor"]
    try:
        scale = 0.0 if factor is None else float(factor)
    except ValueError:
        raise HeadscopeError("ablation_syntax", text=repr(text)) from None
    return ScaleHead(
        AttentionKind(found["kind"].replace("-", "_")),
        int(found["layer"]) - 1,
        None if found["head"] is None else int(found["head"]) - 1,
        scale,
    )


def _place(kind: AttentionKind, layer: int, head: int | None) -> str:
    whole = "" if head is None else f", head {head + 1}"
    return f"{_FAMILY[kind]} {layer + 1}{whole}"


def _positions(change: ChangePositions) -> str:
    whose = "positions" if change.side == "both" else f"{change.side} positions"
    if change.how == "none":
        return f"no {whose}"
    among = "" if change.steps is None else f" among steps 1 to {change.steps}"
    if change.side == "both" and among:
        among = f", those of the target{among}"
    return f"{whose} shuffled{among} (seed {change.seed})"


def _row(change: SetRow) -> str:
    if change.key is not None:
        return f"on key {change.key + 1}"
    if change.weights is None:
        return "uniform"
    return "set to " + " ".join(f"{weight:.4g}" for weight in change.weights)
