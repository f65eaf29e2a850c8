"""Errors: the one exception type that names a user-visible failure, and its English sentences.

`model/` raises `HeadscopeError(code, **values)`; the command line prints the English sentence, the
window translates it (the sentences are the translation sources). Each sentence says what happened
and what to do.
"""

from __future__ import annotations

from model.messages import MESSAGES

__all__ = ["MESSAGES", "HeadscopeError", "is_out_of_memory"]


class HeadscopeError(Exception):
    """A failure that the user can understand and act on.

    Attributes:
        code: key into `MESSAGES`.
        values: what fills the sentence's placeholders (str, int or float).
    """

    def __init__(self, code: str, **values: object) -> None:
        if code not in MESSAGES:
            raise KeyError(f"no message for error code {code!r}")
        self.code = code
        self.values = values
        super().__init__(MESSAGES[code].format(**values))

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.code, self.values)


def is_out_of_memory(error: BaseException) -> bool:
    """Whether memory ran out; torch says so by a RuntimeError of its own wording."""
    return isinstance(error, MemoryError) or any(
        words in str(error) for words in ("allocate memory", "out of memory", "not enough memory")
    )


def _rebuild(code: str, values: dict[str, object]) -> HeadscopeError:
    return HeadscopeError(code, **values)
