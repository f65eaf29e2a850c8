"""Shares: how much of each piece lies in each word, without the zeros.

Of a text of 4,096 words they would be 134 MB, of which a few thousand numbers are not 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.intp]
Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Shares:
    """Numbers [P, W], nearly all of them 0.

    Attributes:
        shape: how many pieces and words.
        pieces, words, values: of each number that is not 0, ascending by piece and then by word.
    """

    shape: tuple[int, int]
    pieces: Places
    words: Places
    values: Doubles

    @classmethod
    def of_counts(cls, counts: Mapping[int, Mapping[int, int]], shape: tuple[int, int]) -> Self:
        """Each piece's counts, by word, divided by their sum."""
        found = [
            (piece, word, count / sum(of_piece.values()))
            for piece, of_piece in sorted(counts.items())
            for word, count in sorted(of_piece.items())
        ]
        pieces, words, values = zip(*found, strict=True) if found else ((), (), ())
        return cls(shape, np.array(pieces, np.intp), np.array(words, np.intp), np.array(values, np.float64))

    def main_word(self, piece: int) -> int | None:
        """The word that has most of a piece, of equal ones the first; None where none has any."""
        first, last = np.searchsorted(self.pieces, (piece, piece + 1)).tolist()
        return int(self.words[first + self.values[first:last].argmax()]) if first < last else None

    @cached_property
    def by_word(self) -> tuple[list[Places], list[Doubles]]:
        """For each word the pieces that lie in it, ascending, and how much of each does."""
        if not self.shape[1]:
            return [], []
        order = np.lexsort((self.pieces, self.words))
        cuts = np.searchsorted(self.words[order], np.arange(1, self.shape[1]))
        return np.split(self.pieces[order], cuts), np.split(self.values[order], cuts)

    def dense(self) -> Doubles:
        """All of the numbers, [P, W]."""
        found: Doubles = np.zeros(self.shape)
        found[self.pieces, self.words] = self.values
        return found
