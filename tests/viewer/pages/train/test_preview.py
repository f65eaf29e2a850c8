"""The corpus preview: what it says of a survey, hand-made so that every number can be counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from model.data.pairs.survey import CorpusSurvey, PreviewPair
from model.errors import HeadscopeError
from tests.viewer.heard_requests import heard
from viewer.document.messages.notice import Notice
from viewer.document.messages.training_requests import StopReading
from viewer.document.training.training import Training
from viewer.pages.train.preview.preview import CorpusPreview
from viewer.pages.train.preview.preview_histogram import LengthHistogram, bars, bin_width, shown_length
from viewer.pages.train.preview.preview_model import LENGTHS, NUMBER, PROBLEM, SOURCE, TARGET, PreviewModel
from viewer.pages.train.preview.preview_text import (
    counts_sentence,
    encoding_sentence,
    left_out_sentence,
    problem_word,
    warning_sentence,
)
from viewer.pages.widgets.appearance import DARK, LIGHT, Appearance

PAIRS = (
    PreviewPair(1, "Go.", "Va !", 3, 4),
    PreviewPair(2, "", "Rien", 0, 4, ("empty",)),
    PreviewPair(7, "Go.", "Va !", 3, 4, ("duplicate", "ratio")),
)
SURVEY = CorpusSurvey(
    "tsv",
    complete=True,
    pairs=250_013,
    encodings={"a.tsv": "utf-8", "b.tsv": "utf-8"},
    first=PAIRS,
    counts={"duplicate": 1204, "empty": 13, "long": 220},
    train=241_002,
    dev=2430,
    test=5144,
    source_lengths=np.array([0, 2, 5, 2, 1]),
    target_lengths=np.array([0, 0, 4, 4, 2]),
)


@pytest.fixture
def appearance(qapp: QApplication) -> Appearance:
    return Appearance("light")


@pytest.fixture
def training(qapp: QApplication) -> Training:
    return Training()


@pytest.fixture
def preview(qtbot: QtBot, training: Training, appearance: Appearance) -> Iterator[CorpusPreview]:
    host = QWidget()  # whose least size is not its contents': more than the offscreen platform can do
    preview = CorpusPreview(training, appearance, host)
    qtbot.addWidget(host)
    preview.resize(700, 600)
    host.resize(700, 600)
    host.show()
    yield preview
    host.hide()


def test_the_counts_are_one_sentence(qapp: QApplication) -> None:
    assert counts_sentence(SURVEY) == (
        "250,013 pairs: 241,002 to train on, 2,430 held out to measure progress, 5,144 kept for the test"
    )
    assert counts_sentence(replace(SURVEY, test=0)).endswith("held out to measure progress")
    assert counts_sentence(replace(SURVEY, complete=False, pairs=99)) == "99 pairs so far"


def test_what_is_left_out_is_said_and_what_is_not(qapp: QApplication) -> None:
    dropped = "Left out: 1,204 duplicates, 13 with an empty side, 220 too long"
    assert 250_013 - 241_002 - 2430 - 5144 == 1204 + 13 + 220
    assert left_out_sentence(SURVEY) == dropped

    kept = replace(SURVEY, train=SURVEY.train + 1204)
    assert left_out_sentence(kept) == (
        "Left out: 13 with an empty side, 220 too long; 1,204 duplicates are used like the others"
    )
    assert left_out_sentence(replace(SURVEY, counts={})) == ""


@pytest.mark.parametrize(
    ("layout", "encodings", "words"),
    [
        ("tsv", {"a": "utf-8"}, "tab-separated, written in utf-8"),
        ("csv", {"a": "utf-8", "b": "gb18030"}, "comma-separated (CSV), written in utf-8, gb18030"),
        ("parallel", {"a": "utf-8", "b": "utf-8"}, "two parallel files, written in utf-8"),
        ("task", {}, ""),
    ],
)
def test_the_encoding_is_said(layout: Any, encodings: dict[str, str], words: str, qapp: QApplication) -> None:
    assert encoding_sentence(CorpusSurvey(layout, encodings=encodings)) == words


def test_too_few_pairs_are_warned_of(qapp: QApplication) -> None:
    assert warning_sentence(SURVEY) == ""
    assert "No pair is left" in warning_sentence(replace(SURVEY, train=0))
    assert "Too few pairs" in warning_sentence(replace(SURVEY, dev=0))
    assert warning_sentence(replace(SURVEY, train=0, complete=False)) == ""


def test_the_table_shows_each_pair_and_why_it_is_left_out(appearance: Appearance) -> None:
    model = PreviewModel(appearance)
    model.show_pairs(PAIRS)

    shown = [[model.index(row, column).data() for column in range(model.columnCount())] for row in range(3)]
    assert shown == [
        ["1", "Go.", "Va !", "3 → 4", ""],
        ["2", "", "Rien", "0 → 4", "empty side"],
        ["7", "Go.", "Va !", "3 → 4", "duplicate, too uneven"],
    ]
    roles = Qt.ItemDataRole
    assert model.index(0, SOURCE).data(roles.ForegroundRole) is None
    assert model.index(1, TARGET).data(roles.ForegroundRole).name() == LIGHT.muted
    assert model.index(1, PROBLEM).data(roles.ForegroundRole).name() == LIGHT.problem
    assert model.index(0, SOURCE).data(roles.ToolTipRole) == "Go."
    names = [model.headerData(i, Qt.Orientation.Horizontal) for i in range(5)]
    assert (names[NUMBER], names[LENGTHS], names[PROBLEM]) == ("Line", "Characters", "Left out")


def test_pairs_that_come_later_are_added(appearance: Appearance, qtbot: QtBot) -> None:
    model = PreviewModel(appearance)
    model.show_pairs(PAIRS[:1])
    with qtbot.waitSignal(model.rowsInserted):
        model.show_pairs(PAIRS)
    with qtbot.waitSignal(model.modelReset):
        model.show_pairs(PAIRS[1:])
    assert model.faulty


def test_every_problem_has_a_word(qapp: QApplication) -> None:
    names: list[Any] = ["empty", "long", "ratio", "duplicate"]
    assert len({problem_word(name) for name in names}) == 4


def test_a_survey_fills_the_page(preview: CorpusPreview, training: Training) -> None:
    training.set_survey(SURVEY)

    assert preview.counts.text() == counts_sentence(SURVEY)
    assert preview.table.isVisible()
    assert preview.lengths.isVisible()
    assert not preview.table.isColumnHidden(PROBLEM)
    assert not preview.progress.isVisible()
    assert not preview.cancel.isVisible()
    assert preview.batch.isEnabled()

    training.set_survey(replace(SURVEY, first=PAIRS[:1]))
    assert preview.table.isColumnHidden(PROBLEM)


def test_reading_shows_progress_and_can_be_stopped(
    preview: CorpusPreview, training: Training, qtbot: QtBot
) -> None:
    training.set_survey(None, surveying=True)
    assert preview.counts.text() == "Reading…"
    assert preview.progress.maximum() == 0  # nobody knows how long

    training.set_survey(replace(SURVEY, complete=False, done=250, total=1000), surveying=True)
    assert preview.progress.isVisible()
    assert preview.progress.value() / preview.progress.maximum() == pytest.approx(0.25)
    assert not preview.batch.isEnabled()
    asked = heard(training)
    preview.cancel.click()
    assert asked == [StopReading()]


def test_nothing_to_show_says_what_to_do(preview: CorpusPreview, training: Training, qtbot: QtBot) -> None:
    assert "Choose a file" in preview.empty.sentence.text()
    with qtbot.waitSignal(preview.files_asked):
        preview.empty.button.click()

    problem = Notice.of(HeadscopeError("corpus_missing", path="/x/gone.tsv"))
    training.set_survey(None, problem)
    assert "/x/gone.tsv" in preview.empty.sentence.text()


def test_bins_hold_every_sentence_up_to_the_end_shown() -> None:
    counts = np.array([0, 2, 5, 2, 1])

    assert bars(counts, 4).tolist() == [0, 2, 5, 2, 1]
    assert bin_width(39) == 1
    assert bin_width(40) == 2
    long = np.arange(100)
    sums = bars(long, 99)
    assert bin_width(99) == 3
    assert sums.sum() == long.sum()
    assert sums[0] == 0 + 1 + 2
    assert bars(np.array([3]), 5).tolist() == [3, 0, 0, 0, 0, 0]


def test_one_in_a_hundred_may_lie_beyond() -> None:
    counts = np.zeros(501, np.int64)
    counts[10], counts[500] = 990, 10

    assert shown_length(counts, np.array([1])) == 10
    counts[500] = 11
    assert shown_length(counts, np.array([1])) == 500


@pytest.mark.parametrize(("choice", "palette"), [("light", LIGHT), ("dark", DARK)])
def test_bars_are_as_high_as_their_share(choice: str, palette: Any, qtbot: QtBot) -> None:
    histogram = LengthHistogram(Appearance(choice))
    qtbot.addWidget(histogram)
    histogram.resize(400, 96)
    survey = replace(SURVEY, source_lengths=np.array([0, 10, 5, 0]), target_lengths=np.array([0, 0, 0, 10]))
    histogram.show_lengths(survey)

    image = histogram.grab().toImage()
    ratio = image.devicePixelRatio()
    places = [(index + 0.5) * 400 / len(bars(survey.source_lengths, histogram.length)) for index in range(4)]
    heights = [
        sum(
            image.pixelColor(round(x * ratio), round(y * ratio)).name() == palette.chip for y in range(18, 96)
        )
        for x in places
    ]
    assert heights[0] == heights[3] == 0
    assert heights[1] > 40
    assert heights[2] == pytest.approx(heights[1] / 2, abs=2)


def test_no_lengths_no_histogram(qtbot: QtBot, appearance: Appearance) -> None:
    histogram = LengthHistogram(appearance)
    qtbot.addWidget(histogram)
    for survey in (None, CorpusSurvey("tsv")):
        histogram.show_lengths(survey)
        assert histogram.length == 0
        histogram.grab()
