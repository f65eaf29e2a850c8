"""TokenTree: all target tokens that one model made for one sentence as a tree of shared prefixes. No Qt.

A run whose model was altered has a tree of its own, a strand: its probabilities are another model's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from model.tokens.token_style import TokenStyle
from viewer.document.beam_verdict import SearchTable
from viewer.document.document import Document, Run
from viewer.document.run_source import RunSource
from viewer.document.text.input_text import given_steps

End = Literal["finished", "cut", "cancelled", "live", "dropped", "open"]
"""How a run ends: with the end token, by the length limit, stopped by a person, not yet; as a hypothesis that
the search dropped or that it never ended."""
Standing = Literal["run", "kept", "finished", "cut", "dropped"]
"""A run passes; else the fate of the hypothesis: in the beam, ended, or none of its continuations is left."""


@dataclass(slots=True, eq=False)  # not frozen: there may be thousands, which are made three times as fast
class TokenNode:
    """One token after those of its parents; a root stands for the start token.

    Attributes:
        index: place in `TokenTree.nodes`; a parent comes before its children.
        parent: index, None of a root.
        strand: place in `TokenTree.strands`.
        step: the row that predicted the token, from 0; -1 of a root.
        logprob: natural log probability of the token after those before it.
        score: sum of `logprob` from the root on.
        rank_score: score / tokens**`penalty`, the end token counted.
        penalty: length penalty of the newest beam search that passes; 1 if none does.
        rank: place among all tokens of the vocabulary, the most probable 1; None if not recorded.
        runs: ids of the runs that pass, the oldest first.
        ends: those that end here, and how.
        hypotheses: (run of the search, id) of each hypothesis that ends with this token.
        children: indices, the first born first.
    """

    index: int
    parent: int | None
    strand: int
    step: int
    token: int
    piece: str
    logprob: float
    score: float
    rank_score: float
    penalty: float
    rank: int | None
    runs: tuple[str, ...]
    ends: tuple[tuple[str, End], ...]
    hypotheses: tuple[tuple[str, int], ...]
    children: tuple[int, ...]
    standing: Standing


@dataclass(frozen=True, eq=False)
class Strand:
    """The part of a tree that one way of computing made.

    Attributes:
        key: tells strands apart; empty of the untouched model.
        root: index of its root.
        alterations: what was changed in the model's computation.
    """

    key: str
    root: int
    alterations: tuple[Any, ...]


class TokenTree:
    """See `grow`.

    Attributes:
        nodes, strands: the strand of the untouched model is the first, if it has runs.
        style: how the pieces are written.
        searches: of each beam search, by its run, what became of each hypothesis.
    """

    def __init__(
        self,
        nodes: tuple[TokenNode, ...] = (),
        strands: tuple[Strand, ...] = (),
        paths: dict[str, tuple[int, ...]] | None = None,
        searches: dict[str, SearchTable] | None = None,
        style: TokenStyle = TokenStyle.SENTENCEPIECE,
    ) -> None:
        self.nodes = nodes
        self.style = style
        self.strands = strands
        self.searches = searches or {}
        self._paths = paths or {}

    @property
    def leaves(self) -> int:
        """How many nodes have no children."""
        return sum(not node.children for node in self.nodes)

    def path(self, run_id: str) -> tuple[int, ...]:
        """The nodes of a run by step; empty for a run that is not in the tree."""
        return self._paths.get(run_id, ())

    def node_at(self, run_id: str, step: int) -> TokenNode | None:
        """The token that a run predicts at a step, None if there is none in the tree."""
        path = self.path(run_id)
        return self.nodes[path[step]] if 0 <= step < len(path) else None

    def line(self, index: int) -> tuple[TokenNode, ...]:
        """The nodes from the root's child to a node."""
        line = []
        node = self.nodes[index]
        while node.parent is not None:
            line.append(node)
            node = self.nodes[node.parent]
        return tuple(reversed(line))

    def key(self, index: int) -> tuple[str, tuple[int, ...]]:
        """What names a node in every tree of its sentence: its strand and the tokens up to it."""
        strand = self.strands[self.nodes[index].strand]
        return strand.key, tuple(node.token for node in self.line(index))

    def find(self, key: tuple[str, tuple[int, ...]]) -> TokenNode | None:
        """The inverse of `key`."""
        strand = next((strand for strand in self.strands if strand.key == key[0]), None)
        if strand is None:
            return None
        node = self.nodes[strand.root]
        for token in key[1]:
            child = self.child(node.index, token)
            if child is None:
                return None
            node = child
        return node

    def child(self, index: int, token: int) -> TokenNode | None:
        """The child of a node that has this token."""
        children = (self.nodes[child] for child in self.nodes[index].children)
        return next((child for child in children if child.token == token), None)


