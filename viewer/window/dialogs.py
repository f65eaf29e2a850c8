"""Dialogs of the window: imported and made when they are asked for, gone when they are closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject, QSize, Qt, Signal
from PySide6.QtWidgets import QDialog, QFileDialog, QWidget
from shiboken6 import isValid

from model.errors import HeadscopeError
from viewer.document.document import Run
from viewer.document.gold.gold_edits import can_have_gold, gold_of
from viewer.document.messages.training_requests import MakeBatch
from viewer.document.sampling_preview import step_shares
from viewer.document.session import Session
from viewer.document.text.gold_words import finding_words, words_of_gold
from viewer.document.training.training import Training
from viewer.figures.request import Page
from viewer.own_turn import InTurns
from viewer.pages.widgets.appearance import Appearance
from viewer.services.safe_places import SafePlaces
from viewer.window.pages import Pages
from viewer.window.settings import Settings

if TYPE_CHECKING:
    from viewer.dialogs.batch_dialog import BatchDialog
    from viewer.dialogs.trust_dialog import TrustDialog
    from viewer.window.preferences.scope import Scope


def _nothing() -> Page | None:
    """No dialog has anything to export."""
    return None


_EDGE = 40  # what frames may take of the screen


class WindowDialogs(QObject):
    """Opens dialogs without stopping the window.

    Signals:
        page_export_asked: what a dialog shows is to be exported.
        path_asked: open this model, trace or session.
        trust_export_asked: export what tests the map in view.
        restore_asked: open the session that is kept in this folder, which is then one's own.
        opened: this dialog was made, and is about to be seen.
    """

    page_export_asked = Signal()
    path_asked = Signal(str)
    trust_export_asked = Signal()
    restore_asked = Signal(str)
    opened = Signal(object)

    def __init__(
        self,
        host: QWidget,
        session: Session,
        training: Training,
        settings: Settings,
        appearance: Appearance,
        pages: Pages,
        kept: SafePlaces,
    ) -> None:
        super().__init__(host)
        self._host = host
        self._session = session
        self._training = training
        self._settings = settings
        self._appearance = appearance
        self._pages = pages
        self._kept = kept
        self._batch: BatchDialog | None = None
        self._trust: TrustDialog | None = None
        self._page: Callable[[], Page | None] = _nothing
        self._batch_asked: MakeBatch | None = None
        self._gold_turns, self._batch_turns = InTurns(self), InTurns(self)

    def ask_model(self) -> None:
        """Ask for the folder of a model, of a session or of a time-lapse."""
        title = QCoreApplication.translate("MainWindow", "Open a model, a session or a time-lapse")
        path = QFileDialog.getExistingDirectory(self._host, title, self._settings.folder)
        if path:
            self.path_asked.emit(path)

    def ask_trace(self) -> None:
        """Ask for a trace file."""
        kinds = QCoreApplication.translate("MainWindow", "Traces (*.trace *.npz)")
        title = QCoreApplication.translate("MainWindow", "Open a trace")
        path, _ = QFileDialog.getOpenFileName(self._host, title, self._settings.folder, kinds)
        if path:
            self.path_asked.emit(path)

    def show_settings(self, scope: Scope) -> None:
        """Open the settings."""
        from viewer.window.preferences.settings_dialog import SettingsDialog

        self._open(SettingsDialog(scope, self._host))

    def show_about(self) -> None:
        """Open the About dialog."""
        from viewer.dialogs.about import AboutDialog

        self._open(AboutDialog(self._host))

    def ahead(self) -> Iterator[object]:
        """Read what the report will tell of what is installed, a package at a time."""
        from viewer.diagnosis.facts import versions

        yield from versions()

    def show_report(self) -> None:
        """Open the text to send with a problem."""
        from viewer.diagnosis.facts import facts_here, report
        from viewer.dialogs.report_dialog import ReportDialog

        self._open(ReportDialog(report(facts_here()), self._host))

    def show_model_info(self) -> None:
        """Open what is known of the model in use."""
        from viewer.dialogs.model_info import ModelInfoDialog

        info = self._session.model
        if info is not None:
            self._open(ModelInfoDialog(info, self._host))

    def ask_beam(self) -> None:
        """Ask how to search."""
        from viewer.dialogs.beam_dialog import BeamDialog

        dialog = BeamDialog(self._session.decoding.config, self._host)
        dialog.accepted.connect(self._beam_chosen)
        self._open(dialog)

    def ask_sampling(self) -> None:
        """Ask how to draw, and show what that does to the next word in view."""
        from viewer.dialogs.sampling_dialog import SamplingDialog

        settings, shown = self._session.decoding, step_shares(self._session)
        dialog = SamplingDialog(settings.config, settings.samples, shown, self._host)
        dialog.accepted.connect(self._sampling_chosen)
        self._open(dialog)

    def _beam_chosen(self) -> None:
        from viewer.dialogs.beam_dialog import BeamDialog

        dialog = self.sender()
        if isinstance(dialog, BeamDialog):
            self._session.set_decoding(dialog.decoding)

    def _sampling_chosen(self) -> None:
        from viewer.dialogs.sampling_dialog import SamplingDialog

        dialog = self.sender()
        if isinstance(dialog, SamplingDialog):
            self._session.set_decoding(dialog.decoding, dialog.samples.value())

    def ask_bookmark(self) -> None:
        """Ask how the view is to be called."""
        from viewer.dialogs.bookmarks_dialog import BookmarkNameDialog

        self._open(BookmarkNameDialog(self._session, self._host))

    def show_bookmarks(self) -> None:
        """Open the list of bookmarks."""
        from viewer.dialogs.bookmarks_dialog import BookmarksDialog

        self._open(BookmarksDialog(self._session, self._host))

    def show_kept(self) -> None:
        """Open the list of the sessions that are kept; what crashes left is then no longer offered."""
        from viewer.dialogs.kept_dialog import KeptDialog

        dialog = KeptDialog(self._kept, self._host)
        dialog.restore_asked.connect(self.restore_asked)
        dialog.finished.connect(self._kept.answered)
        self._open(dialog)

    def ask_gold(self) -> None:
        """Ask which words of the run in view render each other."""
        run = self._session.run()
        if run is not None and can_have_gold(run) and not self._gold_turns.busy:
            self._pages.show_look()
            self._gold_turns.begin(self._asking_gold(run))

    def _asking_gold(self, run: Run) -> Iterator[None]:
        """To find the words, to make the dialog and to open it: of a long text each takes a turn."""
        from viewer.dialogs.gold_dialog import GoldDialog

        texts: tuple[tuple[str, ...], tuple[str, ...]] = (), ()
        with suppress(HeadscopeError):  # which the dialog will say
            gold = gold_of(self._session.document, run)
            yield from finding_words(run.trace, gold)
            words = words_of_gold(run.trace, gold)
            texts = words.source, words.target
        yield
        directly = Qt.FindChildOption.FindDirectChildrenOnly
        if not self._shows(run) or self._host.findChild(GoldDialog, options=directly) is not None:
            return
        dialog = GoldDialog(self._session, run, self._host, filled=False)
        opened = False
        try:
            yield
            if isValid(dialog):
                dialog.fill()
            yield
            if not isValid(dialog):
                return
            measuring = dialog.grid.measuring(*texts)
            while isValid(dialog) and next(measuring, self) is not self:
                yield
            if isValid(dialog):
                dialog.refresh()
            yield
            if isValid(dialog) and self._shows(run):
                self._open(dialog)
                opened = True
        finally:
            if isValid(dialog) and not opened:
                dialog.deleteLater()

    def _shows(self, run: Run) -> bool:
        """Whether it is in view still, with the trace that it had."""
        shown = self._session.run()
        return shown is not None and (shown.id, shown.trace) == (run.id, run.trace)

    def ask_trust(self) -> None:
        """Open what tests the map in view; it stays beside the window and goes with it."""
        from viewer.dialogs.trust_dialog import TrustDialog

        if self._trust is None:
            self._trust = TrustDialog(self._session, self._appearance, self._host)
            self._trust.resize(self._trust.size().boundedTo(self._room()))
            self._trust.export_asked.connect(self.trust_export_asked)
        self._pages.show_look()
        self._trust.show()
        self._trust.activateWindow()

    def show_circuits(self) -> None:
        """Open what the head in view does in general."""
        from viewer.dialogs.circuits_dialog import CircuitsDialog

        selection = self._session.selection()
        if selection is None or selection.head is None:
            return
        place = (selection.kind, selection.layer, selection.head)
        dialog = CircuitsDialog(self._session, place, self._appearance, self._host)
        dialog.export_asked.connect(self.page_export_asked)
        self._page = dialog.exported
        dialog.finished.connect(self._forget_page)
        self._open(dialog)

    def exported(self) -> Page | None:
        """What a dialog shows that is to be exported, while it is open."""
        return self._page()

    def _forget_page(self) -> None:
        self._page = _nothing

    def show_batch(self, request: MakeBatch) -> None:
        """Show a batch of the training data; of several that are asked for meanwhile, the last."""
        self._batch_asked = request
        self._batch_turns.begin(self._showing_batch())

    def _showing_batch(self) -> Iterator[None]:
        """To make the dialog, where there is none yet, takes many turns; to show it, one."""
        from viewer.dialogs.batch_dialog import BatchDialog

        if self._batch is None:
            yield
            dialog = BatchDialog(self._training, self._appearance, self._host, at_once=False)
            for _ in dialog.parts:
                yield
                if not isValid(dialog):
                    return
            self._batch = dialog
            self.opened.emit(dialog)
            yield
            if not (isValid(dialog) and self._host.isVisible()):
                return  # the window went away meanwhile
        if self._batch_asked is not None:
            self._batch.show_request(self._batch_asked)
        self._batch.show()
        self._batch.activateWindow()

    def _open(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.opened.emit(dialog)
        asked = dialog.size() if dialog.testAttribute(Qt.WidgetAttribute.WA_Resized) else dialog.sizeHint()
        dialog.resize(asked.boundedTo(self._room()))
        dialog.open()

    def _room(self) -> QSize:
        """What a dialog may take of the screen."""
        return self._host.screen().availableSize() - QSize(_EDGE, _EDGE)
