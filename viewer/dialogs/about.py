"""`AboutDialog`: what Headscope is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from model.version import VERSION
from viewer.icons import pixmap
from viewer.pages.widgets.buttons import label


class AboutDialog(QDialog):
    """Name, version, one paragraph."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Headscope"))
        sign = QLabel()
        sign.setPixmap(pixmap("headscope", "", 64, self.devicePixelRatioF()))
        name = label("title", f"Headscope {VERSION}")
        text = label(
            "",
            self.tr(
                "A desktop microscope for Transformer attention: type a sentence, watch the translation "
                "appear token by token, and look at every attention head of every layer. "
                "Everything stays on this computer."
            ),
        )
        text.setWordWrap(True)
        text.setMinimumWidth(380)
        paper = label(
            "muted", self.tr("The architecture is that of “Attention Is All You Need” (Vaswani et al. 2017).")
        )
        paper.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        words = QVBoxLayout()
        for widget in (name, text, paper):
            words.addWidget(widget)
        row = QHBoxLayout()
        row.setSpacing(20)
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 20, 24, 16)
        column.addLayout(row)
        column.addWidget(buttons)
