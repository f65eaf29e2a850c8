"""ScaleHead in the window: its words, and the factors that are edited."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.alterations.alteration import Alteration
from model.alterations.scale_head import ScaleHead
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.edits import Changes, replaced
from viewer.document.alterations.row import AlterationRow
from viewer.document.alterations.words import head_text

translate = QCoreApplication.translate


class ScaleHeadRow(AlterationRow[ScaleHead]):
    """A head, or all of a layer, multiplied."""

    section = "viewer.pages.look.what_if.head_section:HeadSection"

    def text(self, change: ScaleHead, trace: Trace | None) -> str:
        """See `AlterationRow`."""
        place = head_text(change.kind, change.layer, change.head)
        if change.factor == 0:
            return translate("Alterations", "{place} off").format(place=place)
        return translate("Alterations", "{place} × {factor}").format(place=place, factor=f"{change.factor:g}")

    def vain(self, change: ScaleHead, trace: Trace, positions: str) -> str:
        """See `AlterationRow`."""
        if change.factor != 1:
            return ""
        return translate("Outcome", "a factor of 1 leaves a head as it is")


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
    return replaced(changes, [change for change in changes if _scales(change, place)], new)


def _scales(change: Alteration, place: tuple[AttentionKind, int, int | None]) -> bool:
    return isinstance(change, ScaleHead) and (change.kind, change.layer, change.head) == place
