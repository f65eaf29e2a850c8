"""Derived numbers: what follows from the corpus and a run's length where nobody gave one. No torch.

The same rules for the form, the command and the run itself. A small corpus gets few pieces, small batches and
more dropout (Sennrich and Zhang, 2019, "Revisiting Low-Resource Neural Machine Translation"); a short run a
warm-up that it lives to see the end of, and, as Noam's peak rises with a shorter warm-up, a factor that keeps
the peak where a model of its width still learns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from model.train_options import DERIVED, Preset, TrainOptions
from model.training.fields.estimate import epoch_steps, expected_steps, parameters
from model.training.fields.facts import Facts

# Of a built-in task, which brings what suits it, these alone: a run may be shorter than its task supposes.
_OF_TASKS = {"warmup", "learning_rate", "eval_every"}
_OF_QUOTED = {"vocab_size"}
_NOT_ASKED = {"probe_every"}  # nothing is kept unless it is asked for

_LEAST_BATCH = 1024  # tokens
_BATCHES = 100  # of an epoch; a small corpus is cut into smaller ones
_BRIEF_STEPS = 2000  # of a run by the clock, before its batches are as large as usual
_LEAST_STEPS, _MOST_EPOCHS = 3000, 100.0
_WARMUP_SHARE = 4
_PEAK = 0.5  # highest rate times width: about 0.006 at width 64, 0.002 at 256, 0.001 at 512
_SMALL = ((10_000, 0.3), (50_000, 0.2))  # pairs, and the dropout below so many
_MANY_PASSES = 20  # from which on a small corpus is learned by heart
_EVALUATIONS, _FEW, _MANY, _APART = 10, 5, 25, 50
_FRAMES, _PROBE_EVERY = 300, 5  # a step of a larger model takes a second: its heads should move meanwhile
_FEW_PAIRS, _LARGE = 5000, 2_000_000

PAIRS = "as there are {pairs} pairs"
CHARACTERS = "as the pairs are written in {characters} different characters"
ONE_PASS = "as all pairs together are {tokens} tokens"
BY_THE_CLOCK = "so that {minutes} minutes are enough for about {steps} steps"
SHORT_PASS = "as one pass over the pairs is {steps} steps"
STEPS = "as the run makes about {steps} steps"
PEAK = "so that the rate is {rate} where the warm-up ends"
PASSES = "as {pairs} pairs are read about {passes} times"
EVALUATIONS = "so that there are about {times} evaluations"
FRAMES = "so that the run is kept in some {frames} frames"
FEW_FOR_THE_MODEL = (
    "{pairs} pairs are few for a model of {parameters} parameters: the preset Tiny learns faster from so few."
)
REASONS = (
    PAIRS, CHARACTERS, ONE_PASS, BY_THE_CLOCK, SHORT_PASS, STEPS, PEAK, PASSES, EVALUATIONS, FRAMES,
    FEW_FOR_THE_MODEL,
)  # fmt: skip


@dataclass(frozen=True)
class Derived:
    """One number that is another than usual.

    Attributes:
        name: of the option.
        usual: what the preset or the default has.
        reason: one of `REASONS`, whose placeholders `about` fills.
    """

    name: str
    usual: Any
    value: Any
    reason: str
    about: Mapping[str, int | float] = field(default_factory=dict)

    def said(self) -> dict[str, str]:
        """What fills the reason, as it is read."""
        return {name: shown(number) for name, number in self.about.items()}


_Found = tuple[Any, str, dict[str, int | float]]
_Rule = Callable[[TrainOptions, Facts], _Found | None]


def auto_names(said: Collection[str], preset: Preset, *, task: bool) -> tuple[str, ...]:
    """Which options a new run is to derive, where a person said `said` of it."""
    names = set(DERIVED) - _NOT_ASKED - set(said)
    if task:
        names &= _OF_TASKS
    if preset.quoted:
        names &= _OF_QUOTED
    if "warmup" in said:  # Noam's formula with that warm-up, to the letter
        names -= {"learning_rate"}
    if "epochs" in preset.train or {"steps", "minutes"} & set(said):
        names -= {"epochs"}
    return tuple(name for name in DERIVED if name in names)


def derive(options: TrainOptions, facts: Facts) -> tuple[TrainOptions, tuple[Derived, ...]]:
    """The options with what follows from the facts, and what of it is not as usual.

    What needs a fact that is not known stays in `TrainOptions.auto`. What a person gave is never changed.
    """
    told = []
    for name, rule in _RULES.items():
        if name not in options.auto:
            continue
        found = rule(options, facts)
        if found is None:
            continue
        value, reason, about = found
        usual = options.value(name)
        options = options.taking({name: value})
        if value != usual:
            told.append(Derived(name, usual, value, reason, about))
    return options, tuple(told)


def advice(options: TrainOptions, facts: Facts) -> Derived | None:
    """That the model is large for its corpus; a preset is for the person to choose."""
    if facts.pairs is None or facts.pairs >= _FEW_PAIRS or options.task:
        return None
    size = parameters(options.architecture_with(options.vocab_size, options.vocab_size))
    if size < _LARGE:
        return None
    return Derived("preset", "", "tiny", FEW_FOR_THE_MODEL, {"pairs": facts.pairs, "parameters": size})


def shown(number: float) -> str:
    """A number as it is read: 8,000 or 0.0021."""
    return f"{number:,}" if isinstance(number, int) else f"{number:.3g}"


# The rules: the value, and why; None while a fact is missing.


def _vocab_size(options: TrainOptions, facts: Facts) -> _Found | None:
    """At most a piece a pair, and at least what SentencePiece needs; words are as many as there are."""
    usual = options.vocab_size
    if options.vocab_files or options.vocab_type == "word":
        return usual, "", {}
    if facts.pairs is None or facts.alphabet is None:
        return None
    # Room to join some of the characters to pieces.
    least = 100 * math.ceil((1.1 * facts.alphabet + 50) / 100)
    by_pairs = min(usual, round(facts.pairs, -2))
    if by_pairs >= least:
        return by_pairs, PAIRS, {"pairs": facts.pairs}
    return least, CHARACTERS, {"characters": facts.alphabet}


def _batch_tokens(options: TrainOptions, facts: Facts) -> _Found | None:
    train = options.train
    if train.batch_sentences:
        return train.batch_tokens, "", {}
    if facts.tokens is None or (train.minutes and facts.speed is None):
        return None
    batch = by_corpus = _halved(train.batch_tokens, lambda size: (facts.tokens or 0) < _BATCHES * size)
    if train.minutes:
        tokens = 60 * train.minutes * (facts.speed or 0) / train.accumulate
        batch = _halved(by_corpus, lambda size: tokens < _BRIEF_STEPS * size)
        if batch < by_corpus:
            steps = _leading(tokens / batch, 2)
            return batch, BY_THE_CLOCK, {"minutes": train.minutes, "steps": steps}
    return batch, ONE_PASS, {"tokens": _leading(facts.tokens, 2)}


def _epochs(options: TrainOptions, facts: Facts) -> _Found | None:
    epoch = epoch_steps(options.train, facts)
    if epoch is None or _pending(options, "batch_tokens"):
        return None
    usual = options.train.epochs
    return min(_MOST_EPOCHS, max(usual, float(math.ceil(_LEAST_STEPS / epoch)))), SHORT_PASS, {"steps": epoch}


def _warmup(options: TrainOptions, facts: Facts) -> _Found | None:
    """A quarter of the run, in a round number."""
    steps = _steps(options, facts)
    if steps is None:
        return None
    share = _leading(max(1.0, steps / _WARMUP_SHARE), 1)
    return min(options.train.warmup, share), STEPS, {"steps": _leading(steps, 2)}


def _learning_rate(options: TrainOptions, facts: Facts) -> _Found | None:
    """Noam's factor."""
    if _pending(options, "warmup"):
        return None
    train, width = options.train, int(options.value("d_model"))
    peak = (width * train.warmup) ** -0.5
    if train.schedule != "noam" or peak <= _PEAK / width:
        return train.learning_rate, "", {}
    factor = float(f"{min(train.learning_rate, _PEAK / width / peak):.2g}")
    return factor, PEAK, {"rate": factor * peak}


