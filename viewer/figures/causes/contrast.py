"""Contrast figure: the sentence and the prefix coloured by what each token did for a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.questions.causes.contrast import CONTRAST, GRADIENT, Contrast, Contributed, Doubles
from model.questions.causes.method import Method
from model.trace.trace import Trace
from viewer.document.text.token_text import TokenText, token_texts
from viewer.figures.canvas.numerals import format_number
from viewer.figures.causes.logit import shown_word
from viewer.figures.causes.text import method_notes
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.sheet.waterfall import Waterfall, signed
from viewer.figures.sheet.words import Token, TokenLine, Words
from viewer.figures.text import provenance_caption, trace_badges, trace_facts

MOST = 12
"""Tokens that have a bar of their own."""


def method_of(answer: Contrast) -> Method:
    """Whose words go with an answer."""
    return GRADIENT if answer.rival is None else CONTRAST


def contrast_figure(
    trace: Trace, answer: Contrast, *, raw: bool = False, provenance: Mapping[str, Any] | None = None
) -> FigureSpec[SheetSpec]:
    """Tokens in colours that diverge from 0, three times; then the largest as bars.

    Args:
        raw: pieces as the tokenizer writes them.
    """
    translate = QCoreApplication.translate
    title = contrast_title(trace, answer, raw=raw)
    texts = [
        token_texts(side.tokens, raw=raw, style=trace.token_style, starts=side.side == "target")
        for side in answer.sides
    ]
    values = {"value": signed(answer.value)}
    if answer.rival is None:
        explained = translate("Causes", "explained: log p = {value}").format(**values)
    else:
        explained = translate("Causes", "explained: log p(a) − log p(b) = {value}").format(**values)
    colours = translate("Causes", "colours symmetric about 0, own scales")
    badges = (explained, colours, *trace_badges(trace, sqrt_scale=False))
    pictures = [
        (translate("Causes", "Gradient × input"), [side.products for side in answer.sides], True),
        (translate("Causes", "Taken away"), [side.effects for side in answer.sides], True),
        (translate("Causes", "Gradient norm (L1), without a sign"), [s.lengths for s in answer.sides], False),
    ]
    strips = [_strip(heading, answer, texts, numbers, sign) for heading, numbers, sign in pictures]
    lines = (*((strip,) for strip in strips), (_products(answer, texts), _effects(answer, texts)))
    method, own = method_of(answer), provenance or {}
    facts = trace_facts(trace) | {
        "view": "contrast",
        "step": answer.step,
        "word": answer.word_token,
        "rival": answer.rival_token,
        "value": answer.value,
        "sum_of_gradient_x_input": answer.total,
        "formula": method.formula,
        "caveat": method.caveat,
        "numbers_source": method.source,
        "badges": list(badges),
        "provenance": dict(own),
    }
    caption = provenance_caption(trace, title, badges, own, method_notes(method))
    return FigureSpec(SheetSpec(title, badges, lines), caption, facts)


def contrast_title(trace: Trace, answer: Contrast, *, raw: bool = False) -> str:
    """Such as "What each token did for “chat” rather than “chien”, step 2"."""
    translate = QCoreApplication.translate
    words = [
        shown_word(trace, answer.step, piece, raw=raw) for piece in (answer.word_token, answer.rival_token)
    ]
    if answer.rival is None:
        text = translate("Causes", "What each token did for “{word}”, step {step}")
    else:
        text = translate("Causes", "What each token did for “{word}” rather than “{rival}”, step {step}")
    return text.format(word=words[0], rival=words[1], step=answer.step + 1)


def side_name(side: Contributed) -> str:
    """What the tokens of a side are."""
    translate = QCoreApplication.translate
    return translate("Causes", "source") if side.side == "source" else translate("Causes", "prefix")


def _strip(
    heading: str,
    answer: Contrast,
    texts: Sequence[Sequence[TokenText]],
    numbers: Sequence[Doubles],
    sign: bool,
) -> Words:
    """Both sides on one scale, to the largest."""
    most = max(abs(float(value)) for row in numbers for value in row) or 1.0
    lines = []
    for side, row, shown in zip(answer.sides, numbers, texts, strict=True):
        tokens = tuple(
            Token(text.marked, float(value) / most, float(value), tip=_told(side, place, text.marked))
            for place, (text, value) in enumerate(zip(shown, row, strict=True))
        )
        lines.append(TokenLine(side_name(side), tokens))
    return Words(heading, tuple(lines), signed=sign)


def _told(side: Contributed, place: int, text: str) -> str:
    """All numbers of a token."""
    told = QCoreApplication.translate(
        "Causes",
        "{side} “{token}”: gradient × input {product} (position {position}), "
        "taken away {effect}, L1 {length}",
    )
    return told.format(
        side=side_name(side),
        token=text,
        product=signed(float(side.products[place])),
        position=signed(float(side.positions[place])),
        effect=signed(float(side.effects[place])),
        length=format_number(float(side.lengths[place])),
    )


def _named(answer: Contrast, texts: Sequence[Sequence[TokenText]]) -> list[str]:
    """Every token, those of the prefix told from the source's."""
    text = QCoreApplication.translate("Causes", "prefix: {token}")
    source, prefix = texts
    return [*(each.marked for each in source), *(text.format(token=each.marked) for each in prefix)]


def _products(answer: Contrast, texts: Sequence[Sequence[TokenText]]) -> Waterfall:
    """Gradient × input as the sum that it is, positions together."""
    translate = QCoreApplication.translate
    values = [float(value) for side in answer.sides for value in side.products]
    parts = list(zip(_named(answer, texts), values, strict=True))
    positions = float(sum(side.positions.sum() for side in answer.sides))
    if any(side.positions.any() for side in answer.sides):
        parts.append((translate("Causes", "all positions"), positions))
    heading = translate("Causes", "Gradient × input and its sum")
    return Waterfall.of_largest(heading, parts, MOST, translate("Causes", "sum"))


def _effects(answer: Contrast, texts: Sequence[Sequence[TokenText]]) -> Bars:
    """What is lost without each token; no sum, since tokens are taken away one at a time."""
    values = [float(value) for side in answer.sides for value in side.effects]
    ranked = sorted(zip(_named(answer, texts), values, strict=True), key=lambda each: -abs(each[1]))[:MOST]
    translate = QCoreApplication.translate
    heading = translate("Causes", "What is lost without each")
    return Bars(heading, [name for name, _ in ranked], (BarSeries("", [value for _, value in ranked]),))
