"""Exports by the ending of the file's name: pictures (png, svg, pdf), animations (gif, webp) and data."""

from __future__ import annotations

from pathlib import Path

from model.errors import HeadscopeError
from model.files.files import StrPath, replace_bytes, shown
from viewer.export.animation import ANIMATIONS, animate, finished
from viewer.export.data import DATA, write_data
from viewer.export.page import build_picture
from viewer.export.picture import FORMATS, to_bytes
from viewer.figures.kind import Subject
from viewer.figures.registry import asked
from viewer.figures.request import ExportRequest, Source

SUFFIXES = (*FORMATS, *ANIMATIONS, *DATA)


def file_format(path: StrPath) -> str:
    """`png`, `svg`, ... by the name's ending; `HeadscopeError` for any other."""
    suffix = Path(path).suffix.lower().removeprefix(".")
    if suffix not in SUFFIXES:
        raise HeadscopeError("export_suffix", path=shown(path))
    return suffix


def write_export(source: Source, request: ExportRequest, path: StrPath) -> str:
    """Write the file.

    Returns:
        the caption of a still picture, drawn or not; empty for anything else.

    Raises:
        HeadscopeError: the source lacks what is asked for, or the file cannot be written; an old one stays.
    """
    wanted = file_format(path)
    if wanted in FORMATS:
        picture = build_picture(source, request)
        replace_bytes(path, to_bytes(picture, wanted, request.dpi))
        return picture.caption
    if wanted in DATA:
        write_data(source, request, path, wanted)
    elif asked(request.view).about is Subject.PAIR:
        raise HeadscopeError("export_compared_moving")
    else:
        finished(animate(source, request, path, wanted), lambda progress: None)
    return ""


def written(request: ExportRequest, path: str, source: Source) -> str:
    """Write the file, as `write_export`; returns its path."""
    write_export(source, request, path)
    return path
