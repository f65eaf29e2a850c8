"""What happens when the window asks: paths are opened, sentences translated, results put into the session."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, QTimer, SignalInstance

from model.bundle_config import read_config
from model.decode_config import DecodeConfig
from model.errors import HeadscopeError
from viewer.main_window import MainWindow
from viewer.opening import bundle_folder, example_of, kind_of, recorded_run, sequence_of
from viewer.resources import samples
from viewer.settings import Settings
from viewer.state.document import Run
from viewer.state.job_status import JobStatus
from viewer.state.messages import (
    Decode,
    JobCancelled,
    JobFailed,
    ModelOpened,
    OpenModel,
    PiecesSplit,
    Progress,
    Request,
    SplitText,
    TraceDone,
    TraceGrew,
)
from viewer.state.notice import Notice
from viewer.state.selection import Selection
from viewer.state.session import Session
from viewer.state.session_file import open_session

_log = logging.getLogger(__name__)

_TYPING_PAUSE_MS = 60
_FIRST_PAINT_MS = 50  # loading a model imports torch, which would hold up the window's first picture


class EngineLike(Protocol):
    """What the conductor asks of the engine; see `viewer.engine.engine.Engine`."""

    model_opened: SignalInstance
    trace_grew: SignalInstance
    trace_done: SignalInstance
    pieces_split: SignalInstance
    progress: SignalInstance
    failed: SignalInstance
    cancelled: SignalInstance

    def new_job(self) -> int:
        """An id for a request."""

    def submit(self, request: Request) -> int:
        """Queue a job."""

    def cancel(self, job: int) -> None:
        """Stop a job."""


class Conductor(QObject):
    """Connects window, session and engine; owns no truth but which job is whose."""

    def __init__(self, session: Session, engine: EngineLike, window: MainWindow, settings: Settings) -> None:
        super().__init__(window)
        self._session = session
        self._engine = engine
        self._window = window
        self._settings = settings
        self._opening: tuple[int, str, bool] | None = None  # job, folder, whether its example is to be shown
        self._decoding = 0
        self._first = ""  # to be translated as soon as the model is open
        self._waiting: OpenModel | None = None
        self._painted = QTimer(self)
        self._painted.setSingleShot(True)
        self._painted.setInterval(_FIRST_PAINT_MS)
        self._painted.timeout.connect(self._submit_waiting)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPING_PAUSE_MS)
        self._typing.timeout.connect(self._split)
        window.translate_asked.connect(self.translate)
        window.cancel_asked.connect(self.cancel)
        window.path_asked.connect(self.open_path)
        window.example_asked.connect(self.show_example)
        session.text_changed.connect(self._typing.start)
        engine.model_opened.connect(self._model_opened)
        engine.trace_grew.connect(self._trace_grew)
        engine.trace_done.connect(self._trace_done)
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
        if bundle is not None and self._opening is None:
            if not shown:
                shown = self._show_recorded(bundle)
            self._open_model(str(bundle), example=not shown, after_painting=True)

    def open_path(self, path: str) -> None:
        """Open a bundle, a trace or a session; what cannot be opened becomes a notice."""
        try:
            self._session.set_notice(None)
            kind, place = kind_of(Path(path)), Path(path)
            if kind == "bundle":
                place = bundle_folder(place)
                read_config(place)
                self._open_model(str(place), example=True)
            elif kind == "session":
                self._open_session(place)
            elif kind == "sequence":
                self.cancel()
                self._window.show_page(0)
                self._window.look_page.time_lapse.open(str(place))
            else:
                run = recorded_run(place, "file")
                self.cancel()
                self._session.add_run(run, Selection.opening(self._showcase(), run.trace), keep_others=False)
                self._session.set_text(run.trace.src_text)
                self._settings.folder = str(place.parent)
            if kind != "bundle":
                self._remember(str(place))
        except HeadscopeError as error:
            self._settings.forget_recent(path)
            self._session.set_notice(Notice.of(error))

    def open_time_lapse(self, folder: str) -> None:
        """Show the traces that a training run kept in Look."""
        self.open_path(folder)

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
        self._window.show_page(0)
        self._open_model(folder, example=not sentence)
        self._first = sentence

    def translate(self, decoding: dict[str, Any]) -> None:
        """Decode the session's text."""
        self._session.set_notice(None)
        self._session.set_playing(False)
        try:
            config = DecodeConfig.from_json(decoding)
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
            return
        self._submit_waiting()  # a sentence waits for a model only if it comes after it
        self._decoding = self._engine.new_job()
        self._session.set_job(JobStatus("decoding", self._decoding, cancellable=True))
        self._engine.submit(Decode(self._decoding, self._session.text, config))

    def cancel(self) -> None:
        """Stop the decoding."""
        if self._decoding:
            self._engine.cancel(self._decoding)

    def stop(self) -> None:
        """Ask nothing more of the engine."""
        self._typing.stop()
        self._painted.stop()
        self._session.text_changed.disconnect(self._typing.start)

    def show_example(self) -> None:
        """Fill an empty window: the model's recorded example, else a sample sentence, translated."""
        info = self._session.model
        if info is not None and self._show_recorded(Path(info.path)):
            return
        groups = samples("en" if info is None else info.languages[0])
        if groups:
            sentences = groups.get("agreement") or next(iter(groups.values()))
            self._session.set_text(sentences[0])
            self.translate({"mode": "greedy"})

    # Opening.

    def _open_model(self, folder: str, *, example: bool, after_painting: bool = False) -> None:
        job = self._engine.new_job()
        self._opening, self._first = (job, folder, example), ""
        self._session.set_job(JobStatus("loading", job))
        self._window.top.set_loading(Path(folder).name)
        self._waiting = OpenModel(job, folder)
        if after_painting:
            self._painted.start()
        else:
            self._submit_waiting()

    def _submit_waiting(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            self._engine.submit(waiting)

    def _open_session(self, folder: Path) -> None:
        saved = open_session(folder)
        self._session.set_document(saved.document, saved.text)
        self._session.set_notice(saved.notice())
        if saved.model is not None and Path(saved.model.path).is_dir():
            self._open_model(saved.model.path, example=False)

    def _show_recorded(self, bundle: Path) -> bool:
        try:
            example = example_of(bundle)
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
            return False
        if example is None:
            return False
        run, selection = example
        self._session.add_run(run, selection, keep_others=False)
        self._session.set_text(run.trace.src_text)
        return True

    def _remember(self, path: str) -> None:
        self._settings.remember_recent(path)
        self._window.menus.refresh_recents()

    def _showcase(self) -> dict[str, Any] | None:
        info = self._session.model
        return None if info is None else info.showcase

    # The engine's answers.

    def _model_opened(self, message: ModelOpened) -> None:
        if self._opening is None or message.job != self._opening[0]:
            return
        _, folder, example = self._opening
        self._opening = None
        self._window.top.set_loading("")
        self._session.set_model(message.info)
        self._idle(message.job)
        self._remember(folder)
        self._typing.start()
        if example and not self._decoding:
            self._session.clear_runs()
            self.show_example()
        elif self._first and not self._decoding:
            self._session.set_text(self._first)
            self.translate(self._window.look_page.sentence.decoding.decoding)
        self._offer_time_lapse(Path(folder))

    def _offer_time_lapse(self, bundle: Path) -> None:
        kept = sequence_of(bundle)
        if kept is not None and self._session.notice is None and not self._window.look_page.time_lapse.frames:
            self._session.set_notice(Notice("sequence_offered", {"path": str(kept)}))

    def _trace_grew(self, message: TraceGrew) -> None:
        if message.job == self._decoding:
            self._put(message.job, message, live=True)

    def _trace_done(self, message: TraceDone) -> None:
        if message.job == self._decoding:
            self._decoding = 0
            self._put(message.job, message, live=False)
            if message.note is not None:
                self._session.set_notice(message.note)
        self._idle(message.job)

    def _put(self, job: int, message: TraceGrew | TraceDone, *, live: bool) -> None:
        run = Run(f"run-{job}", message.trace, provenance={"source": "decoded"}, live=live)
        self._session.put_run(run, keep_others=False)

    def _pieces_split(self, message: PiecesSplit) -> None:
        self._session.set_pieces(message)

    def _progress(self, message: Progress) -> None:
        job = self._session.job
        if message.job == job.job:
            status = JobStatus(job.state, job.job, message.what, message.done, message.total, job.cancellable)
            self._session.set_job(status)

    def _failed(self, message: JobFailed) -> None:
        self._session.set_notice(Notice.of(message.error))
        self._ended(message.job)

    def _cancelled(self, message: JobCancelled) -> None:
        self._ended(message.job)

    def _ended(self, job: int) -> None:
        """A job ended without its result: what is there stays, and grows no more."""
        if self._opening is not None and job == self._opening[0]:
            self._settings.forget_recent(self._opening[1])
            self._opening = None
            self._window.top.set_loading("")
        if job == self._decoding:
            self._decoding = 0
        run = self._session.document.run(f"run-{job}")
        if run is not None and run.live:
            self._session.replace_run(run.but(live=False))
        self._idle(job)

    def _idle(self, job: int) -> None:
        if self._session.job.job == job:
            self._session.set_job(JobStatus())

    def _split(self) -> None:
        if self._session.model is not None and self._session.text:
            self._engine.submit(SplitText(self._engine.new_job(), self._session.text))
