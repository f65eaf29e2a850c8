"""One field of the form: its name, its editor, and below it what is wrong with it."""

from __future__ import annotations

from typing import Any, Protocol

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QSizePolicy, QToolButton, QWidget

from model.train_options import DERIVED
from model.training.fields.derive import shown
from model.training.fields.field import Field
from viewer.pages.train.form.form_editors import ChoiceBox, FlagBox, NumberBox, PairBox, TextBox, words
from viewer.pages.train.form.form_files import FilesBox, TwoFilesBox
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

LABEL_WIDTH = 132
LANGUAGES = ("en", "fr", "zh", "de", "es", "it", "pt", "ru", "ja", "ko", "ar")


class Editor(Protocol):
    """What a row asks of its widget."""

    changed: SignalInstance

    def chosen(self) -> Any:
        """The value."""

    def choose(self, value: Any) -> None:
        """Show a value."""

    def retranslate(self) -> None:
        """Take the language in force."""


def editor_for(field: Field, appearance: Appearance) -> QWidget:
    """A widget that holds the field's value; an `Editor`."""
    if field.kind in ("whole", "number"):
        return NumberBox(field)
    if field.kind == "choice":
        return ChoiceBox(field.choices)
    if field.kind == "flag":
        return FlagBox(field)
    if field.kind == "texts":
        languages = field.name == "languages"
        return PairBox("und" if languages else "", LANGUAGES if languages else ())
    if field.kind == "files":
        return TwoFilesBox() if field.name == "parallel" else FilesBox(appearance, _most_files(field))
    return TextBox()


