"""What to export: which figure of which source, drawn how. The window and `render` both say it with these."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from model.alignment.links import Gold
from model.errors import HeadscopeError
from model.position_facts import PositionFacts, stored_table
from model.trace import AttentionKind, Trace
from model.trace_sequence import TraceSequence
from viewer.state.compare_builder import comparable
from viewer.state.document import ViewOptions
from viewer.state.exploring import Importance
from viewer.state.figure import FigureSpec
from viewer.state.numbers import SCORES, Known, shown_numbers
from viewer.state.positions_known import Bias, KnownPositions, find, known_of
from viewer.state.selection import Numbers, PaneView, Selection

DEFAULT_WIDTH_MM = 160.0
DEFAULT_DPI = 300
DEFAULT_POSITIONS = 64

Over = Literal["training", "steps"]


class FigureKind(StrEnum):
    """What a figure shows: one map, the same as lines or as words, all heads of a family, the arithmetic of
    a row, how much each step takes from the source, the positional encoding, one map of two runs, or what a
    page shows. An alignment is the map, and as data the words that it links.
    """

    HEATMAP = "heatmap"
    FLOW = "flow"
    WORDS = "words"
    HEADS = "heads"
    ALL_HEADS = "all_heads"
    ARITHMETIC = "arithmetic"
    SHARES = "shares"
    ALIGNMENT = "alignment"
    POSITIONS = "positions"
    DIFFERENCE = "difference"
    PAGE = "page"


ONE_MAP = (
    FigureKind.HEATMAP,
    FigureKind.FLOW,
    FigureKind.WORDS,
    FigureKind.ARITHMETIC,
    FigureKind.ALIGNMENT,
)
"""Figures of one layer and head."""

NUMBERED = (FigureKind.HEATMAP, FigureKind.FLOW, FigureKind.WORDS, FigureKind.ALIGNMENT)
"""Figures whose numbers can be others than attention weights."""

VIEWS = {
    PaneView.MAP: FigureKind.HEATMAP,
    PaneView.FLOW: FigureKind.FLOW,
    PaneView.WORDS: FigureKind.WORDS,
    PaneView.HEADS: FigureKind.ALL_HEADS,
}
"""The figure of each view of a pane."""


@dataclass(frozen=True, eq=False)
class Page:
    """What a page of the window shows, with its numbers.

    Attributes:
        name: for a file, such as `layer-walk`.
        table: lines of a CSV, the names of the columns first; None where there are none.
    """

    figure: FigureSpec
    name: str
    table: tuple[Sequence[object], ...] | None = None


@dataclass(frozen=True, eq=False)
class Source:
    """Where a figure's numbers come from; one of `trace` and `positions` may be missing.

    Attributes:
        positions: the model's whole positional encoding, float32 [position, dimension].
        position_facts: what the model knows of positions; empty where only `positions` is told.
        sequence: the time-lapse that the trace is a frame of.
        model_name, model_sha256: of the model of `positions`.
        importance: what each head is worth to the trace's translation, if that was measured.
        compared: A and B of a difference; None where there are no two.
        known: what is known beyond the trace: some numbers need the model.
        gold: which words of the trace render each other, drawn over its cross-attention.
        page: what a page shows.
    """

    trace: Trace | None = None
    positions: npt.NDArray[np.float32] | None = None
    model_name: str = ""
    model_sha256: str = ""
    sequence: TraceSequence | None = None
    importance: Importance | None = None
    compared: tuple[Trace, Trace] | None = None
    known: Known | None = None
    gold: Gold | None = None
    page: Page | None = None
    position_facts: tuple[PositionFacts, ...] = ()

    @property
    def known_positions(self) -> tuple[KnownPositions, ...]:
        """What there is to show of the model's positions."""
        if self.position_facts:
            return known_of(self.position_facts, self.model_name, self.model_sha256)
        if self.positions is None:
            return ()
        # Nothing is known of the rows but that they are added: what they are shows in them.
        return known_of((stored_table(self.positions),), self.model_name, self.model_sha256)

    def need_trace(self) -> Trace:
        """The trace; `HeadscopeError` when there is none."""
        if self.trace is None:
            raise HeadscopeError("export_no_trace")
        return self.trace

    def need_compared(self) -> tuple[Trace, Trace]:
        """A and B; `HeadscopeError` when there are no two."""
        if self.compared is None:
            raise HeadscopeError("export_no_compared")
        return self.compared


@dataclass(frozen=True)
class Motion:
    """How an animation runs.

    Attributes:
        over: through the frames of a time-lapse, or through the steps of one decoding.
        fps: frames a second.
        hold: seconds that the last frame stays longer than the others.
        loop: begin anew at the end.
    """

    over: Over = "training"
    fps: float = 5.0
    hold: float = 1.5
    loop: bool = True


