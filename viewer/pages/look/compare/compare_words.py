"""Numbers and sentences of a comparison, in the language in force."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication

from viewer.document.text.lists import clauses
from viewer.figures.canvas.numerals import format_weight
from viewer.figures.difference.comparing import Comparing
from viewer.figures.difference.scale import head_differences
from viewer.figures.difference.spec import DifferenceSpec
from viewer.figures.difference.tokens import Totals, totals
from viewer.pages.widgets.wording import percent


def probability(logprob: float | None) -> str:
    """A probability from its logarithm; empty for none."""
    return "" if logprob is None else percent(math.exp(min(0.0, logprob)))


def log_number(value: float | None, *, signed: bool = False) -> str:
    """A logarithm with two decimals and a true minus sign; a dash for none."""
    if value is None or math.isnan(value):
        return "–"
    text = f"{abs(value):.2f}"
    sign = "−" if value < 0 else "+" if signed else ""
    return text if float(text) == 0 else sign + text


def points(value: float | None) -> str:
    """A difference of probabilities in percentage points, with its sign; a dash for none."""
    if value is None:
        return "–"
    text = f"{abs(100 * value):.1f}"
    return text if float(text) == 0 else ("−" if value < 0 else "+") + text


def summary(found: Comparing, spec: DifferenceSpec | None) -> str:
    """How far the two runs agree, in one line."""
    translate = QCoreApplication.translate
    parts = []
    if found.first.trace.steps or found.second.trace.steps:
        parts.append(_agreement(totals(found.first.trace, found.second.trace)))
    cell = None if spec is None else spec.largest
    if spec is not None and cell is not None:
        text = translate("Compare", "largest here {value} at “{query}” × “{key}”")
        label = spec.row_labels[cell[0]]
        value = format_weight(abs(float(spec.matrix[cell])))
        key = spec.column_labels[cell[1]].token.marked
        query = (label.predicted or label.token).marked
        parts.append(text.format(value=value, query=query, key=key))
    elif spec is not None:
        parts.append(translate("Compare", "no difference in this map"))
    return clauses(parts)


def _agreement(of: Totals) -> str:
    translate = QCoreApplication.translate
    if of.first == of.second:
        text = translate("Compare", "{same} of {first} tokens agree; log probability {one} → {other}")
    else:
        text = translate(
            "Compare", "{same} tokens agree of {first} in A, {second} in B; log probability {one} → {other}"
        )
    return text.format(
        same=of.agreeing,
        first=of.first,
        second=of.second,
        one=log_number(of.logprob_first),
        other=log_number(of.logprob_second),
    )


def most_different_head(found: Comparing) -> tuple[int, int, float] | None:
    """Layer and head of the kind in view that differ most, and by how much; None if none does."""
    heads = head_differences(found.first.trace, found.second.trace, found.selection.kind)
    if heads is None or not heads.any():
        return None
    layer, head = divmod(int(heads.argmax()), heads.shape[1])
    return layer, head, float(heads[layer, head])
