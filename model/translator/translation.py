"""`Translation` as the command line tells it: tokens, probabilities and text, without patterns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Self

from model.bundle.bundle import Bundle
from model.decoding.batch_decoding import Chosen, constraints_of, greedy_batch, limit_of
from model.decoding.candidates import rank_of
from model.decoding.decode_config import DecodeConfig
from model.foreign.foreign_model import ForeignModel
from model.trace.trace import ClassRule, Trace
from model.translator.translator import Translator


@dataclass(frozen=True)
class Step:
    """One produced token, its natural log probability, and the most probable tokens with theirs.

    Attributes:
        rank: its place among all tokens, the most probable 1; None if a trace does not say.
        forced: whether a rule of the model left no choice (its end token where the length limit is).
        copy: how much of the probabilities is copied from the source; None of a model that copies nothing.
    """

    token: str
    logprob: float
    rank: int | None
    candidates: tuple[tuple[str, float], ...]
    forced: bool = False
    copy: float | None = None


@dataclass(frozen=True)
class Round:
    """One round of a translation that is written all at once.

    Attributes:
        read: raw pieces that the decoder read, `<mask>` where it was to write.
        tokens: what stood there after; logprobs: the natural log probability each was written with.
    """

    read: tuple[str, ...]
    tokens: tuple[str, ...]
    logprobs: tuple[float, ...]

    def to_json(self) -> dict[str, Any]:
        """By name."""
        return {"read": list(self.read), "tokens": list(self.tokens), "logprobs": list(self.logprobs)}


@dataclass(frozen=True)
class Translation:
    """One hypothesis for one sentence.

    Attributes:
        src_tokens: raw pieces of the source or the prompt, specials included.
        steps: one a produced token, the end token included when `finished`; none of a prompt's.
        score: sum of log probabilities, those of forced steps left out, as in `transformers`.
        rank_score: score / len(steps)**A.
        alterations: what was changed in the model's computation, as in a trace.
        classes: of a model that sorts texts, each with its probability (a mere number where `class_rule` is
            `none`), the largest first; None of others.
        rounds: of a model that writes in rounds, else none.
    """

    src_tokens: tuple[str, ...]
    text: str
    finished: bool
    steps: tuple[Step, ...]
    score: float
    rank_score: float
    alterations: tuple[Any, ...] = ()
    classes: tuple[tuple[str, float], ...] | None = None
    class_rule: ClassRule = "softmax"
    rounds: tuple[Round, ...] = ()

    @classmethod
    def of_trace(cls, trace: Trace, config: DecodeConfig, rounds: Sequence[Trace] = ()) -> Self:
        """What a complete trace says, and those of its rounds."""
        rows = zip(
            trace.tgt_out_tokens,
            trace.step_logprob.tolist(),
            [None] * trace.steps if trace.step_rank is None else trace.step_rank.tolist(),
            trace.candidate_tokens,
            trace.candidate_logprobs.tolist(),
            [None] * trace.steps if trace.copy_share is None else trace.copy_share.tolist(),
        )
        prompt = trace.tgt_in_tokens[: trace.prompt_length]
        given = max(0, trace.prompt_length - 1)
        forced = _forced(trace.decoding, given, trace.steps)
        steps = [
            Step(token, logprob, rank, tuple(zip(names, values)), row in forced, copy)
            for row, (token, logprob, rank, names, values, copy) in enumerate(rows)
            if row >= given
        ]
        result = cls.of_steps(prompt or trace.src_tokens, trace.tgt_text, trace.finished, steps, config)
        told = trace.decoding.get("score")
        if isinstance(told, float):
            result = replace(result, score=told, rank_score=config.rank_score(told, max(1, len(steps))))
        told_rounds = tuple(
            Round(one.tgt_in_tokens, one.tgt_out_tokens, tuple(one.step_logprob.tolist())) for one in rounds
        )
        return replace(result, alterations=trace.alterations, rounds=told_rounds)

    @classmethod
    def of_steps(
        cls, src_tokens: Sequence[str], text: str, finished: bool, steps: Sequence[Step], config: DecodeConfig
    ) -> Self:
        """The sums of the steps' log probabilities are worked out here."""
        score = sum(step.logprob for step in steps if not step.forced)
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
                    **({"forced": True} if step.forced else {}),
                    **({} if step.copy is None else {"copy": step.copy}),
                }
                for step in self.steps
            ],
            **self._sorted(),
            **({"rounds": [one.to_json() for one in self.rounds]} if self.rounds else {}),
        }

    def _sorted(self) -> dict[str, Any]:
        if self.classes is None:
            return {}
        return {"classes": [list(one) for one in self.classes], "class_rule": self.class_rule}


