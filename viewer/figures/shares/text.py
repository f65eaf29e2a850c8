"""Shares text: shares as a person reads them, and the words that have most of a step."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def percents(source: float) -> tuple[str, str]:
    """Both shares as a person reads them; they add up to 100 %."""
    number = round(100 * source)
    text = QCoreApplication.translate("Wording", "{number} %")
    return text.format(number=number), text.format(number=100 - number)
