"""SLIPS: what people get wrong when they write attention themselves, each on the open model. No torch.

The right way is Vaswani et al. (2017): eq. 1, section 3.2.1; masks, section 3.2.3; embeddings times √d_model,
section 3.4; positions, section 3.5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from model.lessons.control import Choice, Control, Place, Slider
from model.lessons.lesson import Ask, Finding, Lesson, Numbers, Subject, Values
from model.questions.answers import Flags
from model.questions.questions import Question
from model.trace.trace import AttentionKind, Floats

SLIPS_KNOWN = ("divided", "zero", "hundred", "axis", "embedding", "padding", "positions")
"""Scaling after the softmax; masked scores 0, or −100; softmax over queries; embeddings not times √d_model;
no padding mask; positions added twice."""
SEEN = 1e-3
"""A probability that changes by more is changed to the eye."""
ONE = 1e-3
"""How far a row's sum may be from 1."""
NOTHING = 1e-6
"""A weight that is nothing."""
MOST_PADDING = 20


@dataclass(frozen=True)
class SlipOf(Question, answered_by="model.lessons.answers.slips:slip_of"):
    """A source translated with a slip, and as it should be; answered by `Slipped`.

    Attributes:
        slip: one of `SLIPS_KNOWN`.
        padding: tokens of padding behind the source.
        kind, layer, head: whose map is shown.
    """

    slip: str
    padding: int
    kind: AttentionKind
    layer: int
    head: int


@dataclass(frozen=True, eq=False)
class Slipped:
    """The right way and the wrong one.

    Attributes:
        read, out: raw pieces that the decoder reads and produces, greedily, the right way.
        wrong_out: what it produces the wrong way, so far; `ended`: all of it.
        queries, keys: of the map; rows of padding are left out.
        right, wrong: [T] natural log probability of each token of `out`, which both ways are made to read.
        largest: [T] largest change of a probability of any next token at each step.
        right_map, wrong_map: [Q, K] weights of the head, read so. forbidden: [Q, K].
        hidden_weight: largest weight that any head gives the wrong way to what is to be masked.
        width: d_k, the width of a head. padding: tokens behind the source, as far as the model has positions.
        applies: whether the model does at all what is left out or doubled.
    """

    read: tuple[str, ...]
    out: tuple[str, ...]
    wrong_out: tuple[str, ...]
    ended: bool
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    right: Floats
    wrong: Floats
    largest: Floats
    right_map: Floats
    wrong_map: Floats
    forbidden: Flags
    hidden_weight: float
    width: int
    padding: int
    applies: bool


def controls(subject: Subject | None) -> tuple[Control, ...]:
    """The slip, how much padding there is, and whose map is shown."""
    own = (Choice("slip", SLIPS_KNOWN, "divided"), Slider("padding", 0, MOST_PADDING, 6, whole=True))
    if subject is None or not subject.out:
        return own
    layers = subject.layers[subject.kind]
    return (
        *own,
        Place("layer", tuple(str(n + 1) for n in range(layers)), min(subject.layer, layers - 1)),
        Place("head", tuple(str(n + 1) for n in range(subject.heads)), subject.head),
    )


def _asks(values: Values, subject: Subject | None) -> Ask | None:
    if subject is None or not subject.out:
        return None
    place = int(values["layer"]), int(values["head"])
    return SlipOf(str(values["slip"]), int(values["padding"]), subject.kind, *place), subject.reading


def numbers(values: Values, answer: Slipped | None, subject: Subject | None) -> Numbers:
    """Where the translations part, what a probability changes by, and what the wrong map's rows sum to."""
    assert answer is not None
    assert subject is not None
    slip, padding = str(values["slip"]), answer.padding
    sums = answer.wrong_map.astype(np.float64).sum(axis=1)
    findings = [
        Finding("slip", slip, None, {"width": answer.width, "padding": padding}),
        _parting(answer),
        _change(answer, slip, _expected(answer, slip, padding)),
    ]
    if slip in ("divided", "axis"):
        apart = bool(np.abs(sums - 1).max() > ONE)
        findings.append(Finding("row_sums", float(sums.min()), apart, {"most": float(sums.max())}))
    if slip in ("zero", "hundred", "axis", "padding"):
        weight = answer.hidden_weight
        holds: Mapping[str, bool] = {"zero": weight > NOTHING, "hundred": weight <= NOTHING}
        findings.append(Finding("hidden_weight", weight, holds.get(slip)))
    data = {
        **vars(answer),
        "slip": slip,
        "kind": str(subject.kind),
        "layer": int(values["layer"]),
        "layers": subject.layers[subject.kind],
        "head": int(values["head"]),
        "heads": subject.heads,
        "row_sums": sums,
        "parting": _parted(answer),
        "altered": bool(subject.reading.alterations),
    }
    return Numbers(tuple(findings), data)


def _expected(answer: Slipped, slip: str, padding: int) -> bool:
    """Whether the slip is expected to show in the probabilities."""
    return {
        "hundred": False,
        "zero": padding > 0 or len(answer.out) > 1,
        "padding": padding > 0,
    }.get(slip, answer.applies)


def _parted(answer: Slipped) -> int | None:
    """The first step, from 0, where the translations differ."""
    shorter = min(len(answer.out), len(answer.wrong_out))
    for step in range(shorter):
        if answer.out[step] != answer.wrong_out[step]:
            return step
    return shorter if answer.ended and len(answer.out) != len(answer.wrong_out) else None


def _parting(answer: Slipped) -> Finding:
    step = _parted(answer)
    if step is None:
        return Finding("same" if answer.ended else "same_so_far", len(answer.wrong_out))
    right, wrong = (found[step] if step < len(found) else "" for found in (answer.out, answer.wrong_out))
    return Finding("parts", step + 1, None, {"right": right, "wrong": wrong})


def _change(answer: Slipped, slip: str, expected: bool) -> Finding:
    step = int(answer.largest.argmax())
    largest = float(answer.largest[step])
    seen = largest > SEEN
    about = {
        "step": step + 1,
        "token": answer.out[step],
        "right": float(np.exp(answer.right[step])),
        "wrong": float(np.exp(answer.wrong[step])),
        "slip": slip,
    }
    return Finding("changed" if seen else "unchanged", largest, seen is expected, about)


SLIPS = Lesson(
    "slips",
    controls,
    numbers,
    _asks,
    needs_answer=True,
    stations=lambda subject: tuple({"slip": slip} for slip in SLIPS_KNOWN),
)
