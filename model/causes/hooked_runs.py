"""`HookedRuns`: A and B of a model that `transformers` runs, each computed in whole passes.

Shapes: b batch, T rows of the decoder, V words.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from model.causes.paired import Paired
from model.decoding.carrying import Kept
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.hooked.carrying import carrying_logits
from model.inspection.hooked.readings import HookedReader, HookedReadings
from model.network.attention import AttentionSite, Tap
from model.questions.causes.patching import Doubles, Measured
from model.trace.trace import AttentionKind


@dataclass(frozen=True, eq=False)
class HookedRun:
    """One of the two; see `model.causes.paired.Run`."""

    reader: HookedReader
    kept: Kept


class HookedRuns(Paired):
    """See `Paired`; a place is patched in a pass of the whole model, many in one batch.

    Raises:
        HeadscopeError: as `Paired`; the model only reads (`model_only_reads`).
    """

    @torch.inference_mode()
    def __init__(self, measured: Measured, asked: Asked, hooked: HookedReadings) -> None:
        model = hooked.model
        if model.network is None:
            raise HeadscopeError("model_only_reads", name=model.name)
        readers = [HookedReader(hooked, asked.reading)]
        inside, self.shape = readers[0].inside, readers[0].outline.shape
        super().__init__(measured, asked.reading, model.target_tokenizer, inside.network.device)
        self.key_heads = self.shape.heads(AttentionKind.CROSS)
        readers = [HookedReader(hooked, one) for one in self.readings]
        self.check_size((one.source_ids.shape[1], one.target_ids.shape[1]) for one in readers)
        runs = [HookedRun(one, Kept(one.altering if one.altering else None)) for one in readers]
        logits = [carrying_logits(run.reader, run.kept)[:, -1] for run in runs]
        self.check_words(logits[0].shape[-1])
        self.a, self.b = runs
        (self.m_a,), (self.m_b,) = (self.m_of(each).tolist() for each in logits)
        self.row_size = self._row_size(readers[1], logits[1].shape[-1])

    def _row_size(self, reader: HookedReader, vocab: int) -> int:
        source, rows = reader.source_ids.shape[1], reader.target_ids.shape[1]
        width = max(stream.shape[-1] for stream in self.b.kept.streams.values())
        heads = max(self.shape.encoder_heads, self.shape.decoder_heads)
        longest = max(source, rows)
        return longest * 8 * width + heads * longest**2 + rows * vocab

    @torch.inference_mode()
    def tapped(self, tap: Tap, site: AttentionSite, batch: int) -> Doubles:
        """See `Paired`."""
        return self.m_of(carrying_logits(self.b.reader, tap, batch)[:, -1])
