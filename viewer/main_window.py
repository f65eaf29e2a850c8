"""The window: pages, menus, notices, keys, drag and drop. What it shows is the session's business."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QByteArray, QEvent, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QFont,
    QGuiApplication,
    QIcon,
    QKeyEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QHBoxLayout,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from viewer.actions import Actions
from viewer.drawing.fonts import families, missing_script
from viewer.exporting import Exporting
from viewer.guarded import Guarded
from viewer.guide import Guide
from viewer.keeping.safe_places import SafePlaces
from viewer.key_focus import KeyFocus
from viewer.keys import handle_key
from viewer.localization import Localization
from viewer.menus import Menus
from viewer.resources import pixmap
from viewer.session_menus import BookmarkMenu, KeptMenu
from viewer.settings import Settings
from viewer.state.session import Session
from viewer.state.training import Order, Training
from viewer.views.appearance import Appearance
from viewer.views.bookmark_bar import BookmarkBar
from viewer.views.look_page import LookPage
from viewer.views.notice_bar import NoticeBar
from viewer.views.positions_page import PositionsPage
from viewer.views.status_line import StatusLine
from viewer.views.stylesheet import stylesheet
from viewer.views.top_bar import TopBar
from viewer.window_actions import VIEW_OPTIONS, WindowActions
from viewer.window_dialogs import WindowDialogs
from viewer.window_notices import WindowNotices
from viewer.window_scenes import WindowScenes

if TYPE_CHECKING:
    from viewer.views.learn.learn_page import LearnPage
    from viewer.views.train.train_page import TrainPage

_SMALLEST = (900, 600)
_FIRST_SIZE = (1280, 800)
_LEARN, _TRAIN = 2, 3  # places of the pages that are made when they are first wanted
_FRAME = 40  # what a title bar and a frame may take of the screen's height


class MainWindow(Guarded, QMainWindow):
    """Headscope's window.

    Attributes:
        page: which is shown, see `show_page`.

    Signals:
        translate_asked: the decoding settings (dict); the text is `session.text`.
        cancel_asked: stop the decoding.
        path_asked: open this bundle, trace or session.
        restore_asked: open the session that is kept in this folder, which is then one's own.
        example_asked: show an example.
        closing: the window is about to close; whoever has work running ends it now.
        train_page_made, learn_page_made: the `TrainPage` and `LearnPage`, made when they are first wanted.
    """

    translate_asked = Signal(object)
    cancel_asked = Signal()
    path_asked = Signal(str)
    restore_asked = Signal(str)
    example_asked = Signal()
    closing = Signal()
    train_page_made = Signal(object)
    learn_page_made = Signal(object)

    def __init__(
        self,
        session: Session,
        training: Training,
        settings: Settings,
        appearance: Appearance,
        localization: Localization,
    ) -> None:
        super().__init__()
        self._session = session
        self.training = training
        self._settings = settings
        self._look = appearance
        self._localization = localization
        self.page, self.guide = 0, cast("Guide | None", None)
        self._train_page: TrainPage | None = None
        self._learn_page: LearnPage | None = None
        self._restyle()
        self.actions_ = Actions(self)
        self.top = TopBar(session, appearance)
        self.notice = NoticeBar(appearance)
        self._central = QWidget(self)
        self._pages = QStackedWidget(self._central)  # from the outside in, as in `LookPage`
        self.look_page = LookPage(session, appearance, self._pages)
        self.positions_page = PositionsPage(session, appearance, self._pages)
        self.status, self.bookmarks = StatusLine(session), BookmarkBar(session, appearance)
        lapse = self.look_page.time_lapse
        self.exporting = Exporting(session, settings, localization, self.positions_page, lapse, self)
        self.menus = Menus(self, self.actions_, settings)
        self.bookmark_menu = BookmarkMenu(self.menus.bookmarks, session, self)
        self.kept = SafePlaces(settings.kept_sessions)
        self.kept_menu = KeptMenu(self.menus.kept, self.kept, self)
        self._lay_out()
        self.dialogs = WindowDialogs(self, session, appearance)
        self.keys = KeyFocus(self, session)
        self._wiring = WindowActions(self, session, settings, appearance)
        self._notices, self._scenes = WindowNotices(self, session), WindowScenes(self, session)
        self._connect_views()
        self.setAcceptDrops(True)
        self.setMinimumSize(*_SMALLEST)
        self._restore()
        self._settle()
        self.retranslate()
        self.keys.to_picture()

    # Setting up.

    def _lay_out(self) -> None:
        central = self._central
        central.setObjectName("central")
        for page in (self.look_page, self.positions_page):
            self._pages.addWidget(page)
        column = QVBoxLayout(central)
        column.setContentsMargins(14, 6, 14, 6)
        column.setSpacing(8)
        column.addWidget(self.top)
        column.addWidget(self.notice)
        column.addWidget(self._pages, 1)
        self._foot = QHBoxLayout()
        self._foot.addWidget(self.bookmarks, 0, Qt.AlignmentFlag.AlignRight)
        column.addLayout(self._foot)
        self.setCentralWidget(central)
        self.top.set_model_menu(self.menus.model)
        self.setWindowIcon(QIcon(pixmap("headscope", "", 64)))

    def _connect_views(self) -> None:
        session, top, sentence = self._session, self.top, self.look_page.sentence
        top.page_asked.connect(self.show_page)
        top.language_asked.connect(self.toggle_language)
        top.present_asked.connect(self.toggle_present)
        top.export_asked.connect(self.exporting.open_dialog)
        self.menus.path_asked.connect(self.path_asked)
        self.menus.folder_asked.connect(self.ask_model)
        self.kept_menu.restore_asked.connect(self.restore_asked)
        self.kept_menu.list_asked.connect(self.dialogs.show_kept)
        sentence.translate_asked.connect(self._translate)
        sentence.cancel_asked.connect(self.cancel_asked)
        sentence.decoding.sampling_asked.connect(self.dialogs.ask_sampling)
        sentence.decoding.beam_asked.connect(self.dialogs.ask_beam)
        for pane in self.look_page.panes:
            pane.example_asked.connect(self.example_asked)
        self.look_page.drawer.branches.example_asked.connect(self.example_asked)
        self.look_page.drawer.heads_table.example_asked.connect(self.example_asked)
        self.look_page.next_word_changed.connect(self._wiring.refresh)
        self.look_page.read_out.connect(self.status.show_read_out)
        self.positions_page.read_out.connect(self.status.show_read_out)
        self.positions_page.model_asked.connect(self.ask_model)
        self.positions_page.look_asked.connect(self._show_look)
        self.exporting.said.connect(self.status.show_read_out)
        self.closing.connect(self.exporting.stop)
        session.panes_changed.connect(self._wiring.refresh)
        session.runs_changed.connect(self._runs_changed)
        session.model_changed.connect(self._wiring.refresh)
        self._look.changed.connect(self._restyle)

    def _restore(self) -> None:
        room = self.screen().availableSize()
        width, height = _FIRST_SIZE
        self.resize(min(width, room.width()), min(height, room.height() - _FRAME))
        self.restoreGeometry(self._settings.state("geometry"))
        self.look_page.restore_states(self._settings.state)
        view = {name: getattr(self._settings, name) for name in VIEW_OPTIONS.values()}
        self._session.set_view(**view)
        self._wiring.refresh()

    @property
    def train_page(self) -> TrainPage:
        """The Train page: its many fields take as long to make as all the rest of the window."""
        if self._train_page is None:
            from viewer.views.train.train_page import TrainPage

            page = self._train_page = TrainPage(self._session, self.training, self._look)
            page.live.read_out.connect(self.status.show_read_out)
            page.live.said.connect(self.status.show_read_out)
            page.start_asked.connect(self._remember_training)
            page.batch_asked.connect(self.dialogs.show_batch)
            page.form.restore(self._settings.train_options)
            page.set_plain(self._look.present)
            self._pages.addWidget(page)
            self.train_page_made.emit(page)
        return self._train_page

    @property
    def learn_page(self) -> LearnPage:
        """The Learn page."""
        if self._learn_page is None:
            from viewer.views.learn.learn_page import LearnPage

            page = self._learn_page = LearnPage(self._session, self._look)
            page.path_asked.connect(self.path_asked)
            page.look_asked.connect(self._show_look)
            self.exporting.pages.append(page)
            page.set_plain(self._look.present)
            self._pages.addWidget(page)
            self.learn_page_made.emit(page)
        return self._learn_page

    @property
    def shown_page(self) -> LookPage | PositionsPage | LearnPage | TrainPage:
        """The page in view."""
        shown = self._pages.currentWidget()
        made = (self.look_page, self.positions_page, self._learn_page, self._train_page)
        return next(page for page in made if page is not None and page is shown)

    @property
    def in_present(self) -> bool:
        """Whether the window is before an audience."""
        return self._look.present

    # What the user may ask.

    def show_page(self, index: int) -> None:
        """Show the Look (0), the Positions (1), the Learn (2) or the Train (3) page."""
        self.page = index
        self._pages.setCurrentWidget(self.page_of(index) if index else self.look_page)
        self.top.show_page(index)
        self.status.show_read_out("")
        self._settle()

    def page_of(self, index: int) -> PositionsPage | LearnPage | TrainPage:
        """The Positions (1), the Learn (2) or the Train (3) page."""
        if index == _TRAIN:
            return self.train_page
        return self.learn_page if index == _LEARN else self.positions_page

    def toggle_language(self) -> None:
        """From English to Chinese, or back."""
        self._localization.toggle()
        self._settings.language = self._localization.language

    def toggle_present(self) -> None:
        """Large type and nothing but the content, or back."""
        on = not self._look.present
        if on:
            self._before_present = (self.isMaximized(), QByteArray(self.saveGeometry()))
        self.menuBar().setVisible(not on)
        self.top.setVisible(not on)
        self.look_page.set_plain(on)
        if self._train_page is not None:
            self._train_page.set_plain(on)
        if self._learn_page is not None:
            self._learn_page.set_plain(on)
        self._look.set_present(on)
        self._settle()
        self.actions_["present"].setChecked(on)
        if on:
            self.showFullScreen()
        else:
            maximized, geometry = self._before_present
            if maximized:
                self.showMaximized()
            else:
                self.showNormal()
                self.restoreGeometry(geometry)

    def ask_model(self) -> None:
        """Ask for the folder of a model, of a session or of a time-lapse."""
        title = self.tr("Open a model, a session or a time-lapse")
        path = QFileDialog.getExistingDirectory(self, title, self._settings.folder)
        if path:
            self.path_asked.emit(path)

    def ask_trace(self) -> None:
        """Ask for a trace file."""
        kinds = self.tr("Traces (*.trace *.npz)")
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Open a trace"), self._settings.folder, kinds)
        if path:
            self.path_asked.emit(path)

    def show_callouts(self) -> None:
        """Point at the three things to do first, once in a person's life."""
        if not self._settings.callouts_seen and self.guide is None:
            self.guide = Guide(self._session, self._settings, self._look, self._central, self.look_page)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.actions_.retranslate()
        self.menus.retranslate()
        self.setWindowTitle(self.tr("Headscope"))
        self._notices.refresh()

    # Qt's own events.

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that no view took."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.keys.escape()
        elif self._pages.currentWidget() is not self.look_page or not handle_key(
            self._session, key, event.modifiers(), self.status.show_read_out
        ):
            super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take one local file or folder."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.path_asked.emit(paths[0])

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the layout, then let everything end."""
        if not self._look.present:
            self._settings.keep_state("geometry", self.saveGeometry())
        for name, state in self.look_page.states().items():
            self._settings.keep_state(name, state)
        self._settings.sync()
        self.closing.emit()
        super().closeEvent(event)

    # Answers to signals.

    def _translate(self) -> None:
        self.translate_asked.emit(self.look_page.sentence.decoding.decoding)

    def _settle(self) -> None:
        """The Look page needs its height: the status shares a row of it, but not in an audience's large type.

        The call-outs point at what is on that page, and have no place before an audience.
        """
        at_work = self._pages.currentWidget() is self.look_page and not self._look.present
        (self.look_page.family.rest if at_work else self._foot).insertWidget(0, self.status, 1)
        if self.guide is not None:
            self.guide.callouts.set_visible(at_work)

    def _remember_training(self, order: Order) -> None:
        self._settings.train_options = order.options

    def _show_look(self) -> None:
        self.show_page(0)

    def _runs_changed(self) -> None:
        self._wiring.refresh()
        trace = self._session.trace()
        warning = missing_script(trace.src_text + trace.tgt_text) if trace is not None else None
        if warning:
            self.notice.show_notice(warning)

    def _restyle(self) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        font = QFont()
        font.setFamilies(families())
        font.setPixelSize(self._look.px(14))
        QGuiApplication.setFont(font)
        application.setPalette(self._look.qpalette())
        application.setStyleSheet(stylesheet(self._look))
