"""The form of a run: everything it can be told, checked as it is filled in."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from model.errors import HeadscopeError
from model.train_options import TrainOptions
from viewer.guarded import Guarded
from viewer.state.training import Order, Training
from viewer.views.appearance import Appearance
from viewer.views.buttons import label
from viewer.views.train.form_check import holds_run, problems
from viewer.views.train.form_command import command_line
from viewer.views.train.form_files import FilesBox
from viewer.views.train.form_foot import WIDTH, FormFoot
from viewer.views.train.form_group import FormGroup
from viewer.views.train.form_groups import DataGroup, ModelGroup, ResultGroup
from viewer.views.train.form_notes import FormNotes
from viewer.views.train.form_row import FieldRow, row_of
from viewer.views.train.form_suited import Suiting
from viewer.views.train.form_values import (
    DATA_FIELDS,
    PROBE_EVERY,
    Values,
    file_values,
    first_values,
    idle_fields,
    learning_rate_for,
    names_no_data,
    options_of,
    preset_of,
    preset_values,
    suggested_folder,
    suggested_name,
    task_of_preset,
    task_values,
    usual_values,
    values_of,
)

_SETTLE_MS = 400


class TrainForm(Guarded, QWidget):
    """Cards of fields, one sentence on the focused one, and Start.

    Signals:
        start_asked: an `Order` of a new run.
        resume_run_asked: go on with the run in this folder (str).
        survey_asked: `TrainOptions` whose data is worth a look; a moment after the fields have settled.
        open_run_asked: look at the run in this folder (str).
    """

    start_asked = Signal(object)
    survey_asked = Signal(object)
    resume_run_asked = Signal(str)
    open_run_asked = Signal(str)

    def __init__(self, training: Training, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._training = training
        self._look = appearance
        self._filling = False
        self._surveyed_data: Values = {}
        self._own_name = self._own_folder = self._own_task = False  # the person's choice, not suggested
        self.data, self.model = DataGroup(appearance), ModelGroup(appearance)
        self.vocabulary, self.training = (FormGroup(name, appearance) for name in ("vocabulary", "training"))
        self.watch, self.result = FormGroup("watch", appearance), ResultGroup(appearance)
        self.groups = (self.data, self.vocabulary, self.model, self.training, self.watch, self.result)
        self.heading, self.afresh = label("heading"), QPushButton()
        self.notes = FormNotes(self.model, self.training, self.watch, self.result)
        self._suiting = Suiting()
        self.foot = FormFoot(appearance)
        self.area = QScrollArea()
        self._settled = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settled.timeout.connect(self.ask_survey)
        self._lay_out()
        self._connect()
        self._begin(first_values())
        self.retranslate()

    # Setting up.

    def _lay_out(self) -> None:
        self.afresh.setProperty("role", "link")
        head = QHBoxLayout()
        head.addWidget(self.heading)
        head.addStretch(1)
        head.addWidget(self.afresh)
        cards = QVBoxLayout(inside := QWidget())
        cards.setContentsMargins(0, 0, 8, 0)
        cards.setSpacing(10)
        for group in self.groups:
            cards.addWidget(group)
        cards.addStretch(1)
        self.area.setWidget(inside)
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.area, 1)
        column.addWidget(self.foot)
        self._order_tabs()
        self.resize_to_type()

    def _order_tabs(self) -> None:
        """As the eye goes, not as the widgets were made."""
        chain = [widget for group in self.groups for widget in group.tab_chain()]
        chain += [self.foot.start, self.foot.command, self.afresh]
        for before, after in pairwise(chain):
            self.setTabOrder(before, after)

    def _connect(self) -> None:
        for group in self.groups:
            group.changed.connect(self._field_changed)
        self.data.source_changed.connect(self._source_changed)
        self.model.preset_chosen.connect(self._preset_chosen)
        self.result.out_changed.connect(self._folder_changed)
        self.result.resume_asked.connect(self._resume)
        self.result.open_asked.connect(self._open_run)
        self.foot.start.clicked.connect(self._start)
        self.foot.command.clicked.connect(self.copy_command)
        self.afresh.clicked.connect(self._afresh)
        self._training.survey_changed.connect(self._surveyed)
        for signal in (self._training.phase_changed, self._training.reset):
            signal.connect(self._phase_changed)
        self._look.changed.connect(self.resize_to_type)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_changed)

    # What the form says.

    def values(self) -> Values:
        """What every field holds, and the kind of data."""
        found: Values = {"source": self.data.source()}
        for group in self.groups:
            found.update(group.values())
        return found

    def options(self) -> TrainOptions:
        """The run that the form describes; `HeadscopeError` when it describes none."""
        return options_of(self.values())

    def out(self) -> str:
        """The folder that the model goes into."""
        return str(self.result.out.value())

    def set_options(self, options: TrainOptions, out: str = "") -> None:
        """Show a run; without `out` a folder is suggested."""
        values = values_of(options)
        self._own_name = values["name"] != suggested_name(values)
        self._own_folder, self._own_task = False, True
        self._suiting.begin(usual_values(values), on=False)
        self._fill(values, out)

    def restore(self, options: TrainOptions | None) -> None:
        """Show what was asked for last, if its files are still there."""
        names = () if options is None else (*options.pairs, *options.parallel, *options.vocab_files)
        if options is not None and all(Path(name).is_file() for name in names):
            self.set_options(options)

    def problems(self) -> dict[str, str]:
        """What is wrong, by field; nothing when the run can start."""
        return problems(self.values(), self.out())

    def copy_command(self) -> None:
        """Put the command line that does the same on the clipboard."""
        try:
            QGuiApplication.clipboard().setText(command_line(self.options(), self.out()))
        except HeadscopeError:
            self.check()

    def ask_files(self) -> None:
        """Choose files of pairs, from wherever there are none yet."""
        if self.data.source() == "task":
            self.data.set_source("files")
            self._source_changed()
        editor = self.data.rows["pairs"].editor
        if self.data.source() == "files" and isinstance(editor, FilesBox):
            editor.ask()
        else:
            self.data.rows["parallel"].editor.setFocus()

    def take_files(self, paths: list[str]) -> None:
        """Train on files that were dropped."""
        before = self.data.source()
        self.data.take_files(paths)
        if self.data.source() != before:
            self._source_changed()

    def ask_survey(self) -> None:
        """Ask what the chosen data holds, if somebody looks, it can be read and was not asked for already."""
        self._settled.stop()
        if not self.isVisible():
            return  # as soon as it is, this is asked again
        values = self.values()
        if names_no_data(values) and self._training.survey is not None:
            self._surveyed_data = {}
            self._training.set_survey(None)
        data = {name: values[name] for name in ("source", *DATA_FIELDS)}
        if data == self._surveyed_data or set(data) & set(self.problems()):
            return
        try:
            self.survey_asked.emit(options_of(values))
            self._surveyed_data = data
        except HeadscopeError:
            return  # the form says what is wrong with it

    # Answers.

    def _fill(self, values: Mapping[str, Any], out: str = "") -> None:
        """Show values, and check them once."""
        self._filling = True
        if "source" in values:
            self.data.set_source(values["source"])
        for group in self.groups:
            group.set_values(values)
        self._filling = False
        if out:
            self.result.out.set_value(out)
            self._own_folder = True
        self.suggest()
        self.check()
        self._settled.start()

    def _field_changed(self, name: str) -> None:
        if self._filling:
            return
        if name == "name":
            self._own_name = True
        elif name == "task":
            self._own_task = True
            self._begin(task_values(self.data.rows["task"].value()))
        elif name == "schedule":
            schedule = self.training.rows["schedule"].value()
            self._fill({"learning_rate": learning_rate_for(schedule)})
        elif name == "shared_vocab":
            self._untie()
        if name in DATA_FIELDS:
            self._suiting.on = self._suiting.on or name in ("pairs", "parallel")
            self._settled.start()
        self.suggest()
        self.check()

    def _untie(self) -> None:
        """Two vocabularies cannot share all tables; what was tied by default follows the choice."""
        shared = self.vocabulary.rows["shared_vocab"].value()
        tie = self.model.rows["tie_embeddings"]
        if tie.value() in ("all", "target_output"):
            self._fill({"tie_embeddings": "all" if shared else "target_output"})

    def _source_changed(self) -> None:
        task = self.data.source() == "task"
        values = task_values(self.data.rows["task"].value()) if task else file_values()
        self._begin({**values, "probe_every": PROBE_EVERY})

    def _begin(self, values: Values) -> None:
        """Begin anew from a kind of data or a preset, to be suited to a corpus of the person's own."""
        self._suiting.begin(values, on=self.data.source() != "task")
        self._fill(values)

    def _preset_chosen(self, name: str) -> None:
        suits = {} if self._own_task or self.data.source() != "task" else task_of_preset(name)
        self._begin({**preset_values(name), **suits})
        self._fill(self._suiting.changes(self.values(), self._training.survey))

    def _folder_changed(self) -> None:
        if not self._filling:
            self._own_folder = True
            self.check()

    def _afresh(self) -> None:
        self._own_name = self._own_folder = self._own_task = False
        self.data.set_source("task")
        self._begin(first_values())

    def _start(self) -> None:
        self.check()
        if not self.foot.start.isEnabled():
            return
        out = Path(self.out())
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            self.start_asked.emit(Order(self.options(), str(out)))
        except (OSError, HeadscopeError):
            self.check()

    def _resume(self) -> None:
        self.resume_run_asked.emit(self.out())

    def _open_run(self) -> None:
        self.open_run_asked.emit(self.out())

    def _surveyed(self) -> None:
        self.data.suggest_columns(self._training.survey)
        changes = self._suiting.changes(self.values(), self._training.survey)
        if changes:
            self._fill(changes)
        self.notes.say(self.values(), self._training.survey)

    def _phase_changed(self) -> None:
        self.suggest()
        self.check()

    def suggest(self) -> None:
        """Name and folder, as long as the person gave none."""
        values = self.values()
        self._filling = True
        if not self._own_name:
            self.result.rows["name"].set_value(suggested_name(values))
        if not self._own_folder and not self._training.active:
            self.result.out.set_value(suggested_folder(self.result.rows["name"].value()))
        self._filling = False

    def check(self) -> None:
        """Say what is wrong where it stands, and what the run will take."""
        values, out = self.values(), self.out()
        begun = self._suiting.as_begun(values)
        found, usual = problems(values, out), usual_values(begun)
        for group in self.groups:
            group.usual = usual
            group.set_problems(found)
        self.model.show_preset(preset_of(begun))
        self.result.offer_run(holds_run(out) and not self._training.active)
        idle = idle_fields(values)
        for group in (self.vocabulary, self.model, self.training, self.watch):
            group.keep_back(idle & group.rows.keys())
        self.notes.say(values, self._training.survey)
        self.foot.allow(self._reason(found), command=not set(found) - {"out"})

    def _reason(self, found: Mapping[str, str]) -> str:
        if self._training.active:
            return self.tr("A run is going on; it can be paused or ended on the right.")
        if not found:
            return ""
        name, text = next(iter(found.items()))
        shown = self.row(name).shown_name() if name != "out" else self.result.out.shown_name()
        return self.tr("{field}: {problem}").format(field=shown, problem=text)

    def row(self, name: str) -> FieldRow:
        """The row of a field."""
        return next(group.rows[name] for group in self.groups if name in group.rows)

    def _focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        row = row_of(now)
        if row is not None and self.isAncestorOf(row):
            self.foot.explain(row)
            self.area.ensureWidgetVisible(row, 0, self._look.px(24))

    def resize_to_type(self) -> None:
        """Follow the type scale."""
        self.setFixedWidth(self._look.px(WIDTH))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.heading.setText(self.tr("Train a model"))
        self.afresh.setText(self.tr("Reset"))
        self.afresh.setToolTip(self.tr("Back to the first task, with every field as it was at first"))
        self.check()

    # Qt's own events.

    def showEvent(self, event: QShowEvent) -> None:
        """Look at the data as soon as a person looks at the form."""
        super().showEvent(event)
        self.data.sources[self.data.source()].setFocus(Qt.FocusReason.OtherFocusReason)
        self._settled.start()

    def hideEvent(self, event: QHideEvent) -> None:
        """What nobody looks at is not read."""
        self._settled.stop()
        super().hideEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
