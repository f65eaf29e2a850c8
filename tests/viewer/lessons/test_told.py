"""Every lesson that is told: words for all it has, numbers to be written, and pictures at every size."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QRect, QRectF, QTranslator
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from model.bundle.bundle import Bundle, load_bundle
from model.experiments.recorded import recorded_result
from model.experiments.registry import PAGES
from model.experiments.result import ArmResult
from model.lessons.control import Choice
from model.lessons.lesson import Subject
from model.lessons.registry import LESSONS
from model.trace.trace import Trace
from tests.viewer.lessons.states import State, settings_of, states_of
from tests.viewer.translation_files import QM
from viewer.experiments.registry import TOLD_EXPERIMENTS
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.drawing import figure_geometry, figure_height, paint_figure
from viewer.figures.rows import figure_rows
from viewer.figures.sheet.formula import formula_of
from viewer.figures.sheet.layout import SheetGeometry
from viewer.lessons.registry import TOLD
from viewer.lessons.sheet import finding_text
from viewer.lessons.told import Told

every = pytest.mark.parametrize("told", [*TOLD, *TOLD_EXPERIMENTS], ids=lambda told: told.name)
SIZES = (600, 400), (900, 600), (1600, 900)
_EDGE = 40


def test_all_lessons_are_told_in_the_order_of_the_lecture() -> None:
    assert [told.lesson for told in TOLD] == list(LESSONS)
    assert [told.lesson for told in (*TOLD, *TOLD_EXPERIMENTS)] == list(PAGES)
    assert len({page.name for page in PAGES}) == len(PAGES)


@pytest.fixture(scope="module")
def bundle(tiny_bundle: Path) -> Bundle:
    return load_bundle(tiny_bundle)


@pytest.fixture(scope="module")
def subject(tiny_trace: Trace) -> Subject:
    return Subject.of(tiny_trace)


@pytest.fixture(scope="module")
def worked_out(bundle: Bundle, subject: Subject) -> dict[str, list[State]]:
    """Of each lesson, what was asked for first: answers cost most of this file's time."""
    return {}


@pytest.fixture
def states(
    told: Told, worked_out: dict[str, list[State]], bundle: Bundle, subject: Subject, qapp: QApplication
) -> list[State]:
    """Of the open model."""
    if told.name not in worked_out:
        worked_out[told.name] = list(states_of(told, subject, bundle))
    assert worked_out[told.name], "there is nothing to show of an open model"
    return worked_out[told.name]


@every
def test_there_are_words_for_everything(told: Told, states: list[State], subject: Subject) -> None:
    for text in (told.title(), told.why(), told.expect(), told.paper()):
        assert text.strip()
        assert "{" not in text
    for where in (None, subject):
        for control in told.lesson.controls(where):
            assert told.control(control.name).strip()
            if isinstance(control, Choice):
                assert all(told.option(control.name, option).strip() for option in control.options)
        for _, values in settings_of(told, where):  # raises where a station cannot be turned to
            assert told.lesson.unused(values) <= {one.name for one in told.lesson.controls(subject)}
    for state in states:
        assert state.numbers.findings, state.place
        for finding in state.numbers.findings:
            said = finding_text(told, finding)
            assert said.strip()
            assert "{" not in said
        assert all(text.strip() for text in told.badges(state.numbers, state.values))
        assert formula_of(told.formula(state.values), 17.0).width > 0


@every
def test_numbers_can_be_written_and_read(told: Told, states: list[State]) -> None:
    for state in states:
        written = json.dumps(state.numbers.to_json(), allow_nan=False)
        assert json.loads(written)["findings"][0]["name"] == state.numbers.findings[0].name
        json.dumps(state.figure.facts, allow_nan=False)
        header, *rows = figure_rows(state.figure)
        assert rows, state.place
        for row in rows:
            assert len(row) == len(header)
            for cell in row:
                number = isinstance(cell, float | int) and math.isfinite(cell)
                assert isinstance(cell, str) or number, (state.place, row)


def test_the_same_without_a_model(qapp: QApplication) -> None:
    """What needs none is there at once."""
    shown = 0
    for told in TOLD:
        place, values = next(settings_of(told, None))
        if told.lesson.asks(values, None) is None and not told.lesson.needs_answer:
            state = State(told, place, values, told.lesson.numbers(values, None, None))
            assert painted(state, 900, 600, LIGHT)
            shown += 1
    assert shown


