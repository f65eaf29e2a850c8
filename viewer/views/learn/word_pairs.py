"""Pairs of sentences in which one word means, or does, two things; by source language."""

from __future__ import annotations

from viewer.resources import samples

_PAIRS = {
    # A watch, and to watch; in the same place, so that only the context differs.
    "en": ("The watch is very old.", "They watch the old film."),
    # 打: to play (a ball game), and to hit.
    "zh": ("我们打篮球。", "我们打了他。"),
    # The model that reverses: what counts is not the meaning but the place.
    "und": ("sun cat key map", "owl map tea cat fox zoo"),
}


def word_pair(language: str) -> tuple[str, str]:
    """A pair to begin with; of a language without one its first two samples; empty if there are none."""
    known = _PAIRS.get(language.split("_")[0].split("-")[0].lower())
    if known is not None:
        return known
    sentences = [text for group in samples(language).values() for text in group]
    return (sentences[0], sentences[1]) if len(sentences) > 1 else ("", "")
