"""`Probe`: one sentence whose attention is watched while a run goes on.

Watching changes nothing: no random number is drawn and the model's mode is put back.
"""

from __future__ import annotations

import json
from collections.abc import Generator
from functools import cached_property
from pathlib import Path

from model.bundle.bundle import Bundle, BundleConfig
from model.config import length_limit
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding import decode_events, usual_config
from model.errors import HeadscopeError
from model.files.tensor_file import well_formed
from model.network.transformer import Transformer
from model.tokens.tokenizer import SPACE_MARK, Tokenizer
from model.trace.trace import Trace

_HEADER = 4096  # bytes of a trace file's header beside its texts and tokens


class Probe:
    """A sentence, and what the model makes of it at any moment, with all its patterns.

    Attributes:
        text: the sentence.
        target: the translation that the model is made to write, "" when it writes its own.
    """

    def __init__(
        self,
        text: str,
        target: str,
        config: BundleConfig,
        tokenizers: tuple[Tokenizer, Tokenizer],
        transformer: Transformer,
    ) -> None:
        """Raise `HeadscopeError` when the model cannot read the sentence or its target."""
        self.text, self.target = well_formed(text), well_formed(target)
        # No file holds these weights, so there is no hash of one.
        self._bundle = Bundle(Path(), config, transformer, *tokenizers, sha256="")
        self._decode = (
            DecodeConfig(mode="forced", target=self.target)
            if self.target.strip() and transformer.attention_shape.causal
            else usual_config(self._bundle)
        )
        self.source_tokens, self.target_tokens = self._lengths()

    def trace(self) -> Generator[None, None, Trace]:
        """What the model does with its weights of the moment; yields after each token.

        Raises:
            HeadscopeError: `model_overflow`.
        """
        transformer = self._bundle.transformer
        training = transformer.training
        transformer.eval()
        try:
            for event in decode_events(self._bundle, self.text, self._decode):
                if event.done:
                    return event.trace
                yield
        finally:
            transformer.train(training)
        raise AssertionError("a decoding ends with an event that says so")

    @cached_property
    def frame_bytes(self) -> int:
        """The most that one kept trace takes on disk."""
        a = self._bundle.config.architecture
        s, t, k = self.source_tokens, self.target_tokens, min(self._decode.candidates, a.target_vocab)
        weights = a.n_heads * (a.encoder_layers * s * s + a.decoder_layers * t * (t + s))
        source, target = _longest(self._bundle.source_tokenizer), _longest(self._bundle.target_tokenizer)
        text = len(json.dumps([self.text, self.text, self.target]).encode())
        header = _HEADER + 2 * (s * source + t * (k + 3) * target + text)
        return 2 * weights + 8 * (s + 2 * t) + 4 * t + 12 * t * k + header

    def _lengths(self) -> tuple[int, int]:
        """Tokens of source and target, special ones included; the target's bound where it is free."""
        bundle, limit = self._bundle, self._bundle.config.architecture.max_positions
        if not self.text.strip():
            raise HeadscopeError("empty_text")
        tokenizer = bundle.source_tokenizer
        ids = tokenizer.encode(self.text)
        forced = bundle.target_tokenizer.encode(self.target) if self._decode.mode == "forced" else []
        known = [i for i in ids if i != tokenizer.unk_id and tokenizer.piece(i).strip(SPACE_MARK)]
        if not known and tokenizer.unk_id in ids:
            raise HeadscopeError("only_unknown")
        for count in (len(ids) + 1, len(forced) + 1):
            if count > limit:
                raise HeadscopeError("too_long", tokens=count, limit=limit)
        free = length_limit(len(ids) + 1, limit)
        return len(ids) + 1, len(forced) + 1 if self._decode.mode == "forced" else free


def _longest(tokenizer: Tokenizer) -> int:
    """Bytes of the longest piece as a JSON string in a list."""
    return max(len(json.dumps(tokenizer.piece(i)).encode()) for i in range(tokenizer.vocab_size)) + 2
