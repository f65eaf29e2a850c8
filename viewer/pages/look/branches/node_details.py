"""`NodeDetails`: all that is known of the node that is looked at."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from viewer.document.text.token_text import TokenText
from viewer.figures.tree.spec import TokenNode
from viewer.pages.look.branches.branches_state import BranchesState
from viewer.pages.look.branches.node_words import reason_text
from viewer.pages.look.branches.run_words import mode_text, number, standing_text
from viewer.pages.widgets.buttons import Label, elastic, label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

_FIELDS, _PAIRS, _PIECE = 9, 3, 6


class NodeDetails(Worded, QScrollArea):
    """The token, its numbers in as many columns as have room, and what became of it in one sentence."""

    def __init__(self, state: BranchesState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.title, self.made = label("heading"), elastic(label("muted"))
        self.reason = label()
        self.reason.setWordWrap(True)
        self.names: list[Label] = [label("small") for _ in range(_FIELDS)]
        self.values: list[Label] = [label() for _ in range(_FIELDS)]
        self.values[_PIECE].be_elastic()  # of any length; the others are numbers
        page = QWidget()
        self._grid = grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        self._pairs = 0  # of columns
        column_ = QVBoxLayout(page)
        column_.setContentsMargins(4, 2, 6, 2)
        column_.setSpacing(4)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self.title)
        head.addWidget(self.made, 1)
        column_.addLayout(head)
        column_.addWidget(self.reason)
        column_.addLayout(grid)
        column_.addStretch(1)
        self._sides = column_.contentsMargins().left() + column_.contentsMargins().right()
        self._arrange(_PAIRS)
        self.setWidget(page)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many numbers beside each other as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = self.viewport().width() - self._sides
        self._arrange(next((pairs for pairs in range(_PAIRS, 1, -1) if self._width_of(pairs) <= room), 1))

    def _width_of(self, pairs: int) -> int:
        """What so many columns of names and values take."""
        widths = [0] * (2 * pairs)
        for place, (name, value) in enumerate(zip(self.names, self.values)):
            column = 2 * (place % pairs)
            widths[column] = max(widths[column], name.sizeHint().width())
            if place != _PIECE:  # which can be as narrow as it must
                widths[column + 1] = max(widths[column + 1], value.sizeHint().width())
        return sum(widths) + self._grid.horizontalSpacing() * (len(widths) - 1)

    def _arrange(self, pairs: int) -> None:
        if pairs == self._pairs:
            return
        self._pairs = pairs
        for place, (name, value) in enumerate(zip(self.names, self.values)):
            row, column = divmod(place, pairs)
            self._grid.addWidget(name, row, 2 * column)  # a widget that stands elsewhere is moved
            self._grid.addWidget(value, row, 2 * column + 1)
        for pair in range(_PAIRS):
            self._grid.setColumnStretch(2 * pair + 1, int(pair < pairs))

    def show_node(self, node: TokenNode | None, word: TokenText | None) -> None:
        """Say everything of a node; None while there is none."""
        known = node is not None and word is not None
        for widget in (*self.names, *self.values, self.made, self.reason):
            widget.setVisible(known)
        self.setAccessibleName(self.tr("Token") if word is None else f"{self.tr('Token')}: {word.text}")
        if node is None or word is None:
            self.title.setText("")
            return
        run = self._state.run_of(node)
        self.title.setText(word.text)
        self.made.setText(mode_text(run) if run is not None else standing_text(node))
        self.made.setToolTip(plain(self.made.text()))
        for (name, value), (said, written) in zip(self._rows(node), zip(self.names, self.values)):
            said.setText(name)
            written.setText(value)
            written.setToolTip(plain(self._rank_tip() if name == self.tr("Rank score") else value))
        reason = reason_text(self._state.tree, node)
        self.reason.setVisible(bool(reason or node.ends))
        self.reason.setText(reason or (standing_text(node) if node.ends else ""))
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy everything."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.as_text())
        else:
            super().keyPressEvent(event)

    def as_text(self) -> str:
        """All lines, name and value apart by a tab."""
        rows = [f"{n.text()}\t{v.text()}" for n, v in zip(self.names, self.values)]
        return "\n".join([self.title.text(), self.made.text(), *rows, self.reason.text()])

    def remeasure(self) -> None:
        """The text needs another height, and other columns."""
        self.updateGeometry()
        self._fit()

    def _rank_tip(self) -> str:
        return self.tr(
            "Total / number of tokens to the power of the length penalty A: what a beam search ranks by"
        )

    def _rows(self, node: TokenNode) -> tuple[tuple[str, str], ...]:
        share = math.exp(min(node.logprob, 0.0))
        said = f"{100 * share:.2f} %" if share >= 1e-4 else self.tr("< 0.01 %")
        place = self._state.rank(node)
        rank = self.tr("not recorded") if place is None else f"{place:,}"
        return (
            (self.tr("Step"), str(node.step + 1)),
            (self.tr("Rank"), rank),
            (self.tr("Probability"), "–" if math.isnan(share) else said),
            (self.tr("Runs"), str(len(node.runs))),
            (self.tr("Token"), str(node.token) if node.token >= 0 else self.tr("not recorded")),
            (self.tr("Log probability"), number(node.logprob)),
            (self.tr("Piece"), node.piece),
            (self.tr("Total"), number(node.score)),
            (
                self.tr("Rank score"),
                self.tr("{score} (A = {penalty})").format(
                    score=number(node.rank_score), penalty=f"{node.penalty:g}"
                ),
            ),
        )
