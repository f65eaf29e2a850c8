"""`OrderCell`: one of the four readings: what was read, what came out, how the words looked at each other."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from model.trace.exploration import OrderReading
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.pages.learn.order.order_words import pieces_read, probability
from viewer.pages.learn.small_map import SmallMap
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card, elastic, label
from viewer.pages.widgets.worded import Worded


class OrderCell(Worded, QWidget):
    """A card of the grid.

    Args:
        reordered: whether it is for the other order.
        positions: whether it is for the reading with positions.

    Signals:
        look_asked: `reordered`, `positions`: show this reading on the Look page.
    """

    look_asked = Signal(bool, bool)

    def __init__(
        self, appearance: Appearance, reordered: bool, positions: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.reordered, self.positions = reordered, positions
        self.reading: OrderReading | None = None
        self.title = elastic(label("title"))
        self.pieces, self.translation, self.share = label("muted"), label("large"), label("small")
        self.look = QPushButton()
        self.look.setProperty("role", "link")
        self.map = SmallMap(appearance)
        for text in (self.pieces, self.translation):
            text.setWordWrap(True)
        self.look.clicked.connect(self._look_clicked)
        self._lay_out()
        self.retranslate()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.look)
        said = QHBoxLayout()
        said.addWidget(self.translation, 1)
        said.addWidget(self.share)
        frame = card()
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(12, 6, 8, 6)
        inside.setSpacing(3)
        inside.addLayout(head)
        inside.addWidget(self.pieces)
        inside.addLayout(said)
        inside.addWidget(self.map, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(frame)

    def show_reading(self, reading: OrderReading, selection: Selection, view: ViewOptions) -> None:
        """Show a reading and one map of it."""
        self.reading = reading
        trace = reading.trace
        self.pieces.setText(pieces_read(trace))
        self.translation.setText(trace.tgt_text)
        self.share.setText(probability(trace))
        self.map.show_map(trace, selection, view)
        self.map.setAccessibleName(f"{self.title.text()}: {pieces_read(trace)}")

    def _look_clicked(self) -> None:
        self.look_asked.emit(self.reordered, self.positions)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.title.setText(
            {
                (False, True): self.tr("Own order, with positions"),
                (True, True): self.tr("Other order, with positions"),
                (False, False): self.tr("Own order, without positions"),
                (True, False): self.tr("Other order, without positions"),
            }[self.reordered, self.positions]
        )
        self.look.setText(self.tr("Look at this"))
        self.look.setToolTip(self.tr("Show every head of this reading on the Look page"))
        self.look.setAccessibleName(f"{self.look.text()}: {self.title.text()}")
        if self.reading is not None:
            self.share.setText(probability(self.reading.trace))
