"""Detach in the window: its words, and the factor of all cross-attention."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.alterations.detach import Detach
from model.trace.trace import Trace
from viewer.document.alterations.edits import Changes, replaced
from viewer.document.alterations.row import AlterationRow

translate = QCoreApplication.translate


class DetachRow(AlterationRow[Detach]):
    """All cross-attention multiplied."""

    section = "viewer.pages.look.what_if.detach_section:DetachSection"

    def text(self, change: Detach, trace: Trace | None) -> str:
        """See `AlterationRow`."""
        if change.factor == 0:
            return translate("Alterations", "detached from the source: all cross-attention off")
        return translate("Alterations", "all cross-attention × {factor}").format(factor=f"{change.factor:g}")

    def vain(self, change: Detach, trace: Trace, positions: str) -> str:
        """See `AlterationRow`."""
        if change.factor != 1:
            return ""
        return translate("Outcome", "a factor of 1 leaves cross-attention as it is")


def detached_of(changes: Changes) -> float:
    """What multiplies all cross-attention; 1 if nothing does."""
    return next((change.factor for change in changes if isinstance(change, Detach)), 1.0)


def with_detached(changes: Changes, factor: float) -> Changes:
    """The changes with that factor; 1 takes the change away."""
    old = [change for change in changes if isinstance(change, Detach)]
    return replaced(changes, old, None if factor == 1 else Detach(factor))
