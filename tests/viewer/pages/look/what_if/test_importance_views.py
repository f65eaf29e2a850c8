"""Measuring heads, and where the window says which run is altered."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from model.alterations.scale_head import ScaleHead
from model.trace.exploration import Importance
from tests.viewer.pages.look.what_if.samples import (
    BASE,
    CROSS,
    LIVE,
    Heard,
    altered_run,
    base_trace,
    session_with,
)
from viewer.dialogs.export_command import ExportContext
from viewer.dialogs.export_dialog import ExportDialog
from viewer.document.document import ViewOptions
from viewer.document.job_status import JobStatus
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.heads.spec import HeadsSpec
from viewer.figures.request import ExportRequest, Source
from viewer.pages.look.heads.heads_panel import HeadsPanel
from viewer.pages.look.importance_controls import ImportanceControls
from viewer.pages.look.look_page import LookPage
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.widgets.appearance import Appearance

OFF = ScaleHead(CROSS, 1, 0)
FOUND = Importance(-2.0, {CROSS: np.array([[-1.0, 0.0], [0.5, -2.0]], np.float32)})


def measured(session: Session) -> None:
    run = session.document.run(BASE)
    assert run is not None
    session.replace_run(run.but(importance=FOUND))


def test_measuring_is_asked_for_shown_and_cancelled(qtbot: Any) -> None:
    session = session_with()
    heard, controls = Heard(session), ImportanceControls(session)
    qtbot.addWidget(controls)
    controls.measure.click()
    assert heard.measured == [BASE]
    assert session.view.importance
    session.set_job(JobStatus("asking", 1, "measuring", 5, 20, cancellable=True))
    assert controls.measure.isHidden()
    assert controls.sentence.text().endswith("5 of 20")
    assert (controls.progress.value(), controls.progress.maximum()) == (5, 20)
    controls.cancel.click()
    assert heard.cancelled == 1
    session.set_job(JobStatus())
    assert not controls.measure.isHidden()
    measured(session)
    # e ** 2 = 7.389
    assert controls.sentence.text() == (
        "Without cross-attention of layer 2, head 2 the translation becomes 7.39 times less probable: −2.00"
    )
    assert controls.measure.isHidden()


def test_without_a_model_nothing_is_measured(qtbot: Any) -> None:
    controls = ImportanceControls(session_with(model=False))
    qtbot.addWidget(controls)
    assert not controls.measure.isEnabled()
    empty = ImportanceControls(Session())
    qtbot.addWidget(empty)
    assert not empty.measure.isEnabled()


def test_the_page_of_heads_changes_between_attention_and_importance(qtbot: Any) -> None:
    session = session_with()
    measured(session)
    panel = HeadsPanel(session, Appearance("light"))
    qtbot.addWidget(panel)

    def spec() -> HeadsSpec:
        figure = panel.view.figure
        assert figure is not None
        assert isinstance(figure.body, HeadsSpec)
        return figure.body

    assert spec().worth is None
    assert panel.view.head_tip(1, 1) == "Layer 2, head 2"
    panel.tabs[1].click()
    assert session.view.importance
    worth = spec().worth
    assert worth is not None
    np.testing.assert_array_equal(worth.values, FOUND.change[CROSS])
    assert spec().levels == (-2.0, 2.0)
    assert panel.view.head_tip(1, 1).splitlines() == [
        "Layer 2, head 2",
        "Without cross-attention of layer 2, head 2 the translation becomes 7.39 times less probable: −2.00",
    ]
    assert "0.00" in panel.view.head_tip(0, 1)
    assert panel.hint.text().startswith("Orange")
    panel.tabs[0].click()
    assert spec().worth is None


def test_each_of_two_panes_says_which_run_it_shows(qtbot: Any) -> None:
    session = session_with(altered_run(OFF))
    session.show_run(BASE, 0)
    panes = [MapPane(session, Appearance("light"), index) for index in range(2)]
    for pane in panes:
        qtbot.addWidget(pane)
    assert panes[0].badges.text() == ""
    session.open_second_pane()
    session.show_run(LIVE, 1)
    assert panes[0].badges.text() == "original"
    assert panes[1].badges.text().startswith("model altered: cross-attention of layer 2, head 1 off")
    assert "this head is switched off" in panes[1].badges.text()


def test_the_page_of_heads_of_an_altered_run_says_so(qtbot: Any) -> None:
    session = session_with(altered_run(OFF))
    panel = HeadsPanel(session, Appearance("light"))
    qtbot.addWidget(panel)
    assert panel.badge.text() == "model altered: cross-attention of layer 2, head 1 off"
    session.show_run(BASE)
    assert panel.badge.isHidden()


def test_what_if_stays_beside_the_second_map_it_opens(qtbot: Any) -> None:
    session = session_with(altered_run(OFF))
    page = LookPage(session, Appearance("light"))
    qtbot.addWidget(page)
    page.resize(1200, 700)
    page.inspector.show_tab(2)
    session.open_second_pane()
    assert not page.inspector.isHidden()
    session.close_second_pane()
    page.inspector.show_tab(0)
    session.open_second_pane()
    assert page.inspector.isHidden(), "two maps need the room of the next word"


def test_no_command_is_copied_for_importance_and_it_does_not_move(qtbot: Any, tmp_path: Path) -> None:
    request = ExportRequest(
        view="heads", selection=Selection(CROSS, 1, 0), options=ViewOptions(importance=True)
    )
    source = Source(trace=base_trace(), importance=FOUND)
    context = ExportContext(source, request, trace_path="a.trace")
    dialog = ExportDialog(context, SimpleNamespace(folder=str(tmp_path), export={}))
    qtbot.addWidget(dialog)
    assert dialog.command() is None
    assert dialog.no_command().startswith("No command measures")
    form = dialog.form
    form.what.setCurrentIndex(form.what.findData("heatmap"))
    assert dialog.command() is not None
    form.what.setCurrentIndex(form.what.findData("heads"))
    assert dialog.request.options.importance
    assert form.format.findData("gif") >= 0
    form.format.setCurrentIndex(form.format.findData("gif"))
    assert not dialog.request.options.importance, "a film of the steps shows the weights"
