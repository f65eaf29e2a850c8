"""Below the form: what the focused field means, why a run cannot start, and the buttons."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from model.training.fields.fields import FIELDS, OUT, PRESET
from viewer.pages.train.form.form_editors import words
from viewer.pages.train.form.form_row import FieldRow, note
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

WIDTH = 440  # of the form
_SIDES = 30  # of the card, left and right of its text


class FormFoot(Worded, QFrame):
    """Always in view, whatever the form is scrolled to.

    Attributes:
        help: the sentence of the field that has the focus.
        outlook: how long the run will take, before it starts.
        reason: why Start is disabled.
    """

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._appearance = appearance
        self._row: FieldRow | None = None
        self.title, self.help, self.reason = label("title"), note(), label("problem")
        self.outlook = label()
        self.outlook.setWordWrap(True)
        self.outlook.hide()
        self.start, self.command = QPushButton(), QPushButton()
        self.start.setProperty("role", "primary")
        self.help.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.reason.setWordWrap(True)
        self.reason.hide()
        self._lay_out()
        appearance.changed.connect(self._resize)
        self.retranslate()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self.start, 1)
        buttons.addWidget(self.command)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 10, 14, 12)
        column.setSpacing(4)
        column.addWidget(self.title)
        column.addWidget(self.help)
        column.addWidget(self.outlook)
        column.addWidget(self.reason)
        column.addLayout(buttons)

    def explain(self, row: FieldRow | None) -> None:
        """Say what a field means; without one, what to do here."""
        self._row = row
        if row is None:
            self.title.setText(self.tr("A model of your own"))
            self.help.setText(
                self.tr(
                    "Press Start to train this model, or choose other data. Each field is explained here."
                )
            )
        else:
            self.title.setText(row.shown_name())
            self.help.setText(row.meaning())

    def foretell(self, text: str) -> None:
        """Say how long the run will take; "" while nothing can be told."""
        self.outlook.setText(text)
        self.outlook.setVisible(bool(text))

    def allow(self, reason: str, *, command: bool) -> None:
        """Let the run start, or say why it cannot; `command`: whether there is a command to copy."""
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        self.start.setEnabled(not reason)
        self.start.setToolTip(plain(reason))
        self.command.setEnabled(command)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.start.setText(self.tr("Start"))
        self.command.setText(self.tr("Copy as command"))
        self.command.setToolTip(self.tr("The command that runs the same training"))
        self.explain(self._row)
        self._resize()

    def _resize(self) -> None:
        """As high as the longest sentence, so that nothing moves from field to field."""
        self.help.ensurePolished()
        width = self._appearance.px(WIDTH) - _SIDES
        metrics, wrap = self.help.fontMetrics(), Qt.TextFlag.TextWordWrap
        sentences = [words(field.meaning) for field in (*FIELDS.values(), PRESET, OUT)]
        heights = [metrics.boundingRect(0, 0, width, 1000, wrap, text).height() for text in sentences]
        self.help.setFixedHeight(max(heights))
