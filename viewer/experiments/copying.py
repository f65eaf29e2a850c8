"""COPYING: the copy mechanism, said and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.experiments.copying import ARMS, SENTENCES
from model.lessons.lesson import Finding, Numbers, Values
from viewer.experiments.told import percent, piece_texts, told_experiment
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.words import Token, TokenLine, Words

translate = QCoreApplication.translate

_MOSTLY = 0.5


def _arm(name: str) -> str:
    return {
        "plain": translate("Experiments", "Plain"),
        "copying": translate("Experiments", "With copying"),
    }[name]


def _control(name: str) -> str:
    return {"sentence": translate("Experiments", "Sentence with")}[name]


def _option(control: str, option: str) -> str:
    return {
        "unseen": translate("Experiments", "unseen names"),
        "known": translate("Experiments", "known names"),
    }[option]


def _finding(found: Finding) -> str:
    value, about = float(found.value or 0), dict(found.about)
    if found.name == "share":
        text = translate(
            "Experiments", "Where an unseen name is written, {value} is copied; elsewhere {others}."
        )
        return text.format(value=percent(value, 1), others=percent(about["others"], 1))
    arm, kind = found.name.split("_")
    text = translate(
        "Experiments",
        "{model}, {names}: {value} of the names right (spread {spread}), {sentences} of the sentences.",
    )
    return text.format(
        model=_arm(arm),
        names=_option("sentence", kind),
        value=percent(value, 1),
        spread=percent(about["spread"], 1),
        sentences=percent(about["sentences"], 1),
    )


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    examples = numbers.data["examples"]
    first: tuple[Part, ...] = (_accuracies(numbers),)
    if not examples:
        return (first,)
    return ((*first, _words(examples)), tuple(_map(name, told) for name, told in examples.items()))


def _accuracies(numbers: Numbers) -> Part:
    series = tuple(
        BarSeries(
            _arm(arm.name), [_mean(numbers.data["accuracies"][arm.name][kind]) for kind in SENTENCES], 2 * at
        )
        for at, arm in enumerate(ARMS)
    )
    names = [_option("sentence", kind) for kind in SENTENCES]
    return Bars(translate("Experiments", "Names right, share of all"), names, series, 1.0)


def _mean(found: Any) -> float:
    return float(found.mean()) if len(found) else float("nan")


def _words(examples: Mapping[str, Mapping[str, Any]]) -> Part:
    """The sentence, and what each model writes: wrong words struck, the ground p_copy."""
    told = next(iter(examples.values()))
    lines = [TokenLine(translate("Experiments", "source"), tuple(map(Token, piece_texts(told["source"]))))]
    for name, one in examples.items():
        tokens = []
        for place, word in enumerate(piece_texts(one["output"])):
            right = [*one["target"], one["source"][-1]][place : place + 1] == [one["output"][place]]
            share = None if one["share"] is None else float(one["share"][place])
            tokens.append(Token(word, share or 0.0, share, struck=not right))
        lines.append(TokenLine(_arm(name), tuple(tokens)))
    return Words(translate("Experiments", "Ground: p_copy of each word"), tuple(lines))


def _map(name: str, told: Mapping[str, Any]) -> Part:
    """The last cross-attention; where most of a word is copied, the place it is copied from is framed."""
    pointer, shares = told["pointer"], told["share"]
    copied = [] if shares is None else [row for row, share in enumerate(shares) if share > _MOSTLY]
    strong = tuple((row, int(np.argmax(pointer[row]))) for row in copied)
    return Grid(
        translate("Experiments", "{model}: cross-attention").format(model=_arm(name)),
        pointer,
        piece_texts(told["output"]),
        piece_texts(told["source"]),
        strong=strong,
        written=False,
        row_title=translate("Experiments", "writes"),
        column_title=translate("Experiments", "source"),
    )


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    badges = [translate("Experiments", "maps: last decoder layer, mean over heads, first seed")]
    if numbers.data["examples"].get("copying"):
        badges.append(translate("Experiments", "framed: copied from here"))
    return tuple(badges)


def _formula(values: Values) -> str:
    return (
        r"\begin{array}{l}p(w)=p_{\mathrm{gen}}\,p_{\mathrm{vocab}}(w)+p_{\mathrm{copy}}"
        r"\sum_{i:\,w_i=w}a_i\\p_{\mathrm{gen}}=\sigma(v^\top[c;\,s;\,x]+b),\quad "
        r"p_{\mathrm{copy}}=1-p_{\mathrm{gen}}\end{array}"
    )


COPYING = told_experiment(
    "copying",
    title=lambda: translate("Experiments", "Copy mechanism"),
    why=lambda: translate(
        "Experiments",
        "A model can only write words that it learned to write. A pointer lets it copy words from where it "
        "looks, even names that it never met.",
    ),
    expect=lambda: translate(
        "Experiments",
        "Two people in each sentence; some names are in the vocabulary and in no training pair. The plain "
        "model cannot write these; with copying p_copy rises at names, and unseen ones come out right. "
        "Special tokens are never copied.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Experiments",
        "See et al. (2017), Get To The Point: Summarization with Pointer-Generator Networks, "
        "arXiv 1704.04368, section 2.2",
    ),
    arm=_arm,
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
