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

# Name and scripts, the latter by the first word of their letters' Unicode names. A language that is not
# here (or "und") may be written in anything.
_LANGUAGES: dict[str, tuple[str, tuple[str, ...]]] = {
    "en": ("English", _LATIN),
    "fr": ("French", _LATIN),
    "zh": ("Chinese", _HAN),
    "cmn": ("Chinese", _HAN),
    "yue": ("Cantonese", _HAN),
    "ja": ("Japanese", ("Cjk", "Hiragana", "Katakana")),
    "ko": ("Korean", ("Hangul", "Cjk")),
    "de": ("German", _LATIN),
    "es": ("Spanish", _LATIN),
    "it": ("Italian", _LATIN),
    "pt": ("Portuguese", _LATIN),
    "nl": ("Dutch", _LATIN),
    "sv": ("Swedish", _LATIN),
    "da": ("Danish", _LATIN),
    "fi": ("Finnish", _LATIN),
    "pl": ("Polish", _LATIN),
    "cs": ("Czech", _LATIN),
    "hu": ("Hungarian", _LATIN),
    "ro": ("Romanian", _LATIN),
    "tr": ("Turkish", _LATIN),
    "vi": ("Vietnamese", _LATIN),
    "id": ("Indonesian", _LATIN),
    "ru": ("Russian", _CYRILLIC),
    "uk": ("Ukrainian", _CYRILLIC),
    "bg": ("Bulgarian", _CYRILLIC),
    "el": ("Greek", ("Greek",)),
    "ar": ("Arabic", _ARABIC),
    "fa": ("Persian", _ARABIC),
    "ur": ("Urdu", _ARABIC),
    "he": ("Hebrew", ("Hebrew",)),
    "hi": ("Hindi", _NAGARI),
    "mr": ("Marathi", _NAGARI),
    "th": ("Thai", ("Thai",)),
}
# Written without spaces: each letter counts as a word does elsewhere.
_UNSPACED = {"Cjk", "Hiragana", "Katakana", "Bopomofo", "Thai", "Lao", "Khmer", "Myanmar"}
_LEAST_READABLE = 1 / 3


def language_name(code: str) -> str:
    """English name of a language code, or the code itself."""
    return _LANGUAGES[_base(code)][0] if _base(code) in _LANGUAGES else code


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
    _, scripts = _LANGUAGES.get(_base(language), ("", ()))
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
