"""Labels that shorten what they have no room for."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel

from viewer.pages.widgets.buttons import label

_ROOM = 300
_LONG = " ".join(random.Random(1).choices(("the", "minute", "will", "注意力", "égaux", "iii"), k=6000))


def _drawn(shown: QLabel) -> str:
    """What it hands to Qt, not what it says it holds."""
    return QLabel.text(shown)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    "elision", [Qt.TextElideMode.ElideLeft, Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideRight]
)
def test_a_very_long_text_is_elided_as_qt_elides_the_whole(elision: Qt.TextElideMode) -> None:
    shown = label()
    shown.resize(_ROOM, 30)
    shown.be_elastic(hugging=True, elision=elision)

    shown.setText(_LONG)

    metrics = QFontMetrics(shown.font())
    assert _drawn(shown) == metrics.elidedText(_LONG, elision, shown.contentsRect().width())
    assert shown.text() == _LONG
    assert shown.maximumWidth() > 4000  # it may be as wide as a screen


@pytest.mark.usefixtures("qapp")
def test_lines_of_a_very_long_text_are_those_of_its_beginning() -> None:
    drawn = []
    for text in (_LONG[:1500], _LONG):
        shown = label()
        shown.resize(_ROOM, 60)
        shown.be_short(2)
        shown.setText(text)
        drawn.append(_drawn(shown))
    assert drawn[0] == drawn[1]
    assert _LONG.startswith(drawn[1].removesuffix("…"))
