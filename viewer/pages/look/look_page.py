"""The Look page: sentence, output and steps above; heads, map or two, and the next word below."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QByteArray, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from model.errors import HeadscopeError
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.document.time_lapse import TimeLapse
from viewer.pages.look.branches.branches_panel import BranchesPanel
from viewer.pages.look.drawer import Drawer
from viewer.pages.look.heads.heads_panel import HeadsPanel
from viewer.pages.look.inspector import Inspector
from viewer.pages.look.kind_row import KindRow
from viewer.pages.look.lecture_head import LectureHead
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.look.masked.word_tab import WordTab
from viewer.pages.look.next_word.next_word import NextWordPanel
from viewer.pages.look.sentence.sentence_panel import SentencePanel
from viewer.pages.look.time_lapse_bar import TimeLapseBar
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.worded import Worded

_ROOMY = 1500  # from this width on there is room for heads, two maps and the candidates
_NARROW_HEADS = 288
_LEAST_PANE = 200
_DRAWER = 230  # least height of an open drawer
_NO_LIMIT = 16777215  # Qt's
HEADS, NEXT_WORD, SENTENCE = "heads", "next_word", "sentence"
"""What is called before an audience, by name."""


class LookPage(Worded, QWidget):
    """Composes the page; what its parts show is the session's business.

    Signals:
        read_out: the sentence of the cell under the pointer or the crosshair.
        next_word_changed: the candidates were hidden or shown.
        example_asked: a panel has nothing to show; show an example.
    """

    read_out = Signal(str)
    example_asked = Signal()
    next_word_changed = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self._next_word_wanted = True
        self._plain = self._cramped = False
        self._sizes_before: list[list[int]] = []
        self._called: set[str] = set()  # what an audience sees besides the figure
        self._as_before: Callable[[], None] | None = None
        self.setObjectName("page")
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        self.body = QSplitter(Qt.Orientation.Horizontal, self)
        self.floors = QSplitter(Qt.Orientation.Vertical, self.body)
        self.upper = QSplitter(Qt.Orientation.Horizontal, self.floors)
        self.maps = QSplitter(Qt.Orientation.Horizontal, self.upper)
        self.sentence = SentencePanel(session, appearance)
        self.time_lapse = TimeLapse(session, self)
        self.time_lapse_bar = TimeLapseBar(self.time_lapse, appearance)
        self.kind_row = KindRow(session, appearance)
        self.lecture = LectureHead(session, appearance, lambda: self.panes[session.active].title.text())
        self.heads = HeadsPanel(session, appearance, self.upper)
        self.panes = [MapPane(session, appearance, index, self.maps) for index in range(2)]
        self.inspector = Inspector(session, appearance, self.body)
        self.drawer = Drawer(session, appearance, self.floors)
        self._lay_out()
        for pane in self.panes:
            for view in pane.views.values():
                view.read_out.connect(self.read_out)
                view.failed.connect(self._figure_failed, Qt.ConnectionType.QueuedConnection)
        self.heads.view.failed.connect(self._figure_failed, Qt.ConnectionType.QueuedConnection)
        for panel in (*self.inspector.panels, *self.drawer.panels):
            panel.read_out.connect(self.read_out)
            panel.example_asked.connect(self.example_asked)
            panel.failed.connect(self._figure_failed, Qt.ConnectionType.QueuedConnection)
        session.panes_changed.connect(self._panes_changed)
        appearance.changed.connect(self._share_room)
        self._panes_changed()

    def _lay_out(self) -> None:
        for splitter in (self.maps, self.upper, self.floors, self.body):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(10)
        for pane in self.panes:
            pane.setMinimumWidth(_LEAST_PANE)
            self.maps.addWidget(pane)
        # The inspector stands beside the drawer too: its tables need the height, the drawer not the width.
        for splitter, widgets, stretch in (
            (self.upper, (self.heads, self.maps), (1, 4)),
            (self.floors, (self.upper, self.drawer), (1, 0)),
            (self.body, (self.floors, self.inspector), (4, 1)),
        ):
            for widget in widgets:  # one that is already the splitter's goes to its end
                splitter.addWidget(widget)
            for place, share in enumerate(stretch):
                splitter.setStretchFactor(place, share)
        self.upper.setSizes([330, 640])
        self.body.setSizes([970, 270])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.lecture)
        column.addWidget(self.sentence)
        column.addWidget(self.time_lapse_bar)
        column.addWidget(self.kind_row)
        column.addWidget(self.body, 1)
        self.drawer.toggled.connect(self._drawer_toggled)
        self.drawer.row_changed.connect(self._limit_drawer)
        self._drawer_toggled(False)

    @property
    def splitters(self) -> dict[str, QSplitter]:
        """What a person may drag and finds again at the next start, by name."""
        return {"columns": self.body, "heads": self.upper}

    def states(self) -> dict[str, QByteArray]:
        """What is found again at the next start, by name: division of the room, way of decoding."""
        return {
            **{name: splitter.saveState() for name, splitter in self.splitters.items()},
            "drawer": self.drawer.save_state(),
            "decoding": QByteArray(self._session.decoding.to_bytes()),
        }

    def restore_states(self, state: Callable[[str], QByteArray]) -> None:
        """Take what was kept under each name of `states`; an empty or strange state changes nothing."""
        for name, splitter in self.splitters.items():
            splitter.restoreState(state(name))
        self.drawer.restore_state(state("drawer"))
        self._session.restore_decoding(bytes(state("decoding").data()))

    @property
    def picture(self) -> QWidget:
        """What the keys belong to while nothing is typed."""
        return self.panes[self._session.active].picture

    @property
    def next_word(self) -> NextWordPanel:
        """The inspector's first tab."""
        words = self.inspector.view("next_word")
        assert isinstance(words, WordTab)
        return words.next_word

    @property
    def branches(self) -> BranchesPanel:
        """The drawer's panel of that name."""
        branches = self.drawer.view("branches")
        assert isinstance(branches, BranchesPanel)
        return branches

    def show_next_word(self, on: bool) -> None:
        """Show or hide the candidates; the maps take their room."""
        if self._plain:
            if on is not self.called(NEXT_WORD):
                self.call(NEXT_WORD)
            return
        self._next_word_wanted = on
        self.inspector.setVisible(on)
        self._tighten()

    @property
    def inspected(self) -> str:
        """Name of the inspector's tab, empty while the user has hidden it."""
        there = self.called(NEXT_WORD) if self._plain else self._next_word_wanted
        return self.inspector.names[self.inspector.tab] if there else ""

    def show_panels(self, drawer: str | None, inspector: str | None) -> None:
        """Open a panel of the drawer and a tab of the inspector by name; empty closes, None leaves it."""
        panels, tabs = self.drawer.names, self.inspector.names
        if drawer is not None and drawer != self.drawer.panel and drawer in ("", *panels):
            self.drawer.show_panel(panels.index(drawer) if drawer else None)
        if inspector is not None and inspector in ("", *tabs):
            if self._plain:  # the next words come when they are called
                if inspector not in ("", NEXT_WORD):
                    self.inspector.show_tab(tabs.index(inspector))
                    self.show_next_word(True)
                return
            if inspector:
                self.inspector.show_tab(tabs.index(inspector))
            self._next_word_wanted = bool(inspector)
            self._share_room()
            self.next_word_changed.emit()

    def set_plain(self, on: bool) -> None:
        """Leave only what an audience should see: the figure, with the steps above; or all as before."""
        if on is self._plain:
            return
        if on:
            self._as_before = self._kept()
        self._called.clear()
        self.lecture.setVisible(on)
        self.sentence.setVisible(not on)
        self.kind_row.setVisible(not on)
        self.heads.set_plain(on)
        for pane in self.panes:
            pane.set_plain(on)
        for panel in (*self.inspector.panels, *self.drawer.panels):
            panel.set_plain(on)
        self.time_lapse_bar.follow.setVisible(not on)
        self.drawer.set_plain(on)
        self._plain = on
        self._limit_drawer()
        self._share_room()
        if not on and self._as_before is not None:
            QTimer.singleShot(0, self, self._as_before)  # once the window has its type and size again
            self._as_before = None
        self.next_word_changed.emit()

    def _kept(self) -> Callable[[], None]:
        """What brings back what is open now, and how the room is divided."""
        tab, drawer = self.inspector.tab, self.drawer.panel
        splitters = (self.body, self.floors, self.upper, self.maps)
        sizes = [splitter.sizes() for splitter in splitters]

        def restore() -> None:
            self.inspector.show_tab(tab)
            self.drawer.show_panel(self.drawer.names.index(drawer) if drawer else None)
            for splitter, before in zip(splitters, sizes, strict=True):
                splitter.setSizes(before)

        return restore

    def called(self, name: str) -> bool:
        """Whether an audience sees it: `HEADS`, `NEXT_WORD` or `SENTENCE`."""
        return name in self._called

    def call(self, name: str) -> None:
        """Show the heads, the next words or the sentence before an audience, or send them away again."""
        if not self._plain:
            return
        self._called ^= {name}
        self.sentence.setVisible(self.called(SENTENCE))
        self._limit_drawer()
        self._share_room()
        if self.called(HEADS):
            self.upper.setSizes([self.width() * 3 // 10, self.width() * 7 // 10])
        self.next_word_changed.emit()

    def put_sentence_away(self) -> None:
        """What was typed before an audience was sent off."""
        if self.called(SENTENCE):
            self.call(SENTENCE)

    def retranslate(self) -> None:
        """Read the crosshair's cell out in the new language."""
        self.panes[self._session.active].shown.tell()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A window that becomes narrow, or wide enough again."""
        super().resizeEvent(event)
        if self._is_cramped() != self._cramped:
            self._share_room()

    def _drawer_toggled(self, on: bool) -> None:
        """An open drawer takes two fifths of the room and can be dragged; a closed one is a row of tabs."""
        height = max(1, self.floors.height())
        self._limit_drawer()
        if on:
            share = max(self._appearance.px(_DRAWER), height * 2 // 5)
            self.floors.setSizes([height - share, share])
        else:  # the splitter would keep the room that the drawer had
            self.floors.setSizes([height, 0])

    def _limit_drawer(self) -> None:
        # Before an audience an open drawer is the figure.
        alone = self._plain and self.drawer.is_open and not self.called(HEADS)
        self.upper.setVisible(not alone)
        closed = self.drawer.minimumSizeHint().height()
        self.drawer.setMaximumHeight(_NO_LIMIT if self.drawer.is_open else closed)

    def _figure_failed(self, error: HeadscopeError) -> None:
        self._session.set_notice(Notice.of(error))

    def _panes_changed(self) -> None:
        two = len(self._session.document.panes) > 1
        if two != self.panes[1].isHidden():
            return
        self.panes[1].setVisible(two)
        self._share_room()
        half = self.maps.width() // 2
        self.maps.setSizes([half, half])
        self.next_word_changed.emit()

    def _is_cramped(self) -> bool:
        return not self.panes[1].isHidden() and self.width() < self._appearance.px(_ROOMY)

    def _share_room(self) -> None:
        """Who goes, and who gets narrow, where two maps would have too little."""
        # Two maps need the room of the candidates where the window is narrow; they come back with one.
        cramped = self._cramped = self._is_cramped()
        self.heads.setVisible(self.called(HEADS) or not self._plain)
        if cramped:
            self._sizes_before = self._sizes_before or [s.sizes() for s in (self.upper, self.body)]
            stays = self.inspector.rows[self.inspector.tab].beside_two
            self.inspector.setVisible(bool(self.inspected) and (stays or self._plain))
            self.heads.setMaximumWidth(self._appearance.px(_NARROW_HEADS))
        else:
            self.heads.setMaximumWidth(_NO_LIMIT)
            self.inspector.setVisible(bool(self.inspected))
            for splitter, sizes in zip((self.upper, self.body), self._sizes_before):
                splitter.setSizes(sizes)
            self._sizes_before = []
        self._tighten()

    def _tighten(self) -> None:
        """Two maps between heads and inspector leave the heads less than their whole width."""
        self.heads.set_tight(self._cramped and not self.inspector.isHidden())
