"""BASE: 10000 or 1000, and no positions at all, said and drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.lessons import base as lesson
from model.lessons.lesson import Finding, Numbers, Values
from model.positions.positions import PAPER_BASE, SLIP_BASE
from viewer.document.text.token_text import token_texts
from viewer.figures.canvas.numerals import significant, tiny
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Handle, Line, Mark
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.text_table import TextTable
from viewer.figures.sheet.words import Token, TokenLine, Words
from viewer.lessons.told import Told

translate = QCoreApplication.translate


def _control(name: str) -> str:
    return {
        "of": translate("Lessons", "Subject"),
        "base": translate("Lessons", "Base b"),
        "d_model": translate("Lessons", "d_model"),
        "length": translate("Lessons", "Longest text, in positions"),
        "order": translate("Lessons", "The other order"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "bases": translate("Lessons", "Sinusoids of a base"),
        "without": translate("Lessons", "The model without positions"),
        "reversed": translate("Lessons", "backwards"),
        "shifted": translate("Lessons", "the first piece moved to the end"),
    }.get(option, option)


def _finding(found: Finding) -> str:
    return _SAID[found.name](found)


def _longest_wave(found: Finding) -> str:
    text = translate(
        "Lessons",
        "Wavelengths go from {shortest} (2π) to {value} positions, below b·2π = {limit}.",
    )
    return text.format(value=significant(float(found.value or 0)), **_numbers(found.about))


def _unfinished(found: Finding) -> str:
    text = translate(
        "Lessons",
        "{value} of {pairs} pairs never complete a turn within {length} positions (base 1000: {slip}, 10000: "
        "{paper}).",
    )
    return text.format(value=found.value, **found.about)


def _nearest(found: Finding) -> str:
    text = translate(
        "Lessons",
        "The two most similar of {length} positions are {apart} apart, at distance {value} (base "
        "1000: {slip}, 10000: {paper}).",
    )
    return text.format(value=significant(float(found.value or 0)), **_numbers(found.about))


def _offset_only(found: Finding) -> str:
    text = translate(
        "Lessons",
        "Dot products of one offset differ by {value} at most over {positions} positions.",
    )
    return text.format(value=tiny(float(found.value or 0)), **found.about)


def _with(found: Finding) -> str:
    if found.about["positions"] == "none":
        text = translate("Lessons", "The model adds no positions: the orders differ by {value} at most.")
    else:
        text = translate(
            "Lessons",
            "With positions a piece's encoding depends on where it stands: a number differs by up to "
            "{value}.",
        )
    return text.format(value=tiny(float(found.value or 0)))


def _without(found: Finding) -> str:
    text = translate("Lessons", "Without positions a number differs by {value} at most between the orders.")
    return text.format(value=tiny(float(found.value or 0)))


def _translations(found: Finding) -> str:
    if found.value == "same":
        return translate("Lessons", "Without positions both orders are translated alike.")
    return translate("Lessons", "Without positions the two orders are translated differently.")


def _translations_with(found: Finding) -> str:
    if found.value == "same":
        return translate("Lessons", "With positions both orders are translated alike, too.")
    return translate("Lessons", "With positions the two orders are translated differently.")


def _model_base(found: Finding) -> str:
    kind, base = found.about["positions"], float(found.value or 0)
    if kind == "none":
        return translate("Lessons", "This model has no positions.")
    if kind == "learned":
        return translate("Lessons", "This model has learned positions, which have no base.")
    whose = translate("Lessons", "neither the paper's 10000 nor the 1000 of some lecture notes")
    if base == PAPER_BASE:
        whose = translate("Lessons", "the paper's, not the 1000 of some lecture notes")
    elif base == SLIP_BASE:
        whose = translate("Lessons", "that of some lecture notes, not the paper's 10000")
    text = translate("Lessons", "This model has sinusoids of base {base}, {whose}; its d_model is {d_model}.")
    return text.format(base=f"{base:g}", whose=whose, d_model=found.about["d_model"])


_SAID = {
    "longest_wave": _longest_wave,
    "unfinished": _unfinished,
    "nearest": _nearest,
    "offset_only": _offset_only,
    "with": _with,
    "without": _without,
    "translations": _translations,
    "translations_with": _translations_with,
    "model_base": _model_base,
}


def _numbers(about: Mapping[str, Any]) -> dict[str, object]:
    return {name: significant(one) if isinstance(one, float) else one for name, one in about.items()}


def _formula(values: Values) -> str:
    if values["of"] == "without":
        return r"\mathrm{encode}(\Pi X)=\Pi\,\mathrm{encode}(X)\quad\mathrm{where}\quad X_i=\sqrt{d}\,E_{x_i}"
    base, width = f"{float(values['base']):.5g}", values["d_model"]
    return (
        r"\mathrm{PE}(p,2i)=\sin\omega_i p,\quad \mathrm{PE}(p,2i+1)=\cos\omega_i p,\quad "
        rf"\omega_i={base}^{{-2i/{width}}}=\frac{{2\pi}}{{\lambda_i}}"
    )


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    return _bases(numbers) if numbers.data["of"] == "bases" else _orders(numbers)


def _base_name(base: float) -> str:
    return translate("Lessons", "base {base}").format(base=significant(base).replace(",", ""))


def _bases(numbers: Numbers) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    base, similarity = data["base"], data["similarity"]
    grid = Grid(
        translate("Lessons", "Encoding of positions 0 to {last}").format(last=lesson.SHOWN - 1),
        data["table"],
        levels=(-1.0, 1.0),
        written=False,
        row_title=translate("Lessons", "← position"),
        column_title=translate("Lessons", "dimension →"),
        tallest=200.0,
    )
    alike = Curves(
        translate("Lessons", "Similarity: dot product of two positions"),
        Axis(0, lesson.SHOWN - 1, translate("Lessons", "offset")),
        Axis(*span(*similarity.values(), zero=True), translate("Lessons", "dot product")),
        tuple(
            Line(_base_name(each), data["offsets"], line, index)
            for index, (each, line) in enumerate(similarity.items())
        ),
    )
    least = data["nearest"][base]
    nearest = Curves(
        translate("Lessons", "The two most similar of {length} positions").format(length=data["length"]),
        Axis(lesson.LOW, lesson.HIGH, translate("Lessons", "base (log scale)"), log=True),
        Axis(*span(data["smallest"], zero=True), translate("Lessons", "smallest distance")),
        (Line(translate("Lessons", "smallest distance"), data["bases"], data["smallest"]),),
        (Mark(SLIP_BASE, "1000"), Mark(PAPER_BASE, "10000")),
        (Handle("base", base, least, f"{least:.3g}", 7),),
    )
    pairs = data["d_model"] // 2
    table = TextTable(
        translate("Lessons", "Bases compared"),
        (translate("Lessons", "base"), *(f"{each:.5g}" for each in similarity)),
        (
            (
                translate("Lessons", "Longest wavelength"),
                *(significant(float(wave[-1])) for wave in data["wavelengths"].values()),
            ),
            (
                translate("Lessons", "Pairs without a full turn"),
                *(f"{count} / {pairs}" for count in data["unfinished"].values()),
            ),
            (
                translate("Lessons", "Smallest distance"),
                *(significant(float(distance)) for distance in data["nearest"].values()),
            ),
        ),
    )
    return ((grid, alike), (nearest, table))


def _orders(numbers: Numbers) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    pieces = [token.marked for token in token_texts(data["pieces"])]
    own, other = translate("Lessons", "own order"), translate("Lessons", "other order")
    read = Words(
        translate("Lessons", "What is read: the same pieces"),
        (
            TokenLine(own, tuple(map(Token, pieces))),
            TokenLine(other, tuple(Token(pieces[place]) for place in data["order"])),
        ),
    )
    said = [[one for one in token_texts(line) if not one.special] for line in data["translations"]]
    texts = [[token.marked for token in line] for line in said]
    written = [
        Words(heading, (_line(own, texts[at]), _line(other, texts[at + 1], texts[at])))
        for at, heading in (
            (0, translate("Lessons", "Translated with positions")),
            (2, translate("Lessons", "Translated without positions")),
        )
    ]
    moved = Bars(
        translate("Lessons", "How far each piece's encoding is from itself in the other order"),
        pieces,
        (
            BarSeries(translate("Lessons", "with positions"), data["distance"][0]),
            BarSeries(translate("Lessons", "without positions"), data["distance"][1], 1),
        ),
    )
    return ((read,), tuple(written), (moved,))


def _line(name: str, texts: Sequence[str], beside: Sequence[str] | None = None) -> TokenLine:
    """A translation; what stands in another place than in the one beside it is framed."""
    tokens = (
        Token(text, framed=beside is not None and (at >= len(beside) or beside[at] != text))
        for at, text in enumerate(texts)
    )
    return TokenLine(name, tuple(tokens))


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    if numbers.data["of"] == "without":
        return (translate("Lessons", "altered: positions of source and target removed"),)
    return (translate("Lessons", "by the formula, not a model's table"),)


BASE = Told(
    lesson.BASE,
    title=lambda: translate("Lessons", "Base 10000 or 1000"),
    why=lambda: translate(
        "Lessons",
        "Attention ignores word order, so each word gets a position: sines and cosines of many "
        "wavelengths. The base sets the longest one: 10000 in the paper, 1000 in some lecture notes.",
    ),
    expect=lambda: translate(
        "Lessons",
        "A smaller base turns faster: neighbours are easier to tell apart, and fewer pairs stay nearly "
        "still. Either base gives every position of a text a vector of its own. Without positions the "
        "encoder gives each word the same vector whatever the order.",
    ),
    formula=_formula,
    paper=lambda: translate("Lessons", "Vaswani et al. (2017), section 3.5"),
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
