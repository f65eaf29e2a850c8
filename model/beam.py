"""Beam search that tells everything: each considered hypothesis, its parent, score and fate.

A finished hypothesis gives up its place in the beam (as in Sutskever et al. 2014, section 3.2): with one
place the search is greedy decoding, with a place for every hypothesis it is exhaustive.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch

from model.altering import Altering
from model.beam_tree import BeamNode, BeamStep, BeamTree, Fate, Hypothesis
from model.candidates import Candidates, rank_of, top_candidates
from model.decode_config import DecodeConfig
from model.recorder import BeamRecorder
from model.trace_maker import DecodedPath
from model.transformer import Transformer

# A wide beam considers its width squared at every step; of more than this the least probable are not told.
MOST_TOLD = 4096


class _Proposal(NamedTuple):
    """A continuation: the parent's place in the beam, the token, and the token's place among all."""

    beam: int
    token: int
    logprob: float
    rank: int


class BeamSearch:
    """One sentence being decoded with a beam. A new one has just been read by the encoder.

    Args:
        source: ids with the end token, in the order in which they are read.
        limit: most tokens of a hypothesis, the end token included.
        prefix: tokens that every hypothesis begins with.
        altering: what is changed in the computation.

    Attributes:
        tree: every considered hypothesis.
    """

    def __init__(
        self,
        transformer: Transformer,
        source: Sequence[int],
        *,
        start_id: int,
        end_id: int,
        config: DecodeConfig,
        limit: int,
        prefix: Sequence[int] = (),
        altering: Altering | None = None,
    ) -> None:
        a = transformer.architecture
        self._candidates = min(config.candidates, a.target_vocab)
        self._transformer = transformer
        self._end_id = end_id
        self._config = config
        self._limit = limit
        self._prefix = prefix
        self._altering = altering
        self._step = 0
        self._recorder = BeamRecorder(altering)
        shape = (a.decoder_layers, a.n_heads)
        self.tree = BeamTree(start_id, self._recorder.encoder, shape, self._candidates)
        self._live = self.tree.nodes[:1]
        self._ended: list[BeamNode] = []
        self._device = transformer.source_embedding.weight.device
        with torch.inference_mode():
            ids = torch.tensor([list(source)], dtype=torch.int64, device=self._device)
            mask = None if altering is None else altering.source_mask
            positions = None if altering is None else altering.source_positions
            memory = transformer.encode(ids, key_mask=mask, position_ids=positions, tap=self._recorder)
            self._cache = transformer.start_cache(memory, memory_mask=mask)

    @property
    def root(self) -> Hypothesis:
        """The start token alone."""
        return self.tree.nodes[0].hypothesis

    @property
    def running(self) -> bool:
        """Whether another step could still change the outcome."""
        return bool(self._live) and self._step < self._limit and not self._decided()

    @torch.inference_mode()
    def advance(self) -> tuple[Hypothesis, ...]:
        """Read the newest token of every live hypothesis and decide about the continuations.

        Considered are as many continuations of each as there are places: no other could get one.

        Returns:
            The considered hypotheses, best first; ties in order of parent and token. Where a wide beam
            considers more than `MOST_TOLD`, the best ones, and at least all that get a place.
        """
        width = self._config.beam_size - sum(node.finished for node in self._ended)
        tokens = torch.tensor([[node.hypothesis.token] for node in self._live], device=self._device)
        positions = None if self._altering is None else self._altering.target_positions(self._step, 1)
        record = self._recorder.begin_step()
        hidden = self._transformer.decode_step(
            tokens, self._cache, position_ids=positions, tap=self._recorder
        )
        logits = self._transformer.project(hidden[:, -1])
        best = top_candidates(logits, max(width, self._candidates))
        k = self._candidates
        made = BeamStep(record, best.ids[:, :k].copy(), best.logprobs[:, :k].copy())
        if self._step < len(self._prefix):
            token = self._prefix[self._step]
            logprobs = best.all_logprobs[:, token].tolist()
            proposals = [
                _Proposal(beam, token, logprob, rank_of(token, logits[beam], best.ids[beam]))
                for beam, logprob in enumerate(logprobs)
            ]
        else:
            proposals = self._proposals(best, width)
        self._step += 1
        return self._decide(made, proposals, width)

    def _proposals(self, best: Candidates, width: int) -> list[_Proposal]:
        """Each beam's most probable continuations, best scores first."""
        scores = np.array([node.hypothesis.score for node in self._live])[:, None]
        totals = scores + best.logprobs[:, :width]
        order = np.argsort(-totals, axis=None, kind="stable")[: max(width, MOST_TOLD)]
        beams, places = np.unravel_index(order, totals.shape)
        return [
            _Proposal(beam, token, logprob, place + 1)
            for beam, token, logprob, place in zip(
                beams.tolist(),
                best.ids[beams, places].tolist(),
                best.logprobs[beams, places].tolist(),
                places.tolist(),
            )
        ]

    def _decide(self, made: BeamStep, proposals: list[_Proposal], width: int) -> tuple[Hypothesis, ...]:
        considered = []
        kept: list[BeamNode] = []
        rows: list[int] = []
        for place, proposal in enumerate(proposals):
            parent = self._live[proposal.beam]
            score = parent.hypothesis.score + proposal.logprob
            hypothesis = Hypothesis(
                id=len(self.tree.nodes),
                parent=parent.hypothesis.id,
                step=self._step - 1,
                token=proposal.token,
                logprob=proposal.logprob,
                score=score,
                rank_score=self._config.rank_score(score, self._step),
                fate=self._fate(proposal.token) if place < width else Fate.PRUNED,
            )
            node = BeamNode(hypothesis, parent, (made, proposal.beam), proposal.rank)
            self.tree.nodes.append(node)
            considered.append(hypothesis)
            if hypothesis.fate is Fate.KEPT:
                kept.append(node)
                rows.append(proposal.beam)
            elif hypothesis.fate is not Fate.PRUNED:
                self._ended.append(node)
        if kept and rows != list(range(len(self._live))):
            self._cache.select(torch.tensor(rows, device=self._device))
        self._live = kept
        return tuple(considered)

    def _fate(self, token: int) -> Fate:
        if token == self._end_id:
            return Fate.FINISHED
        return Fate.CUT if self._step >= self._limit else Fate.KEPT

    def _decided(self) -> bool:
        """Whether no live hypothesis can still come among the n best."""
        finished = [node for node in self.n_best() if node.finished]
        if len(finished) < self._config.n_best:
            return False
        # Tokens to come only lower a score; dividing it by a power of the length is monotonic in the length.
        best_score = min(0.0, max(node.hypothesis.score for node in self._live))
        bound = max(self._config.rank_score(best_score, n) for n in (self._step + 1, self._limit))
        return finished[-1].hypothesis.rank_score >= bound

    def n_best(self) -> list[BeamNode]:
        """The best hypotheses that have ended, at most as many as asked for.

        Finished ones come first, by rank_score; if they are too few, those that the length limit cut follow.
        """
        order = sorted(self._ended, key=lambda node: (not node.finished, -node.hypothesis.rank_score))
        return order[: self._config.n_best]

    def best(self) -> BeamNode:
        """The best hypothesis so far: the live one with the highest score, or the best that has ended."""
        return self._live[0] if self._live else self.n_best()[0]

    def path(self, hypothesis: int, *, gathered: bool = False) -> DecodedPath:
        """All steps from the root to a considered hypothesis, dropped ones too; see `BeamTree.path`."""
        return self.tree.path(hypothesis, gathered=gathered)
