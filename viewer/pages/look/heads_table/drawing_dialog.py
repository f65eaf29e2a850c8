"""Draw a pattern: what the heads of the table are compared with, drawn with the mouse or chosen."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from model.errors import HeadscopeError
from model.files.files import replace_bytes
from model.heads.head_scores import keys_of
from model.heads.likeness import PRESETS, Drawing, drawing_csv, preset
from model.trace.trace import AttentionKind, Trace
from viewer.document.messages.notice import error_sentence
from viewer.document.session import Session
from viewer.document.text.token_text import token_texts
from viewer.guarded import Guarded
from viewer.pages.look.heads_table.drawing_grid import Doubles, DrawingGrid
from viewer.pages.look.heads_table.heads_words import drawing_name, kind_short, likeness_formula
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label

_ACROSS = 4  # presets in a row


class DrawingDialog(Guarded, QDialog):
    """A grid of the sentence in view, and patterns to begin with.

    Attributes:
        kind: whose rows and columns the grid has. grid: the cells.
        presets: a button a pattern.

    Signals:
        drawn: a `Drawing` to compare heads with; None for none.
    """

    drawn = Signal(object)

    def __init__(
        self,
        session: Session,
        trace: Trace,
        drawing: Drawing | None,
        appearance: Appearance,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._trace = session, trace
        self._preset = ""  # what is shown, as long as nobody draws in it
        self.setWindowTitle(self.tr("Draw a pattern"))
        self.kind, self.grid = QComboBox(), DrawingGrid(appearance)
        names = {name: drawing_name(Drawing(name)) for name in PRESETS}
        self.presets = {name: QPushButton(said[:1].upper() + said[1:]) for name, said in names.items()}
        self.column, self.clear = QPushButton(self.tr("This column")), QPushButton(self.tr("Clear"))
        self.problem = label("problem")
        buttons = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(buttons.Ok | buttons.Cancel)
        self.buttons.button(buttons.Ok).setText(self.tr("Sort the heads"))
        role = QDialogButtonBox.ButtonRole.ResetRole
        self.none, self.save = (
            self.buttons.addButton(text, role) for text in (self.tr("No pattern"), self.tr("Save as CSV…"))
        )
        self._lay_out()
        self._connect()
        for kind in trace.kinds:
            self.kind.addItem(kind_short(kind), kind)
        selection = session.selection()
        if selection is not None:
            self.kind.setCurrentIndex(max(0, trace.kinds.index(selection.kind)))
        self._begin(drawing)

    def _lay_out(self) -> None:
        note = label(
            "muted",
            self.tr(
                "Draw with the mouse, or go with the arrow keys and press Space: rows look, columns are "
                "looked at. A pattern of the list fits every family; what you draw, those with as many rows "
                "and columns."
            ),
        )
        formula = label("small", likeness_formula())
        for words in (note, formula, self.problem):
            words.setWordWrap(True)
        top = QHBoxLayout()
        family = label("", self.tr("&Rows and columns of"))
        family.setBuddy(self.kind)
        top.addWidget(family)
        top.addWidget(self.kind)
        top.addStretch(1)
        top.addWidget(self.clear)
        ready = QGridLayout()
        for place, button in enumerate([*self.presets.values(), self.column]):
            button.setAutoDefault(False)
            ready.addWidget(button, place // _ACROSS, place % _ACROSS)
        self.clear.setAutoDefault(False)
        self.column.setToolTip(self.tr("All of the weight on the column of the marked cell"))
        self.grid.setAccessibleName(self.tr("Pattern: one row per query, one column per key"))
        self.grid.setMinimumHeight(160)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 14)
        column.setSpacing(10)
        for item in (note, top, ready):
            if isinstance(item, QWidget):
                column.addWidget(item)
            else:
                column.addLayout(item)
        column.addWidget(self.grid, 1)
        for words in (self.problem, formula):
            column.addWidget(words)
        self.problem.hide()
        column.addWidget(self.buttons)
        self.resize(680, 560)

    def _connect(self) -> None:
        self.kind.activated.connect(self._kind_chosen)
        for name, button in self.presets.items():
            button.clicked.connect(partial(self.show_preset, name))
        self.column.clicked.connect(self._fill_column)
        self.clear.clicked.connect(self._clear)
        self.grid.pattern.drawn.connect(self._touched)
        self.none.clicked.connect(self._none)
        self.save.clicked.connect(self._ask_file)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    # What a person does.

    def show_preset(self, name: str) -> None:
        """Draw one of `PRESETS`."""
        found = preset(name, self._kind, *self._shape)
        self._show(np.zeros(self._shape) if found is None else found)
        self._preset = name
        self._say(
            self.tr("In cross-attention no token has neighbours: this pattern is one of self-attention.")
            if found is None
            else ""
        )

    def drawing(self) -> Drawing | None:
        """What is drawn; None while nothing is."""
        if self._preset:
            return Drawing(self._preset)
        cells = self.grid.pattern.cells
        return Drawing("drawn", cells.copy()) if cells.any() else None

    def accept(self) -> None:
        """Compare the heads with what is drawn."""
        found = self.drawing()
        if found is None:
            self._say(self.tr("Nothing is drawn yet."))
            return
        self.drawn.emit(found)
        super().accept()

    # Parts.

    @property
    def _kind(self) -> AttentionKind:
        return self._trace.kinds[max(0, self.kind.currentIndex())]

    @property
    def _shape(self) -> tuple[int, int]:
        shape = self._trace.patterns.shape(self._kind)
        assert shape is not None
        return shape[2:]

    def _begin(self, drawing: Drawing | None) -> None:
        """With what heads are compared with now, where it fits."""
        cells = None if drawing is None else drawing.cells
        if drawing is not None and cells is None:
            self.show_preset(drawing.name)
            return
        for place, kind in enumerate(self._trace.kinds if cells is not None else ()):
            shape = self._trace.patterns.shape(kind)
            if shape is not None and cells is not None and shape[2:] == cells.shape:
                self.kind.setCurrentIndex(place)
                self._show(cells)
                return
        self._show(np.zeros(self._shape))

    def _show(self, cells: Doubles) -> None:
        trace, kind = self._trace, self._kind
        seen = keys_of(trace, kind).seen(self._shape[0])
        decoder = kind is not AttentionKind.ENCODER_SELF
        raw, style = self._session.view.raw_pieces, trace.token_style
        queries = token_texts(trace.query_tokens(kind), raw=raw, style=style, starts=decoder)
        own = kind is AttentionKind.DECODER_SELF
        keys = token_texts(trace.key_tokens(kind), raw=raw, style=style, starts=own)
        named, across = (tuple(text.marked for text in texts) for texts in (queries, keys))
        self._preset = ""
        self.grid.pattern.show(named, across, cells, np.array(seen))

    def _touched(self) -> None:
        self._preset = ""
        self._say("")

    def _kind_chosen(self) -> None:
        if self._preset:
            self.show_preset(self._preset)
        else:
            self._show(np.zeros(self._shape))

    def _fill_column(self) -> None:
        cells = np.zeros(self._shape)
        cells[:, max(0, self.grid.currentIndex().column())] = 1.0
        at = self.grid.currentIndex()
        row, column = at.row(), at.column()
        self._show(cells)
        self.grid.setCurrentIndex(self.grid.pattern.index(row, column))
        self._say("")

    def _clear(self) -> None:
        self._show(np.zeros(self._shape))
        self._say("")

    def _none(self) -> None:
        self.drawn.emit(None)
        self.reject()

    def _ask_file(self) -> None:
        kinds = self.tr("CSV (*.csv)")
        start = str(Path.home() / "pattern.csv")
        path, _ = QFileDialog.getSaveFileName(self, self.tr("Save the pattern"), start, kinds)
        if path:
            self.write(path)

    def write(self, path: str) -> None:
        """Write the cells as `heads --like FILE.csv` reads them."""
        try:
            replace_bytes(path, drawing_csv(self.grid.pattern.cells).encode())
        except HeadscopeError as error:
            self._say(error_sentence(error))

    def _say(self, sentence: str) -> None:
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
