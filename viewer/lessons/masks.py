"""MASKS: the padding mask and the causal mask, and what leaks without them, said and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.lessons import masks as lesson
from model.lessons.lesson import Finding, Numbers, Values
from model.trace.trace import AttentionKind
from viewer.figures.canvas.numerals import tiny
from viewer.figures.sheet.grid import Grid
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

_MOST_PADS = 12

Lines = tuple[tuple[Part, ...], ...]


def _control(name: str) -> str:
    return {
        "forgotten": translate("Lessons", "Missing mask"),
        "second": translate("Lessons", "Second text (empty: half of the first)"),
        "third": translate("Lessons", "Third text (empty: a quarter of it)"),
        "text": translate("Lessons", "Text shown"),
        "layer": translate("Lessons", "Layer"),
        "head": translate("Lessons", "Head"),
        "row": translate("Lessons", "Row"),
        "future": translate("Lessons", "Token to change"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "padding": translate("Lessons", "Padding mask"),
        "causal": translate("Lessons", "Causal mask"),
    }[option]


def _finding(found: Finding) -> str:
    text = {
        "alone": translate(
            "Lessons",
            "With the mask, text {text} is computed as if it stood alone; its log probabilities differ by "
            "{value} at most.",
        ),
        "changed": translate(
            "Lessons",
            "Without the mask, probabilities change by up to {percent} %: most at step {step}, where "
            "“{token}” has {without} % instead of {with} %.",
        ),
        "unchanged": translate(
            "Lessons", "The mask hides nothing here, and no probability changes by more than {percent} %."
        ),
        "on_padding": translate(
            "Lessons", "Without the mask the head in view puts {percent} % of its weight on padding."
        ),
        "total": translate(
            "Lessons", "Log probability of the whole translation: {with} with the mask, {value} without."
        ),
        "on_future": translate(
            "Lessons",
            "Without the mask row {row} (“{token}”) of the head in view puts {percent} % of its weight on "
            "later tokens.",
        ),
        "earlier": translate(
            "Lessons",
            "With the mask, reading “{put}” instead of “{token}” changes the {count} predictions before it "
            "by {value}.",
        ),
        "earlier_leak": translate("Lessons", "Without the mask it changes them by up to {percent} %."),
    }[found.name]
    value = float(found.value or 0.0)
    about: dict[str, object] = dict(found.about)
    for name in ("token", "put"):
        if name in about:
            about[name] = shown([str(about[name])])[0]
    for name in ("with", "without"):
        if name in about:
            number = float(str(about[name]))
            about[name] = tiny(number) if found.name == "total" else share_text(number)
    return unbroken(text.format(value=tiny(value), percent=share_text(value), **about))


def _formula(values: Values) -> str:
    hidden, seen = (r"j>i", r"j\le i")
    if values["forgotten"] == "padding":
        hidden, seen = (r"x_j=\mathrm{pad}", r"x_j\neq\mathrm{pad}")
    return (
        r"\mathrm{softmax}\left(\frac{QK^{\top}}{\sqrt{d_k}}+M\right)V,\quad "
        rf"M_{{ij}}=\begin{{cases}}0&{seen}\\-\infty&{hidden}\end{{cases}}"
    )


def _lines(numbers: Numbers, values: Values) -> Lines:
    return _padding(numbers.data) if numbers.data["forgotten"] == "padding" else _causal(numbers.data)


def _padding(data: Mapping[str, Any]) -> Lines:
    real, text = data["real"], data["text"]
    names = [translate("Lessons", "text {number}").format(number=n + 1) for n in range(len(real))]
    pad = translate("Lessons", "pad")
    lines = tuple(
        TokenLine(name, (*map(Token, shown(pieces[: row.sum()])), *_pads(pad, int((~row).sum()))))
        for name, pieces, row in zip(names, data["pieces"], real, strict=True)
    )
    mask = Grid(
        translate("Lessons", "The padding mask: 0 or −∞ (hatched)"),
        np.zeros(real.shape, np.float32),
        names,
        masked=~real,
        picks=("text", ""),
        column_title=translate("Lessons", "position in the batch →"),
    )
    return (
        (Words(translate("Lessons", "The batch, padded to one length"), lines),),
        (mask, _steps(data)),
        _maps(
            data,
            AttentionKind.CROSS,
            [
                word if kept else pad
                for word, kept in zip(shown(data["pieces"][text]), real[text], strict=True)
            ],
        ),
    )


def _pads(pad: str, count: int) -> tuple[Token, ...]:
    """Padding, one by one while that is few."""
    if count > _MOST_PADS:
        return (Token(f"{pad} × {count}", struck=True),)
    return (Token(pad, struck=True),) * count


def _causal(data: Mapping[str, Any]) -> Lines:
    read, row, future = shown(data["read"], starts=True), data["row"], data["future"]
    mask = Grid(
        translate("Lessons", "The causal mask: 0 or −∞ (hatched)"),
        np.zeros(data["forbidden"].shape, np.float32),
        read,
        read,
        masked=data["forbidden"],
        strong=tuple((row, column) for column in range(row + 1)),
        picks=("row", ""),
    )
    put = shown([data["put"]])[0]
    changed = [put if place == future else word for place, word in enumerate(read)]
    lines = (
        TokenLine(translate("Lessons", "read"), tuple(map(Token, read)), "future"),
        TokenLine(
            translate("Lessons", "read, changed"),
            tuple(Token(word, framed=place == future) for place, word in enumerate(changed)),
            "future",
        ),
        _reaction(translate("Lessons", "predicts, with the mask"), data, "masked_change"),
        _reaction(translate("Lessons", "predicts, without it"), data, "unmasked_change"),
    )
    heading = translate("Lessons", "Click a token to change it; tokens whose prediction changes are coloured")
    return (
        (mask, _steps(data)),
        (Words(heading, lines),),
        _maps(data, AttentionKind.DECODER_SELF, read, ("row", "")),
    )


def _reaction(name: str, data: Mapping[str, Any], which: str) -> TokenLine:
    """Each predicted token, coloured by the largest change of a probability at its step."""
    told = zip(shown(data["out"]), data[which], strict=True)
    return TokenLine(name, tuple(Token(word, float(change), float(change)) for word, change in told))


def _steps(data: Mapping[str, Any]) -> Part:
    ways = (
        (translate("Lessons", "with the mask"), data["masked"]),
        (translate("Lessons", "without"), data["unmasked"]),
    )
    heading = translate("Lessons", "Probability of each token of the translation")
    return probabilities(heading, shown(data["out"]), ways)


def _maps(
    data: Mapping[str, Any], kind: AttentionKind, keys: list[str], picks: tuple[str, str] = ("", "")
) -> tuple[Part, ...]:
    head = map_title(kind, data["layer"], data["layers"], data["head"], data["heads"])
    return head_maps(
        (
            translate("Lessons", "{head}, with mask").format(head=head),
            translate("Lessons", "{head}, without").format(head=head),
        ),
        (data["masked_map"], data["unmasked_map"]),
        (data["forbidden"], None),
        row_names(data["read"], data["out"]),
        keys,
        picks,
    )


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    found = [translate("Lessons", "without the mask: altered on purpose")]
    if numbers.data["altered"]:
        found.append(translate("Lessons", "changes made to this run are ignored"))
    return tuple(found)


MASKS = Told(
    lesson.MASKS,
    title=lambda: translate("Lessons", "Masks"),
    why=lambda: translate(
        "Lessons",
        "Sentences of a batch are padded to one length, and in training a decoder is given the whole "
        "translation: masks keep attention off the padding and off the future.",
    ),
    expect=lambda: translate(
        "Lessons",
        "With the padding mask a short sentence is translated as if it stood alone; without it "
        "attention drifts to the padding. With the causal mask no later token changes an earlier "
        "prediction; without it all do. This model learned with the mask, so it usually gets worse "
        "without it; a model trained without it would copy the answer that it sees.",
    ),
    formula=_formula,
    paper=lambda: translate("Lessons", "Vaswani et al. (2017), sections 3.1 and 3.2.3 (arXiv 1706.03762)"),
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
