"""The kind of an architecture: figure 1 of the paper, of the model in hand."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from model.files.files import replacing, write_chunks
from viewer.document.text.model_text import family_of
from viewer.figures.architecture.anatomy import Anatomy, anatomy_of, anatomy_of_trace
from viewer.figures.architecture.build import Shown, architecture_figure
from viewer.figures.architecture.layout import architecture_geometry, architecture_height
from viewer.figures.architecture.paint import paint_architecture
from viewer.figures.architecture.spec import ArchitectureSpec, said_key
from viewer.figures.architecture.table import architecture_rows
from viewer.figures.asking import check_map, check_range
from viewer.figures.data import csv_only
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, Drawing, FigureKind, Subject, Writing
from viewer.figures.option import Option
from viewer.figures.request import ExportRequest, Source
from viewer.figures.table import csv_chunks, noted

_NAMES = 24  # of blocks, in an error
UNFOLD = Option(
    "unfold",
    {"action": "store_true", "help": "every layer, not one of each stack (view architecture)"},
)


BLOCK = Option(
    "block",
    {
        "metavar": "NAME",
        "help": "the block to highlight, such as decoder.2.cross or encoder.embedding (view architecture)",
    },
)


def known(source: Source) -> bool:
    """Whether a model, or a trace of one, tells what to draw."""
    return _anatomy(source) is not None


def _anatomy(source: Source) -> Anatomy | None:
    model, trace = source.model, source.trace
    if model is not None and model.architecture.get("n_heads"):
        return anatomy_of(model.architecture, family_of(model))
    return None if trace is None or not trace.kinds else anatomy_of_trace(trace)


def check(source: Source, request: ExportRequest) -> None:
    """Whether there is a model, and the step."""
    if not known(source):
        raise HeadscopeError("export_no_trace")
    if request.step is not None:
        check_range("step", request.step, 0 if source.trace is None else source.trace.steps)
    if source.trace is not None:
        check_map(source, request)
    named = request.own.get("block")
    if named is not None:
        spec = build(source, request).body
        if not spec.chosen:
            names = ", ".join(said_key(key) for key in spec.order[:_NAMES])
            raise HeadscopeError("export_block", value=named, known=names)


def build(source: Source, request: ExportRequest) -> FigureSpec[ArchitectureSpec]:
    """Its blocks; with the sizes of the trace's sentence if there is one."""
    anatomy, trace, model = _anatomy(source), source.trace, source.model
    assert anatomy is not None
    if trace is not None and model is not None and not trace.may_be_of(model.name, model.sha256):
        trace = None
    selection = request.selection
    shown = Shown(
        unfolded=bool(request.own.get("unfold")),
        chosen=_key(str(request.own.get("block", ""))),
        lit=None if trace is None else (selection.kind, selection.layer, selection.head),
        step=request.step,
    )
    return architecture_figure(
        anatomy,
        shown,
        trace,
        model=(source.model_name, source.model_sha256),
        verified=model is None or model.verified,
    )


def write(writing: Writing) -> None:
    """Every block, whatever is folded."""
    figure = writing.build(writing.request)
    assert isinstance(figure.body, ArchitectureSpec)
    with replacing(writing.path) as temporary:
        rows = noted(architecture_rows(figure.body), figure.body.badges)
        write_chunks(temporary, csv_chunks(rows))


def words(request: ExportRequest) -> list[str]:
    """The head that is lit, and the step."""
    selection = request.selection
    head = "mean" if selection.head is None else str(selection.head + 1)
    said = ["--kind", str(selection.kind), "--layer", str(selection.layer + 1), "--head", head]
    return said + ([] if request.step is None else ["--step", str(request.step + 1)])


def _key(said: str) -> str:
    """A block's key by what a command says of it; empty where that cannot be one."""
    parts = said.split(".")
    if any(part.isdigit() and (not part.isascii() or len(part) > 9 or int(part) < 1) for part in parts):
        return ""
    return ".".join(str(int(part) - 1) if part.isdigit() else part for part in parts)


KIND = FigureKind(
    "architecture",
    Drawing(
        ArchitectureSpec,
        architecture_geometry,
        architecture_height,
        paint_architecture,
        rows=architecture_rows,
    ),
    Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "Architecture"),
        check=check,
        build=build,
        write=csv_only(write),
        about=Subject.MODEL,
        reads=True,
        told=known,
        help="the model's architecture, with the sizes of TEXT (architecture)",
        options=(UNFOLD, BLOCK),
        ignored=("hide_specials", "scale", "raw_pieces"),
        stepped=True,
        stem=lambda request, page: "architecture",
        words=words,
    ),
)
