"""Reorder in the window: its words. The Learn page makes it, What if does not."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.alterations.reorder import Reorder
from model.trace.trace import Trace
from viewer.document.alterations.row import AlterationRow

translate = QCoreApplication.translate

_MOST_PLACES = 12


class ReorderRow(AlterationRow[Reorder]):
    """Pieces in another order."""

    def text(self, change: Reorder, trace: Trace | None) -> str:
        """See `AlterationRow`."""
        shown = " ".join(str(place + 1) for place in change.order[:_MOST_PLACES])
        more = " …" if len(change.order) > _MOST_PLACES else ""
        return translate("Alterations", "pieces read in the order {order}").format(order=shown + more)
