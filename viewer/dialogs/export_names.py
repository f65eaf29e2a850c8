"""Names for exported files that tell those of one session apart: `cross-layer2-head3-step5`."""

from __future__ import annotations

from pathlib import Path

from model.trace.trace import Trace
from viewer.dialogs.export_form import DATA
from viewer.document.selection import Numbers
from viewer.export.writers import SUFFIXES
from viewer.figures.registry import asked
from viewer.figures.request import ExportRequest


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
    kind, selection, step = asked(what), request.selection, request.step
    if kind.stem is not None:
        return kind.stem(request, page)
    parts = [kind.prefix] if kind.prefix else []
    if kind.numbered and selection.numbers is not Numbers.WEIGHTS:
        parts.append(str(selection.numbers).replace("_", "-"))
    parts.append(str(selection.kind).replace("_", "-"))
    if kind.one_map:
        head = "mean" if selection.head is None else f"head{selection.head + 1}"
        parts += [f"layer{selection.layer + 1}", head]
    else:
        parts.append(what)
    if over:
        return "-".join([*parts, over])
    if trace is not None and trace.frame_kind == "training_step":
        parts.append(f"at{trace.frame}")
    return "-".join(parts + ([] if step is None else [f"step{step + 1}"]))
