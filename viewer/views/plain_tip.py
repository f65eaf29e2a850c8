"""Texts of others where Qt would take them for HTML."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt


def plain(text: str) -> str:
    """`text` for a tooltip or a message box, shown as it stands.

    Qt takes a text for HTML that has a tag in its first line: the token `<s>` would be struck out, and an
    `<img>` in a trace of somebody else would have a file opened.
    """
    return f"<p style='white-space:pre-wrap'>{escape(text)}</p>" if Qt.mightBeRichText(text) else text
