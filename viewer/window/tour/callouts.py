"""`Callouts`: three of the first start: type, step, click a head.

Each lies over what it tells of, or over what is no control, and a click on one goes through it; only its
close button, which is none of its children for that, takes clicks. In a small window they come one by one.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPolygonF, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from viewer.guarded import Guarded
from viewer.icons import icon
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.shown_keys import keys_within

_ARROW = 7
_HIGH = 260  # an area that is higher has room below its middle


class Callout(Guarded, QFrame):
    """A bubble, whose arrow points up or down at something, if it has one.

    Signals:
        dismissed: its close button was pressed.
    """

    dismissed = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._up: bool | None = None
        self._tip = 24.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.text = label()
        self.close_button = QToolButton(parent)
        self.close_button.setAutoRaise(True)
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.close_button.hide()
        self.close_button.clicked.connect(self.dismissed)
        self.setProperty("role", "bubble")
        self._row = row = QHBoxLayout(self)
        row.setSpacing(0)
        row.addWidget(self.text)
        appearance.changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Take the theme and type scale in force."""
        colours = self._appearance.palette
        self.setStyleSheet(f"QLabel {{ color: {colours.on_accent}; }}")
        button = "QToolButton {{ background: transparent; border: 1px solid transparent; }}"
        ring = "QToolButton:hover, QToolButton:focus {{ border-color: {ring}; }}"
        self.close_button.setStyleSheet((button + ring).format(ring=colours.on_accent))
        side = self._appearance.px(14)
        self.close_button.setIcon(icon("close", colours.on_accent))
        self.close_button.setIconSize(QSize(side, side))
        self.update()

    def _shape(self, up: bool | None, widest: int) -> None:
        """Be as large as the text at a width needs, with an arrow above or below, or none."""
        self._up = up
        button, edge = self.close_button, 4
        button.adjustSize()
        above, below = (_ARROW if up is True else 0), (_ARROW if up is False else 0)
        sides = 12, 6 + button.width()
        text = self.text
        wanted = text.fontMetrics().horizontalAdvance(text.text()) + 4
        room = min(wanted, widest - sum(sides))
        text.setWordWrap(wanted > room)
        high = text.heightForWidth(room) if wanted > room else text.sizeHint().height()
        high = max(high, button.height()) + 2 * edge
        self._row.setContentsMargins(sides[0], edge + above, sides[1], edge + below)
        self.resize(room + sum(sides), high + above + below)

    def _go(self, x: float, y: float) -> None:
        self.move(round(x), round(y))
        button, arrow = self.close_button, 0 if self._up is None else _ARROW
        top = (self.height() - arrow - button.height()) // 2 + (arrow if self._up else 0)
        button.move(self.pos() + QPoint(self.width() - button.width() - 4, top))
        self.update()

    def lie_in(self, area: QRect) -> None:
        """Take the right end of an area, with no arrow."""
        self._shape(None, area.width())
        self._go(area.right() - self.width() - 3, area.center().y() - self.height() / 2 + 0.5)

    def hang_below(self, area: QRect, bounds: QRect) -> None:
        """Point up at an area from below it, within bounds."""
        self._shape(True, bounds.width())
        x = min(
            max(bounds.left() + 8, area.center().x() - self.width() / 2), bounds.right() - self.width() - 8
        )
        self._tip = min(max(16.0, area.center().x() - x), self.width() - 16.0)
        self._go(x, area.bottom() + 2)

    def lie_over(self, area: QRect) -> None:
        """Take the foot of a high area and point up at the rest, the head of a low one and point down."""
        up = area.height() > _HIGH
        self._shape(up, area.width())
        self._tip = self.width() / 2
        y = area.bottom() - self.height() if up else area.top()
        self._go(area.center().x() - self.width() / 2, y)

    def raise_all(self) -> None:
        """Lie over the page, the button over the bubble."""
        self.raise_()
        self.close_button.raise_()

    def showEvent(self, event: QShowEvent) -> None:
        """The button comes too."""
        super().showEvent(event)
        self.close_button.show()

    def hideEvent(self, event: QHideEvent) -> None:
        """The button goes too."""
        super().hideEvent(event)
        self.close_button.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bubble and its arrow."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._appearance.color("accent"))
        body = QRectF(self.rect())
        if self._up is not None:
            body.adjust(0, _ARROW if self._up else 0, 0, 0 if self._up else -_ARROW)
            base, tip = (body.top(), 0) if self._up else (body.bottom(), self.height())
            corners = ((self._tip - _ARROW, base), (self._tip, tip), (self._tip + _ARROW, base))
            painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
        painter.drawRoundedRect(body, 7, 7)


