"""A sentence of tens of thousands of characters: whole in its field, and where it is cut, said."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from tests.viewer.desk import Desk
from viewer.document.messages.notice import Notice
from viewer.pages.widgets.sentence_box import LONGEST


def test_a_long_sentence_is_not_cut_in_its_field(desk: Desk) -> None:
    words = "word " * 12_000  # Qt's own fields take 32,767 characters
    QApplication.clipboard().setText(words)
    box = desk.page.sentence.box
    box.clear()
    box.paste()
    assert desk.session.text == words
    assert desk.session.notice is None


def test_so_is_what_it_cannot_show_of_a_text_that_was_opened(desk: Desk) -> None:
    desk.session.set_text("x" * (LONGEST + 1))
    assert desk.session.notice == Notice("text_cut", {"most": "131,072"})


def test_what_a_field_cannot_take_is_said(desk: Desk) -> None:
    QApplication.clipboard().setText("x" * (LONGEST + 1))
    box = desk.page.sentence.box
    box.clear()
    box.paste()
    assert desk.session.text == "x" * LONGEST
    assert desk.session.notice == Notice("text_cut", {"most": "131,072"})
