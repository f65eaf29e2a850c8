"""Languages and scripts within a Chinese sentence are Chinese."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator

from model.errors import HeadscopeError
from model.folder.languages import _LANGUAGES, check_readable, language_name
from viewer.document.messages.language_names import localized_language
from viewer.document.messages.notice import error_sentence
from viewer.resources import ROOT


@pytest.fixture
def chinese(qapp: QCoreApplication) -> Iterator[None]:
    translator = QTranslator()
    assert translator.load(str(ROOT / "translations" / "headscope_zh_CN.qm"))
    assert QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


def test_a_text_in_another_script_is_refused_without_an_english_word(chinese: None) -> None:
    with pytest.raises(HeadscopeError) as caught:
        check_readable("I like tea", model="zh-en", language="zh", others=[("en-fr", "en")])
    sentence = error_sentence(caught.value)
    assert "中文" in sentence
    assert "拉丁字母" in sentence
    assert "Chinese" not in sentence
    assert "Latin" not in sentence


def test_every_language_has_a_name(chinese: None) -> None:
    names = {code: language_name(code) for code in _LANGUAGES}
    assert [code for code, name in names.items() if localized_language(name) == name] == []


def test_what_is_unknown_and_what_only_looks_like_a_language_stay(chinese: None) -> None:
    assert localized_language("Runic letters") == "Runic letters"
    error = HeadscopeError(
        "language_unread", model="French", reads="French", written="Thai letters", offer="x"
    )
    sentence = error_sentence(error)
    assert "French" in sentence  # the model's name
    assert "法语" in sentence
