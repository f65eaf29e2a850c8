"""`Check`: the weights worked out again against those recorded, and what the model used of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.questions.answers import RowArithmetic
from model.trace.trace import Floats, Trace
from viewer.document.alterations.alteration_text import output_factors, set_rows
from viewer.figures.arithmetic.spec import Line, sixth

TOLERANCE = 1e-5
HALF_TOLERANCE = 2e-3
NARROW_TOLERANCE = 1e-2
"""Of float32; of float32 stored in half precision; of a model that computes in half precision."""

translate = QCoreApplication.translate


@dataclass(frozen=True, eq=False)
class Check:
    """The recorded row and what there is to know about it.

    Attributes:
        recorded: [K] as the trace has it.
        numbers: what the trace's numbers are; `pattern` for attention weights.
        narrow: the type that the recording was computed in, if not float32.
        row_set: the row was set by hand.
        factor: what multiplies the head's output.
    """

    recorded: Floats
    numbers: str = "pattern"
    narrow: str = ""
    row_set: bool = False
    factor: float = 1.0

    @classmethod
    def of(cls, trace: Trace, answer: RowArithmetic) -> Check:
        """What a trace says of the row."""
        kind, layer, head = answer.kind, answer.layer, answer.head
        return cls(
            recorded=trace.row(kind, layer, head, answer.query),
            numbers=trace.numbers,
            narrow="" if trace.compute_dtype == "float32" else trace.compute_dtype,
            row_set=answer.query in set_rows(trace, kind, layer, head),
            factor=output_factors(trace, kind, layer)[head],
        )

    def expected(self, answer: RowArithmetic) -> Floats:
        """[K] what the trace should have: the softmax, or the row that was set.

        A trace records what a head attends to, not how its output is scaled.
        """
        if self.row_set and self.factor:
            return (answer.used.astype(np.float64) / self.factor).astype(np.float32)
        return answer.pattern

    @property
    def unknowable(self) -> bool:
        """Whether the row that was set is lost in the arithmetic: its head is switched off besides."""
        return self.row_set and self.factor == 0


def check_lines(check: Check, answer: RowArithmetic, key: int) -> list[Line]:
    """The recorded weight beside the one worked out, and whether the whole row agrees."""
    if check.numbers != "pattern":
        text = translate(
            "Arithmetic", "The recording holds “{name}”, not attention weights, so the two are not compared."
        )
        return [Line(text.format(name=check.numbers), "note")]
    lines = []
    if check.row_set:
        text = translate(
            "Arithmetic",
            "This row was set by hand (What if): the softmax gives {pattern}, the model used {set}.",
        )
        values = {"pattern": sixth(float(answer.pattern[key])), "set": sixth(float(check.recorded[key]))}
        lines.append(Line(text.format(**values), "warning"))
        if check.unknowable:
            return lines
    expected = check.expected(answer)
    return [*lines, *_compared(check, expected, key)]


def _compared(check: Check, expected: Floats, key: int) -> list[Line]:
    mine, theirs = float(expected[key]), float(check.recorded[key])
    values = {"mine": sixth(mine), "theirs": sixth(theirs), "difference": _size(mine - theirs)}
    both = translate("Arithmetic", "Recomputed {mine}, recorded {theirs}; difference {difference}")
    lines = [Line(both.format(**values))]
    row = float(np.abs(expected.astype(np.float64) - check.recorded).max())
    tolerance, reason = _tolerance(check)
    values = {"largest": _size(row), "tolerance": f"{tolerance:g}", "count": str(len(expected))}
    if row <= TOLERANCE:
        tolerance, reason = TOLERANCE, ""
        values["tolerance"] = f"{tolerance:.5f}"
    if row <= tolerance:
        text = translate("Arithmetic", "All {count} weights of the row agree within {tolerance}{reason}.")
        return [*lines, Line(text.format(**values, reason=reason), "good")]
    text = translate(
        "Arithmetic",
        "The row differs by up to {largest}: what was recorded does not come from this computation.",
    )
    return [*lines, Line(text.format(**values), "warning")]


def _size(difference: float) -> str:
    return f"{abs(difference):.1e}" if difference else "0"


def _tolerance(check: Check) -> tuple[float, str]:
    """How far a true recording may lie from float32 arithmetic, and why."""
    if check.narrow:
        text = translate("Arithmetic", " (recorded in {dtype})")
        return NARROW_TOLERANCE, text.format(dtype=check.narrow)
    if np.array_equal(check.recorded, check.recorded.astype(np.float16).astype(np.float32)):
        return HALF_TOLERANCE, translate("Arithmetic", " (stored in half precision)")
    return TOLERANCE, ""
