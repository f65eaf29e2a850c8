"""Conductor: opens models, traces and sessions, and puts what they hold into the session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from model.abilities import can_compute
from model.errors import HeadscopeError
from model.folder.bundle_config import read_config
from model.trace.trace import Trace
from viewer.document.decoding_settings import GREEDY
from viewer.document.document import Run
from viewer.document.files.session_file import SavedSession, open_session
from viewer.document.history import Change
from viewer.document.job_status import JobStatus, Loading
from viewer.document.messages.messages import (
    JobCancelled,
    JobFailed,
    JobProgress,
    ModelInfo,
    ModelOpened,
    OpenModel,
    PiecesSplit,
    SplitText,
)
from viewer.document.messages.notice import Notice
from viewer.document.messages.requests import OpenPath, StopLoading, Translate
from viewer.document.run_source import RunSource
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.document.text.input_text import input_text
from viewer.document.text.model_text import family_of
from viewer.document.time_lapse import TimeLapse
from viewer.model_samples import first_sample
from viewer.opening import Example, Found, meant, recorded_example, sequence_of, stamp_at
from viewer.services.decodings import make_room
from viewer.services.engine_protocol import EngineLike
from viewer.services.explorer import Explorer
from viewer.services.job_board import JobBoard
from viewer.services.lectures import Lecture, ask_lecture
from viewer.services.open_files import AlreadyOpen, OpenFiles, asking, is_asked_for, name_of
from viewer.services.readings import Readings
from viewer.services.recent_paths import RecentPaths

_TYPING_PAUSE_MS = 60
_BEFORE_SHOWN_S = 0.1  # a file that is read as quickly is there with the window
_FIRST_PAINT_MS = 50  # loading a model imports torch, which would hold up the window's first picture


@dataclass(frozen=True)
class Opening:
    """A model that is being loaded.

    Attributes:
        example: whether an example is to be shown once it is there.
        asked: whether somebody asked for it; else it is the one that a window begins with.
        found: what was read of it, if that was asked for by its path.
    """

    job: int
    folder: str
    example: bool
    asked: bool
    found: Found | None


class Conductor(QObject):
    """Opens what is asked for, and puts it into the session; owns no truth but which job is whose.

    Args:
        time_lapse: where the traces of a training run are shown.

    Attributes:
        explorer: answers what is asked about the runs.
        files: which are open already.
        readings: what is read beside the window; what is to be opened waits there for its turn.

    Signals:
        look_asked: what was opened is to be seen in Look.
        sentence_invited: there is a model now, and nothing to show: a person is to type.
        recents_changed: other paths are remembered.
    """

    look_asked = Signal()
    sentence_invited = Signal()
    recents_changed = Signal()

    def __init__(
        self,
        session: Session,
        engine: EngineLike,
        settings: RecentPaths,
        time_lapse: TimeLapse,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._engine = engine
        self._settings = settings
        self._time_lapse = time_lapse
        self._opening: Opening | None = None
        self.files = OpenFiles(session)
        self.readings = Readings(self)
        self._board = JobBoard(session)
        session.requested.connect(
            self._submit_waiting
        )  # a sentence waits for a model only if it comes after it
        self.explorer = Explorer(session, engine, self._board, self)
        self._text = ""  # before anybody typed while a file is read
        self._first = ""  # to be translated as soon as the model is open
        self._saved: SavedSession | None = None  # the session whose model is being opened
        self._waiting: OpenModel | None = None
        self._painted = QTimer(self)
        self._painted.setSingleShot(True)
        self._painted.setInterval(_FIRST_PAINT_MS)
        self._painted.timeout.connect(self._submit_waiting)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._split)
        session.serve(
            {
                OpenPath: lambda asked: self.open_path(asked.path),
                StopLoading: lambda _: self.stop_loading(),
            }
        )
        session.text_changed.connect(self._typing.start)
        engine.model_opened.connect(self._model_opened)
        engine.pieces_split.connect(self._pieces_split)
        engine.progress.connect(self._progress)
        engine.failed.connect(self._failed)
        engine.cancelled.connect(self._cancelled)

    # Intents.

    def start(self, bundle: Path | None, path: str = "") -> None:
        """The first five seconds: a recorded example at once (or what `path` names), the model behind it.

        Args:
            bundle: the bundled model to begin with, None when this copy of Headscope has none.
        """
        shown = bool(path)
        if path:
            self.open_path(path)
            self.readings.wait(_BEFORE_SHOWN_S)
        if bundle is not None:
            # What is read still may come with a model of its own.
            self.readings.ask(("first", bundle), partial(self._begin_with, bundle, shown))

    def _begin_with(self, bundle: Path, shown: bool) -> None:
        if self._opening is None:
            if not shown:
                shown = self._show_example(recorded_example(bundle))
            self._open_model(str(bundle), example=not shown, after_painting=True)

    def open_path(self, path: str) -> None:
        """Open a model, a trace or a session, in its turn; what cannot be opened becomes a notice."""
        self.note_text()
        self.readings.ask(asking(path), partial(self._open_now, path))

    def note_text(self) -> None:
        """Something is going to be read: what is typed from now on stays."""
        if not self.readings.busy:
            self._text = self._session.text

    def _open_now(self, path: str) -> None:
        self._session.set_notice(None)
        known = self.files.now(model=self._opening is None)
        read, take = partial(known.read, Path(path)), partial(self._show_read, path)
        self.readings.read(name_of(path), read, take, partial(self._cannot_open, path))

    def _show_read(self, path: str, found: Found | AlreadyOpen) -> None:
        """What was typed while it was read stays."""
        text, trace = self._session.text, self._session.trace()
        was_there = text == self._text or (trace is not None and text == input_text(trace))
        try:
            if isinstance(found, Found):
                self.show(found)
            elif not self._to_front(found):
                self._open_now(path)  # it is not open any more
                return
        except HeadscopeError as error:
            self._cannot_open(path, error)
        if was_there:
            self._text = self._session.text
        else:
            self._session.set_text(text)

    def _cannot_open(self, path: str, error: HeadscopeError) -> None:
        self.forget(path)
        self._session.set_notice(Notice.of(error))

    def has_open(self, path: str) -> bool:
        """Whether a model, a trace or a session is open here as it lies there, or is about to be."""
        place = meant(Path(path))
        return is_asked_for(place, self.readings.last) or self.files.has(place)

    def show(self, found: Found, *, example: bool = True) -> None:
        """Show what was read of a path that was not open yet.

        Args:
            example: whether a model's is to be shown once it is there.

        Raises:
            HeadscopeError: it cannot be read any more.
        """
        place, kind, content = found.place, found.kind, found.content
        if kind == "model":
            self._open_model(str(content.path), example=example, found=found)
            return
        if kind == "session":
            self._show_session(content)
            self._session.homes.settle(self._session.document, str(place), content.stamp)
        elif kind == "sequence":
            self._time_lapse.open(content)
            self.cancel()
            self.look_asked.emit()
        else:
            self.keep(found)
            self.cancel()
            self._show(content, self.opening_of(content))
        self.remember(str(place), kind)

    def keep(self, found: Found) -> None:
        """A trace is open now, as its file was before it was read."""
        self.files.note(found.place, found.stamp)
        self._settings.folder = str(found.place.parent)

    def _to_front(self, found: AlreadyOpen) -> bool:
        """Show what is open already; False if it is not any more."""
        session, loading = self._session, self._opening is not None
        if not found.stays(session) or (loading and found.model is not None):
            return False
        if found.model is not None:
            session.homes.take_model(session.document, None)
            self._show_example(found.model.example)
        elif found.run:
            session.show_run(found.run)
        self.look_asked.emit()
        session.set_notice(Notice("already_open", {"name": found.name}))
        return True

    def restore(self, folder: Path, shown: Callable[[], object], not_shown: Callable[[], object]) -> None:
        """Show a session that has no place of the user's, and open its model; in the turn of whoever asks.

        Args:
            shown, not_shown: called once it is, or is damaged, which is said, or not wanted.
        """

        def show(saved: SavedSession) -> None:
            self._show_session(saved)
            shown()

        def refuse(error: HeadscopeError) -> None:
            not_shown()
            self._session.set_notice(Notice.of(error))

        name = QCoreApplication.translate("Conductor", "the session that was kept")
        self.readings.read(name, partial(open_session, folder), show, refuse, not_shown)

    def _show_session(self, saved: SavedSession) -> None:
        self.cancel()
        self._session.set_document(saved.document, saved.text)
        self._session.homes.take_model(self._session.document, saved.model)
        self._session.set_notice(saved.notice())
        self.look_asked.emit()
        if saved.model is not None and saved.model.there:
            self._open_model(saved.model.path, example=False)
            self._saved = saved

    def open_lecture(self, language: str) -> None:
        """Show a ready lecture at its first stop, and open its model, in its turn."""
        ask_lecture(self.readings, language, self._show_lecture, self._session.set_notice)

    def _show_lecture(self, ready: Lecture) -> None:
        self.cancel()
        self._session.set_document(ready.document, ready.text)
        self._session.set_notice(None)
        self._open_model(str(ready.model), example=False)
        QTimer.singleShot(0, self, partial(self._session.bookmarks.show, 0))  # which may be on another page

    def use_model(self, folder: str, sentence: str) -> None:
        """Show a bundle that was trained here at work in Look.

        Args:
            sentence: one that it can read; what is typed comes first if it is in the model's language.
        """
        self._session.set_notice(None)
        try:
            languages = read_config(Path(folder)).languages
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
            return
        model = self._session.model
        if self._session.text and model is not None and model.languages == languages:
            sentence = self._session.text
        self.look_asked.emit()
        self._open_model(folder, example=not sentence)
        self._first = sentence

    def cancel(self) -> None:
        """Stop the decoding."""
        self.explorer.decodings.cancel()

    def stop(self) -> None:
        """Read nothing more, and ask nothing more of the engine."""
        self.readings.stop()
        self._typing.stop()
        self._painted.stop()
        self._session.text_changed.disconnect(self._typing.start)

    def stop_loading(self) -> None:
        """Leave the model that is being loaded; the one before stays, and so does all that is shown."""
        if self._opening is not None:
            waiting, self._waiting = self._waiting, None
            self._painted.stop()
            if waiting is None:
                self._engine.cancel(self._opening.job)
            else:
                self._opened_not(waiting.job)

    def show_example(self) -> None:
        """Fill an empty window: the model's recorded example, else a sample sentence, translated."""
        info = self._session.model
        self._fill(None if info is None else recorded_example(info.path))

    def _fill(self, example: Example | HeadscopeError | None) -> None:
        if self._show_example(example):
            return
        sentence = first_sample(self._session.model)
        if sentence:
            self._session.set_text(sentence)
            self._session.ask(Translate(GREEDY))

    def _invite(self, before: ModelInfo | None) -> None:
        """A model of others has no example: other models' go, and a person is asked to type.

        What was typed stays, and so does a run's sentence that this model can be asked for as well.
        """
        session = self._session
        alike = family_of(before) is family_of(session.model)
        shown = {
            input_text(run.trace)
            for run in session.document.runs
            if not alike or run.provenance.get("source") == RunSource.RECORDED
        }
        if session.text in shown:
            session.set_text("")
        make_room(session, "")
        self.sentence_invited.emit()

    # Opening.

    def _open_model(
        self, folder: str, *, example: bool, after_painting: bool = False, found: Found | None = None
    ) -> None:
        """Have the engine load a model.

        Args:
            found: what was read of it; else it is looked at here and now.
        """
        if not can_compute():
            if example and not after_painting:
                self._show_example(recorded_example(folder) if found is None else found.example)
                self._session.set_notice(Notice.of(HeadscopeError("cannot_compute")))
            return
        self.files.note(Path(folder), stamp_at(Path(folder)) if found is None else found.stamp)
        job = self._engine.new_job()
        if self._opening is not None:  # the engine stops it, or was never asked
            self._board.end(self._opening.job)
        self._opening = Opening(job, folder, example, not after_painting, found)
        self._first, self._saved = "", None
        # The bundled one that a window begins with is there at once: Esc means something else then.
        stoppable = not after_painting
        self._board.begin(JobStatus("loading", job, cancellable=stoppable))
        self._session.set_loading(
            Loading(Path(folder).name if found is None else found.content.name, stoppable)
        )
        self._waiting = OpenModel(job, folder)
        if after_painting:
            self._painted.start()
        else:
            self._submit_waiting()

    def _submit_waiting(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._engine.submit(waiting)

    def _show_example(self, example: Example | HeadscopeError | None) -> bool:
        """Show what a model brings along; False if that is nothing."""
        if isinstance(example, HeadscopeError):
            self._session.set_notice(Notice.of(example))
        elif example is not None:
            self._show(*example)
            return True
        return False

    def _show(self, run: Run, selection: Selection) -> None:
        """Show a run that was opened; the user's own stay, and so do gold links of the same words."""
        known = self._session.document.run(run.id)
        if known is not None and _same_words(known.trace, run.trace):
            run = run.but(gold=known.gold)
        with self._session.one_change(Change.OPEN):
            self._session.add_run(run, selection)
            make_room(self._session, run.id)
        self._session.set_text(input_text(run.trace))

    def remember(self, path: str, kind: str) -> None:
        """Put a path first among the recents of its kind."""
        self._settings.remember_recent(path, kind)
        self.recents_changed.emit()

    def forget(self, path: str) -> None:
        """Drop a path that could not be opened."""
        self._settings.forget_recent(path)
        self.recents_changed.emit()

    def opening_of(self, run: Run) -> Selection:
        """What is looked at first of a run that is opened."""
        info = self._session.model
        return Selection.opening(None if info is None else info.showcase, run.trace)

    # The engine's answers.

    def _model_opened(self, message: ModelOpened) -> None:
        if self._opening is None or message.job != self._opening.job:
            # It was to be stopped, too late: it is the one that the engine has.
            self._session.set_model(message.info)
            return
        opening, self._opening = self._opening, None
        self._session.set_loading(None)
        before = self._session.model
        self._session.set_model(message.info)
        if opening.asked:
            self._session.homes.take_model(self._session.document, None)
        self._board.end(message.job)
        self.remember(opening.folder, "model")
        self._typing.start()
        differs = None if self._saved is None else self._saved.notice_of(message.info)
        if differs is not None:
            self._session.set_notice(differs)
        decoding = self.explorer.decodings.busy
        if opening.example and not decoding:
            found = opening.found
            recorded = recorded_example(message.info.path) if found is None else found.example
            if message.info.model_type == "headscope":
                self._fill(recorded)
            elif not self._show_example(recorded):
                self._invite(before)
        elif self._first and not decoding:
            self._session.set_text(self._first)
            self._session.ask(Translate(self._session.decoding.config))
        self._offer_time_lapse(opening)

    def _offer_time_lapse(self, opening: Opening) -> None:
        found = opening.found
        kept = sequence_of(Path(opening.folder)) if found is None else found.sequence
        if kept is not None and self._session.notice is None and not self._time_lapse.frames:
            self._session.set_notice(Notice("sequence_offered", {"path": str(kept)}))

    def _pieces_split(self, message: PiecesSplit) -> None:
        self._session.set_pieces(message)

    def _progress(self, message: JobProgress) -> None:
        self._board.change(message.job, what=message.what, done=message.done, total=message.total)
        loading = self._session.loading
        if self._opening is not None and message.job == self._opening.job and loading is not None:
            self._session.set_loading(replace(loading, done=message.done, total=message.total))

    def _failed(self, message: JobFailed) -> None:
        if self._opening is not None and message.job == self._opening.job:
            self.forget(self._opening.folder)
            self._opened_not(message.job)
            self._session.set_notice(Notice.of(message.error))

    def _cancelled(self, message: JobCancelled) -> None:
        self._opened_not(message.job)

    def _opened_not(self, job: int) -> None:
        """If it is the opening of a model, it came to nothing."""
        if self._opening is not None and job == self._opening.job:
            self._opening = None
            self._session.set_loading(None)
            self._board.end(job)

    def _split(self) -> None:
        if self._session.model is not None and self._session.text:
            self._engine.submit(SplitText(self._engine.new_job(), self._session.text))


def _same_words(one: Trace, other: Trace) -> bool:
    """Whether two traces read and wrote the same pieces."""
    return (one.src_tokens, one.tgt_out_tokens) == (other.src_tokens, other.tgt_out_tokens)
