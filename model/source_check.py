"""Whether a text is one that a model can translate."""

from __future__ import annotations

from model.bundle import Bundle
from model.bundled import bundled_languages
from model.errors import HeadscopeError
from model.languages import check_readable
from model.tokenizer import SPACE_MARK


def check_text(bundle: Bundle, text: str, *, any_script: bool = False) -> None:
    """Refuse a text that cannot be translated.

    Args:
        any_script: let a text pass that is written as the source language never is.

    Raises:
        HeadscopeError: `empty_text`, `too_long`, `language_unread`, `script_unread` or `only_unknown`.
    """
    tokenizer, limit = bundle.source_tokenizer, bundle.config.architecture.max_positions
    if not text.strip():
        raise HeadscopeError("empty_text")
    ids = tokenizer.encode(text)
    if len(ids) + 1 > limit:
        raise HeadscopeError("too_long", tokens=len(ids) + 1, limit=limit)
    if not any_script:
        others = ((name, languages[0]) for name, languages in bundled_languages())
        language = bundle.config.languages[0]
        check_readable(text, model=bundle.config.name, language=language, others=others)
    known = any(i != tokenizer.unk_id and tokenizer.piece(i).strip(SPACE_MARK) for i in ids)
    if not known and tokenizer.unk_id in ids:
        raise HeadscopeError("only_unknown")
