"""The window's dialogs: made when they are asked for, gone when they are closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog

from viewer.dialogs.about import AboutDialog
from viewer.dialogs.batch_dialog import Asked, BatchDialog
from viewer.dialogs.beam_dialog import BeamDialog
from viewer.dialogs.bookmark_name import BookmarkNameDialog
from viewer.dialogs.bookmarks_dialog import BookmarksDialog
from viewer.dialogs.gold_dialog import GoldDialog
from viewer.dialogs.kept_dialog import KeptDialog
from viewer.dialogs.key_sheet import KeySheet
from viewer.dialogs.model_info import ModelInfoDialog
from viewer.dialogs.sampling_dialog import SamplingDialog
from viewer.state.gold_edits import can_have_gold
from viewer.state.sampling_preview import step_shares
from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.decoding_menu import DecodingButton

if TYPE_CHECKING:
    from viewer.main_window import MainWindow


class WindowDialogs(QObject):
    """Opens dialogs without stopping the window."""

    def __init__(self, window: MainWindow, session: Session, appearance: Appearance) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._look = appearance
        self._batch: BatchDialog | None = None

    def show_keys(self) -> None:
        """Open the key sheet."""
        self._open(KeySheet(self._window))

    def show_about(self) -> None:
        """Open the About dialog."""
        self._open(AboutDialog(self._window))

    def show_model_info(self) -> None:
        """Open what is known of the model in use."""
        info = self._session.model
        if info is not None:
            self._open(ModelInfoDialog(info, info.card, self._window))

    def ask_beam(self) -> None:
        """Ask how to search."""
        dialog = BeamDialog(self._decoding.decoding, self._window)
        dialog.accepted.connect(self._beam_chosen)
        self._open(dialog)

    def ask_sampling(self) -> None:
        """Ask how to draw, and show what that does to the next word in view."""
        button = self._decoding
        shown = step_shares(self._session)
        dialog = SamplingDialog(button.decoding, button.samples, shown, self._window)
        dialog.accepted.connect(self._sampling_chosen)
        self._open(dialog)

    @property
    def _decoding(self) -> DecodingButton:
        return self._window.look_page.sentence.decoding

    def _beam_chosen(self) -> None:
        dialog = self.sender()
        if isinstance(dialog, BeamDialog):
            self._decoding.set_decoding(dialog.decoding)

    def _sampling_chosen(self) -> None:
        dialog = self.sender()
        if isinstance(dialog, SamplingDialog):
            self._decoding.set_decoding(dialog.decoding, dialog.samples.value())

    def ask_bookmark(self) -> None:
        """Ask how the view is to be called."""
        self._open(BookmarkNameDialog(self._session, self._window))

    def show_bookmarks(self) -> None:
        """Open the list of bookmarks."""
        self._open(BookmarksDialog(self._session, self._window))

    def show_kept(self) -> None:
        """Open the list of the sessions that are kept; what crashes left is then no longer offered."""
        dialog = KeptDialog(self._window.kept, self._window)
        dialog.restore_asked.connect(self._window.restore_asked)
        dialog.finished.connect(self._window.kept.answered)
        self._open(dialog)

    def ask_gold(self) -> None:
        """Ask which words of the run in view render each other."""
        run = self._session.run()
        if run is not None and can_have_gold(run):
            self._window.show_page(0)
            self._open(GoldDialog(self._session, run, self._window))

    def show_batch(self, request: Asked) -> None:
        """Show a batch of the training data."""
        if self._batch is None:
            self._batch = BatchDialog(self._window.training, self._look, self._window)
            self._batch.asked.connect(self._window.train_page.batch_asked)
            self._batch.cancel_asked.connect(self._window.train_page.batch_cancel_asked)
        self._batch.show_request(request)
        self._batch.show()
        self._batch.activateWindow()

    def _open(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
