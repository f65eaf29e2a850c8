"""Settings of sampling: temperature, top-k, top-p, seed."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QSpinBox,
    QWidget,
)

LARGEST_SEED = 2**31 - 1


class SamplingDialog(QDialog):
    """Asks how words are drawn; `decoding` holds the answer."""

    def __init__(self, decoding: dict[str, Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Sample"))
        self.temperature = QDoubleSpinBox()
        self.temperature.setRange(0.05, 5.0)
        self.temperature.setSingleStep(0.1)
        self.temperature.setValue(float(decoding.get("temperature") or 1.0))
        self.temperature.setToolTip(self.tr("Below 1 the probable words become more probable, above 1 less"))
        self.top_k = QSpinBox()
        self.top_k.setRange(0, 1000)
        self.top_k.setSpecialValueText(self.tr("all"))
        self.top_k.setValue(int(decoding.get("top_k") or 0))
        self.top_k.setToolTip(self.tr("Draw only among this many most probable words"))
        self.top_p = QDoubleSpinBox()
        self.top_p.setRange(0.01, 1.0)
        self.top_p.setSingleStep(0.05)
        self.top_p.setValue(float(decoding.get("top_p") or 1.0))
        self.top_p.setToolTip(
            self.tr("Draw only among the most probable words that together hold this share")
        )
        self.seed = QSpinBox()
        self.seed.setRange(0, LARGEST_SEED)
        self.seed.setValue(int(decoding.get("seed") or 1))
        self.seed.setToolTip(self.tr("The same seed draws the same words"))
        note = QLabel(self.tr("Each word is drawn by its probability; the table keeps the model's own."))
        note.setWordWrap(True)
        note.setProperty("role", "muted")
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        form.addRow(note)
        form.addRow(self.tr("&Temperature"), self.temperature)
        form.addRow(self.tr("Top-&k"), self.top_k)
        form.addRow(self.tr("Top-&p"), self.top_p)
        form.addRow(self.tr("&Seed"), self.seed)
        form.addRow(buttons)

    @property
    def decoding(self) -> dict[str, Any]:
        """The settings, as in a trace's header."""
        settings: dict[str, Any] = {"mode": "sample", "temperature": round(self.temperature.value(), 2)}
        if self.top_k.value():
            settings["top_k"] = self.top_k.value()
        if self.top_p.value() < 1.0:
            settings["top_p"] = round(self.top_p.value(), 2)
        return {**settings, "seed": self.seed.value()}
