from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip
from pytestqt.qtbot import QtBot

from tests.viewer.heard_requests import heard
from tests.viewer.pages.look.branches.tree_samples import END, hypothesis, run_of
from viewer.document.document import Run
from viewer.document.messages.messages import ModelInfo
from viewer.document.messages.requests import Branch, Continue, KeepAltered, ShowHypothesis
from viewer.document.session import Session
from viewer.pages.look.branches.branches_panel import BranchesPanel
from viewer.pages.look.branches.node_details import NodeDetails
from viewer.pages.look.drawer import Drawer
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # popups, without a screen

SHA = "0123456789abcdef" * 4
SEARCH = (
    hypothesis(1, 0, 0, 1, -0.5, 0.0, "kept"),
    hypothesis(2, 0, 0, 2, -1.0, 0.0, "kept"),
    hypothesis(3, 0, 0, 3, -2.0, 0.0, "pruned"),
    hypothesis(4, 1, 1, END, -0.2, -0.5, "finished"),
    hypothesis(5, 2, 1, 1, -1.6, -1.0, "pruned"),
)


@pytest.fixture
def session(qapp: QApplication) -> Session:
    session = Session()
    session.set_model(ModelInfo("", "tiny", ("en", "fr"), {}, 1, SHA, None, None))
    session.add_run(run_of("one", [1, 2, END], [0.93, 0.25, 0.5]))
    session.add_run(run_of("two", [1, 3, END], [0.93, 0.1, 0.5], parent="one", branch_step=1))
    session.set_step(1)
    return session


@pytest.fixture
def panel(session: Session, qtbot: QtBot) -> BranchesPanel:
    panel = BranchesPanel(session, Appearance("light"))
    qtbot.addWidget(panel)
    panel.resize(1200, 240)
    panel.show()
    settle()
    return panel


def settle() -> None:
    for _ in range(4):
        QApplication.processEvents()


def searched(session: Session) -> Run:
    decoding = {"mode": "beam", "beam_size": 2, "length_penalty": 1.0}
    run = run_of("beam", [1, END], [0.6065, 0.8187], search=SEARCH, trace={"decoding": decoding})
    session.clear_runs()
    session.add_run(run)
    session.set_step(0)
    settle()
    return run


def node_of(panel: BranchesPanel, *tokens: int, strand: str = "") -> int:
    node = panel.state.tree.find((strand, tokens))
    assert node is not None
    return node.index


