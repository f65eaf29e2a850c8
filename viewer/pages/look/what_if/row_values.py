"""`RowValues`: a small table to type a row of attention weights into."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from model.alterations.set_row import WEIGHTS_TOLERANCE
from viewer.document.alterations.set_row import weights_sum
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.row_table import make_plain

_MOST_ROWS = 8


class RowValues(QWidget):
    """One number a key; to be applied they must add up to 1.

    Signals:
        applied: the numbers, a tuple of floats.
    """

    applied = Signal(object)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.table = QTableWidget(0, 2)
        self.sum = label("small")
        self.problem = label("problem")
        self.problem.setWordWrap(True)
        self.scale, self.apply = QPushButton(), QPushButton()
        self._prepare_table()
        buttons = QHBoxLayout()
        buttons.addWidget(self.scale)
        buttons.addWidget(self.apply)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.table, self.sum, self.problem):
            column.addWidget(widget)
        column.addLayout(buttons)
        self.table.itemChanged.connect(self._check)
        self.scale.clicked.connect(self._scale)
        self.apply.clicked.connect(self._apply)
        appearance.changed.connect(self._restyle)
        self.retranslate()

    def _prepare_table(self) -> None:
        make_plain(self.table)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.AllEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.verticalHeader().setMinimumSectionSize(1)
        header = self.table.horizontalHeader()
        header.hide()
        for section in range(2):
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.Stretch)

    def show_row(self, names: Sequence[str], weights: Sequence[float]) -> None:
        """Begin with these numbers, one for each key."""
        with QSignalBlocker(self.table):
            self.table.setRowCount(len(names))
            for row, (name, weight) in enumerate(zip(names, weights, strict=True)):
                key, value = QTableWidgetItem(name), QTableWidgetItem(f"{weight:.6f}")
                key.setFlags(Qt.ItemFlag.ItemIsEnabled)
                self.table.setItem(row, 0, key)
                self.table.setItem(row, 1, value)
        self._restyle()
        self._check()

    def weights(self) -> list[float | None]:
        """What is typed; None where it is no number."""
        return [_number(self._value(row).text()) for row in range(self.table.rowCount())]

    def retranslate(self) -> None:
        """Take the language in force."""
        self.table.setAccessibleName(self.tr("Weights of the row"))
        self.scale.setText(self.tr("Scale to 1"))
        self.scale.setToolTip(self.tr("Divide every number by their sum"))
        self.apply.setText(self.tr("Apply"))
        self._check()

    def _value(self, row: int) -> QTableWidgetItem:
        item = self.table.item(row, 1)
        assert item is not None
        return item

    def _check(self) -> None:
        """Say the sum, and why the numbers cannot be applied if they cannot."""
        total = weights_sum(self.weights())
        self.sum.setText("" if total is None else self.tr("Sum {total}").format(total=f"{total:.4f}"))
        problem = ""
        if total is None:
            problem = self.tr("Every weight must be a number that is not negative.")
        elif abs(total - 1) > WEIGHTS_TOLERANCE:
            problem = self.tr("The weights of a row must add up to 1.")
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.apply.setEnabled(not problem and self.table.rowCount() > 0)
        self.scale.setEnabled(total is not None and total > 0 and total != 1)

    def _scale(self) -> None:
        weights = [weight or 0.0 for weight in self.weights()]
        total = math.fsum(weights)
        with QSignalBlocker(self.table):
            for row, weight in enumerate(weights):
                self._value(row).setText(f"{weight / total:.6f}")
        self._check()

    def _apply(self) -> None:
        weights = self.weights()
        if self.apply.isEnabled() and None not in weights:
            self.applied.emit(tuple(weights))

    def _restyle(self) -> None:
        high = self._appearance.px(26)
        self.table.verticalHeader().setDefaultSectionSize(high)
        self.table.setFixedHeight(high * min(max(1, self.table.rowCount()), _MOST_ROWS) + 4)


def _number(text: str) -> float | None:
    """A number with a point or a comma for the decimals."""
    try:
        value = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return value if math.isfinite(value) else None
