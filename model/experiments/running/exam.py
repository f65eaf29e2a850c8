"""`Exam`: pairs that a trained model reads with their right targets, as often as is asked, altered or not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from model.alterations.alteration import Alteration
from model.bundle.bundle import Bundle
from model.data.batches import Batch, make_batch
from model.data.corpus import encode_pairs
from model.data.pairs.pair_files import Pair
from model.decoding.altering import Altering
from model.network.attention import AttentionSite, Tap
from model.trace.trace import AttentionKind
from model.work import result_of


@dataclass(frozen=True)
class Marks:
    """What a model made of an exam.

    Attributes:
        words: share of target tokens, the end included, that it holds for the most probable where all before
            them are right.
        sentences: share of targets of which it does so throughout: these its greedy decoding gets right.
        logprob: mean natural log probability of a target token.
    """

    words: float
    sentences: float
    logprob: float


class Exam:
    """Pairs as one padded batch."""

    def __init__(self, bundle: Bundle, pairs: Sequence[Pair], max_tokens: int) -> None:
        self._bundle = bundle
        source, target = bundle.source_tokenizer, bundle.target_tokenizer
        corpus = result_of(encode_pairs(pairs, source, target, max_tokens))
        self.batch: Batch = make_batch(
            corpus,
            np.arange(len(corpus.source_lengths)),
            pad_id=target.pad_id,
            start_id=target.start_id,
            end_id=target.end_id,
            source_pad_id=source.pad_id,
        )

    def marks(self, alterations: Iterable[Alteration] = ()) -> Marks:
        """Of the model under alterations that concern no place of a sentence, such as heads switched off."""
        altering = Altering(
            alterations, self._bundle.config.architecture, source_length=self.batch.source.shape[1]
        )
        logprobs = self._read(altering.tap if altering else None)
        gold = torch.from_numpy(self.batch.target_out).to(logprobs.device)
        real = torch.from_numpy(self.batch.target_mask).to(logprobs.device)
        right = (logprobs.argmax(-1) == gold) | ~real
        said = logprobs.gather(-1, gold.clamp(min=0)[..., None])[..., 0][real]
        return Marks(
            float(right[real].double().mean()), float(right.all(-1).double().mean()), float(said.mean())
        )

    def patterns(self, kind: AttentionKind) -> list[Tensor]:
        """Each layer's [pair, head, query, key], padding among queries and keys."""
        seen: dict[int, Tensor] = {}

        def note(site: AttentionSite, pattern: Tensor) -> None:
            if site.kind is kind:
                seen[site.layer] = pattern

        self._read(note)
        return [seen[layer] for layer in sorted(seen)]

    @torch.inference_mode()
    def _read(self, tap: Tap | None) -> Tensor:
        network, batch = self._bundle.transformer, self.batch
        source, target_in, real = (
            torch.from_numpy(each).to(network.device)
            for each in (batch.source, batch.target_in, batch.source_mask)
        )
        return network.project(network(source, target_in, source_mask=real, tap=tap)).double().log_softmax(-1)
