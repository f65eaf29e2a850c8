"""The kind of positions: what the model knows of them, be it a table, rotations or a bias by distance."""

from __future__ import annotations

import argparse

from PySide6.QtCore import QCoreApplication

from model.arguments import positive
from model.errors import HeadscopeError
from model.files.files import replacing, shown, write_chunks
from model.trace.npz_write import write_arrays_npz
from viewer.document.positions.positions_known import KnownPositions, find
from viewer.figures.encoding.table import write_positions_csv
from viewer.figures.figure import AnyFigure
from viewer.figures.kind import Asked, FigureKind, Subject, Writing
from viewer.figures.option import Option
from viewer.figures.positions.known import shown_as
from viewer.figures.request import DEFAULT_POSITIONS, ExportRequest, Source
from viewer.figures.table import csv_chunks, noted


def known_in_view(source: Source, request: ExportRequest) -> KnownPositions:
    """The positions that are asked for; `HeadscopeError` where the model has no such."""
    known = source.known_positions
    if not known:
        raise HeadscopeError("export_no_positions", name=source.model_name or "?")
    found = find(known, request.stack)
    if found is None:
        raise HeadscopeError("export_stack", name=source.model_name or "?", stack=request.stack)
    shown_as(found).check(found, request)
    return found


def check(source: Source, request: ExportRequest) -> None:
    """Whether the model has the positions, and of a bias the head."""
    known_in_view(source, request)


def build(source: Source, request: ExportRequest) -> AnyFigure:
    """The table, the angles or the bias."""
    known = known_in_view(source, request)
    return shown_as(known).build(known, request)


def write(writing: Writing) -> None:
    """The numbers in view as a table, or all of them as arrays."""
    known = known_in_view(writing.source, writing.request)
    shown_how = shown_as(known)
    if writing.ending == "csv":
        plain = shown_how.plain(known)
        if plain is not None:
            write_positions_csv(plain[: writing.request.positions], writing.path)
            return
        figure = writing.build(writing.request)
        rows = noted(shown_how.rows(figure.body), figure.body.badges)
        with replacing(writing.path) as temporary:
            write_chunks(temporary, csv_chunks(rows))
    elif writing.ending == "npz":
        write_arrays_npz(shown_how.arrays(known), writing.path)
    else:
        raise HeadscopeError("export_positions_trace", path=shown(writing.path))


def ignored_besides(source: Source, request: ExportRequest) -> tuple[str, ...]:
    """What makes no difference to the positions there are."""
    return shown_as(known_in_view(source, request)).unused


def words(request: ExportRequest) -> list[str]:
    """How many, whose, and which head of a bias."""
    said = ["--positions", str(request.positions)] if request.positions != DEFAULT_POSITIONS else []
    said += ["--stack", request.stack] if request.stack else []
    return said + (["--head", str(request.bias_head + 1)] if request.bias_head else [])


def looks(request: ExportRequest) -> list[str]:
    """Which dimensions or pairs are drawn as curves."""
    return [] if request.curves is None else ["--curves", ",".join(map(str, request.curves)) or "none"]


def _dimensions(text: str) -> tuple[int, ...]:
    try:
        return () if text == "none" else tuple(int(part) for part in text.split(","))
    except ValueError:
        wanted = "whole numbers with commas between, nor none"
        raise argparse.ArgumentTypeError(f"{text!r} is neither {wanted}") from None


POSITIONS = Option(
    "positions",
    {"type": positive, "metavar": "N", "help": "positions to show (view positions; default 64)"},
    own=False,
)
STACK = Option(
    "stack",
    {"metavar": "encoder|decoder|N", "help": "whose positions, where a model has several"},
    own=False,
)
CURVES = Option(
    "curves",
    {"type": _dimensions, "metavar": "N,N|none", "help": "dimensions (or pairs) to draw as curves, from 0"},
    own=False,
)

KIND = FigureKind(
    "positions",
    asked=Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "Positions"),
        check=check,
        build=build,
        write=write,
        about=Subject.MODEL,
        help="the positional encoding",
        options=(POSITIONS, STACK, CURVES),
        ignored=("kind", "layer", "step", "hide_specials", "scale", "raw_pieces", "text", "trace"),
        ignored_besides=ignored_besides,
        data=lambda source: ("csv", "npz"),
        stem=lambda request, page: "positions",
        words=words,
        looks=looks,
    ),
)
