"""`LayerSection`: which encoder layer the decoder reads, and a translation from each (DecoderLens)."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from model.alterations.read_layer import ReadLayer
from model.errors import HeadscopeError
from model.questions.causes.decoder_lens import DECODER_LENS, LayersOf, LayersRead
from model.questions.questions import Question, Reading
from model.trace.trace import AttentionKind
from viewer.document.alterations.read_layer import read_layer_of, with_read_layer
from viewer.document.text.method_text import method_words
from viewer.document.what_if.what_if_editor import WhatIfEditor
from viewer.document.what_if.what_if_text import fixed
from viewer.pages.look.what_if.inputs import Slider
from viewer.pages.look.what_if.section import Section
from viewer.pages.look.what_if.text_rows import TextTable
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain

_PAUSE = 120  # ms that a dragged slider rests before the model translates anew
_TEXT = 2  # column of the table


class LayerRow(QWidget):
    """A switch, a slider from 0 to the number of layers, and what it stands at.

    Signals:
        layer_chosen: int, or None where the switch is off; by the slider after a short rest.
    """

    layer_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.switch = QCheckBox()
        self.slider = Slider(Qt.Orientation.Horizontal)
        self.slider.setPageStep(1)
        self.number = label("small")
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

    def show_layer(self, layer: int | None, layers: int) -> None:
        """Show which of so many layers is read, None for the usual, unless a hand is on the slider."""
        if self.slider.isSliderDown() or self._rest.isActive():
            return
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, layers)
            self.slider.setValue(layers if layer is None else layer)
        with QSignalBlocker(self.switch):
            self.switch.setChecked(layer is not None)
        self._say()

    def _say(self) -> None:
        layer = self.slider.value()
        text = self.tr("layer {layer} of {layers}").format(layer=layer, layers=self.slider.maximum())
        self.number.setText(text if layer else self.tr("embeddings"))

    def _switched(self) -> None:
        self._rest.stop()
        self._choose()

    def _slid(self, layer: int) -> None:
        self.switch.setChecked(True)
        self._say()
        self._rest.start()

    def _choose(self) -> None:
        self.layer_chosen.emit(self.slider.value() if self.switch.isChecked() else None)


class LayerSection(Section):
    """The layer, and the list of translations; a click on one of them makes its run."""

    def __init__(self, editor: WhatIfEditor, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(editor, appearance, parent)
        self._answers = editor.session.answers
        self._asked: Reading | None = None
        self._grown = 0  # rows that are shown
        self.title = label("title")
        self.layer = LayerRow()
        self.every, self.cancel = QPushButton(), QPushButton()
        self.every.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.counted = label("small")
        self.table = TextTable(appearance, _TEXT)
        self.caveat = label("small")
        self.counted.setWordWrap(True)
        self.caveat.setWordWrap(True)
        going = QHBoxLayout()
        going.addWidget(self.counted, 1)
        going.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.title, self.layer, self.every):
            column.addWidget(widget)
        column.addLayout(going)
        column.addWidget(self.table)
        column.addWidget(self.caveat)
        self.layer.layer_chosen.connect(self._chosen)
        self.every.clicked.connect(self._ask)
        self.cancel.clicked.connect(self._stop)
        self.table.row_chosen.connect(self._chosen)
        self._answers.changed.connect(self._answered)

    def refresh(self) -> None:
        """Show the layer in force, and what there is of the list."""
        pair = self.editor.pair
        if pair is None:
            return
        layers = pair.baseline.trace.layers(AttentionKind.ENCODER_SELF)
        chosen = read_layer_of(self.editor.changes)
        self.layer.show_layer(chosen, layers)
        reading = self._reading()
        if self._asked is not None and reading != self._asked:
            self._stop()  # what was asked was another sentence, or another model
        asked = self._asked
        found = None if asked is None else self._answers.get(LayersOf(), asked)
        state = None if asked is None else self._answers.state(LayersOf(), asked)
        going = state is not None and state.waiting
        self.every.setVisible(found is None and not going)
        self.every.setEnabled(reading is not None)
        self.cancel.setVisible(going)
        known = isinstance(found, LayersRead)
        if self.table.isHidden():
            self._grown = 0
        self.table.setVisible(known)
        self.caveat.setVisible(known)
        problem = None if state is None else state.problem
        text = "" if problem is None else problem.sentence()
        if going and state is not None:
            text = self.tr("{done} of {total} layers").format(
                done=state.done, total=state.total or layers + 1
            )
        self.counted.setText(text)
        self.counted.setVisible(bool(text))
        if isinstance(found, LayersRead):
            rows = [
                (str(row.layer), fixed(row.mean_logprob), row.text, fixed(row.given)) for row in found.rows
            ]
            names = (self.tr("Layer"), self.tr("per token"), self.tr("Translation"), self.tr("original"))
            self.table.show_rows(names, rows)
            self.table.show_row(-1 if chosen is None or chosen >= len(rows) else chosen)
            if len(rows) != self._grown and not (self._grown and going):  # with the first row, and with all
                self.grew.emit(self.table)
            self._grown = len(rows)

    def retranslate(self) -> None:
        """Take the language in force."""
        words = method_words(DECODER_LENS)
        self.title.setText(self.tr("Encoder layer that is read"))
        self.layer.switch.setText(self.tr("The decoder reads another layer"))
        self.layer.slider.setAccessibleName(self.tr("Encoder layer that the decoder reads"))
        self.layer.slider.setToolTip(plain("\n".join(words.sentences)))
        self.every.setText(self.tr("Translate from every layer"))
        self.every.setToolTip(plain("\n".join(words.sentences)))
        self.cancel.setText(self.tr("Cancel"))
        self.table.setAccessibleName(words.name)
        tip = self.tr(
            "Natural log probability per token of what is written from a layer, and of the original "
            "translation as a whole with that layer. Written greedily; a click on a line makes its run."
        )
        self.table.setToolTip(plain(tip))
        self.caveat.setText(" ".join((tip, words.caveat)))

    def _reading(self) -> Reading | None:
        """The original, read with all changes but this one; None where it cannot be asked about."""
        pair = self.editor.pair
        if pair is None or pair.baseline.live or self.editor.obstacle:
            return None
        try:
            reading = Reading.of(pair.baseline.trace)
        except HeadscopeError:  # altered in a way that this version does not know
            return None
        others = (change for change in self.editor.changes if not isinstance(change, ReadLayer))
        return replace(reading, alterations=tuple(others))

    def _ask(self) -> None:
        reading = self._reading()
        if reading is not None:
            self._asked = reading
            self._answers.retry(LayersOf(), reading, topic="layers")
            self.refresh()

    def _stop(self) -> None:
        """Wait no longer; what there is of the list goes."""
        asked, self._asked = self._asked, None
        if asked is not None:
            self._answers.forget(LayersOf(), asked)
        self.refresh()

    def _chosen(self, layer: int | None) -> None:
        self.editor.ask(with_read_layer(self.editor.changes, layer))

    def _answered(self, question: Question, reading: Reading | None) -> None:
        if isinstance(question, LayersOf) and self.isVisible():
            self.refresh()
