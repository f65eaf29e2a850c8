"""SLIPS: common slips in writing attention, each beside the right computation, said and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.lessons import slips as lesson
from model.lessons.lesson import Finding, Numbers, Values
from model.trace.trace import AttentionKind
from viewer.figures.canvas.numerals import tiny
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.words import Token, TokenLine, Words
from viewer.figures.text import map_title
from viewer.lessons.told import Told
from viewer.lessons.two_ways import (
    head_maps,
    probabilities,
    row_names,
    share_text,
    shown,
    unbroken,
)

translate = QCoreApplication.translate


def _control(name: str) -> str:
    return {
        "slip": translate("Lessons", "Mistake"),
        "padding": translate("Lessons", "Padding behind the sentence, in tokens"),
        "layer": translate("Lessons", "Layer"),
        "head": translate("Lessons", "Head"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "divided": translate("Lessons", "Scaling after the softmax"),
        "zero": translate("Lessons", "Masked scores are 0"),
        "hundred": translate("Lessons", "Masked scores are −100"),
        "axis": translate("Lessons", "Softmax over queries"),
        "embedding": translate("Lessons", "Embeddings not times √d_model"),
        "padding": translate("Lessons", "No padding mask"),
        "positions": translate("Lessons", "Positions added twice"),
    }[option]


def _slip(slip: str, about: Mapping[str, Any]) -> str:
    """What a slip does."""
    root = f"{about['width'] ** 0.5:.3g}"
    return {
        "divided": translate(
            "Lessons",
            "The softmax sees scores √d_k = {root} times too large and tends to pick one key; then all "
            "weights are divided by {root}, and the output with them.",
        ).format(root=root),
        "zero": translate(
            "Lessons",
            "A score of 0 is not a mask: it weighs as much as any key whose score is 0, so padding "
            "and later tokens are read.",
        ),
        "hundred": translate(
            "Lessons",
            "e to the −100 is about 4e−44: next to any usual score the weight is nothing. It would "
            "fail only if real scores were that low.",
        ),
        "axis": translate(
            "Lessons",
            "Every key hands out a weight of 1 among the queries: columns sum to 1, rows to anything, and "
            "later queries take from earlier ones.",
        ),
        "embedding": translate(
            "Lessons",
            "Without × √d_model the embeddings are small beside the positional encoding, and the positions "
            "drown out the words.",
        ),
        "padding": translate(
            "Lessons", "The {padding} tokens of padding are keys like any other, in encoder and decoder."
        ).format(padding=about["padding"]),
        "positions": translate(
            "Lessons",
            "Added once by the embedding and once more by the stack: positions weigh twice as much.",
        ),
    }[slip]


def _finding(found: Finding) -> str:
    if found.name == "slip":
        return unbroken(_slip(str(found.value), found.about))
    text = {
        "parts": translate(
            "Lessons", "The translations diverge at step {value}: “{wrong}” instead of “{right}”."
        ),
        "same": translate("Lessons", "The translation stays the same, token by token."),
        "same_so_far": translate("Lessons", "The translation is the same so far; it is still being written."),
        "changed": translate(
            "Lessons",
            "With the right translation forced, probabilities change by up to {percent} %: most at "
            "step {step}, where “{token}” has {wrong} % instead of {right} %.",
        ),
        "unchanged": translate(
            "Lessons",
            "This mistake has no visible effect here: no probability changes by more than {percent} %.",
        ),
        "row_sums": translate("Lessons", "The rows of the wrong map sum to {range}, not to 1."),
        "hidden_weight": translate(
            "Lessons", "The largest weight of any head on what should be masked is {percent} %."
        ),
    }[found.name]
    value = float(found.value or 0.0)
    about: dict[str, object] = dict(found.about)
    if found.name == "row_sums":
        about = {"range": _range(value, float(str(about["most"])))}
    if "token" in about:
        about |= {name: share_text(float(str(about[name]))) for name in ("right", "wrong")}
        about["token"] = shown([str(about["token"])])[0]
    elif found.name == "parts":
        nothing = translate("Lessons", "(nothing)")
        about = {name: shown([str(one)])[0] if one else nothing for name, one in about.items()}
    return unbroken(text.format(value=tiny(value), percent=share_text(value), **about))


def _range(low: float, high: float) -> str:
    first, last = tiny(low), tiny(high)
    return first if first == last else f"{first}–{last}"


_SCORES = r"\frac{QK^{\top}}{\sqrt{d_k}}"
_RIGHT = rf"\mathrm{{softmax}}\left({_SCORES}+M\right)V"
_EMBEDDED = r"\sqrt{d_{\mathrm{model}}}\,E_{x}+"
_FORMULAS = {
    "divided": r"\frac{1}{\sqrt{d_k}}\,\mathrm{softmax}\left(QK^{\top}+M\right)V\;\neq\;" + _RIGHT,
    "zero": r"e^{0}=1\;\neq\;e^{-\infty}=0",
    "hundred": r"e^{-100}\approx 3.7\cdot 10^{-44}\approx e^{-\infty}=0",
    "axis": r"\sum_{i}\alpha_{ij}=1\;\neq\;\sum_{j}\alpha_{ij}=1",
    "embedding": r"E_{x}+PE_{pos}\;\neq\;" + _EMBEDDED + "PE_{pos}",
    "padding": rf"\mathrm{{softmax}}\left({_SCORES}\right)V\;\neq\;" + _RIGHT,
    "positions": _EMBEDDED + r"2\,PE_{pos}\;\neq\;" + _EMBEDDED + "PE_{pos}",
}


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    parting = data["parting"]
    lines = tuple(
        TokenLine(
            name,
            tuple(Token(word, framed=place == parting) for place, word in enumerate(shown(data[which]))),
        )
        for name, which in (
            (translate("Lessons", "right"), "out"),
            (translate("Lessons", "wrong"), "wrong_out"),
        )
    )
    ways = (
        (translate("Lessons", "right"), data["right"]),
        (translate("Lessons", "wrong"), data["wrong"]),
    )
    steps = translate(
        "Lessons", "Probability of each token of the right translation, which both versions read"
    )
    return (
        (Words(translate("Lessons", "The translation, greedy"), lines),),
        _maps(data),
        (probabilities(steps, shown(data["out"]), ways),),
    )


def _maps(data: Mapping[str, Any]) -> tuple[Part, ...]:
    kind, forbidden = AttentionKind(data["kind"]), data["forbidden"]
    head = map_title(kind, data["layer"], data["layers"], data["head"], data["heads"])
    encoder = kind is AttentionKind.ENCODER_SELF
    rows = shown(data["queries"]) if encoder else row_names(data["read"], data["out"])
    columns = shown(data["keys"], starts=kind is AttentionKind.DECODER_SELF)
    if kind is not AttentionKind.DECODER_SELF and data["padding"]:
        pad = translate("Lessons", "pad")
        real = len(columns) - int(forbidden[0].sum())
        columns = [word if place < real else pad for place, word in enumerate(columns)]
    headings = (
        translate("Lessons", "{head}, right").format(head=head),
        translate("Lessons", "{head}, wrong").format(head=head),
    )
    maps = data["right_map"], data["wrong_map"]
    # What is masked and yet gets a weight is coloured: that is the slip.
    return head_maps(headings, maps, (forbidden, forbidden & (maps[1] < lesson.NOTHING)), rows, columns)


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    data = numbers.data
    found = [translate("Lessons", "wrong on purpose: {slip}").format(slip=_option("slip", data["slip"]))]
    sums = data["row_sums"]
    if np.abs(sums - 1).max() > lesson.ONE:
        text = translate("Lessons", "rows of the wrong map sum to {range}, not to 1")
        found.append(text.format(range=_range(float(sums.min()), float(sums.max()))))
    if data["kind"] == AttentionKind.ENCODER_SELF and data["padding"]:
        found.append(translate("Lessons", "rows of padding are left out"))
    if data["altered"]:
        found.append(translate("Lessons", "changes made to this run are ignored"))
    return tuple(found)


SLIPS = Told(
    lesson.SLIPS,
    title=lambda: translate("Lessons", "Common mistakes"),
    why=lambda: translate(
        "Lessons",
        "Most mistakes in implementing attention raise no error: the shapes fit, numbers come out, "
        "and only the translation is bad. Here each runs on the open model, beside the right "
        "computation.",
    ),
    expect=lambda: translate(
        "Lessons",
        "Most mistakes spoil the translation within a few words; some change the probabilities but "
        "not the words, and −100 in place of −∞ does nothing. The model learned the right way: one "
        "trained with a mistake may learn to live with it.",
    ),
    formula=lambda values: _FORMULAS[str(values["slip"])],
    paper=lambda: translate(
        "Lessons", "Vaswani et al. (2017), sections 3.2.1, 3.2.3, 3.4 and 3.5 (arXiv 1706.03762)"
    ),
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
