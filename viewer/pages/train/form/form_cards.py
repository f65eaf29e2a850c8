"""The cards of the form as they lie: one for each group of fields, and below them what is always in view."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from model.train_options import DERIVED
from viewer.document.training.form_values import Values
from viewer.pages.train.form.form_foot import WIDTH, FormFoot
from viewer.pages.train.form.form_group import FormGroup
from viewer.pages.train.form.form_groups import DataGroup, ModelGroup, ResultGroup
from viewer.pages.train.form.form_notes import FormNotes
from viewer.pages.train.form.form_row import FieldRow, row_of
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.worded import Worded


class FormCards(Worded, QWidget):
    """Fields in groups that scroll, the foot beneath them; what they mean is another's business.

    Attributes:
        parts: makes what is not made yet, a part each time that the next is asked for.
    """

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.is_whole = False
        self.parts = self._make()

    def _make(self) -> Iterator[None]:
        """From the outside in: Qt styles all that a widget holds anew each time it is put into another."""
        look, inside = self._appearance, QWidget()
        self.area = QScrollArea(self)
        self.area.setWidget(inside)
        self.data = DataGroup("data", look, inside)
        self.vocabulary = FormGroup("vocabulary", look, inside)
        self.model = ModelGroup("model", look, inside)
        self.training = FormGroup("training", look, inside)
        self.watch = FormGroup("watch", look, inside)
        self.result = ResultGroup("result", look, inside)
        self.groups = (self.data, self.vocabulary, self.model, self.training, self.watch, self.result)
        for group in self.groups:
            yield from group.parts
            yield
        self.heading, self.afresh = label("heading"), QPushButton()
        self.notes = FormNotes(self.model, self.training, self.watch, self.result)
        self.foot = FormFoot(look, self)
        self._lay_out(inside)
        yield
        self._order_tabs()

    def _lay_out(self, inside: QWidget) -> None:
        self.afresh.setProperty("role", "link")
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        head = QHBoxLayout()
        head.addWidget(self.heading)
        head.addStretch(1)
        head.addWidget(self.afresh)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.area, 1)
        column.addWidget(self.foot)
        cards = QVBoxLayout(inside)
        cards.setContentsMargins(0, 0, 8, 0)
        cards.setSpacing(10)
        for group in self.groups:
            cards.addWidget(group)
        cards.addStretch(1)
        self.resize_to_type()

    def _order_tabs(self) -> None:
        """As the eye goes, not as the widgets were made."""
        chain = [widget for group in self.groups for widget in group.tab_chain()]
        chain += [self.foot.start, self.foot.command, self.afresh]
        for before, after in pairwise(chain):
            last, box = before, after.parentWidget()
            if box is not None and box.focusProxy() is after:
                # Past what hands the focus on, Qt goes on from the one that it is handed to.
                self.setTabOrder(before, box)
                last = box
            self.setTabOrder(last, after)

    def values(self) -> Values:
        """What every field holds, and the kind of data."""
        found: Values = {"source": self.data.source()}
        for group in self.groups:
            found.update(group.values())
        return {**found, "auto": tuple(name for name in DERIVED if self.row(name).automatic)}

    def row(self, name: str) -> FieldRow:
        """The row of a field."""
        return next(group.rows[name] for group in self.groups if name in group.rows)

    def follow_focus(self, before: QWidget | None, now: QWidget | None) -> None:
        """Explain the field that has the focus, and keep it in view."""
        row = row_of(now)
        if row is not None and self.isAncestorOf(row):
            self.foot.explain(row)
            self.area.ensureWidgetVisible(row, 0, self._appearance.px(24))

    def resize_to_type(self) -> None:
        """Follow the type scale."""
        self.setFixedWidth(self._appearance.px(WIDTH))