class FieldRow(Worded, QWidget):
    """A field.

    A number of `DERIVED` that nobody gave is automatic: its value is the one that the derivation begins with,
    and its editor shows what comes of it. Whoever types a number has given it.

    Attributes:
        name: the field's.
        editor: holds its value.
        problem: what is wrong with it; hidden while nothing is.
        auto: whether the number follows from the data and the run; None for a field that nothing follows for.
        reason: why it does not have its usual number; hidden while it does.

    Signals:
        changed: another value.
    """

    changed = Signal()

    def __init__(
        self,
        field: Field,
        appearance: Appearance,
        editor: QWidget | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """`editor`: instead of the usual one for the field's kind; an `Editor`."""
        super().__init__(parent)
        self.field = field
        self.name = field.name
        self._appearance = appearance
        self.editor = editor_for(field, appearance) if editor is None else editor
        self.title = label("", "")
        self.title.setWordWrap(True)
        self.problem = label("problem")
        self.problem.setWordWrap(True)
        self.problem.hide()
        self.auto = QToolButton() if field.name in DERIVED else None
        self.reason = label("small")
        self.reason.setWordWrap(True)
        self.reason.hide()
        self._usual: Any = None
        self._filling = False
        self._lay_out()
        self._typed.changed.connect(self._edited)
        self._appearance.changed.connect(self._resize)
        self.retranslate()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        if not isinstance(self.editor, QCheckBox):
            tall = isinstance(self.editor, (FilesBox, TwoFilesBox))
            grid.addWidget(
                self.title, 0, 0, Qt.AlignmentFlag.AlignTop if tall else Qt.AlignmentFlag.AlignVCenter
            )
            self.title.setBuddy(self.editor)
        grid.addWidget(self.editor, 0, 1)
        if self.auto is not None:
            self.auto.setCheckable(True)
            self.auto.setProperty("role", "tab")
            self.auto.setProperty("framed", True)
            self.auto.setProperty("small", True)
            # Their hint has room for the largest number of all.
            self.editor.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            self.auto.clicked.connect(self._auto_clicked)
            grid.addWidget(self.auto, 0, 2)
        span = 1 if self.auto is None else 2
        grid.addWidget(self.problem, 1, 1, 1, span)
        grid.addWidget(self.reason, 2, 1, 1, span)
        self._grid = grid
        self._resize()

    @property
    def _typed(self) -> Editor:
        editor: Any = self.editor
        return editor  # type: ignore[no-any-return]

    @property
    def automatic(self) -> bool:
        """Whether nobody gave the number."""
        return self.auto is not None and self.auto.isChecked()

    def value(self) -> Any:
        """What the field holds; where it is automatic, what the derivation begins with."""
        return self._usual if self.automatic else self._typed.chosen()

    def said(self, value: Any) -> str:
        """A value of the field as it would be shown."""
        zero = words(self.field.zero)
        return zero if zero and not value else shown(value)

    def shown(self) -> Any:
        """What the person sees in it."""
        return self._typed.chosen()

    def set_value(self, value: Any) -> None:
        """Give a value."""
        self.set_automatic(False)
        self._typed.choose(value)

    def fill(self, value: Any) -> None:
        """Show a value that nobody gave; whether the field is automatic stays as it is."""
        self._usual, self._filling = value, True
        self._typed.choose(value)
        self._filling = False

    def set_automatic(self, on: bool) -> None:
        """Say whether the number follows from the data and the run."""
        if self.auto is not None:
            self.auto.setChecked(on)
            self._explain("")

    def show_derived(self, value: Any, reason: str) -> None:
        """Show what follows for an automatic field, and why it is not as usual; "" where it is."""
        if self.automatic:
            blocked = self.editor.blockSignals(True)
            self._typed.choose(value)
            self.editor.blockSignals(blocked)
            self._explain(reason)

    def _explain(self, reason: str) -> None:
        if reason != self.reason.text():
            self.reason.setText(reason)
            self._describe()
        self.reason.setVisible(bool(reason))

    def _edited(self) -> None:
        """A number that was not filled in is a person's, and given from now on."""
        if self.automatic and not self._filling:
            self.set_automatic(False)
        self.changed.emit()

    def _auto_clicked(self) -> None:
        self._explain("")
        self.changed.emit()

    def set_problem(self, text: str) -> None:
        """Say what is wrong, or nothing."""
        if text != self.problem.text() or self.problem.isHidden() == bool(text):
            self.problem.setText(text)
            self.problem.setVisible(bool(text))
            self._describe()

    def meaning(self) -> str:
        """The field's sentence in the language in force."""
        return words(self.field.meaning)

    def shown_name(self) -> str:
        """The field's label in the language in force."""
        return words(self.field.label)

    def retranslate(self) -> None:
        """Take the language in force."""
        name = self.shown_name()
        self.title.setText(name)
        self.editor.setAccessibleName(name)
        typed = self.editor.focusProxy()
        if typed is not None:
            typed.setAccessibleName(name)
        for widget in (self.title, self.editor):
            widget.setToolTip(plain(self.meaning()))
        if self.auto is not None:
            self.auto.setText(self.tr("Auto"))
            self.auto.setAccessibleName(self.tr("{field}: automatic").format(field=name))
            self.auto.setToolTip(
                self.tr("Set from the data and the length of the run; type a number to choose your own")
            )
        self._typed.retranslate()
        self._describe()

    def _describe(self) -> None:
        self.editor.setAccessibleDescription(
            " ".join(filter(None, (self.problem.text(), self.reason.text(), self.meaning())))
        )

    def _resize(self) -> None:
        self._grid.setColumnMinimumWidth(0, self._appearance.px(LABEL_WIDTH))
        self.title.setFixedWidth(self._appearance.px(LABEL_WIDTH))


def row_of(widget: QWidget | None) -> FieldRow | None:
    """The row that a widget is part of."""
    while widget is not None and not isinstance(widget, FieldRow):
        widget = widget.parentWidget()
    return widget


def _most_files(field: Field) -> int:
    return 2 if field.name == "vocab_files" else 0


def note() -> QLabel:
    """A muted line that wraps, for what a group says beside its fields."""
    result = label("small")
    result.setWordWrap(True)
    return result
