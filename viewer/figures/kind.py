"""FigureKind: the one row that makes a picture known to window, export and command.

A picture lies in one folder of this room, `figures/KIND`: `spec.py` says what it is of, `build.py` works that
out, `layout.py` places it, `paint.py` draws it, `table.py` has its numbers, and `kind.py` holds the row that
`registry.py` lists. Everything else is derived from the row: a spec is handed to its own kind once, by its
type, and never led past every kind.

A row has up to two parts: a `Drawing` where the kind has specs of its own, and `Asked` where a command or the
export dialog can ask for it by name. What differs from kind to kind is a field of one of them with a usual
value; where that needs code, it stands in the kind's folder.

A new kind is a folder and a line in `registry.KINDS`. Then `render --view NAME` draws and writes it and its
help tells of it, the export dialog offers it in its formats and names its file, *Copy as command* says it, it
moves in animations if it says so, and its own options are read (`ExportRequest.own`). Where a pane can show
it, its widget is a row of `viewer.pages.look.pane_views` too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from model.files.files import StrPath
from model.trace.trace import AttentionKind, Trace
from viewer.document.selection import Numbers, Selection
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.figure import AnyFigure, Body, FigureSpec, Geometry
from viewer.figures.option import Option
from viewer.figures.request import ExportRequest, Source
from viewer.figures.spoken import Spoken
from viewer.figures.table import Rows

S = TypeVar("S", bound=Body)
G = TypeVar("G", bound=Geometry)


@dataclass(frozen=True, eq=False)
class Drawing(Generic[S, G]):
    """How specs of one type become a picture.

    Attributes:
        spec: the type; a subclass of another kind's is told from it.
        layout: where everything goes when a figure is drawn into a rectangle.
        height: the height that suits a figure at a width, for a page cropped to it.
        paint: draws what was placed.
        signed: whether a spec's colours diverge from 0.
        axes: names of a spec's axes, for where a low picture has no room for them.
        note: what there is to say of a spec besides its badges, for their tooltip; None for nothing.
        rooted: whether a spec's colours may be by the square root.
        rows: lines of a CSV of a spec's numbers, the names of the columns first; None where a
            figure says more of them than its spec does.
        topped: a spec on a scale from 0 to the largest weight that it shows, and that weight; None where it
            shows none above 0, or is on a scale of its own.
        unmarked: a spec in which the row of the step is like every other.
        least: the least height, at a width, into which a figure can be laid out; None where `height` is.
        label_size: height of the type of placed labels, None where there are none.
        spoken: what can be pointed at, for those who do not see it; None where the view says that itself,
            because it knows more than its spec.
    """

    spec: type[S]
    layout: Callable[[FigureSpec[S], QRectF, DrawOptions], G]
    height: Callable[[FigureSpec[S], float, DrawOptions], float]
    paint: Callable[[QPainter, G, Theme, DrawOptions], None]
    signed: Callable[[S], bool] = lambda spec: False
    axes: Callable[[S], tuple[str, ...]] = lambda spec: ()
    note: Callable[[S], str | None] = lambda spec: None
    rooted: Callable[[S], bool] = lambda spec: True
    rows: Callable[[S], Rows] | None = None
    topped: Callable[[S], tuple[S, float] | None] = lambda spec: None
    unmarked: Callable[[S], S] = lambda spec: spec
    least: Callable[[FigureSpec[S], float, DrawOptions], float] | None = None
    label_size: Callable[[G], float | None] = lambda place: None
    spoken: Callable[[S], Spoken[G]] | None = None


class Subject(Enum):
    """What a figure is made of, and so where a command takes it from; in the order of the dialog's offers."""

    PAGE = "page"
    TRACE = "trace"
    PAIR = "pair"
    TREE = "tree"
    MODEL = "model"


@dataclass(frozen=True, eq=False)
class Writing:
    """A file of numbers that is to be written.

    Attributes:
        ending: such as `csv`.
        build: makes a figure of the source; raises as `building.build_figure`.
    """

    source: Source
    request: ExportRequest
    ending: str
    path: StrPath
    build: Callable[[ExportRequest], FigureSpec[Any]]


@dataclass(frozen=True, eq=False)
class Asked:
    """How a figure is asked for by name, in `render --view` and in the export dialog.

    Attributes:
        label: its name in the dialog, in the language in force.
        check: raises `HeadscopeError` unless the source has what is asked for.
        build: makes the figure of a source that was checked.
        write: writes its numbers.
        about: what it is made of.
        reads: of a model: it also shows what the model made of a text, if one is given.
        told: of a model: whether the source says what is drawn.
        help: what `render` says of it; empty where what it says of another kind names it too.
        options: flags that make a difference to it; `ignored` general ones that do not, by name, and
            `ignored_besides` those that depend on what there is to show.
        only_kind: the only kind of attention that it is of, and why, for a refusal.
        one_map: it is of one layer and head.
        numbered: its numbers can be others than attention weights; `numbers` the only ones that it shows.
        shows: numbers that may be named although they are what it shows anyway.
        row: it shows a single row, that of a step.
        stepped: it may show a decoding as it was after a step.
        moves: its colours are those of a map, so that it can be animated: a GIF has 256 for all frames.
        at_a_step: the selection of a frame of an animation through steps.
        asks_model: it follows from more than the trace.
        offered: whether the dialog offers it of a trace and a selection.
        pictured: it is a picture, and not only data.
        data: endings of the data that the dialog offers of a source.
        pieces: its data hold pieces, whether words are merged in the picture or not.
        prefix: what its files' names begin with; `stem` the name itself, of a request and the name of a page,
            where it is no map's.
        no_command: why no command makes the file, a sentence; empty where one does.
        words: what a command is told of it, where that is not what it is told of a map; `looks` further words
            where it is a picture.
    """

    label: Callable[[], str]
    check: Callable[[Source, ExportRequest], None]
    build: Callable[[Source, ExportRequest], AnyFigure]
    write: Callable[[Writing], None]
    about: Subject = Subject.TRACE
    reads: bool = False
    told: Callable[[Source], bool] = lambda source: bool(source.known_positions)
    help: str = ""
    options: tuple[Option, ...] = ()
    ignored: tuple[str, ...] = ()
    ignored_besides: Callable[[Source, ExportRequest], tuple[str, ...]] = lambda source, request: ()
    only_kind: tuple[AttentionKind, str] | None = None
    one_map: bool = False
    numbered: bool = False
    numbers: Numbers | None = None
    shows: tuple[Numbers, ...] = ()
    row: bool = False
    stepped: bool = False
    moves: bool = False
    at_a_step: Callable[[ExportRequest], Selection] = lambda request: request.selection
    asks_model: bool = False
    offered: Callable[[Trace, Selection], bool] = lambda trace, selection: True
    pictured: bool = True
    data: Callable[[Source], tuple[str, ...]] = lambda source: ("csv",)
    pieces: bool = False
    prefix: str = ""
    stem: Callable[[ExportRequest, str], str] | None = None
    no_command: Callable[[Source, ExportRequest], str] = lambda source, request: ""
    words: Callable[[ExportRequest], list[str]] | None = None
    looks: Callable[[ExportRequest], list[str]] = lambda request: []


@dataclass(frozen=True, eq=False)
class FigureKind:
    """A kind of picture.

    Attributes:
        name: as commands and files call it.
        drawing: how its specs are drawn; None where it draws those of another kind.
        asked: how it is asked for by name; None where only a page of the window shows it.
    """

    name: str
    drawing: Drawing[Any, Any] | None = None
    asked: Asked | None = None
