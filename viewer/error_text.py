"""Error sentences in the window's language."""

from __future__ import annotations

from model.errors import HeadscopeError
from viewer.state.notice import sentence


def error_text(error: HeadscopeError) -> str:
    """The sentence of `error`, translated and filled with its values, with capital and full stop."""
    return sentence(error.code, error.values)
