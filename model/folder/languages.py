"""Languages and scripts: to tell when a model cannot read what it is given. No torch."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

from model.errors import HeadscopeError

_LATIN = ("Latin",)
_CYRILLIC = ("Cyrillic",)
_ARABIC = ("Arabic",)
_HAN = ("Cjk", "Bopomofo")
_NAGARI = ("Devanagari",)

# Name, name in Chinese, and scripts, these by the first word of their letters' Unicode names. A language that
# is not here (or "und") may be written in anything.
_LANGUAGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "en": ("English", "英语", _LATIN),
    "fr": ("French", "法语", _LATIN),
    "zh": ("Chinese", "中文", _HAN),
    "cmn": ("Chinese", "中文", _HAN),
    "yue": ("Cantonese", "粤语", _HAN),
    "ja": ("Japanese", "日语", ("Cjk", "Hiragana", "Katakana")),
    "ko": ("Korean", "韩语", ("Hangul", "Cjk")),
    "de": ("German", "德语", _LATIN),
    "es": ("Spanish", "西班牙语", _LATIN),
    "it": ("Italian", "意大利语", _LATIN),
    "pt": ("Portuguese", "葡萄牙语", _LATIN),
    "nl": ("Dutch", "荷兰语", _LATIN),
    "sv": ("Swedish", "瑞典语", _LATIN),
    "da": ("Danish", "丹麦语", _LATIN),
    "fi": ("Finnish", "芬兰语", _LATIN),
    "pl": ("Polish", "波兰语", _LATIN),
    "cs": ("Czech", "捷克语", _LATIN),
    "hu": ("Hungarian", "匈牙利语", _LATIN),
    "ro": ("Romanian", "罗马尼亚语", _LATIN),
    "tr": ("Turkish", "土耳其语", _LATIN),
    "vi": ("Vietnamese", "越南语", _LATIN),
    "id": ("Indonesian", "印度尼西亚语", _LATIN),
    "ru": ("Russian", "俄语", _CYRILLIC),
    "uk": ("Ukrainian", "乌克兰语", _CYRILLIC),
    "bg": ("Bulgarian", "保加利亚语", _CYRILLIC),
    "el": ("Greek", "希腊语", ("Greek",)),
    "ar": ("Arabic", "阿拉伯语", _ARABIC),
    "fa": ("Persian", "波斯语", _ARABIC),
    "ur": ("Urdu", "乌尔都语", _ARABIC),
    "he": ("Hebrew", "希伯来语", ("Hebrew",)),
    "hi": ("Hindi", "印地语", _NAGARI),
    "mr": ("Marathi", "马拉地语", _NAGARI),
    "th": ("Thai", "泰语", ("Thai",)),
}
# Written without spaces: each letter counts as a word does elsewhere.
_UNSPACED = {"Cjk", "Hiragana", "Katakana", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar"}
_LEAST_READABLE = 1 / 3


def language_name(code: str) -> str:
    """English name of a language code, or the code itself."""
    return _LANGUAGES[_base(code)][0] if _base(code) in _LANGUAGES else code


def chinese_name(code: str) -> str:
    """Chinese name of a language code, or the code itself."""
    return _LANGUAGES[_base(code)][1] if _base(code) in _LANGUAGES else code


def scripts_in(text: str) -> Counter[str]:
    """How many words of each script a text has; digits, punctuation and emoji count for none."""
    counts: Counter[str] = Counter()
    previous = ""
    # Compatibility forms (full-width, mathematical bold, ...) are letters of an ordinary script.
    for character in unicodedata.normalize("NFKC", text):
        category = unicodedata.category(character)
        if category.startswith("M"):
            continue
        script = _script(character) if category.startswith("L") else ""
        if script and (script != previous or script in _UNSPACED):
            counts[script] += 1
        previous = script
    return counts


def is_readable(text: str, language: str) -> bool:
    """Whether at least a third of a text's words are written as `language` is; yes without any words."""
    *_, scripts = _LANGUAGES.get(_base(language), ("", "", ()))
    counts = scripts_in(text)
    total = counts.total()
    if not scripts or not total:
        return True
    return sum(counts[script] for script in scripts) >= _LEAST_READABLE * total


def check_readable(text: str, *, model: str, language: str, others: Iterable[tuple[str, str]]) -> None:
    """Refuse a text that the model does not read.

    Args:
        model, language: the model's name and source language.
        others: names and source languages of models to offer instead.

    Raises:
        HeadscopeError: `language_unread` with a model in `values["offer"]`, or `script_unread`.
    """
    if is_readable(text, language):
        return
    ((script, _),) = scripts_in(text).most_common(1)
    written = "Chinese characters" if script == "Cjk" else f"{script} letters"
    values = {"model": model, "reads": language_name(language), "written": written, "language": language}
    for name, other in others:
        if _base(other) in _LANGUAGES and is_readable(text, other):
            raise HeadscopeError("language_unread", offer=name, **values)
    raise HeadscopeError("script_unread", **values)


def _script(letter: str) -> str:
    """The first word of a letter's Unicode name; empty where that names no script."""
    word = unicodedata.name(letter, "").replace("-", " ").partition(" ")[0]
    return "" if word == "MODIFIER" else word.capitalize()


def _base(code: str) -> str:
    return code.replace("_", "-").partition("-")[0].lower()
