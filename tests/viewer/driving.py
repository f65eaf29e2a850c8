"""How tests drive the real window: a program on a tiny model, patience, and pixels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from viewer.app import Program
from viewer.pages.look.map.map_view import MapView
from viewer.window.settings import Settings

PATIENCE_MS = 30_000
ROOMY = (1440, 900)  # everything stands open


class Driver:
    """A person at the window."""

    def __init__(self, qtbot: QtBot, program: Program) -> None:
        self.qtbot = qtbot
        self.program = program
        self.window = program.window
        self.session = program.session
        self.page = program.window.look_page

    def wait(self, reached: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(reached, timeout=PATIENCE_MS)

    def ask_path(self, path: Path | str) -> None:
        """Have a file opened, and wait until it is read and shown; a model is being loaded then."""
        self.window.path_asked.emit(str(path))
        self.read()

    def read(self) -> None:
        """Wait until what was asked for is read and shown."""
        self.program.conductor.readings.wait()

    def open(self, bundle: Path) -> None:
        self.ask_path(bundle)
        self.wait(lambda: self.session.model is not None and not self.session.job.busy)

    def translate(self, text: str) -> None:
        """Type a sentence and press Enter, as a person would, and wait for the end of the translation."""
        box = self.page.sentence.box
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, text)
        QTest.keyClick(box, Qt.Key.Key_Return)
        self.wait(self.translated)

    def translated(self) -> bool:
        run = self.session.run()
        return run is not None and not run.live and not self.session.job.busy

    def key(self, key: Qt.Key, widget: QWidget | None = None, control: bool = False) -> None:
        modifier = Qt.KeyboardModifier.ControlModifier if control else Qt.KeyboardModifier.NoModifier
        QTest.keyClick(widget or self.page.panes[0].map, key, modifier)

    def click(self, widget: QWidget, point: QPointF | QPoint | None = None) -> None:
        place = widget.rect().center() if point is None else point
        if isinstance(place, QPointF):
            place = place.toPoint()
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)

    def head_center(self, layer: int, head: int) -> QPointF:
        geometry = self.page.heads.view.geometry_now()
        assert geometry is not None
        return geometry.rect_of(layer, head).center()


def start(qtbot: QtBot, folder: Path, *, language: str = "en", theme: str | None = "light") -> Driver:
    """A program with its own settings, shown; closed by the test that made it (see the fixture `driver`)."""
    program = Program(Settings(str(folder / "settings.ini")), theme=theme, language=language)
    program.window.resize(*ROOMY)
    qtbot.addWidget(program.window)
    program.window.show()
    qtbot.waitExposed(program.window)
    return Driver(qtbot, program)


def cell_color(view: MapView, row: int, column: int) -> QColor:
    """The pixel in the middle of a cell, as the window shows it."""
    geometry = view.geometry_now()
    assert geometry is not None
    image: QImage = view.grab().toImage()
    ratio = image.devicePixelRatio()
    center = geometry.rect_of(row, column).center()
    return image.pixelColor(round(center.x() * ratio), round(center.y() * ratio))