@every
def test_pictures_keep_to_their_place_at_every_size(told: Told, states: list[State]) -> None:
    first, *others = states
    for size, theme in zip(SIZES, (LIGHT, DARK, LIGHT), strict=True):
        assert painted(first, *size, theme)
        parts_apart(first, *size)
    for state in others:
        assert painted(state, 900, 600, LIGHT), state.place


def painted(state: State, width: int, height: int, theme: Theme) -> bool:
    """Whether something is drawn; fails where it is drawn beside the place it was given.

    A picture is as high as it asks for, as on its page.
    """
    figure, options = state.figure, DrawOptions()
    tall = max(height, math.ceil(figure_height(figure, width, options)))
    image = QImage(width + 2 * _EDGE, tall + 2 * _EDGE, QImage.Format.Format_RGB32)
    ground = QColor(theme.panel)
    image.fill(ground)
    painter = QPainter(image)
    paint_figure(painter, figure, QRectF(_EDGE, _EDGE, width, tall), theme, options)
    painter.end()
    inside = image.copy(_EDGE, _EDGE, width, tall)
    # Letters and lines may lean out by a pixel or two.
    edge = _EDGE - 4
    strips = {
        "above": image.copy(0, 0, image.width(), edge),
        "below": image.copy(0, image.height() - edge, image.width(), edge),
        "left": image.copy(0, 0, edge, image.height()),
        "right": image.copy(image.width() - edge, 0, edge, image.height()),
    }
    for side, strip in strips.items():
        blank = QImage(strip.size(), strip.format())
        blank.fill(ground)
        assert strip == blank, f"{state.told.name}, {state.place}, {width} wide: drawn {side} its place"
    blank = QImage(inside.size(), inside.format())
    blank.fill(ground)
    return inside != blank


def parts_apart(state: State, width: int, height: int) -> None:
    """Fails where a part is drawn over another."""
    figure, options = state.figure, DrawOptions()
    tall = max(height, math.ceil(figure_height(figure, width, options)))
    place = figure_geometry(figure, QRectF(0, 0, width, tall), options)
    assert isinstance(place, SheetGeometry)
    boxes = []
    for part in place.parts:
        image = QImage(width, tall, QImage.Format.Format_RGB32)
        image.fill(QColor(LIGHT.panel))
        painter = QPainter(image)
        part.paint(painter, LIGHT, vector=False)
        painter.end()
        pixels = np.frombuffer(image.constBits(), np.uint32).reshape(tall, width)
        rows, columns = np.nonzero(pixels != QColor(LIGHT.panel).rgb())
        boxes.append(QRect(QPoint(columns.min(), rows.min()), QPoint(columns.max(), rows.max())))
    for one, other in itertools.combinations(boxes, 2):
        shared = one & other
        # Letters and lines may lean out by a pixel or two.
        assert min(shared.width(), shared.height()) <= 4, (
            f"{state.told.name}, {state.place}, {width} wide: two parts overlap, {one} and {other}"
        )


@pytest.mark.parametrize("told", TOLD_EXPERIMENTS, ids=lambda told: told.name)
def test_a_run_under_way_is_drawn(told: Told, qapp: QApplication) -> None:
    """Before anything is known, when there are curves alone, and when one model is measured."""
    whole = recorded_result(told.name)
    first, *rest = whole.arms
    bare = [ArmResult(one.arm, one.seed) for one in whole.arms]
    curves = [replace(one, measured={}) for one in whole.arms]
    blank = [ArmResult(one.arm, one.seed) for one in rest]
    for arms in ((), bare, curves, [first, *blank]):
        result = replace(whole, arms=tuple(arms), recorded=False)
        for place, values in settings_of(told, None):
            state = State(told, place, values, told.lesson.numbers(values, result, None))
            assert painted(state, 600, 400, LIGHT), place
            for finding in state.numbers.findings:
                assert "{" not in finding_text(told, finding)


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    translator = QTranslator()
    assert translator.load(str(QM))
    QCoreApplication.installTranslator(translator)
    yield
    QCoreApplication.removeTranslator(translator)


@every
def test_it_is_told_in_chinese_too(told: Told, chinese: None) -> None:
    for text in (told.title(), told.why(), told.expect()):
        assert any("\u4e00" <= character <= "\u9fff" for character in text), text
