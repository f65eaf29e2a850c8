"""What was changed in a model's computation, in words; layers, heads, tokens and steps counted from 1."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.alterations import Alteration, BlockToken, ChangePositions, Reorder, ScaleHead, SetRow, from_json
from model.errors import HeadscopeError
from model.trace import AttentionKind, Trace
from viewer.state.token_text import token_texts

translate = QCoreApplication.translate

_LONGEST_UNKNOWN = 80
_LONGEST_BADGE = 90
_MOST_PLACES = 12


def change_text(alteration: Any, trace: Trace | None = None) -> str:
    """One change, such as "cross-attention of layer 2, head 3 off".

    Args:
        alteration: an `Alteration`, or what a trace's header holds of one; what is not known is shown as it
            is written there.
        trace: names the tokens; None to give their numbers only.
    """
    change = known_change(alteration)
    if change is None:
        return _unknown(alteration)
    if isinstance(change, ScaleHead):
        place = head_text(change.kind, change.layer, change.head)
        if change.factor == 0:
            return translate("Alterations", "{place} off").format(place=place)
        return translate("Alterations", "{place} × {factor}").format(place=place, factor=f"{change.factor:g}")
    if isinstance(change, BlockToken):
        name = _token(None if trace is None else trace.src_tokens, change.token)
        return translate("Alterations", "source token {token} blocked").format(token=name)
    if isinstance(change, ChangePositions):
        return _positions_text(change)
    if isinstance(change, SetRow):
        return _row_text(change, trace)
    return _order_text(change)


def change_texts(alterations: Sequence[Any], trace: Trace | None = None) -> list[str]:
    """`change_text` of each."""
    return [change_text(alteration, trace) for alteration in alterations]


def altered_badges(trace: Trace) -> list[str]:
    """That the model was altered and how, in badges of about a line each; none if it was not."""
    lines: list[str] = []
    for text in change_texts(trace.alterations, trace):
        if lines and len(lines[-1]) + len(text) < _LONGEST_BADGE:
            lines[-1] += "; " + text
        else:
            lines.append(text)
    return [translate("Figure", "model altered: {changes}").format(changes=x) for x in lines]


def run_state_text(trace: Trace) -> str:
    """What tells two panes' runs apart: "untouched", or "altered: …"."""
    if not trace.alterations:
        return translate("Alterations", "untouched")
    return translate("Alterations", "altered: {changes}").format(
        changes="; ".join(change_texts(trace.alterations, trace))
    )


def known_change(alteration: Any) -> Alteration | None:
    """The change that JSON stands for, None where this version does not know it or it makes no sense."""
    if not isinstance(alteration, Mapping):
        return alteration if isinstance(alteration, Alteration) else None
    try:
        return from_json(alteration)
    except HeadscopeError:
        return None


def head_text(kind: AttentionKind, layer: int, head: int | None) -> str:
    """A head, or (None) all of a layer: "cross-attention of layer 2, head 3"."""
    if kind is AttentionKind.ENCODER_SELF:
        one, every = (
            translate("Alterations", "encoder self-attention of layer {layer}, head {head}"),
            translate("Alterations", "encoder self-attention of layer {layer}, every head"),
        )
    elif kind is AttentionKind.DECODER_SELF:
        one, every = (
            translate("Alterations", "decoder self-attention of layer {layer}, head {head}"),
            translate("Alterations", "decoder self-attention of layer {layer}, every head"),
        )
    else:
        one, every = (
            translate("Alterations", "cross-attention of layer {layer}, head {head}"),
            translate("Alterations", "cross-attention of layer {layer}, every head"),
        )
    return (every if head is None else one).format(layer=layer + 1, head=(head or 0) + 1)


def output_badge(trace: Trace, kind: AttentionKind, layer: int, head: int | None) -> str:
    """That a head's output is not what its pattern would give; empty where it is.

    Args:
        head: None for a map of the mean, in which every head counts alike, whatever becomes of its output.
    """
    factors = output_factors(trace, kind, layer)
    if head is None and len(set(factors)) > 1:
        return translate("Alterations", "the mean counts the heads whose output is changed like the others")
    factor = (factors or [1.0])[0] if head is None else factors[head] if head < len(factors) else 1.0
    if factor == 1:
        return ""
    if head is None:
        off = translate("Alterations", "the output of every head here is off; what they attend to is shown")
        scaled = translate(
            "Alterations",
            "the output of every head here is multiplied by {factor}; what they attend to is shown",
        )
    else:
        off = translate("Alterations", "this head's output is off; what it attends to is shown")
        scaled = translate(
            "Alterations", "this head's output is multiplied by {factor}; what it attends to is shown"
        )
    return off if factor == 0 else scaled.format(factor=f"{factor:g}")


