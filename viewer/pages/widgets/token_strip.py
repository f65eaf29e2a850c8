"""`TokenStrip`: a row of token chips, painted by one widget: fast for a thousand, scrolls to the current."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from viewer.document.text.token_text import JOINT
from viewer.pages.accessible.cells import CellHost, Cells
from viewer.pages.widgets.appearance import Appearance, blend, draw_ring
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.plain_tip import show_tip
from viewer.pages.widgets.worded import Worded
from viewer.text_widths import TextWidths

_FADED = 0.4  # of something that is not in view any more
_BEAT_MS = 300
_DOTS = 3
_FORK = 12  # room of the sign that branches part here


@dataclass(slots=True)  # not frozen: to make one that is takes four times as long, and a text has thousands
class Chip:
    """One token of a strip; nobody changes it once it is made.

    Attributes:
        shade: 0 to 1, how deep the chip is coloured; None for plain text without a chip.
        says: its tooltip, or what makes it: of thousands one is asked for. Chips that say other things can be
            equal.
        text: with the sign that joins it to the word before (`TokenText.marked`).
        joined: continues the word before it, and is set close to it.
        pending: not reached yet, drawn as a dot.
        waiting: not made yet and not to be chosen: being made (dots that move) or held up (two bars).
        forks: how many other runs part here, shown by a small sign.
        changed: underlined as another token than the one it is compared with.
        copied: 0 to 1, how much of it is copied: as much of the chip's lower edge is thick.
        signs: what its signs mean, for those who do not see them.
    """

    text: str
    shade: float | None = None
    says: str | Callable[[], str] = field(default="", compare=False)
    joined: bool = False
    dim: bool = False
    pending: bool = False
    waiting: Literal["", "making", "paused"] = ""
    forks: int = 0
    changed: bool = False
    copied: float = 0.0
    signs: str = ""

    @property
    def tip(self) -> str:
        """What the pointer on it tells."""
        return self.says if isinstance(self.says, str) else self.says()


class TokenStrip(Worded, CellHost, QWidget):
    """Chips in one row.

    Signals:
        chosen: index of the chip that was clicked or reached by an arrow key.
        menu_asked: index of a chip whose menu is wanted, and where on the screen.
        pointed: index of the chip under the pointer; -1: none.
    """

    chosen = Signal(int)
    pointed = Signal(int)
    menu_asked = Signal(int, QPoint)

    def __init__(self, appearance: Appearance, size: float = 17.0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._size = size
        self._chips: tuple[Chip, ...] = ()
        self._lefts: list[float] = []  # of each chip, of a row that is not scrolled
        self._rights: list[float] = []
        self._due = False  # the chips are to be given their places, once anybody asks where they are
        self._arranging = BeforePaint(self, self._arranged)
        self._widths = TextWidths(self.font())
        self._measured: tuple[QFont, int] | None = None
        self._current = -1
        self._hovered = -1
        self._lit: frozenset[int] = frozenset()
        self._shift = 0.0
        self._clickable = self._faded = False
        self._beats = 0
        self._beat = QTimer(self)
        self._beat.setInterval(_BEAT_MS)
        self._beat.timeout.connect(self._beaten)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        appearance.changed.connect(self._restyled)
        self._restyled()

    def set_clickable(self, on: bool) -> None:
        """Whether chips can be chosen by click and arrow keys."""
        self._clickable = on
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if on else Qt.FocusPolicy.NoFocus)

    def show_chips(self, chips: tuple[Chip, ...], current: int = -1) -> None:
        """Replace the chips; the current one is framed and scrolled into view."""
        if chips == self._chips and current == self._current:
            self._chips = chips  # what they say may be another
            return
        before, self._chips = self._chips, chips
        self._current = current
        if _reshaded(before, chips):
            self._follow()
        else:
            self.setAccessibleDescription("".join(map(_description, chips)).strip())
            self._arrange()
            self._arranging.ask()  # a frame may have several rows of thousands
        self._keep_time()
        self.follow_cells()

    def cells(self) -> Cells | None:
        """One row of tokens."""
        chips, current = self._chips, (0, self._current) if self._current >= 0 else None

        def rect(row: int, column: int) -> QRectF | None:
            return self._place(column)

        def at(point: QPointF) -> tuple[int, int] | None:
            column = self._at(point)
            return None if column < 0 else (0, column)

        def choose(row: int, column: int) -> None:
            if self._choosable(column):
                self.chosen.emit(column)

        return Cells(
            1 if chips else 0,
            len(chips),
            lambda row, column: _description(chips[column]).strip() or "…",
            current=current,
            rect=rect,
            at=at,
            choose=choose,
        )

    def light(self, chips: frozenset[int]) -> None:
        """Underlay the chips of the tokens that the pointer is on in some view."""
        if chips != self._lit:
            self._lit = chips
            self.update()

    def set_faded(self, on: bool) -> None:
        """Draw the chips quietly: they are of something that is not in view any more."""
        if on != self._faded:
            self._faded = on
            self.update()

    @property
    def faded(self) -> bool:
        """Whether the chips are drawn quietly."""
        return self._faded

    @property
    def chips(self) -> tuple[Chip, ...]:
        """What is shown."""
        return self._chips

    def chip_center(self, index: int) -> QPoint:
        """Where chip `index` is now, in the widget's coordinates."""
        return self._place(index).center().toPoint()

    def sizeHint(self) -> QSize:
        """One row of chips."""
        return QSize(200, self.height())

    def _restyled(self) -> None:
        font = self.font()
        font.setPixelSize(self._appearance.px(self._size))
        self.setFixedHeight(round(QFontMetricsF(font).height() * 1.36))
        self.remeasure()
        self.update()  # in other colours, if no more

    def remeasure(self) -> None:
        """Take the type in force; where it is as before, a thousand chips need not be measured again."""
        in_force = self.font(), self._appearance.px(_FORK)
        if in_force != self._measured:
            self._measured = in_force
            self._widths = TextWidths(self.font())
            self._arrange()

    def _arrange(self) -> None:
        """Give the chips their places: at the latest in the frame that shows them; unseen never."""
        self._due = True
        self.update()

    def _arranged(self) -> None:
        """Do it now, if it is still to be done."""
        if not self._due:
            return
        self._due = False
        metrics = QFontMetricsF(self.font())
        line, least, fork = metrics.height(), metrics.height() * 0.5, self._appearance.px(_FORK)
        plain = _are_plain(self._chips)
        inside = 1.0 if plain else metrics.height() * 0.3
        gap = metrics.horizontalAdvance(" ") * 1.6 if plain else metrics.height() * 0.3
        close = 0.0 if plain else 2.0
        lefts: list[float] = []
        rights: list[float] = []
        x = 1.0
        for chip in self._chips:  # no object of Qt's for each
            if lefts:
                x += close if chip.joined else gap
            pending = chip.pending or chip.waiting
            wide = line * 0.9 if pending else self._widths.of(chip.text) + 2 * inside
            lefts.append(x)
            x += max(wide + fork if chip.forks else wide, least)
            rights.append(x)
        self._lefts, self._rights = lefts, rights
        self._scroll()

    def _place(self, index: int) -> QRectF:
        """Where a chip is now."""
        self._arranged()
        left, right = self._lefts[index], self._rights[index]
        return QRectF(left - self._shift, 1.5, right - left, self.height() - 3.0)

    def _follow(self) -> None:
        """Scroll to the current chip."""
        if not self._due:  # else it is scrolled to with that
            self._scroll()
        self.update()

    def _scroll(self) -> None:
        if 0 <= self._current < len(self._lefts):
            room = QFontMetricsF(self.font()).height() * 2.5
            left, right = self._lefts[self._current], self._rights[self._current]
            self._shift = min(self._shift, max(0.0, left - room))
            self._shift = max(self._shift, right + room - self.width())
        self._shift = max(0.0, min(self._shift, self._total() - self.width()))

    def _total(self) -> float:
        self._arranged()
        return self._rights[-1] + 2 if self._rights else 0.0

    def _at(self, point: QPointF) -> int:
        self._arranged()
        index = bisect_right(self._lefts, point.x() + self._shift) - 1
        return index if index >= 0 and self._place(index).contains(point) else -1

    def _draw_chip(self, painter: QPainter, index: int) -> None:
        chip, place = self._chips[index], self._place(index)
        look = self._appearance
        if chip.waiting:
            self._draw_waiting(painter, chip, place)
            return
        if chip.pending:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.color("border_strong"))
            painter.drawEllipse(place.center(), look.px(2), look.px(2))
            self._draw_signs(painter, chip, place)
            return
        if index in self._lit and chip.shade is None:
            painter.setPen(QPen(look.color("accent"), 1.0))
            painter.setBrush(look.color("soft"))
            painter.drawRoundedRect(place.adjusted(-3, 0, 3, 0), look.px(4), look.px(4))
        if chip.shade is not None:
            current = index == self._current
            fill = blend(look.color("hover"), look.color("chip"), chip.shade)
            edge = look.color("accent") if current else fill
            if index == self._hovered and not current and self._clickable:
                edge = look.color("border_strong")
            if index in self._lit:
                edge = look.color("accent")
            painter.setPen(QPen(edge, 2.0 if current else 1.0))
            painter.setBrush(fill)
            painter.drawRoundedRect(place, look.px(6), look.px(6))
        painter.setPen(look.color("muted" if chip.dim else "text"))
        inside = place.adjusted(0, 0, -look.px(_FORK), 0) if chip.forks else place
        painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, chip.text)
        self._draw_signs(painter, chip, place)

    def _draw_waiting(self, painter: QPainter, chip: Chip, place: QRectF) -> None:
        """Three dots of which one after the other lights up, or the two bars of a pause."""
        look, middle = self._appearance, place.center()
        painter.setPen(Qt.PenStyle.NoPen)
        if chip.waiting == "paused":
            painter.setBrush(look.color("accent"))
            for side in (-1, 1):
                bar = QRectF(0, 0, look.px(3), look.px(11))
                bar.moveCenter(middle + QPointF(side * look.px(3), 0))
                painter.drawRoundedRect(bar, 1, 1)
            return
        for dot in range(_DOTS):
            painter.setBrush(look.color("accent" if self._beats % _DOTS == dot else "border_strong"))
            painter.drawEllipse(middle + QPointF((dot - 1) * look.px(6), 0), look.px(2), look.px(2))

    def _draw_signs(self, painter: QPainter, chip: Chip, place: QRectF) -> None:
        """Underline what changed and what is copied; a fork in the corner where other runs part."""
        look = self._appearance
        if chip.copied and not chip.pending:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.color("accent"))
            thick = float(look.px(3))
            bottom = place.bottom() - (2.5 if chip.changed else 1) * thick
            wide = (place.width() - 6) * chip.copied
            painter.drawRect(QRectF(place.left() + 3, bottom, wide, thick))
        if chip.changed:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.color("warn_border"))
            thick = float(look.px(3))
            line = QRectF(place.left() + 3, place.bottom() - thick, place.width() - 6, thick)
            painter.drawRoundedRect(line, thick / 2, thick / 2)
        if chip.forks:
            self._draw_fork(painter, place)

    def _draw_fork(self, painter: QPainter, place: QRectF) -> None:
        """A line that becomes two, at the right end of a chip."""
        look, half = self._appearance, self._appearance.px(4)
        end = QPointF(place.right() - look.px(5), place.center().y())
        painter.setPen(QPen(look.color("accent"), max(1.2, look.px(10) / 7)))
        painter.setBrush(look.color("accent"))
        painter.drawLine(end - QPointF(2 * half, 0), end - QPointF(half, 0))
        for side in (-half, half):
            tip = end + QPointF(0, side)
            painter.drawLine(end - QPointF(half, 0), tip)
            painter.drawEllipse(tip, 1.2, 1.2)

    def _keep_time(self) -> None:
        """Let the dots move only while there are any to be seen."""
        if self.isVisible() and any(chip.waiting == "making" for chip in self._chips):
            if not self._beat.isActive():
                self._beat.start()
        else:
            self._beat.stop()

    def _beaten(self) -> None:
        self._beats += 1
        self.update()

    def _fade(self, painter: QPainter, left: bool) -> None:
        """Say that the row goes on beyond this edge."""
        width = self._appearance.px(28)
        panel = self._appearance.color("panel")
        clear = QColor(panel)
        clear.setAlpha(0)
        x = 0 if left else self.width() - width
        shade = QLinearGradient(x, 0, x + width, 0)
        shade.setColorAt(0, panel if left else clear)
        shade.setColorAt(1, clear if left else panel)
        painter.fillRect(QRectF(x, 0, width, self.height()), shade)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the visible chips."""
        self._arranged()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setOpacity(_FADED if self._faded else 1.0)
        first = bisect_left(self._rights, self._shift)
        last = bisect_right(self._lefts, self._shift + self.width())
        for index in range(first, last):
            self._draw_chip(painter, index)
        painter.setOpacity(1.0)
        if self._shift > 0.5:
            self._fade(painter, left=True)
        if self._total() - self._shift > self.width() + 0.5:
            self._fade(painter, left=False)
        if self.hasFocus() and self._clickable:
            draw_ring(painter, self, self._appearance.color("accent"), dotted=self._current >= 0)

    def showEvent(self, event: QShowEvent) -> None:
        """Go on moving."""
        super().showEvent(event)
        self._keep_time()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nothing moves unseen."""
        super().hideEvent(event)
        self._keep_time()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current chip in view."""
        self._follow()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll sideways."""
        delta = event.angleDelta().y() or -event.angleDelta().x()
        most = max(0.0, self._total() - self.width())
        self._shift = max(0.0, min(most, self._shift - delta * 0.6))
        self.update()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Light the chip under the pointer."""
        index = self._at(event.position())
        if index != self._hovered:
            self._hovered = index
            self.pointed.emit(index)
            shape = (
                Qt.CursorShape.PointingHandCursor if self._choosable(index) else Qt.CursorShape.ArrowCursor
            )
            self.setCursor(shape)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._hovered = -1
        self.pointed.emit(-1)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a chip."""
        index = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and self._choosable(index):
            self.chosen.emit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right choose the neighbour."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None or not self._clickable or event.modifiers() != Qt.KeyboardModifier.NoModifier:
            super().keyPressEvent(event)
        elif self._choosable(self._current + step):
            self.chosen.emit(self._current + step)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the chip under the pointer, or by the menu key of the current one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self._current if by_key else self._at(QPointF(event.pos()))
        if self._choosable(index):
            place = self.mapToGlobal(self.chip_center(index)) if by_key else event.globalPos()
            self.menu_asked.emit(index, place)

    def event(self, event: QEvent) -> Any:
        """Tooltips of single chips."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self._at(QPointF(event.pos()))
            if index >= 0 and (tip := self._chips[index].tip):
                show_tip(event.globalPos(), tip, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def _choosable(self, index: int) -> bool:
        return self._clickable and 0 <= index < len(self._chips) and not self._chips[index].waiting


def _reshaded(before: tuple[Chip, ...], after: tuple[Chip, ...]) -> bool:
    """Whether nothing but shades of some chips is another, so that all stay where they are and are called."""
    if len(before) != len(after) or _are_plain(before) != _are_plain(after):
        return False
    pairs = (pair for pair in zip(before, after, strict=True) if pair[0] is not pair[1])
    return all(old == new or replace(old, shade=new.shade) == new for old, new in pairs)


def _are_plain(chips: tuple[Chip, ...]) -> bool:
    """Whether none has a ground of its own."""
    return all(chip.shade is None for chip in chips)


def _description(chip: Chip) -> str:
    if not _is_shown(chip):
        return f" ({chip.signs})" if chip.signs else ""
    text = chip.text.removeprefix(JOINT) if chip.joined else chip.text
    said = text + (f" ({chip.signs})" if chip.signs else "")
    return said if chip.joined else " " + said


def _is_shown(chip: Chip) -> bool:
    return not chip.pending and not chip.waiting
