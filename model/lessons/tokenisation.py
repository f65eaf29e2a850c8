"""TOKENISATION: how a text is cut into pieces, by the open model and by small vocabularies. No torch.

Kudo 2018 (arXiv 1804.10959): of all ways through the lattice of pieces the most probable one. Sennrich et al.
2016 (arXiv 1508.07909): merge after merge. Kudo and Richardson 2018 (arXiv 1808.06226): SentencePiece, with
bytes for characters that have no piece.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from model.lessons.control import Choice, Control, Slider, Text
from model.lessons.lesson import Ask, Finding, Lesson, Numbers, Subject, Values
from model.questions.questions import Question
from model.tokens.lattice import Arc, best_cuts, inside, log_total, stretches
from model.tokens.merging import Merge, spans_after
from model.trace.trace import Ids

Doubles = npt.NDArray[np.float64]
DEFAULT_TEXT = "The unbelievable readers were singing carelessly \U0001f600."
SMALLEST, LARGEST = 50, 900
"""Pieces of a small vocabulary, bytes and specials apart."""
_WIDEST = 22
"""Characters of a stretch that is drawn."""
_CUTS = 6


@dataclass(frozen=True)
class CutByModel(Question, answered_by="model.lessons.answers.tokenisation:cut_by_model"):
    """A text as the open model cuts it; answered by `Cuts`.

    Attributes:
        beside: pieces of the small vocabulary beside it.
    """

    urgency = "interactive"

    text: str
    beside: int


@dataclass(frozen=True)
class CutBySmall(Question, answered_by="model.lessons.answers.tokenisation:cut_by_small"):
    """A text as a vocabulary cuts it that is learned from a short story; answered by `Cuts`.

    Attributes:
        method: `unigram` or `bpe`.
        size, beside: pieces, bytes and specials apart, of the vocabulary and of the one beside it.
    """

    urgency = "interactive"
    needs_model = False

    text: str
    method: str
    size: int
    beside: int


@dataclass(frozen=True, eq=False)
class OneCut:
    """A text cut by one vocabulary.

    Attributes:
        method: `unigram`, `bpe`, `word` or `char`.
        size: its pieces, bytes and specials apart.
        pieces: raw, as SentencePiece gives them; spans: int64 [n, 2], the characters that each is of.
        spelled: the characters that have no piece.
    """

    method: str
    size: int
    pieces: tuple[str, ...]
    spans: Ids
    spelled: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Cuts:
    """A text cut by two vocabularies, and by more of them in number.

    Attributes:
        text: normalised, U+2581 for each space.
        own, beside: the cuts.
        joined: the vocabulary has pieces that span words.
        arcs: of a unigram vocabulary the lattice, else none; merges: of BPE in order, else none.
        score, second: log probability of the best cut and of the second best; NaN where there is none.
        same: the best cut, or that after all merges, is SentencePiece's own.
        learned: merges that were learned, of BPE.
        sizes, ratios: [n] of small vocabularies, and how many pieces they cut a word into on average.
        words: what the ratios are of: words, or where there are no spaces characters (`spaced` is false).
        story: the language of the story that small vocabularies are learned from, and its characters.
    """

    text: str
    own: OneCut
    beside: OneCut
    joined: bool
    arcs: tuple[Arc, ...]
    merges: tuple[Merge, ...]
    score: float
    second: float
    same: bool
    sizes: Ids
    ratios: Doubles
    words: int
    spaced: bool
    story: str
    story_characters: int


def controls(subject: Subject | None) -> tuple[Control, ...]:
    """Whose pieces, of which text (empty: the sentence in hand), how far from the result, which piece."""
    of = ("small",) if subject is None else ("model", "small")
    return (
        Choice("of", of, of[0]),
        Text("text", ""),
        Choice("method", ("unigram", "bpe"), "unigram"),
        Slider("size", SMALLEST, LARGEST, 200, whole=True, log=True),
        Slider("beside", SMALLEST, LARGEST, 70, whole=True, log=True),
        Slider("back", 0, 20, 0, whole=True),
        Slider("piece", -1, 2000, -1, whole=True, dragged=True),
    )


def _asks(values: Values, subject: Subject | None) -> Ask:
    typed = str(values["text"])
    own = "" if subject is None else subject.reading.text
    text, beside = typed or own or DEFAULT_TEXT, int(values["beside"])
    if subject is not None and values["of"] == "model":
        return CutByModel(text, beside), subject.reading
    return CutBySmall(text, str(values["method"]), int(values["size"]), beside), None


def numbers(values: Values, answer: Cuts | None, subject: Subject | None) -> Numbers:
    """The cuts, and the stretch in view."""
    assert answer is not None
    start, end = stretch_in_view(answer, int(values["piece"]))
    back = int(values["back"])
    view = _lattice(answer, start, end, back) if answer.arcs else _merging(answer, start, end, back)
    own, beside = answer.own, answer.beside
    ratio, ratio_beside = (len(one.pieces) / answer.words for one in (own, beside))
    grown, alike = own.size >= beside.size, own.method == beside.method
    findings = [
        Finding(
            "sizes",
            ratio,
            ((ratio <= ratio_beside) if grown else (ratio >= ratio_beside)) if alike else None,
            {"size": own.size, "beside": ratio_beside, "size_beside": beside.size, "spaced": answer.spaced},
        ),
        Finding("spelled", len(own.spelled), None, {"characters": " ".join(own.spelled)}),
    ]
    if answer.arcs:
        score = Finding("score", answer.score, answer.same, {"pieces": len(own.pieces)})
        gap = answer.score - answer.second
        second = Finding("second", answer.second, None, {"less": gap, "times": math.exp(min(gap, 700.0))})
        findings[:0] = [score, second] if math.isfinite(gap) else [score]
    elif own.method == "bpe":
        about = {"pieces": len(own.pieces), "characters": len(answer.text)}
        findings.insert(0, Finding("merges", len(answer.merges), answer.same, about))
    data = {
        "of": values["of"],
        "text": answer.text,
        "method": own.method,
        "size": own.size,
        "pieces": list(own.pieces),
        "spans": own.spans,
        "beside_size": beside.size,
        "beside_method": beside.method,
        "beside_pieces": list(beside.pieces),
        "view": [start, end],
        "sizes": answer.sizes,
        "ratios": answer.ratios,
        "own_ratio": ratio,
        "beside_ratio": ratio_beside,
        "words": answer.words,
        "spaced": answer.spaced,
        "story": answer.story,
        "story_characters": answer.story_characters,
        "back": back,
        **view,
    }
    return Numbers(tuple(findings), data)


def stretch_in_view(answer: Cuts, piece: int) -> tuple[int, int]:
    """The word that a piece is in, or where that is long the pieces around it; below 0 the longest one.

    Begins and ends with pieces of the cut.
    """
    spans = answer.own.spans
    words = stretches(answer.text, answer.joined)
    if 0 <= piece < len(spans):
        at = int(spans[piece, 0])
    else:
        at = max(words, key=lambda word: word[1] - word[0])[0]
    start, end = next(word for word in words if word[0] <= at < word[1])
    if end - start <= _WIDEST:
        return start, end
    first = max((int(a) for a in spans[:, 0] if start <= a <= max(start, at - _WIDEST // 3)), default=start)
    last = max((int(b) for b in spans[:, 1] if first < b <= min(end, first + _WIDEST)), default=end)
    return first, last


def _lattice(answer: Cuts, start: int, end: int, back: int) -> dict[str, Any]:
    arcs = inside(answer.arcs, start, end)
    cuts = best_cuts(arcs, start, end, max(_CUTS, back + 1))
    total = log_total(arcs, start, end)
    back = min(back, len(cuts) - 1)
    return {
        "arcs": [
            {"start": arc.start, "end": arc.end, "piece": arc.piece, "score": arc.score, "known": arc.known}
            for arc in arcs
        ],
        "lit": [[arc.start, arc.end] for arc in cuts[back].arcs],
        "cuts": [[arc.piece for arc in cut.arcs] for cut in cuts],
        "scores": np.array([cut.score for cut in cuts]),
        "shares": np.exp(np.array([cut.score for cut in cuts]) - total),
        "back": back,
    }


def _merging(answer: Cuts, start: int, end: int, back: int) -> dict[str, Any]:
    merges = [one for one in answer.merges if start <= one.start and one.end <= end]
    back = min(back, len(merges))
    done = len(merges) - back
    lit = spans_after(start, end, merges[:done]) if answer.own.method == "bpe" else answer.own.spans.tolist()
    return {
        "merges": [
            {
                "start": one.start,
                "end": one.end,
                "left": answer.text[one.start : one.middle],
                "right": answer.text[one.middle : one.end],
                "learned": 1 - round(one.score),
                "done": place < done,
            }
            for place, one in enumerate(merges)
        ],
        "lit": [[a, b] for a, b in lit if start <= a and b <= end],
        "back": back,
    }


TOKENISATION = Lesson(
    "tokenisation",
    controls,
    numbers,
    _asks,
    needs_answer=True,
    unused=lambda values: frozenset(("method", "size") if values["of"] == "model" else ()),
    stations=lambda subject: (
        {"of": "small", "method": "unigram", "size": 200, "text": DEFAULT_TEXT, "back": 0},
        {"back": 1},
        {"back": 0, "size": SMALLEST},
        {"size": 400, "method": "bpe", "back": 5},
        {"back": 0},
        *(() if subject is None else ({"of": "model"},)),
    ),
)
