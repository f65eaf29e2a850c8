"""BLEU: worked by hand, and what 1.000 says, in words and pictures."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.lessons import bleu as lesson
from model.lessons.lesson import Finding, Numbers, Values
from viewer.figures.canvas.plot import Axis
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Line
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.text_table import TextTable
from viewer.figures.sheet.words import Token, TokenLine, Words
from viewer.lessons.told import Told

translate = QCoreApplication.translate

_MATCH, _CLIPPED = 0.45, -0.6


def _control(name: str) -> str:
    return {
        "of": translate("Lessons", "BLEU of"),
        "candidate": translate("Lessons", "Translation to be judged"),
        "reference": translate("Lessons", "Reference"),
        "second": translate("Lessons", "Second reference, if any"),
        "n": translate("Lessons", "Colour matches of n-grams, n"),
        "orders": translate("Lessons", "n-grams up to"),
        "smoothing": translate("Lessons", "Where nothing matches"),
        "effective": translate("Lessons", "Only n-gram orders that the text has"),
        "tokens": translate("Lessons", "Split into words by"),
        "sentences": translate("Lessons", "Sentences to train on"),
        "epochs": translate("Lessons", "Epochs"),
        "seed": translate("Lessons", "Seed"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "texts": translate("Lessons", "Two texts, by hand"),
        "notes": translate("Lessons", "The lecture notes' model, trained now"),
        "exp": translate("Lessons", "half a match, then a quarter (exp)"),
        "none": translate("Lessons", "nothing (BLEU 0)"),
        "13a": translate("Lessons", "13a (words and marks)"),
        "zh": translate("Lessons", "zh (Chinese characters)"),
        "char": translate("Lessons", "char (characters)"),
    }[option]


def _finding(found: Finding) -> str:
    text = {
        "bleu": translate(
            "Lessons",
            "By hand: BLEU {value} of 100, with a brevity penalty of {penalty} ({candidate} words against "
            "{reference}).",
        ),
        "sacrebleu": translate("Lessons", "sacreBLEU itself says {value} ({signature})."),
        "clipped": translate(
            "Lessons",
            "{value} {n}-grams occur in the translation more often than in any reference: they are clipped.",
        ),
        "smoothed": translate(
            "Lessons",
            "Of the {value}-grams none matches; so that the product is not 0, they count as half a match, "
            "the next order without one as a quarter.",
        ),
        "zero": translate("Lessons", "Of the {value}-grams none matches, and the product is 0."),
        "short": translate("Lessons", "The translation has no {value}-grams at all, and BLEU is 0."),
        "left_out": translate("Lessons", "The translation has no {value}-grams: longer orders are left out."),
        "notes": translate(
            "Lessons", "The four sentences from lecture notes, after epoch {epoch} of {total}: BLEU {value}."
        ),
        "trained": translate("Lessons", "All {sentences} sentences that it was trained on: BLEU {value}."),
        "held_out": translate(
            "Lessons", "{sentences} sentences of the same kind that it never saw: BLEU {value}."
        ),
    }[found.name]
    about = {
        name: f"{value:.4g}" if isinstance(value, float) else value for name, value in found.about.items()
    }
    unit = found.name in ("notes", "trained", "held_out")
    value = found.value
    if isinstance(value, float):
        value = f"{value:.3f}" if unit else f"{value:.2f}"
    return text.format(value=value, **about)


def _formula(values: Values) -> str:
    if values["of"] == "notes":
        return r"\mathrm{BLEU}=\mathrm{BP}\cdot\exp\left(\sum_{n=1}^{4}\frac{1}{4}\log p_n\right)"
    counts, orders = lesson.counts_of(values), int(values["orders"])
    pairs = zip(counts.matches, counts.totals, strict=True)
    product = r"\cdot ".join(rf"\frac{{{matches}}}{{{total}}}" for matches, total in pairs)
    mean = product if orders == 1 else rf"\sqrt[{orders}]{{{product}}}"
    penalty = "1"
    if counts.brevity_penalty < 1:
        penalty = rf"e^{{1-{counts.reference}/{counts.candidate}}}" if counts.candidate else "0"
    return r"\mathrm{BP}\cdot\prod_{n}p_n^{1/" + str(orders) + "}=" + penalty + r"\cdot " + mean


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    if data["of"] == "notes":
        return ((_learning(data),), (_samples(data),))
    return ((_words(data),), (_counts(data), _factors(data)), (_grams(data),))


def _words(data: Any) -> Words:
    named = translate("Lessons", "Reference")
    marks = zip(data["candidate"], data["counting"], data["clipped"], strict=True)
    own = tuple(
        Token(text, _MATCH if counts else _CLIPPED if clipped else 0.0, float(counts))
        for text, counts, clipped in marks
    )
    references = tuple(
        TokenLine(
            named if len(data["references"]) == 1 else f"{named} {number}",
            tuple(Token(text, _MATCH * hit, float(hit)) for text, hit in zip(words, hits, strict=True)),
        )
        for number, (words, hits) in enumerate(zip(data["references"], data["in_references"], strict=True), 1)
    )
    heading = translate("Lessons", "Matching {n}-grams; orange: more often than in a reference")
    lines = (TokenLine(translate("Lessons", "Translation"), own), *references)
    return Words(heading.format(n=data["n"]), lines, signed=True)


def _counts(data: Any) -> TextTable:
    header = ("n", translate("Lessons", "matches"), translate("Lessons", "n-grams"), "p", "log p")
    lines = []
    for n, (matches, total, p) in enumerate(
        zip(data["matches"], data["totals"], data["precisions"], strict=True), 1
    ):
        shown = ("–", "–") if not p > 0 else (f"{p:.4f}", f"{math.log(p):.4f}".replace("-", "−"))
        lines.append((str(n), str(matches), str(total), *shown))
    strong = (data["n"] - 1,) if data["n"] <= len(lines) else ()
    return TextTable(translate("Lessons", "Clipped counts and precisions"), header, tuple(lines), strong)


def _factors(data: Any) -> Bars:
    names = [f"p{n}" for n in range(1, len(data["precisions"]) + 1)]
    values = [*data["precisions"], data["penalty"], data["score"]]
    brevity = translate("Lessons", "brevity penalty")
    heading = translate("Lessons", "Precisions, brevity penalty and BLEU")
    return Bars(heading, [*names, brevity, "BLEU"], (BarSeries("", values),), 1.0, strong=(len(values) - 1,))


def _grams(data: Any) -> TextTable:
    header = (
        translate("Lessons", "{n}-gram of the translation").format(n=data["n"]),
        translate("Lessons", "in it"),
        translate("Lessons", "most in a reference"),
        translate("Lessons", "counts"),
    )
    lines = [tuple(map(str, line)) for line in data["grams"]]
    left = data["gram_count"] - len(lines)
    heading = translate("Lessons", "Its {n}-grams").format(n=data["n"])
    if left:
        heading = translate("Lessons", "Its first {count} of {all} {n}-grams").format(
            count=len(lines), all=data["gram_count"], n=data["n"]
        )
    return TextTable(heading, header, tuple(lines))


def _learning(data: Any) -> Curves:
    return Curves(
        translate("Lessons", "BLEU while it learns"),
        Axis(0.0, float(data["epochs"][-1]), translate("Lessons", "epochs")),
        Axis(0.0, 1.05, "BLEU"),
        (
            Line(translate("Lessons", "sentences trained on"), data["epochs"], data["trained"], 0, dots=True),
            Line(
                translate("Lessons", "sentences never seen"), data["epochs"], data["held_out"], 1, dots=True
            ),
        ),
    )


def _samples(data: Any) -> TextTable:
    header = (
        translate("Lessons", "Sentence"),
        translate("Lessons", "Reference"),
        translate("Lessons", "The model writes"),
        translate("Lessons", "Trained on"),
    )
    yes, no = translate("Lessons", "yes"), translate("Lessons", "no")
    lines = tuple((one, other, own, yes if seen else no) for one, other, own, seen in data["samples"])
    strong = tuple(n for n, (_, other, own, _) in enumerate(data["samples"]) if other == own)
    return TextTable(translate("Lessons", "Translations; the right ones stand out"), header, lines, strong)


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    if numbers.data["of"] == "notes":
        return (translate("Lessons", "BLEU from 0 to 1 (sacreBLEU ÷ 100)"),)
    zeros = [
        n for n, total in enumerate(numbers.data["totals"], 1) if total and not numbers.data["matches"][n - 1]
    ]
    if zeros and values["smoothing"] == "exp" and any(numbers.data["matches"]):
        return (translate("Lessons", "smoothed: exp"),)
    return ()


BLEU = Told(
    lesson.BLEU,
    title=lambda: translate("Lessons", "BLEU, and a BLEU of 1.000"),
    why=lambda: translate(
        "Lessons",
        "BLEU counts the sequences of one to four words that a translation shares with a reference. "
        "It knows nothing of meaning, and on sentences from the training data it says nothing about "
        "translating.",
    ),
    expect=lambda: translate(
        "Lessons",
        "Another order of the same words keeps p1 and lowers p2 to p4; a repeated word counts only as "
        "often as in a reference; a short translation pays the brevity penalty. The lecture notes' "
        "model reaches 1.000 on what it has memorised, and far less on other sentences of the same kind.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Lessons", "Papineni et al. (2002), ACL P02-1040, section 2; Post (2018), arXiv 1804.08771"
    ),
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
