"""A translation as the command line tells it: tokens, probabilities and text, without patterns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from torch import Tensor

from model.batch_decoding import greedy_batch
from model.candidates import rank_of, top_candidates
from model.decode_config import DecodeConfig
from model.trace import Trace
from model.translator import Translator


@dataclass(frozen=True)
class Step:
    """One produced token, its natural log probability, and the most probable tokens with theirs.

    Attributes:
        rank: its place among all tokens, the most probable 1; None if a trace does not say.
    """

    token: str
    logprob: float
    rank: int | None
    candidates: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Translation:
    """One hypothesis for one sentence.

    Attributes:
        src_tokens: raw pieces with the end token.
        steps: one a produced token, the end token included when `finished`.
        score: sum of log probabilities.
        rank_score: score / len(steps)**A.
        alterations: what was changed in the model's computation, as in a trace.
    """

    src_tokens: tuple[str, ...]
    text: str
    finished: bool
    steps: tuple[Step, ...]
    score: float
    rank_score: float
    alterations: tuple[Any, ...] = ()

    @classmethod
    def of_trace(cls, trace: Trace, config: DecodeConfig) -> Self:
        """What a complete trace says."""
        rows = zip(
            trace.tgt_out_tokens,
            trace.step_logprob.tolist(),
            [None] * trace.steps if trace.step_rank is None else trace.step_rank.tolist(),
            trace.candidate_tokens,
            trace.candidate_logprobs.tolist(),
        )
        steps = [
            Step(token, logprob, rank, tuple(zip(names, values)))
            for token, logprob, rank, names, values in rows
        ]
        result = cls.of_steps(trace.src_tokens, trace.tgt_text, trace.finished, steps, config)
        return replace(result, alterations=trace.alterations)

    @classmethod
    def of_steps(
        cls, src_tokens: Sequence[str], text: str, finished: bool, steps: Sequence[Step], config: DecodeConfig
    ) -> Self:
        """The sums of the steps' log probabilities are worked out here."""
        score = sum(step.logprob for step in steps)
        rank_score = config.rank_score(score, max(1, len(steps)))
        return cls(tuple(src_tokens), text, finished, tuple(steps), score, rank_score)

    def to_json(self) -> dict[str, Any]:
        """The object that `translate --json` prints."""
        return {
            "src_tokens": list(self.src_tokens),
            "tgt_tokens": [step.token for step in self.steps],
            "text": self.text,
            "finished": self.finished,
            "score": self.score,
            "rank_score": self.rank_score,
            "alterations": list(self.alterations),
            "steps": [
                {
                    "token": step.token,
                    "logprob": step.logprob,
                    "rank": step.rank,
                    "candidates": [list(candidate) for candidate in step.candidates],
                }
                for step in self.steps
            ],
        }


def translate_batch(translator: Translator, texts: Sequence[str], config: DecodeConfig) -> list[Translation]:
    """Greedy translations of `texts` (already checked) in one pass; the same as one by one, but faster."""
    source, target = translator.bundle.source_tokenizer, translator.bundle.target_tokenizer
    encoded = [[*source.encode(text), source.end_id] for text in texts]
    steps: list[list[Step]] = [[] for _ in texts]
    ids: list[list[int]] = [[] for _ in texts]

    def observe(alive: Sequence[int], logits: Tensor, chosen: Sequence[int]) -> None:
        best = top_candidates(logits, config.candidates)
        for place, (row, token) in enumerate(zip(alive, chosen)):
            names = [target.piece(i) for i in best.ids[place].tolist()]
            candidates = tuple(zip(names, best.logprobs[place].tolist()))
            rank = rank_of(token, logits[place], best.ids[place])
            logprob = float(best.all_logprobs[place, token])
            steps[row].append(Step(target.piece(token), logprob, rank, candidates))
            ids[row].append(token)

    greedy_batch(
        translator.bundle.transformer,
        encoded,
        pad_id=source.pad_id,
        start_id=target.start_id,
        end_id=target.end_id,
        max_length=config.max_length,
        observe=observe,
    )
    return [
        Translation.of_steps(
            [source.piece(i) for i in encoded[row]],
            target.decode(ids[row]),
            ids[row][-1] == target.end_id,
            steps[row],
            config,
        )
        for row in range(len(texts))
    ]
