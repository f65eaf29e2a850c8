"""The plots of the curves are made in idle moments or a panel each turn, and nothing breaks meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.viewer.pages.train.live_samples import options, start_event, step_event, training_at
from viewer.document.messages.training_requests import StartRun
from viewer.document.training.training import Training
from viewer.figures.canvas.theme import DARK
from viewer.pages.train.curves.curves_plots import PANELS, CurvePlots
from viewer.pages.train.curves.curves_view import CurvesView
from viewer.pages.widgets import lazy
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.lazy import LazyStack
from viewer.window.localization import Localization

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture(autouse=True)
def in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LazyStack, "at_once", False)


@pytest.fixture
def training(qtbot: QtBot) -> Training:
    return training_at(30)


@pytest.fixture
def view(qtbot: QtBot, training: Training) -> Iterator[CurvesView]:
    made = CurvesView(training, Appearance("light"))
    made.resize(640, 420)
    qtbot.addWidget(made)
    yield made
    made.close()


def in_view(view: CurvesView) -> QWidget:
    return view._stack.currentWidget()


def begin(qtbot: QtBot, view: CurvesView) -> None:
    """Show it, and let some of its panels be made."""
    view.show()
    qtbot.waitUntil(lambda: view._plots._begun is not None)
    for _ in range(3):
        view._stack._turn.timeout.emit()
    assert view.plots is None


def whole(qtbot: QtBot, view: CurvesView) -> CurvePlots:
    qtbot.waitUntil(lambda: in_view(view) is view.plots and not view.dirty)
    assert view.plots is not None
    return view.plots


def test_plots_are_whole_by_default(qtbot: QtBot) -> None:
    plots = CurvePlots()
    qtbot.addWidget(plots)
    assert list(plots.panels) == list(PANELS)
    assert plots.across
    assert not list(plots.parts)


def test_they_come_a_panel_each_turn_and_are_seen_when_they_are_drawn(
    qtbot: QtBot, view: CurvesView, training: Training, monkeypatch: pytest.MonkeyPatch
) -> None:
    panels: list[int] = []
    go_on = lazy.Lazy.go_on

    def counted(one: lazy.Lazy[CurvePlots]) -> None:
        before = len(view.findChildren(CurvePlots))
        go_on(one)
        plots = view.findChildren(CurvePlots)
        assert len(plots) <= 1
        assert before == len(plots) or not plots[0].panels
        panels.append(len(plots[0].panels))
        if view.plots is None:
            assert not in_view(view).findChildren(QWidget)  # an empty page, until all is there
            assert not view.export_button.isEnabled()
        else:
            assert view.plots.panels["loss"].drawn("loss")[0].tolist() == list(range(1, 31))

    monkeypatch.setattr(lazy.Lazy, "go_on", counted)
    view.show()
    assert in_view(view) is view.empty
    plots = whole(qtbot, view)

    assert panels == [0, 1, 2, 3, 4, 5, 5, 5]
    assert view.export_button.isEnabled()
    assert plots.isVisible()


def test_what_they_need_is_imported_in_a_thread_as_soon_as_the_run_is_seen(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, ...]] = []
    beside = lazy._import_beside
    monkeypatch.setattr(lazy, "_import_beside", lambda names: (asked.append(names), beside(names))[1])
    training = training_at(0)
    view = CurvesView(training, Appearance("light"))
    qtbot.addWidget(view)
    assert not asked

    view.show()
    qtbot.waitUntil(lambda: not view.dirty)
    assert asked == [("viewer.pages.train.curves.curves_plots",)]
    assert in_view(view) is view.empty

    training.take([step_event(1)])
    whole(qtbot, view)
    assert len(asked) == 1


def test_made_ahead_they_are_there_when_they_are_wanted(qtbot: QtBot, view: CurvesView) -> None:
    assert len(list(view.ahead())) == 8
    assert view.plots is not None
    assert not view.plots.isVisible()
    assert list(view.ahead()) == []

    view.show()
    qtbot.waitUntil(lambda: not view.dirty)
    assert in_view(view) is view.plots


def test_wanted_while_they_are_made_ahead_they_are_gone_on_with(qtbot: QtBot, view: CurvesView) -> None:
    ahead = view.ahead()
    for _ in range(3):
        next(ahead)
    view.show()
    whole(qtbot, view)
    assert list(ahead) == []
    assert len(view.findChildren(CurvePlots)) == 1


def test_theme_type_and_language_may_change_meanwhile(qtbot: QtBot, view: CurvesView) -> None:
    begin(qtbot, view)
    language = Localization("zh_CN")
    view.appearance.choose("dark")
    view.appearance.set_type_size(150)
    QCoreApplication.sendPostedEvents()
    try:
        plots = whole(qtbot, view)
        assert plots.accessibleName() == view.tr("Training curves") != "Training curves"
        assert plots.backgroundBrush().color() == QColor(DARK.panel)
        assert plots._scale == view.appearance.scale
        assert plots.panels["loss"].plot.getAxis("bottom").labelText == "步"
    finally:
        language.choose("en")


def test_hidden_meanwhile_they_catch_up_when_they_are_seen_again(
    qtbot: QtBot, view: CurvesView, training: Training
) -> None:
    begin(qtbot, view)
    view.hide()
    qtbot.waitUntil(lambda: view.plots is not None)
    training.take([step_event(31)])
    view.show()
    assert len(whole(qtbot, view).panels["loss"].drawn("loss")[0]) == 31


def test_another_run_meanwhile_has_words_first(qtbot: QtBot, view: CurvesView, training: Training) -> None:
    begin(qtbot, view)
    training.begin(StartRun(options(), "/nowhere/other"))
    view.refresh()
    assert in_view(view) is view.empty
    qtbot.wait(30)
    assert view.plots is None  # nobody needs them now

    training.take([start_event(), step_event(1)])
    assert whole(qtbot, view).panels["loss"].drawn("loss")[0].tolist() == [1.0]


def test_there_is_no_picture_before_they_are_whole(qtbot: QtBot, view: CurvesView) -> None:
    begin(qtbot, view)
    assert view.figure() is None
    assert view.picture() is None
    view.export()
    view.copy_picture()
    view.show_everything()

    whole(qtbot, view)
    assert view.figure() is not None


def test_closed_and_destroyed_meanwhile_nothing_happens(qtbot: QtBot) -> None:
    view = CurvesView(training_at(30), Appearance("light"))
    begin(qtbot, view)
    view.close()
    view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    del view
    qtbot.wait(30)


def test_plots_that_cannot_be_made_are_not_tried_again_and_again(
    qtbot: QtBot, view: CurvesView, training: Training, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def fail(self: CurvePlots, *args: object, **named: object) -> None:
        tried.append(1)
        raise ValueError("broken")

    monkeypatch.setattr(CurvePlots, "__init__", fail)
    with qtbot.captureExceptions() as caught:
        view.show()
        qtbot.waitUntil(lambda: bool(caught))
        for _ in range(3):
            view.refresh()
            qtbot.wait(10)
    assert len(tried) == 1
    assert view.figure() is None
