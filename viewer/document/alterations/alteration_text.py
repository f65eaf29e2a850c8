"""Alterations in words: what was changed in a model; layers, heads, tokens and steps from 1."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.alterations.alteration import Alteration
from model.alterations.effects import Effects
from model.alterations.registry import from_json
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.registry import row_of
from viewer.document.text.input_text import input_tokens
from viewer.document.text.lists import clauses

translate = QCoreApplication.translate

_LONGEST_UNKNOWN = 80
_LONGEST_BADGE = 90


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
    return row_of(change).text(change, trace)


def change_texts(alterations: Sequence[Any], trace: Trace | None = None) -> list[str]:
    """`change_text` of each."""
    return [change_text(alteration, trace) for alteration in alterations]


def altered_badges(trace: Trace) -> list[str]:
    """That the model was altered and how, in badges of about a line each; none if it was not."""
    lines: list[str] = []
    for text in change_texts(trace.alterations, trace):
        if lines and len(lines[-1]) + len(text) < _LONGEST_BADGE:
            lines[-1] = clauses((lines[-1], text))
        else:
            lines.append(text)
    return [translate("Figure", "model altered: {changes}").format(changes=x) for x in lines]


def run_state_text(trace: Trace) -> str:
    """What tells two panes' runs apart: "untouched", or "altered: …"."""
    if not trace.alterations:
        return translate("Alterations", "original")
    return translate("Alterations", "altered: {changes}").format(
        changes=clauses(change_texts(trace.alterations, trace))
    )


def known_change(alteration: Any) -> Alteration | None:
    """The change that JSON stands for, None where this version does not know it or it makes no sense."""
    if not isinstance(alteration, Mapping):
        return alteration if isinstance(alteration, Alteration) else None
    try:
        return from_json(alteration)
    except HeadscopeError:
        return None


def output_badge(trace: Trace, kind: AttentionKind, layer: int, head: int | None) -> str:
    """That a head's output is not what its pattern would give; empty where it is.

    Args:
        head: None for a map of the mean, in which every head counts alike, whatever becomes of its output.
    """
    factors = output_factors(trace, kind, layer)
    if head is None and len(set(factors)) > 1:
        return translate("Alterations", "the mean includes heads whose output was changed")
    factor = (factors or [1.0])[0] if head is None else factors[head] if head < len(factors) else 1.0
    if factor == 1:
        return ""
    if head is None:
        off = translate("Alterations", "every head here is switched off; its attention is still shown")
        scaled = translate(
            "Alterations",
            "the output of every head here is multiplied by {factor}; its attention is still shown",
        )
    else:
        off = translate("Alterations", "this head is switched off; its attention is still shown")
        scaled = translate(
            "Alterations", "this head's output is multiplied by {factor}; its attention is still shown"
        )
    return off if factor == 0 else scaled.format(factor=f"{factor:g}")


def output_factors(trace: Trace, kind: AttentionKind, layer: int) -> list[float]:
    """What multiplies the output of each head of a layer."""
    return _effects(trace).factors(kind, layer, trace.heads(kind))


def set_rows(trace: Trace, kind: AttentionKind, layer: int, head: int | None) -> tuple[int, ...]:
    """Queries whose row was replaced, in the map of a head; of the mean, also those of single heads."""
    rows = len(trace.src_tokens) if kind is AttentionKind.ENCODER_SELF else trace.steps
    return _effects(trace).rows(kind, layer, head, rows)


def blocked_keys(trace: Trace, kind: AttentionKind) -> tuple[int, ...]:
    """Keys of a kind that nobody may attend to: tokens of the source, or of a prompt."""
    if kind is AttentionKind.DECODER_SELF and not trace.prompt_length:
        return ()
    return tuple(sorted(token for token in _effects(trace).blocked if token < len(input_tokens(trace))))


def _effects(trace: Trace) -> Effects:
    """What those changes that are known here do."""
    known = map(known_change, trace.alterations)
    return Effects.of(change for change in known if change is not None)


def _unknown(alteration: Any) -> str:
    if isinstance(alteration, str):
        text = alteration
    elif isinstance(alteration, Mapping) and isinstance(alteration.get("label"), str):
        text = alteration["label"]
    else:
        text = json.dumps(alteration, ensure_ascii=False, default=str)
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_UNKNOWN else line[: _LONGEST_UNKNOWN - 1] + "…"
