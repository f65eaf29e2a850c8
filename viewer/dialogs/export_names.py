"""Names for exported files that tell those of one session apart: `cross-layer2-head3-step5`."""

from __future__ import annotations

from pathlib import Path

from model.trace import Trace
from viewer.dialogs.export_form import DATA
from viewer.export.request import ONE_MAP, ExportRequest, FigureKind
from viewer.export.writers import SUFFIXES
from viewer.state.selection import Numbers


def with_ending(path: Path, file_format: str) -> str:
    """The path with the ending of a format, instead of another format's; a dot within a name stays."""
    plain = path.with_suffix("") if path.suffix.lower().removeprefix(".") in SUFFIXES else path
    return f"{plain}.{file_format}"


def stem(what: str, request: ExportRequest, *, trace: Trace | None, over: str = "", page: str = "") -> str:
    """A file's name without its ending.

    Args:
        what: a `FigureKind`, or `DATA`.
        over: what an animation runs through; empty for a still picture.
        page: the name of what a page shows.
    """
    if what == FigureKind.PAGE:
        return page or "page"
    if what in (FigureKind.POSITIONS, FigureKind.SHARES):
        return str(what)
    if what == DATA:
        return "decoding"
    selection, step = request.selection, request.step
    if what == FigureKind.ALL_HEADS:
        return "all-heads" if step is None else f"all-heads-step{step + 1}"
    parts = [] if what in (FigureKind.HEATMAP, FigureKind.HEADS) else [str(what)]
    if what in ONE_MAP and selection.numbers is not Numbers.WEIGHTS and what != FigureKind.ARITHMETIC:
        parts.append(str(selection.numbers).replace("_", "-"))
    parts.append(str(selection.kind).replace("_", "-"))
    if what == FigureKind.HEADS:
        parts.append("heads")
    else:
        head = "mean" if selection.head is None else f"head{selection.head + 1}"
        parts += [f"layer{selection.layer + 1}", head]
    if over:
        return "-".join([*parts, over])
    if trace is not None and trace.frame_kind == "training_step":
        parts.append(f"at{trace.frame}")
    return "-".join(parts + ([] if step is None else [f"step{step + 1}"]))
