"""Export, copy picture, copy as command: from what the window shows to a file or the clipboard."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from model.errors import HeadscopeError
from model.trace_file import save_trace
from viewer.dialogs.export_dialog import ExportChoice, ExportContext, ExportDialog
from viewer.export.clipboard import picture_mime
from viewer.export.request import ExportRequest, FigureKind, Source
from viewer.export.writers import build_picture, write_export
from viewer.localization import Localization
from viewer.settings import Settings
from viewer.state.notice import Notice
from viewer.state.session import Session
from viewer.state.session_file import SUFFIX, ModelRef, save_session
from viewer.views.positions_page import PositionsPage


class Exporting(QObject):
    """Answers the window's export actions; a failure becomes the session's notice.

    Signals:
        said: a sentence about what was done, for the status line.
    """

    said = Signal(str)

    def __init__(
        self,
        session: Session,
        settings: Settings,
        localization: Localization,
        positions: PositionsPage,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._localization = localization
        self._positions = positions
        self._window = window
        self.dialog: ExportDialog | None = None

    def open_dialog(self) -> None:
        """Ask what to export, without stopping the window."""
        dialog = ExportDialog(self.context(), self._settings, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.export_asked.connect(self._write)
        dialog.copy_asked.connect(self.copy)
        dialog.command_asked.connect(self._copy_text)
        self.dialog = dialog
        dialog.open()

    def context(self) -> ExportContext:
        """What there is to export, as the window shows it."""
        run, model = self._session.run(), self._session.model
        source = Source(
            trace=None if run is None else run.trace,
            positions=None if model is None else model.positions,
            model_name="" if model is None else model.name,
            model_sha256="" if model is None else model.sha256,
        )
        path = "" if run is None else str(run.provenance.get("path", ""))
        return ExportContext(
            source=source,
            request=self.request(),
            trace_path=path,
            model=self._model_of_trace(),
            language=self._localization.language,
        )

    def request(self) -> ExportRequest:
        """The figure in view."""
        selection = self._session.selection()
        request = ExportRequest(options=self._session.view)
        if selection is not None:
            request = request.but(selection=selection, step=selection.step if selection.step >= 0 else None)
        if self._positions.isVisible():
            positions, curves = self._positions.count.value(), self._positions.curves
            request = request.but(view=FigureKind.POSITIONS, positions=positions, curves=curves)
        return request

    def copy_picture(self) -> None:
        """Put the figure in view on the clipboard."""
        self.copy(self.request())

    def copy(self, request: ExportRequest) -> None:
        """Put a figure on the clipboard."""
        try:
            picture = build_picture(self.context().source, request)
            QGuiApplication.clipboard().setMimeData(picture_mime(picture, request.dpi))
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
        else:
            self.said.emit(self.tr("Picture copied"))

    def copy_command(self) -> None:
        """Put the command that makes the figure in view on the clipboard."""
        dialog = ExportDialog(self.context(), self._settings, self._window)
        command = dialog.command()
        dialog.deleteLater()
        if command is None:
            self.said.emit(
                self.tr("Save this decoding as a trace first: it cannot be made again from its text.")
            )
        else:
            self._copy_text(command)

    def save_trace(self) -> None:
        """Ask for a name and save the trace in view."""
        run = self._session.run()
        if run is None:
            return
        start = str(Path(self._settings.folder) / "decoding.trace")
        kinds = self.tr("Traces (*.trace)")
        path, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save trace"), start, kinds)
        if not path:
            return
        try:
            save_trace(run.trace, path)
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
            return
        self._settings.folder = str(Path(path).parent)
        self._settings.remember_recent(path)
        self.said.emit(self.tr("Saved {name}").format(name=Path(path).name))

    def save_session(self) -> None:
        """Ask for a name and save what is looked at, to be opened again."""
        session, info = self._session, self._session.model
        start = str(Path(self._settings.folder) / f"session{SUFFIX}")
        kinds = self.tr("Sessions (*{suffix})").format(suffix=SUFFIX)
        path, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save session"), start, kinds)
        if not path:
            return
        folder = path if path.endswith(SUFFIX) else path + SUFFIX
        try:
            save_session(folder, session.document, session.text, None if info is None else ModelRef.of(info))
        except HeadscopeError as error:
            session.set_notice(Notice.of(error))
            return
        self._settings.folder = str(Path(folder).parent)
        self._settings.remember_recent(folder)
        self.said.emit(self.tr("Saved {name}").format(name=Path(folder).name))

    def _write(self, choice: ExportChoice) -> None:
        QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
        try:
            write_export(self.context().source, choice.request, choice.path)
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
        else:
            self.said.emit(self.tr("Saved {name}").format(name=Path(choice.path).name))
        finally:
            QGuiApplication.restoreOverrideCursor()

    def _copy_text(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.said.emit(self.tr("Command copied"))

    def _model_of_trace(self) -> str:
        """The folder of the model in use if it made the trace in view, else the trace's model name."""
        trace, model = self._session.trace(), self._session.model
        if model is not None and (trace is None or trace.model_sha256 in ("", model.sha256)):
            return model.path
        return "" if trace is None else trace.model_name
