"""The kind of circuits: what the chosen head does in general, drawn as a sheet."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from model.files.files import shown
from model.questions.causes.circuits import Circuit, CircuitOf, circuit_report
from model.questions.causes.report import FORMS
from model.questions.questions import Reading
from model.trace.trace import AttentionKind
from viewer.document.text.token_text import piece_text
from viewer.figures.asking import check_head, check_kind, not_there
from viewer.figures.causes.circuits import circuit_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, FigureKind, Writing
from viewer.figures.option import Option
from viewer.figures.request import ExportRequest, Source
from viewer.figures.sheet.spec import SheetSpec

READ_WORD = Option("read_word", {"metavar": "WORD", "help": "word that the head reads (view circuits)"})


def _question(source: Source, request: ExportRequest) -> CircuitOf:
    """Of the word that is typed, else of the token at the crosshair, else of pairs of words."""
    trace, selection = source.need_trace(), request.selection
    assert selection.head is not None
    typed: str | None = request.own.get("read_word")
    word: str | int | None = typed
    if typed is None and selection.key is not None:
        own = selection.kind is AttentionKind.DECODER_SELF
        word = int((trace.tgt_in_ids if own else trace.src_ids)[selection.key])
    place = (selection.kind, selection.layer, selection.head)
    return CircuitOf(*place, word, model_sha256=trace.model_sha256)


def _answer(source: Source, request: ExportRequest) -> Circuit:
    found: Any = None if source.known is None else source.known(_question(source, request), None)
    if not isinstance(found, Circuit):
        trace = source.need_trace()
        raise not_there(source, Reading.of(trace))
    return found


def _check(source: Source, request: ExportRequest) -> None:
    trace, selection = source.need_trace(), request.selection
    check_kind(trace, selection.kind)
    check_head(trace, selection)
    if selection.head is None:
        raise HeadscopeError("export_circuits_head")


def _build(source: Source, request: ExportRequest) -> FigureSpec[SheetSpec]:
    trace, raw = source.need_trace(), request.options.raw_pieces

    def said(piece: str) -> str:
        return piece_text(piece, raw=raw, style=trace.token_style).marked if piece else ""

    return circuit_figure(_answer(source, request), trace.model_name, said)


def _write(writing: Writing) -> None:
    """The lists, as the command `circuits` writes them."""
    if writing.ending not in FORMS:
        raise HeadscopeError("export_csv_only", path=shown(writing.path))
    found, trace = _answer(writing.source, writing.request), writing.source.need_trace()
    report = circuit_report(found).under({"model": trace.model_name, "model_sha256": trace.model_sha256})
    report.write(writing.path, writing.ending)


KIND = FigureKind(
    "circuits",
    asked=Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "What the chosen head does in general"),
        check=_check,
        build=_build,
        write=_write,
        help="what a head promotes and attracts, whatever the sentence (circuits)",
        options=(READ_WORD,),
        ignored=("scale", "hide_specials", "step"),
        one_map=True,
        asks_model=True,
        offered=lambda trace, selection: selection.head is not None,
        data=lambda source: ("csv", "npz"),
        prefix="circuits",
    ),
)
