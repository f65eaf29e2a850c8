"""A row of controls that loses none: what has no room stands in the menu of a button at its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QEvent, QMargins, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QHBoxLayout,
    QLayout,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.buttons import IconButton
from viewer.pages.widgets.overflow_menu import fill_menu, is_mute
from viewer.pages.widgets.worded import Worded

STAYS = 0
"""The rank of what never leaves its row; of others, the higher leaves first, and of equal ones the right.
A row in a row does not leave when it would have to: it gets as narrow as it can be. The one that is chosen
of several, a tab say, leaves after all the others: what one looks at has its name in sight."""

_ROUNDS = 3  # of sharing at once: more would be a quarrel with what holds the row

_EVENTS = (QEvent.Type.ShowToParent, QEvent.Type.HideToParent)


class _Room(NamedTuple):
    """What a slot takes, asked for once in an arrangement; `listed`: the menu would have an entry of it."""

    due: int
    least: int
    listed: bool


class _Slot(Guarded, QWidget):
    """Holds one widget of a row. The row hides the slot, whoever owns the widget hides the widget."""

    measures_hidden = True  # see `Renewal`

    def __init__(self, widget: QWidget, rank: int, parent: OverflowRow) -> None:
        super().__init__(parent)
        self._row = parent
        self.widget = widget
        self.rank = rank
        self.away = self.squeezed = False
        self._inside = inside = QHBoxLayout(self)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        inside.addWidget(widget)

    @property
    def wanted(self) -> bool:
        """Whether its owner shows the widget, wherever there is room for it."""
        explicit = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
        return not (self.widget.isHidden() and self.widget.testAttribute(explicit))

    @property
    def shrinks(self) -> bool:
        """Whether it gets narrow instead of leaving."""
        return isinstance(self.widget, OverflowRow)

    @property
    def chosen(self) -> bool:
        """Whether it is the one of several that is on."""
        button = self.widget
        if not isinstance(button, QAbstractButton) or not button.isChecked():
            return False
        group = button.group()
        return button.autoExclusive() if group is None else group.exclusive()

    @property
    def least(self) -> int:
        """The width below which it would be cut off."""
        return self._inside.minimumSize().width()

    @property
    def due(self) -> int:
        """The width without which it leaves, or is squeezed."""
        return self.hint.width() if self.shrinks else self.least

    @property
    def hint(self) -> QSize:
        """The size that it would like."""
        return self._inside.sizeHint().expandedTo(self._inside.minimumSize())

    def take_limits(self) -> None:
        """Be as wide and as high as the widget may be."""
        self.setSizePolicy(self.widget.sizePolicy())
        least = self._inside.minimumSize()
        self.setMinimumSize(least if self.squeezed else least.expandedTo(QSize(self.due, 0)))
        self.setMaximumSize(self._inside.maximumSize())

    def event(self, event: QEvent) -> bool:
        """The widget needs other room; of a hidden slot, or one of fixed size, Qt does not tell the row."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._row.refit()
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        """The widget's."""
        return self._inside.minimumSize()

    def sizeHint(self) -> QSize:
        """The widget's."""
        return self._inside.sizeHint()


