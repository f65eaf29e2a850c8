"""The views of the Look page beside each other: what stays in view, what is kept, what fits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.questions.answers import Gradients
from model.questions.questions import GradientOf, Reading
from model.trace.trace import AttentionKind, Floats, Trace
from tests.viewer.fake_source import small_info
from tests.viewer.figure_samples import sample_trace, square_trace
from viewer.document.document import Run, ViewOptions
from viewer.document.messages.notice import Notice
from viewer.document.selection import Numbers, Selection
from viewer.document.session import Session
from viewer.figures.map.build import map_figure
from viewer.pages.look.map.flow_tools import FlowTools
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

X, E = AttentionKind.CROSS, AttentionKind.ENCODER_SELF


Shown = Callable[[Session], MapPane]


@pytest.fixture
def shown(qtbot: QtBot) -> Iterator[Shown]:
    """Shows panes; held until the events of a test are over, and hidden then."""
    panes: list[MapPane] = []

    def show(session: Session) -> MapPane:
        pane = MapPane(session, Appearance("light"), 0)
        panes.append(pane)
        qtbot.addWidget(pane)
        pane.resize(620, 480)
        pane.show()
        qtbot.waitExposed(pane)
        return pane

    yield show
    for pane in panes:
        pane.hide()


def gradients(trace: Trace, step: int) -> Gradients:
    by_kind = {kind: np.ones(trace.patterns.shape(kind) or (), np.float32) for kind in trace.kinds}
    return Gradients(step, -1.0, by_kind)


def darkest(image: QImage) -> int:
    """The least lightness, 0 to 255."""
    points = ((x, y) for x in range(0, image.width(), 3) for y in range(0, image.height(), 3))
    return min(image.pixelColor(x, y).lightness() for x, y in points)


@pytest.fixture
def waiting(qtbot: QtBot, shown: Shown) -> tuple[Session, MapPane, Reading]:
    """A map of gradients at step 1, and none yet for step 2, which was gone to."""
    session, trace = Session(), sample_trace(model_sha256="00")
    session.add_run(Run("a", trace), Selection(X, layer=1, step=1, numbers=Numbers.GRADIENT))
    session.set_model(small_info())
    reading = Reading.of(trace)
    pane = shown(session)
    session.answers.finish((GradientOf(1), reading), gradients(trace, 1))
    qtbot.waitUntil(lambda: "step 2" in pane.badges.text())
    qtbot.wait(20)  # the layout takes the badges' height a turn later
    session.select(step=2)
    return session, pane, reading


def test_the_last_picture_stays_faded_while_the_next_is_worked_out(
    qtbot: QtBot, waiting: tuple[Session, MapPane, Reading]
) -> None:
    session, pane, reading = waiting
    before = pane.map.size()
    assert pane.map.figure is None
    assert pane.map.holding
    assert pane.badges.isVisible()
    assert 100 < darkest(pane.map.grab().toImage()) < 245  # a veiled picture: neither as drawn nor gone
    qtbot.waitUntil(lambda: not pane.map.holding)
    assert "Computing" in pane.map.waiting
    trace = session.trace()
    assert trace is not None
    session.answers.finish((GradientOf(2), reading), gradients(trace, 2))
    qtbot.waitUntil(lambda: "step 3" in pane.badges.text())
    qtbot.waitUntil(lambda: pane.map.size() == before)
    assert pane.map.waiting == ""


def test_of_what_cannot_be_had_no_old_picture_stays(waiting: tuple[Session, MapPane, Reading]) -> None:
    session, pane, reading = waiting
    session.answers.fail((GradientOf(2), reading), Notice.of(HeadscopeError("no_model")))
    assert not pane.map.holding
    assert pane.map.waiting == "No model is open; open one first."
    pane.map.grab()
    assert pane.map.figure is None


class Counted:
    """Patterns that count what is read."""

    def __init__(self, trace: Trace) -> None:
        self._patterns = trace.patterns
        self.read = 0

    def shape(self, kind: AttentionKind) -> tuple[int, int, int, int] | None:
        return self._patterns.shape(kind)

    def pattern(self, kind: AttentionKind, layer: int, head: int) -> Floats:
        self.read += 1
        return self._patterns.pattern(kind, layer, head)

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        self.read += 1
        return self._patterns.layer(kind, layer)


@pytest.mark.parametrize("numbers", [Numbers.MEAN_LAYERS, Numbers.MAX_LAYERS, Numbers.ROLLOUT])
def test_what_is_of_all_heads_is_worked_out_once_for_all_of_them(numbers: Numbers) -> None:
    trace = square_trace(5, heads=3, layers=4)
    counted = Counted(trace)
    trace = replace(trace, patterns=counted)
    kind = E if numbers is Numbers.ROLLOUT else X
    map_figure(trace, Selection(kind, layer=3, head=0, step=2, numbers=numbers), ViewOptions())
    first, counted.read = counted.read, 0
    assert first > 0
    for layer in range(4):
        for head in (0, 2, None):
            selection = Selection(kind, layer=layer, head=head, step=2, numbers=numbers)
            map_figure(trace, selection, ViewOptions())
    assert counted.read == 0


def test_flow_opens_where_the_chosen_cell_is(qtbot: QtBot, shown: Shown) -> None:
    session = Session()
    session.add_run(Run("a", square_trace(80)), Selection(X, step=60, query=60, key=61))
    pane = shown(session)
    session.select(view="flow")
    qtbot.waitUntil(pane.views["flow"].isVisible)
    place = pane.views["flow"].geometry_now()
    assert place is not None
    assert place.queries.first <= 60 < place.queries.last
    assert place.keys.last - place.keys.first < 80


@pytest.mark.parametrize("view", ["flow", "words"])
def test_the_bar_of_a_scrolled_view_lies_beside_its_words(shown: Shown, view: str) -> None:
    session = Session()
    session.add_run(Run("a", square_trace(80)), Selection(X, step=60, view=view))
    pane = shown(session)
    assert pane.shown.figure_rect.right() <= pane.shown.width() - 8


def test_in_a_narrow_flow_the_slider_gives_way_before_its_number_does(qtbot: QtBot, shown: Shown) -> None:
    session = Session()
    session.add_run(Run("a", square_trace(8, heads=8)), Selection(X, step=3, view="flow"))
    pane = shown(session)
    tools = pane.tools["flow"]
    assert isinstance(tools, FlowTools)
    roomy = tools.slider.width()
    pane.setMinimumWidth(280)  # as on the page
    pane.resize(300, 480)
    qtbot.waitUntil(lambda: tools.slider.width() < roomy)
    assert tools.value.width() >= tools.value.fontMetrics().horizontalAdvance("0.05")


def test_flow_keeps_to_the_chosen_cell_in_less_room(qtbot: QtBot, shown: Shown) -> None:
    session = Session()
    session.add_run(Run("a", square_trace(12)), Selection(X, step=10, query=10, key=10, view="flow"))
    pane = shown(session)
    pane.resize(620, 250)
    qtbot.waitUntil(lambda: pane.views["flow"].height() < 200)
    place = pane.views["flow"].geometry_now()
    assert place is not None
    assert place.queries.first <= 10 < place.queries.last


def test_a_view_that_comes_says_its_own_sentence(qtbot: QtBot, shown: Shown) -> None:
    session, said = Session(), [""]
    session.add_run(Run("a", sample_trace()), Selection(X, layer=1, step=1, query=1, key=1))
    pane = shown(session)
    for widget in pane.views.values():
        widget.read_out.connect(said.append)
    for view in ("flow", "words", "heads", "map"):
        session.select(view=view)
        qtbot.waitUntil(pane.views[view].isVisible)
        wanted = pane.views[view].sentence().rstrip("0")  # what is said ends in all digits, without zeros
        assert wanted
        assert said[-1].startswith(wanted)
