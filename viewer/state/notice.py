"""What the user should read: a sentence of `model.errors`, kept as a code so that its language can change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from PySide6.QtCore import QCoreApplication

from model.errors import MESSAGES, HeadscopeError

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


def sentence(code: str, values: Mapping[str, Any]) -> str:
    """A sentence of `model.errors` in the application's language, with a capital letter and a full stop."""
    text = QCoreApplication.translate("Errors", MESSAGES[code]).format(**values).strip()
    # The table's sentences continue a command line's "error:"; in a window they stand alone.
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "。", "!", "?")) else _full_stop(text))


def _full_stop(text: str) -> str:
    return "。" if any("\u4e00" <= character <= "\u9fff" for character in text[-8:]) else "."
