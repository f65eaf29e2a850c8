"""Main window: pages, menus, notices, keys, drag and drop. What it shows is the session's business."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
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
from viewer.figures.canvas.fonts import missing_script
from viewer.icons import pixmap
from viewer.pages.look.map.numbers_menu import NumbersMenu
from viewer.pages.looks.renewal import Renewal
from viewer.pages.widgets.appearance import NO_LIMIT, SMALLEST, Appearance, smallest_window, take_type
from viewer.pages.widgets.drop_hint import DropHint
from viewer.pages.widgets.worded import Worded
from viewer.services.safe_places import SafePlaces
from viewer.window.actions import Actions
from viewer.window.bookmark_bar import BookmarkBar
from viewer.window.dialogs import WindowDialogs
from viewer.window.exporting import Exporting
from viewer.window.key_focus import KeyFocus
from viewer.window.keymap import Keymap
from viewer.window.keys import handle_key, is_of_picture, key_text, lesson_key, step_of
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
from viewer.window.tour.guidance import Guidance
from viewer.window.view_actions import ViewActions

if TYPE_CHECKING:
    from viewer.pages.learn.learn_page import LearnPage
    from viewer.pages.positions.positions_page import PositionsPage
    from viewer.pages.train.train_page import TrainPage

_FIRST_SIZE = (1280, 800)
_LOW = 820  # one that is lower has its menus in a button
_FRAME = 40  # what a title bar and a frame may take of the screen's height


class MainWindow(Worded, QMainWindow):
    """Headscope's window.

    Attributes:
        pages: what is in it, one page in view.
        keymap: which keys do what.
        menus, actions_, dialogs, keys, exporting, saving, presenting, handouts: what answers its menus and
            keys.
        kept: the sessions that are kept against a crash.
        palette_: what there is to do and to go to, found by name.
        manual: the manual, in a window of its own.
        guidance: call-outs and tour.

    Signals:
        path_asked: open this bundle, trace or session.
        paths_asked: open all of these, which were dropped together.
        restore_asked: open the session that is kept in this folder, which is then one's own.
        example_asked: show an example.
        threads_changed: models are to compute with so many threads; 0 for as many as there are to spare.
        lecture_asked: open the ready lecture in this language.
        closing: the window is about to close; whoever has work running ends it now.
    """

    path_asked = Signal(str)
    paths_asked = Signal(list)
    restore_asked = Signal(str)
    example_asked = Signal()
    threads_changed = Signal(int)
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
        self.keymap = Keymap(settings, self)
        self.actions_ = Actions(self.keymap, self)
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
        self.menus = Menus(self, self.actions_, settings, appearance)
        self.bookmark_menu = BookmarkMenu(self.menus.bookmarks, session, self)
        self.numbers = NumbersMenu(self.menus.numbers, session, None, self)
        self.kept = SafePlaces(settings.kept_sessions)
        self.kept_menu = KeptMenu(self.menus.kept, self.kept, self)
        self._lay_out()
        self.dialogs = WindowDialogs(self, session, training, settings, appearance, self.pages, self.kept)
        self.guidance = Guidance(session, settings, appearance, self._central, self.look_page, self._at_work)
        self.keys = KeyFocus(self, session, self.pages, appearance, self.keymap)
        self.presenting = Presenting(
            self, session, appearance, self.keymap, self.pages, self.actions_, self.menus, self.top,
            self.status, self.note, self._settle,
        )  # fmt: skip
        self._notices = WindowNotices(session, self.notice)
        self._scenes = WindowScenes(session, self.pages, lambda index: self.top.pages[index].text())
        reach = Reach(
            session, settings, self.keymap, localization, self.actions_, self.menus, self.numbers,
            self.dialogs, self._scenes, self.path_asked.emit, self.toggle_language,
            lambda page: self.manual.open_page(page),
        )  # fmt: skip
        self.palette_ = CommandPalette(self, reach, appearance, self.keys.to_picture)
        place = partial(place_now, self.pages, session, appearance)
        self.manual = Manual(self, appearance, localization, settings, place, self.palette_.do)
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
        self.drop_hint = DropHint(self._central, appearance)
        self._renewal = Renewal(self, appearance)
        # All parts at once: Qt would style each anew whenever it is put into another.
        self._renewal.restyle()
        self._take_smallest()
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
                "settings": self.show_settings,
                "manual": self.manual.open_here,
                "keys": self.manual.open_keys,
                "about": dialogs.show_about,
                "report": dialogs.show_report,
                "model_info": dialogs.show_model_info,
                "tour": self.show_tour,
                "first_tour": self.guidance.begin_tour,
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
        self._notices.tour_asked.connect(self.guidance.take_offered_tour)
        self.exporting.opened.connect(self.guidance.exported)
        self.guidance.tour_ended.connect(self.keys.to_picture)
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
        self.exporting.front = dialogs.exported
        for pane in look.panes:
            pane.example_asked.connect(self.example_asked)
            pane.gold_asked.connect(dialogs.ask_gold)
            pane.numbers.entries.trust_asked.connect(dialogs.ask_trust)
            for view in pane.views.values():
                view.picture_asked.connect(self.exporting.copy_picture)
        self.numbers.trust_asked.connect(dialogs.ask_trust)
        dialogs.trust_export_asked.connect(self.exporting.export_trust)
        look.example_asked.connect(self.example_asked)
        for read_out in (look.read_out, self.exporting.said, self.handouts.said, self.saving.said):
            read_out.connect(self.status.show_read_out)
        self.exporting.tree = look.drawer.tree
        self.exporting.panel = look.drawer.exported
        self.exporting.shares = look.next_word.shares.chosen
        self.closing.connect(self.exporting.writing.stop)
        self.closing.connect(self.saving.stop)
        self.closing.connect(self.handouts.stop)
        session.runs_changed.connect(self._runs_changed)
        self.training.requested.connect(self._training_asked)
        self.notice.toggled.connect(look.set_noticed)
        look.folded.connect(self._settle)
        self._appearance.changed.connect(self._take_smallest)
        self.keymap.changed.connect(self._keys_changed)

    def _serve_positions(self, page: PositionsPage) -> None:
        page.read_out.connect(self.status.show_read_out)
        page.model_asked.connect(self.dialogs.ask_model)
        page.look_asked.connect(self.pages.show_look)
        self.exporting.pages.append(page)
        self.exporting.positions = page

    def _serve_train(self, page: TrainPage) -> None:
        page.live.read_out.connect(self.status.show_read_out)
        page.live.write_asked.connect(self.exporting.writing.make)
        page.live.copy_asked.connect(self.exporting.writing.draw)
        page.form.restore(self._settings.train_options)
        page.form.row("device").set_value(self._settings.device)
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

    # What the user may ask.

    def toggle_language(self) -> None:
        """From English to Chinese, or back."""
        self._localization.toggle()
        self._settings.language = self._localization.language

    def choose_language(self, language: str) -> None:
        """Speak a language from now on."""
        if language != self._localization.language:
            self.toggle_language()

    def show_settings(self) -> None:
        """Open all settings."""
        from model.experiments.kept import experiments_folder
        from viewer.window.preferences.scope import Scope

        scope = Scope(
            self._session, self._settings, self._appearance, self._localization, self.keymap, self.actions_,
            self.kept, experiments_folder(), self.choose_language, self.threads_changed.emit,
            self._use_device,
        )  # fmt: skip
        self.dialogs.show_settings(scope)

    def show_tour(self) -> None:
        """Go through the architecture block by block."""
        self._scenes.go(Place(Scene("learn", "architecture", {"tour": True})))

    def _at_work(self) -> None:
        """The Look page, not before an audience."""
        if self._appearance.present:
            self.presenting.toggle()
        self.pages.show_look()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.actions_.retranslate()
        self.menus.retranslate()
        self.guidance.retranslate()
        self.setWindowTitle(self.tr("Headscope"))
        self._notices.refresh()
        self.presenting.say_keys()

    # Qt's own events.

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low window the menus are one button; their letters go on working."""
        super().resizeEvent(event)
        bar, low = self.menuBar(), self.height() < self._appearance.px(_LOW)
        folded = low and not bar.isNativeMenuBar()
        bar.setMaximumHeight(0 if folded else NO_LIMIT)
        self.top.fold_menus(bar, folded)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys that no view took."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            busy = self._session.job.cancellable or self._session.playing
            if busy or not self.guidance.leave():
                self.keys.escape()
        elif not self._page_key(key, event.modifiers()):
            super().keyPressEvent(event)

    def _page_key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> bool:
        """What a key means on the page in view; False if it means nothing."""
        names = self.keymap.by_window()
        name = names.get(key_text(key, modifiers), "")
        by = step_of(name)
        if self.pages.index == LEARN and by and self.pages.learn.step(by):
            return True
        if by and self.presenting.next_stop(by):
            return True
        if self.pages.index == LEARN:
            done = lesson_key(self.pages.learn.step, self._session, by)
        else:
            done = self.pages.index == LOOK and handle_key(
                self._session, key, modifiers, self.status.show_read_out, names
            )
        if not done and name and not is_of_picture(name):  # an action that was given a bare key
            self.actions_[name].trigger()
            return True
        return done

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take local files and folders, and say what becomes of them."""
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()
            self.drop_hint.offer(
                self.tr("Drop to open: a model, a session or a time-lapse, traces, a file of sentences")
            )

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """They went elsewhere."""
        self.drop_hint.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open what was dropped."""
        self.drop_hint.hide()
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.paths_asked.emit(paths)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the layout, then let everything end."""
        if not self._appearance.present:
            self._settings.keep_state("geometry", self.saveGeometry())
        for name, state in self.look_page.states().items():
            self._settings.keep_state(name, state)
        self.closing.emit()
        self._settings.sync()
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
        self.guidance.set_visible(at_work)

    def _training_asked(self, request: ViewRequest) -> None:
        if isinstance(request, StartRun):
            self._settings.train_options = request.options
            self._settings.device = request.options.train.device
        elif isinstance(request, MakeBatch):
            self.dialogs.show_batch(request)

    def _use_device(self, device: str) -> None:
        """The form of Train, once there is one, begins with it."""
        page = self.pages.train_page
        if page is not None:
            page.form.row("device").set_value(device)

    def _runs_changed(self) -> None:
        trace = self._session.trace()
        warning = missing_script(trace.src_text + trace.tgt_text) if trace is not None else None
        if warning:
            self.notice.show_notice(warning)

    def _keys_changed(self) -> None:
        """All that names a key says it anew, as in another language."""
        QApplication.sendEvent(self, QEvent(QEvent.Type.LanguageChange))

    def _take_smallest(self) -> None:
        """Larger type needs a larger window, as far as the screen goes."""
        room = self.screen().availableSize().expandedTo(QSize(*SMALLEST))
        self.setMinimumSize(smallest_window(self._appearance.type_size).boundedTo(room))