def output_factors(trace: Trace, kind: AttentionKind, layer: int) -> list[float]:
    """What multiplies the output of each head of a layer."""
    factors = [1.0] * trace.heads(kind)
    for change in map(known_change, trace.alterations):
        if isinstance(change, ScaleHead) and (change.kind, change.layer) == (kind, layer):
            for head in range(len(factors)):
                if change.head in (None, head):
                    factors[head] *= change.factor
    return factors


def set_rows(trace: Trace, kind: AttentionKind, layer: int, head: int | None) -> tuple[int, ...]:
    """Queries whose row was replaced, in the map of a head; of the mean, also those of single heads."""
    found = {
        change.query
        for change in map(known_change, trace.alterations)
        if isinstance(change, SetRow)
        and (change.kind, change.layer) == (kind, layer)
        and (head is None or change.head in (None, head))
    }
    return tuple(sorted(found))


def blocked_tokens(trace: Trace) -> tuple[int, ...]:
    """Source tokens that nobody may attend to."""
    found = {
        change.token for change in map(known_change, trace.alterations) if isinstance(change, BlockToken)
    }
    return tuple(sorted(token for token in found if token < len(trace.src_tokens)))


def _positions_text(change: ChangePositions) -> str:
    if change.how == "none":
        texts = {
            "both": translate("Alterations", "no positions"),
            "source": translate("Alterations", "no positions in the source"),
            "target": translate("Alterations", "no positions in the target"),
        }
        return texts[change.side]
    if change.side == "source":
        text = translate("Alterations", "positions of the source shuffled (seed {seed})")
    elif change.steps is None:  # a trace of an earlier version, or a wish that nothing has been decoded for
        texts = {
            "both": translate(
                "Alterations",
                "positions shuffled, those of the target among all it may have (seed {seed})",
            ),
            "target": translate(
                "Alterations", "positions of the target shuffled among all it may have (seed {seed})"
            ),
        }
        text = texts[change.side]
    elif change.side == "both":
        text = translate(
            "Alterations", "positions shuffled, those of the target among steps 1 to {steps} (seed {seed})"
        )
    else:
        text = translate(
            "Alterations", "positions of the target shuffled among steps 1 to {steps} (seed {seed})"
        )
    return text.format(seed=change.seed, steps=change.steps)


def _row_text(change: SetRow, trace: Trace | None) -> str:
    place = head_text(change.kind, change.layer, change.head)
    query = _query(trace, change)
    if change.key is not None:
        reads = change.kind is AttentionKind.DECODER_SELF
        key = _token(None if trace is None else trace.key_tokens(change.kind), change.key, starts=reads)
        return translate("Alterations", "{place}: row {row} reads only {key}").format(
            place=place, row=query, key=key
        )
    if change.weights is None:
        return translate("Alterations", "{place}: row {row} uniform").format(place=place, row=query)
    return translate("Alterations", "{place}: row {row} typed in").format(place=place, row=query)


def _query(trace: Trace | None, change: SetRow) -> str:
    if trace is None or change.kind is AttentionKind.ENCODER_SELF:
        return _token(None if trace is None else trace.src_tokens, change.query)
    return _token(trace.tgt_out_tokens, change.query)


def _token(pieces: Sequence[str] | None, index: int, *, starts: bool = False) -> str:
    """A number, and the token if it is known."""
    if pieces is None or index >= len(pieces):
        return str(index + 1)
    return translate("Alterations", "{number} “{token}”").format(
        number=index + 1, token=token_texts(tuple(pieces), starts=starts)[index].text
    )


def _order_text(change: Reorder) -> str:
    shown = " ".join(str(place + 1) for place in change.order[:_MOST_PLACES])
    more = " …" if len(change.order) > _MOST_PLACES else ""
    return translate("Alterations", "pieces read in the order {order}").format(order=shown + more)


def _unknown(alteration: Any) -> str:
    if isinstance(alteration, str):
        text = alteration
    elif isinstance(alteration, Mapping) and isinstance(alteration.get("label"), str):
        text = alteration["label"]
    else:
        text = json.dumps(alteration, ensure_ascii=False, default=str)
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_UNKNOWN else line[: _LONGEST_UNKNOWN - 1] + "…"
