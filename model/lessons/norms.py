"""NORMS: LayerNorm and BatchNorm of a small batch of sentences of several lengths, by hand. No torch.

LayerNorm (Ba et al. 2016, arXiv 1607.06450) averages over the features of one word, BatchNorm (Ioffe and
Szegedy 2015, arXiv 1502.03167) over the words of the whole batch, feature by feature; both with γ = 1, β = 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from model.lessons.control import Control, Place, Slider, Switch
from model.lessons.lesson import Finding, Lesson, Numbers, Subject, Values

Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
EPSILON = 1e-5
MOST = 10.0
SENTENCES = ("A", "B", "C")
LENGTHS = (3, 2, 1)
LONGEST = max(LENGTHS)
_WORDS = (  # [word, feature], the words of A, then of B, then of C
    (1.0, 2.0, 4.0, -1.0),
    (0.0, 3.0, 2.0, 1.0),
    (2.0, -1.0, 1.0, 4.0),
    (2.0, 0.0, -2.0, 1.0),
    (-1.0, 1.0, 3.0, 2.0),
    (3.0, 1.0, 0.0, 2.0),
)
FEATURES = len(_WORDS[0])
_STEPS = 81


def real() -> Flags:
    """[sentence × place] where there is a word; elsewhere there is padding."""
    return np.concatenate([np.arange(LONGEST) < length for length in LENGTHS])


def names() -> tuple[str, ...]:
    """Of every place of the batch; padding in brackets."""
    all_ = [f"{sentence}{place + 1}" for sentence in SENTENCES for place in range(LONGEST)]
    return tuple(name if word else f"({name})" for name, word in zip(all_, real(), strict=True))


def batch(changed: int = 0, add: float = 0.0) -> Doubles:
    """[sentence × place, feature], padding zeros; `add` on all values of the words of a sentence."""
    values = np.zeros((len(SENTENCES) * LONGEST, FEATURES))
    values[real()] = _WORDS
    values[real() & (sentence_of() == changed)] += add
    return values


def sentence_of() -> npt.NDArray[np.int64]:
    """[sentence × place] which sentence each place belongs to."""
    return np.repeat(np.arange(len(SENTENCES)), LONGEST)


def layer_norm(values: Doubles) -> Doubles:
    """Each word by mean and variance of its own features."""
    return _normalised(values, values, axis=1)


def batch_norm(values: Doubles, counted: Flags) -> Doubles:
    """Each feature by its mean and variance over the places that are counted, as in training."""
    return _normalised(values, values[counted], axis=0)


def _normalised(values: Doubles, over: Doubles, axis: int) -> Doubles:
    mean, variance = over.mean(axis=axis, keepdims=True), over.var(axis=axis, keepdims=True)
    return np.asarray((values - mean) / np.sqrt(variance + EPSILON))


def controls(subject: Subject | None) -> tuple[Control, ...]:
    """Which cell is looked at, which sentence is changed and by what, whether padding counts."""
    return (
        Place("token", names(), 1),
        Place("feature", tuple(str(n + 1) for n in range(FEATURES))),
        Place("changed", SENTENCES, 2),
        Slider("add", -MOST, MOST, 4.0),
        Switch("padding"),
    )


def numbers(values: Values, answer: None, subject: Subject | None) -> Numbers:
    """Both norms of the batch, and what a change of one sentence does to another."""
    words, feature, changed = real(), int(values["feature"]), int(values["changed"])
    sentence, place = divmod(int(values["token"]), LONGEST)
    token = sentence * LONGEST + min(place, LENGTHS[sentence] - 1)  # padding: the last word before it
    counted = np.ones_like(words) if values["padding"] else words
    add = float(values["add"])
    x = batch(changed, add)
    normed = np.stack([layer_norm(x), batch_norm(x, counted)])
    own = words & (sentence_of() == sentence)
    steps = np.linspace(-MOST, MOST, _STEPS)
    moved = np.stack([_moved(changed, step, own, counted) for step in steps], axis=1)
    by_layer, by_batch = (float(one) for one in _moved(changed, add, own, counted))
    apart = float(np.abs(batch_norm(x, np.ones_like(words)) - batch_norm(x, words))[own].max())
    averaged = np.zeros((2, *x.shape), np.bool_)
    averaged[0, token] = True
    averaged[1, counted, feature] = True
    told = {"sentence": SENTENCES[sentence], "changed": SENTENCES[changed], "add": add}
    findings = (
        *(_cell(name, x, normed[at], averaged[at], token, feature) for at, name in enumerate(_CELLS)),
        Finding("mate", by_batch, _only_batch(add, by_layer, by_batch), {"layer": by_layer, **told})
        if changed != sentence
        else Finding("self", by_batch, None, {"layer": by_layer, **told}),
        Finding("padding", apart, apart > 0, {"sentence": SENTENCES[sentence]}),
    )
    data = {
        "names": list(names()),
        "real": words,
        "x": x,
        "normed": normed,
        "averaged": averaged,
        "token": token,
        "feature": feature,
        "add": add,
        "sentence": SENTENCES[sentence],
        "changed": SENTENCES[changed],
        "steps": steps,
        "moved": moved,
        "at": np.array([by_layer, by_batch]),
    }
    return Numbers(findings, data)


_CELLS = ("layer", "batch")


def _cell(name: str, x: Doubles, normed: Doubles, averaged: Flags, token: int, feature: int) -> Finding:
    """One cell worked out: value, mean and variance of what is averaged, result."""
    over = x[averaged]
    mean, variance = float(over.mean()), float(over.var())
    by_hand = (float(x[token, feature]) - mean) / float(np.sqrt(variance + EPSILON))
    result = float(normed[token, feature])
    about = {"x": float(x[token, feature]), "mean": mean, "variance": variance, "count": over.size}
    return Finding(name, result, abs(by_hand - result) < 1e-9, about)


def _moved(changed: int, add: float, own: Flags, counted: Flags) -> Doubles:
    """[2] largest change of a sentence under LayerNorm and BatchNorm when `add` is added to another."""
    before, after = batch(), batch(changed, add)
    layer = np.abs(layer_norm(after) - layer_norm(before))[own].max()
    across = np.abs(batch_norm(after, counted) - batch_norm(before, counted))[own].max()
    return np.array([layer, across])


def _only_batch(add: float, by_layer: float, by_batch: float) -> bool | None:
    return None if add == 0 else by_layer == 0 and by_batch > 0


NORMS = Lesson(
    "norms",
    controls,
    numbers,
    stations=lambda subject: (
        {"token": 1, "changed": 2, "add": 0.0, "padding": False},
        {"add": 4.0},
        {"add": MOST},
        {"padding": True},
    ),
)
