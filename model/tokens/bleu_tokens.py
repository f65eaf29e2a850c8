"""BLEU tokens: how sacreBLEU should cut a language into words; a wrong choice makes scores meaningless."""

from __future__ import annotations

_BY_LANGUAGE = {
    "zh": "zh",
    "ja": "char",
    "th": "char",
    "lo": "char",
    "km": "char",
    "my": "char",
    "bo": "char",
}


def bleu_tokenizer(language: str) -> str:
    """sacreBLEU's tokenizer for a language code such as "fr" or "zh-Hans"; named in every signature.

    `13a` expects spaces between words; Chinese has its own; other unspaced languages are cut into
    characters, since sacreBLEU's cutter for Japanese needs a package of its own.
    """
    return _BY_LANGUAGE.get(language.lower().replace("_", "-").split("-")[0], "13a")
