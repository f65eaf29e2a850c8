"""WEIGHTED_AVERAGE: attention as kernel regression in one dimension, then a head's own q, k and v. No torch.

Nadaraya-Watson (1964): f(q) = Σᵢ K(q − kᵢ) vᵢ / Σⱼ K(q − kⱼ); with the Gaussian kernel of width w that is
softmax(−(q − kᵢ)² / 2w²) · v, which is the paper's eq. 1 but for the score.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from model.lessons.control import Choice, Control, Place, Slider
from model.lessons.lesson import Ask, Finding, Lesson, Numbers, Subject, Values
from model.questions.answers import RowArithmetic
from model.questions.questions import RowOf

Doubles = npt.NDArray[np.float64]
KEYS = (0.5, 1.4, 2.2, 3.3, 4.1, 5.2)
LOW, HIGH = 0.0, 6.0
_POINTS = 121


def controls(subject: Subject | None) -> tuple[Control, ...]:
    """Query, width and keys of the regression; of a model, which of a head's rows."""
    own: tuple[Control, ...] = (
        Slider("query", LOW, HIGH, 2.8),
        Slider("width", 0.05, 3.0, 0.4, log=True),
        *(Slider(f"key{n + 1}", LOW, HIGH, key, dragged=True) for n, key in enumerate(KEYS)),
    )
    if subject is None:
        return (Choice("of", ("regression",), "regression"), *own)
    head = Place("head", tuple(str(n + 1) for n in range(subject.heads)), subject.head)
    layers = tuple(str(n + 1) for n in range(subject.layers[subject.kind]))
    return (
        Choice("of", ("regression", "head"), "regression"),
        *own,
        Place("layer", layers, subject.layer),
        head,
        Place("row", subject.queries, subject.query, pieces=True),
    )


def value_at(key: Doubles) -> Doubles:
    """The values that the regression averages: a smooth function of the keys' places."""
    return np.asarray(2 * np.sin(key) + key**0.8)


def weights_of(query: Doubles, keys: Doubles, width: float) -> Doubles:
    """[query, key] softmax over keys of −(q − k)² / 2w²."""
    scores = -((query[:, None] - keys[None, :]) ** 2) / (2 * width * width)
    scores = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(scores / scores.sum(axis=1, keepdims=True))


def _asks(values: Values, subject: Subject | None) -> Ask | None:
    if subject is None or values["of"] != "head":
        return None
    place = int(values["layer"]), int(values["head"]), int(values["row"])
    return RowOf(subject.kind, *place), subject.reading


def numbers(values: Values, answer: RowArithmetic | None, subject: Subject | None) -> Numbers:
    """The regression, or a head's row where its arithmetic is known."""
    return _regression(values) if answer is None or subject is None else _head(answer, subject)


def _regression(values: Values) -> Numbers:
    width, query = float(values["width"]), float(values["query"])
    keys = np.array([float(values[f"key{n + 1}"]) for n in range(len(KEYS))])
    averaged = value_at(keys)
    grid = np.linspace(LOW, HIGH, _POINTS)
    weights = weights_of(np.array([query]), keys, width)[0]
    predicted = float(weights @ averaged)
    widest = weights_of(np.array([query]), keys, 1e6)[0]
    nearest = int(np.argmin(np.abs(keys - query)))
    findings = (
        Finding("prediction", predicted, bool(averaged.min() <= predicted <= averaged.max())),
        Finding(
            "largest_weight", float(weights.max()), int(weights.argmax()) == nearest, {"key": nearest + 1}
        ),
        Finding("uniform", float(widest @ averaged), None, {"weight": 1 / len(keys)}),
    )
    curve = weights_of(grid, keys, width) @ averaged
    data = {
        "of": "regression",
        "query": query,
        "keys": keys,
        "values": averaged,
        "weights": weights,
        "prediction": predicted,
        "grid": grid,
        "truth": value_at(grid),
        "curve": curve,
    }
    return Numbers(findings, data)


def _head(row: RowArithmetic, subject: Subject) -> Numbers:
    weights = row.used.astype(np.float64)
    average = weights @ row.values.astype(np.float64)
    largest = int(weights.argmax())
    findings = (
        Finding("sum", float(weights.sum()), abs(float(weights.sum()) - 1) < 1e-5),
        Finding(
            "largest_weight", float(weights.max()), largest == int(row.masked.argmax()), {"key": largest + 1}
        ),
        Finding(
            "same_output",
            float(np.abs(average - row.output).max()),
            bool(np.allclose(average, row.output, atol=1e-5)),
        ),
    )
    data = {
        "of": "head",
        "kind": str(row.kind),
        "layer": row.layer,
        "head": row.head,
        "row": row.query,
        "query": subject.queries[row.query],
        "keys": list(subject.keys),
        "q": row.q,
        "k": row.keys,
        "v": row.values,
        "scores": row.compared,
        "forbidden": row.forbidden,
        "weights": weights,
        "output": row.output,
    }
    return Numbers(findings, data)


WEIGHTED_AVERAGE = Lesson(
    "weighted_average",
    controls,
    numbers,
    _asks,
    unused=lambda values: frozenset(
        ("layer", "head", "row") if values["of"] == "regression" else ("query", "width")
    ),
    stations=lambda subject: (
        {"of": "regression", "width": 0.05},
        {"of": "regression", "width": 0.4},
        {"of": "regression", "width": 3.0},
        *(() if subject is None else ({"of": "head"},)),
    ),
)
