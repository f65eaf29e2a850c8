"""The kind of effects: what carrying over from A into B did."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import QCoreApplication

from model.alterations.effects import What
from model.errors import HeadscopeError
from model.files.files import shown
from model.questions.causes.patch_report import pair_facts, patch_report
from model.questions.causes.patching import By, Measured, Patched, PatchOf, PathOf, matched
from model.questions.causes.places import head_place, receiver
from model.questions.causes.report import FORMS
from model.questions.causes.words import PieceOf
from model.questions.questions import Reading
from viewer.figures.asking import answer_to, check_range
from viewer.figures.effects.build import effects_figure
from viewer.figures.effects.layout import effects_geometry, effects_height
from viewer.figures.effects.paint import paint_effects
from viewer.figures.effects.spec import EffectsSpec
from viewer.figures.effects.spoken import spoken_effects
from viewer.figures.figure import FigureSpec
from viewer.figures.kind import Asked, Drawing, FigureKind, Subject, Writing
from viewer.figures.option import RIVAL, WORD, Option
from viewer.figures.request import ExportRequest, Source

WHAT = Option(
    "what",
    {"choices": get_args(What), "help": "of effects: what is carried from A into B (default heads)"},
)
BY = Option(
    "by",
    {"choices": get_args(By), "help": "of effects: cells are heads (default) or positions"},
)
PATH = Option(
    "path",
    {
        "metavar": "KIND:L:H",
        "help": "of effects: carry this head's output along direct paths only, to every receiver",
    },
)
INTO = Option(
    "into",
    {
        "metavar": "KIND:L:H:q,…",
        "help": "of effects: with --path, only into these heads' queries, keys (k) or values (v), or final",
    },
)


def check(source: Source, request: ExportRequest) -> None:
    """Two decodings, the step of B, and what goes with what."""
    first, second = source.need_compared()
    if not (first.steps and second.steps):
        raise HeadscopeError("inspection_nothing")
    if request.step is not None:
        check_range("step", request.step, second.steps)
    path, into, what, by = (request.own.get(name) for name in ("path", "into", "what", "by"))
    if (path and (what or by)) or (into and not path) or (what == "residual" and by == "head"):
        raise HeadscopeError("export_effects_options")


def build(source: Source, request: ExportRequest) -> FigureSpec[EffectsSpec]:
    """The grids."""
    return effects_figure(_answer(source, request), *source.need_compared())


def write(writing: Writing) -> None:
    """Every cell, as the command `patch` writes it."""
    if writing.ending not in FORMS:
        raise HeadscopeError("export_compared_trace", path=shown(writing.path))
    writing.build(writing.request)  # which checks
    report = patch_report(_answer(writing.source, writing.request))
    report.under(pair_facts(*writing.source.need_compared())).write(writing.path, writing.ending)


def _answer(source: Source, request: ExportRequest) -> Patched:
    first, second = source.need_compared()
    a, b, own = Reading.of(first), Reading.of(second), request.own
    step = matched(a, b).differs if request.step is None else request.step
    word, rival = (_piece(source, own.get(name, ""), first=step == 0) for name in ("word", "rival"))
    measured = Measured(a, request.step, word, rival)
    question: PatchOf | PathOf
    if own.get("path"):
        into = [receiver(part) for part in own.get("into", "").split(",") if part.strip()]
        question = PathOf(measured, head_place(own["path"]), tuple(into))
    else:
        question = PatchOf(measured, own.get("what", "heads"), own.get("by", "head"))
    found: Patched = answer_to(source, question)
    return found


def _piece(source: Source, word: str, *, first: bool) -> int | None:
    """The id of the piece that a word begins with."""
    found: int | None = answer_to(source, PieceOf(word, first)) if word else None
    return found


KIND = FigureKind(
    "effects",
    Drawing(
        EffectsSpec,
        effects_geometry,
        effects_height,
        paint_effects,
        signed=lambda spec: True,
        rooted=lambda spec: False,
        rows=lambda spec: spec.rows(),
        spoken=spoken_effects,
    ),
    Asked(
        label=lambda: QCoreApplication.translate("ExportForm", "Effects of carrying over"),
        check=check,
        build=build,
        write=write,
        about=Subject.PAIR,
        help="what each place of A does inside B (effects)",
        options=(WORD, RIVAL, WHAT, BY, PATH, INTO),
        ignored=("kind", "layer", "head", "scale", "hide_specials", "raw_pieces"),
        asks_model=True,
        offered=lambda trace, selection: False,  # Carry over shows it, and so is a page of its own
        data=lambda source: ("csv", "npz"),
    ),
)
