"""Circuits of a head: OV, what it makes of a word that it reads, and QK, what attracts what.

Elhage et al. 2021, "A Mathematical Framework for Transformer Circuits", on the direct path of
`model.causes.direct_path`. Nothing of the size V × V is made: words meet a head as its factors.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from model.bundle.bundle import Bundle
from model.causes.direct_path import DirectPaths, HeadPath, Words, copying, together
from model.causes.words import pieces_of
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.plain import check_head
from model.inspection.reading import check_ids
from model.questions.causes.circuits import MOST, SAMPLE, Circuit, CircuitOf, Entry, ListName
from model.tokens.tokenizer import SPACE_MARK, Tokenizer
from model.trace.trace import AttentionKind

_LEAST_WORDS = 200  # that begin a word, before pieces inside words are left out


class _Side(NamedTuple):
    """Words of a list: their vectors, and who names them."""

    words: Words
    tokenizer: Tokenizer


class _Head(NamedTuple):
    """A head with the sides that it joins."""

    path: HeadPath
    read: _Side
    asking: _Side
    written: _Side


def circuit_of(question: CircuitOf, asked: Asked) -> Iterator[Circuit | None]:
    """Lists of words; yields None between parts, and last the answer.

    Raises:
        HeadscopeError: there is no such head or word; `source_cannot`.
    """
    bundle, kind = asked.bundle, question.kind
    check_model(bundle, question.model_sha256)
    a = bundle.config.architecture
    check_head(a, kind, question.layer, question.head)
    head = _head_of(bundle, question)
    word, pieces = _word(head.read.tokenizer, question.word, len(head.read.words.table))
    asker, _ = _word(head.asking.tokenizer, question.asker, len(head.asking.words.table))
    if kind is not AttentionKind.CROSS:
        asker = word if asker is None else asker
    yield None
    lists: dict[ListName, Sequence[Entry]] = {}
    sample = 0
    if word is None and asker is None:
        lists, sample = _pairs(head, question.most)
    if word is not None:
        lists |= _of_read(head, word, question.most)
    if asker is not None:
        lists["looks_for"] = _sought(head, asker, question.most)
    yield None
    score = yield from _copying(bundle, head.path, kind)
    yield Circuit(
        question,
        "" if word is None else head.read.tokenizer.piece(word),
        "" if asker is None else head.asking.tokenizer.piece(asker),
        pieces,
        lists,
        score,
        a.positions if kind is not AttentionKind.CROSS or a.positions in ("sinusoidal", "learned") else "",
        a.copying,
        sample,
    )


def _head_of(bundle: Bundle, question: CircuitOf) -> _Head:
    paths = DirectPaths(bundle.transformer, norms=question.norms)
    path = paths.head(question.kind, question.layer, question.head)
    source, target = bundle.source_tokenizer, bundle.target_tokenizer
    if question.kind is AttentionKind.ENCODER_SELF:
        target = source
    reads = target if question.kind is AttentionKind.DECODER_SELF else source
    return _Head(path, _Side(path.read, reads), _Side(path.asking, target), _Side(path.written, target))


def _word(tokenizer: Tokenizer, word: int | str | None, count: int) -> tuple[int | None, int]:
    """The id of a word, and how many pieces it has."""
    if word is None:
        return None, 0
    if isinstance(word, int):
        check_ids((word,), count)
        return word, 1
    ids = pieces_of(tokenizer, word, first=False)
    return ids[0], len(ids)


@torch.inference_mode()
def _of_read(head: _Head, word: int, most: int) -> dict[ListName, Sequence[Entry]]:
    """What is written for having read a word, and which words look for it."""
    path = head.path
    vector = path.read.of(word)
    written = path.written.above(vector @ path.values @ path.output)
    best = _best(head.written, written, most)
    worst = _best(head.written, -written, most)
    # A query's weights tell keys apart: a key counts by what it has above the mean key.
    above = (vector - path.read.mean()) @ path.keys
    sought = path.asking.times(path.queries @ above) / math.sqrt(path.keys.shape[1])
    piece = head.read.tokenizer.piece(word)
    return {
        "promotes": _entries(word, piece, head.written.tokenizer, best, written),
        "suppresses": _entries(word, piece, head.written.tokenizer, worst, written),
        "sought_by": [
            Entry(other, head.asking.tokenizer.piece(other), word, piece, float(sought[other]))
            for other in _best(head.asking, sought, most)
        ],
    }


@torch.inference_mode()
def _sought(head: _Head, asker: int, most: int) -> Sequence[Entry]:
    """What a word that asks looks for."""
    path = head.path
    scores = path.read.above(path.keys @ (path.asking.of(asker) @ path.queries))
    scores = scores / math.sqrt(path.keys.shape[1])
    piece = head.asking.tokenizer.piece(asker)
    return _entries(asker, piece, head.read.tokenizer, _best(head.read, scores, most), scores)


@torch.inference_mode()
def _pairs(head: _Head, most: int) -> tuple[dict[ListName, Sequence[Entry]], int]:
    """Pairs of frequent words with the largest numbers."""
    path = head.path
    read, asking, written = (frequent(side) for side in (head.read, head.asking, head.written))
    vectors = _rows(path.read, read)
    own = _rows(path.written, written) - path.written.mean()
    values = (vectors @ path.values) @ (own @ path.output.T).T
    keys = (vectors - path.read.mean()) @ path.keys
    scores = (_rows(path.asking, asking) @ path.queries) @ keys.T / math.sqrt(path.keys.shape[1])
    lists: dict[ListName, Sequence[Entry]] = {
        "promotes": _top(values, head.read, read, head.written, written, most),
        "suppresses": _top(values, head.read, read, head.written, written, most, least=True),
        "attracts": _top(scores, head.asking, asking, head.read, read, most),
    }
    return lists, len(read)


def _copying(bundle: Bundle, path: HeadPath, kind: AttentionKind) -> Generator[None, None, float | None]:
    if kind is AttentionKind.CROSS and not same_words(bundle):
        return None
    products = yield from together(path.read.table, path.written.table)
    score = copying(path, products)
    return None if math.isnan(score) else score


def check_model(bundle: Bundle, sha256: str) -> None:
    """Raise `HeadscopeError` where another model is asked than was meant; an empty hash means any."""
    if sha256 not in ("", bundle.sha256):
        raise HeadscopeError("two_sentences_model")


def same_words(bundle: Bundle) -> bool:
    """Whether source and target have one vocabulary."""
    return bundle.source_tokenizer is bundle.target_tokenizer


def frequent(side: _Side) -> list[int]:
    """Ids of the first `SAMPLE` words of a vocabulary: pieces with a letter that begin a word, if many do."""
    tokenizer = side.tokenizer
    letters = [
        token
        for token in range(len(side.words.table))
        if not tokenizer.is_special(token) and not tokenizer.is_byte(token)
        if any(letter.isalpha() for letter in tokenizer.piece(token))
    ]
    words = [token for token in letters if tokenizer.piece(token).startswith(SPACE_MARK)]
    long = [token for token in words if len(tokenizer.piece(token)) > 2]
    found = long if len(long) >= _LEAST_WORDS else letters
    return found[:SAMPLE]


def _rows(words: Words, ids: Sequence[int]) -> Tensor:
    return words.table[torch.tensor(list(ids), device=words.table.device)].double() @ words.path


def _best(side: _Side, values: Tensor, most: int) -> list[int]:
    """Ids of the largest values, of words that are written or read at all."""
    tokenizer = side.tokenizer
    order = values.argsort(descending=True, stable=True).tolist()
    found: list[int] = []
    for token in order:
        if not tokenizer.is_byte(token) and token not in (tokenizer.pad_id, tokenizer.unk_id):
            found.append(token)
        if len(found) >= min(most, MOST):
            break
    return found


def _entries(
    word: int, piece: str, tokenizer: Tokenizer, others: Sequence[int], values: Tensor
) -> list[Entry]:
    return [Entry(word, piece, other, tokenizer.piece(other), float(values[other])) for other in others]


def _top(
    values: Tensor,
    first: _Side,
    rows: Sequence[int],
    second: _Side,
    columns: Sequence[int],
    most: int,
    *,
    least: bool = False,
) -> list[Entry]:
    """The largest, or the least, of a table [rows, columns]."""
    flat = values.flatten()
    places = flat.topk(min(most, MOST, len(flat)), largest=not least).indices.tolist()
    found = []
    for place in places:
        word, other = rows[place // len(columns)], columns[place % len(columns)]
        pieces = first.tokenizer.piece(word), second.tokenizer.piece(other)
        found.append(Entry(word, pieces[0], other, pieces[1], float(flat[place])))
    return found
