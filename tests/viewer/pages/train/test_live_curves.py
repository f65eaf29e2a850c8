"""What the curves draw, read out and export are the numbers of the state."""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from tests.viewer.pages.train.live_samples import eval_event, start_event, step_event, training_at
from viewer.document.training.curves import Curves
from viewer.document.training.training import Training
from viewer.export.clipboard import Drawn, picture_mime
from viewer.export.curves import write_curves
from viewer.export.picture import to_image, to_pdf, to_svg
from viewer.figures.canvas.theme import LIGHT
from viewer.figures.curves.paint import line_pen
from viewer.figures.curves.spec import CurvesSpec
from viewer.figures.curves.table import HEADER
from viewer.figures.figure import FigureSpec
from viewer.figures.request import Source
from viewer.pages.train.curves.curves_view import CurvesView
from viewer.pages.train.curves.curves_words import headings, read_out
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

Show = Callable[[Training], CurvesView]


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    def shown(training: Training) -> CurvesView:
        view = CurvesView(training, Appearance("light"))
        view.setStyleSheet("* { font-size: 14px; }")
        view.resize(640, 420)
        qtbot.addWidget(view)
        view.show()
        settle(qtbot, view)
        return view

    return shown


def settle(qtbot: QtBot, view: CurvesView) -> None:
    qtbot.waitUntil(lambda: not view.dirty)


def test_the_lines_go_through_the_numbers_of_the_state(show: Show) -> None:
    training = training_at(120)
    view = show(training)

    assert view.plots is not None
    for name, panel in (("loss", "loss"), ("lr", "lr"), ("grad_norm", "grad_norm"), ("heldout_loss", "loss"),
                        ("bleu", "bleu"), ("tokens_per_second", "tokens_per_second")):  # fmt: skip
        steps, values = view.plots.panels[panel].drawn(name)
        held = training.curves.series(name)
        assert steps.tolist() == held[0].tolist(), name
        assert values.tolist() == held[1].tolist(), name
    _, mean = view.plots.panels["loss"].drawn("smoothed")
    assert mean[99] == pytest.approx(float(np.mean([5.0 / step + 1 / 3 for step in range(51, 101)])))


def test_new_steps_are_drawn_soon_and_hidden_ones_not_at_all(show: Show, qtbot: QtBot) -> None:
    training = training_at(20)
    view = show(training)
    assert view.plots is not None
    panel = view.plots.panels["loss"]

    for step in range(21, 31):
        training.take([step_event(step)])
    assert len(panel.drawn("loss")[0]) == 20  # not once a step
    settle(qtbot, view)
    assert len(panel.drawn("loss")[0]) == 30
    assert panel.steps_in_view == (0.0, 32.0)  # the last dot is not cut by the edge

    view.hide()
    training.take([step_event(31)])
    qtbot.wait(300)
    assert len(panel.drawn("loss")[0]) == 30
    view.show()
    settle(qtbot, view)
    assert len(panel.drawn("loss")[0]) == 31


def test_zoom_is_shared_by_all_panels_and_kept_until_given_up(show: Show, qtbot: QtBot) -> None:
    training = training_at(100)
    view = show(training)
    assert view.plots is not None
    assert view.everything.isHidden()

    view.plots.show_steps(20.0, 40.0)
    training.take([step_event(101)])
    settle(qtbot, view)

    assert {panel.steps_in_view for panel in view.plots.panels.values()} == {(20.0, 40.0)}
    assert not view.everything.isHidden()
    _, high = view.plots.panels["loss"].values_in_view
    assert high < 2.0  # of 5.3 in all: the values of the steps in view fill the height

    QTest.keyClick(view.plots, Qt.Key.Key_A)
    assert view.plots.panels["lr"].steps_in_view == (0.0, 110.0)
    assert view.everything.isHidden()

    QTest.keyClick(view.plots, Qt.Key.Key_Plus)
    first, last = view.plots.panels["bleu"].steps_in_view
    assert (first, last) == pytest.approx((11.0, 99.0))
    view.everything.click()
    assert view.plots.following


