"""The sentences of the Samples button: the language's, and before them those of the model's training."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from viewer.pages.look.sentence.samples_menu import SamplesButton
from viewer.pages.widgets.appearance import Appearance
from viewer.resources import samples


@pytest.fixture
def button(qtbot: QtBot) -> SamplesButton:
    button = SamplesButton(Appearance("light"))
    qtbot.addWidget(button)
    return button


def offered(menu: QMenu) -> list[str]:
    """What it offers once it is shown."""
    menu.aboutToShow.emit()
    return [action.data() for action in menu.actions() if action.data()]


def test_a_language_s_sentences_stand_in_the_menu(button: SamplesButton) -> None:
    button.set_model("zh")
    assert offered(button.menu()) == [sentence for group in samples("zh").values() for sentence in group]
    button.set_model("tlh")
    assert button.isHidden()


def test_a_trained_model_s_own_come_first_and_the_others_one_step_away(
    button: SamplesButton, qtbot: QtBot, tmp_path: Path
) -> None:
    log = {"event": "eval", "samples": [["go .", "va !"], ["i'm home .", "je suis"]]}
    (tmp_path / "training_log.jsonl").write_text(json.dumps(log), "utf-8")
    button.set_model("en", str(tmp_path))

    assert offered(button.menu()) == ["go .", "i'm home ."]
    below = [menu for action in button.menu().actions() if isinstance(menu := action.menu(), QMenu)]
    assert [offered(menu) for menu in below] == list(samples("en").values())
    button.menu().aboutToShow.emit()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert len(button.menu().findChildren(QMenu)) == len(below)
    with qtbot.waitSignal(button.picked) as picked:
        button.menu().actions()[2].trigger()
    assert picked.args == ["go ."]
    button.set_model("und2", str(tmp_path))  # a language without sentences
    assert offered(button.menu()) == ["go .", "i'm home ."]
    assert not button.isHidden()
