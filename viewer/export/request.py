"""What to export: which figure of which source, drawn how. The window and `render` both say it with these."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.trace import AttentionKind, Trace
from model.trace_sequence import TraceSequence
from viewer.state.compare_builder import comparable, difference_figure
from viewer.state.document import ViewOptions
from viewer.state.exploring import Importance
from viewer.state.figure import FigureSpec, HeadsSpec, MapSpec
from viewer.state.figure_builder import heads_figure, map_figure
from viewer.state.positions_builder import positions_figure
from viewer.state.selection import Selection

DEFAULT_WIDTH_MM = 160.0
DEFAULT_DPI = 300
DEFAULT_POSITIONS = 64

Over = Literal["training", "steps"]


class FigureKind(StrEnum):
    """What a figure shows: one map, all heads of a family, the positional encoding, one map of two runs."""

    HEATMAP = "heatmap"
    HEADS = "heads"
    POSITIONS = "positions"
    DIFFERENCE = "difference"


@dataclass(frozen=True, eq=False)
class Source:
    """Where a figure's numbers come from; one of `trace` and `positions` may be missing.

    Attributes:
        positions: the model's whole positional encoding, float32 [position, dimension].
        sequence: the time-lapse that the trace is a frame of.
        model_name, model_sha256: of the model of `positions`.
        importance: what each head is worth to the trace's translation, if that was measured.
        compared: A and B of a difference; None where there are no two.
    """

    trace: Trace | None = None
    positions: npt.NDArray[np.float32] | None = None
    model_name: str = ""
    model_sha256: str = ""
    sequence: TraceSequence | None = None
    importance: Importance | None = None
    compared: tuple[Trace, Trace] | None = None

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
        selection: kind, layer, head (of a difference, of B); its step and crosshair are not looked at.
        step: decoder rows after it are left open, counted from 0; None shows the whole decoding.
        theme: `light` or `dark`.
        width_mm: width of the page.
        dpi: pixels per inch of bitmaps.
        positions: how many positions the positional encoding is drawn for.
        curves: dimensions of the positional encoding to draw as curves, from 0; None for `opening_curves`.
        motion: of animations; no other file's business.
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

    def but(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return replace(self, **changes)


def check(source: Source, request: ExportRequest) -> None:
    """Raise `HeadscopeError` naming the range, unless the source has what is asked for."""
    if request.view is FigureKind.POSITIONS:
        if source.positions is None:
            raise HeadscopeError("export_no_positions", name=source.model_name or "?")
        return
    kind = request.selection.kind
    if request.view is FigureKind.DIFFERENCE:
        _check_difference(source, request)
        return
    trace = source.need_trace()
    if kind not in trace.kinds:
        raise HeadscopeError("export_kind", kind=str(kind), kinds=", ".join(trace.kinds))
    if request.view is FigureKind.HEATMAP:
        _check_range("layer", request.selection.layer, trace.layers(kind))
        if request.selection.head is not None:
            _check_range("head", request.selection.head, trace.heads(kind))
    if request.step is not None and kind is not AttentionKind.ENCODER_SELF:
        _check_range("step", request.step, trace.steps)


def shows_importance(source: Source, request: ExportRequest) -> bool:
    """Whether the figure is a page of heads coloured by what they are worth, not of their weights."""
    measured = source.importance is not None and request.selection.kind in source.importance.change
    return request.view is FigureKind.HEADS and request.options.importance and measured


def build_figure(source: Source, request: ExportRequest) -> FigureSpec:
    """The figure; `HeadscopeError` as in `check`, or for a damaged trace file."""
    check(source, request)
    if request.view is FigureKind.POSITIONS:
        assert source.positions is not None
        dimensions = source.positions.shape[1]
        curves = opening_curves(dimensions) if request.curves is None else request.curves
        _check_curves(curves, dimensions)
        return positions_figure(
            source.positions,
            curves,
            count=min(request.positions, len(source.positions)),
            model_name=source.model_name,
            model_sha256=source.model_sha256,
        )
    if request.view is FigureKind.DIFFERENCE:
        plain = request.selection.but(step=-1, query=None, key=None)
        return difference_figure(*source.need_compared(), plain, request.options)
    trace = source.need_trace()
    step = trace.steps - 1 if request.step is None else request.step
    selection = request.selection.but(step=step, query=None, key=None)
    if request.view is FigureKind.HEADS:
        figure = heads_figure(trace, selection.kind, step, request.options, importance=source.importance)
    else:
        figure = map_figure(trace, selection, request.options)
    if request.step is None and isinstance(figure.body, MapSpec | HeadsSpec):
        # No step is the current one in a figure of the whole decoding.
        figure = replace(figure, body=replace(figure.body, step_row=None, later_from=None))
    return figure


def opening_curves(dimensions: int) -> tuple[int, ...]:
    """Dimensions whose wavelengths are well apart, to draw where none are chosen."""
    return tuple(sorted({min(d, dimensions - 1) for d in (0, dimensions // 16 * 2, dimensions // 8 * 2)}))


def _check_difference(source: Source, request: ExportRequest) -> None:
    first, second = source.need_compared()
    selection = request.selection
    if not comparable(first, second, selection.kind):
        raise HeadscopeError("export_compared_kind", kind=str(selection.kind))
    _check_range("layer", selection.layer, second.layers(selection.kind))
    if selection.head is not None:
        _check_range("head", selection.head, second.heads(selection.kind))


def _check_curves(curves: tuple[int, ...], dimensions: int) -> None:
    for curve in curves:
        if not 0 <= curve < dimensions:
            raise HeadscopeError("export_curve", value=curve, last=dimensions - 1)


def _check_range(what: str, index: int, count: int) -> None:
    if not 0 <= index < count:
        raise HeadscopeError(f"export_{what}", value=index + 1, count=count)
