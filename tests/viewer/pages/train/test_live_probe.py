"""The live page's probe and translations are those of the run, the newest ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind
from tests.viewer.heard_requests import heard
from tests.viewer.pages.train.live_samples import (
    eval_event,
    probe_event,
    shown_page,
    start_event,
    training_at,
)
from viewer.document.messages.requests import OpenPath
from viewer.document.training.training import Training
from viewer.pages.train.live.live_page import LivePage
from viewer.pages.train.live.samples_model import BEST_ROLE, SamplesModel

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

Show = Callable[[Training], LivePage]


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    return partial(shown_page, qtbot)


# the probe


def test_the_map_shows_the_weights_of_the_newest_trace(show: Show) -> None:
    training = training_at(10)
    training.take([probe_event(10)])
    page = show(training)
    assert page.probe.when.text() == "step 10"
    page.probe.own.select_head(1, 1)

    training.take([probe_event(20)])

    newest = probe_event(20).trace
    spec = page.probe.map.spec
    assert spec is not None
    assert (spec.layer, spec.head) == (1, 1)  # stays from one moment to the next
    assert np.array_equal(spec.matrix, newest.pattern(AttentionKind.CROSS, 1, 1))
    assert spec.shown_rows == spec.rows  # all rows, whatever step was clicked
    assert page.probe.when.text() == "step 20"
    assert newest.src_text in page.probe.sentence.text()


def test_every_family_can_be_seen_and_a_head_chosen(show: Show, qtbot: QtBot) -> None:
    training = training_at(10)
    training.take([probe_event(10)])
    page = show(training)
    trace = probe_event(10).trace

    for kind in AttentionKind:
        page.probe.kind_row.tabs[kind].click()
        geometry = page.probe.heads.view.geometry_now()
        assert geometry is not None
        place = geometry.rect_of(0, 1).center().toPoint()
        QTest.mouseClick(page.probe.heads.view, Qt.MouseButton.LeftButton, pos=place)
        spec = page.probe.map.spec
        assert spec is not None
        assert (spec.kind, spec.layer, spec.head) == (kind, 0, 1)
        assert np.array_equal(spec.matrix, trace.pattern(kind, 0, 1))
        assert spec.levels == (0.0, 1.0)


def test_a_click_on_a_cell_leaves_all_rows_in_view(show: Show) -> None:
    training = training_at(10)
    training.take([probe_event(10)])
    page = show(training)
    geometry = page.probe.map.geometry_now()
    assert geometry is not None

    QTest.mouseClick(page.probe.map, Qt.MouseButton.LeftButton, pos=geometry.rect_of(0, 1).center().toPoint())

    spec = page.probe.map.spec
    assert spec is not None
    assert spec.crosshair == (0, 1)
    assert spec.shown_rows == spec.rows


def test_the_scale_is_that_of_look(show: Show) -> None:
    training = training_at(10)
    training.take([probe_event(10)])
    page = show(training)
    session = page.session

    page.probe.sqrt.click()
    assert session.view.sqrt_scale
    spec = page.probe.map.spec
    assert spec is not None
    assert spec.sqrt_scale

    session.set_view(sqrt_scale=False)
    assert not page.probe.sqrt.isChecked()


def test_a_trace_of_another_length_and_family_is_shown_too(show: Show) -> None:
    training = training_at(10)
    training.take([probe_event(10, s=6, t=7)])
    page = show(training)
    page.probe.own.set_crosshair(6, 5)

    training.take([probe_event(20, s=6, t=3)])
    spec = page.probe.map.spec
    assert spec is not None
    assert spec.matrix.shape == (3, 6)

    training.take([probe_event(30, kinds=("encoder_self",))])
    spec = page.probe.map.spec
    assert spec is not None
    assert spec.kind is AttentionKind.ENCODER_SELF


def test_the_time_lapse_is_offered_once_frames_are_kept(show: Show, tmp_path: Path) -> None:
    training = training_at(10, out=str(tmp_path / "m"))
    training.take([probe_event(10)])
    page = show(training)
    asked = heard(page.session)
    assert not page.probe.time_lapse.isEnabled()

    training.take([probe_event(20, path=str(tmp_path / "m" / "probe" / "00000020.trace"))])
    page.probe.time_lapse.click()
    assert asked == [OpenPath(str(tmp_path / "m" / "probe"))]


def test_frames_of_an_earlier_sitting_are_found(show: Show, tmp_path: Path) -> None:
    (tmp_path / "m" / "probe").mkdir(parents=True)
    (tmp_path / "m" / "probe" / "00000010.trace").touch()
    page = show(training_at(10, out=str(tmp_path / "m")))

    assert page.probe.time_lapse.isEnabled()
    assert page.frames_folder == str(tmp_path / "m" / "probe")


# translations


def rows_of(model: SamplesModel) -> list[list[str]]:
    return [
        [model.index(row, column).data() for column in range(model.columnCount())]
        for row in range(model.rowCount())
    ]


def test_translations_stand_under_each_other_the_newest_first(show: Show) -> None:
    training = training_at(20)
    page = show(training)
    model = page.samples.model

    assert rows_of(model) == [["• 20", "0.9", "6.7", "b 20"], ["• 10", "1.1", "3.3", "b 10"]]
    page.samples.sentence.setCurrentText("c d")
    assert [row[3] for row in rows_of(model)] == ["d 20", "d 10"]

    training.take([eval_event(30, bleu=None, best=False, samples=(("c d", "d!"), ("e", "f")))])
    assert rows_of(model)[0] == ["30", "0.8333", "", "d!"]
    assert model.index(0, 0).data(BEST_ROLE) is False
    assert page.samples.sentence.currentText() == "c d"  # the choice stays
    page.samples.sentence.setCurrentText("e")
    assert [row[3] for row in rows_of(model)] == ["f", "–", "–"]


def test_the_model_of_translations_is_sound(qapp: Any) -> None:
    training = training_at(20)
    model = SamplesModel(training)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.refresh()
    training.take([eval_event(30), eval_event(40)])
    model.refresh()
    model.show_source("c d")
    training.take([start_event(step=20, resumed=True)])  # what came after its last save is made again
    model.refresh()

    assert [row[0] for row in rows_of(model)] == ["• 20", "• 10"]
