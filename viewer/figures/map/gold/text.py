"""Gold text: the badge of a map, the note in its tooltip, the names of the rules."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from model.alignment.aer import Aer
from model.alignment.hard import Rule
from model.alignment.links import Gold


def rule_name(rule: Rule) -> str:
    """Which row speaks for a target word, as a menu has it."""
    if rule == "reads":
        return QCoreApplication.translate("Gold", "the row that reads it")
    return QCoreApplication.translate("Gold", "the row that predicts it")


def rate_text(aer: Aer | None) -> str:
    """An alignment error rate for reading; a dash where there is none."""
    rate = None if aer is None else aer.rate
    return "–" if rate is None else f"{rate:.2f}"


def gold_badge(gold: Gold, rule: Rule, aer: Aer | None, *, one: bool, diagonal: Aer | None = None) -> str:
    """That gold links are drawn, at which rows, and how well the map agrees with them.

    Args:
        aer: None where the map's numbers align nothing.
        one: the map is of one head.
        diagonal: of the plain diagonal, which is named where the map is no better.
    """
    translate = QCoreApplication.translate
    if rule == "reads":
        text = translate("Gold", "gold links at the row that reads the word")
    else:
        text = translate("Gold", "gold links at the row that predicts the word")
    if gold.possible:
        text += translate("Gold", " (dashed: possible)")
    if aer is None:
        return text
    if one:
        rate = translate("Gold", "{links}: AER of this head {rate}")
    else:
        rate = translate("Gold", "{links}: AER of these numbers {rate}")
    said = rate.format(links=text, rate=rate_text(aer))
    if diagonal is None or not aer.no_better_than(diagonal):
        return said
    worse = translate("Gold", "{links}, no better than a diagonal ({rate})")
    return worse.format(links=said, rate=rate_text(diagonal))


def diagonal_text(rate: float | None) -> str:
    """The error rate of the plain diagonal, beside which heads are judged."""
    text = QCoreApplication.translate("Gold", "plain diagonal: {rate}")
    return text.format(rate="–" if rate is None else f"{rate:.2f}")


def gold_note(rates: Mapping[Rule, Aer], diagonal: Aer | None = None) -> str:
    """The error rates under both rules and of the plain diagonal, with their definition."""
    translate = QCoreApplication.translate
    if not rates:
        return translate("Gold", "Scores give no alignment: choose weights for an alignment error rate.")
    lines = [
        translate("Gold", "AER {rate} by {rule}: precision {precision}, recall {recall}").format(
            rate=rate_text(aer),
            rule=rule_name(rule),
            precision=_share(aer.precision),
            recall=_share(aer.recall),
        )
        for rule, aer in rates.items()
    ]
    if diagonal is not None:
        text = translate(
            "Gold",
            "AER of a plain diagonal: {rate} (target word j of J with source word ⌊(j + ½) I / J⌋ of I)",
        )
        lines.append(text.format(rate=rate_text(diagonal)))
    lines.append(
        translate(
            "Gold",
            "AER = 1 − (|A∩S| + |A∩P|) / (|A| + |S|) (Och & Ney 2003), over the whole translation.\n"
            "A links each target word with the source word of the largest weight,\n"
            "start and end tokens left out, pieces merged to words;\n"
            "S are the sure links, P the sure and possible ones.",
        )
    )
    return "\n".join(lines)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
