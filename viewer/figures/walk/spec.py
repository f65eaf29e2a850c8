"""WalkSpec: a position's way through a Transformer: the architecture as blocks, one stage in detail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from model.trace.trace import Side
from viewer.figures.canvas.matrix import Matrix

Role = Literal["embedding", "attention", "feed_forward", "residual", "norm", "layers", "output"]


@dataclass(frozen=True)
class Block:
    """One block of a stack.

    Attributes:
        stage: which step of the walk a click opens; None where nothing is known of this stack.
        layer: the layer it belongs to, None below the first and above the last.
        norm: Euclidean length of the position's vector there; None where it is not known.
        change: by how much `norm` differs from the vector that entered; None where nothing entered, or
            where the vector is what a sub-layer adds.
        inner: it is part of the layer that is drawn open.
        cross: what the encoder found enters here.
    """

    name: str
    role: Role
    stage: int | None = None
    layer: int | None = None
    norm: float | None = None
    change: float | None = None
    inner: bool = False
    cross: bool = False


@dataclass(frozen=True)
class Stack:
    """Encoder or decoder, blocks in the order of computation.

    Attributes:
        skips: (from, to) indices of blocks: the residual connection leaves before the first and ends in the
            second.
        open_layer: name of the layer whose blocks are drawn singly.
    """

    side: Side
    name: str
    token: str
    blocks: tuple[Block, ...]
    skips: tuple[tuple[int, int], ...] = ()
    open_layer: str = ""


@dataclass(frozen=True, eq=False)
class EmbeddingDetail:
    """Embedding, position and their sum, of every token.

    Attributes:
        names, maps: the three, float32 [token, dimension], on one scale from -level to level.
        lengths: [3][token] Euclidean length of each row.
        row: the position that is walked with.
        chosen: which of the three is the stage in view.
    """

    names: tuple[str, str, str]
    maps: tuple[Matrix, Matrix, Matrix]
    lengths: tuple[tuple[float, ...], ...]
    labels: tuple[str, ...]
    row: int
    level: float
    chosen: int


@dataclass(frozen=True)
class BarRow:
    """One head or neuron: its name, the length of its bar, and its numbers as text."""

    name: str
    value: float
    texts: tuple[str, ...]
    index: int


@dataclass(frozen=True)
class BarsDetail:
    """Heads by what they add, or neurons by their effect; the longest first.

    Attributes:
        columns: headers of name, texts and bar.
        head_layer: layer whose heads they are; None for neurons.
    """

    columns: tuple[str, ...]
    rows: tuple[BarRow, ...]
    head_layer: int | None = None


@dataclass(frozen=True)
class ResidualDetail:
    """Two vectors and their sum, in the plane that they span: lengths and angles are the true ones.

    Attributes:
        before, added, total: Euclidean lengths.
        cosine: between `before` and `added`; `kept` between `before` and `total`.
    """

    before: float
    added: float
    total: float
    cosine: float
    kept: float


@dataclass(frozen=True, eq=False)
class NormDetail:
    """How the d_model numbers of one token are spread before and after a norm.

    Attributes:
        edges: of the bins, one more than there are `counts`, which are those of both.
        mean, deviation: of both.
    """

    edges: tuple[float, ...]
    counts: tuple[tuple[int, ...], tuple[int, ...]]
    mean: tuple[float, float]
    deviation: tuple[float, float]


@dataclass(frozen=True)
class LensCell:
    """A token and its probability; `produced`: it is the one that the model went on with."""

    text: str
    probability: float
    produced: bool


@dataclass(frozen=True)
class LensRow:
    """What one layer would say; `last`: the model's own last word."""

    name: str
    cells: tuple[LensCell, ...]
    rank: int
    probability: float
    last: bool = False


@dataclass(frozen=True)
class LensDetail:
    """The logit lens: one row a decoder layer, and the model's own."""

    produced: str
    rows: tuple[LensRow, ...]


Detail = EmbeddingDetail | BarsDetail | ResidualDetail | NormDetail | LensDetail


@dataclass(frozen=True, eq=False)
class WalkSpec:
    """The map, and what stands beside it.

    Attributes:
        stacks: encoder and decoder.
        side, selected: which stack's walk is in view, and which of its stages; -1: none, there is no walk.
        heading, formula, sentences, source: what is said of the stage.
        detail: the stage's picture; None while its numbers are not known, which a sentence says.
        longest: the longest vector of the walks, whichever layer is open: the full length of a block's bar.
    """

    title: str
    badges: tuple[str, ...]
    stacks: tuple[Stack, Stack]
    side: Side
    selected: int
    heading: str
    formula: str
    sentences: tuple[str, ...]
    source: str
    detail: Detail | None = None
    longest: float = 0.0

    @property
    def stack(self) -> Stack:
        """The stack whose walk is in view."""
        return self.stacks[0 if self.side == "source" else 1]
