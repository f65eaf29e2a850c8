"""One word in two sentences: which word, which lines, what is said, where it is drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor

from model.questions.two_sentences import TwoReadings
from tests.viewer.figure_samples import picture
from tests.viewer.walk_samples import two_readings
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import LIGHT
from viewer.figures.closeness.build import closeness_figure, opening_pair
from viewer.figures.closeness.layout import ClosenessGeometry
from viewer.figures.closeness.spec import ClosenessSpec
from viewer.figures.drawing import figure_geometry, figure_height

pytestmark = pytest.mark.usefixtures("qapp")

TEXTS = ("The watch old.", "watch an old")


def shown(pair: tuple[int, int] = (1, 0), readings: TwoReadings | None = None) -> ClosenessSpec:
    figure = closeness_figure(readings or two_readings(), TEXTS, pair)
    assert isinstance(figure.body, ClosenessSpec)
    return figure.body


def test_it_opens_on_the_common_word_that_ends_up_least_alike() -> None:
    assert opening_pair(two_readings()) == (1, 0)
    apart = replace(two_readings(), tokens=(("▁a", "</s>"), ("▁b", "</s>")))
    assert opening_pair(apart) is None


def test_punctuation_is_taken_only_if_there_is_nothing_else() -> None:
    tokens = (("▁a", ".", "</s>"), ("▁b", ".", "</s>"))
    cosine = np.ones((2, 3, 3), np.float32)
    assert opening_pair(TwoReadings(tokens, ("embedding", "sum"), cosine, ("", ""))) == (1, 1)


def test_the_lines_are_the_chosen_pair_and_the_other_common_words() -> None:
    spec = shown()
    assert [(line.name, line.chosen) for line in spec.lines] == [("watch", True), ("old", False)]
    assert spec.lines[0].values == (1.0, 1.0, 0.5, 0.25)
    assert spec.lines[1].values == (1.0, 1.0, 0.875, 0.75)
    assert spec.stages == ("embedding", "+ position", "layer 1", "layer 2")
    assert spec.verdict.endswith("0.25 after the last layer. For comparison, “old”: 0.75.")


def test_two_different_words_are_named_as_such() -> None:
    spec = shown((0, 1))
    assert spec.lines[0].name == "The / an"
    assert spec.verdict.startswith("The two start as different vectors (0.50)")
    assert "−0.50" in spec.verdict


def test_a_word_that_stays_the_same_is_said_to() -> None:
    cosine = two_readings().cosine.copy()
    cosine[:, 1, 0] = 0.99
    cosine[0, 1, 0] = 1.0
    assert "context changes little" in shown(readings=replace(two_readings(), cosine=cosine)).verdict


def test_facts_name_texts_positions_and_tokens() -> None:
    figure = closeness_figure(two_readings(), TEXTS, (1, 0), model_name="tiny", model_sha256="ab" * 32)
    assert figure.facts["positions"] == [1, 0]
    assert figure.facts["tokens"] == ["▁watch", "▁watch"]
    assert "“The watch old.” → “La montre”" in figure.caption
    assert "Model tiny" in figure.caption


def test_values_are_drawn_where_the_axis_says() -> None:
    figure = closeness_figure(two_readings(), TEXTS, (1, 0))
    image, place = picture(figure, 700, 420, options=DrawOptions(title=False))
    assert isinstance(place, ClosenessGeometry)
    assert place.low == 0
    box = place.box
    assert place.at(0, 0.0).y() == pytest.approx(box.bottom())
    assert place.at(3, 0.25).y() == pytest.approx(box.bottom() - box.height() / 4)
    point = place.at(3, 0.25)
    assert image.pixelColor(round(point.x()), round(point.y())) == QColor(LIGHT.curves[0])
    assert place.stage_at(QPointF(place.at(2, 0.5))) == 2
    assert place.stage_at(box.bottomRight() + QPointF(5, 5)) is None


def test_names_do_not_touch_and_negative_cosines_have_room() -> None:
    cosine = two_readings().cosine.copy()
    cosine[:, 2, 2] = cosine[:, 1, 0]
    figure = closeness_figure(replace(two_readings(), cosine=cosine), TEXTS, (1, 0))
    place = figure_geometry(figure, QRectF(0, 0, 700, 420))
    assert isinstance(place, ClosenessGeometry)
    assert abs(place.names[0] - place.names[1]) >= 15
    negative = figure_geometry(closeness_figure(two_readings(), TEXTS, (0, 1)), QRectF(0, 0, 700, 420))
    assert isinstance(negative, ClosenessGeometry)
    assert negative.low == -1
    assert figure_height(figure, 300) > 200
    high = replace(two_readings(), cosine=two_readings().cosine / 4 + np.float32(0.7))
    close = figure_geometry(closeness_figure(high, TEXTS, (1, 0)), QRectF(0, 0, 700, 420))
    assert isinstance(close, ClosenessGeometry)
    assert close.low == 0.5
    assert close.at(0, 0.75).y() == pytest.approx(close.box.center().y())


def test_sentences_however_long_leave_room_for_the_lines() -> None:
    texts = ("the watch and " * 200, "一只手表" * 300)
    figure = closeness_figure(two_readings(), texts, (1, 0))
    place = figure_geometry(figure, QRectF(0, 0, 700, 420))
    assert isinstance(place, ClosenessGeometry)
    assert place.box.height() > 150
    cut = [run.text for run in place.runs if run.text.endswith("…")]
    assert len(cut) == 2
    assert figure_height(figure, 700) < 700
    assert texts[0].strip() in figure.caption


def test_pieces_that_look_alike_are_not_the_same_word() -> None:
    tokens = (("▁the", "▁watch", "▁old", ".", "</s>"), ("watch", "▁an", "▁old", "</s>"))
    apart = replace(two_readings(), tokens=tokens)
    figure = closeness_figure(apart, TEXTS, (1, 0))
    assert figure.body.title.startswith("“watch” and “watch”")
