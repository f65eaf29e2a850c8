"""`Callouts`: three of the first start: type, step, click a head. Each lies where nothing is to be read.

They lie over the page, and a click on one goes through it; only its close button, which is none of its
children for that, takes clicks.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QPolygonF, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.resources import icon

_ARROW = 7


class Callout(Guarded, QFrame):
    """A bubble whose arrow points up or down at something.

    Signals:
        dismissed: its close button was pressed.
    """

    dismissed = Signal()

    def __init__(self, appearance: Appearance, points_up: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._up = points_up
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
        side = self._appearance.px(14)
        self.close_button.setIcon(icon("close", colours.on_accent))
        self.close_button.setIconSize(QSize(side, side))
        button, up, down = self.close_button.sizeHint(), *((_ARROW, 0) if self._up else (0, _ARROW))
        self._row.setContentsMargins(12, 4 + up, 8 + button.width(), 4 + down)
        self.setMinimumHeight(button.height() + 8 + _ARROW)
        self.update()

    def place(self, target: QPoint, bounds: QRectF) -> None:
        """Put the arrow's tip on a point of the parent, the bubble within its bounds."""
        self.adjustSize()
        x = min(max(bounds.left() + 8, target.x() - self.width() / 2), bounds.right() - self.width() - 8)
        y = target.y() if self._up else target.y() - self.height()
        self._tip = min(max(16.0, target.x() - x), self.width() - 16.0)
        self.move(round(x), y)
        button = self.close_button
        button.adjustSize()
        top = (self.height() - _ARROW - button.height()) // 2 + (_ARROW if self._up else 0)
        button.move(self.pos() + QPoint(self.width() - button.width() - 4, top))
        self.update()

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
        top = _ARROW if self._up else 0
        painter.drawRoundedRect(QRectF(0, top, self.width(), self.height() - _ARROW), 7, 7)
        base, tip = (_ARROW, 0) if self._up else (self.height() - _ARROW, self.height())
        corners = ((self._tip - _ARROW, base), (self._tip, tip), (self._tip + _ARROW, base))
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))


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
        self.bubbles = [Callout(appearance, up, host) for up in (False, True, False)]
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
        if len(self._gone) == len(self.bubbles):
            self.finished.emit()

    def set_visible(self, on: bool) -> None:
        """Show those not dismissed, or hide them for a while."""
        self._on = on
        self._show()
        self._later.start(0)

    def _show(self) -> None:
        """Those not dismissed; a model that writes nothing has no steps to point at."""
        for number, (bubble, target) in enumerate(zip(self.bubbles, self._targets, strict=True)):
            there = target.isVisibleTo(self._host)
            bubble.setVisible(self._on and number not in self._gone and there)

    def retranslate(self) -> None:
        """Take the language in force."""
        texts = (
            self.tr("1  Type a sentence (Ctrl+L or click), press Enter"),
            self.tr("2  Step through the output: → or Page Down"),
            self.tr("3  Click a head to look closer"),
        )
        for bubble, text in zip(self.bubbles, texts, strict=True):
            bubble.text.setText(text)
            bubble.close_button.setToolTip(self.tr("Got it"))
            bubble.close_button.setAccessibleName(self.tr("Got it"))
        self._later.start(0)

    def place(self) -> None:
        """Point at the sentence from above, at the steps from below, at the heads from below their middle."""
        self._show()
        bounds = QRectF(self._host.rect())
        box, steps, heads = (self._area(target) for target in self._targets)
        points = (
            QPoint(box.left() + box.width() * 2 // 5, box.top() + 4),
            QPoint(steps.center().x(), steps.bottom() + 2),
            QPoint(heads.center().x(), heads.bottom() - 4),
        )
        for bubble, target, point in zip(self.bubbles, self._targets, points, strict=True):
            if bubble.isHidden() or not target.isVisible():
                continue
            bubble.place(point, bounds)
            bubble.raise_all()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the layout and the language."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide):
            self._later.start(0)
        elif event.type() == QEvent.Type.LanguageChange and watched is self._host:
            self.retranslate()
        return False

    def _area(self, widget: QWidget) -> QRect:
        corner = widget.mapTo(self._host, QPoint(0, 0))
        return QRect(corner, widget.size())

    def _dismissed(self) -> None:
        bubble = self.sender()
        if isinstance(bubble, Callout):
            self.dismiss(self.bubbles.index(bubble))
