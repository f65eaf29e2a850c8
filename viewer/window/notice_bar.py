"""`NoticeBar`: one sentence across the window: what went wrong, with a button if something can be offered."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from viewer.icons import icon, pixmap
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded


class NoticeBar(Worded, QFrame):
    """Hidden until `show_notice`; the close button or a newer notice replaces it.

    It is one line high: a sentence that is longer ends in a button that shows all of it.

    Signals:
        dismissed: the close button was pressed.
        toggled: it came (True), or went.
    """

    dismissed = Signal()
    toggled = Signal(bool)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._action: Callable[[], None] | None = None
        self._icon = "warning"
        self.setProperty("role", "notice")
        self._sign = QLabel()
        self._text = label()
        self._text.be_elastic()
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._whole = IconButton(appearance, "more")
        self._whole.setCheckable(True)
        self._whole.clicked.connect(self._show_all)
        self._whole.hide()
        self._button = QPushButton()
        self._button.clicked.connect(self._act)
        self._close = QToolButton()
        self._close.setAutoRaise(True)
        self._close.clicked.connect(self._dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 6, 6, 6)
        row.addWidget(self._sign)
        row.addWidget(self._text, 1)
        row.addWidget(self._whole)
        row.addWidget(self._button)
        row.addWidget(self._close)
        appearance.changed.connect(self._restyle)
        self._restyle()
        self.retranslate()
        self.hide()

    @property
    def text(self) -> str:
        """The sentence shown, empty when the bar is hidden."""
        return "" if self.isHidden() else self._text.text()

    @property
    def button(self) -> QPushButton:
        """The button that does what is offered; hidden when nothing is."""
        return self._button

    def show_notice(
        self,
        text: str,
        offer: str = "",
        action: Callable[[], None] | None = None,
        *,
        remark: bool = False,
    ) -> None:
        """Show a sentence; with `offer`, a button of that label that runs `action`.

        Args:
            remark: whether it only tells, and warns of nothing.
        """
        self._icon = "info" if remark else "warning"
        self._restyle()
        self._whole.setChecked(False)
        self._show_all(False)
        self._text.setText(text)
        self._text.setToolTip(plain(text))
        self._text.setAccessibleName(text)
        self._action = action
        self._button.setText(offer)
        self._button.setVisible(bool(offer) and action is not None)
        self.show()
        self._fit()
        self.toggled.emit(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for more or less of it."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The button is there while something is left out, or was."""
        wanted = self._text.fontMetrics().horizontalAdvance(self._text.text())
        room = self._text.width() + (0 if self._whole.isHidden() else self._whole.width())
        self._whole.setVisible(self._whole.isChecked() or wanted > room)

    def _show_all(self, on: bool) -> None:
        self._text.setWordWrap(on)
        self._text.setText(self._text.text())
        self._text.updateGeometry()

    def hideEvent(self, event: QHideEvent) -> None:
        """Whoever made room for it has it back."""
        super().hideEvent(event)
        if self.isHidden():  # not only with its window
            self.toggled.emit(False)

    def retranslate(self) -> None:
        """Take the language in force."""
        self._whole.describe(self.tr("All of this message"))
        self._close.setToolTip(self.tr("Close this message"))
        self._close.setAccessibleName(self.tr("Close this message"))

    def _dismiss(self) -> None:
        self.hide()
        self.dismissed.emit()

    def _act(self) -> None:
        action, self._action = self._action, None
        self.hide()
        if action is not None:
            action()

    def _restyle(self) -> None:
        tone = self._appearance.palette.warn_text
        size = self._appearance.px(18)
        self._sign.setPixmap(pixmap(self._icon, tone, size, self.devicePixelRatioF()))
        self._close.setIcon(icon("close", tone))
        self._close.setIconSize(QSize(size, size))
