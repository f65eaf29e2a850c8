"""`TextWidths`: how wide thousands of short texts are in one font."""

from __future__ import annotations

import re

from PySide6.QtGui import QFont, QFontMetricsF

# Latin with punctuation and signs; or letters of other scripts alone, since what has no script of its own is
# drawn in the font of its neighbours. No marks that combine.
_LETTER_BY_LETTER = re.compile(
    "[ -~\u00a0-\u017f\u2013-\u2026\u20ac\u22c5\u2581]*"
    "|[A-Za-z\u0391-\u03a1\u03a3-\u03ce\u0410-\u044f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*"
)
_MOST_KNOWN = 10_000


class TextWidths:
    """In logical pixels, to a fraction of a pixel or two.

    Where a script sets letter after letter a text takes what its letters take: to have Qt shape each text
    takes ten times as long. A font draws some pairs closer and a few, such as "-J", farther apart, by up to a
    seventeenth of the type's height: who would end a text in an ellipsis for that measures the longest as Qt
    does. Other scripts join, reorder or stack their letters: of those Qt is asked for each text, once.
    """

    def __init__(self, font: QFont) -> None:
        self._metrics = QFontMetricsF(font)
        self._letters: dict[str, float] = {}
        self._known: dict[str, float] = {}

    def of(self, text: str) -> float:
        """The advance of a line of text."""
        found = self._known.get(text)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[text] = self._measured(text)
        return found

    def _measured(self, text: str) -> float:
        if not _LETTER_BY_LETTER.fullmatch(text):
            return self._metrics.horizontalAdvance(text)
        letters = self._letters
        for letter in text:
            if letter not in letters:
                letters[letter] = self._metrics.horizontalAdvance(letter)
        return sum([letters[letter] for letter in text])
