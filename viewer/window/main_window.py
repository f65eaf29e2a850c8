"""Main window: pages, menus, notices, keys, drag and drop. What it shows is the session's business."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QFont,
    QGuiApplication,
    QIcon,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QVBoxLayout,
    QWidget,
)

from viewer.document.messages.requests import ViewRequest
from viewer.document.messages.training_requests import MakeBatch, StartRun
from viewer.document.scene import Place, Scene
from viewer.document.session import Session
from viewer.document.training.training import Training
from viewer.figures.canvas.fonts import families, missing_script
from viewer.pages.look.map.numbers_menu import NumbersMenu
from viewer.pages.look.pane_views import pane_view
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.stylesheet import stylesheet
from viewer.pages.widgets.worded import Worded
from viewer.resources import pixmap
from viewer.services.safe_places import SafePlaces
from viewer.window.actions import Actions
from viewer.window.bookmark_bar import BookmarkBar
from viewer.window.dialogs import WindowDialogs
from viewer.window.exporting import Exporting
from viewer.window.guide import Guide
from viewer.window.key_focus import KeyFocus
from viewer.window.keys import handle_key, lesson_key
from viewer.window.lecture.handouts import Handouts
from viewer.window.lecture.note_strip import NoteStrip
from viewer.window.lecture.presenting import Presenting
from viewer.window.lecture.stops import Stops
from viewer.window.localization import Localization
from viewer.window.look_actions import LookActions
from viewer.window.manual.manual import Manual
from viewer.window.manual.places import place_now
from viewer.window.menus import Menus
from viewer.window.notice_bar import NoticeBar
from viewer.window.notices import WindowNotices
from viewer.window.pages import LEARN, LOOK, Pages
from viewer.window.palette.command_palette import CommandPalette
from viewer.window.palette.entry import Reach
from viewer.window.scenes import WindowScenes
from viewer.window.session_actions import SessionActions
from viewer.window.session_menus import BookmarkMenu, KeptMenu
from viewer.window.session_saving import SessionSaving
from viewer.window.settings import Settings
from viewer.window.status_line import StatusLine
from viewer.window.top_bar import TopBar
from viewer.window.view_actions import ViewActions

if TYPE_CHECKING:
    from viewer.pages.learn.learn_page import LearnPage
    from viewer.pages.positions.positions_page import PositionsPage
    from viewer.pages.train.train_page import TrainPage

_SMALLEST = (900, 600)
_FIRST_SIZE = (1280, 800)
_LOW = 820  # one that is lower has its menus in a button
_NO_LIMIT = 16777215  # Qt's
_FRAME = 40  # what a title bar and a frame may take of the screen's height


class MainWindow(Worded, QMainWindow):
    """Headscope's window.

    Attributes:
        pages: what is in it, one page in view.
        menus, actions_, dialogs, keys, exporting, saving, presenting, handouts: what answers its menus and
            keys.
        kept: the sessions that are kept against a crash.
        palette_: what there is to do and to go to, found by name.
        manual: the manual, in a window of its own.
        guide: the call-outs of a first start, once they were shown.

    Signals:
        path_asked: open this bundle, trace or session.
        restore_asked: open the session that is kept in this folder, which is then one's own.
        example_asked: show an example.
        lecture_asked: open the ready lecture in this language.
        closing: the window is about to close; whoever has work running ends it now.
    """

    path_asked = Signal(str)
    restore_asked = Signal(str)
    example_asked = Signal()
    lecture_asked = Signal(str)
    closing = Signal()

    def __init__(
        self,
        session: Session,
        training: Training,
        settings: Settings,
        appearance: Appearance,
        localization: Localization,
    ) -> None:
        take_type(appearance)  # a window that is there already would hand its own type down to its parts
        super().__init__()
        self._session = session
        self.training = training
        self._settings = settings
        self._appearance = appearance
        self._localization = localization
        self.guide: Guide | None = None
        self.actions_ = Actions(self)
        self._central = QWidget(self)
        # What has the window for a parent first comes first for the Tab key: the tabs of the pages.
        self.top = TopBar(session, appearance, self._central)
        self.notice = NoticeBar(appearance)
        self.pages = Pages(session, training, appearance, self._central)
        self.look_page = self.pages.look
        self.status, self.bookmarks = StatusLine(session), BookmarkBar(session, appearance)
        self.note = NoteStrip(session, appearance)
        lapse = self.look_page.time_lapse
        self.exporting = Exporting(session, training, settings, localization, lapse, self)
        self.saving = SessionSaving(session, settings, self)
        self.menus = Menus(self, self.actions_, settings)
        self.bookmark_menu = BookmarkMenu(self.menus.bookmarks, session, self)
        self.numbers = NumbersMenu(self.menus.numbers, session, None, self)
        self.kept = SafePlaces(settings.kept_sessions)
        self.kept_menu = KeptMenu(self.menus.kept, self.kept, self)
        self._lay_out()
        self.dialogs = WindowDialogs(self, session, training, settings, appearance, self.pages, self.kept)
        self.keys = KeyFocus(self, session, self.pages, appearance)
        self.presenting = Presenting(
            self, session, appearance, self.pages, self.actions_, self.menus, self.top, self.status,
            self.note, self._settle,
        )  # fmt: skip
        self._notices = WindowNotices(session, self.notice)
        self._scenes = WindowScenes(session, self.pages, lambda index: self.top.pages[index].text())
        reach = Reach(
            session, settings, localization, self.actions_, self.menus, self.numbers, self.dialogs,
            self._scenes, self.path_asked.emit, self.toggle_language, self._open_page,
        )  # fmt: skip
        self.palette_ = CommandPalette(self, reach, appearance, self.keys.to_picture)
        self.manual = Manual(self, appearance, localization, settings, self._place, self.palette_.do)
        stops = Stops(session, self.pages, self.exporting, self._scenes)
        self.handouts = Handouts(session, settings, stops, self)
        self.exporting.stops = stops
        self.exporting.writing.left = stops.leave
        look_actions = LookActions(self.actions_, session, self.pages)
        view_actions = ViewActions(self.actions_, session, settings, appearance, self.pages)
        session_actions = SessionActions(self.actions_, session, self)
        self.pages.shown.connect(session_actions.refresh)
        self._connect_actions()
        self._connect_views()
        self.setAcceptDrops(True)
        self.setMinimumSize(*_SMALLEST)
        self._restyle()  # all parts at once: Qt would style each anew whenever it is put into another
        self._restore()
        view_actions.restore()
        look_actions.refresh()
        session_actions.refresh()
        self._settle()
        self.retranslate()
        self.keys.to_picture()

    # Setting up.

    def _lay_out(self) -> None:
        central = self._central
        central.setObjectName("central")
        column = self._column = QVBoxLayout(central)
        column.setContentsMargins(14, 6, 14, 6)
        column.setSpacing(8)
        column.addWidget(self.top)
        column.addWidget(self.notice)
        column.addWidget(self.pages, 1)
        column.addWidget(self.note)
        self._foot = QHBoxLayout()
        column.addLayout(self._foot)
        self.setCentralWidget(central)
        self.top.set_model_menu(self.menus.model)
        self.setWindowIcon(QIcon(pixmap("headscope", "", 64)))

    def _connect_actions(self) -> None:
        dialogs, exporting = self.dialogs, self.exporting
        self.addActions(self.actions_.all())
        self.actions_.connect_all(
            {
                "open_model": dialogs.ask_model,
                "open_trace": dialogs.ask_trace,
                "open_session": dialogs.ask_model,
                "save_trace": exporting.save_trace,
                "save_session": self.saving.ask,
                "export": exporting.open_dialog,
                "copy_picture": exporting.copy_picture,
                "copy_command": exporting.copy_command,
                "script": exporting.recorder.open_dialog,
                "quit": self.close,
                "present": self.presenting.toggle,
                "palette": self.palette_.open,
                "manual": self.manual.open_here,
                "keys": self.manual.open_keys,
                "about": dialogs.show_about,
                "report": dialogs.show_report,
                "model_info": dialogs.show_model_info,
                "tour": self.show_tour,
                "gold_links": dialogs.ask_gold,
                "add_bookmark": dialogs.ask_bookmark,
                "edit_bookmarks": dialogs.show_bookmarks,
                "print_handout": self.handouts.ask,
                "lecture_en": partial(self.lecture_asked.emit, "en"),
                "lecture_zh": partial(self.lecture_asked.emit, "zh"),
            }
        )
        self.keys.present_left.connect(self.presenting.toggle)
        for opens in (
            dialogs.opened,
            exporting.opened,
            exporting.recorder.opened,
            self.saving.opened,
            self.palette_.opened,
        ):
            opens.connect(self.manual.serve)
        self.closing.connect(self.manual.close)

    def _connect_views(self) -> None:
        session, top, look, dialogs = self._session, self.top, self.look_page, self.dialogs
        self.pages.shown.connect(self._page_shown)
        self.pages.positions_made.connect(self._serve_positions)
        self.pages.learn_made.connect(self._serve_learn)
        self.pages.train_made.connect(self._serve_train)
        top.page_asked.connect(self.pages.show_page)
        top.language_asked.connect(self.toggle_language)
        top.present_asked.connect(self.presenting.toggle)
        top.export_asked.connect(self.exporting.open_dialog)
        self.menus.folder_asked.connect(dialogs.ask_model)
        self.kept_menu.list_asked.connect(dialogs.show_kept)
        self._notices.list_asked.connect(dialogs.show_kept)
        self._notices.answered.connect(self.kept.answered)
        for path_asked in (self.menus.path_asked, dialogs.path_asked, self._notices.path_asked):
            path_asked.connect(self.path_asked)
        for restore_asked in (
            self.kept_menu.restore_asked,
            dialogs.restore_asked,
            self._notices.restore_asked,
        ):
            restore_asked.connect(self.restore_asked)
        look.sentence.decoding.sampling_asked.connect(dialogs.ask_sampling)
        look.sentence.decoding.beam_asked.connect(dialogs.ask_beam)
        look.circuits_asked.connect(dialogs.show_circuits)
        dialogs.page_export_asked.connect(self.exporting.open_dialog)
        self.exporting.front = lambda: dialogs.page()
        for pane in look.panes:
            pane.example_asked.connect(self.example_asked)
            pane.gold_asked.connect(dialogs.ask_gold)
            for view in pane.views.values():
                view.picture_asked.connect(self.exporting.copy_picture)
        look.example_asked.connect(self.example_asked)
        for read_out in (
            look.read_out,
            self.exporting.said,
            self.handouts.said,
            self.saving.said,
        ):
            read_out.connect(self.status.show_read_out)
        self.exporting.tree = look.branches.figure
        self.exporting.panel = look.drawer.exported
        self.exporting.shares = look.next_word.shares.chosen
        self.closing.connect(self.exporting.writing.stop)
        self.closing.connect(self.saving.stop)
        self.closing.connect(self.handouts.stop)
        session.runs_changed.connect(self._runs_changed)
        self.training.requested.connect(self._training_asked)
        self.notice.toggled.connect(look.set_noticed)
        look.folded.connect(self._settle)
        self._appearance.changed.connect(self._restyle)

    def _serve_positions(self, page: PositionsPage) -> None:
        page.read_out.connect(self.status.show_read_out)
        page.model_asked.connect(self.dialogs.ask_model)
        page.look_asked.connect(self.pages.show_look)
        self.exporting.pages.append(page)
        self.exporting.positions = page

    def _serve_train(self, page: TrainPage) -> None:
        page.live.read_out.connect(self.status.show_read_out)
        page.live.said.connect(self.status.show_read_out)
        page.form.restore(self._settings.train_options)
        self.exporting.pages.append(page)

    def _serve_learn(self, page: LearnPage) -> None:
        page.path_asked.connect(self.path_asked)
        page.look_asked.connect(self.pages.show_look)
        page.place_asked.connect(self._scenes.go)
        self.exporting.pages.append(page)

    def _restore(self) -> None:
        room = self.screen().availableSize()
        width, height = _FIRST_SIZE
        self.resize(min(width, room.width()), min(height, room.height() - _FRAME))
        self.restoreGeometry(self._settings.state("geometry"))
        self.look_page.restore_states(self._settings.state)

    @property
    def positions_page(self) -> PositionsPage:
        """The Positions page."""
        return self.pages.positions

    # What the user may ask.

    def toggle_language(self) -> None:
        """From English to Chinese, or back."""
        self._localization.toggle()
        self._settings.language = self._localization.language

    def _open_page(self, name: str) -> None:
        self.manual.open_page(name)

    def _place(self) -> str:
        """Where one is, for the manual."""
        selection = self._session.selection()
        view = "map" if selection is None else pane_view(selection.view).name
        return place_now(self.pages, view, self._appearance.present)

    def show_tour(self) -> None:
        """Go through the architecture block by block."""
        self._scenes.go(Place(Scene("learn", "architecture", {"tour": True})))

    def show_callouts(self) -> None:
        """Point at the three things to do first, once in a person's life."""
        if not self._settings.callouts_seen and self.guide is None:
            self.guide = Guide(self._session, self._settings, self._appearance, self._central, self.look_page)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.actions_.retranslate()
        self.menus.retranslate()
        self.setWindowTitle(self.tr("Headscope"))
        self._notices.refresh()
        self.presenting.say_keys()

    # Qt's own events.

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window the menus are one button; their letters go on working."""
        super().resizeEvent(event)
        bar, low = self.menuBar(), self.height() < self._appearance.px(_LOW)
        folded = low and not bar.isNativeMenuBar()
        bar.setMaximumHeight(0 if folded else _NO_LIMIT)
        self.top.fold_menus(bar, folded)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that no view took."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            busy = self._session.job.cancellable or self._session.playing
            if busy or self.guide is None or not self.guide.leave():
                self.keys.escape()
        elif not self._page_key(key, event.modifiers()):
            super().keyPressEvent(event)

    def _page_key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        """What a key means on the page in view; False if it means nothing."""
        by = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}.get(key, 0)
        if self.pages.index == LEARN and by and self.pages.learn.step(by):
            return True
        if by and self.presenting.next_stop(by):
            return True
        if self.pages.index == LEARN:
            return lesson_key(self.pages.learn.step, self._session, key, modifiers)
        if self.pages.index != LOOK:
            return False
        return handle_key(self._session, key, modifiers, self.status.show_read_out)

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
        if not self._appearance.present:
            self._settings.keep_state("geometry", self.saveGeometry())
        for name, state in self.look_page.states().items():
            self._settings.keep_state(name, state)
        self._settings.sync()
        self.closing.emit()
        super().closeEvent(event)

    # Answers to signals.

    def _page_shown(self, index: int) -> None:
        self.top.show_page(index)
        self.status.show_read_out("")
        self._settle()

    def _settle(self) -> None:
        """The Look page needs its height: the status shares a row of it, but not in an audience's large type.

        The call-outs point at what is on that page, and have no place before an audience.
        """
        at_work = self.pages.index == LOOK and not self._appearance.present
        look = self.look_page
        if at_work and look.room.spread:
            self.top.take_in(look.kind_row)
        elif self.top.let_go(look.kind_row):
            look.take_back_kind_row()
        row = look.kind_row.rest if at_work else self._foot
        row.insertWidget(0, self.status, 1)
        if self._appearance.present:  # what an audience is at stands above it, as on a slide
            self._column.insertWidget(0, self.bookmarks)
        else:
            row.addWidget(self.bookmarks)
        if self.guide is not None:
            self.guide.callouts.set_visible(at_work)

    def _training_asked(self, request: ViewRequest) -> None:
        if isinstance(request, StartRun):
            self._settings.train_options = request.options
        elif isinstance(request, MakeBatch):
            self.dialogs.show_batch(request)

    def _runs_changed(self) -> None:
        trace = self._session.trace()
        warning = missing_script(trace.src_text + trace.tgt_text) if trace is not None else None
        if warning:
            self.notice.show_notice(warning)

    def _restyle(self) -> None:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        take_type(self._appearance)
        application.setStyleSheet(stylesheet(self._appearance))


def take_type(appearance: Appearance) -> None:
    """Give the application its font and palette, which widgets have from the moment they are made."""
    font = QFont()
    font.setFamilies(families())
    font.setPixelSize(appearance.px(14))
    QGuiApplication.setFont(font)
    QApplication.setPalette(appearance.qpalette())
