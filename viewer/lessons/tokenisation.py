"""TOKENISATION: a text is cut into pieces, said and drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.lessons import tokenisation as lesson
from model.lessons.lesson import Finding, Numbers, Values
from viewer.figures.canvas.numerals import significant, tiny
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Line
from viewer.figures.sheet.lattice import Arch, Lattice
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.text_table import TextTable
from viewer.figures.sheet.words import Token, TokenLine, Words
from viewer.lessons.told import Told

translate = QCoreApplication.translate


def _control(name: str) -> str:
    return {
        "of": translate("Lessons", "Split by"),
        "text": translate("Lessons", "Text (empty: the current sentence)"),
        "method": translate("Lessons", "Pieces learned by"),
        "size": translate("Lessons", "Pieces in the vocabulary"),
        "beside": translate("Lessons", "Pieces in the vocabulary to compare"),
        "back": translate("Lessons", "Steps before the result"),
        "piece": translate("Lessons", "Piece in view"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "model": translate("Lessons", "the open model"),
        "small": translate("Lessons", "a vocabulary learned here"),
        "unigram": translate("Lessons", "unigram model"),
        "bpe": translate("Lessons", "byte pair encoding"),
    }[option]


def _finding(found: Finding) -> str:
    return _SAID[found.name](found)


def _score(found: Finding) -> str:
    text = translate(
        "Lessons",
        "The best split has {pieces} pieces and log probability {value}; SentencePiece's own split is "
        "the same.",
    )
    if found.holds is False:
        text = translate(
            "Lessons",
            "The best split has log probability {value}; SentencePiece's own, with {pieces} pieces, "
            "is different.",
        )
    return text.format(value=significant(float(found.value or 0)), **found.about)


def _second(found: Finding) -> str:
    text = translate(
        "Lessons", "The next best has {value}: {less} less, so the best is {times} times as probable."
    )
    about = {name: tiny(value) for name, value in found.about.items()}
    return text.format(value=significant(float(found.value or 0)), **about)


def _merges(found: Finding) -> str:
    text = translate(
        "Lessons",
        "{value} merges turn {characters} characters into {pieces} pieces, as SentencePiece itself does.",
    )
    if found.holds is False:
        text = translate(
            "Lessons",
            "{value} merges of {characters} characters; SentencePiece's own split, with {pieces} "
            "pieces, is different.",
        )
    return text.format(value=found.value, **found.about)


def _sizes(found: Finding) -> str:
    text = translate(
        "Lessons",
        "{size} pieces split a character into {value} pieces on average, {size_beside} pieces into {beside}.",
    )
    if found.about["spaced"]:
        text = translate(
            "Lessons",
            "{size} pieces split a word into {value} pieces on average, {size_beside} pieces into {beside}.",
        )
    return text.format(
        value=tiny(float(found.value or 0)),
        size=significant(found.about["size"]),
        size_beside=significant(found.about["size_beside"]),
        beside=tiny(found.about["beside"]),
    )


def _spelled(found: Finding) -> str:
    if not found.value:
        return translate("Lessons", "Every character has a piece; an emoji or a rare one may have none.")
    text = translate(
        "Lessons", "No piece for {characters}: the vocabulary's bytes spell it, or it is unknown."
    )
    return text.format(**found.about)


_SAID = {
    "score": _score,
    "second": _second,
    "merges": _merges,
    "sizes": _sizes,
    "spelled": _spelled,
}


def _formula(values: Values) -> str:
    likely = r"\hat{x}=\arg\max_{x\in S(X)}\sum_{i}\log p(x_i)"
    merged = r"(a,b)=\arg\max\,\mathrm{count}(a\,b)\;\Rightarrow\;a\,b\to ab"
    if values["of"] == "model":
        return rf"\begin{{matrix}} {likely} \\ {merged} \end{{matrix}}"
    return likely if values["method"] == "unigram" else merged


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    words = Words(
        translate("Lessons", "The text in pieces"),
        (
            TokenLine(_named(data["size"]), _tokens(data), pick="piece"),
            TokenLine(
                _named(data["beside_size"]),
                tuple(Token(piece, level=_level(piece)) for piece in data["beside_pieces"]),
            ),
        ),
    )
    drawn: tuple[Part, ...] = ()
    if "arcs" in data:
        drawn = (_lattice(data),)
    elif data["method"] == "bpe":
        drawn = (_tree(data),)
    listed: tuple[Part, ...] = ()
    if "arcs" in data:
        listed = (_shares(data),)
    elif data.get("merges"):
        listed = (_order(data),)
    return ((words,), drawn, (*listed, _curve(data)))


def _named(size: int) -> str:
    return translate("Lessons", "{size} pieces").format(size=significant(size))


def _tokens(data: Mapping[str, Any]) -> tuple[Token, ...]:
    start, end = data["view"]
    return tuple(
        Token(piece, level=_level(piece), framed=bool(start <= a and b <= end))
        for piece, (a, b) in zip(data["pieces"], data["spans"], strict=True)
    )


def _level(piece: str) -> float:
    """Bytes stand on a ground."""
    return 0.25 if len(piece) == 6 and piece.startswith("<0x") else 0.0


def _lattice(data: Mapping[str, Any]) -> Part:
    lit = {tuple(one) for one in data["lit"]}
    start, end = data["view"]
    tip = translate("Lessons", "{piece}: log probability {score}")
    unknown = translate("Lessons", "{piece}: not in the vocabulary, so {score}")
    arches = [
        Arch(
            arc["start"] - start,
            arc["end"] - start,
            arc["piece"],
            _short(arc["score"]),
            lit=(arc["start"], arc["end"]) in lit,
            quiet=not arc["known"],
            tip=(tip if arc["known"] else unknown).format(piece=arc["piece"], score=_short(arc["score"])),
        )
        for arc in data["arcs"]
    ]
    heading = translate(
        "Lessons", "All pieces that fit, with their log probability; the best path is highlighted"
    )
    if data["back"]:
        heading = translate(
            "Lessons", "All pieces that fit, with their log probability; path {number} is highlighted"
        )
    heading = heading.format(number=data["back"] + 1)
    return Lattice(heading, data["text"][start:end], arches)


def _tree(data: Mapping[str, Any]) -> Part:
    start, end = data["view"]
    lit = [tuple(one) for one in data["lit"]]
    merged = {(one["start"], one["end"]) for one in data["merges"]}
    arches = [Arch(a - start, b - start, data["text"][a:b], lit=True) for a, b in lit if (a, b) not in merged]
    tip = translate("Lessons", "merge {number}: {left} + {right}, learned as number {learned}")
    for number, one in enumerate(data["merges"], 1):
        at = one["start"], one["end"]
        arches.append(
            Arch(
                at[0] - start,
                at[1] - start,
                data["text"][at[0] : at[1]],
                str(number),
                lit=at in lit,
                quiet=not one["done"],
                tip=tip.format(number=number, left=one["left"], right=one["right"], learned=one["learned"]),
            )
        )
    heading = translate("Lessons", "Merges in order, stacked; dashed: not merged yet")
    return Lattice(heading, data["text"][start:end], arches, nested=True)


def _shares(data: Mapping[str, Any]) -> Part:
    names = [_joined(cut) for cut in data["cuts"]]
    return Bars(
        translate("Lessons", "The best paths: their share of the probability of all paths"),
        names,
        (BarSeries("", data["shares"]),),
        1.0,
        strong=(data["back"],),
        pick="back",
    )


def _order(data: Mapping[str, Any]) -> Part:
    merges = data["merges"]
    made = [number for number, one in enumerate(merges) if one["done"]]
    return TextTable(
        translate("Lessons", "Merges in their order"),
        (
            translate("Lessons", "merge"),
            translate("Lessons", "neighbours"),
            translate("Lessons", "learned as number"),
        ),
        tuple(
            (str(number), f"{one['left']} + {one['right']}", significant(one["learned"]))
            for number, one in enumerate(merges, 1)
        ),
        strong=tuple(made[-1:]),
    )


def _curve(data: Mapping[str, Any]) -> Part:
    sizes, ratios = data["sizes"], data["ratios"]
    own, beside = (data["size"], data["own_ratio"]), (data["beside_size"], data["beside_ratio"])
    ends = [*map(float, sizes), float(own[0]), float(beside[0])]
    title = (
        translate("Lessons", "pieces per word")
        if data["spaced"]
        else translate("Lessons", "pieces per character")
    )
    learned = translate("Lessons", "learned from the story")
    of_model = data["of"] == "model"
    name = translate("Lessons", "the open model") if of_model else translate("Lessons", "this vocabulary")
    return Curves(
        (
            translate("Lessons", "Pieces per word, by the size of the vocabulary")
            if data["spaced"]
            else translate("Lessons", "Pieces per character, by the size of the vocabulary")
        ),
        Axis(0.9 * min(ends), 1.1 * max(ends), translate("Lessons", "pieces in the vocabulary"), log=True),
        Axis(*span(ratios, [own[1], beside[1]], zero=True), title),
        (
            Line(learned, sizes, ratios, dots=True),
            Line(name, [own[0]], [own[1]], 1, dots=True, line=False),
            Line(
                translate("Lessons", "the one to compare"), [beside[0]], [beside[1]], 2, dots=True, line=False
            ),
        ),
    )


def _short(score: float) -> str:
    return f"{score:.1f}".replace("-", "−")


def _joined(cut: Sequence[str]) -> str:
    return " ".join(cut)


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    data = numbers.data
    story = translate("Lessons", "small vocabularies: learned from an English story of {count} characters")
    if data["story"] == "zh":
        story = translate("Lessons", "small vocabularies: learned from a Chinese story of {count} characters")
    badges = [story.format(count=data["story_characters"])]
    start, end = data["view"]
    if (start, end) != (0, len(data["text"])) and ("arcs" in data or data["method"] == "bpe"):
        part = translate("Lessons", "below: characters {first} to {last} of {all}")
        badges.append(part.format(first=start + 1, last=end, all=len(data["text"])))
    return tuple(badges)


TOKENISATION = Told(
    lesson.TOKENISATION,
    title=lambda: translate("Lessons", "Tokenisation"),
    why=lambda: translate(
        "Lessons",
        "A model reads pieces, not words: a few thousand of them can spell every word.",
    ),
    expect=lambda: translate(
        "Lessons",
        "The unigram model takes the most probable path through the lattice; byte pair encoding "
        "merges neighbours in the order it learned. A larger vocabulary splits words into fewer "
        "pieces; what has no piece is spelled in bytes.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Lessons",
        "Kudo (2018), arXiv 1804.10959, section 3; Kudo and Richardson (2018), arXiv 1808.06226; Sennrich et "
        "al. (2016), arXiv 1508.07909, section 3.2",
    ),
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