def click(panel: BranchesPanel, index: int, qtbot: QtBot) -> None:
    place = panel.tree.node_rect(index).center()
    qtbot.mouseClick(panel.tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle()


def press(panel: BranchesPanel, key: Qt.Key, qtbot: QtBot) -> None:
    qtbot.keyClick(panel.tree, key)
    settle()


def here(session: Session) -> tuple[str, int]:
    pane = session.pane()
    assert pane is not None
    return pane.run_id, pane.selection.step


def texts(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if action.text()]


def test_a_click_looks_at_the_node_everywhere(panel: BranchesPanel, session: Session, qtbot: QtBot) -> None:
    assert here(session) == ("two", 1)

    click(panel, node_of(panel, 1, 2), qtbot)
    assert here(session) == ("one", 1)
    click(panel, node_of(panel, 1), qtbot)  # both pass: the run in view stays
    assert here(session) == ("one", 0)
    click(panel, node_of(panel, 1, 3, END), qtbot)
    assert here(session) == ("two", 2)


def test_arrow_keys_go_through_the_tree(panel: BranchesPanel, session: Session, qtbot: QtBot) -> None:
    for key, place in (
        (Qt.Key.Key_Up, ("one", 1)),
        (Qt.Key.Key_Right, ("one", 2)),
        (Qt.Key.Key_Right, ("one", 2)),
        (Qt.Key.Key_Down, ("two", 2)),
        (Qt.Key.Key_Left, ("two", 1)),
        (Qt.Key.Key_Left, ("two", 0)),
        (Qt.Key.Key_Left, ("two", 0)),
        (Qt.Key.Key_Right, ("two", 1)),
    ):
        press(panel, key, qtbot)
        assert here(session) == place, key


def test_a_hypothesis_without_a_run_is_asked_for_and_said(
    panel: BranchesPanel, session: Session, qtbot: QtBot
) -> None:
    searched(session)
    said = heard(session, Branch, Continue, ShowHypothesis, KeepAltered)

    click(panel, node_of(panel, 3), qtbot)

    assert said == [ShowHypothesis("beam", 3)]
    assert panel.details.title.text() == "c"
    assert panel.details.reason.text() == (
        "Dropped. At step 1 its total −2.000 was below the last one kept, −1.000 "
        "(rank 3 of 3 considered, 2 kept, beam 2)."
    )
    assert "dropped by the search" in panel.tree.accessibleDescription()


def test_keys_ask_for_a_hypothesis_when_they_rest(
    panel: BranchesPanel, session: Session, qtbot: QtBot
) -> None:
    searched(session)
    said = heard(session, Branch, Continue, ShowHypothesis, KeepAltered)

    press(panel, Qt.Key.Key_Down, qtbot)
    press(panel, Qt.Key.Key_Down, qtbot)

    assert panel.state.node is not None
    assert panel.state.node.token == 3
    assert said == []
    qtbot.waitUntil(lambda: bool(said))
    assert said == [ShowHypothesis("beam", 3)]


def test_the_tree_as_of_a_step_grows_as_one_steps(
    panel: BranchesPanel, session: Session, qtbot: QtBot
) -> None:
    searched(session)
    panel.tools.stepwise.click()
    assert max(node.step for node in panel.state.tree.nodes) == 0

    press(panel, Qt.Key.Key_Right, qtbot)

    assert here(session) == ("beam", 1)
    assert max(node.step for node in panel.state.tree.nodes) == 1
    panel.tools.whole.click()
    assert len(panel.state.tree.nodes) == 1 + len(SEARCH)


def test_dropped_hypotheses_can_be_left_out(panel: BranchesPanel, session: Session) -> None:
    assert panel.tools.dropped.isHidden()  # nothing was searched
    searched(session)
    assert not panel.tools.dropped.isHidden()

    panel.tools.dropped.click()

    assert {panel.state.tree.key(node.index)[1] for node in panel.state.tree.nodes} == {(), (1,), (1, END)}


def test_enter_lists_the_words_of_the_step(panel: BranchesPanel, session: Session) -> None:
    said = heard(session, Branch, Continue, ShowHypothesis, KeepAltered)
    menu = panel.menu.alternatives(node_of(panel, 1, 3))

    assert [text.split("\t")[0] for text in texts(menu)] == ["c", "d", "e"]
    assert [action.isEnabled() for action in menu.actions()] == [False, True, True]
    menu.actions()[1].trigger()
    assert said == [Branch("two", 1, 4)]


def test_a_word_that_is_there_already_is_gone_to(panel: BranchesPanel, session: Session) -> None:
    said = heard(session, Branch, Continue, ShowHypothesis, KeepAltered)
    click_b = panel.menu.alternatives(node_of(panel, 1, 2))
    session.show_run("one")
    settle()

    # Of "one" at step 2 the candidates are b, c, d; c is what "two" took.
    menu = panel.menu.alternatives(node_of(panel, 1, 2))
    assert texts(menu)[1].startswith("c")
    menu.actions()[1].trigger()

    assert said == []
    assert here(session) == ("two", 1)
    click_b.deleteLater()


def test_letters_begin_a_text_of_ones_own(panel: BranchesPanel, session: Session, qtbot: QtBot) -> None:
    said = heard(session, Branch, Continue, ShowHypothesis, KeepAltered)

    qtbot.keyClick(panel.tree, "v")
    assert panel.editor.isVisible()
    assert panel.editor.text() == "v"
    qtbot.keyClicks(panel.editor, "oir")
    qtbot.keyClick(panel.editor, Qt.Key.Key_Return)

    assert said == [Continue("two", 1, "voir")]
    assert panel.editor.isHidden()
    panel.menu.go_on(node_of(panel, 1, 3), True, "x")
    assert said[1:] == [Continue("two", 2, "x")]
    qtbot.keyClick(panel.tree, Qt.Key.Key_F2)
    qtbot.keyClick(panel.editor, Qt.Key.Key_Escape)
    assert panel.editor.isHidden()


def test_delete_takes_the_run_away_and_undo_brings_it_back(
    panel: BranchesPanel, session: Session, qtbot: QtBot
) -> None:
    press(panel, Qt.Key.Key_Delete, qtbot)
    assert [run.id for run in session.document.runs] == ["one"]
    assert panel.state.tree.find(("", (1, 3))) is None

    session.undo()
    settle()

    assert panel.state.tree.find(("", (1, 3))) is not None


def test_the_context_menu_compares_keeps_copies(panel: BranchesPanel, session: Session) -> None:
    said = heard(session, Branch, Continue, ShowHypothesis, KeepAltered)
    change = ({"type": "block", "token": 0},)
    session.add_run(run_of("one~what-if", [1, END], [0.5, 0.5], parent="one", alterations=change))
    settle()
    strand = panel.state.tree.strands[1].key
    menu = panel.menu.of_node(node_of(panel, 1, strand=strand))
    actions = {action.text(): action for action in menu.actions()}

    actions["Keep this altered run"].trigger()
    assert said == [KeepAltered("one~what-if")]
    actions["Pin the run in view to compare"].trigger()
    assert session.document.pinned == "one~what-if"
    other = panel.menu.of_node(node_of(panel, 1, 2))
    assert "Compare with the run in view" in texts(other)
    next(action for action in other.actions() if action.text() == "Copy the text up to here").trigger()
    assert QGuiApplication.clipboard().text() == "a b"


def test_another_model_can_only_be_looked_at(panel: BranchesPanel, session: Session) -> None:
    session.set_model(ModelInfo("", "other", ("en", "fr"), {}, 1, "f" * 64, None, None))
    settle()

    menu = panel.menu.alternatives(node_of(panel, 1, 3))

    assert not any(action.isEnabled() for action in menu.actions())


def test_a_screen_reader_and_a_pointer_are_told_of_the_node(
    panel: BranchesPanel, session: Session, qtbot: QtBot
) -> None:
    session.set_step(0)
    settle()
    assert panel.tree.accessibleDescription() == "a, step 1, 93 %, run 2 of 2"

    place = panel.tree.node_rect(node_of(panel, 1, 2)).center()
    event = QHelpEvent(QEvent.Type.ToolTip, place, panel.tree.viewport().mapToGlobal(place))
    QApplication.sendEvent(panel.tree.viewport(), event)
    tip = QToolTip.text()
    assert tip.splitlines()[0] == "“b”, step 2: 25 %"
    assert "log probability −1.386" in tip
    QToolTip.hideText()
    qtbot.wait(1)


def test_details_say_the_numbers_of_the_node(panel: BranchesPanel, session: Session) -> None:
    values = dict(
        zip((n.text() for n in panel.details.names), (v.text() for v in panel.details.values), strict=True)
    )

    # ln 0.93 + ln 0.1 = -2.3752
    assert values["Step"] == "2"
    assert values["Probability"] == "10.00 %"
    assert values["Log probability"] == "−2.303"
    assert values["Total"] == "−2.375"
    assert values["Rank score"] == "−1.188 (A = 1)"
    assert values["Piece"] == "▁c"
    assert values["Rank"] == "1"
    assert "Total\t−2.375" in panel.details.as_text()


def test_every_number_of_the_node_is_seen_whole_in_a_narrow_place(panel: BranchesPanel, qtbot: QtBot) -> None:
    details = NodeDetails(panel.state)
    qtbot.addWidget(details)
    index = node_of(panel, 1, 3)
    details.show_node(panel.state.tree.nodes[index], panel.tree.words[index])
    details.retranslate()
    widths = []
    for wide in (700, 420, 260, 700):
        details.resize(wide, 300)
        details.show()
        settle()
        for label in (*details.names, *details.values):
            assert details.isAncestorOf(label)
            assert label is details.values[6] or label.width() >= label.sizeHint().width()
            assert label.mapTo(details, label.rect().topRight()).x() < details.viewport().width()
        widths.append(len({label.x() for label in details.values}))
    assert widths[0] == widths[-1] == 3
    assert widths[2] < 3


def test_live_growth_is_followed(panel: BranchesPanel, session: Session, qtbot: QtBot) -> None:
    session.add_run(run_of("live", [1], [0.93], live=True))
    session.set_step(0)
    settle()
    for steps in (2, 3):
        session.replace_run(run_of("live", [1, 4, 5][:steps], [0.93, 0.2, 0.3][:steps], live=True))
        qtbot.waitUntil(lambda: len(panel.state.tree.path("live")) == steps)  # noqa: B023
    assert here(session)[0] == "live"


def test_a_hidden_panel_does_no_work_and_catches_up(panel: BranchesPanel, session: Session) -> None:
    panel.hide()
    before = panel.state.tree
    session.add_run(run_of("three", [2, END], [0.5, 0.5]))
    settle()
    assert panel.state.tree is before

    panel.show()
    settle()

    assert panel.state.tree.path("three")


def test_a_tree_that_is_laid_out_ahead_is_as_it_is_asked_for_then(
    panel: BranchesPanel, session: Session
) -> None:
    panel.hide()
    session.add_run(run_of("three", [1, 2, 3, END], [0.93, 0.25, 0.1, 0.5], parent="one", branch_step=2))
    panel.tree.prepare()
    assert panel.tree.words != panel.tree._named.words
    ahead = panel.tree._laid
    panel.show()
    settle()
    assert panel.tree.place is ahead
    assert panel.tree.place.tree is panel.state.tree
    assert len(panel.tree.words) == len(panel.state.tree.nodes)

    panel.hide()
    session.add_run(
        run_of("four", [1, 2, 3, 2, END], [0.9, 0.2, 0.1, 0.5, 0.5], parent="three", branch_step=3)
    )
    panel.tree.prepare_texts()
    named = panel.tree._named
    panel.tree.prepare()
    assert panel.tree._named is named, "what stands in the nodes is found once"
    ahead = panel.tree._laid
    session.add_run(run_of("five", [1, 3, END], [0.9, 0.2, 0.5], parent="one", branch_step=1))
    panel.tree.prepare_texts()
    panel.tree.prepare()
    assert panel.tree._laid is not ahead
    ahead = panel.tree._laid
    assert ahead.tree is panel.state.prepare()[1]
    session.set_view(raw_pieces=True)
    panel.show()
    settle()
    assert panel.tree.place is not ahead
    assert [text.text for text in panel.tree.place.texts[1:]] == [
        node.piece for node in panel.state.tree.nodes[1:]
    ]


def test_without_runs_it_says_what_to_do(panel: BranchesPanel, session: Session, qtbot: QtBot) -> None:
    session.clear_runs()
    settle()

    assert panel.empty.isVisible()
    with qtbot.waitSignal(panel.example_asked):
        panel.empty.button.click()


def test_the_current_node_is_scrolled_into_view(panel: BranchesPanel, session: Session) -> None:
    session.add_run(run_of("long", [1 + i % 7 for i in range(200)], [0.5] * 200))
    for step in (199, 0, 100):
        session.set_step(step)
        settle()
        node = panel.state.node
        assert node is not None
        assert node.step == step
        assert panel.tree.viewport().rect().contains(panel.tree.node_rect(node.index))


@pytest.mark.parametrize("size", [(320, 150), (560, 400), (1200, 240), (1880, 300)])
@pytest.mark.parametrize("shape", ["many", "long"])
def test_a_fitted_tree_is_all_in_view(
    panel: BranchesPanel, session: Session, size: tuple[int, int], shape: str
) -> None:
    panel.resize(*size)
    if shape == "long":
        session.add_run(run_of("long", [1 + i % 7 for i in range(200)], [0.5] * 200))
    for number in range(25 if shape == "many" else 0):
        session.add_run(run_of(f"x{number}", [number + 2, END], [0.1, 0.5]))
    settle()
    bars = (panel.tree.horizontalScrollBar(), panel.tree.verticalScrollBar())
    assert any(bar.maximum() > 0 for bar in bars)

    panel.tools.fit.click()
    settle()

    assert [bar.maximum() for bar in bars] == [0, 0]
    room = panel.tree.viewport().rect().adjusted(-1, -1, 1, 1)
    assert all(room.contains(panel.tree.node_rect(node.index)) for node in panel.state.tree.nodes)
    panel.tools.fit.click()
    assert any(bar.maximum() > 0 for bar in bars)


def test_a_right_click_asks_for_the_menu_of_its_node(panel: BranchesPanel, qtbot: QtBot) -> None:
    with qtbot.waitSignal(panel.tree.menu_asked) as asked:
        index = node_of(panel, 1, 2)
        place = panel.tree.node_rect(index).center()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, QPoint(5, 5))
        QApplication.sendEvent(panel.tree.viewport(), event)
        menu = QApplication.activePopupWidget()
        if menu is not None:
            menu.close()
    assert asked.args is not None
    assert asked.args[0] == index
    settle()


def test_the_drawer_opens_again_as_it_was(session: Session, qtbot: QtBot) -> None:
    drawers = [Drawer(session, Appearance("light")) for _ in range(2)]
    for drawer in drawers:
        qtbot.addWidget(drawer)
        drawer.resize(1000, 321)
        drawer.show()
    assert drawers[0].view("branches").tools.isHidden()
    drawers[0].show_panel(0)
    drawers[0].resize(1000, 300)
    settle()
    assert drawers[0].view("branches").tools.isVisible()

    drawers[1].restore_state(drawers[0].save_state())

    assert drawers[1].is_open
    assert drawers[1].save_state() == drawers[0].save_state()
    drawers[1].show_panel(None)
    drawers[1].restore_state(b"nonsense")  # type: ignore[arg-type]
    assert not drawers[1].is_open
