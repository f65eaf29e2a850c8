"""cut_by_model, cut_by_small: a text cut into pieces, with the lattice or the merges by which it was cut."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.lessons.story import CHINESE, ENGLISH
from model.lessons.tokenisation import (
    LARGEST,
    SMALLEST,
    CutByModel,
    CutBySmall,
    Cuts,
    OneCut,
)
from model.read_only import read_only
from model.tokens.lattice import Arc, arcs_of, best_cuts
from model.tokens.merging import Merge, merges_of, spans_after
from model.tokens.spm import CutBySpm, SpmModel
from model.tokens.tokenizer_training import train_tokenizer
from model.tokens.words import SPACE_MARK, has_unspaced
from model.trace.trace import Ids

_APART = 260  # specials and bytes of a vocabulary of ours
_CURVE = 12
_STORIES = {"en": ENGLISH, "zh": CHINESE}

Span = tuple[int, int]


def cut_by_model(question: CutByModel, asked: Asked) -> Iterator[Cuts | None]:
    """A text as the open model's source tokenizer cuts it.

    Raises:
        HeadscopeError: `empty_text`; `lesson_other_pieces`: no SentencePiece model cuts the model's texts.
    """
    tokenizer = asked.model.source_tokenizer
    if not isinstance(tokenizer, CutBySpm):
        raise HeadscopeError("lesson_other_pieces", name=asked.model.name)
    spm = tokenizer.spm
    method = spm.file.method if spm.file.method in ("unigram", "bpe") else "unigram"
    yield from _cuts(question.text, spm, method, question.beside)


def cut_by_small(question: CutBySmall, asked: Asked) -> Iterator[Cuts | None]:
    """A text as a vocabulary cuts it that is learned from a short story in its language.

    Raises:
        HeadscopeError: `empty_text`.
    """
    spm = small_vocabulary(_language(question.text), question.method, question.size)
    yield from _cuts(question.text, spm, question.method, question.beside)


def _language(text: str) -> str:
    """That of the story which a text is more like: Chinese if most of its characters need no spaces."""
    characters = [character for character in text if not character.isspace()]
    return "zh" if 2 * sum(map(has_unspaced, characters)) > len(characters) else "en"


def _cuts(text: str, spm: SpmModel, method: str, beside: int) -> Iterator[Cuts | None]:
    if not text.strip():
        raise HeadscopeError("empty_text")
    language = _language(text)
    own = _CutText(text, spm)
    other = _CutText(text, small_vocabulary(language, method, beside))
    yield None
    spaced = language == "en"
    words = len(text.split()) if spaced else sum(not character.isspace() for character in text)
    sizes, ratios = [], []
    for size in np.geomspace(SMALLEST, LARGEST, _CURVE).round().astype(int):
        small = small_vocabulary(language, method, int(size))
        ratios.append(len(small.processor.EncodeAsPieces(text)) / words)
        sizes.append(len(small.scores))
        yield None
    kept = np.unique(sizes, return_index=True)[1]
    yield Cuts(
        text=own.text,
        own=own.cut,
        beside=other.cut,
        joined=any(SPACE_MARK in piece[1:] for piece in spm.scores),
        arcs=tuple(own.arcs),
        merges=tuple(own.merges),
        score=own.scores[0],
        second=own.scores[1],
        same=own.same,
        sizes=read_only(np.array(sizes, np.int64)[kept]),
        ratios=read_only(np.array(ratios, np.float64)[kept]),
        words=words,
        spaced=spaced,
        story=language,
        story_characters=len(_STORIES[language]),
    )


@lru_cache(maxsize=64)
def small_vocabulary(language: str, method: str, size: int) -> SpmModel:
    """A vocabulary of a story, of so many pieces, or the nearest number that the story has pieces for."""
    story = _STORIES[language]
    least = len(set(story) - {"\n"}) + 1
    data = train_tokenizer(
        story.splitlines(),
        vocab_size=_APART + max(size, least),
        model_type="bpe" if method == "bpe" else "unigram",
        dummy_prefix=language == "en",
        character_coverage=1.0,
    )
    return SpmModel.from_bytes(data)


class _CutText:
    """A text and its cut.

    Attributes:
        text: normalised.
        cut: as SentencePiece gives it.
        arcs, merges: see `Cuts`.
        scores: of the best cut and of the second best, NaN where there is none.
        same: whether our own search has found SentencePiece's cut.
    """

    def __init__(self, text: str, spm: SpmModel) -> None:
        self.text: str = spm.processor.Normalize(text)
        self.arcs: list[Arc] = []
        self.merges: list[Merge] = []
        self.scores = (math.nan, math.nan)
        given: list[str] = spm.processor.EncodeAsPieces(text)
        end, method = len(self.text), spm.file.method
        spans: Sequence[Span] = ()
        if method == "unigram":
            self.arcs = arcs_of(self.text, spm.scores)
            best, *others = best_cuts(self.arcs, 0, end, 2)
            self.scores = (best.score, others[0].score if others else math.nan)
            spans = [(arc.start, arc.end) for arc in best.arcs]
        elif method == "bpe":
            self.merges = merges_of(self.text, spm.scores)
            spans = spans_after(0, end, self.merges)
        pieces, places, spelled = _written(self.text, spans, spm)
        self.same = pieces == given
        if not self.same:  # another way of cutting: where its pieces stand follows from what they spell
            places = _places(given, self.text, spm)
        self.cut = OneCut(method, len(spm.scores), tuple(given), places, spelled)


def _written(text: str, spans: Sequence[Span], spm: SpmModel) -> tuple[list[str], Ids, tuple[str, ...]]:
    """Spans as SentencePiece writes them: what has no piece in bytes, or unknown neighbours as one."""
    pieces: list[str] = []
    places: list[Span] = []
    spelled: list[str] = []
    unknown = False
    for start, end in spans:
        piece, before = text[start:end], unknown
        unknown = piece not in spm.scores
        if not unknown:
            pieces.append(piece)
            places.append((start, end))
            continue
        spelled.append(piece)
        if spm.bytes:
            data = [f"<0x{byte:02X}>" for byte in piece.encode()]
            pieces += data
            places += [(start, end)] * len(data)
        elif before:
            pieces[-1] += piece
            places[-1] = (places[-1][0], end)
        else:
            pieces.append(piece)
            places.append((start, end))
    return pieces, _ids(places), tuple(dict.fromkeys(spelled))


def _places(pieces: Sequence[str], text: str, spm: SpmModel) -> Ids:
    """Where the pieces of a cut stand, from what they spell."""
    places: list[Span] = []
    at, pending = 0, 0
    for piece in pieces:
        if piece in spm.bytes:
            pending += 1
            whole = pending >= len(text[at : at + 1].encode())
            places.append((at, min(len(text), at + 1)))
            if whole:
                at, pending = min(len(text), at + 1), 0
        else:
            places.append((at, min(len(text), at + len(piece))))
            at = places[-1][1]
    return _ids(places)


def _ids(places: Sequence[Span]) -> Ids:
    return read_only(np.array(places, np.int64).reshape(-1, 2))
