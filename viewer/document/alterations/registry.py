"""The registry of alterations in the window: one row each, in the order in which What if offers them.

Every row of `model.alterations.registry` has one here.
"""

from __future__ import annotations

from typing import Any

from model.abilities import Ability
from model.alterations.alteration import Alteration
from model.alterations.block_token import BlockToken
from model.alterations.carry import Carry
from model.alterations.change_positions import ChangePositions
from model.alterations.detach import Detach
from model.alterations.read_layer import ReadLayer
from model.alterations.reorder import Reorder
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.block_token import BlockTokenRow
from viewer.document.alterations.carry import CarryRow
from viewer.document.alterations.change_positions import ChangePositionsRow
from viewer.document.alterations.detach import DetachRow
from viewer.document.alterations.read_layer import ReadLayerRow
from viewer.document.alterations.reorder import ReorderRow
from viewer.document.alterations.row import AlterationRow
from viewer.document.alterations.scale_head import ScaleHeadRow
from viewer.document.alterations.set_row import SetRowRow
from viewer.document.messages.messages import ModelInfo
from viewer.document.text.model_text import cannot, kinds_of

ROWS: tuple[AlterationRow[Any], ...] = (
    ScaleHeadRow(ScaleHead),
    SetRowRow(SetRow),
    BlockTokenRow(BlockToken),
    ChangePositionsRow(ChangePositions),
    DetachRow(Detach),
    ReadLayerRow(ReadLayer),
    ReorderRow(Reorder),
    CarryRow(Carry),
)


def row_of(change: Alteration) -> AlterationRow[Any]:
    """The row of a change; of one without a row one that tells it in English."""
    return next((row for row in ROWS if row.kind is type(change)), _Plain(type(change)))


class _Plain(AlterationRow[Alteration]):
    def text(self, change: Alteration, trace: Trace | None) -> str:
        """See `AlterationRow`."""
        return change.label()


def is_offered(section: str, info: ModelInfo | None) -> bool:
    """Whether any change of a part of the What if tab can be made to a model."""
    arranges, crosses = not cannot(info, Ability.ARRANGE), AttentionKind.CROSS in kinds_of(info)
    return any(
        (arranges or row.kind.by_hooks) and (crosses or not row.kind.crosses)
        for row in ROWS
        if row.section == section
    )


def sections() -> tuple[str, ...]:
    """The parts of the What if tab, each once, in their order."""
    return tuple(dict.fromkeys(row.section for row in ROWS if row.section))
