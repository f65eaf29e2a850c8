"""Figures of other readings: each word with and without the source, a translation from each encoder layer."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QCoreApplication

from model.questions.causes.decoder_lens import DECODER_LENS, LayersRead
from model.questions.causes.method import Method
from model.questions.causes.without_source import WITHOUT_SOURCE, SourceWorth
from model.trace.trace import Trace
from viewer.document.text.method_text import method_words
from viewer.document.text.token_text import token_texts
from viewer.document.what_if.what_if_text import fixed
from viewer.figures.causes.text import method_notes
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.sheet.text_table import TextTable
from viewer.figures.text import provenance_caption, trace_badges, trace_facts

_LONGEST = 60  # characters of a translation in a picture


def worth_figure(trace: Trace, answer: SourceWorth, *, raw: bool = False) -> FigureSpec[SheetSpec]:
    """A line a token: its log probability with the source, without it, and the difference."""
    translate = QCoreApplication.translate
    tokens = token_texts(trace.tgt_out_tokens, raw=raw, style=trace.token_style)
    numbers = zip(answer.attached.tolist(), answer.detached.tolist(), answer.worth.tolist(), strict=True)
    lines = tuple((token.marked, *map(fixed, triple)) for token, triple in zip(tokens, numbers, strict=True))
    header = (
        translate("Causes", "word"),
        translate("Causes", "ln p with the source"),
        translate("Causes", "without"),
        translate("Causes", "difference"),
    )
    return _figure(trace, WITHOUT_SOURCE, TextTable("", header, lines), {})


def layers_figure(trace: Trace, answer: LayersRead) -> FigureSpec[SheetSpec]:
    """A line a layer: what was written, its log probability per token, that of the reading's own words."""
    translate = QCoreApplication.translate
    lines = tuple(
        (str(row.layer), fixed(row.mean_logprob), fixed(row.given), _short(row.text)) for row in answer.rows
    )
    header = (
        translate("Causes", "layer"),
        translate("Causes", "per token"),
        translate("Causes", "original"),
        translate("Causes", "translation"),
    )
    note = translate(
        "Causes",
        "Natural log probability: per token of what is written, and of the original translation as a whole.",
    )
    table = TextTable("", header, lines)
    return _figure(trace, DECODER_LENS, table, {"encoder_layers": answer.layers}, note)


def _short(text: str) -> str:
    """What leaves room for the numbers; the table in a file has all of it."""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1].rstrip() + "…"


def _figure(
    trace: Trace, method: Method, table: TextTable, own: dict[str, Any], *notes: str
) -> FigureSpec[SheetSpec]:
    title = method_words(method).name
    badges = tuple(trace_badges(trace, sqrt_scale=False))
    facts = trace_facts(trace) | own
    facts |= {"view": method.name, "formula": method.formula, "caveat": method.caveat}
    facts |= {"numbers_source": method.source, "badges": list(badges)}
    caption = provenance_caption(trace, title, badges, {}, (*notes, *method_notes(method)))
    return FigureSpec(SheetSpec(title, badges, ((table,),), notes=notes), caption, facts)