def _forced(decoding: Mapping[str, Any], first: int, rows: int) -> set[int]:
    """The rows at which a rule decided; `first` is that of the first produced token."""
    places = {"forced_start": first, "forced_end": rows - 1}
    return {row for rule, row in places.items() if decoding.get(rule) is True}


def translate_batch(translator: Translator, texts: Sequence[str], config: DecodeConfig) -> list[Translation]:
    """Greedy translations of `texts` (already checked) in one pass; the same as one by one, but faster."""
    model = translator.model
    source, target = model.source_tokenizer, model.target_tokenizer
    told = _Told(model, [source.source_ids(text) for text in texts], config)
    greedy_batch(
        model.transformer,
        told.encoded,
        pad_id=source.pad_id,
        start_id=target.start_id,
        end_id=target.end_id,
        most=model.target_limit,
        max_length=config.max_length,
        rules=model.rules,
        observe=told,
    )
    return [told.translation(row) for row in range(len(texts))]


class _Told:
    """What is said of each token while several sources are decoded.

    Attributes:
        encoded: ids of each source with its specials.
        candidates: how many of the most probable tokens are looked for.
    """

    def __init__(
        self, model: Bundle | ForeignModel, encoded: Sequence[Sequence[int]], config: DecodeConfig
    ) -> None:
        self.encoded = encoded
        self.candidates = max(1, config.candidates)
        self._model, self._config = model, config
        target, network = model.target_tokenizer, model.transformer
        self._piece = cache(target.piece)
        self._rules = [
            constraints_of(
                network,
                model.rules,
                ids,
                start_id=target.start_id,
                end_id=target.end_id,
                limit=limit_of(network, len(ids), config.max_length, model.target_limit),
            )
            for ids in encoded
        ]
        self._steps: list[list[Step]] = [[] for _ in encoded]
        self._ids: list[list[int]] = [[] for _ in encoded]

    def __call__(self, chosen: Chosen) -> None:
        """See `model.decoding.batch_decoding.Observer`."""
        best, piece, count = chosen.best, self._piece, self._config.candidates
        logprobs = best.all_logprobs[range(len(chosen.tokens)), chosen.tokens].tolist()
        copied = [None] * len(logprobs) if chosen.copied is None else chosen.copied.tolist()
        each = zip(chosen.rows, chosen.tokens, logprobs, best.ids.tolist(), best.logprobs.tolist(), copied)
        for place, (row, token, logprob, ids, values, copy) in enumerate(each):
            rank = 1 if ids[0] == token else rank_of(token, chosen.logits[place], best.ids[place])
            candidates = tuple(zip(map(piece, ids[:count]), values))
            forced = self._rules[row].forced_by(len(self._ids[row])) is not None
            self._steps[row].append(Step(piece(token), logprob, rank, candidates, forced, copy))
            self._ids[row].append(token)

    def translation(self, row: int) -> Translation:
        """What became of a source."""
        ids = self._ids[row]
        return Translation.of_steps(
            [self._model.source_tokenizer.piece(i) for i in self.encoded[row]],
            self._model.target_tokenizer.decode(ids),
            bool(self._rules[row].ends.intersection(ids[-1:])),
            self._steps[row],
            self._config,
        )
