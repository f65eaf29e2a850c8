"""The kind of what a page of the window shows, whatever it draws."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from model.files.files import replacing, shown, write_chunks
from viewer.figures.figure import AnyFigure
from viewer.figures.kind import Asked, FigureKind, Subject, Writing
from viewer.figures.request import ExportRequest, Page, Source
from viewer.figures.table import csv_chunks


def _page(source: Source) -> Page:
    if source.page is None:
        raise HeadscopeError("export_no_page")
    return source.page


def check(source: Source, request: ExportRequest) -> None:
    """Whether a page shows something."""
    _page(source)


def build(source: Source, request: ExportRequest) -> AnyFigure:
    """What it shows."""
    return _page(source).figure


def write(writing: Writing) -> None:
    """The page's own table."""
    page = _page(writing.source)
    if writing.ending != "csv" or page.table is None:
        code = "export_csv_only" if page.table is not None else "export_no_table"
        raise HeadscopeError(code, path=shown(writing.path))
    with replacing(writing.path) as temporary:
        write_chunks(temporary, csv_chunks(_plain(line) for line in page.table))


def no_command(source: Source, request: ExportRequest) -> str:
    """Some pages are drawn by a command."""
    if source.page is not None and source.page.command:
        return ""
    return QCoreApplication.translate(
        "ExportDialog", "No command draws this page; export the picture from here."
    )


def _plain(line: Sequence[object]) -> list[object]:
    """Numbers with nine significant digits, enough to give every float32 back exactly."""
    return [f"{float(v):.9g}" if isinstance(v, float | np.floating) else v for v in line]


KIND = FigureKind(
    "page",
    asked=Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "What this page shows"),
        check=check,
        build=build,
        write=write,
        about=Subject.PAGE,
        data=lambda source: () if source.page is None or source.page.table is None else ("csv",),
        stem=lambda request, page: page or "page",
        no_command=no_command,
    ),
)