@dataclass(slots=True)  # not frozen, as above
class NodeText:
    """What is written in a node.

    Attributes:
        share: its probability as text; empty of a root.
        dim: stands for no text of its own.
    """

    text: str
    share: str = ""
    dim: bool = False


@dataclass(frozen=True, eq=False)
class TreeSpec:
    """A tree as it is shown.

    Attributes:
        texts: what is written in each node.
        in_view: the nodes of the run in view.
    """

    tree: TokenTree
    texts: tuple[NodeText, ...]
    in_view: frozenset[int]
    title: str
    badges: tuple[str, ...] = ()


def relatives(document: Document, run: Run) -> tuple[Run, ...]:
    """The runs whose tree `run` is in: the same source tokens, the same model.

    An altered run belongs to the untouched one that it was made beside, even if it reads in another order.
    """
    by_id = {other.id: other for other in document.runs}
    wanted = _sentence(run, by_id)
    return tuple(other for other in document.runs if _sentence(other, by_id) == wanted)


def grow(runs: Sequence[Run], upto: int | None = None, *, dropped: bool = True) -> TokenTree:
    """The tree of runs of one sentence and model.

    Args:
        upto: only what was made or considered up to this step, with the fates known then.
        dropped: False leaves out the hypotheses of which nothing is left in the beam.
    """
    grower = _Grower(runs, upto)
    for run in sorted(runs, key=lambda run: bool(changes_of(run))):
        if run.trace.is_round:
            continue  # all its tokens at once: none comes after another
        root = grower.root(run)
        first = next((h.step for h in run.search if h.parent is not None), None)
        if first == 0:
            # Before the run: the order of a live tree then never changes with what is the best so far.
            grower.add_search(run, grower.prompt(run, root), dropped=dropped)
        grower.add_run(run, root)
        if first:
            grower.add_search(run, grower.before(run, first, root), dropped=dropped)
    return grower.tree()


def changes_of(run: Run) -> tuple[Any, ...]:
    """What was altered, also of a trace that comes from a file."""
    return run.alterations or run.trace.alterations


def end_of(run: Run, runs: Iterable[Run] = ()) -> End:
    """How a run ends.

    Args:
        runs: where the search of a hypothesis is found.
    """
    if run.live:
        return "live"
    if run.cancelled:
        return "cancelled"
    if run.trace.finished:
        return "finished"
    if run.provenance.get("source") == RunSource.HYPOTHESIS:
        return _end_of_hypothesis(run, runs)
    return "cut"


def _end_of_hypothesis(run: Run, runs: Iterable[Run]) -> End:
    name, number = run.provenance.get("search"), run.provenance.get("hypothesis")
    search = next((other.search for other in runs if other.id == name), ())
    fate = next((hypothesis.fate for hypothesis in search if hypothesis.id == number), "kept")
    return "dropped" if fate in ("pruned", "outranked") else "cut" if fate == "cut" else "open"


def _sentence(run: Run, by_id: dict[str, Run]) -> tuple[str, tuple[int, ...]]:
    seen = {run.id}
    while changes_of(run) and run.parent in by_id and run.parent not in seen:
        run = by_id[run.parent]
        seen.add(run.id)
    trace = run.trace
    read = (*trace.src_ids.tolist(), *trace.tgt_in_ids[: trace.prompt_length].tolist())
    return trace.model_sha256 or trace.model_name, read


class _Growing:
    """A node while the tree is made."""

    __slots__ = (
        "children",
        "ends",
        "hypotheses",
        "logprob",
        "parent",
        "penalty",
        "piece",
        "rank",
        "runs",
        "score",
        "step",
        "strand",
        "token",
    )

    def __init__(self, parent: int | None, strand: int, step: int, token: int, piece: str) -> None:
        self.parent, self.strand, self.step, self.token, self.piece = parent, strand, step, token, piece
        self.logprob = self.score = 0.0
        self.penalty = 1.0
        self.rank: int | None = None
        self.runs: list[str] = []
        self.ends: list[tuple[str, End]] = []
        self.hypotheses: list[tuple[str, int]] = []
        self.children: dict[int, int] = {}


