"""Value norms: how long the values are that attention weights mix (Kobayashi et al., arXiv 2004.10102).

f_h(x) = (x W_V^h + b_V^h) W_O^h, so that the head's output after W_O is the sum of α f_h(x) over the keys
(their equation 3) and ‖α f_h(x)‖ tells what a weight moves. The bias of W_O is no key's and is left out.

Shapes: L layers, K keys, H heads, d d_model.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from model.inspection.asked import Asked
from model.inspection.terms import value_gram
from model.questions.answers import ValueGrams
from model.questions.questions import ValueNorms
from model.read_only import read_only
from model.trace.trace import AttentionKind, Floats


def grams_of(question: ValueNorms, asked: Asked) -> Iterator[ValueGrams | None]:
    """Inner products of all heads' transformed values; yields None after each layer, and last the answer.

    Where there is no translation yet, the decoder's self-attention has no keys: [L, 0, H, H].

    Raises:
        HeadscopeError: there is nothing to read, or numbers overflow.
    """
    attending = asked.attending
    shape = attending.outline.shape
    grams: dict[AttentionKind, Floats] = {}
    for kind in (kind for kind in AttentionKind if shape.layers(kind)):
        layers: list[Floats] = []
        for layer in range(shape.layers(kind)):
            if kind is AttentionKind.DECODER_SELF and not attending.rows(kind):
                heads = shape.heads(kind)
                layers.append(np.zeros((0, heads, heads), np.float32))
                continue
            terms = yield from attending.terms(kind, layer)
            with torch.inference_mode():
                layers.append(value_gram(terms))
            yield None
        grams[kind] = read_only(np.stack(layers))
    yield ValueGrams(grams)