def _dropout(options: TrainOptions, facts: Facts) -> _Found | None:
    usual = float(options.value("dropout"))
    if not usual:  # of a model that has none, on purpose
        return usual, "", {}
    steps, epoch = _steps(options, facts), epoch_steps(options.train, facts)
    if steps is None or epoch is None or facts.pairs is None:
        return None
    passes = steps / epoch
    wanted = next((rate for pairs, rate in _SMALL if facts.pairs < pairs), usual)
    if passes < _MANY_PASSES:
        wanted = usual
    return max(usual, wanted), PASSES, {"pairs": facts.pairs, "passes": round(passes)}


def _eval_every(options: TrainOptions, facts: Facts) -> _Found | None:
    """Once an epoch, if that is neither hardly ever nor all the time."""
    steps, epoch = _steps(options, facts), epoch_steps(options.train, facts)
    if steps is None or epoch is None:
        return None
    times = steps / max(_APART, epoch)
    if _FEW <= times <= _MANY or steps <= _APART:  # there is one at the end
        return options.train.eval_every, "", {}
    every = max(_APART, _leading(steps / _EVALUATIONS, 1))
    return every, EVALUATIONS, {"times": math.ceil(steps / every)}


def _probe_every(options: TrainOptions, facts: Facts) -> _Found | None:
    steps = _steps(options, facts)
    if steps is None:
        return None
    every = max(1, min(_PROBE_EVERY, math.floor(steps / _FRAMES)))
    return every, FRAMES, {"frames": max(1, min(_FRAMES, steps // every))}


# By option, each after those that it looks at.
_RULES: dict[str, _Rule] = {
    "vocab_size": _vocab_size,
    "batch_tokens": _batch_tokens,
    "epochs": _epochs,
    "warmup": _warmup,
    "learning_rate": _learning_rate,
    "dropout": _dropout,
    "eval_every": _eval_every,
    "probe_every": _probe_every,
}


def _steps(options: TrainOptions, facts: Facts) -> int | None:
    """Of the whole run; None while what they are counted in is yet to be found."""
    if _pending(options, "batch_tokens", "epochs"):
        return None
    return expected_steps(options.train, facts)


def _pending(options: TrainOptions, *names: str) -> bool:
    return any(name in options.auto for name in names)


def _halved(size: int, too_large: Callable[[int], bool]) -> int:
    while size >= 2 * _LEAST_BATCH and too_large(size):
        size //= 2
    return size


def _leading(number: float, digits: int) -> int:
    """A number cut to its first digits."""
    whole = max(0, math.floor(number))
    unit: int = 10 ** max(0, len(str(whole)) - digits)
    return whole // unit * unit
