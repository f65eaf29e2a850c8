"""The arithmetic of one weight: which cell, what to ask of the model, and the figure of its answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.questions.answers import RowArithmetic
from model.questions.questions import RowOf
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.alteration_text import blocked_keys
from viewer.document.document import ViewOptions
from viewer.document.selection import Numbers, Selection
from viewer.document.text.lists import clauses
from viewer.document.text.place_text import kind_name, map_place
from viewer.figures.arithmetic.check import Check
from viewer.figures.arithmetic.spec import ArithmeticSpec, Stage, plain_formula
from viewer.figures.arithmetic.stages import Cell, stages_of
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.numerals import format_weight
from viewer.figures.figure import FigureSpec
from viewer.figures.map.axes import axes_of
from viewer.figures.map.damage import damage_badges
from viewer.figures.text import map_title, provenance_caption, title_line, trace_badges, trace_facts


def cell_in_view(trace: Trace, selection: Selection) -> tuple[int, int] | None:
    """Query and key to work out: the crosshair's, else the strongest key of the current step's row.

    The encoder has no steps: there it is the first row. None if there are no such weights.
    """
    kind = selection.kind
    if kind not in trace.kinds:
        return None
    queries, keys = len(trace.query_tokens(kind)), len(trace.key_tokens(kind))
    query, key = selection.query, selection.key
    if query is None or key is None or not (0 <= query < queries and 0 <= key < keys):
        query = 0 if kind is AttentionKind.ENCODER_SELF else selection.step
        if not 0 <= query < queries or not keys:
            return None
        key = int(trace.row(kind, selection.layer, selection.head, query).argmax())
    return query, key


def question_of(trace: Trace, selection: Selection) -> RowOf | None:
    """What to ask of the model for the cell in view; None for the mean over heads, or without a cell."""
    cell = cell_in_view(trace, selection)
    if cell is None or selection.head is None:
        return None
    return RowOf(selection.kind, selection.layer, selection.head, cell[0])


def strongest_head(trace: Trace, selection: Selection) -> int:
    """The head of the layer in view that puts most weight on the cell in view."""
    cell = cell_in_view(trace, selection)
    if cell is None:
        return 0
    heads = range(trace.heads(selection.kind))
    weights = [trace.row(selection.kind, selection.layer, head, cell[0])[cell[1]] for head in heads]
    return int(np.argmax(weights))


def arithmetic_figure(
    trace: Trace,
    selection: Selection,
    answer: RowArithmetic,
    view: ViewOptions,
    *,
    folded: Collection[Stage] = (),
    provenance: Mapping[str, Any] | None = None,
) -> FigureSpec[ArithmeticSpec]:
    """The arithmetic of the cell in view.

    Args:
        answer: to `question_of(trace, selection)`.
        folded: stages of which only the heading is drawn.
        provenance: facts about where the trace came from, added to the figure's own.

    Raises:
        ValueError: the answer is to another question.
        HeadscopeError: `trace_values`: the trace file's numbers are no attention weights.
    """
    cell = cell_in_view(trace, selection)
    asked = question_of(trace, selection)
    if cell is None or asked != RowOf(answer.kind, answer.layer, answer.head, answer.query):
        raise ValueError("the answer is not about the cell in view")
    kind, key = answer.kind, cell[1]
    axes = axes_of(trace, kind, raw=view.raw_pieces, hide=False)
    row, check = axes.rows[answer.query], Check.of(trace, answer)
    about = Cell(
        answer=answer,
        key=key,
        names=tuple(label.token for label in axes.columns),
        query=row.token.marked,
        why=_why_forbidden(trace, answer, key, axes.columns[key].token.marked),
        check=check,
    )
    heads = trace.heads(kind)
    spec = ArithmeticSpec(
        answer=answer,
        key=key,
        tokens=trace.key_tokens(kind),
        query_token=trace.query_tokens(kind)[answer.query],
        recorded=check.recorded,
        title=map_title(kind, answer.layer, trace.layers(kind), answer.head, heads),
        kind_name=kind_name(kind),
        badges=(
            *damage_badges(trace, selection.but(head=answer.head), Numbers.WEIGHTS),
            *trace_badges(trace, sqrt_scale=False),
        ),
        lead=_lead(answer, row, about, map_place(kind, answer.layer, answer.head, heads)),
        stages=tuple(replace(stage, folded=stage.stage in folded) for stage in stages_of(about)),
    )
    return FigureSpec(spec, _caption(trace, spec, provenance or {}), _facts(trace, spec, provenance or {}))


def _lead(answer: RowArithmetic, row: AxisLabel, about: Cell, place: str) -> str:
    """The sentence that all is about."""
    translate = QCoreApplication.translate
    values = {"place": place, "key": about.name, "query": row.token.marked}
    shown = about.check.recorded if about.check.numbers == "pattern" else answer.pattern
    values["weight"] = format_weight(float(shown[about.key]))
    if row.predicted is not None:
        values |= {"query": row.predicted.marked, "read": row.token.marked}
        text = translate(
            "Arithmetic", "{place}: having read “{read}”, predicting “{query}” reads “{key}” {weight}"
        )
    else:
        text = translate("Arithmetic", "{place}: “{query}” reads “{key}” {weight}")
    return text.format(**values)


def _why_forbidden(trace: Trace, answer: RowArithmetic, key: int, name: str) -> str:
    """Why a key may not be read, in a sentence; empty if it may."""
    translate = QCoreApplication.translate
    if not answer.forbidden[key]:
        return ""
    kind = answer.kind
    if kind is AttentionKind.DECODER_SELF and key > answer.query and trace.is_causal:
        text = translate("Arithmetic", "Masked: “{key}” comes later; a decoder reads no token after its own.")
    elif key in blocked_keys(trace, kind):
        text = translate("Arithmetic", "Masked: the source token “{key}” is blocked (What if).")
    else:
        text = translate("Arithmetic", "Masked: the model may not read “{key}” here.")
    return text.format(key=name)


def _caption(trace: Trace, spec: ArithmeticSpec, provenance: Mapping[str, Any]) -> str:
    formula = QCoreApplication.translate(
        "Arithmetic",
        "Scaled dot-product attention, recomputed from the model's weights (Vaswani et al. 2017, "
        "section 3.2): {formulas}.",
    )
    formulas = clauses(plain_formula(stage.formula) for stage in spec.stages)
    about = provenance_caption(trace, title_line(spec.title, spec.kind_name), spec.badges, provenance)
    return f"{formula.format(formulas=formulas)} {about}"


def _facts(trace: Trace, spec: ArithmeticSpec, provenance: Mapping[str, Any]) -> dict[str, Any]:
    answer, check = spec.answer, Check.of(trace, spec.answer)
    difference: float | None = None
    if check.numbers == "pattern" and not check.unknowable:
        difference = float(np.abs(check.expected(answer).astype(np.float64) - spec.recorded).max())
    return trace_facts(trace) | {
        "view": "arithmetic",
        "kind": str(answer.kind),
        "layer": answer.layer,
        "head": answer.head,
        "query": answer.query,
        "key": spec.key,
        "step": None if answer.kind is AttentionKind.ENCODER_SELF else answer.query,
        "weight": float(answer.pattern[spec.key]),
        "recorded": float(spec.recorded[spec.key]),
        "largest_difference": difference,
        "badges": list(spec.badges),
        "provenance": dict(provenance),
    }
