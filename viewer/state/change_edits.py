"""Edits of a tuple of changes: what it has for a place, and the tuple with that replaced. Nothing raises."""

from __future__ import annotations

import math
from collections.abc import Sequence

from model.alterations import Alteration, BlockToken, ChangePositions, Reorder, ScaleHead, SetRow
from model.trace import AttentionKind

Changes = tuple[Alteration, ...]


def in_order(changes: Changes) -> Changes:
    """By type, as the commands take them: heads, tokens, positions, rows, order; else as they were."""
    types = (ScaleHead, BlockToken, ChangePositions, SetRow, Reorder)
    return tuple(sorted(changes, key=lambda change: types.index(type(change))))


def factor_of(changes: Changes, kind: AttentionKind, layer: int, head: int | None) -> float:
    """What multiplies a head's output, or (None) that of a layer's heads together; 1 if nothing does."""
    place = (kind, layer, head)
    found = (change.factor for change in changes if isinstance(change, ScaleHead) and _scales(change, place))
    return next(found, 1.0)


def with_factor(
    changes: Changes, kind: AttentionKind, layer: int, head: int | None, factor: float
) -> Changes:
    """The changes with that factor; 1 takes the change away."""
    place = (kind, layer, head)
    new = None if factor == 1 else ScaleHead(kind, layer, head, factor)
    return _replaced(changes, [change for change in changes if _scales(change, place)], new)


def is_blocked(changes: Changes, token: int) -> bool:
    """Whether a source token is blocked."""
    return BlockToken(token) in changes


def with_block(changes: Changes, token: int, blocked: bool) -> Changes:
    """The changes with a source token blocked or not.

    Rows set to look at it go, and so do those whose weights were typed in, one for each token that they may
    attend to: that is another number of tokens now.
    """
    if is_blocked(changes, token) == blocked:
        return changes
    new = BlockToken(token)
    kept = tuple(change for change in changes if change != new and not _upset(change, token))
    return (*kept, new) if blocked else kept


def positions_of(changes: Changes) -> ChangePositions | None:
    """The change of the positions, None if they are as they were."""
    return next((change for change in changes if isinstance(change, ChangePositions)), None)


def with_positions(changes: Changes, new: ChangePositions | None) -> Changes:
    """The changes with the positions changed so, or (None) not at all."""
    return _replaced(changes, [change for change in changes if isinstance(change, ChangePositions)], new)


def row_of(changes: Changes, kind: AttentionKind, layer: int, head: int | None, query: int) -> SetRow | None:
    """What replaces a row of a head, or (None) of a layer's heads together; None if nothing does."""
    place = (kind, layer, head, query)
    return next((c for c in changes if isinstance(c, SetRow) and _row_place(c) == place), None)


def with_row(changes: Changes, new: SetRow) -> Changes:
    """The changes with a row replaced; what replaced the same row goes."""
    same = [c for c in changes if isinstance(c, SetRow) and _row_place(c) == _row_place(new)]
    return _replaced(changes, same, new)


def without(changes: Changes, gone: Alteration | None) -> Changes:
    """The changes without one of them."""
    return tuple(change for change in changes if change != gone)


def row_keys(kind: AttentionKind, query: int, keys: int, changes: Changes) -> tuple[int, ...]:
    """The keys that a row may attend to: none after its own in the decoder, and no blocked source token."""
    if kind is AttentionKind.DECODER_SELF:
        return tuple(range(min(query + 1, keys)))
    return tuple(key for key in range(keys) if not is_blocked(changes, key))


def weights_sum(weights: Sequence[float | None]) -> float | None:
    """The sum of typed weights; None while one of them is no number, or negative."""
    numbers = [weight for weight in weights if weight is not None and math.isfinite(weight) and weight >= 0]
    return math.fsum(numbers) if len(numbers) == len(weights) else None


def _scales(change: Alteration, place: tuple[AttentionKind, int, int | None]) -> bool:
    return isinstance(change, ScaleHead) and (change.kind, change.layer, change.head) == place


def _row_place(change: SetRow) -> tuple[AttentionKind, int, int | None, int]:
    return change.kind, change.layer, change.head, change.query


def _upset(change: Alteration, token: int) -> bool:
    """Whether a row cannot stay as it was set when it may attend to one token more or less."""
    if not isinstance(change, SetRow) or change.kind is AttentionKind.DECODER_SELF:
        return False
    return change.weights is not None or change.key == token


def _replaced(changes: Changes, old: Sequence[Alteration], new: Alteration | None) -> Changes:
    """The changes with `new` where the first of `old` was, else at the end."""
    if new is None:
        return tuple(change for change in changes if change not in old)
    if not old:
        return (*changes, new)
    at = changes.index(old[0])
    kept = [change for change in changes if change not in old]
    return (*kept[:at], new, *kept[at:])
