"""Kinds of extension: a head metric, a quantity to map, a loader of models. No torch.

A package names what it adds among its entry points (`pyproject.toml`). The entry's name is what commands,
files and the window call it: small letters, digits and underscores.

    [project.entry-points."headscope.head_metrics"]
    first_key = "my_package:FirstKey"

What it names is an object with these attributes, or a class that is called once, without arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from model.trace.trace import AttentionKind, Floats, Trace

METRICS, QUANTITIES, LOADERS = "headscope.head_metrics", "headscope.quantities", "headscope.loaders"
"""Names of the groups of entry points."""


@dataclass(frozen=True)
class Head:
    """One head of a trace.

    Attributes:
        layer, head: from 0.
        trace: everything else that was recorded, as its tokens (`trace.key_tokens(kind)`).
    """

    kind: AttentionKind
    layer: int
    head: int
    trace: Trace


class HeadMetric(Protocol):
    """A number that says what a head does in one sentence: a column of the heads table.

    Attributes:
        title: of the column, short.
        formula: as tooltips and JSON give it.
        least, most: the range; `most` None where it has no end.
        source: where it is defined.
    """

    title: str
    formula: str
    least: float
    most: float | None
    source: str

    def measure(self, weights: Floats, head: Head) -> float:
        """The number of one head; NaN where there is nothing to measure.

        Args:
            weights: float32 [query, key], read-only; a row that is masked as a whole is zeros.
        """


class Quantity(Protocol):
    """Numbers that a map can show of one head instead of its weights: an entry of *What is shown*.

    Attributes:
        title: of the entry.
        formula: with α the weights.
        caveat: what the numbers do not say, a sentence.
        source: where it is defined.
    """

    title: str
    formula: str
    caveat: str
    source: str

    def measure(self, weights: Floats, head: Head) -> Floats:
        """A number for every cell, [query, key], finite. Called in the window's own thread: be quick.

        Args:
            weights: as in `HeadMetric.measure`.
        """


class ReadingModel(Protocol):
    """A model that reads a text at once; shown as an encoder, with the badge "not verified".

    Attributes:
        name: what people call it.
    """

    name: str

    def pieces(self, text: str) -> Sequence[str]:
        """The tokens that a text is read as, one for each query and key."""

    def attention(self, pieces: Sequence[str]) -> Any:
        """The weights of every head, [layer, head, query, key]; numpy's, torch's or lists. Rows sum to 1."""


class Loader(Protocol):
    """Opens folders of models that Headscope itself does not know.

    Its own bundles and Marian models are never offered to it.
    """

    def recognises(self, folder: Path) -> bool:
        """Whether a folder holds such a model, by a look at its small files. Called often: be quick."""

    def load(self, folder: Path) -> Any:
        """The model: a `ReadingModel`; or, where its weights fit our own Transformer, a
        `model.bundle.bundle.Bundle`, with which everything works.
        """
