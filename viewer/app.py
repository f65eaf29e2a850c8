"""The application: builds session, engine and window, joins them, and ends them in order."""

from __future__ import annotations

import contextlib
import itertools
import logging
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType, TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from model.commands.console import HANG_UP, ending_signals
from model.errors import HeadscopeError
from model.extensions.troubles import listen
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.document.training.training import Training
from viewer.engine.class_table import room_for_classes
from viewer.engine.engine import Engine
from viewer.engine.gc_guard import GcGuard
from viewer.guarded import Guarded
from viewer.pages.accessible.factory import install
from viewer.pages.widgets.appearance import Appearance, has_room
from viewer.pages.widgets.beforehand import Beforehand
from viewer.pages.widgets.lazy import end_importing, importing
from viewer.resources import first_model
from viewer.services.autosave import Autosave
from viewer.services.conductor import Conductor
from viewer.services.player import Player
from viewer.services.safe_places import SafePlaces
from viewer.services.several import OpenSeveral
from viewer.services.training_conductor import TrainingConductor
from viewer.window.localization import Localization
from viewer.window.main_window import MainWindow
from viewer.window.progress import ReadingProgress
from viewer.window.settings import TYPE_SIZES, Settings

if TYPE_CHECKING:
    from viewer.services.open_windows import OpenWindow

_log = logging.getLogger(__name__)

_SHUTDOWN_MS = 5000
_SAVING_MS = 60_000
"""How long a window that was closed stays for a training run to be saved."""
_TURN_S = 0.0005
"""Seconds after which a thread hands the interpreter on; the window's takes it dozens of times for a frame.

With Python's own 5 ms what another thread worked out in Python held a frame up for half a second.
"""


def build_window(
    session: Session | None = None,
    settings: Settings | None = None,
    *,
    training: Training | None = None,
    theme: str | None = None,
    language: str | None = None,
) -> MainWindow:
    """A window on a session, without an engine: enough to be looked at and grabbed.

    Args:
        session: what it shows; an empty one by default.
        training: the run it shows; none by default.
        settings: the user's own by default.
        theme, language: instead of the remembered ones.
    """
    install()
    settings = Settings() if settings is None else settings
    appearance = Appearance(theme or settings.theme, type_size=_type_size(settings))
    localization = Localization(language or settings.language)
    window = MainWindow(
        Session() if session is None else session,
        Training() if training is None else training,
        settings,
        appearance,
        localization,
    )
    for part in (appearance, localization):
        part.setParent(window)
    return window


def _type_size(settings: Settings) -> int:
    """The chosen one, or on a smaller screen than then the largest that it has room for."""
    screen = QGuiApplication.primaryScreen()
    room = None if screen is None else screen.availableSize()
    fitting = [size for size in TYPE_SIZES if size <= 100 or (room is not None and has_room(size, room))]
    return max(size for size in fitting if size <= settings.type_size)


