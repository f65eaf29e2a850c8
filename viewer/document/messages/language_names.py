"""Language names: languages and scripts of error sentences in the application's language."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

VALUES = frozenset({"reads", "written"})
"""The values of an error that name a language or a script; elsewhere "French" may be somebody's folder."""


def localized_language(name: str) -> str:
    """A language or script of `model.folder.languages` in the application's language, itself if unknown."""
    return (_languages() | _scripts()).get(name, name)


def _languages() -> dict[str, str]:
    translate = QCoreApplication.translate
    return {
        "English": translate("LanguageNames", "English"),
        "French": translate("LanguageNames", "French"),
        "Chinese": translate("LanguageNames", "Chinese"),
        "Cantonese": translate("LanguageNames", "Cantonese"),
        "Japanese": translate("LanguageNames", "Japanese"),
        "Korean": translate("LanguageNames", "Korean"),
        "German": translate("LanguageNames", "German"),
        "Spanish": translate("LanguageNames", "Spanish"),
        "Italian": translate("LanguageNames", "Italian"),
        "Portuguese": translate("LanguageNames", "Portuguese"),
        "Dutch": translate("LanguageNames", "Dutch"),
        "Swedish": translate("LanguageNames", "Swedish"),
        "Danish": translate("LanguageNames", "Danish"),
        "Finnish": translate("LanguageNames", "Finnish"),
        "Polish": translate("LanguageNames", "Polish"),
        "Czech": translate("LanguageNames", "Czech"),
        "Hungarian": translate("LanguageNames", "Hungarian"),
        "Romanian": translate("LanguageNames", "Romanian"),
        "Turkish": translate("LanguageNames", "Turkish"),
        "Vietnamese": translate("LanguageNames", "Vietnamese"),
        "Indonesian": translate("LanguageNames", "Indonesian"),
        "Russian": translate("LanguageNames", "Russian"),
        "Ukrainian": translate("LanguageNames", "Ukrainian"),
        "Bulgarian": translate("LanguageNames", "Bulgarian"),
        "Greek": translate("LanguageNames", "Greek"),
        "Arabic": translate("LanguageNames", "Arabic"),
        "Persian": translate("LanguageNames", "Persian"),
        "Urdu": translate("LanguageNames", "Urdu"),
        "Hebrew": translate("LanguageNames", "Hebrew"),
        "Hindi": translate("LanguageNames", "Hindi"),
        "Marathi": translate("LanguageNames", "Marathi"),
        "Thai": translate("LanguageNames", "Thai"),
    }


def _scripts() -> dict[str, str]:
    translate = QCoreApplication.translate
    return {
        "Chinese characters": translate("LanguageNames", "Chinese characters"),
        "Latin letters": translate("LanguageNames", "Latin letters"),
        "Cyrillic letters": translate("LanguageNames", "Cyrillic letters"),
        "Arabic letters": translate("LanguageNames", "Arabic letters"),
        "Greek letters": translate("LanguageNames", "Greek letters"),
        "Hebrew letters": translate("LanguageNames", "Hebrew letters"),
        "Devanagari letters": translate("LanguageNames", "Devanagari letters"),
        "Thai letters": translate("LanguageNames", "Thai letters"),
        "Hangul letters": translate("LanguageNames", "Hangul letters"),
        "Hiragana letters": translate("LanguageNames", "Hiragana letters"),
        "Katakana letters": translate("LanguageNames", "Katakana letters"),
        "Bopomofo letters": translate("LanguageNames", "Bopomofo letters"),
    }
