"""One sentence on its way through the decoder, step by step, with all that each step shows."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor

from model.alterations import Alteration
from model.altering import Altering
from model.candidates import Candidates, rank_of, top_candidates
from model.recorder import Recorder
from model.sampling import Distribution, Sampler
from model.trace import Floats
from model.trace_maker import DecodedPath
from model.transformer import Transformer

# Picks the token of a step (from 0): among the most probable ones or, when sampling, from a distribution.
Choose = Callable[[int, Candidates, Distribution | None], int]


class Decoding:
    """One sentence on its way through one model, as ids. A new one has just been read by the encoder.

    Args:
        source: ids with the end token, in the order in which they are read.
        limit: most steps that it can take.
        candidates: K, how many of the most probable tokens are kept at each step.
        altering: what is changed in the computation.
        sampler: whose distribution is told of each step.

    Attributes:
        out_ids: the tokens produced so far.
    """

    def __init__(
        self,
        transformer: Transformer,
        source: Sequence[int],
        *,
        start_id: int,
        limit: int,
        candidates: int = 10,
        altering: Altering | None = None,
        sampler: Sampler | None = None,
    ) -> None:
        self.source = tuple(source)
        self.out_ids: list[int] = []
        self._transformer = transformer
        self._start_id = start_id
        self._altering = altering
        self._sampler = sampler
        self._device = transformer.source_embedding.weight.device
        self._recorder = Recorder(transformer.architecture, len(source), altering=altering)
        # The decoder's last outputs: from them a branch that samples otherwise is told its distributions.
        self._hidden: list[Tensor] = []
        self._make_room(limit, min(candidates, transformer.architecture.target_vocab))
        with torch.inference_mode():
            ids = torch.tensor([list(source)], dtype=torch.int64, device=self._device)
            mask = None if altering is None else altering.source_mask
            positions = None if altering is None else altering.source_positions
            memory = transformer.encode(ids, key_mask=mask, position_ids=positions, tap=self._recorder)
            self._cache = transformer.start_cache(memory, memory_mask=mask)

    # The mode is entered for each step and left before the caller goes on: a generator that kept it
    # would leave its caller's tensors without gradients.
    @torch.inference_mode()
    def advance(self, choose: Choose) -> int:
        """Read the newest token, predict the next and let `choose` pick it.

        Returns:
            The id of the picked token.

        Raises:
            HeadscopeError: `too_long`: the model has no further position.
        """
        step = len(self.out_ids)
        newest = self.out_ids[-1] if step else self._start_id
        token = torch.tensor([[newest]], device=self._device)
        positions = None if self._altering is None else self._altering.target_positions(step, 1)
        hidden = self._transformer.decode_step(
            token, self._cache, position_ids=positions, tap=self._recorder
        )[:, -1]
        logits = self._transformer.project(hidden)
        k = self._candidate_ids.shape[1]
        best = top_candidates(logits, max(1, k))
        drawn_from = None if self._sampler is None else self._sampler.distribution(logits[0])
        chosen = choose(step, best, drawn_from)
        self._candidate_ids[step] = best.ids[0, :k]
        self._candidate_logprobs[step] = best.logprobs[0, :k]
        self._logprobs[step] = best.all_logprobs[0, chosen]
        self._ranks[step] = rank_of(chosen, logits[0], best.ids[0])
        self._tell_drawn(step, drawn_from)
        self._hidden.append(hidden)
        self.out_ids.append(chosen)
        return chosen

    def path(self) -> DecodedPath:
        """All so far, as read-only views."""
        steps = len(self.out_ids)
        return DecodedPath(
            patterns=self._recorder.snapshot(steps),
            out_ids=tuple(self.out_ids),
            step_logprob=self._logprobs[:steps],
            candidate_ids=self._candidate_ids[:steps],
            candidate_logprobs=self._candidate_logprobs[:steps],
            step_rank=self._ranks[:steps],
            candidate_drawn=None if self._sampler is None else self._drawn[:steps],
            drawn_count=None if self._sampler is None else self._drawn_counts[:steps],
        )

    def continues(
        self,
        transformer: Transformer,
        source: Sequence[int],
        candidates: int,
        alterations: tuple[Alteration, ...],
    ) -> bool:
        """Whether its steps are those of a decoding with these settings that chooses the same tokens."""
        changed = () if self._altering is None else self._altering.alterations
        return (
            self._transformer is transformer
            and self.source == tuple(source)
            and self._candidate_ids.shape[1] == min(candidates, transformer.architecture.target_vocab)
            and changed == alterations
        )

    @torch.inference_mode()
    def fork(self, steps: int, limit: int, sampler: Sampler | None = None) -> Decoding:
        """An independent decoding that has taken the first `steps` steps of this one; runs no layer again."""
        other = copy.copy(self)
        other.out_ids = self.out_ids[:steps]
        other._hidden = self._hidden[:steps]
        other._recorder = self._recorder.fork(steps)
        other._cache = self._cache.fork(steps)
        other._sampler = sampler
        other._make_room(limit, self._candidate_ids.shape[1])
        other._logprobs[:steps] = self._logprobs[:steps]
        other._candidate_ids[:steps] = self._candidate_ids[:steps]
        other._candidate_logprobs[:steps] = self._candidate_logprobs[:steps]
        other._ranks[:steps] = self._ranks[:steps]
        if sampler is None or steps == 0:
            return other
        if self._sampler is not None and self._sampler.settings == sampler.settings:
            other._drawn[:steps] = self._drawn[:steps]
            other._drawn_counts[:steps] = self._drawn_counts[:steps]
        else:
            for step, logits in enumerate(self._transformer.project(torch.cat(other._hidden))):
                other._tell_drawn(step, sampler.distribution(logits))
        return other

    def _tell_drawn(self, step: int, distribution: Distribution | None) -> None:
        if distribution is not None:
            self._drawn[step] = distribution.logprobs(self._candidate_ids[step])
            self._drawn_counts[step] = len(distribution.ids)

    def _make_room(self, steps: int, candidates: int) -> None:
        self._logprobs = np.empty(steps, np.float32)
        self._candidate_ids = np.empty((steps, candidates), np.int64)
        self._candidate_logprobs: Floats = np.empty((steps, candidates), np.float32)
        self._ranks = np.empty(steps, np.int64)
        self._drawn: Floats = np.empty((steps, candidates), np.float32)
        self._drawn_counts = np.empty(steps, np.int64)
