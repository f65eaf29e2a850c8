"""The kind of an alignment: the map, and as data the words that it links."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from model.files.files import shown
from model.trace.trace import AttentionKind
from viewer.document.document import ViewOptions
from viewer.figures.alignment.table import write_alignment_csv, write_alignment_pharaoh
from viewer.figures.asking import check_kind, check_map, not_there, selection_of
from viewer.figures.kind import Asked, FigureKind, Writing
from viewer.figures.known import Missing
from viewer.figures.map.kind import build
from viewer.figures.option import LINKS, NUMBERS, RULE, SOURCE_WORDS, TARGET_WORDS
from viewer.figures.request import ExportRequest, Source


def check(source: Source, request: ExportRequest) -> None:
    """As of a map, which has to be of cross-attention."""
    kind = request.selection.kind
    check_kind(source.need_trace(), kind)
    if kind is not AttentionKind.CROSS:
        raise HeadscopeError("export_alignment_kind")
    check_map(source, request)


def write(writing: Writing) -> None:
    """The links with their weights as a table, or as a line in Pharaoh format."""
    source, request, path = writing.source, writing.request, writing.path
    check(source, request)
    trace, rule, selection = (
        source.need_trace(),
        request.options.alignment_rule,
        selection_of(source, request),
    )
    try:
        if writing.ending == "csv":
            # Words are merged and edges left out whatever the map in view does.
            plain = request.but(options=ViewOptions(alignment_rule=rule))
            notes = "; ".join(writing.build(plain).body.badges)
            write_alignment_csv(
                path, trace, selection, rule, gold=source.gold, notes=notes, known=source.known
            )
        elif writing.ending == "pharaoh":
            write_alignment_pharaoh(path, trace, selection, rule, gold=source.gold, known=source.known)
        else:
            raise HeadscopeError("export_csv_only", path=shown(path))
    except Missing as missing:
        raise not_there(source, missing.reading) from None


KIND = FigureKind(
    "alignment",
    asked=Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "The word links of this map"),
        check=check,
        build=build,
        write=write,
        help="the words that a map links (alignment)",
        options=(NUMBERS, LINKS, SOURCE_WORDS, TARGET_WORDS, RULE),
        ignored=("hide_specials",),
        one_map=True,
        numbered=True,
        offered=lambda trace, selection: selection.kind is AttentionKind.CROSS and trace.steps > 0,
        pictured=False,
        data=lambda source: ("pharaoh", "csv"),
        prefix="alignment",
    ),
)
