"""Beam search that tells everything: each considered hypothesis, its parent, score and fate.

A finished hypothesis gives up its place in the beam (as in Sutskever et al. 2014, section 3.2): with one
place the search is greedy decoding, with a place for every hypothesis it is exhaustive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import torch

from model.attention import Tap
from model.candidates import Candidates, top_candidates
from model.decode_config import DecodeConfig
from model.recorder import BeamRecorder, PathPatterns, StepRecord
from model.trace import Floats, Ids
from model.trace_maker import DecodedPath
from model.transformer import Transformer


class Fate(StrEnum):
    """What becomes of a hypothesis in the step that considers it."""

    KEPT = "kept"
    FINISHED = "finished"
    CUT = "cut"  # kept, but the length limit allows no further token
    PRUNED = "pruned"


@dataclass(frozen=True)
class Hypothesis:
    """One node in the tree of a beam search: its parent's tokens and one more.

    Attributes:
        id: unique in the search and rising; 0 is the root, the start token alone.
        parent: id of the parent, None of the root.
        step: the row, from 0, that predicted the token; -1 of the root.
        logprob: natural log probability of `token` after its parent's tokens.
        score: sum of `logprob` over all tokens.
        rank_score: score / tokens**A, the end token counted.
    """

    id: int
    parent: int | None
    step: int
    token: int
    logprob: float
    score: float
    rank_score: float
    fate: Fate


@dataclass(frozen=True, eq=False)
class _Step:
    """What one step computed for every beam: patterns, and candidates [b, K]."""

    record: StepRecord
    candidate_ids: Ids
    candidate_logprobs: Floats


@dataclass(frozen=True, eq=False)
class BeamNode:
    """A hypothesis that was not pruned, linked to its parent, so that nothing is copied on the way.

    Attributes:
        made_by: the step that predicted it and the parent's place in that step's beam.
    """

    hypothesis: Hypothesis
    parent: BeamNode | None = None
    made_by: tuple[_Step, int] | None = None

    @property
    def finished(self) -> bool:
        """Whether it ends with the end token."""
        return self.hypothesis.fate is Fate.FINISHED

    def steps(self) -> list[tuple[Hypothesis, _Step, int]]:
        """Each hypothesis after the root on the way to this one, with what made it."""
        steps = []
        node: BeamNode | None = self
        while node is not None and node.made_by is not None:
            steps.append((node.hypothesis, *node.made_by))
            node = node.parent
        return steps[::-1]


class BeamSearch:
    """One sentence being decoded with a beam. A new one has just been read by the encoder.

    Args:
        source: ids with the end token.
        limit: most tokens of a hypothesis, the end token included.
        prefix: tokens that every hypothesis begins with.
        alter: a tap that may replace patterns; what it returns is what is recorded.
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
        alter: Tap | None = None,
    ) -> None:
        self.root = Hypothesis(0, None, -1, start_id, 0.0, 0.0, 0.0, Fate.KEPT)
        self._candidates = min(config.candidates, transformer.architecture.target_vocab)
        self._transformer = transformer
        self._end_id = end_id
        self._config = config
        self._limit = limit
        self._prefix = prefix
        self._step = 0
        self._next_id = 1
        self._recorder = BeamRecorder(alter)
        self._live = [BeamNode(self.root)]
        self._ended: list[BeamNode] = []
        self._device = transformer.source_embedding.weight.device
        with torch.inference_mode():
            ids = torch.tensor([list(source)], dtype=torch.int64, device=self._device)
            memory = transformer.encode(ids, tap=self._recorder)
            self._cache = transformer.start_cache(memory)

    @property
    def running(self) -> bool:
        """Whether another step could still change the outcome."""
        return bool(self._live) and self._step < self._limit and not self._decided()

    @torch.inference_mode()
    def advance(self) -> tuple[Hypothesis, ...]:
        """Read the newest token of every live hypothesis and decide about the continuations.

        Considered are as many continuations of each as there are places: no other could get one.

        Returns:
            All considered hypotheses, best first; ties in order of parent and token.
        """
        width = self._config.beam_size - sum(node.finished for node in self._ended)
        tokens = torch.tensor([[node.hypothesis.token] for node in self._live], device=self._device)
        record = self._recorder.begin_step()
        hidden = self._transformer.decode_step(tokens, self._cache, tap=self._recorder)
        logits = self._transformer.project(hidden[:, -1])
        best = top_candidates(logits, max(width, self._candidates))
        k = self._candidates
        step = _Step(record, best.ids[:, :k].copy(), best.logprobs[:, :k].copy())
        if self._step < len(self._prefix):
            token = self._prefix[self._step]
            logprobs = best.all_logprobs[:, token].tolist()
            proposals = [(beam, token, logprob) for beam, logprob in enumerate(logprobs)]
        else:
            proposals = self._proposals(best, width)
        self._step += 1
        return self._decide(step, proposals, width)

    def _proposals(self, best: Candidates, width: int) -> list[tuple[int, int, float]]:
        """(beam, token, logprob) of each beam's most probable continuations, best scores first."""
        proposals = [
            (beam, int(token), float(logprob))
            for beam in range(len(self._live))
            for token, logprob in zip(best.ids[beam, :width], best.logprobs[beam, :width])
        ]
        return sorted(proposals, key=lambda p: -(self._live[p[0]].hypothesis.score + p[2]))

    def _decide(
        self, step: _Step, proposals: list[tuple[int, int, float]], width: int
    ) -> tuple[Hypothesis, ...]:
        considered = []
        kept: list[BeamNode] = []
        rows: list[int] = []
        for place, (beam, token, logprob) in enumerate(proposals):
            parent = self._live[beam]
            score = parent.hypothesis.score + logprob
            hypothesis = Hypothesis(
                id=self._next_id,
                parent=parent.hypothesis.id,
                step=self._step - 1,
                token=token,
                logprob=logprob,
                score=score,
                rank_score=self._config.rank_score(score, self._step),
                fate=self._fate(token) if place < width else Fate.PRUNED,
            )
            self._next_id += 1
            considered.append(hypothesis)
            node = BeamNode(hypothesis, parent, (step, beam))
            if hypothesis.fate is Fate.KEPT:
                kept.append(node)
                rows.append(beam)
            elif hypothesis.fate is not Fate.PRUNED:
                self._ended.append(node)
        if kept:
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

    def path(self, node: BeamNode, *, gathered: bool = False) -> DecodedPath:
        """All steps from the root to `node`.

        Args:
            gathered: put the patterns together at once and let go of the other hypotheses' rows.
        """
        steps, k = node.steps(), self._candidates
        a = self._transformer.architecture
        made_by = [(step.record, beam) for _, step, beam in steps]
        patterns = PathPatterns(self._recorder.encoder, made_by, (a.decoder_layers, a.n_heads))
        ids = [step.candidate_ids[beam] for _, step, beam in steps]
        logprobs = [step.candidate_logprobs[beam] for _, step, beam in steps]
        return DecodedPath(
            patterns=patterns.gathered() if gathered else patterns,
            out_ids=tuple(hypothesis.token for hypothesis, _, _ in steps),
            step_logprob=np.array([hypothesis.logprob for hypothesis, _, _ in steps], np.float32),
            candidate_ids=np.array(ids, np.int64).reshape(len(steps), k),
            candidate_logprobs=np.array(logprobs, np.float32).reshape(len(steps), k),
        )
