"""Tells a screen reader what was chosen in a painted view, which has no text of its own to read."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def speak(widget: QWidget, text: str, *, aloud: bool = True) -> None:
    """Make a sentence the widget's description, and have it read out if a screen reader listens.

    Args:
        aloud: whether it is news to the person: where several widgets say the same, one does.
    """
    if widget.accessibleDescription() == text:
        return
    widget.setAccessibleDescription(text)
    if aloud and text and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
