"""Model samples: sentences to try: of its language, and of what its family does with a text."""

from __future__ import annotations

import json
from functools import lru_cache

from PySide6.QtCore import QCoreApplication

from model.folder.families import Family
from viewer.document.messages.messages import ModelInfo
from viewer.document.text.model_text import (
    UNKNOWN_LANGUAGE,
    family_of,
    mask_token,
    separator_token,
    task_of,
)
from viewer.resources import ROOT, samples

Groups = dict[str, list[str]]

_FIRST = ("tasks", "agreement")
"""Groups that say most; of other models the first group."""


def sample_groups(info: ModelInfo | None) -> Groups:
    """Sentences by group for a model, or for English without one; empty where none suit it."""
    if info is None:
        return samples("en")
    family, language = family_of(info), sample_language(info)
    if info.model_type == "t5":
        return _of_families()["t5"].get(language, {})
    if family is Family.ENCODER_DECODER:
        return samples(language)
    groups = _of_families()[str(family)].get(language, {})
    if family is Family.DECODER_ONLY:
        return groups
    return _filled(groups, mask_token(info), separator_token(info))


def first_sample(info: ModelInfo | None) -> str:
    """The sentence to begin with; empty where there is none."""
    groups = sample_groups(info)
    if family_of(info) is not Family.ENCODER_DECODER:
        return next((sentence for group in groups.values() for sentence in group), "")
    named = next((groups[name] for name in _FIRST if groups.get(name)), None)
    group = named or next(iter(groups.values()), [])
    return group[0] if group else ""


def example_label(info: ModelInfo | None) -> str:
    """Of a button that fills the window with something to look at; empty where there is nothing."""
    if info is None or info.model_type == "headscope":  # our own models have a recorded example
        return QCoreApplication.translate("ModelText", "Show an example")
    return task_of(info).sample if first_sample(info) else ""


def sample_language(info: ModelInfo) -> str:
    """The source language; where nothing says, what most models of that kind read."""
    language = info.languages[0]
    if language != UNKNOWN_LANGUAGE or info.model_type == "headscope":
        return language
    name = info.name.lower()
    chinese = "chinese" in name or any(part == "zh" for part in name.replace("_", "-").split("-"))
    return "zh" if chinese else "en"


def _filled(groups: Groups, mask: str, separator: str) -> Groups:
    """With the model's own signs; without sentences that need one that it does not have."""
    pair = f" {separator} " if separator else ""
    found: Groups = {}
    for name, sentences in groups.items():
        suited = [
            sentence.format(mask=mask, pair=pair)
            for sentence in sentences
            if (mask or "{mask}" not in sentence) and (pair or "{pair}" not in sentence)
        ]
        if suited:
            found[name] = suited
    return found


@lru_cache(maxsize=1)
def _of_families() -> dict[str, dict[str, Groups]]:
    path = ROOT / "samples" / "of_families.json"
    table: dict[str, dict[str, Groups]] = json.loads(path.read_text(encoding="utf-8"))
    return table
