"""Decoding state: one sentence on its way through the decoder, with all that each step shows."""

from __future__ import annotations

import copy
from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from model.alterations.alteration import Alteration
from model.decoding.altering import Altering
from model.decoding.candidates import Candidates, rank_of, ranked, top_candidates
from model.decoding.constraints import Forced, TokenConstraints
from model.decoding.decodable import Decodable, DecoderState
from model.decoding.recorder import Recorder
from model.decoding.sampling import Distribution, Sampler
from model.decoding.trace_maker import DecodedPath
from model.network.products.pace import pace_of
from model.trace.trace import Floats

PROMPT_BLOCK = 64
"""Tokens of a prompt that are read at once: enough to run at full speed, few enough to be interrupted."""

# An adapter may hand out logits as hidden states: those of a large vocabulary are too much to keep.
_WIDEST_KEPT = 1 << 14


class Decoding:
    """One sentence on its way through one model, as ids. A new one has just been read by the encoder.

    Rows count what the decoder has read: those of a prompt first, then one a step. Steps count tokens that
    were produced.

    Args:
        source: ids that the encoder reads, specials included, in that order; empty without an encoder.
        given: what the decoder reads before it produces anything: the start token, or a prompt.
        constraints: which tokens may be produced.
        limit: most steps that it can take.
        candidates: K, how many of the most probable tokens are kept at each row.
        altering: what is changed in the computation.
        sampler: draws the tokens; the distributions are told. None takes the most probable ones.

    Attributes:
        source, given: see above.
        out_ids: the tokens produced so far.
    """

    _copied: Floats | None = None

    def __init__(
        self,
        network: Decodable,
        source: Sequence[int],
        *,
        given: Sequence[int],
        constraints: TokenConstraints,
        limit: int,
        candidates: int = 10,
        altering: Altering | None = None,
        sampler: Sampler | None = None,
    ) -> None:
        self.source = tuple(source)
        self.given = tuple(given)
        self.out_ids: list[int] = []
        self.network = network
        self.altering = altering
        self._constraints = constraints
        self._sampler = sampler
        self._rows = 0
        self._forced: tuple[Forced, ...] = ()
        capacity = max(64, len(self.given))
        self._recorder = Recorder(network.attention_shape, len(source), altering=altering, capacity=capacity)
        # The decoder's last outputs: from them a branch that samples otherwise is told its distributions.
        self._hidden: list[Tensor] = []
        self._make_room(limit, min(candidates, network.target_vocab))
        with torch.inference_mode():
            mask = None if altering is None else altering.source_mask
            memory = self._read_source(mask) if self.source else None
            self._state = network.start_cache(memory, memory_mask=mask)

    def _read_source(self, mask: Tensor | None) -> Tensor:
        ids = torch.tensor([self.source], dtype=torch.int64, device=self.network.device)
        altering = self.altering
        if altering is None:
            return self.network.encode(ids, key_mask=mask, tap=self._recorder)
        return self.network.encode(
            ids,
            key_mask=mask,
            position_ids=altering.source_positions,
            tap=self._recorder,
            read_layer=altering.read_layer,
        )

    @property
    def state(self) -> DecoderState:
        """What the decoder keeps. Who takes it over goes on instead of this."""
        return self._state

    @property
    def candidates(self) -> int:
        """K."""
        return self._candidate_ids.shape[1]

    @property
    def reading(self) -> bool:
        """Whether a part of the prompt is still to be read, so that no token can be produced."""
        return self._rows < len(self.given) - 1

    # The mode is entered for each step and left before the caller goes on: a generator that kept it
    # would leave its caller's tensors without gradients.
    @torch.inference_mode()
    def read_prompt(self, most: int = PROMPT_BLOCK) -> None:
        """Read the next tokens of the prompt; the last one is read by the first step.

        Raises:
            HeadscopeError: `model_overflow`.
        """
        first = self._rows
        end = min(first + most, len(self.given) - 1)
        following = self.given[first + 1 : end + 1]
        hidden = self._read(self.given[first:end])
        logits = self.network.project(hidden)
        best = top_candidates(logits, max(1, self.candidates))
        for row, token in enumerate(following):
            self._tell(first + row, token, best.row(row), logits[row])
            self._tell_drawn(first + row, self._distribution(logits[row]))
        self._keep(hidden)
        self._rows = end

    @torch.inference_mode()
    def advance(self, typed: int | None = None) -> int:
        """Read the newest token and produce the next: `typed`, or what the rules and the sampler say.

        Returns:
            The id of the produced token.

        Raises:
            HeadscopeError: `too_long`: the model has no further position; `model_overflow`.
        """
        newest = self.out_ids[-1] if self.out_ids else self.given[-1]
        with pace_of(self.network).step():
            hidden = self._read((newest,))
            logits = self.network.project(hidden)
        best = top_candidates(logits, max(1, self.candidates))
        drawn_from = self._distribution(logits[0], self.out_ids)
        forced = None if typed is not None else self._constraints.forced_by(len(self.out_ids))
        if forced is not None:
            self._forced = (*self._forced, forced)
        chosen = self._chosen(logits[0], best, drawn_from) if typed is None else typed
        self._tell(self._rows, chosen, best, logits[0])
        self._tell_drawn(self._rows, drawn_from)
        self._tell_copied(self._rows, self.network.copy_shares(hidden))
        self._keep(hidden)
        self.out_ids.append(chosen)
        self._rows += 1
        return chosen

    def _keep(self, hidden: Tensor) -> None:
        if hidden.shape[-1] <= _WIDEST_KEPT:
            self._hidden.extend(hidden[row : row + 1] for row in range(len(hidden)))

    def _read(self, tokens: Sequence[int]) -> Tensor:
        """Hidden states [n, d] of the next n target inputs."""
        ids = torch.tensor([list(tokens)], device=self.network.device)
        positions = None if self.altering is None else self.altering.target_positions(self._rows, len(tokens))
        return self.network.decode_step(ids, self._state, position_ids=positions, tap=self._recorder)[0]

    def _chosen(self, logits: Tensor, best: Candidates, drawn_from: Distribution | None) -> int:
        if self._sampler is not None and drawn_from is not None:
            return self._sampler.draw(drawn_from)
        likeliest = int(best.ids[0, 0])
        if self._constraints.keeps(likeliest, self.out_ids):
            return likeliest
        return int(ranked(self._constraints.apply(logits, self.out_ids)[None], 1)[0, 0])

    def _distribution(self, logits: Tensor, produced: Sequence[int] | None = None) -> Distribution | None:
        """What the sampler draws from after `produced`, or would inside a prompt, which no rule narrows."""
        if self._sampler is None:
            return None
        allowed = logits if produced is None else self._constraints.apply(logits, produced)
        return self._sampler.distribution(allowed)

    def path(self) -> DecodedPath:
        """All so far, as read-only views."""
        rows = self._rows
        return DecodedPath(
            patterns=self._recorder.snapshot(rows),
            out_ids=tuple(self.out_ids),
            step_logprob=self._logprobs[:rows],
            candidate_ids=self._candidate_ids[:rows],
            candidate_logprobs=self._candidate_logprobs[:rows],
            step_rank=self._ranks[:rows],
            candidate_drawn=None if self._sampler is None else self._drawn[:rows],
            drawn_count=None if self._sampler is None else self._drawn_counts[:rows],
            forced=self._forced,
            copy_share=None if self._copied is None else self._copied[:rows],
        )

    def continues(
        self,
        network: Decodable,
        source: Sequence[int],
        given: Sequence[int],
        candidates: int,
        alterations: tuple[Alteration, ...],
        sampler: Sampler | None,
    ) -> bool:
        """Whether its steps are those of a decoding with these settings that chooses the same tokens."""
        changed = () if self.altering is None else self.altering.alterations
        told = sampler is None or len(self._hidden) == self._rows or self._samples_as(sampler)
        return (
            self.network is network
            and not self.reading
            and told
            and self.source == tuple(source)
            and self.given == tuple(given)
            and self.candidates == min(candidates, network.target_vocab)
            and changed == alterations
        )

    @torch.inference_mode()
    def fork(
        self, steps: int, limit: int, constraints: TokenConstraints, sampler: Sampler | None = None
    ) -> Decoding:
        """An independent decoding that has taken the first `steps` steps of this one; runs no layer again.

        They count as typed, and the prompt must have been read.
        """
        rows = len(self.given) - 1 + steps
        other = copy.copy(self)
        other.out_ids = self.out_ids[:steps]
        other._hidden = self._hidden[:rows]
        other._rows = rows
        other._forced = ()
        other._recorder = self._recorder.fork(rows)
        other._state = self._state.fork(rows)
        other._constraints, other._sampler = constraints, sampler
        other._make_room(limit, self.candidates)
        other._logprobs[:rows] = self._logprobs[:rows]
        other._candidate_ids[:rows] = self._candidate_ids[:rows]
        other._candidate_logprobs[:rows] = self._candidate_logprobs[:rows]
        other._ranks[:rows] = self._ranks[:rows]
        if self._copied is not None:
            other._copied = np.empty(len(other._ranks), np.float32)
            other._copied[:rows] = self._copied[:rows]
        other._tell_drawn_again(self)
        return other

    def _samples_as(self, sampler: Sampler) -> bool:
        return self._sampler is not None and self._sampler.settings == sampler.settings

    def _tell_drawn_again(self, origin: Decoding) -> None:
        """What the steps taken over from `origin` would have been drawn from."""
        rows, prompt = self._rows, len(self.given) - 1
        if self._sampler is None or rows == 0:
            return
        if origin._samples_as(self._sampler):
            self._drawn[:rows] = origin._drawn[:rows]
            self._drawn_counts[:rows] = origin._drawn_counts[:rows]
            return
        for row, hidden in enumerate(self._hidden):
            produced = None if row < prompt else self.out_ids[: row - prompt]
            self._tell_drawn(row, self._distribution(self.network.project(hidden)[0], produced))

    def _tell(self, row: int, token: int, best: Candidates, logits: Tensor) -> None:
        """Note what row `row` thinks: `best` of one row, and `token`, which comes next."""
        k = self.candidates
        self._candidate_ids[row] = best.ids[0, :k]
        self._candidate_logprobs[row] = best.logprobs[0, :k]
        self._logprobs[row] = best.all_logprobs[0, token]
        self._ranks[row] = rank_of(token, logits, best.ids[0])

    def _tell_drawn(self, row: int, distribution: Distribution | None) -> None:
        if distribution is not None:
            self._drawn[row] = distribution.logprobs(self._candidate_ids[row])
            self._drawn_counts[row] = len(distribution.ids)

    def _tell_copied(self, row: int, shares: Tensor | None) -> None:
        """Note how much of row `row` is copied, [1]; None of a model that copies nothing."""
        if shares is not None:
            if self._copied is None:
                self._copied = np.empty(len(self._ranks), np.float32)
            self._copied[row] = float(shares[0])

    def _make_room(self, limit: int, candidates: int) -> None:
        rows = len(self.given) - 1 + limit
        self._logprobs = np.empty(rows, np.float32)
        self._candidate_ids = np.empty((rows, candidates), np.int64)
        self._candidate_logprobs: Floats = np.empty((rows, candidates), np.float32)
        self._ranks = np.empty(rows, np.int64)
        self._copied = None
        self._drawn: Floats = np.empty((rows, candidates), np.float32)
        self._drawn_counts = np.empty(rows, np.int64)
