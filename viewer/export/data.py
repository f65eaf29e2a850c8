"""Data of a figure as files: CSV, NPZ, trace, as its kind writes them."""

from __future__ import annotations

from functools import partial

from model.files.files import StrPath
from viewer.figures.building import build_figure
from viewer.figures.kind import Writing
from viewer.figures.registry import asked
from viewer.figures.request import ExportRequest, Source

DATA = ("csv", "npz", "trace", "pharaoh")


def write_data(source: Source, request: ExportRequest, path: StrPath, wanted: str) -> None:
    """Write a figure's numbers; NPZ and trace of attention hold the whole decoding, whatever it shows of it.

    Raises:
        HeadscopeError: the source lacks what is asked for, the figure has no such data, or the file cannot
            be written; an old one stays.
    """
    asked(request.view).write(Writing(source, request, wanted, path, partial(build_figure, source)))
