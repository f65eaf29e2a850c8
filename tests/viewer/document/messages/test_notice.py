"""Sentences for the user, in whichever language the application speaks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator

from model.errors import MESSAGES, HeadscopeError
from viewer.document.messages.notice import Notice, error_sentence


class Chinese(QTranslator):
    """Translates one sentence; of another it makes nonsense."""

    def translate(self, context: str, source: str, *args: object) -> str:  # type: ignore[override]
        if context == "Errors" and source == MESSAGES["too_long"]:
            return "文本有 {tokens} 个词元,此模型最多读 {limit} 个"
        if context == "Errors" and source == MESSAGES["no_model"]:
            return "{nothing} of the kind"
        return ""

    def isEmpty(self) -> bool:
        return False


@pytest.fixture
def chinese(qapp: QCoreApplication) -> Iterator[None]:
    translator = Chinese()
    assert QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


def test_a_sentence_begins_with_a_capital_and_ends_with_a_stop() -> None:
    assert Notice("no_model").sentence() == "No model is open; open one first."


def test_a_path_keeps_its_spelling() -> None:
    sentence = error_sentence(HeadscopeError("folder_exists", path="models/a"))
    assert sentence.startswith("models/a already exists")


def test_the_language_is_chosen_when_it_is_read(chinese: None) -> None:
    notice = Notice.of(HeadscopeError("too_long", tokens=9, limit=5))
    assert notice.level == "error"
    assert notice.sentence() == "文本有 9 个词元,此模型最多读 5 个。"


def test_a_translation_with_a_wrong_placeholder_falls_back(chinese: None) -> None:
    assert Notice("no_model").sentence() == "No model is open; open one first."


def test_a_code_without_a_sentence_is_found_at_once() -> None:
    with pytest.raises(KeyError):
        Notice("nonsense")


def test_notices_compare_by_what_they_say() -> None:
    assert Notice("length_limit", {"tokens": 3}) == Notice("length_limit", {"tokens": 3})
    assert Notice("length_limit", {"tokens": 3}) != Notice("length_limit", {"tokens": 4})
