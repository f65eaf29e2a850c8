"""The form of a run: everything it can be told, checked as it is filled in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QWidget

from model.abilities import can_compute
from model.errors import HeadscopeError
from model.train_options import PROBE_EVERY, TrainOptions
from viewer.document.messages.notice import error_sentence, sentence
from viewer.document.messages.training_requests import ReadCorpus, ShowRun, StartRun
from viewer.document.training.form_command import command_line
from viewer.document.training.form_values import (
    DATA_FIELDS,
    Values,
    auto_of,
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
from viewer.document.training.training import Training
from viewer.pages.train.form.form_cards import FormCards
from viewer.pages.train.form.form_check import places, problems, waiting_for_disk
from viewer.pages.train.form.form_derived import Ahead
from viewer.pages.train.form.form_disk import Asked, FormDisk
from viewer.pages.train.form.form_files import FilesBox
from viewer.pages.train.form.form_reading import DataReading
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.lazy import begun

_SETTLE_MS = 400


class TrainForm(FormCards):
    """Cards of fields, one sentence on the focused one, and Start.

    Signals:
        resume_run_asked: go on with the run in this folder (str).
    """

    resume_run_asked = Signal(str)

    def __init__(
        self,
        training: Training,
        appearance: Appearance,
        parent: QWidget | None = None,
        *,
        at_once: bool = True,
    ) -> None:
        """Args: at_once: make all of it now; else whoever makes it goes through its `parts`."""
        super().__init__(appearance, parent)
        self._training = training
        self._disk = FormDisk(self)
        self._reading, self._ahead = DataReading(training, self._disk), Ahead(training)
        self._filling = False
        self._own_name = self._own_folder = self._own_task = False  # the person's choice, not suggested
        self._begun: Values = {}  # what the numbers that nobody gives begin with
        self._waits = False  # Start was pressed before the data was looked at
        self._asks_later = False  # the data was asked for before the disk had answered
        self._settled = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._settled.timeout.connect(self.ask_survey)
        self._settled.timeout.connect(self.ask_speed)
        begun(self.parts, at_once=at_once)

    # Setting up.

    def _make(self) -> Iterator[None]:
        yield from super()._make()
        self._connect()
        yield
        self._begin(first_values())
        yield
        self.is_whole = True
        self.retranslate()

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
        self._disk.answered.connect(self._disk_answered)
        self._training.survey_changed.connect(self._surveyed)
        self._training.speed_measured.connect(self.check)
        for signal in (self._training.phase_changed, self._training.reset):
            signal.connect(self._phase_changed)
        self._appearance.changed.connect(self.resize_to_type)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self.follow_focus)

    # What the form says.

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
        self._begun = usual_values(values)
        self._fill(values, out)

    def restore(self, options: TrainOptions | None) -> None:
        """Show what was asked for last, if its files are still there and nobody has filled in others."""
        if options is None:
            return
        paths = (*options.pairs, *options.parallel, *options.vocab_files)
        files = [Asked("pairs", path) for path in paths]
        disk, before = FormDisk(self), self.values()

        def decide() -> None:
            if disk.busy:
                return
            disk.deleteLater()
            found = [disk.at(each) for each in files]
            if self.values() == before and all(each is not None and each.is_file for each in found):
                self.set_options(options)

        disk.look(files)
        if disk.busy:
            disk.answered.connect(decide)
        else:
            decide()

    def problems(self) -> dict[str, str]:
        """What is wrong, by field; nothing when the run can start."""
        self._look()
        return self._found(self.values())

    def _look(self) -> None:
        self._disk.look(places(self.values(), self.out()))

    def _found(self, values: Mapping[str, Any]) -> dict[str, str]:
        """By what is known of the disk."""
        return {**self._reading.problems(values), **problems(values, self.out(), self._disk)}

    def copy_command(self) -> None:
        """Put the command line that does the same on the clipboard."""
        try:
            line = command_line(self.options(), self.out(), windows=os.name == "nt")
        except HeadscopeError as error:
            self.check()
            if error.code == "command_unsayable":
                self.foot.reason.setText(error_sentence(error))
                self.foot.reason.show()
        else:
            QGuiApplication.clipboard().setText(line)

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
        if self.isVisible():  # else as soon as it is, this is asked again
            self._look()
            if self._disk.is_new:
                self._say()
            self._asks_later = self._disk.busy
            self._ask_known()

    def _ask_known(self) -> None:
        """By what is known of the disk."""
        values = self.values()
        if names_no_data(values) and self._training.survey is not None:
            self._reading.forget()
        if not self._reading.wanted(values, problems(values, self.out(), self._disk)):
            return
        try:
            options = options_of(values)
        except HeadscopeError:
            return  # the form says what is wrong with it
        self._reading.begin(values)
        self._training.ask(ReadCorpus(options))

    def ask_speed(self) -> None:
        """Have this machine timed for the run that the form describes, once for each such run."""
        fits = not self.notes.tight.text() and not set(self._found(self.values())) - {"out"}
        asked = self._ahead.speed_to_ask() if fits and self.isVisible() else None
        if asked is not None:
            self._training.ask(asked)

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
        self._waits = False
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
        if self.row(name).automatic:  # just now
            self._fill({name: self._beginning(name)})
        if name in DATA_FIELDS:
            self._settled.start()
        self.suggest()
        self.check()

    def _beginning(self, name: str) -> Any:
        """What the derivation of a number begins with."""
        schedule = self.training.rows["schedule"].value()
        if name == "learning_rate" and schedule != self._begun["schedule"]:
            return learning_rate_for(schedule)
        return self._begun[name]

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
        """Begin anew from a kind of data or a preset; of files, frames are kept as suits the run, too."""
        frames = () if self.data.source() == "task" else ("probe_every",)
        self._begun = {**self._begun, **values}
        self._fill({**values, "auto": (*values["auto"], *frames)})

    def _preset_chosen(self, name: str) -> None:
        suits = {} if self._own_task or self.data.source() != "task" else task_of_preset(name)
        self._begin({**preset_values(name), "auto": auto_of(self.data.source(), name), **suits})

    def _folder_changed(self) -> None:
        if not self._filling:
            self._own_folder = True
            self.check()

    def _afresh(self) -> None:
        self._own_name = self._own_folder = self._own_task = False
        self.data.set_source("task")
        self._begin(first_values())

    def _start(self) -> None:
        """Start the run; files that were not looked at yet are, first."""
        self._waits = False
        self.check()
        if not self.foot.start.isEnabled():
            return
        if self.data.source() != "task":
            self.ask_survey()
        self._waits = self._is_unsure()
        if self._waits:
            self._say()
        else:
            self._launch()

    def _is_unsure(self) -> bool:
        """Whether the data or the disk may still tell that the run cannot start."""
        return self._disk.busy or (self.data.source() != "task" and self._reading.pending(self.values()))

    def _launch_if_sure(self) -> None:
        """Start the run that waited for what is known now."""
        if self._waits and not self._is_unsure():
            self._waits = False
            self._say()
            if self.foot.start.isEnabled():
                self._launch()

    def _launch(self) -> None:
        out = Path(self.out())
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
            self._training.ask(StartRun(self.options(), str(out)))
        except (OSError, HeadscopeError):
            self.check()

    def _resume(self) -> None:
        self.resume_run_asked.emit(self.out())

    def _open_run(self) -> None:
        self._training.ask(ShowRun(self.out()))

    def _surveyed(self) -> None:
        self.data.suggest_columns(self._training.survey)
        self.check()
        self._launch_if_sure()

    def _disk_answered(self) -> None:
        """What it took long to say may have been all that the data, or the run, waited for."""
        self._say()
        if self._asks_later and self.isVisible():
            self._asks_later = self._disk.busy
            self._ask_known()
            self.ask_speed()
        self._launch_if_sure()

    def _phase_changed(self) -> None:
        self._ahead.forget()
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
        """Say what is wrong where it stands, what follows from the data, and what the run will take."""
        self._look()
        self._say()

    def _say(self) -> None:
        """By what is known of the disk."""
        self._disk.said()
        values, there = self.values(), self._disk.at(Asked("out", self.out()))
        found, usual = self._found(values), usual_values(values)
        for group in self.groups:
            group.usual = usual
            group.set_problems(found)
        self.model.show_preset(preset_of(values))
        self.result.offer_run(there is not None and there.has_run and not self._training.active)
        idle = idle_fields(values)
        for group in (self.vocabulary, self.model, self.training, self.watch):
            group.keep_back(idle & group.rows.keys())
        survey = self._reading.survey(values)
        self._ahead.look(values, survey)
        for name in values["auto"]:
            self._ahead.show(self.row(name), values)
        self.notes.say(self._ahead.shown(values), self._disk, survey, self._ahead.advice())
        good = not set(found) - {"out"} and not self.notes.tight.text()
        self.foot.foretell(self._ahead.sentence() if good else "")
        if self._ahead.is_speed_wanted and self.isVisible():
            self._settled.start()
        self.foot.allow(self._reason(found), command=not set(found) - {"out"})

    def _reason(self, found: Mapping[str, str]) -> str:
        if not can_compute():
            return sentence("cannot_compute", {})
        if self._waits:
            return (
                waiting_for_disk() if self._disk.busy else self.tr("Checking the pairs; then the run starts.")
            )
        if self._training.active:
            return self.tr("A run is in progress; it can be paused or ended on the right.")
        if not found:
            return ""
        name, text = next(iter(found.items()))
        shown = self.row(name).shown_name() if name != "out" else self.result.out.shown_name()
        return self.tr("{field}: {problem}").format(field=shown, problem=text)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.heading.setText(self.tr("Train a model"))
        self.afresh.setText(self.tr("Reset"))
        self.afresh.setToolTip(self.tr("Back to the first task and the default of every field"))
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
        """Somebody comes back to the window."""
        if event.type() == QEvent.Type.ActivationChange and self._training.survey_problem is not None:
            self._settled.start()  # somebody may have mended the file meanwhile
        super().changeEvent(event)
