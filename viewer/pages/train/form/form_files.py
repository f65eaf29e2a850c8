"""Choosing files: a list of them, or two that belong together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from viewer.guarded import Guarded
from viewer.pages.train.form.form_editors import TextBox
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton
from viewer.pages.widgets.plain_tip import plain


class PathLabel(Guarded, QLabel):
    """A file's name, shortened in its middle where there is no room; the whole path is its tooltip."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path = path
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setToolTip(plain(path))
        self.setAccessibleName(path)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shorten anew."""
        super().resizeEvent(event)
        name = Path(self.path).name or self.path
        shown = QFontMetrics(self.font()).elidedText(name, Qt.TextElideMode.ElideMiddle, self.width())
        if shown != self.text():
            self.setText(shown)


class FilesBox(QWidget):
    """Files one below the other, each with a button that takes it away, and one that adds some.

    Signals:
        changed: another list of files.
    """

    changed = Signal()

    def __init__(self, appearance: Appearance, most: int = 0) -> None:
        """`most`: files that are taken, the last chosen count; 0 = any number."""
        super().__init__()
        self._appearance = appearance
        self._most = most
        self._paths: tuple[str, ...] = ()
        self.folder = str(Path.home())
        self.kinds = ""
        self.list = QVBoxLayout()
        self.list.setSpacing(2)
        self.button = QPushButton()
        self.button.clicked.connect(self.ask)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(self.list)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.setFocusProxy(self.button)

    def chosen(self) -> tuple[str, ...]:
        """The paths in order."""
        return self._paths

    def choose(self, value: Any) -> None:
        """Show these paths."""
        paths = tuple(value)
        if paths != self._paths:
            self._paths = paths
            self._fill()
            self.changed.emit()

    def add(self, paths: list[str]) -> None:
        """Add files; one that is there already stays where it is."""
        together = [*self._paths, *(path for path in paths if path not in self._paths)]
        self.choose(together[-self._most :] if self._most else together)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.button.setText(self.tr("Add…") if self._paths else self.tr("Choose…"))
        self.kinds = self.tr("All files (*)")
        for button in self.findChildren(IconButton):
            button.describe(self.tr("Remove this file"))

    def _fill(self) -> None:
        while (item := self.list.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for path in self._paths:
            row = QWidget()
            line = QHBoxLayout(row)
            line.setContentsMargins(0, 0, 0, 0)
            line.setSpacing(4)
            line.addWidget(PathLabel(path), 1)
            remove = IconButton(self._appearance, "close")
            remove.setProperty("path", path)
            remove.clicked.connect(self._remove)
            line.addWidget(remove)
            self.list.addWidget(row)
        self.retranslate()

    def _remove(self) -> None:
        button = self.sender()
        if isinstance(button, IconButton):
            gone = button.property("path")
            self.choose(tuple(path for path in self._paths if path != gone))
            self.button.setFocus()

    def ask(self) -> None:
        """Let the person choose."""
        paths, _ = QFileDialog.getOpenFileNames(self, self.tr("Choose files"), self.folder, self.kinds)
        if paths:
            self.folder = str(Path(paths[0]).parent)
            self.add(paths)


class TwoFilesBox(QWidget):
    """Two files that are each other's translations, line by line.

    Signals:
        changed: one of them is another.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.folder = str(Path.home())
        self.boxes = (TextBox(), TextBox())
        self.buttons = (QPushButton(), QPushButton())
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(6)
        for row, (box, button) in enumerate(zip(self.boxes, self.buttons, strict=True)):
            grid.addWidget(box, row, 0)
            grid.addWidget(button, row, 1)
            button.setProperty("row", row)
            button.clicked.connect(self._ask)
            box.changed.connect(self.changed)
        self.setFocusProxy(self.boxes[0])

    def chosen(self) -> tuple[str, ...]:
        """Both paths, "" for one that is missing; () when both are."""
        paths = tuple(box.text().strip() for box in self.boxes)
        return paths if any(paths) else ()

    def choose(self, value: Any) -> None:
        """Show two paths, or none."""
        before = self.chosen()
        paths = tuple(value) or ("", "")
        for box, path in zip(self.boxes, paths, strict=True):
            with QSignalBlocker(box):
                box.choose(path)
        if self.chosen() != before:
            self.changed.emit()

    def retranslate(self) -> None:
        """Take the language in force."""
        names = (self.tr("sentences"), self.tr("translations"))
        for box, button, name in zip(self.boxes, self.buttons, names, strict=True):
            box.setPlaceholderText(name)
            box.setAccessibleName(name)
            button.setText(self.tr("Choose…"))
            button.setAccessibleName(self.tr("Choose the file of {name}").format(name=name))

    def _ask(self) -> None:
        button = self.sender()
        if not isinstance(button, QPushButton):
            return
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Choose a file"), self.folder)
        if path:
            self.folder = str(Path(path).parent)
            self.boxes[button.property("row")].choose(path)


class FolderBox(QWidget):
    """A folder to be made: its path, and a button that asks where.

    Signals:
        changed: another path.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.box, self.button = TextBox(), QPushButton()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.box, 1)
        row.addWidget(self.button)
        self.setFocusProxy(self.box)
        self.box.changed.connect(self.changed)
        self.button.clicked.connect(self._ask)

    def chosen(self) -> str:
        """The path; `~` is the home folder."""
        text = self.box.text().strip()
        try:
            return str(Path(text).expanduser()) if text else ""
        except RuntimeError:  # a user that there is not
            return text

    def choose(self, value: Any) -> None:
        """Show a path."""
        self.box.choose(shortened(value))
        self.box.setToolTip(plain(value))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.button.setText(self.tr("Choose…"))
        self.button.setAccessibleName(self.tr("Choose the folder"))

    def _ask(self) -> None:
        here = Path(self.chosen())
        start = next((str(folder) for folder in (here, *here.parents) if folder.is_dir()), str(Path.home()))
        path = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder"), start)
        if path:
            self.choose(path)


def shortened(path: str) -> str:
    """A path with `~` for the home folder."""
    try:
        inside = Path(path).relative_to(Path.home())
    except ValueError:
        return path
    return str(Path("~") / inside) if path else ""
