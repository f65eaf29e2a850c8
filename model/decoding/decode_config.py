"""`DecodeConfig`: how a sentence is decoded; frozen, validated, no torch."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

from model.config import from_json
from model.errors import HeadscopeError

Mode = Literal["greedy", "beam", "sample", "forced", "rounds", "read"]

_OWN: dict[str, tuple[str, ...]] = {
    "greedy": (),
    "beam": ("beam_size", "length_penalty", "n_best"),
    "sample": ("temperature", "top_k", "top_p", "seed"),
    "forced": ("target",),
    "rounds": ("rounds", "lengths"),
    "read": (),
}
# What a trace's `decoding` says besides: what became of it under the rules of its model.
TOLD = ("forced_start", "forced_end", "beam_rule", "score")
_INTEGERS = {
    "beam_size": 1,
    "n_best": 1,
    "top_k": 0,
    "candidates": 0,
    "max_length": 1,
    "seed": 0,
    "rounds": 1,
    "lengths": 1,
}
_OPTIONAL = ("max_length", "seed")
_LARGEST_SEED = 2**63 - 1
_STEEPEST_PENALTY = 10
_WIDEST_BEAM = 1000
MOST_ROUNDS = 100
MOST_LENGTHS = 20


@dataclass(frozen=True, kw_only=True)
class DecodeConfig:
    """Settings of one decoding; those of other modes are ignored.

    Attributes:
        mode: `read` is what a trace says whose model reads all at once and writes nothing.
        beam_size: hypotheses kept, finished ones included.
        length_penalty: A in rank_score = score / tokens**A; 0 ranks by the plain sum of log probabilities.
        n_best: hypotheses returned, at most `beam_size`.
        temperature, top_k, top_p: the sampling distribution; 0 and 1.0 leave top-k and top-p out.
        seed: of the sampling; None draws one (the trace says which).
        candidates: K, how many of the most probable tokens are recorded at each step.
        max_length: most tokens produced, the end token included; None for one and a half times the source
            and 20 more, or 40 behind a prompt. Never more than the model has positions. A forced target is
            never cut.
        target: the text to force; its pieces and the end token are read one by one.
        prefix_ids: tokens forced before free decoding starts (not in mode forced).
        prefix: text forced after `prefix_ids`, before free decoding starts; its pieces as
            `model.tokens.tokenizer.Tokenizer.encode_continuation` makes them.
        rounds: mode rounds: how often all is written, the first time whole, then what is least certain; at
            most `MOST_ROUNDS`.
        lengths: mode rounds: so many of the likeliest lengths are tried, at most `MOST_LENGTHS`.
    """

    mode: Mode = "greedy"
    beam_size: int = 5
    length_penalty: float = 1.0
    n_best: int = 1
    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int | None = None
    candidates: int = 10
    max_length: int | None = None
    target: str | None = None
    prefix_ids: tuple[int, ...] = ()
    prefix: str = ""
    rounds: int = 4
    lengths: int = 1

    def __post_init__(self) -> None:
        """Raise `HeadscopeError` naming the first setting that makes no sense."""
        if self.mode not in get_args(Mode):
            self._refuse("mode", " or ".join(get_args(Mode)))
        self._check_types()
        if self.beam_size > _WIDEST_BEAM:
            self._refuse("beam_size", f"at most {_WIDEST_BEAM}")
        for name, most in (("rounds", MOST_ROUNDS), ("lengths", MOST_LENGTHS)):
            if getattr(self, name) > most:
                self._refuse(name, f"at most {most}")
        if abs(self.length_penalty) > _STEEPEST_PENALTY:
            self._refuse("length_penalty", f"from {-_STEEPEST_PENALTY} to {_STEEPEST_PENALTY}")
        if not self.temperature > 0:
            self._refuse("temperature", "above 0 (mode greedy is the limit towards 0)")
        if not 0 < self.top_p <= 1:
            self._refuse("top_p", "above 0 and at most 1")
        if self.mode == "beam" and self.n_best > self.beam_size:
            self._refuse("n_best", f"at most the beam size, {self.beam_size}")
        if self.mode == "forced" and not isinstance(self.target, str):
            self._refuse("target", "the text to force")

    def _check_types(self) -> None:
        for name, least in _INTEGERS.items():
            value = getattr(self, name)
            if value is None and name in _OPTIONAL:
                continue
            if not _is_integer(value) or not least <= value <= _LARGEST_SEED:
                self._refuse(name, f"a whole number, at least {least}")
        for name in ("length_penalty", "temperature", "top_p"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
                self._refuse(name, "a number")
        if not isinstance(self.prefix_ids, tuple) or not all(
            _is_integer(i) and i >= 0 for i in self.prefix_ids
        ):
            self._refuse("prefix_ids", "token numbers")
        prefix: Any = self.prefix
        if not isinstance(prefix, str):
            self._refuse("prefix", "text")

    def _refuse(self, name: str, wanted: str) -> None:
        value = json.dumps(getattr(self, name), ensure_ascii=False, default=str)
        raise HeadscopeError("config_value", field=name, value=value, wanted=wanted)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Self:
        """Build from the `decoding` object of a trace; `HeadscopeError` for an unknown or senseless key.

        What the object tells of the model's rules (`forced_end` and others) is no setting and left out.
        """
        plain = {key: value for key, value in values.items() if key not in TOLD}
        if isinstance(plain.get("prefix_ids"), list):
            plain["prefix_ids"] = tuple(plain["prefix_ids"])
        return from_json(cls, plain, "decoding")

    def to_json(self) -> dict[str, Any]:
        """The settings that this mode uses, as a trace's header has them."""
        values: dict[str, Any] = {"mode": self.mode}
        values |= {name: getattr(self, name) for name in _OWN[self.mode]}
        values["candidates"] = self.candidates
        if self.max_length is not None:
            values["max_length"] = self.max_length
        if self.prefix_ids:
            values["prefix_ids"] = list(self.prefix_ids)
        if self.prefix:
            values["prefix"] = self.prefix
        return values

    def but(self, **changes: Any) -> Self:
        """A copy with some settings changed."""
        return dataclasses.replace(self, **changes)

    def rank_score(self, score: float, tokens: int) -> float:
        """score / tokens**A, the length-normalised log probability by which hypotheses are ranked."""
        return float(score / tokens**self.length_penalty)


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
