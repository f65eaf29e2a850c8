"""Recorder: what was done in the window as a script of commands, of the session or of the figure in view.

What writes a file tells it (`note`); the runs stand in the session's document.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget

from model.errors import HeadscopeError
from viewer.document.deeds import OUT, Deed, trace_of
from viewer.document.document import Run
from viewer.document.messages.notice import Notice
from viewer.document.run_source import RunSource
from viewer.document.session import Session
from viewer.document.training.training import Training
from viewer.figures.difference.comparing import comparing
from viewer.figures.request import Each, ExportRequest
from viewer.window.settings import Settings

if TYPE_CHECKING:
    from viewer.dialogs.export_command import ExportContext
    from viewer.export.script import Script

_FROM_FILES = (RunSource.FILE, RunSource.TRAINING)


class Recorder(QObject):
    """Makes a deed of what was written, and a script of all deeds.

    Args:
        context: what there is to export, as the window shows it.

    Signals:
        said: a sentence about what was done, for the status line.
        opened: the dialog was made, and is about to be seen.
    """

    said = Signal(str)
    opened = Signal(object)

    def __init__(
        self,
        session: Session,
        training: Training,
        context: Callable[[], ExportContext],
        settings: Settings,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._session = session
        self._training = training
        self._context = context
        self._window = window
        self._settings = settings
        training.phase_changed.connect(self._phase_changed)

    # What is told.

    def deed(self, request: ExportRequest, path: str, file_format: str, each: Each | None = None) -> Deed:
        """An export, as the window is now."""
        from viewer.dialogs.export_command import Asking, command_words, no_command

        context, asking = self._marked(), Asking(request, OUT, file_format, each)
        words = command_words(context, asking)
        if words is None:
            return Deed(path, reason=no_command(context, asking))
        return Deed(path, tuple(words))

    def note(self, deed: Deed) -> None:
        """It was written."""
        self._session.deeds.note(deed.path, deed.words, deed.reason)

    def trace_saved(self, run: Run, path: str) -> Deed:
        """That a run's trace is saved as it is."""
        return Deed(path, ("render", "--out", OUT, "--trace", trace_of(run.id)))

    def _phase_changed(self) -> None:
        training = self._training
        order = training.order
        if (
            training.phase == "ended"
            and training.start is not None
            and order is not None
            and not order.resume
        ):
            from viewer.document.training.form_command import arguments

            try:
                words = [OUT if word == order.out else word for word in arguments(order.options, order.out)]
            except HeadscopeError as error:
                self._session.deeds.note(order.out, reason=Notice.of(error).sentence())
            else:
                self._session.deeds.note(order.out, ["train", *words])

    def _marked(self) -> ExportContext:
        """The same with marks for the traces of runs, which get their places in the script."""
        context, run = self._context(), self._session.run()
        if run is not None and run.provenance.get("source") not in _FROM_FILES:
            context = replace(context, trace_path=trace_of(run.id))
        pair = comparing(self._session.document)
        if context.compared is not None and pair is not None:
            paths = trace_of(pair.first.id), trace_of(pair.second.id)
            context = replace(context, compared_paths=paths)
        return context

    # What is asked.

    def whole(self) -> Script:
        """The script of the session."""
        from viewer.export.script import session_script

        session = self._session
        return session_script(session.document, session.deeds.all, session.deeds.models)

    def figure(self) -> Script:
        """That of the figure in view."""
        from viewer.dialogs.export_names import stem
        from viewer.export.script import figure_script

        context, session = self._context(), self._session
        request, page = context.request, context.source.page
        name = stem(
            request.view,
            request,
            trace=context.source.trace,
            over="",
            page="" if page is None else page.name,
        )
        deed = self.deed(request, f"{name}.png", "png")
        return figure_script(session.document, deed, session.deeds.models)

    def open_dialog(self) -> QDialog:
        """Show the script, to be copied and saved."""
        from viewer.dialogs.script_dialog import ScriptDialog

        dialog = ScriptDialog(self.whole, self.figure, self._window)
        dialog.save_asked.connect(self._ask)
        self.opened.emit(dialog)
        dialog.open()
        return dialog

    def _ask(self, script: Script) -> None:
        start = str(Path(self._settings.folder) / "headscope.sh")
        kinds = self.tr("Scripts (*.sh)")
        path, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save the script"), start, kinds)
        if path:
            self.save(script, path)

    def save(self, script: Script, path: str) -> None:
        """Write a script, and beside it what no command makes; a failure becomes the session's notice."""
        try:
            script.write(path)
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))
            return
        self.said.emit(self.tr("Saved {name}").format(name=Path(path).name))
