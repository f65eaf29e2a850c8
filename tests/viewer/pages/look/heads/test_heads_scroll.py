"""The heads come to rest at every height of their panel.

Found by the monkey, which stood still for ever: heads that are narrower are lower, so that the scroll bar
which they called sent itself away again.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.viewer.export_samples import sample_trace
from viewer.document.document import Run
from viewer.document.session import Session
from viewer.pages.look.heads.heads_panel import HeadsPanel
from viewer.pages.widgets.appearance import Appearance

_TURNS = 5


class Resizes(QObject):
    """Counts how often a widget is given another size."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.Resize
        return False


def test_a_scroll_bar_does_not_send_itself_away(qtbot: QtBot) -> None:
    session = Session()
    session.add_run(Run("one", sample_trace(layers=4, heads=8), provenance={"source": "decoded"}))
    panel, resizes = HeadsPanel(session, Appearance("light")), Resizes()
    qtbot.addWidget(panel)
    panel.show()
    panel.view.installEventFilter(resizes)
    bars, restless = set(), []
    for height in range(240, 420):
        panel.resize(400, height)
        for _ in range(_TURNS):
            QApplication.processEvents()
        resizes.count = 0
        for _ in range(_TURNS):
            QApplication.processEvents()
        if resizes.count:
            restless.append(height)
        bars.add(panel.view.height() > panel.view.parentWidget().height())
    assert bars == {False, True}
    assert restless == []
