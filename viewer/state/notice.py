"""What the user should read: a sentence of `model.errors`, kept as a code so that its language can change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Self

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

    def error(self) -> HeadscopeError:
        """The same as an exception, for whoever puts errors into words."""
        return HeadscopeError(self.code, **self.values)

    @property
    def english(self) -> str:
        """The sentence in English, for logs."""
        return str(self.error())
