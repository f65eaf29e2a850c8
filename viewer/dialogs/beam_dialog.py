"""`BeamDialog`: settings of a beam search: its size and its length penalty."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QSpinBox,
    QWidget,
)

from viewer.pages.widgets.buttons import indented, label

SIZES = (2, 16)
_USUAL_SIZE = 4
_USUAL_PENALTY = 1.0
_LARGEST_PENALTY = 5.0


class BeamDialog(QDialog):
    """Asks how wide to search and how to weigh length; `decoding` holds the answer."""

    def __init__(self, decoding: dict[str, Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Beam search"))
        self.size_box = indented(QSpinBox())
        self.size_box.setRange(*SIZES)
        self.size_box.setValue(int(decoding.get("beam_size", _USUAL_SIZE)))
        self.size_box.setToolTip(self.tr("How many hypotheses are kept at each step, finished ones included"))
        self.penalty = indented(QDoubleSpinBox())
        self.penalty.setRange(0.0, _LARGEST_PENALTY)
        self.penalty.setSingleStep(0.1)
        self.penalty.setValue(float(decoding.get("length_penalty", _USUAL_PENALTY)))
        self.penalty.setToolTip(
            self.tr("A in score / tokensᴬ: 0 ranks by the plain sum, which favours short sentences")
        )
        note = label(
            "muted",
            self.tr(
                "Hypotheses are ranked by the sum of the log probabilities of their tokens, divided "
                "by the number of tokens to the power of the length penalty. The best are kept, the "
                "rest dropped."
            ),
        )
        note.setWordWrap(True)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        form = QFormLayout(self)
        form.setContentsMargins(20, 16, 20, 16)
        form.setVerticalSpacing(10)
        form.addRow(note)
        form.addRow(self.tr("&Beam size"), self.size_box)
        form.addRow(self.tr("&Length penalty"), self.penalty)
        form.addRow(buttons)

    @property
    def decoding(self) -> dict[str, Any]:
        """The settings, as in a trace's header; every hypothesis of the last beam is returned."""
        size = self.size_box.value()
        return {
            "mode": "beam",
            "beam_size": size,
            "length_penalty": round(self.penalty.value(), 2),
            "n_best": size,
        }
