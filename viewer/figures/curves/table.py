"""Curves as a table: every step and every evaluation, a line a step."""

from __future__ import annotations

import math

from viewer.document.training.curves import Curves
from viewer.figures.curves.spec import CurvesSpec
from viewer.figures.table import Rows

HEADER = ("step", *Curves.NAMES)
_BY_STEP, _BY_EVALUATION = Curves.NAMES[:4], Curves.NAMES[4:]
_PART = 1 << 16


def curves_rows(spec: CurvesSpec) -> Rows:
    """Every step and every evaluation, one line a step, what was not measured there left empty."""
    curves = spec.curves
    yield list(HEADER)
    evaluations: dict[float, dict[str, float]] = {}
    for name in _BY_EVALUATION:
        steps, values = curves.series(name)
        for step, value in zip(steps.tolist(), values.tolist()):
            evaluations.setdefault(step, {})[name] = value
    steps = curves.series(_BY_STEP[0])[0]
    columns = [curves.series(name)[1] for name in _BY_STEP]
    # Step by step in bounded pieces: a run of a million steps would fill memory as Python numbers.
    pending = sorted(evaluations)
    nothing = [math.nan] * len(_BY_STEP)
    for begin in range(0, len(steps), _PART):
        part = slice(begin, begin + _PART)
        for step, *measures in zip(steps[part].tolist(), *(column[part].tolist() for column in columns)):
            while pending and pending[0] < step:
                alone = pending.pop(0)
                yield _line(alone, nothing, evaluations[alone])
            found = evaluations[pending.pop(0)] if pending and pending[0] == step else {}
            yield _line(step, measures, found)
    for alone in pending:
        yield _line(alone, nothing, evaluations[alone])


def _line(step: float, measures: list[float], evaluation: dict[str, float]) -> list[str]:
    found = [evaluation.get(name, math.nan) for name in _BY_EVALUATION]
    return [str(int(step)), *(_number(value) for value in (*measures, *found))]


def _number(value: float) -> str:
    """Nine significant digits; nothing for what was not measured."""
    return f"{value:.9g}" if math.isfinite(value) else ""