class OverflowRow(Worded, QWidget):
    """Like a `QHBoxLayout`, but it can be as narrow as what stays in it and the button `more`.

    Whoever adds a widget shows and hides it as ever; `isHidden` of the widget is theirs, and never says
    whether there was room.

    Attributes:
        more: the button whose menu holds what has no room; hidden while everything has.
        measures_hidden: goes by the sizes of what it hides, see `Renewal`.
    """

    measures_hidden = True

    def __init__(self, appearance: Appearance, parent: QWidget | None = None, *, spacing: int = 6) -> None:
        super().__init__(parent)
        self._places: list[_Slot | int] = []  # what stands in the layout, of a space its width
        self._arranging = False
        self._sharing = BeforePaint(self, self._share_width)
        self._cells = QHBoxLayout(self)
        self._cells.setContentsMargins(0, 0, 0, 0)
        self._cells.setSpacing(spacing)
        self._cells.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self.more = _More(appearance, "more")
        appearance.changed.connect(self._resize_more)
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.hide()
        self._more_menu = QMenu(self.more)
        self._more_menu.setToolTipsVisible(True)
        self._more_menu.aboutToShow.connect(self.fill)
        self.more.setMenu(self._more_menu)
        self._cells.addWidget(self.more)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.more.retranslate()

    # Building.

    def add(self, widget: QWidget, stretch: int = 0, *, rank: int = 1) -> None:
        """Put a widget at the end.

        Args:
            rank: how early it leaves, `STAYS` for never.
        """
        self.insert(self.count, widget, stretch, rank=rank)

    def insert(self, place: int, widget: QWidget, stretch: int = 0, *, rank: int = 1) -> None:
        """Put a widget at a place, of which spaces are some too."""
        slot = _Slot(widget, rank, self)
        self._cells.insertWidget(place, slot, stretch)
        self._places.insert(place, slot)
        widget.installEventFilter(self)
        if isinstance(widget, QAbstractButton):
            widget.toggled.connect(self._keep_chosen)
        self._sharing.ask()

    def take(self, widget: QWidget) -> None:
        """Take a widget out; it has no parent then."""
        slot = next((slot for slot in self._slots if slot.widget is widget), None)
        if slot is not None:
            widget.removeEventFilter(self)
            if isinstance(widget, QAbstractButton):
                widget.toggled.disconnect(self._keep_chosen)
            widget.setParent(None)
            self._places.remove(slot)
            self._cells.removeWidget(slot)
            slot.hide()  # until it goes, it would lie over the others
            slot.deleteLater()
            self._sharing.ask()

    def add_space(self, width: int) -> None:
        """A gap at the end."""
        self._cells.insertSpacing(self.count, width)
        self._places.append(width)

    def add_stretch(self, share: int = 1) -> None:
        """Room that is left, at the end."""
        self._cells.insertStretch(self.count, share)
        self._places.append(0)

    def set_margins(self, margins: QMargins) -> None:
        """Room around the row."""
        self._cells.setContentsMargins(margins)
        self._sharing.ask()

    @property
    def count(self) -> int:
        """How many widgets and spaces there are."""
        return len(self._places)

    @property
    def _slots(self) -> list[_Slot]:
        return [place for place in self._places if isinstance(place, _Slot)]

    def place_of(self, widget: QWidget) -> int:
        """At which place a widget stands; -1 if it does not."""
        found = (
            number
            for number, place in enumerate(self._places)
            if isinstance(place, _Slot) and place.widget is widget
        )
        return next(found, -1)

    # What has no room.

    @property
    def away(self) -> tuple[QWidget, ...]:
        """The widgets whose entries are in the menu of `more`."""
        self._sharing.now()
        return tuple(slot.widget for slot in self._slots if slot.away)

    @property
    def menu(self) -> QMenu:
        """The menu of `more`, as it was filled last; see `fill`."""
        return self._more_menu

    def fill(self) -> None:
        """Fill the menu with what has no room now, as it stands there now."""
        fill_menu(self._more_menu, self.away)

    # Room.

    def sizeHint(self) -> QSize:
        """Room for everything."""
        return self._size_with([slot.hint.width() for slot in self._slots if slot.wanted], more=False)

    def minimumSizeHint(self) -> QSize:
        """Room for what stays."""
        wanted = [slot for slot in self._slots if slot.wanted]
        leaving = [slot for slot in wanted if slot.rank != STAYS]
        left = [slot.least for slot in wanted if slot.shrinks or slot not in leaving]
        return self._size_with(left, more=any(map(_listed, leaving)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More or less has room."""
        super().resizeEvent(event)
        self._sharing.ask()
        self._sharing.now()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what changed while nobody saw it."""
        super().showEvent(event)
        self._sharing.shown()

    def event(self, event: QEvent) -> bool:
        """Something in the row needs other room: so may the row."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._sharing.ask()  # its width may be the same: nothing else would tell
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A widget came or went: so does its slot, at once, as with any layout."""
        if event.type() in _EVENTS:
            self.refit()
            if self.isVisible():
                self._sharing.now()
        return False

    def refit(self) -> None:
        """A slot needs other room: share it anew for the next frame, and let Qt know, once for all slots."""
        self._sharing.ask()
        QCoreApplication.postEvent(self, QEvent(QEvent.Type.LayoutRequest))

    def _keep_chosen(self) -> None:
        """Another of several may have to stand in the row."""
        if any(slot.away for slot in self._slots):
            self.refit()

    def _resize_more(self) -> None:
        """The row measures by the button while it is hidden too, when no layout is told of its size."""
        self.more.remeasure()
        self.refit()

    def _share_width(self) -> None:
        """Decide who leaves; the layout does the rest."""
        if self._arranging:
            return
        self._arranging = True
        try:
            width = -1
            for _ in range(_ROUNDS):
                if width == self.width():
                    break
                width = self.width()
                self._arrange(width)
        finally:
            self._arranging = False

    def _arrange(self, width: int) -> None:
        """Show who has room in a width. That may bring the row the room that it was waiting for."""
        giving = self._giving_way(width)
        for slot in self._slots:
            slot.squeezed = slot.shrinks and slot in giving
            slot.away = slot in giving and not slot.squeezed
            slot.take_limits()
            _set_shown(slot, slot.wanted and not slot.away)
        _set_shown(self.more, any(_listed(slot) for slot in giving))
        self._cells.activate()

    def _giving_way(self, width: int) -> list[_Slot]:
        """Who leaves or is squeezed at a width: the highest rank first, of one rank from the right."""
        wanted = {slot: _Room(slot.due, slot.least, _listed(slot)) for slot in self._slots if slot.wanted}
        giving: list[_Slot] = []
        if self._fits(wanted, giving, width):
            return giving
        places = {slot: place for place, slot in enumerate(wanted)}

        def turn(slot: _Slot) -> tuple[bool, bool, int, int]:
            return slot.rank != STAYS, not slot.chosen, slot.rank, places[slot]

        for slot in sorted(wanted, key=turn, reverse=True):
            if slot.rank == STAYS or self._fits(wanted, giving, width):
                break
            giving.append(slot)
        for slot in reversed(giving[:-1]):  # a wide one that left later may have made room for it again
            others = [other for other in giving if other is not slot]
            if self._fits(wanted, others, width):
                giving = others
        return giving

    def _fits(self, wanted: Mapping[_Slot, _Room], giving: list[_Slot], width: int) -> bool:
        """Whether the row has room in a width if these give way."""
        widths = [
            room.least if slot in giving else room.due
            for slot, room in wanted.items()
            if slot.shrinks or slot not in giving
        ]
        return self._width_with(widths, more=any(wanted[slot].listed for slot in giving)) <= width

    def _width_with(self, widths: list[int], *, more: bool) -> int:
        """Of the whole row, if these widths stand in it."""
        margins = self._cells.contentsMargins()
        widths = widths + ([self.more.sizeHint().width()] if more else [])
        width = sum(widths) + self._cells.spacing() * max(0, len(widths) - 1)
        width += sum(place for place in self._places if isinstance(place, int))
        return width + margins.left() + margins.right()

    def _size_with(self, widths: list[int], *, more: bool) -> QSize:
        """Of the whole row, if these widths stand in it."""
        margins = self._cells.contentsMargins()
        heights = [slot.hint.height() for slot in self._slots if slot.wanted]
        height = max((*heights, self.more.sizeHint().height() if more else 0), default=0)
        return QSize(self._width_with(widths, more=more), height + margins.top() + margins.bottom())


class _More(IconButton):
    """Named by itself: each row has words of its own."""

    def retranslate(self) -> None:
        """Take the language in force."""
        self.describe(QCoreApplication.translate("OverflowRow", "More controls"))


def _listed(slot: _Slot) -> bool:
    """Whether it has an entry in the menu once it has left."""
    return not slot.shrinks and not is_mute(slot.widget)


def _set_shown(widget: QWidget, on: bool) -> None:
    """Show or hide, if that is a change."""
    if widget.isHidden() == on or not widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide):
        widget.setVisible(on)
