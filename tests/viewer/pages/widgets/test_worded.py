"""Words follow the language and sizes the type, whatever goes wrong meanwhile."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from viewer.pages.widgets.worded import Worded


class Told(Worded, QLabel):
    """Notes what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def retranslate(self) -> None:
        self.told.append("language")

    def remeasure(self) -> None:
        self.told.append("type")


class Failing(Worded, QLabel):
    """Cannot say it in that language."""

    def retranslate(self) -> None:
        raise LookupError("no such word")


def send(widget: QLabel, kind: QEvent.Type) -> None:
    QApplication.sendEvent(widget, QEvent(kind))


def test_each_change_is_told_once(qtbot: QtBot) -> None:
    label = Told()
    qtbot.addWidget(label)
    send(label, QEvent.Type.LanguageChange)
    assert label.told == ["language"]
    label.setFont(QFont("sans", 31))
    assert label.told == ["language", "type"]
    send(label, QEvent.Type.StyleChange)
    assert label.told == ["language", "type", "type"]
    label.setEnabled(False)
    assert len(label.told) == 3


def test_what_fails_is_reported_and_qt_goes_on(qtbot: QtBot) -> None:
    label = Failing()
    qtbot.addWidget(label)
    with capture_exceptions() as caught:
        send(label, QEvent.Type.LanguageChange)
    assert [kind for kind, _, _ in caught] == [LookupError]


@pytest.mark.parametrize("name", ["changeEvent"])
def test_no_widget_follows_them_in_a_way_of_its_own(name: str) -> None:
    """But for the form of training, which wants to know that somebody came back."""
    from tests.viewer.test_guarded import classes_of_ours

    own = {kind.__name__ for kind in classes_of_ours() if name in vars(kind)}
    assert own <= {"TrainForm"}
