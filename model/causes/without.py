"""`Without`: a step read again and again, each time without some of its tokens, many in one batch.

A token is taken away so: no position may attend to it (neither the encoder's, nor the decoder's, nor
cross-attention), and of what the decoder reads its word vector is 0 besides, while its position stays: the
last token that a step reads stands where the step is predicted, and would speak there unread.

Shapes: b rows, each without other tokens; S source tokens, t tokens that the decoder reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import Tensor

from model.decoding.altering import Altering
from model.errors import HeadscopeError
from model.inspection.reading import Reader
from model.network.attention import AttentionSite
from model.questions.causes.contrast import Doubles
from model.trace.trace import AttentionKind

# What one chunk of the batch may hold: see `model.inspection.importance`.
_LOGITS = 2**21
_WEIGHTS = 2**21


class Without:
    """Log probabilities of some words at a step, with tokens taken away.

    Args:
        reader: of all that has a part in the step.

    Attributes:
        chunk: how many rows `logprobs` should be given at once.
    """

    def __init__(self, reader: Reader, step: int, words: Sequence[int]) -> None:
        self._reader = reader
        self._step = step
        self._words = list(words)
        a = reader.architecture
        longest = max(len(reader.source_ids), len(reader.target_ids))
        self.chunk = max(1, min(_LOGITS // a.target_vocab, _WEIGHTS // (a.n_heads * longest**2)))

    # Entered for each chunk and left before the caller goes on: see `Decoding.advance`.
    @torch.inference_mode()
    def logprobs(self, source: Sequence[Iterable[int]], prefix: Sequence[Iterable[int]]) -> Doubles:
        """float64 [b, words], natural.

        Args:
            source, prefix: b sets of places that are taken away together, row by row.

        Raises:
            HeadscopeError: `model_overflow`.
        """
        reader, network, rows = self._reader, self._reader.transformer, len(source)
        sources = self._kept(len(reader.source_ids), source)
        targets = self._kept(len(reader.target_ids), prefix)
        if reader.altering.source_mask is not None:
            sources = sources & reader.altering.source_mask
        tap = _TakenAway(reader.altering, sources, targets)
        memory = network.encode(
            reader.source_ids.expand(rows, -1),
            key_mask=sources,
            position_ids=reader.altering.source_positions,
            tap=tap,
            read_layer=reader.altering.read_layer,
        )
        steps = len(reader.target_ids)
        hidden = network.decode(
            reader.target_ids.expand(rows, -1),
            memory,
            memory_mask=sources,
            key_mask=targets,
            position_ids=reader.altering.target_positions(0, steps),
            tap=tap,
            spoken=targets,
        )
        said = network.project(hidden[:, self._step]).float().log_softmax(-1)[:, self._words]
        if not bool(said.isfinite().all()):
            raise HeadscopeError("model_overflow")
        result: Doubles = said.double().numpy(force=True)
        return result

    def _kept(self, count: int, taken: Sequence[Iterable[int]]) -> Tensor:
        """bool [b, count]."""
        kept = np.ones((len(taken), count), np.bool_)
        for row, places in enumerate(taken):
            kept[row, list(places)] = False
        return torch.from_numpy(kept).to(self._reader.source_ids.device)


class _TakenAway:
    """A tap that gives no weight to tokens that are taken away, even where a row was set by hand."""

    def __init__(self, altering: Altering, sources: Tensor, targets: Tensor) -> None:
        self._altering = altering
        self._sources, self._targets = sources, targets

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """See `model.network.attention.Tap`."""
        used = self._altering.tap(site, pattern)
        if used is None:
            return None  # the mask has left nothing there
        kept = self._targets if site.kind is AttentionKind.DECODER_SELF else self._sources
        return used * kept[:, None, None]
