"""Our side of the decoding benchmark: what the window runs for each token, on a model with random weights."""

from __future__ import annotations

import time
from pathlib import Path

import torch

from model.bundle.bundle import Bundle, BundleConfig, SpecialIds
from model.config import Architecture, Positions
from model.decoding.decode_config import DecodeConfig
from model.network.transformer import Transformer
from model.tokens.tokenizer import SentencePieceTokenizer, train_tokenizer
from model.trace.trace import AttentionKind
from model.translator.translator import Translator

_SPECIALS = 4


def word_tokenizer(words: int) -> SentencePieceTokenizer:
    """A vocabulary of w0, w1, ..., one piece a word, `words` ids with the specials."""
    names = [f"w{number}" for number in range(words - _SPECIALS)]
    lines = (" ".join(names[start : start + 100]) for start in range(0, len(names), 100))
    data = train_tokenizer(
        lines,
        vocab_size=words,
        model_type="word",
        dummy_prefix=True,
        byte_fallback=False,
        character_coverage=1.0,
    )
    tokenizer = SentencePieceTokenizer.from_bytes(data)
    assert tokenizer.vocab_size == words, tokenizer.vocab_size
    return tokenizer


def random_bundle(
    *,
    words: int,
    layers: int = 6,
    d_model: int = 512,
    d_ff: int = 2048,
    heads: int = 8,
    positions: Positions = "sinusoidal",
) -> Bundle:
    """A complete bundle in memory, embeddings and output tied."""
    tokenizer = word_tokenizer(words)
    architecture = Architecture(
        source_vocab=words,
        target_vocab=words,
        d_model=d_model,
        n_heads=heads,
        encoder_layers=layers,
        decoder_layers=layers,
        d_ff=d_ff,
        tie_embeddings="all",
        positions=positions,
    )
    special = SpecialIds(
        pad=tokenizer.pad_id, unk=tokenizer.unk_id, start=tokenizer.start_id, end=tokenizer.end_id
    )
    config = BundleConfig(
        name="random", languages=("en", "fr"), architecture=architecture, special=special, showcase=None
    )
    transformer = Transformer(architecture, torch.Generator().manual_seed(1)).eval().requires_grad_(False)
    return Bundle(Path("random"), config, transformer, tokenizer, tokenizer, sha256="")


class HeadscopeSide:
    """Greedy decoding: every pattern, probability and ten candidates recorded, a trace after each token."""

    def __init__(self, words: int, source_tokens: int, new_tokens: int) -> None:
        self.translator = Translator(random_bundle(words=words))
        self.text = " ".join(f"w{7 * number}" for number in range(source_tokens - 1))
        self.config = DecodeConfig(max_length=new_tokens)
        self.new_tokens = new_tokens

    def __call__(self) -> float:
        """Milliseconds a token, the encoder's share included."""
        began = time.perf_counter()
        for event in self.translator.decode(self.text, self.config):
            trace = event.trace
        seconds = time.perf_counter() - began
        shape = trace.patterns.shape(AttentionKind.CROSS)
        assert shape is not None
        assert shape[2] == trace.steps == self.new_tokens, "the random model ended the sentence early"
        return 1000 * seconds / self.new_tokens
