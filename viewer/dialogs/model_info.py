"""What is known of the model in use: numbers, and its card."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from viewer.state.messages import ModelInfo


class ModelInfoDialog(QDialog):
    """Name, shape, size and hash of a model, and its card."""

    def __init__(self, info: ModelInfo, card: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Model information"))
        form = QFormLayout()
        form.setHorizontalSpacing(20)
        for name, value in self._facts(info):
            text = QLabel(value)
            text.setTextFormat(Qt.TextFormat.PlainText)
            text.setWordWrap(True)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            form.addRow(QLabel(name), text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.addLayout(form)
        if card:
            page = QTextBrowser()
            page.setOpenLinks(False)
            page.setMarkdown(card)
            page.setMinimumSize(620, 320)
            page.setAccessibleName(self.tr("Model card"))
            column.addWidget(page, 1)
        column.addWidget(buttons)

    def _facts(self, info: ModelInfo) -> list[tuple[str, str]]:
        shape = info.architecture
        norms = {
            "post_norm": self.tr("after each sublayer (post)"),
            "pre_norm": self.tr("before each sublayer (pre)"),
        }
        positions = {
            "sinusoidal": self.tr("sinusoidal"),
            "learned": self.tr("learned"),
            "none": self.tr("none"),
        }
        layers = self.tr("{encoder} encoder, {decoder} decoder; {heads} heads each").format(
            encoder=shape["encoder_layers"], decoder=shape["decoder_layers"], heads=shape["n_heads"]
        )
        width = self.tr("d_model {d_model}, feed-forward {d_ff}").format(
            d_model=shape["d_model"], d_ff=shape["d_ff"]
        )
        vocabulary = self.tr("{source} source pieces, {target} target pieces").format(
            source=shape["source_vocab"], target=shape["target_vocab"]
        )
        return [
            (self.tr("Name"), info.name),
            (self.tr("Languages"), " → ".join(info.languages)),
            (self.tr("Layers"), layers),
            (self.tr("Width"), width),
            (self.tr("Vocabulary"), vocabulary),
            (self.tr("Layer norm"), norms.get(shape["norm"], str(shape["norm"]))),
            (self.tr("Positions"), positions.get(shape["positions"], str(shape["positions"]))),
            (self.tr("Parameters"), f"{info.parameters:,}"),
            ("SHA-256", info.sha256),
            (self.tr("Folder"), info.path),
        ]