class Callouts(Guarded, QObject):
    """Places the three call-outs over a page and follows its layout.

    Signals:
        finished: the last of them was dismissed.
    """

    finished = Signal()

    def __init__(
        self, host: QWidget, appearance: Appearance, targets: tuple[QWidget, QWidget, QWidget]
    ) -> None:
        super().__init__(host)
        self._host = host
        self._targets = targets
        self._gone: set[int] = set()
        self._on = True
        self._one_by_one = False
        self.bubbles = [Callout(appearance, host) for _ in targets]
        for bubble in self.bubbles:
            bubble.dismissed.connect(self._dismissed)
            bubble.show()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self.place)
        for widget in (host, *targets):
            widget.installEventFilter(self)
        appearance.changed.connect(self._later.start)
        self.retranslate()

    def dismiss(self, number: int) -> None:
        """Take one away: what it asks for was done."""
        if number in self._gone:
            return
        self._gone.add(number)
        self.bubbles[number].hide()
        self._later.start(0)
        if len(self._gone) == len(self.bubbles):
            self.finished.emit()

    def dismiss_all(self) -> bool:
        """Take away what is there; whether anything was."""
        if not any(bubble.isVisible() for bubble in self.bubbles):
            return False
        for number in range(len(self.bubbles)):
            self.dismiss(number)
        return True

    def set_one_by_one(self, on: bool) -> None:
        """Show one at a time, the next when it is done, or all."""
        self._one_by_one = on
        self._later.start(0)

    def set_visible(self, on: bool) -> None:
        """Show those not dismissed, or hide them for a while."""
        self._on = on
        self._show()
        self._later.start(0)

    def _show(self) -> None:
        """Those not dismissed; a model that writes nothing has no steps to point at."""
        before = False
        for number, (bubble, target) in enumerate(zip(self.bubbles, self._targets, strict=True)):
            there = self._on and number not in self._gone and target.isVisibleTo(self._host)
            bubble.setVisible(there and not (self._one_by_one and before))
            before |= there

    def retranslate(self) -> None:
        """Take the language in force."""
        texts = (
            keys_within(self.tr("1  Type a sentence (Ctrl+L or click), press Enter")),
            keys_within(self.tr("2  Step through the output: → or Page Down")),
            self.tr("3  Click a head to look closer"),
        )
        for bubble, text in zip(self.bubbles, texts, strict=True):
            bubble.text.setText(text)
            bubble.close_button.setToolTip(self.tr("Got it"))
            bubble.close_button.setAccessibleName(self.tr("Got it"))
        self._later.start(0)

    def place(self) -> None:
        """In the field, below the steps, and over the heads."""
        self._show()
        field, steps, heads = self.bubbles
        areas = [self._area(target) for target in self._targets]
        field.lie_in(areas[0])
        steps.hang_below(areas[1], self._host.rect())
        heads.lie_over(areas[2])
        for bubble in self.bubbles:
            bubble.raise_all()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the layout."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide):
            self._later.start(0)
        return False

    def _area(self, widget: QWidget) -> QRect:
        corner = widget.mapTo(self._host, QPoint(0, 0))
        return QRect(corner, widget.size())

    def _dismissed(self) -> None:
        bubble = self.sender()
        if isinstance(bubble, Callout):
            self.dismiss(self.bubbles.index(bubble))
