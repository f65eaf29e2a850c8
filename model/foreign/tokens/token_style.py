"""Token style: how a tokenizer of `transformers` writes its pieces."""

from __future__ import annotations

from typing import Any

from model.tokens.token_style import TokenStyle


def style_of(tokenizer: Any) -> TokenStyle:
    """The style of a fast or slow tokenizer, by its parts."""
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is None:
        return _style_of_slow(tokenizer)
    if type(backend.model).__name__ == "WordPiece":
        return TokenStyle.WORDPIECE
    # A list of parts, too, names them all.
    parts = f"{backend.decoder!r} {backend.pre_tokenizer!r}"
    return TokenStyle.BYTE_LEVEL if "ByteLevel(" in parts else TokenStyle.SENTENCEPIECE


def _style_of_slow(tokenizer: Any) -> TokenStyle:
    if hasattr(tokenizer, "wordpiece_tokenizer"):
        return TokenStyle.WORDPIECE
    return TokenStyle.BYTE_LEVEL if hasattr(tokenizer, "byte_encoder") else TokenStyle.SENTENCEPIECE
