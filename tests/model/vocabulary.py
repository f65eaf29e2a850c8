"""Vocabularies learned in a test."""

from __future__ import annotations

from collections.abc import Sequence

from model.data.pairs.pair_files import Pair
from model.tokens.tokenizer import SentencePieceTokenizer, train_tokenizer


def learned(
    pairs: Sequence[Pair],
    *,
    vocab_size: int,
    vocab_type: str,
    byte_fallback: bool,
    coverage: float = 0.9995,
    languages: object = None,
) -> SentencePieceTokenizer:
    """One vocabulary for both sides, from the fields of `TrainOptions` that a task brings along."""
    assert vocab_type == "word"
    data = train_tokenizer(
        [text for pair in pairs for text in pair],
        vocab_size=vocab_size,
        model_type="word",
        dummy_prefix=True,
        byte_fallback=byte_fallback,
        character_coverage=coverage,
    )
    return SentencePieceTokenizer.from_bytes(data, "learned")
