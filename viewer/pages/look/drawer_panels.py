"""DRAWER: every panel of the drawer, in the order of its tabs."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from viewer.pages.look.panel import PanelRow

_LOOK = "viewer.pages.look"

DRAWER: list[PanelRow] = [
    PanelRow(
        "branches",
        lambda: QCoreApplication.translate("Drawer", "Branches"),
        f"{_LOOK}.branches.branches_panel:BranchesPanel",
        "B",
    ),
    PanelRow(
        "compare",
        lambda: QCoreApplication.translate("Drawer", "Compare"),
        f"{_LOOK}.compare.compare_panel:ComparePanel",
        "K",
        picture=True,
    ),
    PanelRow(
        "heads_table",
        lambda: QCoreApplication.translate("Drawer", "Heads table"),
        f"{_LOOK}.heads_table.heads_table_panel:HeadsTablePanel",
        "H",
    ),
    PanelRow(
        "sentences",
        lambda: QCoreApplication.translate("Drawer", "Sentences"),
        f"{_LOOK}.sentences.sentences_panel:SentencesPanel",
        "J",
    ),
]


def label_of(name: str) -> str:
    """What the tab of a panel is called, in the language in force: so is its picture on paper."""
    return next(row.label() for row in DRAWER if row.name == name)
