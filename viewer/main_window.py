"""The window: pages, menus, notices, keys, drag and drop. What it shows is the session's business."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QEvent, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QFont,
    QGuiApplication,
    QIcon,
    QKeyEvent,
    QKeySequence,
    QShortcut,
)
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QMainWindow,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from viewer.actions import Actions
from viewer.dialogs.about import AboutDialog
from viewer.dialogs.key_sheet import KeySheet
from viewer.dialogs.model_info import ModelInfoDialog
from viewer.dialogs.sampling_dialog import SamplingDialog
from viewer.drawing.fonts import families, missing_script
from viewer.exporting import Exporting
from viewer.guide import Guide
from viewer.keys import handle_key
from viewer.localization import Localization
from viewer.menus import Menus
from viewer.resources import bundled_model, model_card, pixmap
from viewer.settings import Settings
from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.look_page import LookPage
from viewer.views.notice_bar import NoticeBar
from viewer.views.positions_page import PositionsPage
from viewer.views.status_line import StatusLine
from viewer.views.stylesheet import stylesheet
from viewer.views.top_bar import TopBar

_SMALLEST = (900, 600)
_FIRST_SIZE = (1280, 800)
_FRAME = 40  # what a title bar and a frame may take of the screen's height


class MainWindow(QMainWindow):
    """Headscope's window.

    Signals:
        translate_asked: the decoding settings (dict); the text is `session.text`.
        cancel_asked: stop the decoding.
        path_asked: open this bundle, trace or session.
        example_asked: show an example.
        closing: the window is about to close; whoever has work running ends it now.
    """

    translate_asked = Signal(object)
    cancel_asked = Signal()
    path_asked = Signal(str)
    example_asked = Signal()
    closing = Signal()

    def __init__(
        self, session: Session, settings: Settings, appearance: Appearance, localization: Localization
    ) -> None:
        super().__init__()
        self._session = session
        self._settings = settings
        self._look = appearance
        self._localization = localization
        self.guide: Guide | None = None
        self._restyle()
        self.actions_ = Actions(self)
        self.top = TopBar(session, appearance)
        self.notice = NoticeBar(appearance)
        self.look_page = LookPage(session, appearance)
        self.positions_page = PositionsPage(session, appearance)
        self.status = StatusLine(session)
        self.exporting = Exporting(session, settings, localization, self.positions_page, self)
        self.menus = Menus(self, self.actions_, settings)
        self._central, self._pages = QWidget(), QStackedWidget()
        self._lay_out()
        self._connect_actions()
        self._connect_views()
        self.setAcceptDrops(True)
        self.setMinimumSize(*_SMALLEST)
        self._restore()
        self.retranslate()
        self.look_page.sentence.box.setFocus()

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
        column.addWidget(self.status)
        self.setCentralWidget(central)
        self.top.set_model_menu(self.menus.model)
        self.setWindowIcon(QIcon(pixmap("headscope", "", 64)))

    def _connect_actions(self) -> None:
        actions = self.actions_
        self.addActions(actions.all())
        for name, slot in (
            ("open_model", self.ask_model),
            ("open_trace", self.ask_trace),
            ("open_session", self.ask_model),
            ("save_trace", self.exporting.save_trace),
            ("save_session", self.exporting.save_session),
            ("export", self.exporting.open_dialog),
            ("copy_picture", self.exporting.copy_picture),
            ("copy_command", self.exporting.copy_command),
            ("quit", self.close),
            ("present", self.toggle_present),
            ("keys", self.show_keys),
            ("about", self.show_about),
            ("model_info", self.show_model_info),
            ("second_pane", self._second_pane_clicked),
            ("next_word", self.look_page.show_next_word),
        ):
            actions[name].triggered.connect(slot)
        for name, option in (
            ("sqrt", "sqrt_scale"), ("raw_pieces", "raw_pieces"), ("hide_specials", "hide_specials"),
        ):  # fmt: skip
            actions[name].setData(option)
            actions[name].triggered.connect(self._view_option_clicked)
        actions.theme_group.triggered.connect(self._theme_chosen)
        QShortcut(QKeySequence("Ctrl+L"), self, self._to_sentence)

    def _connect_views(self) -> None:
        session, top, sentence = self._session, self.top, self.look_page.sentence
        top.page_asked.connect(self.show_page)
        top.language_asked.connect(self.toggle_language)
        top.present_asked.connect(self.toggle_present)
        top.export_asked.connect(self.exporting.open_dialog)
        self.menus.path_asked.connect(self.path_asked)
        self.menus.folder_asked.connect(self.ask_model)
        sentence.translate_asked.connect(self._translate)
        sentence.cancel_asked.connect(self.cancel_asked)
        sentence.decoding.sampling_asked.connect(self._ask_sampling)
        for pane in self.look_page.panes:
            pane.example_asked.connect(self.example_asked)
        self.look_page.next_word_changed.connect(self._refresh_actions)
        self.look_page.read_out.connect(self.status.show_read_out)
        self.positions_page.read_out.connect(self.status.show_read_out)
        self.positions_page.model_asked.connect(self.ask_model)
        self.exporting.said.connect(self.status.show_read_out)
        session.notice_changed.connect(self._show_notice)
        session.view_changed.connect(self._view_changed)
        session.panes_changed.connect(self._refresh_actions)
        session.runs_changed.connect(self._runs_changed)
        session.model_changed.connect(self._refresh_actions)
        self._look.changed.connect(self._restyle)

    def _restore(self) -> None:
        room = self.screen().availableSize()
        width, height = _FIRST_SIZE
        self.resize(min(width, room.width()), min(height, room.height() - _FRAME))
        self.restoreGeometry(self._settings.state("geometry"))
        self.look_page.body.restoreState(self._settings.state("body"))
        self.actions_.themes[self._look.choice].setChecked(True)
        view = {name: getattr(self._settings, name) for name in ("sqrt_scale", "raw_pieces", "hide_specials")}
        self._session.set_view(**view)
        self._refresh_actions()

    # What the user may ask.

    def show_page(self, index: int) -> None:
        """Show the Look (0) or the Positions (1) page."""
        self._pages.setCurrentIndex(index)
        self.top.show_page(index)
        self.status.show_read_out("")

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
        if self.guide is not None:
            self.guide.callouts.set_visible(not on)
        self.look_page.set_plain(on)
        self._look.set_present(on)
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
        """Ask for the folder of a model or of a session."""
        title = self.tr("Open a model or a session")
        path = QFileDialog.getExistingDirectory(self, title, self._settings.folder)
        if path:
            self.path_asked.emit(path)

    def ask_trace(self) -> None:
        """Ask for a trace file."""
        kinds = self.tr("Traces (*.trace)")
        path, _ = QFileDialog.getOpenFileName(self, self.tr("Open a trace"), self._settings.folder, kinds)
        if path:
            self.path_asked.emit(path)

    def show_keys(self) -> None:
        """Open the key sheet."""
        self._open(KeySheet(self))

    def show_about(self) -> None:
        """Open the About dialog."""
        self._open(AboutDialog(self))

    def show_model_info(self) -> None:
        """Open what is known of the model in use."""
        info = self._session.model
        if info is not None:
            self._open(ModelInfoDialog(info, info.card or model_card(info.path), self))

    def show_callouts(self) -> None:
        """Point at the three things to do first, once in a person's life."""
        if not self._settings.callouts_seen and self.guide is None:
            self.guide = Guide(self._session, self._settings, self._look, self._central, self.look_page)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.actions_.retranslate()
        self.menus.retranslate()
        self.setWindowTitle(self.tr("Headscope"))
        self._show_notice()

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
            self._escape()
        elif self._pages.currentIndex() != 0 or not handle_key(self._session, key, event.modifiers()):
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
        self._settings.keep_state("body", self.look_page.body.saveState())
        self._settings.sync()
        self.closing.emit()
        super().closeEvent(event)

    # Answers to signals.

    def _translate(self) -> None:
        self.translate_asked.emit(self.look_page.sentence.decoding.decoding)

    def _escape(self) -> None:
        if self._session.job.state == "decoding":
            self.cancel_asked.emit()
        elif self._session.playing:
            self._session.set_playing(False)
        elif self.look_page.sentence.box.hasFocus():
            self.look_page.panes[self._session.active].map.setFocus()
        elif self._look.present:
            self.toggle_present()

    def _to_sentence(self) -> None:
        self.show_page(0)
        self.look_page.sentence.box.setFocus()
        self.look_page.sentence.box.selectAll()

    def _ask_sampling(self) -> None:
        dialog = SamplingDialog(self.look_page.sentence.decoding.decoding, self)
        dialog.accepted.connect(self._sampling_chosen)
        self._open(dialog)

    def _sampling_chosen(self) -> None:
        dialog = self.sender()
        if isinstance(dialog, SamplingDialog):
            self.look_page.sentence.decoding.set_decoding(dialog.decoding)

    def _second_pane_clicked(self) -> None:
        if len(self._session.document.panes) > 1:
            self._session.close_second_pane()
        else:
            self._session.open_second_pane()
        self._refresh_actions()

    def _view_option_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._session.set_view(**{action.data(): action.isChecked()})

    def _theme_chosen(self, action: QAction) -> None:
        self._settings.theme = action.data()
        self._look.choose(action.data())

    def _view_changed(self) -> None:
        view = self._session.view
        self._settings.sqrt_scale = view.sqrt_scale
        self._settings.raw_pieces = view.raw_pieces
        self._settings.hide_specials = view.hide_specials
        self._refresh_actions()

    def _refresh_actions(self) -> None:
        actions, session, view = self.actions_, self._session, self._session.view
        actions["sqrt"].setChecked(view.sqrt_scale)
        actions["raw_pieces"].setChecked(view.raw_pieces)
        actions["hide_specials"].setChecked(view.hide_specials)
        actions["second_pane"].setChecked(len(session.document.panes) > 1)
        actions["next_word"].setChecked(not self.look_page.next_word.isHidden())
        shown = session.trace() is not None
        actions["save_session"].setEnabled(shown)
        for name in ("save_trace", "second_pane", "copy_command", "copy_picture", "export"):
            actions[name].setEnabled(shown or (session.model is not None and name != "save_trace"))
        actions["model_info"].setEnabled(session.model is not None)

    def _runs_changed(self) -> None:
        self._refresh_actions()
        trace = self._session.trace()
        warning = missing_script(trace.src_text + trace.tgt_text) if trace is not None else None
        if warning:
            self.notice.show_notice(warning)

    def _show_notice(self) -> None:
        notice = self._session.notice
        if notice is None:
            self.notice.hide()
            return
        offered = str(notice.values.get("offer", ""))
        folder = bundled_model(offered) if offered else None
        self._offered = "" if folder is None else str(folder)
        label = self.tr("Open {model}").format(model=offered) if folder is not None else ""
        remark = notice.level == "note"
        self.notice.show_notice(notice.sentence(), label, self._open_offered, remark=remark)

    def _open_offered(self) -> None:
        self._session.set_notice(None)
        self.path_asked.emit(self._offered)

    def _open(self, dialog: QDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _restyle(self) -> None:
        application = QApplication.instance()
        if not isinstance(application, QApplication):
            return
        font = QFont()
        font.setFamilies(families())
        font.setPixelSize(self._look.px(14))
        QGuiApplication.setFont(font)
        application.setPalette(self._look.qpalette())
        application.setStyleSheet(stylesheet(self._look))
