"""prune_sheet: pruning curves as a figure, and what they say in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.questions.causes import pruning
from model.questions.causes.pruning import SPARED, By, Pruned, PruneOf, With, notes_of
from viewer.document.text.lists import clauses
from viewer.document.text.method_text import CONTEXT
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.curves import Curves, Line
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.text import sentence

translate = QCoreApplication.translate


def by_name(by: By) -> str:
    """The order, as a menu lists it."""
    return {
        "importance": translate("Pruning", "by importance"),
        "gradient": translate("Pruning", "by gradient"),
        "random": translate("Pruning", "in random order"),
    }[by]


def with_name(replaced: With) -> str:
    """What takes a head's place, as a menu lists it."""
    return {
        "zero": translate("Pruning", "zero"),
        "mean": translate("Pruning", "mean"),
        "resample": translate("Pruning", "resampled"),
    }[replaced]


def formula_of(question: PruneOf) -> tuple[str, str]:
    """How the order is made, and what takes a head's place, in the language in force."""
    return (
        translate(CONTEXT, pruning.FORMULAS[question.by]),
        translate(CONTEXT, pruning.REPLACED[question.replaced]),
    )


def prune_sheet(found: Sequence[Pruned]) -> FigureSpec[SheetSpec] | None:
    """Log probability and BLEU by heads off, and the joint cost beside the sum of single ones."""
    if not found:
        return None
    newest = found[-1]
    title = translate(CONTEXT, pruning.LABEL)
    off = Axis(0, max(1, len(newest.order)), translate("Pruning", "heads off"), whole=True)
    logprobs = _lines(found, [each.logprob for each in found])
    bleus = _lines(found, [each.bleu for each in found])
    low, high = span(*(line.ys for line in logprobs))
    parts = [
        Curves(
            translate("Pruning", "Log probability"),
            off,
            Axis(low, high, translate("Pruning", "ln p per target token")),
            logprobs,
        ),
        Curves(
            translate("Pruning", "BLEU of greedy translations"),
            off,
            Axis(0, max(1.0, *(float(np.max(each.bleu)) for each in found)), "BLEU"),
            bleus,
        ),
    ]
    if newest.asked.by == "importance":
        parts.append(_repair(newest, off))
    methods = tuple(dict.fromkeys(said for each in found for said in formula_of(each.asked)))
    notes = (
        facts(newest),
        *(sentence(said[:1].upper() + said[1:]) for said in methods),
        translate(CONTEXT, pruning.CAVEAT),
        translate("Numbers", "Source: {source}.").format(source=pruning.SOURCE),
    )
    badges = tuple(dict.fromkeys(clauses(_names(each.asked)) for each in found))
    told = {
        "view": "pruning",
        "notes": list(notes_of(newest.asked)),
        "model_name": newest.model_name,
        "model_sha256": newest.asked.model_sha256,
    }
    return FigureSpec(SheetSpec(title, badges, (tuple(parts),), notes=notes), sentence(title), told)


def facts(found: Pruned) -> str:
    """What the curve is of, and what it says."""
    name = Path(found.asked.path).name
    said = [
        translate(
            "Pruning",
            "{name}, model {model}: {sentences} sentences, {tokens} target tokens; BLEU {bleu} with all "
            "heads.",
        ).format(
            name=name,
            model=found.model_name,
            sentences=f"{found.sentences:,}",
            tokens=f"{found.tokens:,}",
            bleu=f"{found.bleu[0]:.1f}",
        )
    ]
    if found.left_out:
        text = translate("Pruning", "{count} were too long or empty.")
        said.append(text.format(count=f"{found.left_out:,}"))
    if len(found.counts) > 1:
        text = translate("Pruning", "Up to {count} of {heads} heads off cost at most {bleu} BLEU.")
        said.append(text.format(count=found.spared(SPARED), heads=len(found.order), bleu=f"{SPARED:g}"))
    at = found.repair()
    if at is not None:
        text = translate(
            "Pruning",
            "From {count} heads off on they cost more together than the sum of each alone: there {joint} "
            "nats a token against {summed}, at the end {last} against {all}. While the others are on, they "
            "make up for one that is missing (self-repair).",
        )
        said.append(
            text.format(
                count=int(found.counts[at]),
                joint=_number(found.joint[at]),
                summed=_number(found.summed[at]),
                last=_number(found.joint[-1]),
                all=_number(found.summed[-1]),
            )
        )
    return " ".join(said)


def _lines(found: Sequence[Pruned], values: Sequence[pruning.Doubles]) -> tuple[Line, ...]:
    """A line a curve, the newest first among colours."""
    last = len(found) - 1
    return tuple(
        Line(clauses(_names(each.asked)), each.counts.tolist(), ys.tolist(), last - place, dots=True)
        for place, (each, ys) in enumerate(zip(found, values, strict=True))
    )


def _repair(found: Pruned, off: Axis) -> Curves:
    joint, summed = found.joint.tolist(), found.summed.tolist()
    low, high = span(joint, summed, zero=True)
    return Curves(
        translate("Pruning", "What heads cost together and alone"),
        off,
        Axis(low, high, translate("Pruning", "nats per target token")),
        (
            Line(translate("Pruning", "together"), found.counts.tolist(), joint, 0, dots=True),
            Line(translate("Pruning", "sum of each alone"), found.counts.tolist(), summed, 1, dots=True),
        ),
    )


def _names(question: PruneOf) -> tuple[str, str]:
    return by_name(question.by), with_name(question.replaced)


def _number(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")
