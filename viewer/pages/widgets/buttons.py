"""Buttons, labels and boxes of the window, so that each looks and reads the same everywhere."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent, QTextLayout
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QButtonGroup,
    QComboBox,
    QFrame,
    QLabel,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from viewer.guarded import Guarded
from viewer.icons import icon
from viewer.pages.accessible.tabs import TabButton
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded


class IconButton(Worded, QToolButton):
    """A square button with one of our icons, recoloured with the theme."""

    def __init__(self, appearance: Appearance, name: str, strong: bool = False) -> None:
        super().__init__()
        self._appearance = appearance
        self._name = name
        self._strong = strong
        self.setProperty("role", "icon")
        self.setProperty("strong", strong)
        self.remeasure()

    def set_icon(self, name: str) -> None:
        """Show another icon."""
        if name != self._name:
            self._name = name
            self.remeasure()

    def describe(self, text: str) -> None:
        """Set the tooltip and the accessible name."""
        self.setToolTip(plain(text))
        self.setAccessibleName(text)

    def remeasure(self) -> None:
        """Take the theme and type scale in force."""
        colours = self._appearance.palette
        self.setIcon(icon(self._name, colours.on_accent if self._strong else colours.text, colours.disabled))
        side = self._appearance.px(18)
        self.setIconSize(QSize(side, side))


class MenuButton(Worded, QToolButton):
    """A labelled button that opens a menu, with a small arrow after its text."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self.setProperty("role", "button")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # puts the arrow after the text
        self.remeasure()

    def remeasure(self) -> None:
        """Take the theme and type scale in force."""
        colours = self._appearance.palette
        self.setIcon(icon("down", colours.muted, colours.disabled))
        side = self._appearance.px(14)
        self.setIconSize(QSize(side, side))


Box = TypeVar("Box", bound=QAbstractSpinBox)

_SLACK = 2  # an advance that is rounded down would end in an ellipsis
_ENDS = 1000  # letters of the beginning and of the end that a label may have room for


def tab_button(group: QButtonGroup, index: int) -> QToolButton:
    """A flat checkable button of an exclusive row."""
    button = TabButton()
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    group.addButton(button, index)
    return button


class Label(Guarded, QLabel):
    """A plain-text label; once `elastic`, text that is wider than the label ends in an ellipsis.

    `text()` is always the whole text. It listens to no change of type itself, as hundreds of them would be
    told nine times of each: `Renewal` has those measure again that measure at all.
    """

    def __init__(self, text: str) -> None:
        self._whole, self._elides, self._hugs = text, False, False
        self._elision = Qt.TextElideMode.ElideRight
        self._lines = 0
        super().__init__(text)
        self.setTextFormat(Qt.TextFormat.PlainText)

    def text(self) -> str:
        """All of it, also what there is no room for."""
        return self._whole

    def setText(self, text: str) -> None:
        """Show as much of a text as there is room for."""
        self._whole = text
        if self._lines:
            # QLabel indents framed text by half an x.
            indent = self.fontMetrics().horizontalAdvance("x") // 2 + 1
            room = self.contentsRect().width() - 2 * self.margin() - indent
            super().setText(_shortened(_measurable(text), self.font(), room, self._lines))
            return
        if not self._elides or self.wordWrap():
            super().setText(text)
            return
        text = _measurable(text)
        if self._hugs:
            self.setMaximumWidth(self.fontMetrics().horizontalAdvance(text) + 2 * self.margin() + _SLACK)
        room = self.contentsRect().width() - 2 * self.margin()
        super().setText(self.fontMetrics().elidedText(text, self._elision, room))

    def be_elastic(
        self, *, hugging: bool = False, elision: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> None:
        """Be as narrow as the window wants it; a label that wraps does so anyhow.

        Args:
            hugging: never be wider than the text, so that what stands beside it has the rest.
            elision: which part of the text goes first.
        """
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._elides, self._hugs, self._elision = True, hugging, elision

    def be_short(self, lines: int) -> None:
        """Wrap the text into so many lines at most, the last ending in an ellipsis if there are more."""
        self._lines = lines
        self.setWordWrap(True)
        self.setText(self._whole)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show more of the text, or less."""
        super().resizeEvent(event)
        self.setText(self._whole)

    @property
    def measures(self) -> bool:
        """Whether what it shows depends on how large its type is."""
        return self._elides or self._lines > 0

    def remeasure(self) -> None:
        """Less or more of the text fits."""
        self.setText(self._whole)


class NarrowBox(Guarded, QComboBox):
    """A choice that may be narrower than its longest entry; what it drops down is as wide as all of them."""

    def __init__(self, letters: int = 0, parent: QWidget | None = None) -> None:
        """Begin empty.

        Args:
            letters: for which there is to be room at least.
        """
        super().__init__(parent)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(letters)

    def showPopup(self) -> None:
        """Drop down."""
        view = self.view()
        bar = view.verticalScrollBar().sizeHint().width()
        whole = view.sizeHintForColumn(0) + bar + 2 * view.frameWidth()
        view.setMinimumWidth(min(whole, self.window().width()))
        super().showPopup()


def _measurable(text: str) -> str:
    """What there may be room for: of a very long text Qt would measure every letter."""
    return text if len(text) <= 2 * _ENDS else f"{text[:_ENDS]}…{text[-_ENDS:]}"


def _shortened(text: str, font: QFont, room: int, lines: int) -> str:
    """As much of a text as so many lines of a width have room for."""
    layout = QTextLayout(text, font)
    starts: list[int] = []
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(1, room))
        starts.append(line.textStart())
    layout.endLayout()
    if len(starts) <= lines:
        return text
    units = text.encode("utf-16-le")  # what Qt counts
    whole = units[: 2 * starts[lines - 1]].decode("utf-16-le")
    last = units[2 * starts[lines - 1] :].decode("utf-16-le")
    return whole + QFontMetrics(font).elidedText(last, Qt.TextElideMode.ElideRight, room - _SLACK)


def indented(spin: Box) -> Box:
    """A number's box with room before its digits: a style sheet gives it none there."""
    spin.lineEdit().setTextMargins(6, 0, 0, 0)
    return spin


def label(role: str = "", text: str = "") -> Label:
    """A plain-text label in one of the style sheet's roles."""
    result = Label(text)
    if role:
        result.setProperty("role", role)
    return result


def elastic(widget: Label) -> Label:
    """Let a label be narrower than its text instead of widening the window."""
    widget.be_elastic()
    return widget


def card(parent: QWidget | None = None) -> QFrame:
    """A white (or dark) rounded panel."""
    frame = QFrame(parent)
    frame.setProperty("role", "card")
    return frame