@dataclass(frozen=True)
class ExportRequest:
    """One figure, or one figure in motion.

    Attributes:
        selection: kind, layer, head (of a difference, of B), numbers. Its crosshair is the cell of an
            arithmetic and the chosen token of words and flow; else it is not looked at, nor is its step.
        step: decoder rows after it are left open, counted from 0; None shows the whole decoding.
        theme: `light` or `dark`.
        width_mm: width of the page.
        dpi: pixels per inch of bitmaps.
        positions: how many positions the positional encoding is drawn for.
        curves: dimensions of the positional encoding to draw as curves (of rotations: pairs), from 0; None
            for some well apart.
        stack: which of a model's several positions: `encoder`, `decoder`, or a number from 1; empty for the
            first.
        bias_head: of a bias by distance: the head that is looked at.
        motion: of animations; no other file's business.
        layer: of the shares of source and prefix: the decoder layer; None for the mean over layers.
    """

    view: FigureKind = FigureKind.HEATMAP
    selection: Selection = field(default_factory=Selection)
    options: ViewOptions = field(default_factory=ViewOptions)
    step: int | None = None
    theme: str = "light"
    width_mm: float = DEFAULT_WIDTH_MM
    dpi: int = DEFAULT_DPI
    positions: int = DEFAULT_POSITIONS
    curves: tuple[int, ...] | None = None
    motion: Motion = Motion()
    layer: int | None = None
    stack: str = ""
    bias_head: int = 0

    def but(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return replace(self, **changes)


def check(source: Source, request: ExportRequest) -> None:
    """Raise `HeadscopeError` naming the range, unless the source has what is asked for."""
    if request.view is FigureKind.POSITIONS:
        known_in_view(source, request)
        return
    kind = request.selection.kind
    if request.view is FigureKind.PAGE:
        if source.page is None:
            raise HeadscopeError("export_no_page")
        return
    if request.view is FigureKind.DIFFERENCE:
        _check_difference(source, request)
        return
    trace = source.need_trace()
    if request.view is FigureKind.SHARES:
        kind = AttentionKind.CROSS
    if request.view is FigureKind.ALL_HEADS and trace.kinds:
        kind = trace.kinds[-1]
    if kind not in trace.kinds:
        raise HeadscopeError("export_kind", kind=str(kind), kinds=", ".join(trace.kinds))
    if request.view is FigureKind.ALIGNMENT and kind is not AttentionKind.CROSS:
        raise HeadscopeError("export_alignment_kind")
    _check_layer_and_heads(trace, kind, request)
    if request.step is not None and (kind is not AttentionKind.ENCODER_SELF or of_a_step(request)):
        _check_range("step", request.step, trace.steps)


def known_in_view(source: Source, request: ExportRequest) -> KnownPositions:
    """The positions that are asked for; `HeadscopeError` where the model has no such."""
    known = source.known_positions
    if not known:
        raise HeadscopeError("export_no_positions", name=source.model_name or "?")
    found = find(known, request.stack)
    if found is None:
        raise HeadscopeError("export_stack", name=source.model_name or "?", stack=request.stack)
    if isinstance(found, Bias):
        _check_range("bias_head", request.bias_head, found.heads)
    return found


def _check_layer_and_heads(trace: Trace, kind: AttentionKind, request: ExportRequest) -> None:
    selection = request.selection
    if request.view is FigureKind.SHARES and request.layer is not None:
        _check_range("layer", request.layer, trace.layers(kind))
    if request.view not in ONE_MAP:
        return
    _check_range("layer", selection.layer, trace.layers(kind))
    others = selection.more_heads if request.view is FigureKind.FLOW else ()
    for head in (selection.head, *others):
        if head is not None:
            _check_range("head", head, trace.heads(kind))


def shows_importance(source: Source, request: ExportRequest) -> bool:
    """Whether the figure is a page of heads coloured by what they are worth, not of their weights."""
    measured = source.importance is not None and request.selection.kind in source.importance.change
    return request.view is FigureKind.HEADS and request.options.importance and measured


def of_a_step(request: ExportRequest) -> bool:
    """Whether the numbers are those of one step, which says more than how many rows there are."""
    return request.view in NUMBERED and request.selection.numbers is Numbers.GRADIENT


def as_shown(request: ExportRequest, trace: Trace | None) -> ExportRequest:
    """The request for the weights where a window shows these for numbers that do not exist.

    A command refuses such numbers.
    """
    if trace is None or request.view not in NUMBERED:
        return request
    selection = request.selection.but(step=trace.steps - 1 if request.step is None else request.step)
    return request.but(selection=request.selection.but(numbers=shown_numbers(trace, selection)))


def asks_model(request: ExportRequest) -> bool:
    """Whether the figure may follow from more than the trace."""
    asking = (Numbers.VALUE_WEIGHTED, Numbers.GRADIENT, *SCORES)
    own = request.view in (FigureKind.ARITHMETIC, FigureKind.SHARES)
    return own or (request.view in NUMBERED and request.selection.numbers in asking)


def _check_difference(source: Source, request: ExportRequest) -> None:
    first, second = source.need_compared()
    selection = request.selection
    if not comparable(first, second, selection.kind):
        raise HeadscopeError("export_compared_kind", kind=str(selection.kind))
    _check_range("layer", selection.layer, second.layers(selection.kind))
    if selection.head is not None:
        _check_range("head", selection.head, second.heads(selection.kind))


def _check_range(what: str, index: int, count: int) -> None:
    if not 0 <= index < count:
        raise HeadscopeError(f"export_{what}", value=index + 1, count=count)
