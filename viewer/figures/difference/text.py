"""Difference text: labels, badges, caption, and what its data say of both runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.trace.trace import Trace
from viewer.document.run_source import RunSource
from viewer.document.text.input_text import input_text
from viewer.document.text.token_text import TokenText
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.difference.alignment import alignment
from viewer.figures.difference.spec import DifferenceSpec
from viewer.figures.text import decoding_text, made_by, sentence, title_line, trace_badges

SIDES = ("A", "B")
_LONGEST = 300


def side_text(side: int, text: str) -> str:
    """Such as "A: rouge"; `side` 0 for A, 1 for B."""
    return QCoreApplication.translate("Compare", "{side}: {text}").format(side=SIDES[side], text=text)


def only_label(label: AxisLabel, side: int) -> AxisLabel:
    """The label of a token that only one run has."""
    return replace(label, token=_named(label.token, side_text(side, label.token.marked)))


def both_label(first: AxisLabel, second: AxisLabel, *, replaced: bool = False) -> AxisLabel:
    """The label of a pair: of a token that both have, or (`replaced`) of two different ones.

    On a decoder row also what each predicts, if that differs.
    """
    label = replace(second, set_by_hand=first.set_by_hand or second.set_by_hand)
    if replaced:
        label = replace(label, token=_either(first.token, second.token))
    if first.predicted is None or second.predicted is None:
        return label
    return replace(label, predicted=_either(first.predicted, second.predicted))


def _either(first: TokenText, second: TokenText) -> TokenText:
    """ "rouge | bleue" of two tokens, the one of both that look alike."""
    if first.marked == second.marked:
        return second
    both = QCoreApplication.translate("Compare", "{first} | {second}")
    return _named(second, both.format(first=first.marked, second=second.marked))


def _named(token: TokenText, text: str) -> TokenText:
    return replace(token, text=text, continues=False)


def difference_badge() -> str:
    """What the numbers are."""
    return QCoreApplication.translate("Compare", "difference: B − A")


def own_badges(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """The badges of both maps: those they share once, the others with the run that they are of."""
    shared = [badge for badge in first if badge in second]
    badges = [side_text(0, badge) for badge in first if badge not in shared]
    return shared + badges + [side_text(1, badge) for badge in second if badge not in shared]


def place_badge(first: str, second: str) -> str:
    """Says that the two maps are of different heads."""
    text = QCoreApplication.translate("Compare", "A: {first}; B: {second}")
    return text.format(first=first, second=second)


def aligned_badges(spec: DifferenceSpec, first: Trace, second: Trace) -> list[str]:
    """How the tokens were brought together, and how the colours are scaled."""
    translate = QCoreApplication.translate
    paired = alignment(first, second)
    badges = []
    if not paired.by_id and first.model_sha256 != second.model_sha256:
        badges.append(translate("Compare", "two models: tokens aligned by their text"))
    elif not paired.by_id:
        badges.append(translate("Compare", "tokens aligned by their text"))
    elif first.src_tokens != second.src_tokens or first.tgt_in_tokens != second.tgt_in_tokens:
        badges.append(translate("Compare", "aligned by token"))
    rows, columns = spec.rows_of, spec.columns_of
    if rows.common < len(rows.pairs) or columns.common < len(columns.pairs):
        text = translate("Compare", "in both: {rows} of {all_rows} rows, {columns} of {all_columns} columns")
        counts = (rows.common, len(rows.pairs), columns.common, len(columns.pairs))
        names = ("rows", "all_rows", "columns", "all_columns")
        badges.append(text.format(**dict(zip(names, counts, strict=True))))
    if rows.exchanged or columns.exchanged:
        badges.append(translate("Compare", "“x | y”: B has y where A has x"))
    if rows.moved or columns.moved:
        text = translate("Compare", "{count} source tokens are in a different place")
        badges.append(text.format(count=max(rows.moved, columns.moved)))
    if spec.sqrt_scale:
        badges.append(translate("Compare", "square-root colour scale of the difference, true values"))
    return badges


def hidden_shares_badge(first: float, second: float) -> str:
    """Says how much of each run's weight lies on columns that are left out."""
    text = QCoreApplication.translate(
        "Compare", "special tokens hidden: {first} % of A's weight, {second} % of B's"
    )
    return text.format(first=f"{100 * first:.1f}", second=f"{100 * second:.1f}")


def difference_caption(
    spec: DifferenceSpec,
    traces: tuple[Trace, Trace],
    provenances: tuple[Mapping[str, Any] | None, Mapping[str, Any] | None],
) -> str:
    """What the picture says, then either run: text, translation, decoding, changes, model."""
    parts = [sentence(title_line(spec.title, spec.kind_name))]
    parts += [
        sentence(f"{badge[:1].upper()}{badge[1:]}") for badge in spec.badges if badge not in _said(traces)
    ]
    for side, (trace, provenance) in enumerate(zip(traces, provenances, strict=True)):
        parts.append(side_text(side, run_caption(trace, provenance or {})))
    return " ".join(parts)


def _said(traces: tuple[Trace, Trace]) -> set[str]:
    """Badges that the sentences about the runs repeat."""
    said = set()
    for side, trace in enumerate(traces):
        for badge in trace_badges(trace, sqrt_scale=False):
            said |= {badge, side_text(side, badge)}
    return said


def run_caption(trace: Trace, provenance: Mapping[str, Any]) -> str:
    """One of the two runs: text, translation, decoding, changes, model."""
    translate = QCoreApplication.translate
    quoted = translate("Figure", "“{source}”")
    texts = [quoted.format(source=_line(text)) for text in (input_text(trace), trace.tgt_text) if text]
    parts = [" → ".join(texts)] if texts else []
    if trace.steps:
        parts.append(sentence(decoding_text(trace.decoding)))
        if not trace.finished:
            parts.append(translate("Figure", "The end token was not reached."))
    if provenance.get("source") == RunSource.RECORDED:
        parts.append(translate("Figure", "Recorded example."))
    parts += [sentence(f"{text[:1].upper()}{text[1:]}") for text in trace_badges(trace, sqrt_scale=False)]
    parts.append(made_by(trace.model_name, trace.model_sha256, trace.created_by))
    return " ".join(parts)


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
