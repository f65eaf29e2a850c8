"""What of a window's texts is cut though there is room for it, and which parts nobody can bring into view."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)

_FREE = 20  # pixels beside a text that are no gap between two things
_TEXTS = (QLabel, QAbstractButton, QComboBox, QLineEdit, QTabBar, QHeaderView)


def cut_texts(window: QWidget) -> list[str]:
    """What is read of a window less than it says: with an ellipsis beside free space, or simply cut off."""
    found = []
    for widget in _texts(window):
        check = next(check for kind, check in _CHECKS.items() if isinstance(widget, kind))
        found += [f"{_name(widget)}: {text!r}" for text in check(widget)]
    return found


def outside(window: QWidget) -> list[str]:
    """The texts and buttons of which a part lies where nobody can look, scrolled or not."""
    found = []
    for widget in _texts(window):
        if not isinstance(widget, QHeaderView):
            shown, own = widget.visibleRegion().boundingRect(), widget.rect()
            hidden = own.width() - shown.width() > 2 or own.height() - shown.height() > 2
            if hidden and not _scrolls(widget) and not _empty(widget):
                found.append(f"{_name(widget)}: {shown.getRect()} of {own.getRect()}")
    return found


def _texts(window: QWidget) -> Iterator[QWidget]:
    """Those in view. Qt finds the few kinds sooner than Python asks thousands of widgets for theirs."""
    return (widget for kind in _TEXTS for widget in window.findChildren(kind) if _in_view(widget))


def _empty(widget: QWidget) -> bool:
    return isinstance(widget, QLabel) and not widget.text()


def _in_view(widget: QWidget) -> bool:
    return widget.isVisible() and not widget.visibleRegion().isEmpty()


def _scrolls(widget: QWidget) -> bool:
    """Whether something that holds it can be scrolled."""
    part = widget.parentWidget()
    while part is not None and not part.isWindow():
        if isinstance(part, QAbstractScrollArea):
            bars = part.horizontalScrollBar(), part.verticalScrollBar()
            return any(bar.maximum() > bar.minimum() for bar in bars)
        part = part.parentWidget()
    return False


def _name(widget: QWidget) -> str:
    line = []
    part: QWidget | None = widget
    while part is not None and not part.isWindow():
        name = type(part).__name__
        if not name.startswith("Q") or part is widget:
            line.append(name)
        part = part.parentWidget()
    return " < ".join(line[:4])


def _label(widget: QLabel) -> Iterator[str]:
    text = widget.text()
    room = widget.contentsRect()
    if not text or widget.textFormat() == Qt.TextFormat.RichText:
        return
    metrics = widget.fontMetrics()
    if widget.wordWrap():
        shown = QLabel.text(widget)
        high = QLabel.heightForWidth(widget, widget.width())
        if high > widget.height() + 2 and shown == text:
            yield f"{text} [{high} of {widget.height()} high]"
        elif shown != text and _free_below(widget) >= metrics.lineSpacing() + 4:
            yield f"{text} [shortened]"
        return
    flags = 0 if "\n" in text else Qt.TextFlag.TextSingleLine.value
    if widget.buddy() is not None:
        flags |= Qt.TextFlag.TextShowMnemonic.value
    wanted = metrics.size(flags, text)
    if wanted.width() > room.width() + 1 and not _excused(widget, wanted.width() - room.width()):
        yield f"{text} [{wanted.width()} in {room.width()}]"
    elif wanted.height() > widget.height() + 3:
        yield f"{text} [{wanted.height()} of {widget.height()} high]"


def _excused(widget: QLabel, lacking: int) -> bool:
    """Whether an elided text has all the room that its row can give."""
    elided = QLabel.text(widget) != widget.text()
    return elided and max(_free(widget)) < min(lacking, _FREE)


def _free(widget: QWidget) -> tuple[int, int]:
    """Pixels without any picture or text left and right of it, in the row in which it stands."""
    window = widget.window()
    area = QRect(widget.mapTo(window, QPoint()), widget.size())
    card = _card(widget)
    bounds = QRect(card.mapTo(window, QPoint()), card.size())
    left, right = area.left() - bounds.left(), bounds.right() - area.right()
    for other in card.findChildren(QWidget):
        if other is widget or not _in_view(other) or other.isAncestorOf(widget) or not _says(other):
            continue
        at = other.mapTo(window, QPoint())
        place = _inked(other).translated(at)
        if place.bottom() <= area.top() + 2 or place.top() >= area.bottom() - 2:
            continue
        if place.center().x() < area.center().x():
            left = min(left, area.left() - place.right())
        else:
            right = min(right, place.left() - area.right())
    margin = 16  # of a card
    return left - margin, right - margin


def _free_below(widget: QWidget) -> int:
    window = widget.window()
    area = QRect(widget.mapTo(window, QPoint()), widget.size())
    card = _card(widget)
    bottom = card.mapTo(window, QPoint(0, card.height())).y()
    for other in card.findChildren(QWidget):
        if other is widget or not _in_view(other) or other.isAncestorOf(widget) or not _says(other):
            continue
        place = QRect(other.mapTo(window, QPoint()), other.size())
        if place.top() >= area.bottom() - 2 and place.right() > area.left() and place.left() < area.right():
            bottom = min(bottom, place.top())
    return bottom - area.bottom() - 12


def _card(widget: QWidget) -> QWidget:
    """The nearest thing around it that is wider than a row of its own would be."""
    part = widget.parentWidget()
    while part is not None and not part.isWindow():
        role = part.property("role")
        if role in ("card", "pane") or isinstance(part.parentWidget(), QAbstractScrollArea):
            return part
        part = part.parentWidget()
    return widget.window()


def _says(widget: QWidget) -> bool:
    """Whether a widget shows something itself, and is no mere holder of others."""
    if isinstance(widget, QLabel):
        return bool(widget.text()) or not widget.pixmap().isNull()
    own = any(isinstance(child, QWidget) and child.isVisible() for child in widget.children())
    drawn = widget.testAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    return not own and (type(widget) is not QWidget or drawn)


def _inked(widget: QWidget) -> QRect:
    """Where it shows something: of a label its text."""
    area = widget.rect()
    if isinstance(widget, QLabel) and not widget.wordWrap() and widget.text():
        wide = min(area.width(), widget.fontMetrics().horizontalAdvance(QLabel.text(widget)) + 4)
        if widget.alignment() & Qt.AlignmentFlag.AlignHCenter:
            area.setLeft(area.center().x() - wide // 2)
            area.setWidth(wide)
        elif widget.alignment() & Qt.AlignmentFlag.AlignRight:
            area.setLeft(area.right() - wide)
        else:
            area.setWidth(wide)
    return area


def _button(widget: QAbstractButton) -> Iterator[str]:
    if not widget.text() or _is_icon(widget):
        return
    wanted = widget.sizeHint()
    if wanted.width() > widget.width() + 1 or wanted.height() > widget.height() + 6:
        yield f"{widget.text()} [{wanted.toTuple()} in {widget.size().toTuple()}]"
    # Of "Export…" it says that a dialog comes; long names are elided by hand.
    elided = "…" in widget.text()[1:-1] or (widget.text().endswith("…") and len(widget.text()) > 24)
    if elided and max(_free(widget)) > 2 * _FREE:
        yield f"{widget.text()} [elided]"


def _is_icon(widget: QAbstractButton) -> bool:
    icon_only = Qt.ToolButtonStyle.ToolButtonIconOnly
    return (
        isinstance(widget, QToolButton)
        and widget.toolButtonStyle() is icon_only
        and not widget.icon().isNull()
    )


def _combo(widget: QComboBox) -> Iterator[str]:
    option = QStyleOptionComboBox()
    widget.initStyleOption(option)
    area = widget.style().subControlRect(
        QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, widget
    )
    wanted = widget.fontMetrics().horizontalAdvance(widget.currentText())
    if wanted > area.width() + 1 and not widget.isEditable():
        yield f"{widget.currentText()} [{wanted} in {area.width()}]"


def _line(widget: QLineEdit) -> Iterator[str]:
    if widget.text() or not widget.placeholderText() or isinstance(widget.parentWidget(), QComboBox):
        return
    wanted = widget.fontMetrics().horizontalAdvance(widget.placeholderText())
    if wanted > widget.contentsRect().width() - 4:
        yield f"{widget.placeholderText()} [{wanted} in {widget.contentsRect().width()}]"


def _tabs(widget: QTabBar) -> Iterator[str]:
    for index in range(widget.count()):
        wanted = widget.fontMetrics().horizontalAdvance(widget.tabText(index))
        if wanted > widget.tabRect(index).width() - 4:
            yield widget.tabText(index)


def _header(widget: QHeaderView) -> Iterator[str]:
    if widget.orientation() is not Qt.Orientation.Horizontal or widget.model() is None:
        return
    model = widget.model()
    for section in range(widget.count()):
        text = model.headerData(section, Qt.Orientation.Horizontal)
        if widget.isSectionHidden(section) or not isinstance(text, str) or not text:
            continue
        wanted = widget.fontMetrics().horizontalAdvance(text) + 4
        if wanted > widget.sectionSize(section):
            yield f"{text} [{wanted} in {widget.sectionSize(section)}]"


_CHECKS: dict[type[QWidget], Callable[..., Iterator[str]]] = {
    QLabel: _label,
    QComboBox: _combo,
    QLineEdit: _line,
    QTabBar: _tabs,
    QHeaderView: _header,
    QAbstractButton: _button,
}
