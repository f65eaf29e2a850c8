"""The example that a bundle carries: a recorded decoding, and the head that tells most about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from model.bundle import replace_config
from model.bundle_config import Showcase, read_config
from model.files import StrPath
from model.tokenizer import SPACE_MARK, Tokenizer
from model.trace import AttentionKind, Trace
from model.trace_file import save_trace
from model.translator import Translator

EXAMPLE = "example.trace"


def refresh_example(
    folder: StrPath, text: str, *, sentences: Sequence[str] = (), any_script: bool = True
) -> Showcase:
    """Record `text` as the bundle's example and choose the head to show first.

    Each file is replaced in one step, the example before the config that points into it.

    Args:
        sentences: further texts to choose the head by; `text` always counts.

    Raises:
        HeadscopeError: the bundle cannot be loaded, the text not be read, or a file not be written.
    """
    translator = Translator.load(Path(folder).resolve())
    traces = []
    for sentence in (text, *sentences):
        *_, last = translator.decode(sentence, any_script=any_script)
        traces.append(last.trace)
    showcase = telling_head(traces, translator.bundle.source_tokenizer)
    save_trace(traces[0], Path(folder) / EXAMPLE)
    replace_config(folder, dataclasses.replace(read_config(folder), showcase=showcase))
    return showcase


def telling_head(traces: Sequence[Trace], tokenizer: Tokenizer) -> Showcase:
    """The cross-attention head that puts most of its weight on ordinary source tokens.

    Ordinary is what is neither special nor punctuation. Rows that predict something else count too.
    """
    mass: np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None = None
    for trace in traces:
        ordinary = np.array([_is_ordinary(int(i), tokenizer) for i in trace.src_ids], bool)
        layers = range(trace.layers(AttentionKind.CROSS))
        weights = np.stack([trace.patterns.layer(AttentionKind.CROSS, layer) for layer in layers])
        share = weights[..., ordinary].sum(-1, dtype=np.float64).mean(-1)
        mass = share if mass is None else mass + share
    if mass is None:
        raise ValueError("no trace to choose a head by")
    layer, head = np.unravel_index(int(mass.argmax()), mass.shape)
    return Showcase(AttentionKind.CROSS, int(layer), int(head))


def _is_ordinary(token_id: int, tokenizer: Tokenizer) -> bool:
    if tokenizer.is_special(token_id):
        return False
    if tokenizer.is_byte(token_id):
        return True
    return any(character.isalnum() for character in tokenizer.piece(token_id).replace(SPACE_MARK, ""))
