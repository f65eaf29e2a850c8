"""What Qt calls of ours lets no exception out: into Qt it would end the process."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
import traceback
from pathlib import Path
from types import FunctionType

import pytest
import shiboken6
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QSize
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

import viewer
from viewer.guarded import Guarded

ROOT = Path(__file__).parents[2]
NOT_CALLED_BY_QT = {"text", "setText"}
"""Methods of ours that hide one of Qt's which is not virtual."""

ENDS = """
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from viewer.guarded import Guarded

class Shown(Guarded, QWidget):
    def showEvent(self, event):
        super().showEvent(event)
        raise IndexError("too far")

application = QApplication(["test", "-platform", "offscreen"])
window = QWidget()
QVBoxLayout(window).addWidget(Shown())
window.show()
application.processEvents()
print("still there")
"""


def classes_of_ours() -> list[type]:
    """Every class of the viewer that derives from one of Qt's."""
    for module in pkgutil.walk_packages(viewer.__path__, "viewer."):
        importlib.import_module(module.name)
    found: dict[type, None] = {}
    left: list[type] = [shiboken6.Object]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        if kind.__module__.startswith("viewer."):
            found[kind] = None
    return list(found)


def test_every_method_that_qt_calls_is_guarded() -> None:
    """Put `Guarded` first among the bases of a class that is named here; a new name goes into `ANSWERS`."""
    kinds = classes_of_ours()
    assert len(kinds) > 200
    bare = []
    for kind in kinds:
        theirs = [base for base in kind.__mro__[:-1] if not base.__module__.startswith("viewer.")]
        bare += [
            f"{kind.__module__}.{kind.__name__}.{name}"
            for name, method in vars(kind).items()
            if isinstance(method, FunctionType) and name not in NOT_CALLED_BY_QT and name[:2] != "__"
            if any(hasattr(base, name) for base in theirs) and not method.__dict__.get("guarded")
        ]
    assert not bare


class Failing(Guarded, QWidget):
    """Every answer fails, as does what is no answer to Qt."""

    def sizeHint(self) -> QSize:
        raise IndexError("size")

    def showEvent(self, event: object) -> None:
        raise KeyboardInterrupt

    def paint(self) -> None:  # no method of a widget
        raise ValueError("paint")


class Table(Guarded, QAbstractTableModel):
    """A table whose numbers cannot be read."""

    def rowCount(self, parent: object = None) -> int:
        raise IndexError("rows")

    def columnCount(self, parent: object = None) -> int:
        return 1

    def data(self, index: QModelIndex, role: int = 0) -> object:
        raise IndexError("data")


def test_an_exception_is_reported_and_qt_gets_a_harmless_answer(qtbot: QtBot) -> None:
    widget, table = Failing(), Table()
    qtbot.addWidget(widget)
    with capture_exceptions() as caught:
        assert widget.sizeHint() == QSize()
        widget.show()
        assert table.rowCount() == 0
        assert table.data(QModelIndex()) is None
    assert {kind for kind, _, _ in caught} == {IndexError, KeyboardInterrupt}
    assert len(caught) >= 4
    assert "sizeHint" in "".join(traceback.format_tb(caught[0][2]))
    with pytest.raises(ValueError, match="paint"):
        widget.paint()
    widget.hide()


class Painting(Guarded, QWidget):
    """Fails while it paints."""

    def paintEvent(self, event: object) -> None:
        painter = QPainter(self)
        painter.drawLine(0, 0, 1, 1)
        raise IndexError("too far")


def test_a_painter_does_not_outlive_a_painting_that_failed(qtbot: QtBot) -> None:
    widget = Painting()
    qtbot.addWidget(widget)
    picture = QPixmap(20, 20)
    with capture_exceptions() as caught:
        widget.render(picture)
        widget.render(picture)
    assert len(caught) == 2
    assert not picture.paintingActive()


def test_what_would_end_the_process_does_not() -> None:
    """Without the guard PySide 6.11 dies of it; what another version does without it is its own affair."""
    done = subprocess.run(
        [sys.executable, "-c", ENDS], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "still there\n"
    assert "IndexError: too far" in done.stderr