class Catcher(QObject):
    """Turns an unexpected exception into a log entry and a notice, in the main thread whatever thread it hit.

    Signals:
        caught: what the user should read of an exception, a `Notice`.
    """

    caught = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._previous = sys.excepthook
        self.caught.connect(self._show, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self._catch

    def release(self) -> None:
        """Give the hook back."""
        sys.excepthook = self._previous

    def _catch(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, (KeyboardInterrupt, SystemExit)):
            QTimer.singleShot(0, QGuiApplication.quit)
            return
        _log.error("%s", "".join(traceback.format_exception(kind, error, trace)))
        if not isinstance(error, HeadscopeError):
            error = HeadscopeError("internal", detail=f"{kind.__name__}: {error}")
        self.caught.emit(Notice.of(error))

    def _show(self, notice: Notice) -> None:
        self._session.set_notice(notice)


class Program(Guarded, QObject):
    """Everything that lives while the window is open.

    Attributes:
        window, session, training, engine, conductor, training_conductor, autosave, beforehand: the parts,
            for tests and scripts.
        ended: False after `shut_down` if the background thread would not end.

    Signals:
        extension_failed: what is to be said of another package's extension, in whatever thread it failed.
    """

    extension_failed = Signal(object)

    def __init__(
        self,
        settings: Settings,
        *,
        theme: str | None = None,
        language: str | None = None,
        engine: Engine | None = None,
    ) -> None:
        super().__init__()
        sys.setswitchinterval(_TURN_S)
        room_for_classes()
        self._settings = settings
        self.listening: OpenWindow | None = None
        self.session = Session()
        self.training = Training()
        self.engine = Engine(threads=settings.threads or None) if engine is None else engine
        for part in (self.session, self.training, self.engine):
            part.setParent(self)  # they end with it: what is connected to them holds them in Qt, unseen
        self.session.set_memory(settings.memory << 20)
        self.player = Player(self.session, self)
        self.guard = GcGuard(self, importing=self._imports)
        self.window = build_window(
            self.session, settings, training=self.training, theme=theme, language=language
        )
        window, lapse = self.window, self.window.look_page.time_lapse
        self.conductor = Conductor(self.session, self.engine, settings, lapse, window)
        window.threads_changed.connect(self._use_threads)
        window.path_asked.connect(self.conductor.open_path)
        self.several = OpenSeveral(self.session, self.conductor, self)
        window.paths_asked.connect(self.several.open)
        self.several.sentences_asked.connect(window.pages.translate_file)
        self.several.compare_asked.connect(window.pages.show_compare)
        window.example_asked.connect(self.conductor.show_example)
        window.lecture_asked.connect(self.conductor.open_lecture)
        self.conductor.look_asked.connect(window.pages.show_look)
        self.conductor.sentence_invited.connect(window.look_page.sentence.box.setFocus)
        self.conductor.recents_changed.connect(window.menus.recents_changed)
        self.reading = ReadingProgress(self.conductor.readings, window)
        self.training_conductor = TrainingConductor(
            self.training, self.engine, settings, self.conductor.use_model, self
        )
        self.autosave = Autosave(self.session, SafePlaces(settings.kept_sessions), self)
        self.window.restore_asked.connect(self._restore)
        self.extension_failed.connect(self._say_extension, Qt.ConnectionType.QueuedConnection)
        listen(self.extension_failed.emit)
        parts = itertools.chain(window.pages.ahead(), window.palette_.ahead(), window.dialogs.ahead())
        self.beforehand = Beforehand(window, parts, self._is_idle)
        self.ended = True
        self._closed = self._saving = self._warned = False
        self._saved_in_time = QTimer(self)
        self._saved_in_time.setSingleShot(True)
        self._saved_in_time.setInterval(_SAVING_MS)
        self._saved_in_time.timeout.connect(self.window.close)
        self.training_conductor.rested.connect(self._saved)
        self.window.installEventFilter(self)
        self.window.closing.connect(self.shut_down)
        self.engine.model_opened.connect(self._loaded)
        self.training.phase_changed.connect(self._phase_changed)
        self.guard.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Hold the first closing of the window up while something would be lost; the second is obeyed.

        That is a training run that must be saved, or work that can be kept nowhere.
        """
        closing = watched is self.window and event.type() == QEvent.Type.Close
        if closing and self._would_lose():
            event.ignore()
            return True
        if closing and not self._saving and self.training_conductor.unsaved:
            self._saving = True
            self.training_conductor.stop()
            self.session.set_notice(Notice("training_saving"))
            self._saved_in_time.start()
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def listen(self) -> None:
        """Come to the front when another process is started on what is open here."""
        try:
            from viewer.services.open_windows import OpenWindow
        except ImportError:  # a build without Qt's network part
            return
        self.listening = OpenWindow(self._settings.windows, self.conductor.has_open, self)
        self.listening.asked.connect(self._come)

    def _come(self, path: str) -> None:
        """Show what is open, in front of what else is on the screen as far as the system lets a window."""
        window = self.window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()
        QApplication.alert(window)
        self.conductor.open_path(path)

    def _use_threads(self, count: int) -> None:
        self.engine.set_threads(count or None)

    def _would_lose(self) -> bool:
        """Whether work can be kept nowhere, which is said; once, as whoever closes again means it."""
        error = self.autosave.flush()
        warned, self._warned = self._warned, error is not None
        if error is None or warned:
            return False
        reason = Notice.of(error).sentence().rstrip(".。")
        self.session.set_notice(Notice("autosave_closing", {"reason": reason}, "error"))
        return True

    def _saved(self) -> None:
        if not self._saving:
            return
        if self.training.phase == "failed":  # to be read before the window goes
            self._saving = False
            self._saved_in_time.stop()
            self.session.set_notice(self.training.problem)
        else:
            # Not from inside the engine's answer: closing ends the engine.
            QTimer.singleShot(0, self.window, self.window.close)

    def _restore(self, folder: str) -> None:
        """Show a session that was kept against a crash as this window's own, not saved anywhere."""
        self.conductor.readings.ask(folder, partial(self._adopt, Path(folder)))

    def _adopt(self, folder: Path) -> None:
        try:
            self.autosave.adopt(folder, self.conductor.restore)
        except HeadscopeError as error:
            self.session.set_notice(Notice.of(error))

    def _say_extension(self, problem: HeadscopeError) -> None:
        self.session.set_notice(Notice.of(problem, "warning"))

    def _is_idle(self) -> bool:
        """Whether the model has no work, is not being loaded, and nothing plays or trains."""
        session = self.session
        waits = session.model is None and session.loading is not None
        return not (waits or self.engine.busy or session.playing or self.training.active)

    def _imports(self) -> bool:
        """Whether a thread imports modules: the window's, or, with what first needs it, torch."""
        needed = (self.session.loading is not None or self.training.active) and not self.guard.frozen
        return needed or self.beforehand.importing or importing()

    def _loaded(self) -> None:
        self.guard.freeze()

    def _phase_changed(self) -> None:
        if self.training.start is not None:
            self.guard.freeze()  # torch is imported, be there a model or not

    def shut_down(self) -> None:
        """Stop playing, end the engine, then let Python collect again; once."""
        if self._closed:
            return
        self._closed = True
        listen(None)
        self.beforehand.stop()
        end_importing(_SHUTDOWN_MS / 1000)
        self._saved_in_time.stop()
        self.session.set_playing(False)
        self.conductor.stop()
        if self.listening is not None:
            self.listening.close()
        self.autosave.close()
        self.ended = self.engine.close(_SHUTDOWN_MS)
        self.guard.stop()


@contextlib.contextmanager
def quitting_on_signals(application: QApplication) -> Iterator[Callable[[], None]]:
    """While inside, `ending_signals` close the window: an exception would end in whatever slot runs.

    Yields:
        What is to be called as soon as the application's event loop goes: Qt does not hear `quit` before.
    """
    looping = asked = False

    def heard(signum: int, frame: FrameType | None) -> None:
        nonlocal asked
        if signum == HANG_UP:  # comes twice by itself, and to close twice is to mean it
            signal.signal(signum, signal.SIG_IGN)
        if looping:
            QTimer.singleShot(0, application, application.quit)
        asked = True

    def begin() -> None:
        nonlocal looping
        looping = True
        if asked:
            application.quit()

    before = {number: signal.signal(number, heard) for number in ending_signals()}
    try:
        yield begin
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run(path: str = "", *, theme: str | None = None, language: str | None = None) -> int:
    """Open the window and stay until it is closed; a QApplication must exist.

    Returns:
        The exit status.
    """
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    application.setApplicationName("Headscope")
    settings = Settings()
    with quitting_on_signals(application) as begin:
        program = Program(settings, theme=theme, language=language)
        catcher = Catcher(program.session)
        # Behind the first painting: the window is there before anything is read.
        QTimer.singleShot(0, program.window, program.window.guidance.show_callouts)
        program.conductor.start(first_model(language or settings.language), path)
        program.window.show()
        QTimer.singleShot(0, program.autosave, program.autosave.offer)
        QTimer.singleShot(0, program, program.listen)
        program.beforehand.start()
        # Not when the last window closes: a dialog of what was still being written may come up behind it.
        program.window.closing.connect(lambda: QTimer.singleShot(0, application, QApplication.exit))
        QTimer.singleShot(0, application, begin)
        status = application.exec()
        program.shut_down()
        catcher.release()
        # Left to Python's last collection its parts would go one by one, in any order.
        program.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        kept = settings.sync()
    if not (kept and program.ended):
        logging.shutdown()
        os._exit(status)
    return status
