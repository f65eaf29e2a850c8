"""A bookmark goes back to where it was made: page, tab, what was typed and chosen there, and the frame."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.viewer.desk import Desk
from tests.viewer.driving import Driver, start
from tests.viewer.fake_source import small_trace
from tests.viewer.time_lapse_samples import make_sequence
from viewer.dialogs.bookmarks_dialog import BookmarkNameDialog
from viewer.document.document import Bookmark, Document, Pane, Run
from viewer.document.files.session_file import open_session, save_session
from viewer.document.scene import Place, Scene
from viewer.document.selection import Selection
from viewer.pages.looks.renewal import Renewal
from viewer.pages.widgets.lazy import LazyStack
from viewer.window.scenes import WindowScenes

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the platform without a screen, of any dialog

LOOK, POSITIONS, LEARN, TRAIN = range(4)


@pytest.fixture
def driver(desk: Desk) -> Driver:
    return desk


def mark(driver: Driver) -> str:
    """Ctrl+D and Enter; the name that was proposed."""
    driver.window.actions_["add_bookmark"].trigger()
    (dialog,) = driver.window.findChildren(BookmarkNameDialog)
    name = dialog.name.text()
    dialog.accept()
    dialog.setParent(None)
    dialog.deleteLater()
    return name


def go_on(driver: Driver) -> None:
    QTest.keyClick(driver.window, Qt.Key.Key_F8)


def test_from_every_page_to_every_page(driver: Driver) -> None:
    window, names = driver.window, []
    for page in (TRAIN, POSITIONS, LOOK, LEARN):
        window.pages.show_page(page)
        names.append(mark(driver))
        assert window.pages.index == page  # naming it leads nowhere
    assert names[:2] == ["Train", "Positions: Encoding"]
    assert names[3] == "Learn: Architecture"
    driver.session.bookmarks.begin()
    for page in (TRAIN, POSITIONS, LOOK, LEARN):
        go_on(driver)
        assert window.pages.index == page
    QTest.keyClick(window, Qt.Key.Key_F8, Qt.KeyboardModifier.ShiftModifier)
    assert driver.page.isVisible()
    # From a field that is being typed into as well.
    window.pages.show_page(TRAIN)
    field = window.pages.train.findChild(QLineEdit)
    assert field is not None
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_F8)
    assert window.pages.index == LEARN
    session = driver.session
    session.bookmarks.rename(1, "as it was")
    session.bookmarks.show(1)
    assert window.pages.index == POSITIONS


def test_another_page_has_a_turn_of_its_own_and_the_last_asked_is_shown(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, bookmarks = driver.window, driver.session.bookmarks
    for page in (LOOK, TRAIN):
        window.pages.show_page(page)
        mark(driver)
    window.pages.show_page(LOOK)
    monkeypatch.setattr(Renewal, "slice_s", 0.01)  # in turns, as outside of the tests
    bookmarks.show(1)
    assert window.pages.index == LOOK
    assert not window.updatesEnabled()  # no frame before it is there
    driver.wait(window.updatesEnabled)
    assert window.pages.index == TRAIN
    bookmarks.show(0)
    bookmarks.show(1)
    bookmarks.show(0)
    driver.wait(window.updatesEnabled)
    assert window.pages.index == LOOK


def test_of_look_the_drawer_and_the_inspector(driver: Driver) -> None:
    page = driver.page
    page.drawer.show_panel(1)
    page.inspector.show_tab(1)
    mark(driver)
    page.drawer.show_panel(None)
    page.show_next_word(False)
    mark(driver)
    for tab in (0, 2):
        page.show_next_word(True)
        page.inspector.show_tab(tab)
        driver.session.bookmarks.show(0)
        assert (page.drawer.panel, page.inspector.tab) == ("compare", 1)
        assert page.inspector.isVisible()
        assert driver.window.actions_["compare"].isChecked()
    driver.session.bookmarks.show(1)
    assert (page.drawer.is_open, page.inspector.isVisible()) == (False, False)
    assert not driver.window.actions_["next_word"].isChecked()


def test_of_positions_the_tab_and_its_numbers(driver: Driver) -> None:
    window, positions = driver.window, driver.window.pages.positions
    window.pages.show_page(POSITIONS)
    choice = positions.choice
    positions.show_tab("rotation")
    choice.set_pair(1)
    choice.set_offset(2)
    assert mark(driver) == "Positions: Rotation"
    choice.explore(True)
    choice.set_base(500.0)
    positions.show_tab("distance")
    choice.set_count(20)
    mark(driver)
    choice.explore(False)
    positions.show_tab("encoding")
    encoding = positions.panels["encoding"]
    encoding.count.setValue(9)
    encoding.toggle_curve(encoding.curves[0])
    curves = encoding.curves
    mark(driver)
    positions.show_tab("bases")
    choice.set_pair(0)
    choice.set_count(30)
    encoding.count.setValue(11)
    encoding.toggle_curve(3)
    window.pages.show_page(LOOK)
    driver.session.bookmarks.show(0)
    assert positions.isVisible()
    assert (positions.tab, choice.pair, choice.offset, choice.exploring) == ("rotation", 1, 2, False)
    driver.session.bookmarks.show(1)
    assert (positions.tab, choice.exploring, choice.base, choice.count) == ("distance", True, 500.0, 20)
    driver.session.bookmarks.show(2)
    assert (positions.tab, choice.exploring, encoding.count.value()) == ("encoding", False, 9)
    assert encoding.curves == curves


def test_of_learn_the_experiment_and_what_was_tried(driver: Driver) -> None:
    window, learn = driver.window, driver.window.pages.learn
    window.pages.show_page(LEARN)
    learn.show_lesson("walk")
    driver.wait(lambda: learn.view("walk").walk is not None)
    driver.session.set_step(2)
    learn.view("walk").show_stage("target", 4)
    stage = learn.view("walk").stage
    mark(driver)
    learn.show_lesson("two_sentences")
    both, form = learn.view("two_sentences"), learn.view("two_sentences").form
    form.set_texts(("the cat sees a dog", "a dog sees the cat"))
    both.compare()
    driver.wait(lambda: both.readings is not None)
    both._choose(0, 2)
    both._choose(1, 0)
    assert mark(driver) == "Learn: One word, two sentences"
    learn.show_lesson("order")
    order = learn.view("order")
    driver.wait(lambda: not order.orders.busy)
    order.form.box.setText("a dog sees the cat")
    driver.wait(lambda: order.form._ready)
    order.form.pieces.move_piece(0, 3)
    chosen = order.form.pieces.order
    order.form.go.click()
    driver.wait(lambda: not order.orders.busy and order._shown is not None)
    order.layer.setCurrentIndex(0)
    order.head.setCurrentIndex(2)
    mark(driver)

    form.set_texts(("one", "two"))
    both.compare()
    order.form.box.setText("the cat")
    driver.wait(lambda: order.form._ready)
    order.form.go.click()
    driver.wait(lambda: not order.orders.busy)
    order.head.setCurrentIndex(0)
    learn.show_lesson("walk")
    learn.view("walk")._source_chosen(1)
    window.pages.show_page(LOOK)
    driver.session.set_step(0)

    driver.session.bookmarks.show(0)
    walk = learn.view("walk")
    assert walk.isVisible()
    assert (learn.view("walk").side, learn.view("walk").positions[1], learn.view("walk").stage) == (
        "target",
        2,
        stage,
    )
    driver.session.bookmarks.show(1)
    assert form.texts == ("the cat sees a dog", "a dog sees the cat")
    driver.wait(lambda: both.readings is not None)
    assert both.pair == (2, 0)
    driver.session.bookmarks.show(2)
    driver.wait(lambda: order.form._ready and not order.orders.busy)
    driver.wait(lambda: order._shown is not None and order._shown.text == "a dog sees the cat")
    assert order.form.pieces.order == chosen == tuple(order._shown.order)  # type: ignore[union-attr]
    assert (order.layer.currentIndex(), order.head.currentIndex()) == (0, 2)
    # Gone to again, it is as it is: nothing is read a second time.
    asked: list[Any] = []
    driver.session.answers.wanted.connect(lambda *arguments: asked.append(arguments))
    driver.session.bookmarks.show(2)
    assert asked == []


def test_of_a_time_lapse_the_frame(driver: Driver, tmp_path: Path) -> None:
    make_sequence(tmp_path / "probe")
    driver.ask_path(tmp_path / "probe")
    lapse, session = driver.page.time_lapse, driver.session
    lapse.first()
    session.select(layer=1, head=1, step=3)
    mark(driver)
    lapse.last()
    mark(driver)
    session.show_run(session.document.runs[0].id)
    for index, frame in ((0, 0), (1, 1200), (0, 0)):
        session.bookmarks.show(index)
        assert lapse.frame == frame
        assert session.pane() == session.bookmarks.all[index].pane
    folder = tmp_path / "s.headscope"
    save_session(folder, session.document, "", None)
    shutil.rmtree(tmp_path / "probe")
    driver.ask_path(folder)
    session.bookmarks.show(1)  # the frame that was saved, which the window names
    assert driver.window.notice.text == ""
    assert session.run() is not None


def test_a_session_holds_it_and_an_older_one_leads_to_look(driver: Driver, tmp_path: Path) -> None:
    driver.window.pages.show_page(POSITIONS)
    driver.window.pages.positions.show_tab("rotation")
    mark(driver)
    folder = tmp_path / "s.headscope"
    save_session(folder, driver.session.document, "", None)
    path = folder / "session.json"
    values = json.loads(path.read_text("utf-8"))
    assert (values["bookmarks"][0]["page"], values["bookmarks"][0]["tab"]) == ("positions", "rotation")
    driver.window.pages.positions.show_tab("encoding")
    driver.ask_path(folder)
    driver.session.bookmarks.show(0)
    assert driver.window.pages.positions.tab == "rotation"
    values["bookmarks"] = [{name: values["bookmarks"][0][name] for name in ("name", "run", "selection")}]
    path.write_text(json.dumps(values), "utf-8")
    driver.ask_path(folder)
    driver.window.pages.show_page(LEARN)
    driver.session.bookmarks.show(0)
    assert driver.window.pages.index == LOOK


def test_a_session_holds_what_is_open_on_learn(driver: Driver, tmp_path: Path) -> None:
    window, learn, session = driver.window, driver.window.pages.learn, driver.session
    window.actions_["tour"].trigger()
    view = learn.view("architecture")
    assert view.isVisible()
    window.setFocus()
    for key, block in ((Qt.Key.Key_PageDown, "encoder.scale"), (Qt.Key.Key_PageUp, "encoder.embedding")):
        QTest.keyClick(window, key)
        assert view.scene()["block"] == block
    view.show_scene({"block": "decoder.1.cross", "unfolded": True})
    view.place_asked.emit(Place(Scene("look", inspector="what_if"), {"layer": 1}))
    assert (window.pages.index, window.look_page.inspected) == (LOOK, "what_if")
    learn.show_lesson("order")
    folder = tmp_path / "s.headscope"
    save_session(folder, session.saved, "", None)
    learn.show_lesson("walk")
    view.show_scene({"block": "encoder.embedding", "unfolded": False})
    driver.ask_path(folder)
    assert learn.scene()[0] == "order"
    assert (view.scene()["block"], view.scene()["unfolded"]) == ("decoder.1.cross", True)
    path = folder / "session.json"
    values = json.loads(path.read_text("utf-8"))
    assert {"architecture", "order"} <= set(values["learn"]["scenes"])
    for strange in (None, [1], {"lesson": 3, "scenes": {"architecture": 4, "walk": "x"}}, {"scenes": []}):
        path.write_text(json.dumps({**values, "learn": strange}), "utf-8")
        driver.ask_path(folder)
        assert window.notice.text == ""
    del values["learn"]
    path.write_text(json.dumps(values), "utf-8")
    driver.ask_path(folder)
    assert learn.scene()[0] == "order"


@pytest.mark.parametrize(
    "said",
    [
        {"page": "market", "tab": 3, "state": [1], "drawer": 7, "inspector": None, "frame": -1},
        {"page": ["look"], "state": "x", "frame": True},
        {"state": {"long": "x" * 100_000}, "frame": 1.5},
    ],
)
def test_what_makes_no_sense_is_not_said(tmp_path: Path, said: dict[str, Any]) -> None:
    document = Document((Run("r", small_trace(3)),), (Pane("r", Selection()),))
    document = document.but(bookmarks=(Bookmark("here", document.panes[0]),))
    save_session(tmp_path / "s.headscope", document, "", None)
    path = tmp_path / "s.headscope" / "session.json"
    values = json.loads(path.read_text("utf-8"))
    assert set(values["bookmarks"][0]) == {"name", "run", "selection"}  # the map alone needs no more
    values["bookmarks"][0].update(said)
    path.write_text(json.dumps(values), "utf-8")
    (found,) = open_session(tmp_path / "s.headscope").document.bookmarks
    assert found == Bookmark("here", document.panes[0], Scene())


def test_strange_states_of_every_page_are_survived(driver: Driver) -> None:
    strange: tuple[Any, ...] = (
        None,
        -1,
        1 << 40,
        1e300,
        True,
        "x",
        [],
        [1, "x"],
        [9, 9],
        {},
        {"target": [1, 2]},
    )
    window, pane = driver.window, driver.session.pane()
    assert pane is not None
    pages = (
        ("positions", ("rotation", "bias", "x"), ("which", "pair", "base", "dimensions", "count", "curves")),
        (
            "learn",
            ("architecture", "walk", "two_sentences", "order"),
            ("block", "unfolded", "walking", "side", "source", "stages", "texts", "pair", "order"),
        ),
        ("learn", ("order",), ("text", "tried", "layer", "head")),
        ("train", ("run", "new_run", "x"), ()),
    )
    for page, tabs, names in pages:
        for tab in tabs:
            for value in strange:
                state = Scene.from_json({"state": dict.fromkeys(names, value)}).state
                window._scenes.show(Bookmark("x", pane, Scene(page, tab, state)))
        window.grab()
    window._scenes.show(Bookmark("x", pane, Scene(drawer="x", inspector="x", frame=7)))
    assert driver.session.notice is None


def test_a_page_that_is_not_made_yet_comes_as_it_was_asked_for_last(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a place that was left on the way nothing comes over the session that was opened since."""
    monkeypatch.setattr(LazyStack, "at_once", False)  # in turns, as outside of the tests
    for number, (session, expected) in enumerate(((None, "masks"), ("search", "search"))):
        driver = start(qtbot, tmp_path / str(number))
        pages = driver.window.pages
        scenes = pages.findChild(WindowScenes)
        assert isinstance(scenes, WindowScenes)
        assert pages.learn_page is None

        scenes.go(Place(Scene("learn", "masks")))
        if session is not None:
            pages.show_page(LOOK)
            driver.session.learn_state.opened.emit({"lesson": session, "scenes": {}})
            pages.show_page(LEARN)

        driver.wait(lambda pages=pages: pages.currentWidget() is pages.learn_page)  # type: ignore[misc]
        assert pages.learn_page is not None
        assert pages.learn_page.scene()[0] == expected
        driver.window.close()
