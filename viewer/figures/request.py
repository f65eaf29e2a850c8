"""Requests: which figure of which source, drawn how. The window and `render` both say it with these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt

from model.alignment.links import Gold
from model.errors import HeadscopeError
from model.positions.position_facts import PositionFacts, stored_table
from model.trace.exploration import Importance
from model.trace.trace import Trace
from model.trace.trace_sequence import TraceSequence
from viewer.document.document import ViewOptions
from viewer.document.messages.messages import ModelInfo
from viewer.document.positions.positions_known import KnownPositions, known_of
from viewer.document.selection import Selection
from viewer.figures.figure import AnyFigure, FigureSpec
from viewer.figures.known import Known

DEFAULT_WIDTH_MM = 160.0
DEFAULT_DPI = 300
DEFAULT_POSITIONS = 64

Over = Literal["training", "steps"]
Each = Literal["heads", "steps", "bookmarks"]
Scale = Literal["linear", "sqrt", "max"]


@dataclass(frozen=True, eq=False)
class Page:
    """What a page of the window shows, with its numbers.

    Attributes:
        name: for a file, such as `layer-walk`.
        table: lines of a CSV, the names of the columns first; None where there are none.
        command: what `render` is told to draw it; empty where no command does.
        of_trace: its numbers are of the trace in view, which the command has to be told.
    """

    figure: AnyFigure
    name: str
    table: tuple[Sequence[object], ...] | None = None
    command: tuple[str, ...] = ()
    of_trace: bool = False


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
        model: what is known of the model.
        tree: the tree of branches that is in view.
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
    tree: FigureSpec[Any] | None = None
    position_facts: tuple[PositionFacts, ...] = ()
    model: ModelInfo | None = None

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
        view: name of the kind of figure, as in the registry.
        selection: kind, layer, head (of a difference, of B), numbers. Its crosshair is the cell of an
            arithmetic and the chosen token of words and flow; else it is not looked at, nor is its step.
        step: decoder rows after it are left open, counted from 0; None shows the whole decoding.
        theme: `light` or `dark`.
        colours: of weights, one of `viewer.figures.canvas.theme.COLOURS`.
        to_maximum: colours end at the largest weight shown, not at 1; see `scale`.
        width_mm: width of the page.
        height_mm: most height of the page; None for what suits the figure.
        font_size: of labels, in points; None for what suits the width.
        bare: neither title nor caption is drawn; badges are.
        highlight: the row of the step is marked.
        dpi: pixels per inch of bitmaps.
        positions: how many positions the positional encoding is drawn for.
        curves: dimensions of the positional encoding to draw as curves (of rotations: pairs), from 0; None
            for some well apart.
        stack: which of a model's several positions: `encoder`, `decoder`, or a number from 1; empty for the
            first.
        bias_head: of a bias by distance: the head that is looked at.
        motion: of animations; no other file's business.
        layer: of the shares of source and prefix: the decoder layer; None for the mean over layers.
        own: what was given of options that are a kind's own, by name.
    """

    view: str = "heatmap"
    selection: Selection = field(default_factory=Selection)
    options: ViewOptions = field(default_factory=ViewOptions)
    step: int | None = None
    theme: str = "light"
    colours: str = "blue"
    to_maximum: bool = False
    width_mm: float = DEFAULT_WIDTH_MM
    height_mm: float | None = None
    font_size: float | None = None
    bare: bool = False
    highlight: bool = False
    dpi: int = DEFAULT_DPI
    positions: int = DEFAULT_POSITIONS
    curves: tuple[int, ...] | None = None
    motion: Motion = Motion()
    layer: int | None = None
    stack: str = ""
    bias_head: int = 0
    own: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scale(self) -> Scale:
        """How colours go with weights: as they are, by their square root, or up to the largest shown."""
        if self.to_maximum:
            return "max"
        return "sqrt" if self.options.sqrt_scale else "linear"

    def but(self, *, scale: Scale | None = None, **changes: Any) -> Self:
        """A copy with some fields changed."""
        changed = replace(self, **changes)
        if scale is None:
            return changed
        options = replace(changed.options, sqrt_scale=scale == "sqrt")
        return replace(changed, options=options, to_maximum=scale == "max")
