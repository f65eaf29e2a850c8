"""Runs and beam searches of single letters with numbers chosen by hand or drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from model.trace.trace import AttentionKind, Trace
from tests.viewer.figure_samples import trace_of
from viewer.document.document import Run
from viewer.document.messages.considered import Considered

END = 0
SOURCE = ("▁a", "</s>")


def piece(token: int) -> str:
    """Token 0 ends; 1 is "▁a", 2 "▁b" and so on."""
    return "</s>" if token == END else "▁" + chr(96 + token)


def run_of(name: str, tokens: Sequence[int], shares: Sequence[float], **facts: Any) -> Run:
    """A run of these tokens with these probabilities; `trace=` changes its trace."""
    changes = facts.pop("trace", {})
    return Run(name, token_trace(tokens, shares, **changes), **{"provenance": {"source": "decoded"}, **facts})


def token_trace(tokens: Sequence[int], shares: Sequence[float], **changes: Any) -> Trace:
    """One layer of one head that looks at the first key; three candidates a step, the first the token."""
    steps = len(tokens)
    weights = np.zeros((1, 1, steps, 2), np.float32)
    weights[..., 0] = 1
    decoder = np.zeros((1, 1, steps, steps), np.float32)
    decoder[..., 0] = 1
    logs = np.log(np.array(shares, np.float64)).astype(np.float32)
    ids = np.array([[token, token + 1, token + 2] for token in tokens], np.int64).reshape(steps, 3)
    candidates = np.stack([logs, logs - 1, logs - 2], axis=1) if steps else np.zeros((0, 3), np.float32)
    fields: dict[str, Any] = {
        "tgt_text": " ".join(piece(token)[1:] for token in tokens if token != END),
        "tgt_out_ids": np.array(tokens, np.int64),
        "tgt_in_ids": np.array([9, *tokens][:steps], np.int64),
        "step_logprob": logs,
        "candidate_ids": ids,
        "candidate_logprobs": candidates,
        "candidate_tokens": tuple(tuple(piece(int(i)) for i in row) for row in ids),
        "finished": bool(tokens) and tokens[-1] == END,
    }
    patterns = {AttentionKind.CROSS: weights, AttentionKind.DECODER_SELF: decoder}
    return trace_of(patterns, SOURCE, tuple(map(piece, tokens)), **(fields | changes))


class PlainBeam:
    """Beam search written out over a table of probabilities by prefix: the oracle of the tree.

    Args:
        seed: of the table; every prefix has probabilities of its own.
    """

    def __init__(self, seed: int, *, vocab: int, beam: int, limit: int, penalty: float) -> None:
        self._rng = np.random.default_rng(seed)
        self._tables: dict[tuple[int, ...], list[float]] = {}
        self._vocab = vocab
        self.beam, self.limit, self.penalty = beam, limit, penalty
        self.considered: list[Considered] = []
        self.prefix: dict[int, tuple[int, ...]] = {0: ()}
        self._search()

    def logprobs(self, prefix: tuple[int, ...]) -> list[float]:
        """Log probabilities of every token after a prefix."""
        if prefix not in self._tables:
            drawn = self._rng.dirichlet(np.ones(self._vocab))
            self._tables[prefix] = [math.log(share + 1e-9) for share in drawn]
        return self._tables[prefix]

    def _search(self) -> None:
        live: list[tuple[int, float]] = [(0, 0.0)]
        places = self.beam
        for step in range(self.limit):
            proposals = []
            for parent, score in live:
                row = self.logprobs(self.prefix[parent])
                best = sorted(range(self._vocab), key=lambda token: -row[token])[:places]
                proposals += [(score + row[token], parent, token, row[token]) for token in best]
            proposals.sort(key=lambda proposal: -proposal[0])
            live = []
            for place, (score, parent, token, logprob) in enumerate(proposals):
                number = len(self.considered) + 1
                self.prefix[number] = (*self.prefix[parent], token)
                fate = "pruned"
                if place < places:
                    fate = "finished" if token == END else "cut" if step + 1 == self.limit else "kept"
                rank_score = score / (step + 1) ** self.penalty
                self.considered.append(
                    Considered(number, parent, step, token, piece(token), logprob, score, rank_score, fate)
                )
                if fate == "kept":
                    live.append((number, score))
            places -= sum(c.fate == "finished" and c.step == step for c in self.considered)
            if not live or not places:
                return

    def best(self) -> Considered:
        """The translation: the finished one, else the cut one, with the highest rank score."""
        ended = [c for c in self.considered if c.fate == "finished"] or [
            c for c in self.considered if c.fate == "cut"
        ]
        return max(ended, key=lambda c: c.rank_score)

    def run(self, name: str = "beam", **facts: Any) -> Run:
        """The search as a run."""
        tokens = self.prefix[self.best().id]
        shares = [math.exp(self.logprobs(tokens[:step])[token]) for step, token in enumerate(tokens)]
        decoding = {"mode": "beam", "beam_size": self.beam, "length_penalty": self.penalty}
        facts = {"search": tuple(self.considered), **facts}
        return run_of(name, tokens, shares, trace={"decoding": decoding}, **facts)


def hypothesis(
    number: int,
    parent: int,
    step: int,
    token: int,
    logprob: float,
    before: float,
    fate: str,
    penalty: float = 1.0,
) -> Considered:
    """One of a search, its scores worked out from its parent's score."""
    score = before + logprob
    return Considered(
        number, parent, step, token, piece(token), logprob, score, score / (step + 1) ** penalty, fate
    )
