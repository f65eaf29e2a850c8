"""Export, copy picture, copy as command: from what the window shows to a file or the clipboard.

What writes files is imported when something is exported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget
from shiboken6 import isValid

from model.errors import HeadscopeError
from model.folder.bundled import said_model
from model.questions.questions import Question, Reading
from model.trace.trace import Trace
from viewer.document.document import Bookmark, Run
from viewer.document.gold.gold_edits import gold_of
from viewer.document.messages.notice import Notice, error_sentence
from viewer.document.positions.positions_known import facts_of
from viewer.document.run_source import RunSource
from viewer.document.scene import LOOK
from viewer.document.session import Session
from viewer.document.time_lapse import TimeLapse
from viewer.document.training.training import Training
from viewer.figures.difference.comparing import comparing
from viewer.figures.figure import AnyFigure
from viewer.figures.request import ExportRequest, Page, Source
from viewer.figures.shares.kind import MEASURE
from viewer.figures.shares.measure import CONTRIBUTIONS, Measure
from viewer.own_turn import OwnTurn
from viewer.pages.look.pane_views import pane_view
from viewer.window.localization import Localization
from viewer.window.recorder import Recorder
from viewer.window.settings import Settings
from viewer.window.writing import Writing

if TYPE_CHECKING:
    from viewer.dialogs.export_command import ExportContext
    from viewer.dialogs.export_dialog import ExportDialog
    from viewer.export.sets import Marked
    from viewer.pages.positions.positions_page import PositionsPage


class Exported(Protocol):
    """A page with a figure of its own."""

    def isVisible(self) -> bool:
        """Whether it is in view."""

    def exported(self) -> Page | None:
        """What it shows now; None where it is not to be exported as it is."""


class TakenStop(Protocol):
    """What a bookmark shows; see `viewer.window.lecture.stops.Taken`."""

    @property
    def source(self) -> Source:
        """Where its numbers come from."""

    @property
    def request(self) -> ExportRequest:
        """How it is drawn."""

    @property
    def figure(self) -> AnyFigure | None:
        """The figure itself."""


class VisitedStops(Protocol):
    """Goes to bookmarks; see `viewer.window.lecture.stops.Stops`."""

    def take(self, mark: Bookmark) -> TakenStop | None:
        """What one shows; None: not yet."""

    def leave(self) -> None:
        """Go back."""


class Exporting(QObject):
    """Answers the window's export actions; a failure becomes the session's notice.

    Attributes:
        writing: writes.
        recorder: is told of what was written.
        pages: pages that say themselves what there is to export of them, as they are made.
        positions: the page that shows what `render` makes of a model; None until it is made.
        tree: the tree of branches that is in view, if one is.
        panel: what a panel of Look shows beside the map, if it is a picture with a table of its own.
        front: what a dialog shows over all that.
        stops: goes to bookmarks whose figure is known in their own place alone.
        shares: by what the shares of source and prefix are measured in view, and of which decoder layer.

    Signals:
        said: a sentence about what was done, for the status line.
        opened: the `ExportDialog` was made, and is about to be seen.
    """

    said = Signal(str)
    opened = Signal(object)

    def __init__(
        self,
        session: Session,
        training: Training,
        settings: Settings,
        localization: Localization,
        time_lapse: TimeLapse,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._localization = localization
        self._time_lapse = time_lapse
        self._window = window
        self.recorder = Recorder(session, training, self.context, settings, window)
        self.writing = Writing(
            lambda: self.context().source, settings, self.recorder, lambda: self._open or window, self
        )
        self.writing.said.connect(self._tell)
        self.writing.failed.connect(self._fail)
        self.recorder.said.connect(self.said)
        self.dialog: ExportDialog | None = None
        self._showing: OwnTurn | None = None
        self.pages: list[Exported] = []
        self.positions: PositionsPage | None = None
        self.shares: Callable[[], tuple[Measure, int | None]] = lambda: (CONTRIBUTIONS, None)
        self.tree: Callable[[], AnyFigure | None] = lambda: None
        self.panel: Callable[[], Page | None] = lambda: None
        self.front: Callable[[], Page | None] = lambda: None
        self.stops: VisitedStops | None = None

    def open_dialog(self) -> None:
        """Ask what to export, without stopping the window."""
        self._show_dialog(self.context())

    def export_trust(self) -> None:
        """The same, with what tests the map in view chosen."""
        context = self.context()
        self._show_dialog(replace(context, request=context.request.but(view="trust")))

    def _show_dialog(self, context: ExportContext) -> None:
        from viewer.dialogs.export_dialog import ExportDialog

        if self._showing is not None and isValid(self._showing) and self._showing.waiting:
            return  # asked for twice at once
        dialog = ExportDialog(context, self._settings, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.export_asked.connect(self.writing.write)
        dialog.copy_asked.connect(self.writing.copy)
        dialog.command_asked.connect(self._copy_text)
        dialog.caption_asked.connect(self._copy_caption)
        self._session.answers.changed.connect(dialog.refresh_soon)
        self.dialog = dialog
        self.opened.emit(dialog)
        self._showing = OwnTurn(dialog.open, dialog)  # making it was enough for one
        dialog.finished.connect(self._showing.stop)
        self._showing.ask()

    def context(self) -> ExportContext:
        """What there is to export, as the window shows it."""
        from viewer.dialogs.export_command import ExportContext

        run, model = self._session.run(), self._session.model
        pair = comparing(self._session.document)
        pair = None if pair is None or pair.same else pair
        source = Source(
            trace=None if run is None else run.trace,
            positions=None if model is None else model.positions,
            position_facts=() if model is None else facts_of(model),
            model_name="" if model is None else model.name,
            model_sha256="" if model is None else model.sha256,
            sequence=self._time_lapse.sequence,
            importance=None if run is None else run.importance,
            compared=None if pair is None else (pair.first.trace, pair.second.trace),
            known=self._known,
            gold=gold_of(self._session.document, run),
            page=self._page() or self.panel(),
            model=model,
            tree=self.tree(),
        )
        path = "" if run is None else str(run.provenance.get("path", ""))
        if (
            run is not None
            and run.provenance.get("source") == RunSource.TRAINING
            and self._time_lapse.sequence is None
        ):
            path = ""  # the folder of the time-lapse is gone
        if path and not self._stays(path):
            path = ""
        return ExportContext(
            source=source,
            request=self.request(),
            trace_path=path,
            model=self._model_of_trace(),
            language=self._localization.language,
            compared=None if pair is None else pair.selection,
            compared_paths=(
                ("", "") if pair is None else (self._path_of(pair.first), self._path_of(pair.second))
            ),
            asks_model=model is not None and run is not None and _made_by(run.trace, model.sha256),
            marks=self._marks(source),
        )

    def _marks(self, source: Source) -> tuple[Marked, ...]:
        """The bookmarks: maps of runs as they are, of what else there is where it is shown."""
        from viewer.export.sets import Marked

        document, found = self._session.document, []
        for mark in document.bookmarks:
            run = None if mark.pane is None else document.run(mark.pane.run_id)
            plain_map = mark.scene.page == LOOK and not mark.scene.drawer and mark.scene.frame is None
            if not plain_map:
                found.append(Marked(mark.name, source, ExportRequest(), partial(self._visited, mark)))
                continue
            if run is None or mark.pane is None:
                continue
            selection = mark.pane.selection
            request = ExportRequest(
                view=pane_view(selection.view).figure,
                selection=selection,
                step=selection.step if selection.step >= 0 else None,
            )
            own = replace(
                source,
                trace=run.trace,
                importance=run.importance,
                gold=gold_of(document, run),
                sequence=None,
                compared=None,
                page=None,
            )
            found.append(Marked(mark.name, own, request))
        return tuple(found)

    def _visited(self, mark: Bookmark) -> tuple[Source, ExportRequest] | None:
        """What a bookmark shows in its place, None for no figure."""
        taken = None if self.stops is None else self.stops.take(mark)
        if taken is None:
            raise HeadscopeError("export_waiting")
        return None if taken.figure is None else (taken.source, taken.request)

    def _stays(self, path: str) -> bool:
        """Whether a command can name this file or folder: it is there and will be."""
        return Path(path).exists() and not self._session.sentences.holds(path)

    def _path_of(self, run: Run) -> str:
        """The trace file of a run, empty where it is not saved as one."""
        path = str(run.provenance.get("path", ""))
        own = run.provenance.get("source") != RunSource.TRAINING and Path(path).is_file()
        return path if own and self._stays(path) else ""

    def request(self) -> ExportRequest:
        """The figure in view."""
        selection = self._session.selection()
        request = ExportRequest(options=self._session.view)
        if selection is not None:
            request = request.but(selection=selection, step=selection.step if selection.step >= 0 else None)
            measure, layer = self.shares()
            own = {} if measure is CONTRIBUTIONS else {MEASURE.name: measure.name}
            request = request.but(view=pane_view(selection.view).figure, layer=layer, own=own)
        if self._page() is not None:
            return request.but(view="page")
        if self.positions is not None and self.positions.isVisible():
            return self.positions.asked(request)
        return request

    def _known(self, question: Question, reading: Reading | None) -> Any:
        """An answer, asked for if there is none yet; why there will be none is raised."""
        answer = self._session.answers.ask(question, reading)
        problem = self._session.answers.state(question, reading).problem
        if answer is None and problem is not None:
            raise HeadscopeError(problem.code, **problem.values)
        return answer

    def _page(self) -> Page | None:
        """What a dialog shows, or a page other than Look, where that is a figure of its own."""
        front = self.front()
        if front is not None:
            return front
        return next((page.exported() for page in self.pages if page.isVisible()), None)

    def copy_picture(self) -> None:
        """Put the figure in view on the clipboard."""
        self.writing.copy(self.request())

    def copy_command(self) -> None:
        """Put the command that makes the figure in view on the clipboard."""
        from viewer.dialogs.export_dialog import ExportDialog

        dialog = ExportDialog(self.context(), self._settings, self._window)
        command, reason = dialog.command(), dialog.no_command()
        dialog.deleteLater()
        if command is None:
            self.said.emit(reason)
        else:
            self._copy_text(command)

    def save_trace(self) -> None:
        """Ask for a name and save the trace in view."""
        run = self._session.run()
        if run is None:
            return
        start = str(Path(self._settings.folder) / "decoding.trace")
        kinds = self.tr("Traces (*.trace)") + ";;NPZ (*.npz)"
        path, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save trace"), start, kinds)
        if not path:
            return
        self.writing.save_trace(run, path)

    def _tell(self, text: str) -> None:
        """Say it in the status line, and in the dialog if it is open."""
        self.said.emit(text)
        if self._open is not None:
            self._open.say(text)

    def _fail(self, error: HeadscopeError) -> None:
        self._session.set_notice(Notice.of(error))
        if self._open is not None:
            self._open.say(error_sentence(error))

    @property
    def _open(self) -> ExportDialog | None:
        """The dialog, while it is there to be spoken to."""
        dialog = self.dialog
        return dialog if dialog is not None and isValid(dialog) and dialog.isVisible() else None

    def _copy_caption(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self._tell(self.tr("Caption copied"))

    def _copy_text(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.said.emit(self.tr("Command copied"))

    def _model_of_trace(self) -> str:
        """The folder of the model in use if it made the trace in view, else the trace's model name."""
        trace, model = self._session.trace(), self._session.model
        if model is not None and (trace is None or trace.model_sha256 in ("", model.sha256)):
            return said_model(model.path)
        return "" if trace is None else trace.model_name


def _made_by(trace: Trace, sha256: str) -> bool:
    return trace.numbers == "pattern" and trace.model_sha256 in ("", sha256)
