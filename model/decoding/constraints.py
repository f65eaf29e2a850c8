"""Token constraints: which tokens may come next in one decoding, by `model.folder.decoding_rules`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import torch
from torch import Tensor

from model.folder.decoding_rules import DecodingRules

Forced = Literal["forced_start", "forced_end"]
"""Which rule decided about a token, as the `decoding` object of a trace names it."""


class TokenConstraints:
    """Which tokens the rules allow at each step, as Hugging Face's logits processors do.

    Steps count produced tokens from 0.

    Args:
        end_id: the token that ends a sentence, -1 for none; `rules.ends` do so as well.
        given: what the decoder is given to read before it produces anything: the start token, or a prompt.
        source: what the encoder reads; without one the prompt counts as the source.
        limit: most tokens to produce.
        typed: how many of the first tokens a person decides about (a prefix, a forced target), whatever the
            rules say.

    Attributes:
        rules, end_id, limit: see above.
        ends: every token that ends a sentence.
        excludes: whether any token may ever be excluded.
        reorders: whether tokens that may come next may change places among each other.
    """

    def __init__(
        self,
        rules: DecodingRules,
        *,
        end_id: int,
        given: Sequence[int],
        limit: int,
        source: Sequence[int] = (),
        typed: int = 0,
    ) -> None:
        self.rules = rules
        self.ends = frozenset(token for token in (end_id, *rules.ends) if token >= 0)
        self.end_id = end_id
        self.excludes = any(
            (
                *(rules.banned, rules.banned_first, rules.banned_runs, rules.min_length, rules.min_total),
                *(rules.no_repeat_ngram, rules.no_source_ngram),
            )
        )
        self.reorders = rules.repetition_penalty != 1.0
        self._given = tuple(given)
        self._starts = rules.forced_start is not None and len(self._given) <= 1
        self._runs: dict[int, list[tuple[int, ...]]] = {}
        for run in rules.banned_runs:
            self._runs.setdefault(run[-2], []).append(run)
        self._of_source: dict[tuple[int, ...], list[int]] = {}
        n, read = rules.no_source_ngram, tuple(source or given)
        for place in range(len(read) + 1 - n if n else 0):
            run = read[place : place + n]
            self._of_source.setdefault(run[:-1], []).append(run[-1])
        self.limit = limit
        self._typed = typed

    def forced_by(self, step: int) -> Forced | None:
        """The rule that leaves no choice at a step."""
        if step < self._typed:
            return None
        if step == self.limit - 1 and self.rules.forced_end is not None:
            return "forced_end"
        return "forced_start" if step == 0 and self._starts else None

    def forced(self, step: int) -> int | None:
        """The token that a rule forces at a step."""
        rule = self.forced_by(step)
        if rule is None:
            return None
        return self.rules.forced_end if rule == "forced_end" else self.rules.forced_start

    def excluded(self, produced: Sequence[int]) -> frozenset[int]:
        """Tokens that may not come after those produced so far."""
        if not self.excludes:
            return frozenset()
        rules, total = self.rules, len(self._given) + len(produced)
        early = self.ends if len(produced) < rules.min_length or total < rules.min_total else ()
        first = rules.banned_first if len(produced) == self._starts else ()
        runs = (*self._repeats(produced), *self._completing(produced))
        return frozenset((*rules.banned, *early, *first, *runs))

    def keeps(self, likeliest: int, produced: Sequence[int]) -> bool:
        """Whether the likeliest token is what comes after those produced so far, all rules considered."""
        forced = self.forced(len(produced))
        if forced is not None:
            return likeliest == forced
        return not self.reorders and likeliest not in self.excluded(produced)

    def _repeats(self, produced: Sequence[int]) -> list[int]:
        """What came after each earlier occurrence of the last n - 1 tokens; all that is read counts."""
        n = self.rules.no_repeat_ngram
        tokens = (*self._given, *produced)
        if not n or len(tokens) + 1 < n:
            return []
        last = tokens[len(tokens) + 1 - n :]
        return [
            tokens[place + n - 1]
            for place in range(len(tokens) + 1 - n)
            if tokens[place : place + n - 1] == last
        ]

    def _completing(self, produced: Sequence[int]) -> list[int]:
        """What would complete a run that is banned, or one of the source."""
        tokens = (*self._given, *produced)
        found = [
            run[-1]
            for run in self._runs.get(tokens[-1] if tokens else -1, ())
            if len(run) <= len(tokens) and tokens[1 - len(run) :] == run[:-1]
        ]
        n = self.rules.no_source_ngram
        if n and len(tokens) + 1 >= n:
            found += self._of_source.get(tokens[len(tokens) + 1 - n :], ())
        return found

    def penalised(self, weights: Tensor, produced: Sequence[int]) -> Tensor:
        """Logits, or log probabilities, [vocab] with those of tokens that were there before made smaller.

        The same tensor where nothing is.
        """
        if not self.reorders:
            return weights
        penalty = self.rules.repetition_penalty
        before = [token for token in {*self._given, *produced} if 0 <= token < len(weights)]
        result = weights.clone()
        values = result[before]
        result[before] = torch.where(values < 0, values * penalty, values / penalty)
        return result

    def apply(self, logits: Tensor, produced: Sequence[int]) -> Tensor:
        """Logits [vocab], penalised, with minus infinity for every token that may not come next.

        The same tensor where all may. Where the rules leave none, the end token is left, or without one all.
        """
        forced = self.forced(len(produced))
        if forced is not None:
            return _only(logits, forced)
        logits = self.penalised(logits, produced)
        excluded = self.excluded(produced)
        if not excluded:
            return logits
        result = without(logits, excluded)
        if bool((result > -torch.inf).any()):
            return result
        return logits if self.end_id < 0 else _only(logits, self.end_id)


def without(logits: Tensor, excluded: Iterable[int]) -> Tensor:
    """A copy of logits [vocab] with minus infinity for the excluded tokens; others' numbers are ignored."""
    result = logits.clone()
    result[[token for token in excluded if 0 <= token < len(logits)]] = -torch.inf
    return result


def _only(logits: Tensor, token: int) -> Tensor:
    result = torch.full_like(logits, -torch.inf)
    result[token] = logits[token]
    return result
