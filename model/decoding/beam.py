"""Beam search that tells everything: each considered hypothesis, its parent, score and fate.

What becomes of finished hypotheses is one of the rules of `beam_rules`. By our own, with one place the
search is greedy decoding, with a place for every hypothesis it is exhaustive.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch
from torch import Tensor

from model.decoding.beam_rules import Proposal, ending
from model.decoding.beam_tree import BeamNode, BeamStep, BeamTree, Fate, Hypothesis
from model.decoding.candidates import Candidates, rank_of, ranked, top_candidates
from model.decoding.constraints import Forced, TokenConstraints, without
from model.decoding.decode_config import DecodeConfig
from model.decoding.decoding_state import Decoding
from model.decoding.recorder import BeamRecorder
from model.decoding.trace_maker import DecodedPath
from model.network.products.pace import pace_of
from model.trace.trace import Floats, Ids


class BeamSearch:
    """One sentence being decoded with a beam.

    Args:
        begun: its source and prompt have been read, and no step was taken; the search goes on instead of it.
        constraints: which tokens may be produced.
        limit: most tokens of a hypothesis, the end token included.
        prefix: tokens that every hypothesis begins with.

    Attributes:
        tree: every considered hypothesis.
    """

    def __init__(
        self,
        begun: Decoding,
        *,
        config: DecodeConfig,
        constraints: TokenConstraints,
        limit: int,
        prefix: Sequence[int] = (),
    ) -> None:
        self._network = begun.network
        self._altering = begun.altering
        self._state = begun.state
        self._candidates = begun.candidates
        self._constraints = constraints
        self._config = config
        self._limit = limit
        self._prefix = prefix
        self._step = 0
        self._recorder = BeamRecorder(begun.altering)
        self._ending = ending(constraints.rules, config, limit=limit, ends=len(constraints.ends))
        renormalised = constraints.reorders or (constraints.rules.renormalise and constraints.excludes)
        self.tree = BeamTree(begun.path(), begun.given[-1], renormalised=renormalised)
        self._live = self.tree.nodes[:1]

    @property
    def root(self) -> Hypothesis:
        """What was read before the first step, alone."""
        return self.tree.nodes[0].hypothesis

    @property
    def running(self) -> bool:
        """Whether another step could still change the outcome."""
        if not self._live or self._step >= self._limit:
            return False
        return not self._ending.decided(self._live, self._step)

    @torch.inference_mode()
    def advance(self) -> tuple[Hypothesis, ...]:
        """Read the newest token of every live hypothesis and decide about the continuations.

        Returns:
            The considered hypotheses, best first; ties in order of parent and token. Where a wide beam
            considers more than `beam_rules.MOST_TOLD`, the best ones, and all that get a place.
        """
        newest = [[node.hypothesis.token] for node in self._live]
        tokens = torch.tensor(newest, device=self._network.device)
        positions = None if self._altering is None else self._altering.target_positions(self._step, 1)
        record = self._recorder.begin_step()
        with pace_of(self._network, len(tokens)).step():
            hidden = self._network.decode_step(
                tokens, self._state, position_ids=positions, tap=self._recorder
            )
            logits, copied = self._network.project(hidden[:, -1]), self._network.copy_shares(hidden[:, -1])
        best = top_candidates(logits, max(self._ending.each, self._candidates))
        k = self._candidates
        shares = None if copied is None else copied.float().numpy(force=True)
        made = BeamStep(record, best.ids[:, :k].copy(), best.logprobs[:, :k].copy(), shares)
        forced = self._constraints.forced_by(self._step)
        token = self._constraints.forced(self._step)
        if self._step < len(self._prefix):
            token = self._prefix[self._step]
        proposals = self._free(logits, best) if token is None else self._single(token, logits, best, forced)
        self._step += 1
        return self._decide(made, proposals, forced)

    def _single(self, token: int, logits: Tensor, best: Candidates, forced: Forced | None) -> list[Proposal]:
        """The same continuation of every beam; one that a rule forces costs nothing."""
        proposals = []
        for beam, logprob in enumerate(best.all_logprobs[:, token].tolist()):
            rank = rank_of(token, logits[beam], best.ids[beam])
            proposals.append(self._proposal(beam, token, logprob, rank, logprob if forced is None else 0.0))
        return proposals

    def _free(self, logits: Tensor, best: Candidates) -> list[Proposal]:
        """Each beam's most probable continuations that are allowed, best scores first."""
        weights = self._weights(best)
        ids, ranks = self._allowed(logits, best, weights)
        logprobs: Floats = np.take_along_axis(best.all_logprobs, ids, 1)
        counts = np.where(ranks > 0, np.take_along_axis(weights, ids, 1), -np.inf)
        counts = counts - self._left(weights)[:, None]
        scores = np.array([node.hypothesis.score for node in self._live])[:, None]
        totals = scores + counts
        if not np.isfinite(totals).any():
            # The rules have left none of them anything.
            end = self._constraints.end_id
            return self._single(end if end >= 0 else int(best.ids[0, 0]), logits, best, None)
        order = np.argsort(-totals, axis=None, kind="stable")[: self._ending.most]
        beams, places = np.unravel_index(order[np.isfinite(totals.flat[order])], totals.shape)
        chosen = (beams, *(values[beams, places] for values in (ids, logprobs, ranks, counts)))
        return [self._proposal(*each) for each in zip(*(values.tolist() for values in chosen))]

    def _weights(self, best: Candidates) -> Floats:
        """What each token counts for each beam [b, vocab]: its log probability, or what a penalty leaves."""
        if not self._constraints.reorders:
            return best.all_logprobs
        rows = zip(torch.from_numpy(best.all_logprobs), self._live)
        return np.stack([self._constraints.penalised(row, node.tokens).numpy() for row, node in rows])

    def _allowed(self, logits: Tensor, best: Candidates, weights: Floats) -> tuple[Ids, Ids]:
        """Ids [b, n] of each beam's most probable allowed tokens, and their places among all.

        Where fewer are allowed than n, what follows has place 0.
        """
        count = min(self._ending.each, logits.shape[-1])
        ids = best.ids[:, :count].copy()
        ranks = np.broadcast_to(np.arange(1, count + 1), ids.shape).copy()
        for beam, node in enumerate(self._live):
            excluded = self._constraints.excluded(node.tokens) if self._constraints.excludes else frozenset()
            if not self._constraints.reorders and excluded.isdisjoint(ids[beam].tolist()):
                continue
            # Of logits, unless a penalty decides: rounding makes more log probabilities equal.
            row = torch.from_numpy(weights[beam]) if self._constraints.reorders else logits[beam]
            ids[beam] = ranked(without(row, excluded)[None], count)[0]
            ranks[beam] = [
                0 if token in excluded else rank_of(token, logits[beam], best.ids[beam])
                for token in ids[beam].tolist()
            ]
        return ids, ranks

    def _left(self, weights: Floats) -> Floats:
        """Natural log [b] of what the rules leave of `weights`, 0 where scores do not take it out."""
        left = np.zeros(len(self._live))
        if self._constraints.rules.renormalise and (self._constraints.excludes or self._constraints.reorders):
            for beam, node in enumerate(self._live):
                shares = np.exp(weights[beam].astype(np.float64))
                shares[[i for i in self._constraints.excluded(node.tokens) if i < len(shares)]] = 0.0
                with np.errstate(divide="ignore"):
                    left[beam] = np.log(shares.sum())
        return np.where(np.isfinite(left), left, 0.0)

    def _proposal(self, beam: int, token: int, logprob: float, rank: int, counts: float) -> Proposal:
        """A continuation whose token adds `counts` to the score."""
        score = self._live[beam].hypothesis.score + counts
        rank_score = self._config.rank_score(score, self._step + 1)
        ends = token in self._constraints.ends
        return Proposal(beam, token, logprob, rank, score, rank_score, ends)

    def _decide(
        self, made: BeamStep, proposals: Sequence[Proposal], forced: Forced | None
    ) -> tuple[Hypothesis, ...]:
        nodes = []
        kept: list[BeamNode] = []
        rows: list[int] = []
        fates = self._ending.fates(proposals, at_limit=self._step >= self._limit)
        for proposal, fate in zip(proposals, fates):
            parent = self._live[proposal.beam]
            hypothesis = Hypothesis(
                id=len(self.tree.nodes),
                parent=parent.hypothesis.id,
                step=self._step - 1,
                token=proposal.token,
                logprob=proposal.logprob,
                score=proposal.score,
                rank_score=proposal.rank_score,
                fate=fate,
            )
            made_by = (made, proposal.beam)
            node = BeamNode(hypothesis, parent, made_by, proposal.rank, forced, proposal.ends)
            self.tree.nodes.append(node)
            nodes.append(node)
            if fate is Fate.KEPT:
                kept.append(node)
                rows.append(proposal.beam)
        self._ending.hold([node for node in nodes if node.hypothesis.fate in (Fate.FINISHED, Fate.CUT)])
        if kept and rows != list(range(len(self._live))):
            self._state.select(torch.tensor(rows, device=self._network.device))
        self._live = kept
        return _hypotheses(nodes)

    def n_best(self) -> list[BeamNode]:
        """The best hypotheses that have ended, at most as many as asked for."""
        return self._ending.n_best(self._config.n_best)

    def best(self) -> BeamNode:
        """The best hypothesis so far: the live one with the highest score, or the best that has ended."""
        return self._live[0] if self._live else self.n_best()[0]

    def path(self, hypothesis: int, *, gathered: bool = False) -> DecodedPath:
        """All steps from the root to a considered hypothesis, dropped ones too; see `BeamTree.path`."""
        return self.tree.path(hypothesis, gathered=gathered)


def _hypotheses(nodes: Iterable[BeamNode]) -> tuple[Hypothesis, ...]:
    return tuple(node.hypothesis for node in nodes)
