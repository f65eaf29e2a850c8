"""Names for exported files that tell those of one session apart, and what a file's size is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from model.trace.trace import Trace
from viewer.dialogs.export_form import DATA
from viewer.document.selection import Numbers
from viewer.export.page import PlacedPage
from viewer.export.picture import MM_PER_INCH, PX_PER_INCH, pixels_of
from viewer.export.writers import SUFFIXES
from viewer.figures.map.numbers import shown_numbers
from viewer.figures.registry import asked
from viewer.figures.request import Each, ExportRequest


def with_ending(path: Path, file_format: str) -> str:
    """The path with the ending of a format, instead of another format's; a dot within a name stays."""
    plain = path.with_suffix("") if path.suffix.lower().removeprefix(".") in SUFFIXES else path
    return f"{plain}.{file_format}"


def stem(what: str, request: ExportRequest, *, trace: Trace | None, over: str = "", page: str = "") -> str:
    """A file's name without its ending.

    Args:
        what: the name of a kind of figure, or `DATA`.
        over: what an animation runs through; empty for a still picture.
        page: the name of what a page shows.
    """
    if what == DATA:
        return "decoding"
    kind, step = asked(what), request.step
    if kind.stem is not None:
        return kind.stem(request, page)
    if kind.numbered and trace is not None:  # what is shown, which may not be what is chosen
        shown = shown_numbers(trace, request.selection)
        request = request.but(selection=request.selection.but(numbers=shown))
    parts = _parts(what, request)
    if over:
        return "-".join([*parts, over])
    if trace is not None and trace.frame_kind == "training_step":
        parts.append(f"at{trace.frame}")
    return "-".join(parts + ([] if step is None else [f"step{step + 1}"]))


def set_stem(what: str, request: ExportRequest, each: Each) -> str:
    """What the names of a set's files begin with: all but what tells them apart."""
    if each == "steps":
        return stem(what, request.but(step=None), trace=None)
    step = [] if request.step is None else [f"step{request.step + 1}"]
    return "-".join([*_parts(what, request, place=False), *step])


def _parts(what: str, request: ExportRequest, *, place: bool = True) -> list[str]:
    """What a name says of a map; without `place` not its layer and head."""
    kind, selection = asked(what), request.selection
    parts = [kind.prefix] if kind.prefix else []
    if kind.numbered and selection.numbers is not Numbers.WEIGHTS:
        parts.append(str(selection.numbers).replace("_", "-"))
    parts.append(str(selection.kind).replace("_", "-"))
    if kind.one_map and place:
        head = "mean" if selection.head is None else f"head{selection.head + 1}"
        parts += [f"layer{selection.layer + 1}", head]
    elif not kind.one_map:
        parts.append(what)
    return parts


def size_text(page: PlacedPage, file_format: str, request: ExportRequest) -> str:
    """How large the file is that is written: "84.0 × 64.9 mm, 992 × 767 pixels, labels 6.0 pt"."""
    picture = page.picture
    if file_format == "png":
        size = pixels_of(picture, request.dpi)
        across, down = (side * MM_PER_INCH / request.dpi for side in (size.width(), size.height()))
    else:
        across, down = (side * MM_PER_INCH / PX_PER_INCH for side in (picture.width, picture.height))
    translate = QCoreApplication.translate
    parts = [
        translate("ExportForm", "{width} × {height} mm").format(width=f"{across:.1f}", height=f"{down:.1f}")
    ]
    if file_format == "png":
        text = translate("ExportForm", "{width} × {height} pixels")
        parts.append(text.format(width=size.width(), height=size.height()))
    points = page.label_points
    if points is not None:
        parts.append(translate("ExportForm", "labels {points} pt").format(points=f"{points:.1f}"))
    return translate("ExportForm", ", ").join(parts)
