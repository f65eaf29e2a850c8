"""PARALLEL: a translation read in one pass or step by step, and the time both take, said and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.lessons import parallel as lesson
from model.lessons.lesson import Finding, Numbers, Values
from viewer.figures.canvas.numerals import tiny
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.curves import Curves, Line
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.text_table import TextTable
from viewer.lessons.told import Told

translate = QCoreApplication.translate

_AIR = 1.25  # of a logarithmic axis, beyond its ends


def _control(name: str) -> str:
    return {
        "longest": translate("Lessons", "Longest text, in tokens"),
        "measure": translate("Lessons", "Time"),
        "log": translate("Lessons", "Logarithmic axes"),
        "run": translate("Lessons", "Measurement (change it to measure again)"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "total": translate("Lessons", "for the whole text"),
        "per_token": translate("Lessons", "per token"),
    }.get(option, option)


def _way(name: str) -> str:
    return {
        "one_pass": translate("Lessons", "one pass (teacher forcing)"),
        "cached": translate("Lessons", "step by step, with cache"),
        "recomputed": translate("Lessons", "step by step, without cache"),
        "gru": translate("Lessons", "GRU, the whole text"),
    }[name]


def _finding(found: Finding) -> str:
    text = {
        "equal": translate(
            "Lessons",
            "One pass and {steps} cached steps compute the same: log probabilities differ by {value} at "
            "most, weights by {weights}.",
        ),
        "steps_ratio": translate(
            "Lessons",
            "{length} tokens take {one_pass} ms in one pass and {cached} ms step by step: {value} times "
            "as long.",
        ),
        "cache_ratio": translate(
            "Lessons", "Without a cache the steps take {recomputed} ms, {value} times as long as with one."
        ),
        "gru_ratio": translate(
            "Lessons",
            "The GRU reads them in {gru} ms, {value} times the one pass. Its layers do less work (no "
            "feed-forward network, no cross-attention), but one position after another; on a GPU that "
            "order is what counts.",
        ),
        "growth": translate(
            "Lessons",
            "From {first} to {last} tokens, {value} times as many, one pass takes {one_pass} times as long, "
            "cached steps {cached}, steps without cache {recomputed}, the GRU {gru}.",
        ),
    }[found.name]
    about = {name: tiny(one) if isinstance(one, float) else one for name, one in found.about.items()}
    return text.format(value=tiny(float(found.value or 0.0)), **about)


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    return (_chart(numbers.data, values),), (_table(numbers.data),)


def _chart(data: Mapping[str, Any], values: Values) -> Part:
    lengths, log = data["lengths"].tolist(), bool(values["log"])
    times = {way: found.tolist() for way, found in data["milliseconds"].items()}
    finite = [one for found in times.values() for one in found if np.isfinite(one)] or [1.0]
    low, high = (min(finite) / _AIR, max(finite) * _AIR) if log else span(finite, zero=True)
    first, last = (lengths[0] / _AIR, lengths[-1] * _AIR) if log else (0.0, float(lengths[-1]))
    title = translate("Lessons", "milliseconds")
    if values["measure"] == "per_token":
        title = translate("Lessons", "milliseconds per token")
    return Curves(
        translate("Lessons", "Time against length"),
        Axis(first, last, translate("Lessons", "tokens"), log),
        Axis(low, high, title, log),
        tuple(Line(_way(way), lengths, found, n, dots=True) for n, (way, found) in enumerate(times.items())),
    )


def _table(data: Mapping[str, Any]) -> Part:
    """The lines of the paper's Table 1, with the numbers in hand."""
    n, d = int(data["lengths"][-1]), int(data["d_model"])
    header = (
        translate("Lessons", "layer"),
        translate("Lessons", "complexity per layer"),
        translate("Lessons", "sequential operations"),
        translate("Lessons", "maximum path length"),
    )
    lines = (
        (translate("Lessons", "self-attention"), f"O(n²·d): {n * n * d:,}", "O(1): 1", "O(1): 1"),
        (translate("Lessons", "recurrent"), f"O(n·d²): {n * d * d:,}", f"O(n): {n}", f"O(n): {n}"),
    )
    heading = translate("Lessons", "Table 1 of the paper, with n = {n} tokens and d = {d}")
    return TextTable(heading.format(n=n, d=d), header, lines)


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    data = numbers.data
    texts = [
        translate("Lessons", "measured now on this machine; processor threads: {threads}").format(
            threads=data["threads"]
        ),
        translate("Lessons", "medians of up to {runs} runs").format(runs=data["runs"]),
        translate("Lessons", "GRU: {layers} layers of width {width}, random weights").format(
            layers=data["layers"], width=data["d_model"]
        ),
    ]
    if not data["complete"]:
        texts.insert(0, translate("Lessons", "still measuring"))
    if data["altered"]:
        texts.append(translate("Lessons", "changes made to this run are ignored"))
    return tuple(texts)


PARALLEL = Told(
    lesson.PARALLEL,
    title=lambda: translate("Lessons", "Parallel or step by step"),
    why=lambda: translate(
        "Lessons",
        "In training the whole translation is known, so the decoder reads it in one pass; when it writes, "
        "each token waits for the one before. Both compute the same.",
    ),
    expect=lambda: translate(
        "Lessons",
        "One pass is far quicker than as many steps. With a cache each step computes one position "
        "only; without one it computes all of them again. A GRU has to go step by step even in "
        "training. Times vary with what else the machine is doing.",
    ),
    formula=lambda values: r"p(y_1,\dots,y_n\mid x)=\prod_{t=1}^{n}p(y_t\mid y_1,\dots,y_{t-1},x)",
    paper=lambda: translate(
        "Lessons",
        "Vaswani et al. (2017), section 4 and Table 1 (arXiv 1706.03762); GRU: Cho et al. (2014), section "
        "2.3 (arXiv 1406.1078)",
    ),
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
