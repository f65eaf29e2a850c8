"""What the pointer is on when the figure below it changes: kept where it is the same, else dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind, Trace
from tests.viewer.figure_samples import sample_trace, trace_of
from viewer.document.document import Run
from viewer.document.hover import Hovered
from viewer.document.session import Session
from viewer.figures.map.layout import MapGeometry
from viewer.pages.look.look_page import LookPage
from viewer.pages.look.pane_views import PANE_VIEWS, pane_view
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView

# Of the platform without a screen, of any tooltip.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")

ENCODER, DECODER, CROSS = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF, AttentionKind.CROSS


def small_trace() -> Trace:
    """One layer of one head over two source tokens and one target token."""
    shapes = {ENCODER: (2, 2), DECODER: (1, 1), CROSS: (1, 2)}
    patterns = {kind: np.full((1, 1, *shape), 1 / shape[1], np.float32) for kind, shape in shapes.items()}
    return trace_of(patterns, ("▁a", "</s>"), ("</s>",))


def reading() -> Trace:
    """Without a decoder."""
    whole = small_trace()
    patterns = {ENCODER: np.full((1, 1, 2, 2), 0.5, np.float32)}
    return trace_of(patterns, whole.src_tokens, ())


@pytest.fixture
def page(qtbot: QtBot) -> Iterator[LookPage]:
    session = Session()
    page = LookPage(session, Appearance("light"))
    qtbot.addWidget(page)
    session.add_run(Run("small", small_trace()))
    session.add_run(Run("reading", reading()))
    session.add_run(Run("long", sample_trace()))
    page.resize(900, 560)
    page.show()
    QApplication.processEvents()
    yield page
    QToolTip.hideText()


def session_of(page: LookPage) -> Session:
    return page.panes[0]._session


def move(widget: QWidget, point: QPointF) -> None:
    """As a pointer that then rests there, whatever is shown below it."""
    place, none = widget.mapToGlobal(point), Qt.MouseButton.NoButton
    event = QMouseEvent(QEvent.Type.MouseMove, point, place, none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, event)


def spots(view: FigureView) -> list[QPointF]:
    """Points of a view at the ends of what it shows: of its last row, its last column, its last of all."""
    found: dict[object, QPointF] = {}
    for x in range(4, view.width(), 15):
        for y in range(4, view.height() - 20, 15):  # a further badge takes a line from below
            point = QPointF(x, y)
            move(view, point)
            if view.spot is not None:
                found[str(view.spot)] = point
    return [found[spot] for spot in sorted(found)[-3:]]


CHANGES: dict[str, Callable[[Session], None]] = {
    "encoder": lambda session: session.select_kind(ENCODER),
    "decoder": lambda session: session.select_kind(DECODER),
    "cross": lambda session: session.select_kind(CROSS),
    "small": lambda session: session.show_run("small"),
    "reading": lambda session: session.show_run("reading"),
    "words": lambda session: session.set_view(whole_words=True),
    "specials": lambda session: session.set_view(hide_specials=True),
    "incoming": lambda session: session.set_view(incoming=True),
    "step": lambda session: session.set_step(0),
    "head": lambda session: session.select_head(0, None),
    "map": lambda session: session.select(view="map"),
    "gone": lambda session: session.remove_run("long"),
    "empty": lambda session: session.clear_runs(),
    "another": lambda session: session.add_run(Run("long", small_trace()), keep_others=False),
}
"""What may become of the figure below a pointer that rests."""


def begin(page: LookPage, view: str, kind: AttentionKind) -> FigureView:
    session = session_of(page)
    session.clear_runs()
    for name, trace in (("small", small_trace()), ("reading", reading()), ("long", sample_trace())):
        session.add_run(Run(name, trace))
    session.set_view(whole_words=False, hide_specials=False, incoming=False)
    session.select(kind=kind, layer=1, head=1, step=2, view=view)
    assert page.panes[0].picture is page.panes[0].views[view]
    QApplication.processEvents()
    return page.panes[0].views[view]


@pytest.mark.slow
@pytest.mark.parametrize("name", [view.name for view in PANE_VIEWS])
def test_no_figure_is_asked_for_a_place_that_it_does_not_have(page: LookPage, name: str) -> None:
    """An exception anywhere fails the test: those that leave a method that Qt calls are reported."""
    session = session_of(page)
    for kind in (ENCODER, CROSS):
        points = spots(begin(page, name, kind))
        assert points or pane_view(name).asks  # nothing is there before a model has answered
        points = points or [QPointF(40, 40)]
        for change in CHANGES.values():
            view = begin(page, name, kind)
            move(view, points[-1])
            move(page.heads.view, QPointF(page.heads.view.rect().center()))
            move(view, points[0])
            assert view.spot is not None or pane_view(name).asks
            change(session)
            QApplication.processEvents()
            page.hide()  # then it is shown without the pointer having moved
            session.select(view=name)
            page.show()
            QApplication.processEvents()
            view.spot  # noqa: B018  (as any view asks)
            at = session.hover.at
            shown = session.run()
            assert at is None or (shown is not None and at.run == shown.id and at.within(shown.trace))


def cell_point(view: FigureView, row: int, column: int) -> QPointF:
    place = page_map(view)
    return place.rect_of(row, column).center()


def page_map(view: FigureView) -> MapGeometry:
    place = view.geometry_now()  # type: ignore[attr-defined]
    assert isinstance(place, MapGeometry)
    return place


def test_a_cell_of_the_same_tokens_stays_under_the_pointer(page: LookPage, qtbot: QtBot) -> None:
    session = session_of(page)
    view = begin(page, "map", CROSS)
    move(view, cell_point(view, 2, 3))
    assert view.spot == (2, 3)
    assert session.hover.at == Hovered("long", CROSS, 2, 3, 1, 1)
    assert QToolTip.isVisible()
    session.select_head(1, 0)
    assert view.spot == (2, 3)
    # It told the number of another head; Qt takes a moment.
    qtbot.waitUntil(lambda: not QToolTip.isVisible())
    assert "0.6" in page.panes[0].map.sentence()  # that of this head, by hand
    session.select_kind(DECODER)
    assert view.spot is None
    assert session.hover.at is None
    assert page.panes[0].map.sentence() == ""


def test_the_pointer_is_on_nothing_of_a_run_that_is_not_shown(page: LookPage) -> None:
    session = session_of(page)
    begin(page, "map", CROSS)
    on_the_strip = Hovered("long", CROSS, key=3)
    session.hover.set(on_the_strip)
    session.set_step(1)
    assert session.hover.at == on_the_strip
    session.show_run("small")
    assert session.hover.at is None
