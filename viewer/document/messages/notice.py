"""`Notice`: what the user should read: a sentence of `model.errors`, kept as a code to be translated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Self

from PySide6.QtCore import QCoreApplication

from model.errors import MESSAGES, HeadscopeError
from viewer.document.messages.language_names import VALUES as LANGUAGES
from viewer.document.messages.language_names import localized_language
from viewer.document.messages.reasons import localized

CONTEXT = "Errors"

Level = Literal["note", "warning", "error"]


@dataclass(frozen=True)
class Notice:
    """One sentence.

    Attributes:
        code: key into `model.errors.MESSAGES`; an unknown one raises `KeyError`.
        values: what fills the sentence's placeholders.
        level: `note` tells, `warning` asks for attention, `error` says that something did not happen.
    """

    code: str
    values: Mapping[str, object] = field(default_factory=dict)
    level: Level = "note"

    def __post_init__(self) -> None:
        """Refuse a code without a sentence: it would be found only when the user should read it."""
        if self.code not in MESSAGES:
            raise KeyError(f"no message for code {self.code!r}")

    @classmethod
    def of(cls, error: HeadscopeError, level: Level = "error") -> Self:
        """The notice of an error."""
        return cls(error.code, dict(error.values), level)

    def sentence(self) -> str:
        """The sentence in the application's language."""
        return sentence(self.code, self.values)


def error_sentence(error: HeadscopeError) -> str:
    """The sentence of an error in the application's language."""
    return sentence(error.code, error.values)


def sentence(code: str, values: Mapping[str, object]) -> str:
    """A sentence of `model.errors` in the application's language (context `Errors`), filled with `values`.

    The table's sentences continue a command line's "error:"; here they begin with a capital letter and end
    with a full stop.
    """
    source = MESSAGES[code]
    local = {
        name: localized_language(str(value)) if name in LANGUAGES else localized(value)
        for name, value in values.items()
    }
    try:
        text = QCoreApplication.translate(CONTEXT, source).format(**local)
    except (KeyError, IndexError, ValueError):  # a translation that names a wrong placeholder
        text = source.format(**values)
    # A path, a placeholder or a field (d_model) at the beginning keeps its spelling.
    if source[0] != "{" and "_" not in text.split(" ", 1)[0]:
        text = text[:1].upper() + text[1:]
    stop = "。" if any("\u4e00" <= letter <= "\u9fff" for letter in text[-12:]) else "."
    return text if text.endswith((".", "。", "!", "！", "?", "？")) else text + stop
