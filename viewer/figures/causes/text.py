"""Text of causes: parts of a stream by name, groups of parts, what badges and captions say of a method."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.questions.causes.method import Method
from model.questions.causes.parts import Part
from viewer.document.text.method_text import method_words


def part_name(part: Part) -> str:
    """A part in as few words as a pair needs, counted from 1: "cross 2.3" is layer 2, head 3."""
    translate = QCoreApplication.translate
    if part.what == "head":
        text = translate("Causes", "{place}.{head}")
        return text.format(place=place_name(part.where, part.layer), head=(part.head or 0) + 1)
    if part.what == "feed_forward":
        return place_name("feed_forward", part.layer)
    if part.what == "bias":
        return translate("Causes", "bias, {place}").format(place=place_name(part.where, part.layer))
    if part.what == "norm":
        return translate("Causes", "norm, {place}").format(place=place_name(part.where, part.layer))
    return group_name(part.what)


def place_name(where: str, layer: int | None) -> str:
    """A sub-layer, or what else a constant is added by."""
    translate = QCoreApplication.translate
    text = {
        "self_attention": translate("Causes", "self {layer}"),
        "cross": translate("Causes", "cross {layer}"),
        "feed_forward": translate("Causes", "FFN {layer}"),
        "closing": translate("Causes", "end of the stack"),
        "query": translate("Causes", "queries {layer}"),
        "key": translate("Causes", "keys {layer}"),
        "output": translate("Causes", "output"),
    }[where]
    return text.format(layer=(layer or 0) + 1)


def group_name(group: str) -> str:
    """One of `model.questions.causes.parts.GROUPS`."""
    translate = QCoreApplication.translate
    return {
        "word": translate("Causes", "word"),
        "position": translate("Causes", "position"),
        "heads": translate("Causes", "heads"),
        "feed_forward": translate("Causes", "FFN"),
        "constants": translate("Causes", "biases, norms"),
    }[group]


def sum_badge() -> str:
    """That these are no attention weights, and what was held fixed; short, because panels are narrow."""
    return QCoreApplication.translate("Causes", "parts of a sum, norms held")


def method_notes(method: Method) -> tuple[str, ...]:
    """Formula, caveat and source, a sentence each, for a caption or beside a picture."""
    return method_words(method).sentences
