"""Opened: what is open in the Look page and how its room is divided, to be brought back after an audience."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QSplitter

from viewer.pages.look.drawer import Drawer
from viewer.pages.look.inspector import Inspector


def opened(inspector: Inspector, drawer: Drawer, splitters: Sequence[QSplitter]) -> Callable[[], None]:
    """What brings back the tab and the panel that are open now, and the sizes in these splitters."""
    tab, panel = inspector.tab, drawer.panel
    sizes = [splitter.sizes() for splitter in splitters]

    def restore() -> None:
        inspector.show_tab(tab)
        drawer.show_panel(drawer.names.index(panel) if panel else None)
        for splitter, before in zip(splitters, sizes, strict=True):
            splitter.setSizes(before)

    return restore
