"""A formula is set in a thread, and not before a frame of the page it stands on is due."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from viewer.figures.sheet import formula
from viewer.pages.learn.taught import formula_view
from viewer.pages.learn.taught.formula_view import FormulaView
from viewer.pages.widgets.appearance import Appearance


def test_a_formula_is_set_beside_the_window_and_only_where_it_is_seen(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formula, "_svgs", {})
    threads: list[threading.Thread] = []

    def set_formula(latex: str) -> None:
        threads.append(threading.current_thread())
        formula.set_formula(latex)

    monkeypatch.setattr(formula_view, "set_formula", set_formula)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(400, 300)
    view = FormulaView(Appearance("light"), window)
    view.resize(300, 60)
    view.show_formula("a+b")
    assert not view._setter.busy  # its window is not there yet
    window.show()
    qtbot.waitUntil(lambda: formula.is_set("a+b"))
    assert threading.main_thread() not in threads
    qtbot.waitUntil(lambda: view.minimumHeight() > 16)
