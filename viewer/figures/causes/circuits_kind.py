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
from viewer.figures.asking import check_cell, check_head, check_kind, not_there
from viewer.figures.causes.circuits import circuit_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, FigureKind, Writing
from viewer.figures.option import KEY, QUERY, Option
from viewer.figures.request import ExportRequest, Source
from viewer.figures.sheet.spec import SheetSpec

READ_WORD = Option("read_word", {"metavar": "WORD", "help": "word that the head reads (view circuits)"})

ASKING_WORD = Option(
    "query_word", {"metavar": "WORD", "help": "target word that asks, in cross-attention (view circuits)"}
)


def _question(source: Source, request: ExportRequest) -> CircuitOf:
    """Of the words that are typed, else of the tokens at the crosshair, else of pairs of words."""
    trace, selection = source.need_trace(), request.selection
    assert selection.head is not None
    typed: str | None = request.own.get("read_word")
    word: str | int | None = typed
    if typed is None and selection.key is not None:
        own = selection.kind is AttentionKind.DECODER_SELF
        word = int((trace.tgt_in_ids if own else trace.src_ids)[selection.key])
    place = (selection.kind, selection.layer, selection.head)
    asker: str | int | None = None
    if selection.kind is AttentionKind.CROSS:
        asker = request.own.get("query_word")
        if asker is None and typed is None and selection.query is not None:
            asker = int(trace.tgt_in_ids[selection.query])
    return CircuitOf(*place, word, asker, model_sha256=trace.model_sha256)


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
    check_cell(trace, selection)
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


def _words(request: ExportRequest) -> list[str]:
    """The head and the tokens at the crosshair, of data as of pictures."""
    selection = request.selection
    head = "mean" if selection.head is None else str(selection.head + 1)
    said = ["--kind", str(selection.kind), "--layer", str(selection.layer + 1), "--head", head]
    for flag, place in (("--query", selection.query), ("--key", selection.key)):
        said += [] if place is None else [flag, str(place + 1)]
    return said


KIND = FigureKind(
    "circuits",
    asked=Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "What the chosen head does in general"),
        check=_check,
        build=_build,
        write=_write,
        help="what a head promotes and attracts, whatever the sentence (circuits)",
        options=(QUERY, KEY, READ_WORD, ASKING_WORD),
        ignored=("scale", "hide_specials"),
        one_map=True,
        asks_model=True,
        offered=lambda trace, selection: selection.head is not None,
        data=lambda source: ("csv", "npz"),
        prefix="circuits",
        words=_words,
    ),
)
