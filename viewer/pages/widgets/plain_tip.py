"""Plain texts of others (tokens, names, sentences) where Qt would take them for HTML, or for keys."""

from __future__ import annotations

import re
from html import escape

from PySide6.QtCore import QPoint
from PySide6.QtGui import QAction, Qt
from PySide6.QtWidgets import QToolTip, QWidget

_BREAKS = re.compile("[\t\r\n]+")
_MOST = 3000  # more is set in type for seconds, and no screen has room for it
_END = 600  # of these, from the end, where the numbers stand


def plain(text: str) -> str:
    """`text` for a tooltip or a message box, shown as it stands; of a very long one both ends.

    Qt takes a text for HTML that has a tag in its first line: the token `<s>` would be struck out, and an
    `<img>` in a trace of somebody else would have a file opened.
    """
    if len(text) > _MOST:
        text = f"{text[: _MOST - _END]} … {text[-_END:]}"
    return f"<p style='white-space:pre-wrap'>{escape(text)}</p>" if Qt.mightBeRichText(text) else text


def show_tip(place: QPoint, text: str, widget: QWidget) -> None:
    """Show a tooltip at a point of the screen; an empty one hides what is shown."""
    QToolTip.showText(place, plain(text), widget)


def literal(text: str) -> str:
    """`text` for a button or a menu, shown as it stands: an ampersand names no key, a tab no shortcut."""
    return _BREAKS.sub(" ", text).replace("&", "&&")


def name_action(action: QAction, name: str, beside: str = "") -> QAction:
    """Give an action a name of others, as it stands in its menu and in its tooltip.

    Args:
        beside: what stands in the menu's second column.
    """
    action.setText(f"{literal(name)}\t{beside}" if beside else literal(name))
    action.setToolTip(plain(name))
    return action
