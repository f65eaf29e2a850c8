"""The Look page: sentence, output and steps above; heads, map or two, and the next word below."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QByteArray, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from model.errors import HeadscopeError
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.document.time_lapse import TimeLapse
from viewer.pages.look.compare.pane_link import link_of
from viewer.pages.look.division import Division
from viewer.pages.look.drawer import Drawer
from viewer.pages.look.heads.all_heads_view import ALL_HEADS
from viewer.pages.look.inspector import Inspector
from viewer.pages.look.kind_row import KindRow
from viewer.pages.look.lecture_head import LectureHead
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.look.masked.word_tab import WordTab
from viewer.pages.look.next_word.next_word import NextWordPanel
from viewer.pages.look.opened import opened
from viewer.pages.look.panel import LookPanel
from viewer.pages.look.room import DRAWER, LookRoom, look_room
from viewer.pages.look.sentence.sentence_panel import SentencePanel
from viewer.pages.look.side_column import SideColumn
from viewer.pages.look.time_lapse_bar import TimeLapseBar
from viewer.pages.looks.renewal import in_turns, once_taken
from viewer.pages.widgets.appearance import NO_LIMIT, Appearance
from viewer.pages.widgets.worded import Worded

_ROOMY = 1500  # from this width on there is room for heads, two maps and the candidates
_NARROW_HEADS = 288
_LEAST_PANE = 200
_LOWEST_DRAWER, _MAP = 160, 490  # of a small page, whose map comes first
_APART, _CLOSE = 8, 6
_HANDLE, _THIN = 10, 6  # between the maps and a drawer
HEADS, NEXT_WORD, SENTENCE = "heads", "next_word", "sentence"
"""What is called before an audience, by name."""


class LookPage(Worded, QWidget):
    """Composes the page; what its parts show is the session's business.

    Attributes:
        room: what is folded.

    Signals:
        read_out: the sentence of the cell under the pointer or the crosshair.
        next_word_changed: the candidates were hidden or shown.
        folded: its `room` is another.
        example_asked: a panel has nothing to show; show an example.
        circuits_asked: what the head in view does in general.
    """

    read_out = Signal(str)
    example_asked = Signal()
    circuits_asked = Signal()
    next_word_changed = Signal()
    folded = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self._wanted = {False: True, True: False}  # the inspector, by whether the page is small
        # An open drawer, by whether the page is tiny, and whether it is small and the panel a picture itself.
        self._enlarged = {(False, False): False, (False, True): True, (True, False): True, (True, True): True}
        self.room = LookRoom()
        self._gave_way = False  # the inspector of a small page, to a second map
        self._plain = self._cramped = self._noticed = self._sharing_later = self._undivided = False
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
        self.side = SideColumn(session, appearance, self.upper)
        self.heads = self.side.heads
        self.panes = [MapPane(session, appearance, index, self.maps) for index in range(2)]
        self.inspector = Inspector(session, appearance, self.body)
        self.division = Division(self.body, self.upper, self.side, self.inspector)
        self.drawer = Drawer(session, appearance, self.floors)
        self.side.list_panels(self.inspector, self.drawer)
        self._lay_out()
        for pane in self.panes:
            for view in pane.views.values():
                view.read_out.connect(self.read_out)
                view.failed.connect(self._figure_failed, Qt.ConnectionType.QueuedConnection)
        self.heads.view.failed.connect(self._figure_failed, Qt.ConnectionType.QueuedConnection)
        self.heads.view.circuits_asked.connect(self.circuits_asked)
        for panels in (self.inspector.panels, self.drawer.panels):
            panels.panel_made.connect(self._serve)
            for panel in panels.made:
                self._serve(panel)
        link_of(session)  # two panes move together before anybody has looked at Compare
        self.side.picked.connect(self._picked)
        for shown in (self.inspector.shown, self.next_word_changed):
            shown.connect(self.side.mark_open)
        self.drawer.shown.connect(self._share_room)  # one panel needs more than another
        self.drawer.focus_left.connect(self._focus_picture)
        for splitter in (self.upper, self.body):
            splitter.splitterMoved.connect(self._keep)
        self.drawer.enlarge_asked.connect(self._enlarge)
        session.panes_changed.connect(self._panes_changed)
        session.pane_changed.connect(self._view_changed)
        appearance.changed.connect(self._share_later)
        self._panes_changed()

    def _lay_out(self) -> None:
        self._dividers = self.body, self.floors, self.upper, self.maps
        for splitter in self._dividers:
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(_HANDLE)
        for pane in self.panes:
            pane.setMinimumWidth(_LEAST_PANE)
            self.maps.addWidget(pane)
        # The inspector stands beside the drawer too: its tables need the height, the drawer not the width.
        for splitter, widgets, stretch in (
            (self.upper, (self.side, self.maps), (1, 4)),
            (self.floors, (self.upper, self.drawer), (1, 0)),
            (self.body, (self.floors, self.inspector), (4, 1)),
        ):
            for widget in widgets:  # one that is already the splitter's goes to its end
                splitter.addWidget(widget)
            for place, share in enumerate(stretch):
                splitter.setStretchFactor(place, share)
        self._divide()
        column = self._column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_APART)
        column.addWidget(self.lecture)
        column.addWidget(self.sentence)
        column.addWidget(self.time_lapse_bar)
        column.addWidget(self.kind_row)
        column.addWidget(self.body, 1)
        self.drawer.toggled.connect(self._drawer_toggled)
        self.drawer.row_changed.connect(self._limit_drawer)
        self._drawer_toggled(False)

    def states(self) -> dict[str, QByteArray]:
        """What is found again at the next start, by name: division of the room, way of decoding."""
        return {
            **self.division.states(),
            "drawer": self.drawer.save_state(),
            "decoding": QByteArray(self._session.decoding.to_bytes()),
        }

    def restore_states(self, state: Callable[[str], QByteArray]) -> None:
        """Take what was kept under each name of `states`; an empty or strange state changes nothing."""
        self.division.restore(state)
        self._divide()
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

    def show_next_word(self, on: bool) -> None:
        """Show or hide the candidates; the maps take their room."""
        if self._plain:
            if on is not self.called(NEXT_WORD):
                self.call(NEXT_WORD)
            return
        self._next_word_wanted = on
        self._gave_way = False
        self.inspector.setVisible(on)
        self._tighten()
        self.side.mark_open()

    @property
    def _next_word_wanted(self) -> bool:
        return self._wanted[self.room.small]

    @_next_word_wanted.setter
    def _next_word_wanted(self, on: bool) -> None:
        self._wanted[self.room.small] = on

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

    def set_plain(self, on: bool) -> Iterator[None]:
        """Leave only what an audience should see, the figure with the steps above, or all; in parts."""
        if on is self._plain:
            return
        if on:
            self._as_before = opened(self.inspector, self.drawer, self._dividers)
        self._called.clear()
        self.lecture.setVisible(on)
        self.sentence.setVisible(not on)
        yield
        self.heads.set_plain(on)
        for pane in self.panes:
            pane.set_plain(on)
        for panels in (self.inspector.panels, self.drawer.panels):
            panels.set_plain(on)
        self.time_lapse_bar.follow.setVisible(not on)
        self.drawer.set_plain(on)
        yield
        self._plain = on
        self.set_noticed(self._noticed)
        self._limit_drawer()
        yield from self._folding()
        self._share_room()
        if not on and self._as_before is not None:
            QTimer.singleShot(0, self, partial(once_taken, self, self._as_before))
            self._as_before = None
        self.next_word_changed.emit()

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

    def set_noticed(self, on: bool) -> None:
        """A banner stands above the page: in a low one it has the row of step and status."""
        self._noticed = on
        dear = self.room.low and self.kind_row.parentWidget() is self
        self.kind_row.setVisible(not self._plain and not (on and dear))

    def take_back_kind_row(self) -> None:
        """The row of step and status stands above the maps again."""
        self._column.insertWidget(self._column.indexOf(self.body), self.kind_row)
        self.set_noticed(self._noticed)

    def retranslate(self) -> None:
        """Read the crosshair's cell out in the new language."""
        self.panes[self._session.active].shown.tell()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A window that becomes narrow, or wide enough again."""
        super().resizeEvent(event)
        other = self._is_cramped() != self._cramped or self._room_now() != self.room
        if other and self.drawer.is_open:  # how it shares the height goes by what was there before
            self._share_room()
        elif other:
            self._share_later()
        elif self.room.small and self.division.is_usual:  # whose shares go by the width
            self._divide()

    def showEvent(self, event: QShowEvent) -> None:
        """What is folded follows the size that it is shown in."""
        super().showEvent(event)
        self._share_room()

    def _serve(self, panel: LookPanel) -> None:
        panel.read_out.connect(self.read_out)
        panel.example_asked.connect(self.example_asked)
        panel.circuits_asked.connect(self.circuits_asked)
        panel.failed.connect(self._figure_failed, Qt.ConnectionType.QueuedConnection)

    def _drawer_toggled(self, on: bool) -> None:
        """An open drawer takes two fifths of the room and can be dragged; a closed one is a row of tabs."""
        self._share_room()
        self._place_drawer(on)

    def _place_drawer(self, on: bool) -> None:
        height = max(1, self.floors.height())
        self._limit_drawer()
        if on:
            share = max(self._appearance.px(DRAWER), height * 2 // 5)
            if self.room.small:  # all labels of a map of 24 tokens come first; a drawer can be enlarged
                least, map_ = self._appearance.px(_LOWEST_DRAWER), self._appearance.px(_MAP)
                share = max(least, min(share, height - map_))
            self.floors.setSizes([height - share, share])
        else:  # the splitter would keep the room that the drawer had
            self.floors.setSizes([height, 0])

    def _limit_drawer(self) -> None:
        self._place_maps()
        closed = self.drawer.minimumSizeHint().height()
        self.drawer.setMaximumHeight(NO_LIMIT if self.drawer.is_open else closed)

    def _place_maps(self) -> None:
        """An open drawer has their place where it is enlarged, or is the figure of an audience."""
        enlarged = self._is_enlarged and not self._plain
        figure = self.drawer.is_open and self._plain and not self.called(HEADS)
        focused = self.window().focusWidget()
        had_keys = focused is not None and self.upper.isAncestorOf(focused)
        if had_keys and (enlarged or figure):
            self.drawer.take_keys()  # Qt would give them to whatever comes next
        self.upper.setVisible(not (enlarged or figure))
        self.drawer.enlarge.setChecked(enlarged)

    def _figure_failed(self, error: HeadscopeError) -> None:
        self._session.set_notice(Notice.of(error))

    def _panes_changed(self) -> None:
        two = len(self._session.document.panes) > 1
        if two != self.panes[1].isHidden():
            return
        self._enlarged[False, True] &= not two  # whoever opens a second one wants to see both
        in_turns(self, self._showing(two))

    def _showing(self, two: bool) -> Iterator[None]:
        """Show both panes or one, and then give the others their room."""
        focused = self.window().focusWidget()
        self.panes[1].setVisible(two)
        if not two and focused is not None and self.panes[1].isAncestorOf(focused):
            self._focus_picture()  # Qt would give the keys to whatever comes next
        yield
        self._share_room()
        self.maps.setSizes([self.maps.width() // 2] * 2)
        self.next_word_changed.emit()

    def _enlarge(self, on: bool) -> None:
        """Give the drawer the place of the map, or put it below."""
        self._enlarged[self._place] = on
        self._share_room()

    @property
    def _place(self) -> tuple[bool, bool]:
        return self.room.tiny, self.room.small and self.drawer.is_open and self.drawer.row.picture

    @property
    def _is_enlarged(self) -> bool:
        return self.drawer.is_open and self._enlarged[self._place]

    def _focus_picture(self) -> None:
        self.picture.setFocus()

    def _picked(self, place: int) -> None:
        """Open a panel of the list, or close it."""
        tabs = len(self.inspector.tabs)
        if place >= tabs:
            self.drawer.toggle_panel(place - tabs)
            return
        again = self._next_word_wanted and self.inspector.tab == place
        self.inspector.show_tab(place)
        self.show_next_word(not again)
        self.next_word_changed.emit()

    def _view_changed(self, pane: int) -> None:
        """All heads in the pane need no small ones beside them."""
        if pane == self._session.active and self._shows_all() != self.heads.isHidden():
            self._share_room()

    def _shows_all(self) -> bool:
        return self.panes[self._session.active].view == ALL_HEADS.name

    def _room_now(self) -> LookRoom:
        """Before an audience the page stays as it is at its largest."""
        if not self.isVisible():
            return self.room
        if self._plain or self._appearance.present:
            return LookRoom()
        below = self.drawer.is_open and not self._is_enlarged
        return look_room(self.size(), self._appearance.px(100) / 100, drawer=below)

    def _keep(self) -> None:
        self.division.keep(small=self.room.small)

    def _divide(self) -> None:
        self.division.divide(self.width(), small=self.room.small, drawer=self.drawer.is_open)

    def _folding(self) -> Iterator[None]:
        """Fold what has no room now, or unfold it; what lies beside the maps has a turn of its own."""
        before, self.room = self.room, self._room_now()
        room = self.room
        if room == before:
            return
        self.drawer.set_folded(room.small)
        self.sentence.set_low(room.low)
        self.kind_row.lend(self.side.kinds if room.low else None)
        self.set_noticed(self._noticed)
        self._column.setSpacing(_CLOSE if room.small else _APART)
        self.floors.setHandleWidth(_THIN if room.small else _HANDLE)
        if room.small != before.small:  # beside an open drawer the list keeps its height
            yield
            room, self._undivided = self.room, True  # it may be another by now
            if room.small:
                self.body.insertWidget(0, self.side)
            else:
                self.upper.insertWidget(0, self.side)
            self._tighten()
            for place, share in enumerate((0, 4, 1) if room.small else (4, 1)):
                self.body.setStretchFactor(place, share)
        self.folded.emit()
        yield

    def _share_later(self) -> None:
        """Another size, or type, has all laid out anew, which is enough for one turn."""
        if not self._sharing_later:
            self._sharing_later = True
            in_turns(self, self._sharing())

    def _sharing(self) -> Iterator[None]:
        yield
        yield from self._folding()
        self._share_room()

    def _is_cramped(self) -> bool:
        return not self.panes[1].isHidden() and self.width() < self._appearance.px(_ROOMY)

    def _share_room(self) -> None:
        """Who goes, and who gets narrow, where two maps would have too little."""
        self._sharing_later = False
        deque(self._folding(), maxlen=0)
        room = self.room
        self._place_maps()
        # Two maps need the room of the candidates where the window is narrow; they come back with one.
        was, cramped = self._cramped, self._is_cramped()
        self._cramped = cramped
        # An audience sees them where they were called.
        heads = (self.called(HEADS) or not self._plain) and not self._shows_all()
        self.side.fold(small=room.small, low=room.low, heads=heads)
        if room.small:
            self._give_way(was, cramped)
        elif cramped:
            self._sizes_before = self._sizes_before or [s.sizes() for s in (self.upper, self.body)]
            stays = self.inspector.panels.rows[self.inspector.tab].beside_two
            self.inspector.setVisible(bool(self.inspected) and (stays or self._plain))
            self.side.setMaximumWidth(self._appearance.px(_NARROW_HEADS))
        else:
            self.side.setMaximumWidth(NO_LIMIT)
            self.inspector.setVisible(bool(self.inspected))
            for splitter, sizes in zip((self.upper, self.body), self._sizes_before):
                splitter.setSizes(sizes)
            self._sizes_before = []
        self._tighten()
        if self._undivided or (room.small and self.division.is_usual):
            self._divide()
        if self._undivided:
            self._undivided = False
            self._place_drawer(self.drawer.is_open)
        self.side.mark_open()

    def _give_way(self, was: bool, cramped: bool) -> None:
        """In a small page a second map takes the room of what was open, unless that opened it."""
        self.side.setMaximumWidth(NO_LIMIT)
        self._sizes_before = []
        if cramped and not was and not self.inspector.panels.rows[self.inspector.tab].beside_two:
            self._gave_way, self._wanted[True] = self._wanted[True], False
        elif was and not cramped and self._gave_way:
            self._gave_way, self._wanted[True] = False, True
        self.inspector.setVisible(self._next_word_wanted)

    def _tighten(self) -> None:
        """Two maps between heads and inspector, or a small page, leave the heads less than their width."""
        self.heads.set_tight(self.room.small or (self._cramped and not self.inspector.isHidden()))
