"""SetRow in the window: its words, and the rows that are edited."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from model.alterations.alteration import Alteration
from model.alterations.effects import Effects
from model.alterations.set_row import SetRow
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.edits import Changes, replaced
from viewer.document.alterations.row import AlterationRow
from viewer.document.alterations.words import head_text, token_name

translate = QCoreApplication.translate


class SetRowRow(AlterationRow[SetRow]):
    """A row on one key, uniform, or typed in."""

    section = "viewer.pages.look.what_if.row_section:RowSection"

    def text(self, change: SetRow, trace: Trace | None) -> str:
        """See `AlterationRow`."""
        place = head_text(change.kind, change.layer, change.head)
        query = _query(trace, change)
        if change.key is not None:
            reads = change.kind is AttentionKind.DECODER_SELF
            key = token_name(
                None if trace is None else trace.key_tokens(change.kind), change.key, starts=reads
            )
            return translate("Alterations", "{place}: row {row} reads only {key}").format(
                place=place, row=query, key=key
            )
        if change.weights is None:
            return translate("Alterations", "{place}: row {row} uniform").format(place=place, row=query)
        return translate("Alterations", "{place}: row {row} set by hand").format(place=place, row=query)

    def vain(self, change: SetRow, trace: Trace, positions: str) -> str:
        """See `AlterationRow`."""
        if change.kind is not AttentionKind.ENCODER_SELF and change.query >= trace.steps:
            return translate("Outcome", "the translation ends before the row that was set")
        keys = change.query + 1 if change.kind is AttentionKind.DECODER_SELF else len(trace.src_tokens)
        if keys == 1:
            return translate("Outcome", "the row that was set can attend to one token only")
        return ""


def row_of(changes: Changes, kind: AttentionKind, layer: int, head: int | None, query: int) -> SetRow | None:
    """What replaces a row of a head, or (None) of a layer's heads together; None if nothing does."""
    place = (kind, layer, head, query)
    return next((c for c in changes if isinstance(c, SetRow) and _row_place(c) == place), None)


def with_row(changes: Changes, new: SetRow) -> Changes:
    """The changes with a row replaced; what replaced the same row goes."""
    same = [c for c in changes if isinstance(c, SetRow) and _row_place(c) == _row_place(new)]
    return replaced(changes, same, new)


def row_keys(
    kind: AttentionKind, query: int, keys: int, changes: Changes, *, prompted: bool = False
) -> tuple[int, ...]:
    """The keys that a row may attend to: none after its own in the decoder, and no blocked token.

    Args:
        prompted: what may be blocked are tokens of a prompt, which the decoder's self-attention reads.
    """
    blocked = Effects.of(changes).blocked
    if kind is AttentionKind.DECODER_SELF:
        blocked = blocked if prompted else set()
        keys = min(query + 1, keys)
    return tuple(key for key in range(keys) if key not in blocked)


def weights_sum(weights: Sequence[float | None]) -> float | None:
    """The sum of typed weights; None while one of them is no number, or negative."""
    numbers = [weight for weight in weights if weight is not None and math.isfinite(weight) and weight >= 0]
    return math.fsum(numbers) if len(numbers) == len(weights) else None


def upset(change: Alteration, token: int, prompted: bool) -> bool:
    """Whether a row cannot stay as it was set when it may attend to one token more or less."""
    if not isinstance(change, SetRow):
        return False
    if change.kind is AttentionKind.DECODER_SELF and not (prompted and token <= change.query):
        return False
    return change.weights is not None or change.key == token


def _row_place(change: SetRow) -> tuple[AttentionKind, int, int | None, int]:
    return change.kind, change.layer, change.head, change.query


def _query(trace: Trace | None, change: SetRow) -> str:
    if trace is None or change.kind is AttentionKind.ENCODER_SELF:
        return token_name(None if trace is None else trace.src_tokens, change.query)
    return token_name(trace.tgt_out_tokens, change.query)
