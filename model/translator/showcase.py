"""Showcase of a bundle: a recorded decoding, and the head that tells most about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Generator, Sequence
from pathlib import Path

import numpy as np

from model.bundle.bundle import replace_config
from model.files.files import StrPath
from model.folder.bundle_config import Showcase, read_config
from model.tokens.tokenizer import SPACE_MARK, Tokenizer
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import save_trace
from model.translator.translator import Translator

EXAMPLE = "example.trace"


def refresh_example(
    folder: StrPath, text: str, *, sentences: Sequence[str] = (), any_script: bool = True
) -> Showcase:
    """Record `text` as the bundle's example and choose the head to show first.

    Args:
        sentences: further texts to choose the head by; `text` always counts.

    Raises:
        HeadscopeError: the bundle cannot be loaded, the text not be read, or a file not be written.
    """
    choosing = choose_example(
        Translator.load(Path(folder).resolve()), text, sentences=sentences, any_script=any_script
    )
    while True:
        try:
            next(choosing)
        except StopIteration as end:
            trace, showcase = end.value
            return write_example(folder, trace, showcase)


def choose_example(
    translator: Translator, text: str, *, sentences: Sequence[str] = (), any_script: bool = True
) -> Generator[None, None, tuple[Trace, Showcase]]:
    """The trace of `text` and the head to show first; yields after each token.

    Args:
        sentences: further texts to choose the head by.
    """
    traces = []
    for sentence in (text, *sentences):
        newest: Trace | None = None
        for event in translator.decode(sentence, any_script=any_script):
            newest = event.trace
            yield
        assert newest is not None
        traces.append(newest)
    bundle = translator.bundle
    return traces[0], telling_head(traces, bundle.source_tokenizer, bundle.target_tokenizer)


def write_example(folder: StrPath, trace: Trace, showcase: Showcase) -> Showcase:
    """Replace the bundle's example and then the config, which points into it."""
    save_trace(trace, Path(folder) / EXAMPLE)
    replace_config(folder, dataclasses.replace(read_config(folder), showcase=showcase))
    return showcase


def telling_head(traces: Sequence[Trace], source: Tokenizer, target: Tokenizer) -> Showcase:
    """The cross-attention head that reads the ordinary source tokens most distinctly.

    A head's score is the product of two averages: over ordinary source tokens, the largest weight each gets
    from any row (is everything read?), and over rows that predict an ordinary token, the largest weight on an
    ordinary source token (does each row read one?). The total mass alone prefers heads that spread it evenly,
    which show nothing. Ordinary is what is neither special nor punctuation.
    """
    score: np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None = None
    for trace in traces:
        keys = np.array([_is_ordinary(int(i), source) for i in trace.src_ids], bool)
        rows = np.array([_is_ordinary(int(i), target) for i in trace.tgt_out_ids], bool)
        if not keys.any() or not rows.any():
            continue
        layers = range(trace.layers(AttentionKind.CROSS))
        weights = np.stack([trace.patterns.layer(AttentionKind.CROSS, layer) for layer in layers])
        read = weights[..., keys].astype(np.float64)
        product = read.max(-2).mean(-1) * read[..., rows, :].max(-1).mean(-1)
        score = product if score is None else score + product
    if score is None:
        return Showcase(AttentionKind.CROSS, 0, 0)
    layer, head = np.unravel_index(int(score.argmax()), score.shape)
    return Showcase(AttentionKind.CROSS, int(layer), int(head))


def _is_ordinary(token_id: int, tokenizer: Tokenizer) -> bool:
    if tokenizer.is_special(token_id):
        return False
    if tokenizer.is_byte(token_id):
        return True
    return any(character.isalnum() for character in tokenizer.piece(token_id).replace(SPACE_MARK, ""))
