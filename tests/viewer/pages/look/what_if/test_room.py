"""Room for what altered runs have to say: badges, legends, the drawer that gives its room back."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QEventLoop, QRectF, Qt
from PySide6.QtWidgets import QApplication, QLabel, QToolButton

from model.alterations.block_token import BlockToken
from model.alterations.change_positions import ChangePositions
from model.alterations.registry import all_to_json
from model.alterations.scale_head import ScaleHead
from model.alterations.set_row import SetRow
from tests.viewer.figure_samples import picture
from tests.viewer.pages.look.what_if.samples import BASE, CROSS, LIVE, altered_run, base_trace, session_with
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.map.build import map_figure
from viewer.figures.map.layout import MapGeometry
from viewer.pages.look.look_page import LookPage
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")

MANY = (ScaleHead(CROSS, 1, None, 0.5), BlockToken(1), ChangePositions(), SetRow(CROSS, 1, 0, 1, key=0))


def settle() -> None:
    for _ in range(6):
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)


@pytest.mark.parametrize(
    "text", ["model altered: " + "every head off; " * 12, "模型被改动：屏蔽𠀀𠀁源词元；" * 9]
)
def test_a_short_label_shows_whole_lines_and_says_that_there_is_more(qtbot: Any, text: str) -> None:
    words = label("badge")
    qtbot.addWidget(words)
    words.be_short(2)
    words.setText(text)
    words.resize(260, 80)
    words.show()
    shown = QLabel.text(words)
    assert shown.endswith("…")
    assert text.startswith(shown[:-1])
    assert words.text() == text

    def high(text: str) -> int:
        indent = words.fontMetrics().horizontalAdvance("x") // 2  # as QLabel has it
        room, flags = words.contentsRect().width() - indent, Qt.TextFlag.TextWordWrap
        return words.fontMetrics().boundingRect(0, 0, room, 999, flags, text).height()

    one, another = high(shown[:5]), high(f"{shown[:5]}\n{shown[:5]}")
    assert one < high(shown) <= another + 1
    words.resize(9000, 80)
    assert QLabel.text(words) == text


def test_two_maps_begin_at_the_same_height_however_much_one_has_to_say(qtbot: Any) -> None:
    session = session_with(altered_run(*MANY))
    page = LookPage(session, Appearance("light"))
    qtbot.addWidget(page)
    page.resize(1240, 700)
    page.show()
    session.show_run(BASE, 0)
    session.open_second_pane()
    session.show_run(LIVE, 1)
    settle()
    first, second = page.panes
    assert len(second.badges.text()) > 4 * len(first.badges.text())
    assert first.map.geometry().top() == second.map.geometry().top()
    assert first.map.height() == second.map.height()
    assert second.badges.width() > 130, "the name of the run leaves the badges room"


def test_one_line_of_badges_begins_with_the_alterations_and_counts_what_it_leaves_out(qtbot: Any) -> None:
    session = session_with(altered_run(*MANY))
    page = LookPage(session, Appearance("light"))
    qtbot.addWidget(page)
    page.show()
    session.show_run(LIVE, 0)
    session.set_view(sqrt_scale=True)
    [pane] = page.panes[:1]
    for width, whole in ((1100, False), (5000, True)):
        page.resize(width, 700)
        settle()
        badges = pane.badges.text().split("  ·  ")
        altered = [badge.startswith("model altered") for badge in badges]
        assert altered == sorted(altered, reverse=True)
        assert altered.count(True) >= 2
        line, more = pane.badges.parentWidget(), pane.badges.parentWidget().findChild(QToolButton)
        assert line.height() < 2 * pane.badges.fontMetrics().lineSpacing()
        assert more.isVisible() is not whole
        shown = QLabel.text(pane.badges)
        if whole:
            assert shown == pane.badges.text()
            continue
        assert shown.startswith("model altered: ")
        left_out = sum(badge not in shown for badge in badges)
        assert 0 < left_out == int(re.findall(r"\d+", more.text())[0])
        more.menu().aboutToShow.emit()
        assert [action.text() for action in more.menu().actions()][: len(badges)] == badges
        assert more.geometry().left() >= pane.badges.geometry().right()


def test_a_drawer_that_is_closed_gives_its_room_back(qtbot: Any) -> None:
    session = session_with()
    page = LookPage(session, Appearance("light"))
    qtbot.addWidget(page)
    page.resize(1240, 700)
    page.show()
    settle()
    before = page.upper.height()
    page.drawer.show_panel(1)
    settle()
    assert page.upper.height() < before - 100
    page.drawer.show_panel(None)
    settle()
    assert page.upper.height() == before


@pytest.mark.parametrize("width", [260, 330, 700])
def test_the_legend_of_a_low_map_is_over_nothing(width: int) -> None:
    trace = base_trace(alterations=all_to_json((BlockToken(2),)))
    figure = map_figure(trace, Selection(CROSS, 1, 0, 0), ViewOptions())
    _, place = picture(figure, width, 150, options=DrawOptions(title=False, badges=False, compact=True))
    assert isinstance(place, MapGeometry)
    assert place.legend.width() > 40
    boxes = [place.legend, place.map_rect, *(shown.outline().boundingRect() for shown in place.columns)]
    assert not any(place.legend.intersects(box.adjusted(1, 1, -1, -1)) for box in boxes[1:])
    assert QRectF(0, 0, width, 150).contains(place.legend)
    assert all(one.right() <= other.left() + 1 for one, other in pairwise(sorted(boxes[2:], key=QRectF.left)))
