"""`SamplingDialog`: settings of sampling, and what they make of the next word in view."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from viewer.dialogs.shares_view import SharesView
from viewer.document.decoding_settings import MOST_SAMPLES
from viewer.document.sampling_preview import StepShares, filtered_shares
from viewer.pages.widgets.buttons import Label, indented, label
from viewer.pages.widgets.plain_tip import plain

LARGEST_SEED = 2**31 - 1


class SamplingDialog(QDialog):
    """Asks how words are drawn; `decoding` and `samples` hold the answer.

    Args:
        shown: the most probable words of the step in view; the dialog shows what they are drawn with.
    """

    def __init__(
        self,
        decoding: dict[str, Any],
        samples: int = 1,
        shown: StepShares | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._shown = shown
        self.setWindowTitle(self.tr("Sample"))
        self.temperature = indented(QDoubleSpinBox())
        self.temperature.setRange(0.05, 5.0)
        self.temperature.setSingleStep(0.1)
        self.temperature.setValue(float(decoding.get("temperature") or 1.0))
        self.top_k = indented(QSpinBox())
        self.top_k.setRange(0, 1000)
        self.top_k.setSpecialValueText(self.tr("all"))
        self.top_k.setValue(int(decoding.get("top_k") or 0))
        self.top_p = indented(QDoubleSpinBox())
        self.top_p.setRange(0.01, 1.0)
        self.top_p.setSingleStep(0.05)
        self.top_p.setValue(float(decoding.get("top_p") or 1.0))
        self.seed = indented(QSpinBox())
        self.seed.setRange(0, LARGEST_SEED)
        self.seed.setValue(int(decoding.get("seed", 1)))
        self.samples = indented(QSpinBox())
        self.samples.setRange(1, MOST_SAMPLES)
        self.samples.setValue(samples)
        self._describe()
        self.preview = None if shown is None else SharesView(shown)
        self._lay_out()
        for box in (self.temperature, self.top_k, self.top_p):
            box.valueChanged.connect(self._show_preview)
        self._show_preview()

    @property
    def decoding(self) -> dict[str, Any]:
        """The settings, as in a trace's header."""
        settings: dict[str, Any] = {"mode": "sample", "temperature": round(self.temperature.value(), 2)}
        if self.top_k.value():
            settings["top_k"] = self.top_k.value()
        if self.top_p.value() < 1.0:
            settings["top_p"] = round(self.top_p.value(), 2)
        return {**settings, "seed": self.seed.value()}

    def _describe(self) -> None:
        tips = {
            self.temperature: self.tr("Below 1 the probable words become more probable, above 1 less"),
            self.top_k: self.tr("Draw only from this many of the most probable words"),
            self.top_p: self.tr("Draw only from the most probable words that together reach this share"),
            self.seed: self.tr("The same seed draws the same words"),
            self.samples: self.tr("How many texts to draw, each with a seed of its own"),
        }
        for box, tip in tips.items():
            box.setToolTip(plain(tip))

    def _lay_out(self) -> None:
        note = _muted(self.tr("Each word is drawn by its probability; the table keeps the model's own."))
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        form.addRow(self.tr("&Temperature"), self.temperature)
        form.addRow(self.tr("Top-&k"), self.top_k)
        form.addRow(self.tr("Top-&p"), self.top_p)
        form.addRow(self.tr("&Seed"), self.seed)
        form.addRow(self.tr("&Number of samples"), self.samples)
        row = QHBoxLayout()
        row.setSpacing(28)
        fields = QVBoxLayout()
        fields.addLayout(form)
        fields.addStretch(1)
        row.addLayout(fields)
        if self.preview is not None and self._shown is not None:
            side = QVBoxLayout()
            title = self.tr("Step {step} with these settings:").format(step=self._shown.step + 1)
            side.addWidget(label("muted", title))
            side.addWidget(self.preview)
            side.addStretch(1)
            row.addLayout(side, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.setSpacing(14)
        column.addWidget(note)
        column.addLayout(row)
        column.addWidget(buttons)

    def _show_preview(self) -> None:
        if self.preview is None or self._shown is None:
            return
        drawn = filtered_shares(
            self._shown.logprobs,
            self._shown.vocabulary,
            temperature=self.temperature.value(),
            top_k=self.top_k.value(),
            top_p=round(self.top_p.value(), 2),
        )
        self.preview.show_drawn(drawn)


def _muted(text: str) -> Label:
    note = label("muted", text)
    note.setWordWrap(True)
    return note
