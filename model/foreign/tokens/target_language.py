"""Target language: tokenizers of models that write first the token of the language they are told."""

from __future__ import annotations

from typing import Any

_FIRST = ("M2M100Tokenizer", "MBart50Tokenizer", "NllbTokenizer")


def language_first(tokenizer: Any) -> bool:
    """Whether targets begin with the token of their language."""
    return type(tokenizer).__name__.removesuffix("Fast") in _FIRST


def target_language(tokenizer: Any) -> int | None:
    """The token of the language that such a tokenizer is set to write."""
    language = getattr(tokenizer, "tgt_lang", None)
    if not isinstance(language, str) or not language_first(tokenizer):
        return None
    if hasattr(tokenizer, "get_lang_id"):
        return int(tokenizer.get_lang_id(language))
    return _id_of(tokenizer, language)


def typed_language(tokenizer: Any, word: str) -> int | None:
    """The token of a language that is typed as its tokenizer writes it (`fra_Latn`, `fr_XX`, `__fr__`)."""
    own = language_tokens(tokenizer)
    if word in own:
        return own[word]
    token = _id_of(tokenizer, word) if "_" in word[1:-1] else None
    return token if token in tokenizer.all_special_ids else None


def language_tokens(tokenizer: Any) -> dict[str, int]:
    """Tokens of languages that a tokenizer keeps beside its vocabulary (M2M100), with their ids."""
    own = getattr(tokenizer, "lang_token_to_id", None)
    return {str(token): int(token_id) for token, token_id in own.items()} if isinstance(own, dict) else {}


def _id_of(tokenizer: Any, piece: str) -> int | None:
    found = tokenizer.convert_tokens_to_ids(piece)
    return int(found) if isinstance(found, int) and found != tokenizer.unk_token_id else None
