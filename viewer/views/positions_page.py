"""The Positions page: how the model in use marks where a token stands."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSignalBlocker, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSpinBox, QStackedWidget, QVBoxLayout, QWidget

from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.buttons import card, elastic, label
from viewer.views.empty_state import EmptyState
from viewer.views.positions_view import PositionsView

_MOST_CURVES = 8


def opening_curves(dimensions: int) -> tuple[int, ...]:
    """Dimensions whose wavelengths are well apart: the curves a page begins with."""
    return tuple(sorted({min(d, dimensions - 1) for d in (0, dimensions // 16 * 2, dimensions // 8 * 2)}))


class PositionsPage(QWidget):
    """Heatmap position x dimension, curves of chosen dimensions, similarity between positions.

    Signals:
        read_out: what the pointer is on.
        model_asked: the empty state's button.
    """

    read_out = Signal(str)
    model_asked = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._curves: tuple[int, ...] = ()
        self.setObjectName("page")
        self.view = PositionsView(appearance)
        self.empty = EmptyState()
        self.explanation = label("muted")
        self.explanation.setWordWrap(True)
        self.count = QSpinBox()
        self.dimension = QSpinBox()
        self.add = QPushButton()
        self.clear = QPushButton()
        self.chosen = elastic(label("muted"))
        self._count_label, self._dimension_label = label("muted"), label("muted")
        self._lay_out()
        self.count.setRange(8, 64)
        self.count.setValue(64)
        self.count.valueChanged.connect(self._show)
        self.dimension.editingFinished.connect(self._show)
        self.add.clicked.connect(self._add_clicked)
        self.clear.clicked.connect(self._clear_clicked)
        self.view.dimension_clicked.connect(self.toggle_curve)
        self.view.read_out.connect(self.read_out)
        self.empty.asked.connect(self.model_asked)
        session.model_changed.connect(self._model_changed)
        self.retranslate()
        self._model_changed()

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setSpacing(8)
        bar.addWidget(self._count_label)
        bar.addWidget(self.count)
        bar.addSpacing(16)
        bar.addWidget(self._dimension_label)
        bar.addWidget(self.dimension)
        bar.addWidget(self.add)
        bar.addWidget(self.clear)
        bar.addWidget(self.chosen, 1)
        frame = card()
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(16, 12, 16, 12)
        inside.setSpacing(8)
        inside.addLayout(bar)
        inside.addWidget(self.explanation)
        inside.addWidget(self.view, 1)
        self._stack = QStackedWidget()
        self._stack.addWidget(frame)
        empty_card = card()
        QVBoxLayout(empty_card).addWidget(self.empty)
        self._stack.addWidget(empty_card)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    @property
    def curves(self) -> tuple[int, ...]:
        """The dimensions drawn as curves, ascending."""
        return self._curves

    def toggle_curve(self, dimension: int) -> None:
        """Draw a dimension's curve, or take it away; the oldest makes room for a ninth."""
        if dimension in self._curves:
            self._curves = tuple(d for d in self._curves if d != dimension)
        else:
            self._curves = tuple(sorted((*self._curves[-_MOST_CURVES + 1 :], dimension)))
        self._show()

    def retranslate(self) -> None:
        """Take the language in force."""
        self._count_label.setText(self.tr("Positions"))
        self.count.setAccessibleName(self.tr("How many positions to show"))
        self._dimension_label.setText(self.tr("Dimension"))
        self.dimension.setAccessibleName(self.tr("Dimension of a curve"))
        self.add.setText(self.tr("Draw curve"))
        self.add.setToolTip(
            self.tr("Draw this dimension as a curve, or take it away; so does a click on the heatmap")
        )
        self.clear.setText(self.tr("Clear curves"))
        self.view.setAccessibleName(self.tr("Positional encoding"))
        self._say()
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _say(self) -> None:
        info = self._session.model
        if info is None:
            self.empty.say(self.tr("Open a model to see how it marks positions."), self.tr("Open model…"))
        elif info.positions is None:
            self.empty.say(
                self.tr(
                    "{name} adds no positional encoding: only the causal mask tells it the order of words."
                ).format(name=info.name),
                self.tr("Open another model…"),
            )
        elif info.architecture.get("positions") == "learned":
            self.explanation.setText(
                self.tr(
                    "{name} learned its positions: one free vector for each, added to the token's embedding."
                ).format(name=info.name)
            )
        else:
            self.explanation.setText(
                self.tr(
                    "{name} adds sines and cosines of falling frequency to every embedding (paper, 3.5)."
                ).format(name=info.name)
            )

    def _model_changed(self) -> None:
        info = self._session.model
        encoding = None if info is None else info.positions
        self._stack.setCurrentIndex(0 if encoding is not None else 1)
        if encoding is not None:
            positions, dimensions = encoding.shape
            with QSignalBlocker(self.count), QSignalBlocker(self.dimension):
                self.count.setRange(min(8, positions), min(256, positions))
                self.count.setValue(min(64, positions))
                self.dimension.setRange(0, dimensions - 1)
            self._curves = opening_curves(dimensions)
        self._say()
        self._show()

    def _show(self) -> None:
        self.view.show_encoding(self._session.model, self._curves, self.count.value())
        names = ", ".join(map(str, self._curves))
        self.chosen.setText(self.tr("Curves: {dimensions}").format(dimensions=names) if names else "")
        drawn = self.dimension.value() in self._curves
        self.add.setText(self.tr("Remove curve") if drawn else self.tr("Draw curve"))

    def _add_clicked(self) -> None:
        self.toggle_curve(self.dimension.value())

    def _clear_clicked(self) -> None:
        self._curves = ()
        self._show()
