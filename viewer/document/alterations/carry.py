"""Carry in the window: its words. It is made in Compare, from a cell of what carrying over did."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.alterations.carry import Carry
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.row import AlterationRow
from viewer.document.alterations.words import head_text, token_name

translate = QCoreApplication.translate

_LONGEST = 40


class CarryRow(AlterationRow[Carry]):
    """A place held at what it computes for another text."""

    def text(self, change: Carry, trace: Trace | None) -> str:
        """See `AlterationRow`."""
        text = change.text if len(change.text) <= _LONGEST else change.text[: _LONGEST - 1] + "…"
        place = _place(change)
        if change.position is None:
            return translate("Alterations", "{place} carried in from “{text}”").format(place=place, text=text)
        said = translate("Alterations", "{place}, at {token}, carried in from “{text}”")
        return said.format(place=place, token=_token(change, trace), text=text)


def _place(change: Carry) -> str:
    if change.what == "residual":
        encoder = change.kind is AttentionKind.ENCODER_SELF
        text = (
            translate("Alterations", "what leaves encoder layer {layer}")
            if encoder
            else translate("Alterations", "what leaves decoder layer {layer}")
        )
        return text.format(layer=change.layer + 1)
    place = head_text(change.kind, change.layer, change.head)
    if change.what == "patterns":
        return translate("Alterations", "weights of {place}").format(place=place)
    if change.what == "cross":
        return translate("Alterations", "keys and values of {place}").format(place=place)
    return translate("Alterations", "output of {place}").format(place=place)


def _token(change: Carry, trace: Trace | None) -> str:
    assert change.position is not None
    if change.what == "cross" or change.kind is AttentionKind.ENCODER_SELF:
        return token_name(None if trace is None else trace.src_tokens, change.position)
    # What the row reads may be another word by now: its number is what was meant.
    return token_name(None, change.position)
