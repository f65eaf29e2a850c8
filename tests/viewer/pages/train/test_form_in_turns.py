"""The form is made a few rows each turn, and is then as if it had been made at once."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from model.training.fields.field import Group
from model.training.fields.fields import FIELDS
from viewer.document.training.training import Training
from viewer.pages.train.form.form_group import FormGroup
from viewer.pages.train.form.form_groups import DataGroup, ModelGroup, ResultGroup
from viewer.pages.train.form.form_row import FieldRow
from viewer.pages.train.form.train_form import TrainForm
from viewer.pages.widgets.appearance import Appearance
from viewer.window.localization import Localization

_MOST_ROWS = 4


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))


@pytest.mark.parametrize(
    ("kind", "name"),
    [(DataGroup, "data"), (ModelGroup, "model"), (FormGroup, "training"), (ResultGroup, "result")],
)
def test_a_group_is_whole_after_its_parts(qtbot: QtBot, kind: type[FormGroup], name: Group) -> None:
    group = kind(name, Appearance("light"))
    qtbot.addWidget(group)
    assert not group.is_whole
    assert len(list(group.parts)) > 0
    assert group.is_whole
    assert list(group.rows) == [field.name for field in FIELDS.values() if field.group == name]
    assert group.heading.text()
    assert len(group.tab_chain()) > len(group.rows)


def test_no_part_makes_more_than_a_few_rows(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    form = TrainForm(Training(), Appearance("light"), host, at_once=False)
    rows = [0, *(len(form.findChildren(FieldRow)) for _ in form.parts)]
    assert max(now - before for before, now in pairwise(rows)) <= _MOST_ROWS
    assert rows[-1] == len(FIELDS) + 2  # the preset and the folder
    assert form.is_whole
    assert all(group.is_whole for group in form.groups)


def test_made_in_parts_it_says_what_it_says_made_at_once(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    form = TrainForm(Training(), Appearance("light"), host, at_once=False)
    for _ in form.parts:
        pass
    other = TrainForm(Training(), Appearance("light"), host)
    assert form.values() == other.values()
    for one, two in zip(form.groups, other.groups, strict=True):
        assert one.more.text() == two.more.text()
        assert list(one.rows) == list(two.rows)
        assert [row.isHidden() for row in one.rows.values()] == [row.isHidden() for row in two.rows.values()]
    assert form.data.about.text() == other.data.about.text() != ""


def test_another_language_meanwhile_is_taken(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    form = TrainForm(Training(), Appearance("light"), host, at_once=False)
    for _ in range(8):
        next(form.parts)
    assert any(group.rows for group in form.groups)
    assert not form.groups[-1].rows
    language = Localization("zh_CN")
    try:
        QCoreApplication.sendPostedEvents()
        for _ in form.parts:
            pass
        titles = [row.title.text() for group in form.groups for row in group.rows.values()]
        headings = [group.heading.text() for group in form.groups]
        assert all(text and not text.isascii() for text in headings)
        assert sum(not text.isascii() for text in titles) > len(titles) * 0.8
    finally:
        language.choose("en")
