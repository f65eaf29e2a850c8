"""`PaneHead`: the rows above a pane's view (views, numbers, title, badges, …) and how they share its room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QPushButton, QSpacerItem, QVBoxLayout, QWidget

from viewer.document.session import Session
from viewer.guarded import Guarded
from viewer.icons import icon
from viewer.pages.look.map.badge_line import BadgeLine
from viewer.pages.look.map.gold_button import GoldButton
from viewer.pages.look.map.numbers_button import NumbersButton
from viewer.pages.look.map.view_tabs import ViewTabs
from viewer.pages.look.run_chooser import RunChooser
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, label
from viewer.pages.widgets.overflow_menu import KEYS
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow

_RUN_NAME, _SHORT_RUN_NAME, _WIDEST_RUN_NAME = 90, 66, 640
_NARROW = 240  # a pane that is narrower has room for a short name only, beside its badges
_GAP, _LINES = 6, 4
_LOW = 210  # a pane that is lower keeps its room for the picture
_FLAT = 560  # one that is lower has no room for a second row of words
_SPARE = 14  # what frames and rounding may take
_WHOLE = 1000  # the title has the room that it needs, the badges the rest
# Absolute, since a menu button is laid out from right to left for its arrow's sake.
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop
_TOP = Qt.AlignmentFlag.AlignTop
_RANKS = {
    "pin": 9,
    "gold": 8,
    "second": 7,
    "runs": 6,
    "numbers": 5,
    "sqrt": 4,
    "reset": 3,
    "close": 2,
    "tabs": 1,
}


@dataclass(frozen=True)
class Needs:
    """Widths in pixels, gaps included.

    Attributes:
        tabs, icons: the views by their names, or by icons.
        numbers: the button that says what the numbers are.
        long, short: the buttons at the right end, with words or with signs.
    """

    title: int
    tabs: int
    icons: int
    numbers: int
    long: int
    short: int


@dataclass(frozen=True)
class PaneRoom:
    """What there is room for.

    Attributes:
        one_row: the title stands with the tabs; else below them, with the badges.
        icons: the views are shown by icons.
        long: the buttons have words.
    """

    one_row: bool = False
    icons: bool = False
    long: bool = False

    def taken(self, needs: Needs) -> int:
        """Pixels that this takes of a row."""
        return (
            (needs.title if self.one_row else 0)
            + (needs.icons if self.icons else needs.tabs)
            + needs.numbers
            + (needs.long if self.long else needs.short)
        )


def pane_room(needs: Needs, width: int, *, tight: bool, flat: bool = False) -> PaneRoom:
    """The first of several ways that fits; where none does the last, and the row puts away what has no room.

    Args:
        tight: there are two panes, or an audience: height is dearer than words.
        flat: the pane is not high, so that a second row is dearer than words too.
    """
    roomy = [PaneRoom(one_row=True, long=True), PaneRoom(long=True), PaneRoom()]
    short = [PaneRoom(one_row=True, icons=True)]
    if flat and not tight:
        roomy = [roomy[0], PaneRoom(one_row=True), *short, *roomy[1:]]
    ways = [*(short if tight else roomy), PaneRoom(icons=True)]
    return next((way for way in ways if way.taken(needs) <= width), ways[-1])


class PaneHead(Guarded, QWidget):
    """Holds the parts; the pane says what they say and what they do.

    Attributes:
        row: views, numbers and buttons; what has no room there is in its menu.
    """

    def __init__(self, session: Session, appearance: Appearance, pane: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self._pane = pane
        self._low = self._flat = self._plain = False
        self.title = label("title")
        self.title.be_elastic(hugging=True)
        self._line = BadgeLine(appearance)
        self.badges = self._line.label
        self.reset = IconButton(appearance, "reset")
        self.sqrt = QPushButton()
        self.sqrt.setCheckable(True)
        self.sqrt.setProperty(KEYS, "S")
        self.second = QPushButton()
        self.pin = IconButton(appearance, "pin")
        self.pin.setCheckable(True)
        self.runs = RunChooser(session, appearance, _RUN_NAME)
        self.close_button = IconButton(appearance, "close")
        self.tabs = ViewTabs(session, appearance, pane)
        self.gold = GoldButton(session, appearance, pane)
        self.numbers = NumbersButton(session, appearance, pane)
        self._buttons: tuple[QAbstractButton, ...] = (
            self.reset, self.gold, self.sqrt, self.second, self.pin, self.close_button,
        )  # fmt: skip
        self.row = OverflowRow(appearance, self, spacing=_GAP)
        self._middle, self._below = QHBoxLayout(), QHBoxLayout()
        self._lay_out()

    def _lay_out(self) -> None:
        row = self.row
        row.add(self.tabs, rank=_RANKS["tabs"])
        row.add(self.numbers, rank=_RANKS["numbers"])
        row.add_stretch()
        for name in ("reset", "gold", "sqrt", "second", "pin"):
            row.add(getattr(self, name), rank=_RANKS[name])
        row.add(self.close_button, rank=_RANKS["close"])
        self.reset.hide()
        self.second.setVisible(self._pane == 0)
        self.close_button.setVisible(self._pane == 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_LINES)
        column.addWidget(row)
        column.addLayout(self._middle)
        self._middle.addStretch(1)
        below = self._below
        below.setSpacing(8)
        below.addWidget(self._line, 50)
        below.addStretch(1)
        self._strut = QSpacerItem(0, 0)
        below.addSpacerItem(self._strut)
        column.addLayout(below)
        for part in (self.title, self.runs):  # `arrange` gives them their places
            part.setParent(self)

    def set_plain(self, on: bool) -> None:
        """Leave the title of one of two and the badges; menus and keys do the rest."""
        self._plain = on
        self.row.setVisible(not on)

    def show_badges(self, badges: Sequence[str], note: str = "", *, two: bool) -> None:
        """Say what is remarkable, the most important first, and in the tooltip a note besides."""
        self._line.show_badges(badges, note)
        self._limit_badges(two=two)

    def _limit_badges(self, *, two: bool) -> None:
        """In two panes as high in the one as in the other, so that their maps are too.

        Beside the name of a run they have a short line, and two are hardly higher than that.
        """
        self._line.set_lines(2 if two and self._run_below and not self.runs.isHidden() else 1)
        high = self._line.sizeHint().height() if two and not self._low else 0
        if self._strut.sizeHint().height() != high:  # an invalid layout has all of the head painted
            self._strut.changeSize(0, high)
            self._below.invalidate()
        # As high as with every button: some are in one pane only.
        tallest = max(button.sizeHint().height() for button in (self.numbers, *self._buttons))
        self.tabs.setMinimumHeight(tallest if two else 0)

    def is_flat(self, height: int) -> bool:
        """Whether a pane of a height has none to give away."""
        return not self._appearance.present and height < self._appearance.px(_FLAT)

    def arrange(self, height: int) -> None:
        """Title, tabs and buttons in one row where there is room; else the title stands with the badges.

        Args:
            height: of the whole pane.
        """
        two, present = len(self._session.document.panes) > 1, self._appearance.present
        low, flat = height < self._appearance.px(_LOW), self.is_flat(height)
        self._low, self._flat = low, flat
        self._limit_badges(two=two)
        self._name_run(_RUN_NAME)
        needs = self._needs()
        room = pane_room(needs, self.width() - _SPARE, tight=two or present, flat=flat)
        self.tabs.set_narrow(room.icons)
        self.sqrt.setText(self.tr("√ scale") if room.long else "√")
        self.second.setText(self.tr("Second map") if room.long else "")
        colours = self._appearance.palette
        picture = QIcon() if room.long else icon("second", colours.text, colours.disabled)
        if picture.cacheKey() != self.second.icon().cacheKey():
            self.second.setIcon(picture)
        titles = None if room.one_row else self._middle if two or present else self._below
        if self._plain:  # of one map the head of the page says it
            titles = self._middle if two else None
        self._put(self.title, titles, 0, STAYS, _WHOLE)
        if self._run_below:
            self._put(self.runs, self._below, 0)
        else:
            self._put(self.runs, None, self.row.place_of(self.reset), _RANKS["runs"])
        taken = self.runs.sizeHint().width() if self._run_below else room.taken(needs)
        free = max(0, self.width() - _SPARE - taken)
        if self._run_below and not self.badges.isHidden():
            free = max(0, free - self._line.sizeHint().width() // self._line.lines)
        narrow = self._run_below and self.width() < self._appearance.px(_NARROW)
        least = _SHORT_RUN_NAME if narrow and not self.badges.isHidden() else _RUN_NAME
        self._name_run(min(least + free, _WIDEST_RUN_NAME))

    def _name_run(self, width: int) -> None:
        """Give the run's name so many pixels."""
        if not self.runs.isHidden():
            self.runs.set_room(width)
            self.runs.show_run(self.runs.run_id)

    @property
    def _run_below(self) -> bool:
        """Whether the run stands below the first row: width is dear there, and height is not."""
        return not self._low and (len(self._session.document.panes) > 1 or self._appearance.present)

    def _put(
        self, widget: QWidget, to: QHBoxLayout | None, place: int, rank: int = 0, stretch: int = 0
    ) -> None:
        """Put a widget into one of the lower rows, else into the first, at its place from the left."""
        there = self.row.place_of(widget) if to is None else to.indexOf(widget)
        if there >= 0:
            return
        for layout in (self._middle, self._below):
            layout.removeWidget(widget)
        self.row.take(widget)
        if to is None:
            self.row.insert(place, widget, stretch, rank=rank)
        else:
            to.insertWidget(place, widget, stretch, _TOP if stretch else _LEFT)

    def _needs(self) -> Needs:
        """How wide what stands in the first row is."""
        look, metrics = self._appearance, self.fontMetrics()
        sides = 2 * look.px(12) + 4
        short = metrics.horizontalAdvance("√") + sides
        names = (self.tr("√ scale"), self.tr("Second map"))
        long, side = (metrics.horizontalAdvance(name) + sides for name in names)
        second = not self.second.isHidden()
        worded = (self.sqrt, self.second)
        icons = [button for button in self._buttons if button not in worded and not button.isHidden()]
        rest = sum(button.sizeHint().width() + _GAP for button in icons)
        if not self.runs.isHidden() and not self._run_below:
            rest += self.runs.sizeHint().width() + _GAP
        return Needs(
            title=self.title.fontMetrics().horizontalAdvance(self.title.text()) + look.px(12),
            tabs=self.tabs.width_of(narrow=False) + _GAP,
            icons=self.tabs.width_of(narrow=True) + _GAP,
            numbers=self.numbers.sizeHint().width() + _GAP,
            long=rest + long + _GAP + (side + _GAP if second else 0),
            short=rest + short + _GAP + (look.px(18) + sides + _GAP if second else 0),
        )
