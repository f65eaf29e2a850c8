"""Entries of what can be set, in the palette: QUANTITIES and LANGUAGE."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QLocale

from model.questions.causes.faithfulness import FAITHFULNESS
from viewer.document.selection import AnyNumbers
from viewer.document.text.method_text import method_words
from viewer.figures.map.numbers import about
from viewer.window.actions import plain_text
from viewer.window.palette.entry import Entry, Reach, Source
from viewer.window.settings import LANGUAGES


def _quantities(reach: Reach) -> Sequence[Entry]:
    """Those of the menu, which knows what there is once it was refreshed, and its test of a map."""
    shown = plain_text(reach.menus.numbers.title())
    entries = []
    for numbers, action in reach.numbers.choices.items():
        said = about(numbers)
        entries.append(
            Entry(
                str(numbers),
                said.name,
                partial(_show, reach, numbers),
                shown,
                also=(str(numbers).replace("_", " "),),
                about=said.caveat,
                enabled=action.isEnabled(),
            )
        )
    trust = reach.numbers.trust
    about_trust = method_words(FAITHFULNESS).caveat
    title = plain_text(trust.text())
    entries.append(Entry("trust", title, trust.trigger, shown, about=about_trust, enabled=trust.isEnabled()))
    return entries


def _show(reach: Reach, numbers: AnyNumbers) -> None:
    reach.actions["show_look"].trigger()
    reach.numbers.choices[numbers].trigger()


def _languages(reach: Reach) -> Sequence[Entry]:
    group = QCoreApplication.translate("TopBar", "Language")
    return [
        Entry(
            language,
            _own_name(language),
            partial(_speak, reach, language),
            group,
            also=(QLocale.languageToString(QLocale(language).language()),),
        )
        for language in LANGUAGES
    ]


def _own_name(language: str) -> str:
    """As its speakers call it, without a country where there is one English."""
    locale = QLocale(language)
    if language == locale.name():
        return locale.nativeLanguageName()
    return QLocale.languageToString(locale.language())


def _speak(reach: Reach, language: str) -> None:
    if reach.localization.language != language:
        reach.toggle_language()


QUANTITIES = Source("numbers", _quantities)
LANGUAGE = Source("language", _languages)
