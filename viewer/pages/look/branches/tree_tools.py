"""`TreeTools`: the options of the tree, and what its signs mean."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSignalBlocker, QSize, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QSizePolicy, QWidget

from viewer.document.text.lists import names
from viewer.figures.canvas.theme import theme
from viewer.figures.tree.paint import SIGN, paint_sign, sign_of
from viewer.figures.tree.spec import End, TokenTree
from viewer.guarded import Guarded
from viewer.pages.accessible.cells import CellHost, Cells
from viewer.pages.look.branches.branches_state import BranchesState
from viewer.pages.look.branches.run_words import end_text
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import tab_button
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow

_KINDS: tuple[End, ...] = ("finished", "dropped", "cut", "cancelled", "live", "open")


class SignLegend(Guarded, CellHost, QWidget):
    """The signs that occur in a tree, each with its meaning; as many as there is room for."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.kinds: tuple[End, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        appearance.changed.connect(self.update)

    def show_tree(self, tree: TokenTree) -> None:
        """Take the signs of a tree."""
        found = {sign_of(node) for node in tree.nodes}
        kinds = tuple(kind for kind in _KINDS if kind in found)
        if kinds != self.kinds:
            self.kinds = kinds
            self.setAccessibleDescription(names(map(end_text, kinds)))
            self.update()
            self.follow_cells()

    def cells(self) -> Cells | None:
        """A sign a column."""
        kinds = self.kinds
        return Cells(1 if kinds else 0, len(kinds), lambda row, column: end_text(kinds[column]))

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(10, self._appearance.px(18))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw sign, meaning, sign, meaning, from the right."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPixelSize(self._appearance.px(12))
        painter.setFont(font)
        metrics, colours = QFontMetrics(font), theme(self._appearance.palette.name)
        x, y, gap = self.width() - 3.0, self.height() / 2, self._appearance.px(14)
        for kind in reversed(self.kinds):
            text = end_text(kind)
            x -= metrics.horizontalAdvance(text)
            if x < SIGN + gap:
                break
            painter.setPen(self._appearance.color("muted"))
            painter.drawText(QPointF(x, y + 0.36 * font.pixelSize()), text)
            x -= SIGN
            paint_sign(painter, kind, QPointF(x, y), colours)
            x -= gap


class TreeTools(OverflowRow):
    """Whole or as of the step, with or without dropped hypotheses, in its own size or fitted.

    Signals:
        fit_asked: make the whole tree fit, or not.
    """

    fit_asked = Signal(bool)

    def __init__(self, state: BranchesState, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent)
        self._state = state
        self._group = QButtonGroup(self)
        self.whole, self.stepwise = tab_button(self._group, 0), tab_button(self._group, 1)
        self.whole.setChecked(True)
        self.dropped, self.fit = QCheckBox(), QCheckBox()
        self.dropped.setChecked(state.dropped)
        self.legend = SignLegend(appearance)
        for widget in (self.whole, self.stepwise, self.dropped, self.fit):
            self.add(widget)
        self.add(self.legend, 1, rank=STAYS)
        self._group.idClicked.connect(self._extent_chosen)
        self.dropped.toggled.connect(state.set_dropped)
        self.fit.toggled.connect(self.fit_asked)
        state.changed.connect(self.refresh)
        self.retranslate()
        self.refresh()

    def refresh(self) -> None:
        """Offer what makes a difference to the tree in view."""
        searched = any(run.search for run in self._state.runs)
        self.dropped.setVisible(searched)
        self.legend.show_tree(self._state.tree)

    def leave_fit(self) -> None:
        """The tree has a size of its own again."""
        with QSignalBlocker(self.fit):
            self.fit.setChecked(False)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.whole.setText(self.tr("Whole"))
        self.whole.setToolTip(self.tr("Everything that was decoded or considered"))
        self.stepwise.setText(self.tr("As of this step"))
        self.stepwise.setToolTip(
            self.tr("Only what was known after the step in view: the tree grows as you step")
        )
        self.dropped.setText(self.tr("Dropped"))
        self.dropped.setToolTip(self.tr("Also hypotheses that the beam search dropped"))
        self.fit.setText(self.tr("Fit"))
        self.fit.setToolTip(self.tr("Make the whole tree fit (Ctrl+wheel zooms)"))
        self.legend.setAccessibleName(self.tr("Legend"))
        self.legend.update()

    def _extent_chosen(self, index: int) -> None:
        self._state.set_stepwise(index == 1)
