"""Likeness of heads to a drawn pattern: the cosine between the two. No torch.

cos(D, α) = Σ d_ij α_ij / √(Σ d_ij² · Σ α_ij²) over the cells that the query may see, in the rows on which
something is drawn; D's rows are first divided by their sums, as a head's are.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model import limits
from model.errors import HeadscopeError
from model.files.files import StrPath, read_bytes, shown
from model.heads.head_scores import keys_of
from model.trace.trace import AttentionKind, Floats, Trace, row_blocks

Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

PRESETS = ("diagonal", "previous", "next", "first", "last", "uniform")
FORMULA = (
    "cos(D, α) = Σ d α / √(Σ d² · Σ α²) over the cells that a query may see, in the rows on which something "
    "is drawn, each row of D divided by its sum"
)
SOURCE = "cosine similarity; ours, no paper's"


@dataclass(frozen=True, eq=False)
class Drawing:
    """A pattern that heads are compared with, known by its identity.

    Attributes:
        name: one of `PRESETS`, else what it is called (a file).
        cells: float64 [Q, K], what was drawn, not negative; None for a preset, which has every size.
    """

    name: str
    cells: Doubles | None = None

    def on(self, kind: AttentionKind, queries: int, keys: int) -> Doubles | None:
        """As many rows and columns as a kind has; None where it has another size, or makes no sense."""
        if self.cells is not None:
            return self.cells if self.cells.shape == (queries, keys) else None
        return preset(self.name, kind, queries, keys)


@dataclass(frozen=True, eq=False)
class Likeness:
    """How like a drawing every head of a trace is.

    Attributes:
        values: by kind float64 [L, H], 0 to 1; NaN where nothing can be compared.
    """

    drawing: Drawing
    values: Mapping[AttentionKind, Doubles]


def preset(name: str, kind: AttentionKind, queries: int, keys: int) -> Doubles | None:
    """[Q, K] one of `PRESETS`; None for neighbours in cross-attention, where no token has any.

    The diagonal goes from corner to corner: of a sentence and itself, every token looks at itself.
    """
    cells = np.zeros((queries, keys))
    rows = np.arange(queries)
    if name in ("previous", "next"):
        if kind is AttentionKind.CROSS:
            return None
        return np.eye(queries, keys, -1 if name == "previous" else 1)
    if not cells.size:
        return None
    if name == "diagonal":
        # Half up, as people round.
        cells[rows, np.floor(rows * (keys - 1) / max(1, queries - 1) + 0.5).astype(int)] = 1.0
    elif name in ("first", "last"):
        cells[:, 0 if name == "first" else -1] = 1.0
    else:
        cells[:] = 1.0
    return cells


def cosine(patterns: Floats, drawn: Doubles, seen: Flags) -> Doubles:
    """[...] the likeness of patterns [..., Q, K] to a drawing [Q, K] in the cells that may be seen [Q, K]."""
    *heads, queries, width = patterns.shape
    squares, products, drawn_squares = np.zeros(heads), np.zeros(heads), 0.0
    for first, end in row_blocks(queries, math.prod(heads) * width):
        kept = np.where(seen[first:end], drawn[first:end], 0.0)
        sums = kept.sum(-1, keepdims=True)
        kept = np.divide(kept, sums, out=np.zeros_like(kept), where=sums > 0)
        own = np.where(seen[first:end] & (sums > 0), patterns[..., first:end, :].astype(np.float64), 0.0)
        squares += (own**2).sum((-2, -1))
        products += (own * kept).sum((-2, -1))
        drawn_squares += (kept**2).sum()
    lengths = np.sqrt(squares * drawn_squares)
    found: Doubles = np.divide(products, lengths, out=np.full_like(products, np.nan), where=lengths > 0)
    return found


def likeness(trace: Trace, drawing: Drawing) -> Iterator[Likeness | None]:
    """Of every head of a trace; yields None after each layer, and last the answer.

    Raises:
        HeadscopeError: `likeness_shape`: no kind has the size of the drawing, or has it anything to compare.
    """
    values, fits = {}, False
    for kind in trace.kinds:
        shape = trace.patterns.shape(kind)
        assert shape is not None
        found = np.full(shape[:2], np.nan)
        drawn = drawing.on(kind, *shape[2:])
        if drawn is not None:
            fits = True
            seen = keys_of(trace, kind).seen(shape[2])
            for layer in range(shape[0]):
                for head in range(shape[1]):
                    found[layer, head] = cosine(trace.pattern(kind, layer, head), drawn, seen)
                yield None
        values[kind] = found
    if not fits:
        raise _unfit(trace, drawing)
    yield Likeness(drawing, values)


def _unfit(trace: Trace, drawing: Drawing) -> HeadscopeError:
    shapes = {kind: trace.patterns.shape(kind) for kind in trace.kinds}
    sizes = ", ".join(f"{kind} {shape[2]} × {shape[3]}" for kind, shape in shapes.items() if shape)
    size = "" if drawing.cells is None else f"{drawing.cells.shape[0]} × {drawing.cells.shape[1]}"
    return HeadscopeError("likeness_shape", name=drawing.name, size=size or "-", sizes=sizes or "-")


def read_drawing(path: StrPath) -> Drawing:
    """A drawing of a CSV: a row a query, a number a key, no names.

    Raises:
        HeadscopeError: `likeness_file`: it is no such table; or it cannot be read.
    """
    text = read_bytes(path, limit=limits.GOLD).decode("utf-8", "replace")
    try:
        rows = [[float(field) for field in row] for row in csv.reader(io.StringIO(text)) if row]
        cells = np.array(rows, np.float64)
    except (ValueError, csv.Error):
        raise HeadscopeError("likeness_file", path=shown(path)) from None
    if cells.ndim != 2 or not np.isfinite(cells).all() or (cells < 0).any() or not cells.any():
        raise HeadscopeError("likeness_file", path=shown(path))
    return Drawing(shown(path), cells)


def drawing_csv(cells: Doubles) -> str:
    """What `read_drawing` reads."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([[f"{value:.9g}" for value in row] for row in cells])
    return text.getvalue()
