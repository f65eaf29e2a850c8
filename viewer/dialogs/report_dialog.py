"""`ReportDialog`: the text to send with a problem."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from viewer.pages.widgets.buttons import label


class ReportDialog(QDialog):
    """What `headscope doctor` says, to be read and copied.

    Args:
        text: of `viewer.diagnosis.facts.report`.
    """

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Report a problem"))
        words = label(
            "",
            self.tr(
                "Copy this text into your report, and say what you did and what happened. It holds nothing "
                "of your sentences or models; read it before you send it."
            ),
        )
        words.setWordWrap(True)
        self.text = QPlainTextEdit(text)
        self.text.setReadOnly(True)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setAccessibleName(self.tr("Report"))
        words.setBuddy(self.text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = QPushButton(self.tr("&Copy"))
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(self._copied)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(words)
        column.addWidget(self.text, 1)
        column.addWidget(buttons)
        self.resize(640, 480)

    def _copied(self) -> None:
        QGuiApplication.clipboard().setText(self.text.toPlainText())
        self.copy.setText(self.tr("Copied"))
