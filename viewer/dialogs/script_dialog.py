"""`ScriptDialog`: what was done as a script of commands, to be read, copied and saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication, QTextOption
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from viewer.pages.widgets.buttons import label

if TYPE_CHECKING:
    from viewer.export.script import Script


class ScriptDialog(QDialog):
    """Shows the script of the session, or of the figure in view.

    Args:
        whole, figure: make them.

    Signals:
        save_asked: the `Script` in view, to be written where the user says.
    """

    save_asked = Signal(object)

    def __init__(
        self, whole: Callable[[], Script], figure: Callable[[], Script], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Script"))
        self._make = {"whole": whole, "figure": figure}
        words = label(
            "",
            self.tr(
                "Commands that make the same files without a window: save them and run them with bash in an "
                "empty folder."
            ),
        )
        words.setWordWrap(True)
        self.which = QComboBox()
        self.which.setAccessibleName(self.tr("What the script makes"))
        self.which.addItem(self.tr("Everything done in this session"), "whole")
        self.which.addItem(self.tr("The figure in view"), "figure")
        row = QHBoxLayout()
        row.addWidget(self.which)
        row.addStretch()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(self.tr("Script"))
        words.setBuddy(self.text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy, self.save = QPushButton(self.tr("&Copy")), QPushButton(self.tr("&Save…"))
        for button in (self.copy, self.save):
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        column = QVBoxLayout(self)
        column.addWidget(words)
        column.addLayout(row)
        column.addWidget(self.text, 1)
        column.addWidget(buttons)
        self.resize(760, 460)
        self.which.currentIndexChanged.connect(self.refresh)
        self.copy.clicked.connect(self._copied)
        self.save.clicked.connect(self._save)
        buttons.rejected.connect(self.reject)
        self.refresh()

    def refresh(self) -> None:
        """Show the script that is chosen."""
        self._script = self._make[str(self.which.currentData())]()
        self.text.setPlainText(self._script.text)
        self.copy.setText(self.tr("&Copy"))

    def _copied(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copy.setText(self.tr("Copied"))

    def _save(self) -> None:
        self.save_asked.emit(self._script)
