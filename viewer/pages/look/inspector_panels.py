"""INSPECTOR: every panel of the inspector, in the order of its tabs."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from viewer.pages.look.panel import PanelRow

_LOOK = "viewer.pages.look"

INSPECTOR: list[PanelRow] = [
    PanelRow(
        "next_word",
        lambda: QCoreApplication.translate("Inspector", "Next word"),
        f"{_LOOK}.masked.word_tab:WordTab",
    ),
    PanelRow(
        "arithmetic",
        lambda: QCoreApplication.translate("Inspector", "Arithmetic"),
        f"{_LOOK}.arithmetic.arithmetic_panel:ArithmeticPanel",
    ),
    PanelRow(
        "what_if",
        lambda: QCoreApplication.translate("Inspector", "What if"),
        f"{_LOOK}.what_if.what_if_panel:WhatIfPanel",
        beside_two=True,
    ),
]
