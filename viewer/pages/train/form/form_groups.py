"""Form groups with more than fields: where the data comes from, the preset, the folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from model.data.pairs.survey import CorpusSurvey
from model.data.tasks import TASKS
from model.train_options import PRESETS
from model.training.fields.fields import OUT, PRESET
from viewer.document.training.form_values import CUSTOM, Source
from viewer.pages.train.form.form_editors import ChoiceBox, PairBox, words
from viewer.pages.train.form.form_files import FilesBox, FolderBox
from viewer.pages.train.form.form_group import FormGroup
from viewer.pages.train.form.form_row import FieldRow, note
from viewer.pages.widgets.buttons import tab_button
from viewer.pages.widgets.plain_tip import plain

SOURCES: tuple[Source, ...] = ("task", "files", "parallel")
_OF_SOURCE: dict[Source, set[str]] = {
    "task": {"task", "task_size"},
    "files": {"pairs", "columns", "languages", "swap", "encoding"},
    "parallel": {"parallel", "languages", "swap", "encoding"},
}


class DataGroup(FormGroup):
    """Where the sentence pairs come from.

    Signals:
        source_changed: another kind of data was chosen.
    """

    source_changed = Signal()

    def _make(self) -> Iterator[None]:
        yield from super()._make()
        yield
        self._buttons = QButtonGroup(self)
        self.sources = {source: tab_button(self._buttons, place) for place, source in enumerate(SOURCES)}
        self.about = note()
        tabs = QWidget(self)  # of its own: a list of tabs to those who do not see it
        row = QHBoxLayout(tabs)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for button in self.sources.values():
            button.setProperty("framed", True)
            row.addWidget(button)
        row.addStretch(1)
        self.top.addWidget(tabs)
        self.notes.addWidget(self.about)
        self.sources["task"].setChecked(True)
        self._buttons.idClicked.connect(self._source_clicked)
        self.changed.connect(self._say_about)
        self.rows["pairs"].changed.connect(self._forget_names)
        self._source_taken()

    def source(self) -> Source:
        """The kind of data."""
        return SOURCES[max(0, self._buttons.checkedId())]

    def set_source(self, source: Source) -> None:
        """Choose a kind of data."""
        self.sources[source].setChecked(True)
        self._source_taken()

    def take_files(self, paths: list[str]) -> None:
        """Files that were dropped: two of one kind without tabs inside are for the person to tell apart."""
        if self.source() == "parallel" and len(paths) <= 2:
            known = [path for path in self.rows["parallel"].value() if path]
            self.rows["parallel"].set_value(([*known, *paths, "", ""] if len(paths) < 2 else paths)[:2])
            return
        self.set_source("files")
        editor = self.rows["pairs"].editor
        if isinstance(editor, FilesBox):
            editor.add(paths)

    def suggest_columns(self, survey: CorpusSurvey | None) -> None:
        """Offer the names in a CSV's first line, else numbers."""
        editor = self.rows["columns"].editor
        if isinstance(editor, PairBox):
            editor.suggest(survey.header if survey is not None and survey.header else ("1", "2", "3", "4"))

    def retranslate(self) -> None:
        """Take the language in force."""
        super().retranslate()
        names = {
            "task": (self.tr("Built-in task"), self.tr("Pairs generated on the fly: nothing to download")),
            "files": (
                self.tr("Files of pairs"),
                self.tr("A sentence and its translation on each line, or CSV"),
            ),
            "parallel": (self.tr("Two files"), self.tr("Parallel text, line by line (Moses)")),
        }
        for source, button in self.sources.items():
            button.setText(names[source][0])
            button.setToolTip(plain(names[source][1]))
        self._say_about()

    def _source_clicked(self) -> None:
        self._source_taken()
        self.source_changed.emit()

    def _source_taken(self) -> None:
        source = self.source()
        every = set().union(*_OF_SOURCE.values())
        self.keep_back(every - _OF_SOURCE[source])
        self._say_about()

    def _forget_names(self) -> None:
        """Columns that were named are those of the files before."""
        columns = self.rows["columns"]
        if not self.rows["pairs"].value() and not all(name.isdigit() for name in columns.value()):
            columns.set_value(columns.field.default)

    def _say_about(self) -> None:
        task = self.rows["task"].value() if self.source() == "task" else ""
        self.about.setText(words(TASKS[task].about) if task in TASKS else "")
        self.about.setVisible(bool(self.about.text()))


class ModelGroup(FormGroup):
    """What the Transformer is made of, from a preset or by hand, and what comes of it.

    Signals:
        preset_chosen: the name of a preset.
    """

    preset_chosen = Signal(str)

    def _make(self) -> Iterator[None]:
        yield from super()._make()
        yield
        known = tuple(choice for choice in PRESET.choices if choice[0] in (*PRESETS, CUSTOM))
        self.preset = FieldRow(PRESET, self._appearance, ChoiceBox(known), self)
        self.top.addWidget(self.preset)
        self.shape, self.figures = note(), note()
        self.notes.addWidget(self.shape)
        self.notes.addWidget(self.figures)
        self.preset.changed.connect(self._preset_clicked)

    def show_preset(self, name: str) -> None:
        """Mark the preset that the values are."""
        blocked = self.preset.editor.blockSignals(True)
        self.preset.set_value(name)
        self.preset.editor.blockSignals(blocked)

    def _preset_clicked(self) -> None:
        if self.preset.value() in PRESETS:
            self.preset_chosen.emit(self.preset.value())


class ResultGroup(FormGroup):
    """What the model is called and where it goes; a run that lies there can be gone on with.

    Signals:
        out_changed: another folder.
        resume_asked, open_asked: go on with the run in the folder; look at it.
    """

    out_changed = Signal()
    resume_asked = Signal()
    open_asked = Signal()

    def _make(self) -> Iterator[None]:
        yield from super()._make()
        yield
        self.out = FieldRow(OUT, self._appearance, FolderBox(), self)
        self.resume, self.open = QPushButton(), QPushButton()
        self.disk = note()
        self._run = QWidget(self)
        row = QHBoxLayout(self._run)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self.open)
        row.addWidget(self.resume)
        self.notes.addWidget(self.out)
        self.notes.addWidget(self._run)
        self.notes.addWidget(self.disk)
        self._run.hide()
        self.out.changed.connect(self.out_changed)
        self.resume.clicked.connect(self.resume_asked)
        self.open.clicked.connect(self.open_asked)

    def offer_run(self, on: bool) -> None:
        """Show the buttons of a run that lies in the folder."""
        self._run.setVisible(on)

    def set_problems(self, found: Mapping[str, str]) -> None:
        """The folder's too."""
        super().set_problems(found)
        self.out.set_problem(found.get("out", ""))

    def retranslate(self) -> None:
        """Take the language in force."""
        super().retranslate()
        self.resume.setText(self.tr("Resume this run"))
        self.open.setText(self.tr("Look at it"))
