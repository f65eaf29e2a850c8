"""Tokens and texts that look like HTML are shown as they stand."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from pytestqt.qtbot import QtBot

from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.plain_tip import plain


def seen(text: str) -> str:
    """What a tooltip or a label makes of a text: HTML where Qt takes it for that."""
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()


@pytest.mark.parametrize(
    "text", ["<s> → <unk>", "a < b > c", "<img src='/dev/zero'>\nline  two", "<h1>&amp;</h1>", "x <b>y</b>"]
)
def test_what_looks_like_html_is_not_taken_for_it(qapp: object, text: str) -> None:
    assert seen(plain(text)) == text


@pytest.mark.parametrize("text", ["", "The cat", "a & b", "</w>", "1 < 2", "<0x0A>"])
def test_other_texts_stay_as_they_are(qapp: object, text: str) -> None:
    assert plain(text) == text


def test_an_error_in_place_of_a_picture_is_no_html(qtbot: QtBot) -> None:
    empty = EmptyState()
    qtbot.addWidget(empty)
    empty.say("<s>/models</s> is no folder")
    assert empty.sentence.textFormat() == Qt.TextFormat.PlainText