def test_axes_are_not_lettered_anew_for_each_step(
    show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Doing so for ten axes costs the window's thread more than drawing the lines."""
    training = training_at(102)
    view = show(training)
    assert view.plots is not None
    lettered: list[object] = []
    for panel in view.plots.panels.values():
        for side in ("left", "bottom"):
            monkeypatch.setattr(panel.plot.getAxis(side), "setTickSpacing", lambda **_: lettered.append(1))

    training.take([step_event(103), step_event(104)])
    settle(qtbot, view)

    assert len(view.plots.panels["loss"].drawn("loss")[0]) == 104
    assert not lettered


def test_a_plot_of_nothing_has_no_numbers_and_the_steps_are_named(show: Show) -> None:
    training = Training()
    training.take([start_event(), *(step_event(step) for step in range(1, 8))])
    view = show(training)
    assert view.plots is not None
    bleu = view.plots.panels["bleu"].plot.getAxis("left")
    loss = view.plots.panels["loss"].plot.getAxis("left")

    assert not any(values for _, values in bleu.tickValues(0.0, 1.0, 50.0))
    assert any(values for _, values in loss.tickValues(0.0, 5.0, 50.0))
    picture = view.picture()
    assert picture is not None
    root = ET.fromstring(to_svg(picture))
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert words.count("step") == 1

    training.take([eval_event(7)])
    view.refresh()
    assert any(values for _, values in bleu.tickValues(0.0, 5.0, 50.0))


def test_the_wheel_zooms_at_the_pointer_and_the_other_panels_follow(show: Show, qtbot: QtBot) -> None:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QWheelEvent

    view = show(training_at(100))
    assert view.plots is not None
    plots = view.plots
    box = plots.panels["loss"].box
    place = plots.mapFromScene(box.mapViewToScene(QPointF(50, 2.0)))
    wheel = QWheelEvent(
        QPointF(place), plots.viewport().mapToGlobal(QPointF(place)), QPoint(), QPoint(0, 240),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(plots.viewport(), wheel)

    first, last = plots.panels["loss"].steps_in_view
    assert 0 < first < 50 < last < 100
    # Only the steps were zoomed: the values in view fill the height, and the line is not lost below it.
    low, high = plots.panels["loss"].values_in_view
    shown = [value for step, value in zip(*training_at(100).curves.series("loss")) if first <= step <= last]
    assert low < min(shown) < max(shown) < high < 1.5
    assert plots.panels["lr"].steps_in_view == (first, last)
    assert not plots.following


def test_a_million_steps_are_drawn_with_a_few_points_and_every_extreme(show: Show, qtbot: QtBot) -> None:
    training = training_at(0)
    steps = np.arange(1, 1_000_001)
    losses = np.random.default_rng(0).normal(3.0, 0.1, len(steps))
    losses[123_456] = 9.0
    training.curves.add_steps(steps, {"loss": losses, "lr": losses, "grad_norm": losses})
    view = show(training)
    assert view.plots is not None
    panel = view.plots.panels["loss"]

    drawn = panel.drawn("loss")
    assert len(drawn[0]) <= 4 * panel.box.width()
    assert drawn[1].max() == 9.0


def test_the_pointer_reads_the_true_numbers_out(show: Show, qtbot: QtBot) -> None:
    training = training_at(100)
    view = show(training)
    assert view.plots is not None
    heard: list[str] = []
    view.read_out.connect(heard.append)

    view.plots.hovered.emit(42.3)

    assert heard == [read_out(training.curves, 42.3)]
    assert "Step 42" in heard[0]
    assert f"training loss {5.0 / 42 + 1 / 3:.5g}" in heard[0]
    assert f"learning rate {42 * 1.1e-4:.5g}" in heard[0]
    assert f"gradient norm {1 + 1 / 49:.5g}" in heard[0]
    assert f"held-out loss {4.0 / 40 + 0.7:.5g}" in heard[0]
    assert f"BLEU {40 / 3:.1f}" in heard[0]
    assert view.plots.panels["lr"].marker.isVisible()

    view.plots.hovered.emit(None)
    assert heard[-1] == ""
    assert not view.plots.panels["lr"].marker.isVisible()


def test_before_the_first_step_there_are_words_and_nothing_to_export(show: Show) -> None:
    view = show(training_at(0))

    assert view.empty.isVisible()
    assert view.plots is None
    assert not view.export_button.isEnabled()
    assert read_out(Curves(), 3.0) == ""


# exports


def rows_of(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def write_table(curves: Curves, path: Path) -> None:
    figure = FigureSpec(CurvesSpec(curves, (), across=1, shape=1.0, title="Curves"), "")
    write_curves(figure, path, LIGHT, 100.0, dpi=96)


def test_the_table_holds_every_number_of_the_state(tmp_path: Path) -> None:
    training = training_at(25)
    training.take([eval_event(25, bleu=None)])

    write_table(training.curves, tmp_path / "c.csv")

    header, *rows = rows_of(tmp_path / "c.csv")
    assert tuple(header) == HEADER
    assert header == ["step", "loss", "lr", "grad_norm", "tokens_per_second", "heldout_loss", "bleu"]
    assert [int(row[0]) for row in rows] == list(range(1, 26))
    for row in rows:
        step = int(row[0])
        event, evaluation = step_event(step), eval_event(step)
        measured = [event.loss, event.lr, event.grad_norm, event.tokens_per_second]
        assert row[1:5] == [f"{value:.9g}" for value in measured]
        scored = step % 10 == 0
        assert row[5] == (f"{evaluation.heldout_loss:.9g}" if scored or step == 25 else "")
        assert row[6] == (f"{evaluation.bleu:.9g}" if scored else "")


def test_evaluations_between_reported_steps_have_lines_of_their_own(tmp_path: Path) -> None:
    curves = Curves()
    for step in (5, 10, 15):
        curves.add_step(step_event(step))
        curves.add_evaluation(eval_event(step + 2))

    write_table(curves, tmp_path / "c.csv")

    rows = rows_of(tmp_path / "c.csv")[1:]
    assert [row[0] for row in rows] == ["5", "7", "10", "12", "15", "17"]
    assert [bool(row[1]) for row in rows] == [True, False] * 3
    assert [bool(row[5]) for row in rows] == [False, True] * 3


def test_what_is_not_a_number_is_left_empty(tmp_path: Path) -> None:
    curves = Curves()
    curves.add_steps([1, 2], {"loss": [1.5, np.nan]})

    write_table(curves, tmp_path / "c.csv")

    assert rows_of(tmp_path / "c.csv")[1:] == [["1", "1.5", *[""] * 5], ["2", *[""] * 6]]


def test_the_picture_is_what_is_seen(show: Show) -> None:
    view = show(training_at(100))
    picture = view.picture()
    assert picture is not None
    assert view.plots is not None

    image = to_image(picture, 96)

    assert image.size() == QSize(view.plots.width(), round(picture.height))
    seen = view.plots.grab().toImage()
    for index in (0, 1, 2):
        colour = QColor(LIGHT.curves[index])
        assert pixels_of(image, colour) == pytest.approx(pixels_of(seen, colour), rel=0.5)
        assert pixels_of(image, colour) > 30
    for panel, plot in zip(view.plots.panels.values(), view.plots.as_plots(), strict=True):
        assert plot.box == (*panel.steps_in_view, *panel.values_in_view)


def pixels_of(image: QImage, colour: QColor) -> int:
    """How many pixels are very nearly of that colour."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    array = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    array = array[:, : 4 * plain.width()].reshape(plain.height(), plain.width(), 4)[..., :3].astype(int)
    wanted = np.array([colour.blue(), colour.green(), colour.red()])
    return int((np.abs(array - wanted).max(-1) < 24).sum())


def test_vector_files_hold_words_and_the_numbers_of_the_steps_in_view(show: Show) -> None:
    training = training_at(100)
    view = show(training)
    assert view.plots is not None
    view.plots.show_steps(30.0, 60.0)
    picture = view.picture()
    assert picture is not None

    root = ET.fromstring(to_svg(picture))

    words = " ".join(element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text"))
    for word in ("Learning rate", "Gradient norm", "BLEU", "mean of 50 points", "40", "50"):
        assert word in words, word
    lines = [corners_of(line) for line in root.iter() if line.get("stroke") == LIGHT.curves[2]]
    places = np.array(next(line for line in lines if len(line) > 20))
    steps = np.arange(30, 61)  # of the learning rate, which no edge cuts
    assert len(places) == len(steps)
    for side, numbers, sign in ((0, steps, 1), (1, training.curves.series("lr")[1][29:60], -1)):
        slope, start = np.polyfit(numbers, places[:, side], 1)
        assert sign * slope > 0
        assert places[:, side] == pytest.approx(slope * numbers + start, abs=0.02)
    # Nothing is drawn beyond the plots, which end before the page does.
    everything = [place for colour in LIGHT.curves for line in root.iter() if line.get("stroke") == colour
                  for place in corners_of(line)]  # fmt: skip
    assert all(8 <= x <= picture.width - 8 and 8 <= y <= picture.height - 8 for x, y in everything)
    assert to_pdf(picture).startswith(b"%PDF")


def corners_of(line: ET.Element) -> list[tuple[float, float]]:
    """Where an SVG polyline goes on the page."""
    assert line.get("transform") in (None, "matrix(1,0,0,1,0,0)")
    pairs = re.findall(r"(-?[\d.]+),(-?[\d.]+)", line.get("points") or "")
    return [(float(x), float(y)) for x, y in pairs]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf", "csv"])
def test_the_button_writes_the_file_that_was_asked_for(
    show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    view = show(training_at(30, out=str(tmp_path / "m")))
    path = tmp_path / f"curves.{suffix}"
    offered: list[str] = []

    def choose(*args: object) -> tuple[str, str]:
        offered.append(str(args[2]))
        return str(path.with_suffix("")), f"{suffix.upper()} (*.{suffix})"

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    written: list[str] = []
    view.write_asked.connect(lambda path, work: written.append(work(Source())))
    view.export_button.click()

    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "csv": b"step,loss"}
    assert path.read_bytes().startswith(begins[suffix])
    assert offered == [str(tmp_path / "words-curves.png")]
    assert written == [str(path)]


def test_another_kind_chosen_beside_the_suggested_name_is_the_kind_written(
    show: Show, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Qt's own dialog leaves the name as it is when another kind of file is chosen."""
    view = show(training_at(30, out=str(tmp_path / "m")))
    view.write_asked.connect(lambda path, work: work(Source()))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (args[2], "CSV (*.csv)"))
    view.export_button.click()
    assert (tmp_path / "words-curves.csv").read_bytes().startswith(b"step,loss")

    named = str(tmp_path / "mine.svg")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (named, "PNG (*.png)"))
    view.export_button.click()
    assert Path(named).read_bytes().startswith(b"<?xml")


def test_a_file_that_cannot_be_written_is_told(show: Show, tmp_path: Path) -> None:
    view = show(training_at(3))
    failed: list[str] = []

    def carry_out(path: str, work: Callable[[Source], object]) -> None:
        with pytest.raises(HeadscopeError) as caught:
            work(Source())
        failed.append(caught.value.code)

    view.write_asked.connect(carry_out)
    figure = view.figure()
    assert figure is not None

    view.write(str(tmp_path / "no" / "such" / "c.csv"), figure)
    view.write(str(tmp_path / "c.xyz"), figure)

    assert len(failed) == 2
    assert failed[1] == "curves_suffix"


def test_what_is_written_is_as_it_was_when_it_was_asked_for(show: Show, tmp_path: Path) -> None:
    training = training_at(3)
    view = show(training)
    works: list[Callable[[Source], object]] = []
    view.write_asked.connect(lambda path, work: works.append(work))
    figure = view.figure()
    assert figure is not None
    path = tmp_path / "c.csv"
    view.write(str(path), figure)
    training.curves.add_step(step_event(9))

    works[0](Source())  # later, in a thread

    assert len(path.read_text().splitlines()) == 4


def test_the_clipboard_gets_pixels_and_svg(show: Show) -> None:
    view = show(training_at(30))
    drawn: list[Drawn] = []
    view.copy_asked.connect(lambda work: drawn.append(work(Source())))

    view.copy_picture()

    mime = picture_mime(drawn[0])
    assert mime.hasImage()
    assert b"<svg" in bytes(mime.data("image/svg+xml").data())


def test_both_themes_and_a_new_run(show: Show, qtbot: QtBot) -> None:
    training = training_at(30)
    view = show(training)
    assert view.plots is not None
    look = view.appearance
    look.choose("dark")
    settle(qtbot, view)
    dark = view.plots.grab().toImage().pixelColor(2, 2)
    assert dark.lightness() < 60
    look.choose("light")
    settle(qtbot, view)
    assert view.plots.grab().toImage().pixelColor(2, 2).lightness() > 240

    view.plots.show_steps(3.0, 9.0)
    assert training.order is not None
    training.begin(training.order)
    training.take([start_event(), step_event(1)])
    settle(qtbot, view)
    assert view.plots.following
    assert view.plots.panels["loss"].drawn("loss")[0].tolist() == [1.0]


def test_png_bytes_are_a_picture(show: Show) -> None:
    view = show(training_at(10))
    picture = view.picture()
    assert picture is not None
    buffer = QBuffer()
    assert to_image(picture, 200).save(buffer, "PNG")
    assert abs(to_image(picture, 192).width() - 2 * picture.width) <= 1


def test_the_lines_of_a_plot_differ_without_colour() -> None:
    keys = headings(Curves(), LIGHT)["loss"].keys
    pens = [line_pen(key.colour, key.width, dashed=key.dashed) for key in keys]
    assert len(pens) == 3
    assert len({(pen.widthF(), tuple(pen.dashPattern())) for pen in pens}) == len(pens)
