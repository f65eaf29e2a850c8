"""Model card as it is read: the text of a model folder's `README.md`, in Chinese `README.zh.md`."""

from __future__ import annotations

from pathlib import Path

from model import limits
from model.errors import HeadscopeError
from model.files.files import StrPath, read_start

CARD = "README.md"
CARD_ZH = "README.zh.md"
"""The same in Chinese, where there is one."""


def read_card(folder: StrPath, name: str = CARD) -> str:
    """The text of a model's card, of a very long one its beginning; empty if there is none to be read."""
    try:
        return read_start(Path(folder) / name, limits.CARD).decode("utf-8", "replace")
    except HeadscopeError:
        return ""
