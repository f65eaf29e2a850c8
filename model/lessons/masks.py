"""MASKS: the padding mask and the causal mask on a real batch, and what leaks without them. No torch.

Vaswani et al. (2017): the decoder's self-attention is "modified to prevent positions from attending to
subsequent positions" (section 3.1), by setting their scores to minus infinity (section 3.2.3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from model.lessons.control import Choice, Control, Place, Text
from model.lessons.lesson import Ask, Finding, Lesson, Numbers, Subject, Values
from model.questions.answers import Flags
from model.questions.questions import Question
from model.trace.trace import AttentionKind, Floats

SAME = 1e-4
"""Natural logs that differ by less are one computation rounded in another order."""
SEEN = 1e-3
"""A probability that changes by more is changed to the eye."""
LEAK = 1e-6
"""What may be left where nothing may change."""
TEXTS = ("1", "2", "3")


@dataclass(frozen=True)
class PaddingOf(Question, answered_by="model.lessons.answers.masks:padding_of"):
    """A batch of the reading's sentence and two other texts, with and without padding mask; by `Padded`.

    Attributes:
        texts: the second and the third; an empty one is the first half, or quarter, of the sentence.
        text: whose translation is looked at, from 0.
        layer, head: of cross-attention.
    """

    texts: tuple[str, str]
    text: int
    layer: int
    head: int


@dataclass(frozen=True)
class CausalOf(Question, answered_by="model.lessons.answers.masks:causal_of"):
    """The reading's translation, read with and without causal mask; answered by `Causal`.

    Attributes:
        layer, head: of the decoder's self-attention.
        future: which token that the decoder reads is changed, from 0.
    """

    layer: int
    head: int
    future: int


@dataclass(frozen=True, eq=False)
class WithAndWithout:
    """A translation of T tokens computed with a mask and without it, teacher forced.

    Attributes:
        read, out: raw pieces that the decoder reads, and that are produced.
        keys: what the map's columns are.
        masked, unmasked: [T] natural log probability of each token of `out`.
        largest: [T] largest change of a probability of any next token at each step.
        masked_map, unmasked_map: [T, K] weights of the head; forbidden: [T, K] what the mask hides.
    """

    read: tuple[str, ...]
    out: tuple[str, ...]
    keys: tuple[str, ...]
    masked: Floats
    unmasked: Floats
    largest: Floats
    masked_map: Floats
    unmasked_map: Floats
    forbidden: Flags


@dataclass(frozen=True, eq=False)
class Padded:
    """Answer to `PaddingOf`.

    Attributes:
        pieces: of each text, padding included. real: [3, S] False for padding.
        alone: [T] log probabilities of the text by itself, without padding.
    """

    both: WithAndWithout
    pieces: tuple[tuple[str, ...], ...]
    real: Flags
    alone: Floats


@dataclass(frozen=True, eq=False)
class Causal:
    """Answer to `CausalOf`.

    Attributes:
        put: raw piece that was read in place of the changed one.
        masked_change, unmasked_change: [T] largest change of a probability of any next token at each step.
    """

    both: WithAndWithout
    put: str
    masked_change: Floats
    unmasked_change: Floats


def controls(subject: Subject | None) -> tuple[Control, ...]:
    """Which mask is forgotten; of padding the other texts, of the future which token."""
    forgotten = Choice("forgotten", ("padding", "causal"), "padding")
    if subject is None or not subject.out:
        return (forgotten,)
    cross = subject.layers.get(AttentionKind.CROSS, 1)
    last = len(subject.read) - 1
    return (
        forgotten,
        Text("second", ""),
        Text("third", ""),
        Place("text", TEXTS, 1),
        Place("layer", tuple(str(n + 1) for n in range(cross)), min(subject.layer, cross - 1)),
        Place("head", tuple(str(n + 1) for n in range(subject.heads)), subject.head),
        Place("row", subject.read, min(1, last), pieces=True),
        Place("future", subject.read, last, pieces=True),
    )


def beginning(text: str, share: float) -> str:
    """The first words of a text, about a share of them; of one without spaces the first characters."""
    words = text.split()
    if len(words) > 1:
        return " ".join(words[: max(1, round(share * len(words)))])
    return text.strip()[: max(1, round(share * len(text.strip())))]


def _asks(values: Values, subject: Subject | None) -> Ask | None:
    if subject is None or not subject.out:
        return None
    layer, head = int(values["layer"]), int(values["head"])
    if values["forgotten"] == "causal":
        return CausalOf(layer, head, int(values["future"])), subject.reading
    texts = str(values["second"]).strip(), str(values["third"]).strip()
    return PaddingOf(texts, int(values["text"]), layer, head), subject.reading


def numbers(values: Values, answer: Padded | Causal | None, subject: Subject | None) -> Numbers:
    """What changes without the mask."""
    assert answer is not None
    assert subject is not None
    kind = AttentionKind.CROSS if isinstance(answer, Padded) else AttentionKind.DECODER_SELF
    data = {
        **vars(answer.both),
        "forgotten": values["forgotten"],
        "layer": int(values["layer"]),
        "layers": subject.layers.get(kind, 1),
        "head": int(values["head"]),
        "heads": subject.heads,
        "altered": bool(subject.reading.alterations),
    }
    if isinstance(answer, Padded):
        return _padding(answer, int(values["text"]), data)
    return _causal(answer, int(values["row"]), int(values["future"]), data)


def _padding(answer: Padded, text: int, data: dict[str, Any]) -> Numbers:
    both = answer.both
    apart = float(np.abs(both.masked - answer.alone).max())
    padding = int((~answer.real[text]).sum())
    on_padding = float(both.unmasked_map[:, ~answer.real[text]].sum(axis=1).mean())
    about: dict[str, object] = {"text": text + 1, "padding": padding}
    findings = (
        Finding("alone", apart, apart < SAME, about),
        _changed(both, bool(padding), about),
        Finding("on_padding", on_padding, None, about),
        _total(both),
    )
    more = {"text": text, "pieces": answer.pieces, "real": answer.real, "alone": answer.alone}
    return Numbers(findings, {**data, **more})


def _causal(answer: Causal, row: int, future: int, data: dict[str, Any]) -> Numbers:
    both = answer.both
    later = float(both.unmasked_map[row, row + 1 :].sum())
    findings = [
        _changed(both, len(both.read) > 1, {}),
        _total(both),
        Finding("on_future", later, None, {"row": row + 1, "token": both.read[row]}),
    ]
    # Step i reads the tokens 0 to i: those before the changed one may not know of it.
    if future:
        about = {"token": both.read[future], "put": answer.put, "count": future}
        with_mask = float(answer.masked_change[:future].max())
        without = float(answer.unmasked_change[:future].max())
        findings += [
            Finding("earlier", with_mask, with_mask <= LEAK, about),
            Finding("earlier_leak", without, without > LEAK, about),
        ]
    more = {
        "row": row,
        "future": future,
        "put": answer.put,
        "masked_change": answer.masked_change,
        "unmasked_change": answer.unmasked_change,
    }
    return Numbers(tuple(findings), {**data, **more})


def _changed(both: WithAndWithout, hides: bool, about: dict[str, object]) -> Finding:
    """The largest change of a probability; there is one where the mask hides anything."""
    step = int(both.largest.argmax())
    largest = float(both.largest[step])
    found = {
        **about,
        "step": step + 1,
        "token": both.out[step],
        "with": float(np.exp(both.masked[step])),
        "without": float(np.exp(both.unmasked[step])),
    }
    return Finding("changed" if hides else "unchanged", largest, (largest > SEEN) is hides, found)


def _total(both: WithAndWithout) -> Finding:
    return Finding("total", float(both.unmasked.sum()), None, {"with": float(both.masked.sum())})


MASKS = Lesson(
    "masks",
    controls,
    numbers,
    _asks,
    needs_answer=True,
    unused=lambda values: frozenset(
        ("row", "future") if values["forgotten"] == "padding" else ("second", "third", "text")
    ),
    stations=lambda subject: (
        {"forgotten": "padding", "text": 1},
        {"forgotten": "padding", "text": 2},
        {"forgotten": "padding", "text": 0},
        {"forgotten": "causal"},
    ),
)
