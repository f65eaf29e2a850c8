"""`Division`: how heads, maps and inspector share the width of the Look page."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QSplitter

from viewer.pages.look.inspector import Inspector
from viewer.pages.look.side_column import SideColumn

_HEADS_AND_MAPS, _MAPS_AND_INSPECTOR = (330, 640), (970, 270)
_NAMES = "small", "columns", "heads"


class Division:
    """As a person divided it last in a page of such a size, or else as is usual.

    Args:
        body: with side column, maps and inspector in a small page, maps and inspector in a large one.
        upper: with side column and maps in a large page.
    """

    def __init__(self, body: QSplitter, upper: QSplitter, side: SideColumn, inspector: Inspector) -> None:
        self._body, self._upper, self._side, self._inspector = body, upper, side, inspector
        self._kept: dict[str, QByteArray] = {}

    def splitters(self, *, small: bool) -> dict[str, QSplitter]:
        """What a person may drag and finds again at the next start, by name."""
        return {"small": self._body} if small else {"columns": self._body, "heads": self._upper}

    def keep(self, *, small: bool) -> None:
        """Remember how it is divided now."""
        self._kept |= {name: splitter.saveState() for name, splitter in self.splitters(small=small).items()}

    def states(self) -> dict[str, QByteArray]:
        """What is found again at the next start, by name."""
        return self._kept

    def restore(self, state: Callable[[str], QByteArray]) -> None:
        """Take what was kept under each name; an empty or strange state changes nothing."""
        self._kept = {name: state(name) for name in _NAMES}

    @property
    def is_usual(self) -> bool:
        """Whether nobody has divided a small page."""
        kept = self._kept.get("small")
        return kept is None or kept.isEmpty()

    def divide(self, width: int, *, small: bool, drawer: bool) -> None:
        """Divide so many pixels, with or without an open drawer."""
        if small and self.is_usual:
            side, inspector = self._side.usual_width(width, drawer=drawer), self._inspector.minimumWidth()
            self._body.setSizes([side, max(1, width - side - inspector), inspector])
        elif not small:
            for splitter, shares in ((self._body, _MAPS_AND_INSPECTOR), (self._upper, _HEADS_AND_MAPS)):
                whole = max(sum(shares), splitter.width())  # what is left over would go by other shares
                splitter.setSizes([whole * share // sum(shares) for share in shares])
        for name, splitter in self.splitters(small=small).items():
            splitter.restoreState(self._kept.get(name, QByteArray()))
