"""Lists inside sentences, with the separators of the language in force: "layer 1 off; positions dropped"."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication


def clauses(texts: Iterable[str]) -> str:
    """Statements that may have commas of their own: "a, b; c"."""
    return QCoreApplication.translate("Lists", "; ").join(texts)


def phrases(texts: Iterable[str]) -> str:
    """What is said of one thing, part after part: "predicts chat, reads cat, 0.61"."""
    return QCoreApplication.translate("Phrases", ", ").join(texts)


def names(texts: Iterable[str]) -> str:
    """Things of one kind side by side: "1, 3, 4"."""
    return QCoreApplication.translate("Names", ", ").join(texts)
