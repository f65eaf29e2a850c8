"""Beam tree: every hypothesis that a beam search considered, and how to put any of them together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from model.decoding.constraints import Forced
from model.decoding.recorder import PathPatterns, StepRecord
from model.decoding.trace_maker import DecodedPath, TraceMaker
from model.trace.trace import Floats, Ids, Trace

ROOT = 0
"""The id of the start token alone."""


class Fate(StrEnum):
    """What becomes of a hypothesis in the step that considers it."""

    KEPT = "kept"
    FINISHED = "finished"
    CUT = "cut"  # kept, but the length limit allows no further token
    PRUNED = "pruned"
    OUTRANKED = "outranked"  # it ended, but as many as are kept apart had ended better


@dataclass(frozen=True)
class Hypothesis:
    """One node in the tree of a beam search: its parent's tokens and one more.

    Attributes:
        id: unique in the search and rising; 0 is the root, the start token alone.
        parent: id of the parent, None of the root.
        step: number of the token among those produced, from 0; -1 of the root. Without a prompt that is the
            row that predicted it.
        logprob: natural log probability of `token` after its parent's tokens.
        score: sum of `logprob` over all tokens; one that a rule forced counts 0, as in `transformers`.
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
class BeamStep:
    """What one step computed for every beam, held once: patterns, and candidates [b, K].

    Attributes:
        copy_share: [b] where words are copied, else None.
    """

    record: StepRecord
    candidate_ids: Ids
    candidate_logprobs: Floats
    copy_share: Floats | None = None


@dataclass(frozen=True, eq=False)
class BeamNode:
    """A hypothesis linked to its parent, so that nothing is copied on the way.

    Attributes:
        made_by: the step that predicted it and the parent's place in that step's beam.
        rank: place of its token among all continuations of its parent, the most probable 1.
        forced: the rule that left its parent no other continuation.
        ends: whether its token is an end token.
    """

    hypothesis: Hypothesis
    parent: BeamNode | None = None
    made_by: tuple[BeamStep, int] | None = None
    rank: int = 1
    forced: Forced | None = None
    ends: bool = False

    @property
    def finished(self) -> bool:
        """Whether it is whole: ended by an end token, and not dropped for want of a place."""
        return self.ends and self.hypothesis.fate is not Fate.PRUNED

    @property
    def tokens(self) -> tuple[int, ...]:
        """All that it has produced."""
        return tuple(node.hypothesis.token for node in self.path())

    def path(self) -> list[BeamNode]:
        """Every hypothesis after the root on the way to this one."""
        nodes = []
        node: BeamNode | None = self
        while node is not None and node.made_by is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]


class BeamTree:
    """Every considered hypothesis of a search, by id, dropped ones too.

    Args:
        begun: what was read before the first step; a prompt is part of every path, and of no hypothesis.
        start_id: the last token read before the first step.
        renormalised: scores are not sums of the log probabilities that are told; see
            `model.folder.decoding_rules.DecodingRules`.
    """

    def __init__(self, begun: DecodedPath, start_id: int, *, renormalised: bool = False) -> None:
        root = Hypothesis(ROOT, None, -1, start_id, 0.0, 0.0, 0.0, Fate.KEPT)
        self.nodes = [BeamNode(root)]
        self._begun = begun
        self._renormalised = renormalised

    def node(self, hypothesis: int) -> BeamNode:
        """By id; `IndexError` if the search has considered no such hypothesis."""
        if not 0 <= hypothesis < len(self.nodes):
            raise IndexError(f"there is no hypothesis {hypothesis}")
        return self.nodes[hypothesis]

    def path(self, hypothesis: int, *, gathered: bool = False) -> DecodedPath:
        """All steps from the root to a hypothesis; raises as `node` does.

        Args:
            gathered: put the patterns together at once and let go of the other hypotheses' rows.
        """
        nodes, begun = self.node(hypothesis).path(), self._begun
        made_by = [node.made_by for node in nodes if node.made_by is not None]
        patterns = PathPatterns(begun.patterns, [(step.record, beam) for step, beam in made_by])
        ids = [step.candidate_ids[beam] for step, beam in made_by]
        logprobs = [step.candidate_logprobs[beam] for step, beam in made_by]
        copied = [step.copy_share[beam] for step, beam in made_by if step.copy_share is not None]
        chosen = np.array([node.hypothesis.logprob for node in nodes], np.float32)
        return DecodedPath(
            patterns=patterns.gathered() if gathered else patterns,
            out_ids=tuple(node.hypothesis.token for node in nodes),
            step_logprob=np.concatenate([begun.step_logprob, chosen]),
            candidate_ids=np.stack([*begun.candidate_ids, *ids]) if ids else begun.candidate_ids,
            candidate_logprobs=(
                np.stack([*begun.candidate_logprobs, *logprobs]) if ids else begun.candidate_logprobs
            ),
            step_rank=np.array([*begun.step_rank, *(node.rank for node in nodes)], np.int64),
            forced=tuple(node.forced for node in nodes if node.forced is not None),
            score=self.node(hypothesis).hypothesis.score if self._renormalised else None,
            copy_share=np.array(copied, np.float32) if copied else None,
        )


class SearchRecord:
    """A beam search to ask about its hypotheses, while it runs and afterwards; holds no model.

    Each step's patterns are held once for all its beams.
    """

    def __init__(self, tree: BeamTree, maker: TraceMaker) -> None:
        self._tree = tree
        self._maker = maker

    @property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """All considered so far, in order of their ids; the root first."""
        return tuple(node.hypothesis for node in self._tree.nodes)

    def trace_of(self, hypothesis: int) -> Trace:
        """The trace of one, dropped ones too, up to its own token; the search may be let go of then.

        Raises:
            IndexError: the search has considered no such hypothesis.
        """
        node = self._tree.node(hypothesis)
        return self._maker.trace(self._tree.path(hypothesis, gathered=True), finished=node.finished)
