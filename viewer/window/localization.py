"""`Localization`: the language in force: our translation and Qt's own, switched while the window is open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import (
    QT_TRANSLATE_NOOP,
    QCoreApplication,
    QEvent,
    QLibraryInfo,
    QLocale,
    QObject,
    QTranslator,
)

from viewer.guarded import Guarded
from viewer.resources import TRANSLATIONS
from viewer.window.settings import LANGUAGES

T = TypeVar("T")

# Words of Qt's own dialogs that its Chinese lacks, or has otherwise than this window; ours are asked first.
QT_WORDS = (
    QT_TRANSLATE_NOOP("QFileDialog", "&Look in:"),
    QT_TRANSLATE_NOOP("QFileDialog", "Files of &type:"),
    QT_TRANSLATE_NOOP("QFileDialog", "Directory:"),
    QT_TRANSLATE_NOOP("QFileDialog", "Find Directory"),
    QT_TRANSLATE_NOOP("QFileSystemModel", "Size"),
    QT_TRANSLATE_NOOP("QAbstractFileIconProvider", "Folder"),
    QT_TRANSLATE_NOOP("QAbstractFileIconProvider", "File"),
    QT_TRANSLATE_NOOP("QAbstractFileIconProvider", "%1 File"),
    QT_TRANSLATE_NOOP("QAbstractFileIconProvider", "Drive"),
    QT_TRANSLATE_NOOP("QAbstractFileIconProvider", "Unknown"),
    QT_TRANSLATE_NOOP("QLineEdit", "&Undo"),
    QT_TRANSLATE_NOOP("QWidgetTextControl", "&Undo"),
)


class Localization(QObject):
    """Installs translators; Qt then sends every widget a `LanguageChange` event."""

    def __init__(self, language: str = "en", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._language = "en"
        self._installed: list[QTranslator] = []
        self._loaded: dict[str, list[QTranslator]] = {}
        self._files: dict[Path, bytes] = {}
        self.choose(language)

    @property
    def language(self) -> str:
        """`en` or `zh_CN`."""
        return self._language

    def choose(self, language: str) -> None:
        """Speak `language` from now on; one without a translation is English."""
        language = language if language in LANGUAGES else "en"
        if language == self._language:
            return
        self._language = language
        for translator in self._installed:
            QCoreApplication.removeTranslator(translator)
        self._installed = []
        QLocale.setDefault(QLocale(language) if language != "en" else QLocale(QLocale.Language.English))
        if language == "en":
            return
        if language not in self._loaded:
            self._loaded[language] = self._load(language)
        self._installed = self._loaded[language]
        for translator in self._installed:
            QCoreApplication.installTranslator(translator)

    def _load(self, language: str) -> list[QTranslator]:
        """Qt's translator and ours, as far as they can be read."""
        qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        names = ((f"qtbase_{language}", qt_folder), (f"headscope_{language}", TRANSLATIONS))
        loaded = []
        for name, folder in names:
            translator = QTranslator(self)
            if translator.load(self._contents(Path(folder) / f"{name}.qm")):
                loaded.append(translator)
        return loaded

    def _contents(self, path: Path) -> bytes:
        """A file's bytes, kept as long as a translator may look into them; empty if it cannot be read.

        By the file's name Qt would map it into memory, and an update that replaces it ends the window.
        """
        if path not in self._files:
            try:
                self._files[path] = path.read_bytes()
            except OSError:
                return b""
        return self._files[path]

    def toggle(self) -> None:
        """From English to Chinese, or back."""
        self.choose("en" if self._language == "zh_CN" else "zh_CN")

    def in_each(self, said: Callable[[], T]) -> dict[str, T]:
        """What something says in each language, by language; nobody is told that it was changed."""
        application, before = QCoreApplication.instance(), self._language
        hush = _Hush(self)
        if application is not None:
            application.installEventFilter(hush)
        try:
            told = {}
            for language in LANGUAGES:
                self.choose(language)
                told[language] = said()
            return told
        finally:
            self.choose(before)
            if application is not None:
                application.removeEventFilter(hush)
            hush.deleteLater()

    def remove(self) -> None:
        """Back to English, with nothing installed."""
        self.choose("en")


class _Hush(Guarded, QObject):
    """Keeps from the widgets that translators come and go: a window would say all it says anew."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The application would tell every window."""
        return event.type() == QEvent.Type.LanguageChange
