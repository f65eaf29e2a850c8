"""Source check: whether a text is one that a model can translate."""

from __future__ import annotations

from collections.abc import Iterator

from model.bundle.bundle import Bundle
from model.errors import HeadscopeError
from model.folder.bundled import bundled_languages
from model.folder.languages import check_readable
from model.foreign.foreign_model import ForeignModel
from model.tokens.tokenizer import SPACE_MARK


def check_text(model: Bundle | ForeignModel, text: str, *, any_script: bool = False) -> None:
    """Refuse a text that cannot be translated.

    Args:
        any_script: let a text pass that is written as the source language never is.

    Raises:
        HeadscopeError: `empty_text`, `too_long`, `language_unread`, `script_unread` or `only_unknown`.
    """
    tokenizer, limit = model.source_tokenizer, model.source_limit
    if not text.strip():
        raise HeadscopeError("empty_text")
    ids, length = tokenizer.encode(text), len(tokenizer.source_ids(text))
    if length > limit:
        raise HeadscopeError("too_long", tokens=length, limit=limit)
    if not any_script:
        check_readable(text, model=model.name, language=model.languages[0], others=_others())
    known = any(i != tokenizer.unk_id and tokenizer.piece(i).strip(SPACE_MARK) for i in ids)
    if not known and tokenizer.unk_id in ids:
        raise HeadscopeError("only_unknown")


def _others() -> Iterator[tuple[str, str]]:
    """Name and source language of each bundled model; they are read only where somebody asks."""
    for name, languages in bundled_languages():
        yield name, languages[0]
