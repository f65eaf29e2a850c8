"""Subword regularisation by BPE-dropout: other cuts of a pair, drawn anew whenever it is trained on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from random import Random

import numpy as np
from numpy.typing import NDArray

from model.data.corpus import EncodedCorpus
from model.tokens.tokenizer import SPACE_MARK, SentencePieceTokenizer


def resegmented(
    corpus: EncodedCorpus,
    batches: Sequence[NDArray[np.int64]],
    source: SentencePieceTokenizer,
    target: SentencePieceTokenizer,
    *,
    dropout: float,
    seed: int,
    max_tokens: int,
) -> tuple[EncodedCorpus, list[NDArray[np.int64]]]:
    """The pairs of some batches with every merge left out with a probability.

    A pure function of its arguments. A side that would become longer than a model may read keeps the cut it
    has.

    Args:
        corpus: where the pairs are, as they are cut without chance.
        batches: pair indices.
        source, target: what they were cut by.
        dropout: of each merge, from 0 up to 1.
        seed: of this step.
        max_tokens: as `encode_pairs` has it.

    Returns:
        A corpus of these pairs alone, and the batches as places in it.
    """
    draw = Random(seed).random
    sources, targets = [], []
    for place in map(int, np.concatenate(batches)):
        # The end token is a piece that nothing merges with.
        sources.append(_cut(source, corpus.source(place), dropout, draw, max_tokens))
        targets.append(_cut(target, corpus.target(place), dropout, draw, max_tokens - 1))
    ends = np.cumsum([len(batch) for batch in batches])
    places = np.split(np.arange(ends[-1], dtype=np.int64), ends[:-1])
    return EncodedCorpus(*_joined(sources), *_joined(targets), 0, 0), places


def _cut(
    tokenizer: SentencePieceTokenizer,
    ids: NDArray[np.int32],
    dropout: float,
    draw: Callable[[], float],
    most: int,
) -> NDArray[np.int32]:
    cut = bpe_dropout(tokenizer, ids.tolist(), dropout, draw)
    return np.array(cut, dtype=np.int32) if len(cut) <= most else ids


def bpe_dropout(
    tokenizer: SentencePieceTokenizer, ids: Sequence[int], dropout: float, draw: Callable[[], float]
) -> list[int]:
    """The ids of the same text, every merge left out with a probability whenever it could be made.

    BPE-dropout, Provilkov et al. 2020 (arXiv 1910.13267), algorithm 1. SentencePiece can do it too, but what
    it draws differs from process to process whatever its seed, and a resumed run has to repeat an unbroken
    one.

    Args:
        ids: a text as a BPE model cuts it; what stands for no letters (bytes, specials), or for letters that
            have no piece of their own, stays.
        draw: gives numbers from 0 up to 1.
    """
    merges = tokenizer.merges
    found: list[int] = []
    word: list[str] = []

    def close() -> None:
        found.extend(merges[piece][1] for piece in _merged(word, merges, dropout, draw))
        word.clear()

    for token in ids:
        piece = tokenizer.piece(token)
        if piece not in merges or any(letter not in merges for letter in piece):
            close()
            found.append(token)
            continue
        for letter in piece:
            # A mark for a space begins a word, and no piece reaches over it.
            if letter == SPACE_MARK and word != [SPACE_MARK] * len(word):
                close()
            word.append(letter)
    close()
    return found


def _merged(
    word: list[str], merges: Mapping[str, tuple[float, int]], dropout: float, draw: Callable[[], float]
) -> list[str]:
    """A word's pieces, from its letters; of the merges not left out the best comes first, of two the left."""
    pieces = list(word)
    while len(pieces) > 1:
        best, where = -math.inf, -1
        for place, (left, right) in enumerate(pairwise(pieces)):
            known = merges.get(left + right)
            if known is not None and known[0] > best and (not dropout or draw() >= dropout):
                best, where = known[0], place
        if where < 0:
            break
        pieces[where : where + 2] = [pieces[where] + pieces[where + 1]]
    return pieces


def _joined(rows: list[NDArray[np.int32]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    offsets = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    return np.concatenate(rows).astype(np.int32), offsets
