"""PARALLEL: a translation read in one pass or token by token, and the time both take. No torch.

Vaswani et al. (2017), section 4: a self-attention layer "connects all positions with a constant number of
sequentially executed operations, whereas a recurrent layer requires O(n)" of them (Table 1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.lessons.control import Choice, Control, Slider, Switch
from model.lessons.lesson import Ask, Finding, Lesson, Numbers, Subject, Values
from model.questions.questions import Question

LENGTHS = (8, 16, 32, 64, 128)
WAYS = ("one_pass", "cached", "recomputed", "gru")
"""All tokens at once; one by one, keys and values kept; one by one, all before read anew; a GRU."""
SAME = 1e-3
"""Natural logs that differ by less are one computation rounded in another order."""
SAME_WEIGHT = 1e-5

Seconds = npt.NDArray[np.float64]


@dataclass(frozen=True)
class TimesOf(Question, answered_by="model.lessons.answers.parallel:times_of"):
    """A translation in one pass and step by step, and the time that takes; answered by `Times`.

    Attributes:
        run: another number measures anew.
    """

    urgency = "background"
    activity = "timing"

    run: int


@dataclass(frozen=True, eq=False)
class Times:
    """What was measured.

    Attributes:
        steps: tokens of the translation that is open.
        logprob_difference: largest absolute difference of any log probability of any next token.
        weight_difference: the same of any weight of the decoder's heads.
        lengths: int64 [N] tokens read. seconds: by `WAYS`, medians [N]; NaN: not measured yet.
        runs: most runs of which a median is taken.
        threads: of the processor. d_model, layers: of decoder and GRU alike.
    """

    steps: int
    logprob_difference: float
    weight_difference: float
    lengths: npt.NDArray[np.int64]
    seconds: Mapping[str, Seconds]
    runs: int
    threads: int
    d_model: int
    layers: int


def controls(subject: Subject | None) -> tuple[Control, ...]:
    """What the chart shows."""
    return (
        Choice("longest", tuple(map(str, LENGTHS[2:])), str(LENGTHS[-1])),
        Choice("measure", ("total", "per_token"), "total"),
        Switch("log", True),
        Slider("run", 1, 9, 1, whole=True),
    )


def _asks(values: Values, subject: Subject | None) -> Ask | None:
    if subject is None or not subject.out:
        return None
    return TimesOf(int(values["run"])), subject.reading


def numbers(values: Values, answer: Times | None, subject: Subject | None) -> Numbers:
    """How equal both ways are, and how much longer the one takes at the greatest length that is shown."""
    assert answer is not None
    assert subject is not None
    shown = answer.lengths <= int(values["longest"])
    seconds = {way: answer.seconds[way][shown] for way in WAYS}
    measured = np.all([np.isfinite(found) for found in seconds.values()], axis=0)
    equal = answer.logprob_difference < SAME and answer.weight_difference < SAME_WEIGHT
    about = {"weights": answer.weight_difference, "steps": answer.steps}
    findings = [Finding("equal", answer.logprob_difference, equal, about)]
    lengths = answer.lengths[shown]
    if measured.any():
        findings += _ratios({way: found[measured] for way, found in seconds.items()}, lengths[measured])
    divisor = lengths if values["measure"] == "per_token" else np.ones(len(lengths))
    data = {
        **{name: value for name, value in vars(answer).items() if name not in ("lengths", "seconds")},
        "lengths": lengths,
        "milliseconds": {way: 1000 * found / divisor for way, found in seconds.items()},
        "complete": bool(measured.all()),
        "altered": bool(subject.reading.alterations),
    }
    return Numbers(tuple(findings), data)


def _ratios(seconds: Mapping[str, Seconds], lengths: npt.NDArray[np.int64]) -> list[Finding]:
    last = {way: float(found[-1]) for way, found in seconds.items()}
    n = int(lengths[-1])
    steps = last["cached"] / last["one_pass"]
    anew = last["recomputed"] / last["cached"]
    times = {way: 1000 * value for way, value in last.items()}
    found = [
        Finding("steps_ratio", steps, steps > 1, {"length": n, **times}),
        Finding("cache_ratio", anew, anew > 1, {"length": n, **times}),
        Finding("gru_ratio", last["gru"] / last["one_pass"], None, {"length": n, **times}),
    ]
    if len(lengths) > 1:
        grown = {way: float(found[-1] / found[0]) for way, found in seconds.items()}
        found.append(
            Finding("growth", n / int(lengths[0]), None, {"first": int(lengths[0]), "last": n, **grown})
        )
    return found


PARALLEL = Lesson(
    "parallel",
    controls,
    numbers,
    _asks,
    needs_answer=True,
    stations=lambda subject: (
        {"longest": "32", "measure": "total", "log": True},
        {"longest": "128", "measure": "total", "log": True},
        {"longest": "128", "measure": "total", "log": False},
        {"longest": "128", "measure": "per_token", "log": True},
    ),
)