class _Grower:
    def __init__(self, runs: Sequence[Run], upto: int | None) -> None:
        self._runs = runs
        self._upto = upto
        self._given = max((given_steps(run.trace) for run in runs), default=0)  # of one prompt, if of any
        self._nodes: list[_Growing] = []
        self._strands: dict[str, Strand] = {}
        self._paths: dict[str, tuple[int, ...]] = {}
        self._searches: dict[str, SearchTable] = {}

    def root(self, run: Run) -> int:
        alterations = changes_of(run)
        key = json.dumps(alterations, sort_keys=True, default=str) if alterations else ""
        strand = self._strands.get(key)
        if strand is None:
            trace = run.trace
            piece, token = (trace.tgt_in_tokens[0], int(trace.tgt_in_ids[0])) if trace.steps else ("<s>", -1)
            strand = Strand(key, len(self._nodes), alterations)
            self._nodes.append(_Growing(None, len(self._strands), -1, token, piece))
            self._strands[key] = strand
        return strand.root

    def add_run(self, run: Run, root: int) -> None:
        trace = run.trace
        steps = trace.steps if self._upto is None else min(trace.steps, self._upto + 1)
        self._nodes[root].runs.append(run.id)
        at, path = root, []
        rows = zip(trace.tgt_out_ids[:steps].tolist(), trace.tgt_out_tokens, trace.step_logprob.tolist())
        for step, (token, piece, logprob) in enumerate(rows):
            at = self._child(at, token, piece, logprob)
            node = self._nodes[at]
            node.runs.append(run.id)
            if trace.step_rank is not None:
                node.rank = int(trace.step_rank[step])
            path.append(at)
        if steps == trace.steps:
            self._nodes[at].ends.append((run.id, end_of(run, self._runs)))
        self._paths[run.id] = tuple(path)

    def prompt(self, run: Run, root: int) -> int:
        """The last token of a run's prompt, the root where there is none."""
        trace, at = run.trace, root
        rows = zip(trace.tgt_out_ids.tolist(), trace.tgt_out_tokens, trace.step_logprob.tolist())
        for token, piece, logprob in islice(rows, given_steps(trace)):
            at = self._child(at, token, piece, logprob)
        return at

    def add_search(self, run: Run, start: int, *, dropped: bool) -> None:
        # A search counts its steps from what it produced first.
        table = SearchTable.of(run, None if self._upto is None else self._upto - self._given)
        self._searches[run.id] = table
        places = {0: start}
        for hypothesis in table.considered:
            if hypothesis.parent not in places or not (dropped or table.alive(hypothesis.id)):
                continue
            at = self._child(
                places[hypothesis.parent], hypothesis.token, hypothesis.piece, hypothesis.logprob
            )
            places[hypothesis.id] = at
            node = self._nodes[at]
            node.hypotheses.append((run.id, hypothesis.id))
            node.penalty = table.penalty

    def before(self, run: Run, first: int, root: int) -> int:
        """Where a search starts that took the tokens before step `first` over from another run."""
        path, last = self._paths.get(run.id, ()), first + self._given - 1
        return path[last] if last < len(path) else root

    def _child(self, parent: int, token: int, piece: str, logprob: float) -> int:
        above = self._nodes[parent]
        index = above.children.get(token)
        if index is None:
            index = above.children[token] = len(self._nodes)
            node = _Growing(parent, above.strand, above.step + 1, token, piece)
            node.logprob = logprob
            # What a model would have given to a prompt's tokens is no part of what it produced.
            node.score = above.score + logprob if node.step >= self._given else 0.0
            node.penalty = above.penalty
            self._nodes.append(node)
        return index

    def tree(self) -> TokenTree:
        nodes = tuple(self._node(index, node) for index, node in enumerate(self._nodes))
        style = self._runs[0].trace.token_style if self._runs else TokenStyle.SENTENCEPIECE
        return TokenTree(nodes, tuple(self._strands.values()), self._paths, self._searches, style)

    def _node(self, index: int, node: _Growing) -> TokenNode:
        tokens = max(0, node.step + 1 - self._given)
        return TokenNode(
            index=index,
            parent=node.parent,
            strand=node.strand,
            step=node.step,
            token=node.token,
            piece=node.piece,
            logprob=node.logprob,
            score=node.score,
            rank_score=node.score / tokens**node.penalty if tokens else 0.0,
            penalty=node.penalty,
            rank=node.rank,
            runs=tuple(node.runs),
            ends=tuple(node.ends),
            hypotheses=tuple(node.hypotheses),
            children=tuple(node.children.values()),
            standing=self._standing(node.runs, node.hypotheses),
        )

    def _standing(self, runs: Sequence[str], hypotheses: Iterable[tuple[str, int]]) -> Standing:
        if runs:
            return "run"
        best: Standing = "dropped"
        for search, number in hypotheses:
            table = self._searches[search]
            fate = table[number].fate
            if fate in ("finished", "cut"):
                return "finished" if fate == "finished" else "cut"
            if table.alive(number):
                best = "kept"
        return best
