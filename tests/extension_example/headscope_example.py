"""One of each kind of extension of Headscope, as small as they can be; nothing of Headscope is imported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np


class FirstKey:
    """A head metric: how much of its weight a head gives to the first token."""

    title = "First"
    formula = "α(i, 0), mean over rows that are not masked"
    least, most = 0.0, 1.0
    source = "made up for this example"

    def measure(self, weights: Any, head: Any) -> float:
        rows = weights[weights.any(axis=1)]
        return float(rows[:, 0].mean()) if len(rows) else float("nan")


class Surprise:
    """A quantity to map: how surprising a weight is beside an even share."""

    title = "Surprise"
    formula = "log₂(K α + 1)"
    caveat = "It makes small differences look large."
    source = "made up for this example"

    def measure(self, weights: Any, head: Any) -> Any:
        return np.log2(weights * weights.shape[1] + 1)


class WordLists:
    """A loader: a folder with `words.txt` is a model that looks at equal words, or evenly at all of them."""

    def recognises(self, folder: Path) -> bool:
        return (folder / "words.txt").is_file()

    def load(self, folder: Path) -> Words:
        return Words(folder.name, (folder / "words.txt").read_text(encoding="utf-8").split())


class Words:
    """One layer, two heads: the first attends to the same word, the second to words of the list."""

    def __init__(self, name: str, known: list[str]) -> None:
        self.name = name
        self._known = set(known)

    def pieces(self, text: str) -> list[str]:
        return text.split()

    def attention(self, pieces: Any) -> Any:
        same = np.array([[float(one == other) for other in pieces] for one in pieces])
        listed = np.array([[float(other in self._known) for other in pieces]] * len(pieces))
        listed = np.where(listed.any(axis=1, keepdims=True), listed, 1.0)
        return np.stack([[head / head.sum(axis=1, keepdims=True) for head in (same, listed)]])
