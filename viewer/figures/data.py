"""Data of a figure of a trace: its numbers as CSV, and the whole decoding as NPZ or trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from model.errors import HeadscopeError
from model.files.files import shown
from model.trace.npz_write import write_npz
from model.trace.trace_file import save_trace
from viewer.figures.kind import Writing
from viewer.figures.request import ExportRequest

Write = Callable[[Writing], None]


def of_a_trace(csv: Write) -> Write:
    """`csv` writes the figure's own numbers; NPZ and trace hold the whole decoding, whatever it shows."""

    def write(writing: Writing) -> None:
        source, path = writing.source, writing.path
        if writing.ending == "csv":
            csv(replace(writing, request=uncoloured(writing.request)))
        elif writing.ending == "pharaoh":
            raise HeadscopeError("export_pharaoh", path=shown(path))
        elif writing.ending == "npz":
            write_npz(source.need_trace(), path, importance=source.importance)
        else:
            save_trace(source.need_trace(), path)

    return write


def csv_only(csv: Write) -> Write:
    """A figure whose numbers are no part of a trace; `HeadscopeError` for any other ending."""

    def write(writing: Writing) -> None:
        if writing.ending != "csv":
            raise HeadscopeError("export_csv_only", path=shown(writing.path))
        csv(replace(writing, request=uncoloured(writing.request)))

    return write


def uncoloured(request: ExportRequest) -> ExportRequest:
    """Without what is a picture's business alone: notes on a scale of colours, the look of tokens."""
    return request.but(options=replace(request.options, sqrt_scale=False, raw_pieces=False))
