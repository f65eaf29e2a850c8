"""Error sentences in the window's language.

The English sentences of `model.errors.MESSAGES` are the translation sources, in the context `Errors`. That
table knows no Qt, so `lupdate` cannot find them: `tools` of the test suite (and `update_translations`) add them
to the .ts file from the table itself.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.errors import MESSAGES, HeadscopeError

CONTEXT = "Errors"


def error_text(error: HeadscopeError) -> str:
    """The sentence for `error`, translated, then filled with its values; starts with a capital, ends with a stop."""
    source = MESSAGES[error.code]
    translated = QCoreApplication.translate(CONTEXT, source)
    try:
        sentence = translated.format(**error.values)
    except (KeyError, IndexError, ValueError):  # a translation that names a wrong placeholder
        sentence = source.format(**error.values)
    return finished(sentence)


def finished(sentence: str) -> str:
    """With a capital at the start (unless a path stands there) and a full stop at the end."""
    if sentence[:1].isalpha() and sentence[:1].isascii():
        sentence = sentence[0].upper() + sentence[1:]
    if not sentence:
        return sentence
    stop = "。" if any("\u4e00" <= letter <= "\u9fff" for letter in sentence[-12:]) else "."
    return sentence if sentence[-1] in ".。!！?？" else sentence + stop
