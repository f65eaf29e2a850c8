"""The command that makes the export dialog's file, and why there may be none."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from model.errors import HeadscopeError
from viewer.document.messages.notice import error_sentence
from viewer.document.selection import Selection
from viewer.export import command_line
from viewer.export.animation import ANIMATIONS
from viewer.export.sets import Marked
from viewer.figures.building import as_shown, asks_model
from viewer.figures.kind import Subject
from viewer.figures.registry import asked
from viewer.figures.request import Each, ExportRequest, Source


@dataclass(frozen=True, eq=False)
class ExportContext:
    """What there is to export, as the window shows it.

    Attributes:
        request: the figure in view: its view, selection, options, step, positions and curves.
        trace_path: the file of the trace, or the folder of the time-lapse that it is a frame of; empty when
            it is not saved.
        model: name or folder of the model, empty when there is none.
        compared: what the pane with B of a difference shows; None where nothing is compared.
        compared_paths: the files of A and B, empty where one is not saved.
        language: of the window, for the copied command.
        asks_model: the model in use made the trace: what follows from it can be worked out.
        marks: the bookmarks, as far as they show a figure.
    """

    source: Source
    request: ExportRequest
    trace_path: str = ""
    model: str = ""
    language: str = "en"
    compared: Selection | None = None
    compared_paths: tuple[str, str] = ("", "")
    asks_model: bool = False
    marks: tuple[Marked, ...] = ()


@dataclass(frozen=True)
class Asking:
    """What the fields say: a figure, a file of some format, or the set of files that it begins."""

    request: ExportRequest
    path: str
    file_format: str
    each: Each | None = None


def command(context: ExportContext, asking: Asking) -> str | None:
    """The command that makes the same file; None if there is none, see `no_command`."""
    words = command_words(context, asking)
    try:
        return None if words is None else command_line.command_line(words)
    except HeadscopeError:
        return None


def command_words(context: ExportContext, asking: Asking) -> list[str] | None:
    """The words of the command; None if there are none."""
    request, trace = asking.request, context.source.trace
    kind = asked(request.view)
    if kind.no_command(context.source, request) or asking.each == "bookmarks":
        return None
    source: list[str] | None = None
    if kind.about is Subject.MODEL and not (kind.reads and trace is not None):
        source = command_line.positions_source(context.model) if context.model else None
    elif kind.about is Subject.PAGE:
        return _words_of_page(context, asking)
    elif kind.about is Subject.PAIR:
        source = _source_of_pair(context)
    elif context.trace_path:
        frame = None if context.source.sequence is None or trace is None else trace.frame
        whole = asking.file_format in ANIMATIONS and request.motion.over == "training"
        model = context.model if asks_model(request) or kind.about is Subject.MODEL else ""
        source = command_line.trace_source(context.trace_path, None if whole else frame, model)
    elif trace is not None:
        source = command_line.text_source(trace, context.model)
    if source is None or not asking.path:
        return None
    return command_line.arguments(
        as_shown(context.source, request),
        source,
        asking.path,
        language=context.language,
        file_format=asking.file_format,
        gold=context.source.gold,
        each=asking.each,
    )


def _source_of_pair(context: ExportContext) -> list[str] | None:
    """Two files, or else two texts."""
    if all(context.compared_paths):
        return command_line.compared_source(*context.compared_paths)
    first, second = context.source.need_compared()
    of_one_model = context.model and first.model_sha256 == second.model_sha256
    if not of_one_model:
        return None
    a = command_line.first_source(first, context.model)
    b = command_line.text_source(second, context.model)
    return None if a is None or b is None else [*a, *b]


def _words_of_page(context: ExportContext, asking: Asking) -> list[str] | None:
    """The words of the command that draws what a page shows."""
    page = context.source.page
    if page is None or not asking.path:
        return None
    source: list[str] | None = []
    if page.of_trace:
        trace = context.source.trace
        source = None if trace is None else command_line.text_source(trace, context.model)
    if source is None:
        return None
    return command_line.page_arguments(
        page.command,
        asking.request,
        source,
        asking.path,
        language=context.language,
        file_format=asking.file_format,
    )


def no_command(context: ExportContext, asking: Asking) -> str:
    """Why there is no command for this file."""
    translate, kind = QCoreApplication.translate, asked(asking.request.view)
    reason = kind.no_command(context.source, asking.request)
    if reason:
        return reason
    if asking.each == "bookmarks":
        return translate("ExportDialog", "Bookmarks belong to the window: no command can read them.")
    if kind.about is Subject.PAIR:
        return translate(
            "ExportDialog", "Save both decodings as traces first, and open them: the command compares files."
        )
    if command_words(context, asking) is not None:
        return error_sentence(HeadscopeError("command_unsayable"))
    return translate(
        "ExportDialog", "Save this decoding as a trace first: it cannot be reproduced from its text alone."
    )
