"""SMOOTHING: label smoothing, and the learning rate of the paper's schedule. No torch.

Label smoothing (Szegedy et al. 2015, arXiv 1512.00567, section 7; Vaswani et al. 2017, section 5.4) takes ε
of the target's mass and spreads it evenly over the whole vocabulary, the right token and padding included, as
`model.training.loss` does. The schedule (section 5.3) is `model.training.schedule.noam`.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from model.lessons.control import Control, Slider
from model.lessons.lesson import Finding, Lesson, Numbers, Subject, Values
from model.training.schedule import noam

Doubles = npt.NDArray[np.float64]
LEAST_CONFIDENT = 0.5
LAST_STEP = 40_000
PAPER = (512, 4000)
"""d_model and warm-up of the paper's base model."""
_STEPS = 161


def controls(subject: Subject | None) -> tuple[Control, ...]:
    """ε, the vocabulary and a confidence; width and warm-up of the schedule."""
    return (
        Slider("epsilon", 0.0, 0.4, 0.1),
        Slider("vocabulary", 4, 100_000, 37_000, whole=True, log=True),
        Slider("confidence", LEAST_CONFIDENT, 0.99, 0.99),
        Slider("d_model", 16, 4096, PAPER[0], whole=True, log=True),
        Slider("warmup", 1, 20_000, PAPER[1], whole=True, log=True),
    )


def target(epsilon: float, vocabulary: int) -> tuple[float, float]:
    """The mass of the right token, 1 − ε + ε / V, and of each other one, ε / V."""
    return 1 - epsilon + epsilon / vocabulary, epsilon / vocabulary


def loss(confidence: Doubles, epsilon: float, vocabulary: int) -> Doubles:
    """Cross-entropy in nats, where the right token has its confidence and all others share the rest alike."""
    right, other = target(epsilon, vocabulary)
    rest = (1 - confidence) / (vocabulary - 1)
    by_others = (vocabulary - 1) * other * np.log(rest) if epsilon else 0.0
    return np.asarray(-right * np.log(confidence) - by_others)


def conventions(epsilon: float, vocabulary: int) -> Doubles:
    """[3, 3] mass of the right token, each other and padding: spread over V, V − 1 and V − 2 tokens.

    V − 1 leaves out the right token, V − 2 padding too.
    """
    right, other = target(epsilon, vocabulary)
    less, least = epsilon / (vocabulary - 1), epsilon / (vocabulary - 2)
    return np.array([[right, other, other], [1 - epsilon, less, less], [1 - epsilon, least, 0.0]])


def numbers(values: Values, answer: None, subject: Subject | None) -> Numbers:
    """The smoothed target, the loss against the confidence, and the learning rate against the step."""
    epsilon, vocabulary = float(values["epsilon"]), int(values["vocabulary"])
    confidence = float(values["confidence"])
    d_model, warmup = int(values["d_model"]), int(values["warmup"])
    right, other = target(epsilon, vocabulary)
    # Closer and closer to 1, where the smoothed loss rises without end.
    near = 1 - np.logspace(-4, math.log10(0.05), 40)
    grid = np.unique(np.concatenate([np.linspace(LEAST_CONFIDENT, 0.98, 97), near, [min(right, near[0])]]))
    smoothed, plain = loss(grid, epsilon, vocabulary), loss(grid, 0.0, vocabulary)
    least = int(smoothed.argmin())
    own = [float(loss(np.array(confidence), one, vocabulary)) for one in (epsilon, 0.0)]
    steps = np.unique(np.concatenate([np.linspace(1, LAST_STEP, _STEPS).round(), [warmup]])).astype(np.int64)
    rates = _rates(steps, d_model, warmup)
    peak = int(rates.argmax())
    later = noam(4 * warmup, d_model=d_model, warmup=warmup) / float(rates[peak])
    findings = (
        Finding(
            "right",
            right,
            math.isclose(right + (vocabulary - 1) * other, 1.0),
            {"other": other, "others": (vocabulary - 1) * other},
        ),
        Finding(
            "least",
            float(grid[least]),
            math.isclose(grid[least], right) and least < len(grid) - 1 if epsilon else None,
            {"loss": float(smoothed[least]), "epsilon": epsilon},
        ),
        Finding(
            "confident",
            own[0],
            own[0] > float(smoothed[least]) if epsilon and confidence > right else None,
            {"plain": own[1], "confidence": confidence},
        ),
        Finding("peak", float(rates[peak]), int(steps[peak]) == warmup, {"step": int(steps[peak])}),
        Finding("later", later, math.isclose(later, 0.5), {"step": 4 * warmup}),
    )
    data = {
        "target": np.array([[right, (vocabulary - 1) * other, other], [1.0, 0.0, 0.0]]),
        "conventions": conventions(epsilon, vocabulary),
        "confidence": grid,
        "smoothed": smoothed,
        "plain": plain,
        "least": float(grid[least]),
        "at": own,
        "steps": steps,
        "rates": rates,
        "paper": _rates(steps, *PAPER),
        "peak": int(steps[peak]),
    }
    return Numbers(findings, data)


def _rates(steps: npt.NDArray[np.int64], d_model: int, warmup: int) -> Doubles:
    return np.array([noam(int(step), d_model=d_model, warmup=warmup) for step in steps])


SMOOTHING = Lesson(
    "smoothing",
    controls,
    numbers,
    stations=lambda subject: (
        {"epsilon": 0.0, "vocabulary": 8},
        {"epsilon": 0.1, "vocabulary": 8},
        {"epsilon": 0.1, "vocabulary": 37_000, "d_model": PAPER[0], "warmup": PAPER[1]},
        {"warmup": 400},
        {"d_model": 128, "warmup": PAPER[1]},
    ),
)
