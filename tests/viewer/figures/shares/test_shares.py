"""How much of a step is the source's: figure, picture, CSV, and the foot of the Next word tab."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.questions.answers import SourceShares
from model.questions.causes.contributions import ContributionsOf
from model.questions.questions import Reading, SharesOf
from tests.viewer.fake_source import small_info
from tests.viewer.figure_samples import picture, sample_trace
from tests.viewer.figures.mixing_samples import contributions
from viewer.document.document import Run
from viewer.document.messages.notice import Notice
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.canvas.theme import LIGHT
from viewer.figures.drawing import figure_height
from viewer.figures.shares.build import contributed_shares_figure, shares_figure
from viewer.figures.shares.layout import SharesGeometry
from viewer.figures.shares.spec import SharesSpec
from viewer.figures.shares.table import write_shares_csv
from viewer.pages.look.next_word.source_share import SourceShareSection
from viewer.pages.widgets.appearance import Appearance

pytestmark = [pytest.mark.usefixtures("qapp"), pytest.mark.qt_log_ignore("propagateSizeHints")]

SHARES = SourceShares(np.array([[0.25, 0.5, 0.0], [0.75, 0.7, 1.0]], np.float32))


def test_the_mean_over_layers_and_one_layer() -> None:
    figure = shares_figure(sample_trace(), SHARES, None, 1)
    spec = figure.body
    assert isinstance(spec, SharesSpec)
    np.testing.assert_allclose(spec.shown, [0.5, 0.6, 0.5], atol=1e-7)
    assert spec.title == "Source and prefix, mean over 2 decoder layers"
    assert spec.sentence_at(1) == "Step 2, predicting “rouges”: source 60 %, prefix 40 %"
    assert "not an attention weight" in spec.badges[0]
    assert "arXiv 2109.05853" in figure.caption
    assert (figure.facts["numbers"], figure.facts["layer"]) == ("source_share", "mean")
    first = shares_figure(sample_trace(), SHARES, 0, 1)
    assert first.facts["source"] == [0.25, 0.5, 0.0]
    assert first.body.title == "Source and prefix, decoder layer 1 of 2"


def test_contributions_through_both_stacks(tmp_path: Path) -> None:
    trace = sample_trace()
    figure = contributed_shares_figure(trace, contributions(trace), None, 1)
    spec = figure.body
    np.testing.assert_allclose(spec.shown, 0.5 + 0.5 * 0.4, atol=1e-6)
    assert spec.title == "Source and prefix, through both stacks"
    sentence = spec.sentence_at(1)
    source = [token.marked for token in spec.words.source] if spec.words else []
    read = spec.words.prefix[1].marked if spec.words else ""
    assert sentence.startswith("Step 2, predicting “rouges”: source 70 %, prefix 30 %; ")
    assert sentence.endswith(f"prefix 30 %; source “{source[1]}” 70 %; prefix “{read}” 30 %")
    assert "arXiv 2205.11631" in figure.caption
    assert (figure.facts["numbers"], figure.facts["layer"]) == ("contributions", "all")
    first = contributed_shares_figure(trace, contributions(trace, copies=True), 0, 1)
    np.testing.assert_allclose(first.body.shown, 0.4, atol=1e-6)
    assert "what is copied from the source is not counted" in first.body.badges
    write_shares_csv(trace, figure, tmp_path / "shares.csv")
    with (tmp_path / "shares.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["step"] == "1"]
    assert len(rows) == len(trace.src_ids) + 2
    assert sum(float(row["share"]) for row in rows) == pytest.approx(1, abs=1e-6)
    brought = sum(float(row["share"]) for row in rows if row["part"] == "source")
    assert float(rows[0]["source_share"]) == pytest.approx(brought, abs=1e-6)


def test_areas_are_as_high_as_the_shares() -> None:
    figure = shares_figure(sample_trace(), SHARES, 0, 2)
    image, place = picture(figure, 640, 400)
    assert isinstance(place, SharesGeometry)
    blue, orange = LIGHT.curves[0], LIGHT.curves[1]
    for step, share in enumerate((0.25, 0.5, 0.0)):
        bar = place.bar(step)
        column = [
            image.pixelColor(int(bar.center().x()), y).name()
            for y in range(round(bar.top()) + 2, round(bar.bottom()) - 2)
        ]
        assert column.count(blue) / len(column) == pytest.approx(share, abs=0.02)
        assert column.count(orange) / len(column) == pytest.approx(1 - share, abs=0.02)
        assert place.step_at(bar.center()) == step
    assert place.step_at(place.area.topLeft() - QPoint(3, 3).toPointF()) is None
    assert figure_height(figure, 640) > 180


def test_later_steps_are_outlined() -> None:
    image, place = picture(shares_figure(sample_trace(), SHARES, 1, 0), 640, 400)
    assert isinstance(place, SharesGeometry)
    later, y = place.bar(2).center(), place.area.top() + 0.3 * place.area.height()
    assert image.pixelColor(int(later.x()), int(y)).name() == LIGHT.panel


def test_csv_has_every_layer_and_the_mean(tmp_path: Path) -> None:
    trace = sample_trace()
    write_shares_csv(trace, shares_figure(trace, SHARES, 0, 0), tmp_path / "shares.csv")
    with (tmp_path / "shares.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["layer"] for row in rows] == ["0"] * 3 + ["1"] * 3 + ["mean"] * 3
    assert [float(row["source_share"]) for row in rows[:3]] == [0.25, 0.5, 0.0]
    assert float(rows[7]["source_share"]) == pytest.approx(0.6, abs=1e-7)
    assert all(float(row["source_share"]) + float(row["prefix_share"]) == pytest.approx(1) for row in rows)
    assert rows[1]["token"] == "▁rouges"
    assert "‖c‖" in rows[0]["notes"]


def shown(qtbot: QtBot, session: Session) -> SourceShareSection:
    section = SourceShareSection(session, Appearance("light"))
    qtbot.addWidget(section)
    section.fit(600)
    section.resize(300, 200)
    section.show()
    qtbot.waitExposed(section)
    return section


def by_cross(section: SourceShareSection) -> None:
    """The measure of cross-attention alone, the mean over layers."""
    section.layers.activated.emit(1)


def session_of(*, live: bool = False, model: bool = True) -> tuple[Session, Reading]:
    session = Session()
    trace = sample_trace(model_sha256="00")
    session.add_run(Run("a", trace, live=live), Selection(layer=1, step=1))
    if model:
        session.set_model(small_info())
    return session, Reading.of(trace)


def test_the_section_asks_once_someone_looks(qtbot: QtBot) -> None:
    session, reading = session_of()
    asked: list[object] = []
    session.answers.wanted.connect(lambda question, about, topic: asked.append((question, about)))
    section = SourceShareSection(session, Appearance("light"))
    qtbot.addWidget(section)
    assert asked == []
    section.fit(600)
    section.resize(300, 200)
    section.show()
    qtbot.waitExposed(section)
    assert asked == [(ContributionsOf(), reading)]
    assert "computing" in section.text.text()
    assert not section.chart.isVisible()
    session.answers.finish((ContributionsOf(), reading), contributions(sample_trace()))
    assert section.text.text() == "source 70 % | prefix 30 %"
    by_cross(section)
    assert asked[1:] == [(SharesOf(), reading)]
    session.answers.finish((SharesOf(), reading), SHARES)
    assert section.text.text() == "source 60 % | prefix 40 %"
    assert section.chart.isVisible()
    section.layers.activated.emit(2)
    assert section.text.text() == "source 50 % | prefix 50 %"
    session.set_step(0)
    assert section.text.text() == "source 25 % | prefix 75 %"


def test_a_click_on_the_chart_goes_to_the_step(qtbot: QtBot) -> None:
    session, reading = session_of()
    session.answers.finish((SharesOf(), reading), SHARES)
    section = shown(qtbot, session)
    by_cross(section)
    figure = section.chart.figure
    assert figure is not None
    places = [
        point
        for point in (QPoint(x, section.chart.height() // 2 + 8) for x in range(section.chart.width()))
        if section.chart.step_at(point.toPointF()) == 2
    ]
    QTest.mouseClick(
        section.chart, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, places[len(places) // 2]
    )
    selection = session.selection()
    assert selection is not None
    assert selection.step == 2


def test_nothing_is_asked_while_decoding_or_without_a_model(qtbot: QtBot) -> None:
    live, _ = session_of(live=True)
    asked: list[object] = []
    live.answers.wanted.connect(lambda *said: asked.append(said))
    section = shown(qtbot, live)
    assert "once the output is complete" in section.text.text()
    closed, _ = session_of(model=False)
    closed.answers.wanted.connect(lambda *said: asked.append(said))
    assert shown(qtbot, closed).content.isHidden()
    assert asked == []


def test_what_goes_wrong_is_said(qtbot: QtBot) -> None:
    session, reading = session_of()
    section = shown(qtbot, session)
    session.answers.fail((ContributionsOf(), reading), Notice.of(HeadscopeError("out_of_memory")))
    assert "not enough memory" in section.text.text()
    assert not section.bar.isVisible()
    assert section.layers.isVisible()  # the other measure may still be there
