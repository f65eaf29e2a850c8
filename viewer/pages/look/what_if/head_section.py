"""`HeadSection`: switches and sliders: how much the head in view, and its layer, take part."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QVBoxLayout, QWidget

from model.trace.trace import AttentionKind
from viewer.document.alterations.scale_head import factor_of, with_factor
from viewer.document.text.place_text import map_place
from viewer.document.what_if.what_if_editor import WhatIfEditor
from viewer.pages.look.what_if.inputs import Slider
from viewer.pages.look.what_if.section import Section
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

_STEPS = 20  # of the slider in 1
_LARGEST = 2
_PAUSE = 120  # ms that a dragged slider rests before the model translates anew


class FactorRow(Worded, QWidget):
    """A switch, a slider from 0 to 2, and the factor.

    Signals:
        factor_chosen: by the switch at once, by the slider after a short rest.
    """

    factor_chosen = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.switch = QCheckBox()
        self.slider = Slider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, _LARGEST * _STEPS)
        self.slider.setPageStep(_STEPS // 4)
        self.number = label("small")
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(2)
        grid.addWidget(self.switch, 0, 0, 1, 2)
        grid.addWidget(self.slider, 1, 0)
        grid.addWidget(self.number, 1, 1)
        grid.setColumnStretch(0, 1)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_PAUSE)
        self._rest.timeout.connect(self._choose)
        self.switch.clicked.connect(self._switched)
        self.slider.valueChanged.connect(self._slid)
        self.remeasure()
        self.show_factor(1.0)

    def remeasure(self) -> None:
        """Room for the widest number, in the type in force."""
        self.number.ensurePolished()
        self.number.setMinimumWidth(self.number.fontMetrics().horizontalAdvance("× 2.00"))

    def show_factor(self, factor: float) -> None:
        """Show a factor, unless a hand is on the slider."""
        if self.slider.isSliderDown() or self._rest.isActive():
            return
        with QSignalBlocker(self.slider), QSignalBlocker(self.switch):
            self.slider.setValue(round(factor * _STEPS))
            self.switch.setChecked(factor != 0)
        self._say(factor)

    def flush(self) -> None:
        """Choose at once what the slider was left at."""
        if self._rest.isActive():
            self._rest.stop()
            self._choose()

    def _say(self, factor: float) -> None:
        self.number.setText(f"× {factor:.2f}" if factor else self.tr("off"))

    def _switched(self) -> None:
        self._rest.stop()
        factor = 1.0 if self.switch.isChecked() else 0.0
        self.show_factor(factor)
        self.factor_chosen.emit(factor)

    def _slid(self, value: int) -> None:
        self._say(value / _STEPS)
        self.switch.setChecked(value != 0)
        self._rest.start()

    def _choose(self) -> None:
        self.factor_chosen.emit(self.slider.value() / _STEPS)


class HeadSection(Section):
    """The head in view (or all of a layer, while the mean is shown) and its layer."""

    def __init__(self, editor: WhatIfEditor, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(editor, appearance, parent)
        self._place: tuple[AttentionKind, int, int | None] | None = None
        self.title = label("title")
        self.title.setWordWrap(True)
        self.head, self.layer = FactorRow(), FactorRow()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.title, self.head, self.layer):
            column.addWidget(widget)
        self.head.factor_chosen.connect(self._head_chosen)
        self.layer.factor_chosen.connect(self._layer_chosen)

    def refresh(self) -> None:
        """Show the factors of the place in view."""
        session = self.editor.session
        selection, trace = session.selection(), session.trace()
        if selection is None or trace is None:
            return
        place = (selection.kind, selection.layer, selection.head)
        if place != self._place:
            self.head.flush()  # what a slider was left at is for the place that was in view then
            self.layer.flush()
            self._place = place
        kind, layer, head = place
        changes = self.editor.changes
        self.title.setText(map_place(kind, layer, head, trace.heads(kind)))
        self.head.setVisible(head is not None)
        self.head.show_factor(factor_of(changes, kind, layer, head))
        self.layer.show_factor(factor_of(changes, kind, layer, None))
        self.layer.switch.setText(self._layer_name(kind))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.head.switch.setText(self.tr("This head"))
        tip = self.tr("The head's output is multiplied by this; 1 changes nothing, 0 switches it off")
        for row in (self.head, self.layer):
            row.slider.setToolTip(plain(tip))
        self.head.slider.setAccessibleName(self.tr("Factor of this head"))
        self.layer.slider.setAccessibleName(self.tr("Factor of this layer"))

    def _layer_name(self, kind: AttentionKind) -> str:
        if kind is AttentionKind.CROSS:
            return self.tr("This layer's cross-attention")
        return self.tr("This layer's self-attention")

    def _head_chosen(self, factor: float) -> None:
        if self._place is not None and self._place[2] is not None:
            self.editor.ask(with_factor(self.editor.changes, *self._place, factor))

    def _layer_chosen(self, factor: float) -> None:
        if self._place is not None:
            kind, layer, _ = self._place
            self.editor.ask(with_factor(self.editor.changes, kind, layer, None, factor))
