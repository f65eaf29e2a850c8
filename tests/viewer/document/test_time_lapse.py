"""The time-lapse in Look: scrubbing, what stays in view, folders that change, sessions, the bar's keys."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from model.alignment.links import Gold
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind
from model.trace.trace_file import save_trace
from model.trace.trace_sequence import TraceSequence
from tests.viewer.export_samples import ENGLISH, FRENCH, sample_trace
from tests.viewer.time_lapse_samples import STEPS, keep, make_sequence, weights_on_disk
from viewer.document.document import Run
from viewer.document.files.session_file import open_session, save_session
from viewer.document.gold.gold_edits import set_gold
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.document.time_lapse import TimeLapse
from viewer.figures.heads.build import heads_figure
from viewer.figures.map.build import map_figure
from viewer.opening import kind_of, sequence_of
from viewer.pages.look.look_page import LookPage
from viewer.pages.widgets.appearance import Appearance


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_sequence(tmp_path / "bundle" / "probe")


@pytest.fixture
def session() -> Session:
    return Session()


@pytest.fixture
def lapse(session: Session, qapp: object) -> TimeLapse:
    return TimeLapse(session)


def shown_step(session: Session) -> object:
    run = session.run()
    return None if run is None else run.provenance.get("frame")


def test_a_folder_of_frames_is_a_sequence(folder: Path) -> None:
    assert kind_of(folder) == "sequence"
    assert kind_of(folder / "00000100.trace") == "trace"
    assert kind_of(folder.parent) == "model"
    assert sequence_of(folder.parent) == folder
    assert sequence_of(folder) is None


def test_it_opens_on_the_last_frame_as_one_run(session: Session, lapse: TimeLapse, folder: Path) -> None:
    lapse.open(TraceSequence.open(folder))
    run = session.run()
    assert run is not None
    assert [other.id for other in session.document.runs] == [run.id]
    assert run.provenance == {
        "source": "training", "path": str(folder), "frame": 1200, "frame_kind": "training_step"
    }  # fmt: skip
    assert (lapse.frames, lapse.place, lapse.frame) == (4, 3, 1200)
    assert session.text == "The little girl gave apples ."


def test_it_is_added_to_what_is_there_and_undone(
    session: Session, lapse: TimeLapse, folder: Path, tmp_path: Path
) -> None:
    for name in ("run-1", "run-2"):
        session.add_run(Run(name, sample_trace(), provenance={"source": "decoded"}))
        session.bookmarks.add(name)
    lapse.open(TraceSequence.open(folder))
    (*mine, shown) = session.document.runs
    assert [run.id for run in mine] == ["run-1", "run-2"]
    assert [mark.name for mark in session.bookmarks.all] == ["run-1", "run-2"]
    # Another one is another run; the same one, opened again, is the run that is there.
    other = make_sequence(tmp_path / "other" / "probe")
    lapse.open(TraceSequence.open(other))
    lapse.first()
    lapse.open(TraceSequence.open(folder))
    assert len(session.document.runs) == 4
    assert (session.run().id, lapse.frame) == (shown.id, 1200)  # type: ignore[union-attr]
    save_session(tmp_path / "s.headscope", session.document, session.text, None)
    saved = open_session(tmp_path / "s.headscope").document
    assert [run.provenance.get("frame") for run in saved.runs] == [None, None, 1200, 0]
    assert len(saved.bookmarks) == 2
    for left in (4, 3, 2):
        session.undo()
        assert len(session.document.runs) == left
    assert (lapse.frames, lapse.frame) == (0, -1)
    session.redo()
    assert (lapse.frames, lapse.frame) == (4, 1200)


def test_a_frame_keeps_the_gold_links_that_it_was_given(
    session: Session, lapse: TimeLapse, folder: Path
) -> None:
    lapse.open(TraceSequence.open(folder))
    gold = Gold(((0, 0),))
    set_gold(session, session.document.runs[0].id, gold)
    lapse.show(1)
    assert session.document.runs[0].gold is None  # these words are others
    lapse.show(3)
    assert session.document.runs[0].gold == gold


def test_scrubbing_keeps_what_is_looked_at(session: Session, lapse: TimeLapse, folder: Path) -> None:
    lapse.open(TraceSequence.open(folder))
    session.select(kind=AttentionKind.CROSS, layer=1, head=2, step=3, query=3, key=2)
    session.set_text("typed meanwhile")
    before = session.selection()
    for place in (0, 2, 1, 3, -5, 99):
        lapse.show(place)
        assert session.selection() == before
        step = STEPS[min(max(0, place), 3)]
        assert shown_step(session) == step
        trace = session.trace()
        assert trace is not None
        figure = map_figure(trace, before or Selection(), session.view)
        np.testing.assert_array_equal(figure.body.matrix, weights_on_disk(folder, step, 1, 2))
        assert f"training step {step:,}" in figure.body.badges
        assert f"Training step {step:,}." in figure.caption
        assert (figure.facts["frame"], figure.facts["frame_kind"]) == (step, "training_step")
        assert (
            f"training step {step:,}" in heads_figure(trace, AttentionKind.CROSS, 3, session.view).body.badges
        )
    assert len(session.document.runs) == 1
    assert session.text == "typed meanwhile"


def test_a_short_frame_clamps_and_a_long_one_gives_back(
    session: Session, lapse: TimeLapse, folder: Path
) -> None:
    keep(folder, 100, FRENCH[:3])  # two steps instead of seven
    lapse.open(TraceSequence.open(folder))
    session.select(kind=AttentionKind.CROSS, layer=1, head=0, step=5, query=5, key=1)
    lapse.show(1)
    cut = session.selection()
    assert cut is not None
    assert (cut.step, cut.query, cut.key, cut.layer) == (1, None, None, 1)
    lapse.show(2)
    assert session.selection() == Selection(AttentionKind.CROSS, 1, 0, 5, 5, 1)
    lapse.show(1)
    session.set_step(0)  # chosen anew while it was short
    lapse.show(2)
    chosen = session.selection()
    assert chosen is not None
    assert chosen.step == 0


def test_the_whole_decoding_stays_whole(session: Session, lapse: TimeLapse, folder: Path) -> None:
    keep(folder, 100, FRENCH[:3])
    session.add_run(Run("run-1", sample_trace()), Selection(AttentionKind.CROSS, 1, 2, 3))
    lapse.open(TraceSequence.open(folder))
    assert session.selection() == Selection(AttentionKind.CROSS, 1, 2, 6)  # its last step
    steps = []
    for place in (1, 0, 1, 2):
        lapse.show(place)
        steps.append(session.selection().step)  # type: ignore[union-attr]
    assert steps == [1, 6, 1, 6]
    session.set_step(2)
    lapse.show(0)
    assert session.selection().step == 2  # type: ignore[union-attr]


def test_two_panes_follow_together(session: Session, lapse: TimeLapse, folder: Path) -> None:
    lapse.open(TraceSequence.open(folder))
    session.open_second_pane(Selection(AttentionKind.ENCODER_SELF, 1, 1, 2))
    lapse.first()
    assert [session.run(pane).provenance["frame"] for pane in (0, 1)] == [0, 0]  # type: ignore[union-attr]
    second = session.selection(1)
    assert second is not None
    assert (second.kind, second.layer, second.head) == (AttentionKind.ENCODER_SELF, 1, 1)


def test_new_frames_are_taken_up_and_followed(session: Session, lapse: TimeLapse, folder: Path) -> None:
    lapse.open(TraceSequence.open(folder))
    lapse.show(1)
    keep(folder, 1300)
    assert lapse.refresh()
    assert (lapse.frames, lapse.frame) == (5, 100)  # nobody asked to follow
    lapse.set_following(True)
    assert lapse.frame == 1300
    keep(folder, 1400)
    lapse.refresh()
    assert lapse.frame == 1400
    lapse.show(0)  # whoever scrubs back wants to stay there
    assert not lapse.following
    keep(folder, 1500)
    lapse.refresh()
    assert lapse.frame == 0


def test_frames_that_vanish(session: Session, lapse: TimeLapse, folder: Path) -> None:
    lapse.open(TraceSequence.open(folder))
    (folder / "00000100.trace").unlink()
    lapse.show(1)
    assert session.notice is None
    assert (lapse.frames, shown_step(session)) == (3, 1200)
    lapse.show(1)
    assert shown_step(session) == 200
    shutil.rmtree(folder)
    assert not lapse.refresh()
    lapse.show(0)
    assert session.notice is not None
    assert shown_step(session) == 200


def test_a_damaged_frame_is_told_and_left_out(session: Session, lapse: TimeLapse, folder: Path) -> None:
    path = folder / "00001200.trace"
    path.write_bytes(path.read_bytes()[:-4])
    lapse.open(TraceSequence.open(folder))
    assert (lapse.frames, lapse.frame) == (3, 200)
    assert session.notice is not None
    assert "00001200.trace" in session.notice.sentence()
    session.set_notice(None)
    (folder / "00000050.trace").write_bytes(b"nothing")
    lapse.refresh()
    assert session.notice is not None
    assert "00000050.trace" in session.notice.sentence()


def test_a_refused_folder_changes_nothing(session: Session, lapse: TimeLapse, folder: Path) -> None:
    lapse.open(TraceSequence.open(folder))
    with pytest.raises(HeadscopeError):
        lapse.open(TraceSequence.open(folder.parent))
    assert (lapse.frames, shown_step(session)) == (4, 1200)


def test_playing(session: Session, lapse: TimeLapse, folder: Path, qtbot: QtBot) -> None:
    lapse.open(TraceSequence.open(folder))
    lapse.set_playing(True)
    assert (lapse.playing, lapse.place) == (True, 0)  # from the end it begins anew
    for place in (1, 2, 3):
        lapse.advance()
        assert lapse.place == place
    lapse.advance()
    assert not lapse.playing
    lapse.set_playing(True)
    session.set_playing(True)  # the steps: one of the two plays
    assert not lapse.playing
    lapse.set_playing(True)
    assert not session.playing
    lapse.set_playing(False)


def test_another_run_in_view_ends_it(session: Session, lapse: TimeLapse, folder: Path) -> None:
    lapse.open(TraceSequence.open(folder))
    lapse.set_playing(True)
    shown = session.run()
    assert shown is not None
    session.add_run(Run("run-1", sample_trace()))
    assert (lapse.sequence, lapse.frames, lapse.place, lapse.playing) == (None, 0, -1, False)
    session.show_run(shown.id)
    assert (lapse.frames, lapse.frame) == (4, 0)  # where the playing had begun


def test_a_saved_session_brings_it_back(
    session: Session, lapse: TimeLapse, folder: Path, tmp_path: Path
) -> None:
    lapse.open(TraceSequence.open(folder))
    session.select(kind=AttentionKind.CROSS, layer=1, head=1, step=2)
    lapse.show(1)
    before = session.selection()
    for name in ("one.headscope", "two.headscope"):
        save_session(tmp_path / name, session.document, session.text, None)
    again, other = Session(), Session()
    opened = TimeLapse(again)
    again.set_document(open_session(tmp_path / "one.headscope").document)
    assert (opened.frames, opened.place, opened.frame) == (4, 1, 100)
    assert again.selection() == before
    opened.show(3)
    assert again.selection() == before
    shutil.rmtree(folder)
    lost = TimeLapse(other)
    other.set_document(open_session(tmp_path / "two.headscope").document)
    assert lost.frames == 0
    trace = other.trace()
    assert trace is not None
    assert "Training step 100." in map_figure(trace, Selection(), other.view).caption


@pytest.fixture
def page(qtbot: QtBot, session: Session) -> Iterator[LookPage]:
    window = QWidget()
    qtbot.addWidget(window)
    page = LookPage(session, Appearance("light"), window)
    for widget in (page, window):
        widget.resize(1200, 760)
    window.show()
    qtbot.waitExposed(window)
    yield page
    window.close()


def test_the_bar_shows_itself_with_a_sequence_only(page: LookPage, session: Session, folder: Path) -> None:
    bar = page.time_lapse_bar
    assert not bar.isVisible()
    session.add_run(Run("run-1", sample_trace()))
    assert not bar.isVisible()
    page.time_lapse.open(TraceSequence.open(folder))
    assert bar.isVisible()
    assert bar.where.text() == "Training step 1,200 (frame 4 of 4)"
    assert (bar.slider.minimum(), bar.slider.maximum(), bar.slider.value()) == (0, 3, 3)
    assert "training step 1,200" in page.panes[0].badges.text()
    session.add_run(Run("run-2", sample_trace()))
    assert not bar.isVisible()


def test_keys_in_the_bar(page: LookPage, session: Session, folder: Path) -> None:
    page.time_lapse.open(TraceSequence.open(folder))
    bar, slider = page.time_lapse_bar, page.time_lapse_bar.slider
    bar.setFocus()
    step = session.selection().step  # type: ignore[union-attr]
    for key, frame in (
        (Qt.Key.Key_Left, 200), (Qt.Key.Key_Home, 0), (Qt.Key.Key_Right, 100), (Qt.Key.Key_Right, 200),
        (Qt.Key.Key_End, 1200),
    ):  # fmt: skip
        QTest.keyClick(slider, key)
        assert shown_step(session) == frame
    assert session.selection().step == step  # type: ignore[union-attr]
    QTest.keyClick(slider, Qt.Key.Key_Space)
    assert page.time_lapse.playing
    QTest.keyClick(slider, Qt.Key.Key_Escape)
    assert not page.time_lapse.playing
    QTest.mouseClick(bar.first, Qt.MouseButton.LeftButton)
    assert shown_step(session) == 0
    QTest.mouseClick(bar.last, Qt.MouseButton.LeftButton)
    assert shown_step(session) == 1200


def test_the_folder_is_watched_while_the_bar_is_seen(
    page: LookPage, session: Session, folder: Path, qtbot: QtBot
) -> None:
    page.time_lapse.open(TraceSequence.open(folder))
    page.time_lapse_bar.follow.click()
    keep(folder, 1300, FRENCH)
    qtbot.waitUntil(lambda: shown_step(session) == 1300, timeout=5000)
    assert page.time_lapse_bar.where.text() == "Training step 1,300 (frame 5 of 5)"


def test_sources_of_other_lengths_are_drawn(page: LookPage, session: Session, folder: Path) -> None:
    short = sample_trace(source=ENGLISH[-2:], target=FRENCH[-2:], seed=7)
    save_trace(short, folder / "00000100.trace", frame=100, frame_kind="training_step")
    page.time_lapse.open(TraceSequence.open(folder))
    session.select(kind=AttentionKind.ENCODER_SELF, layer=1, head=1, query=7, key=7)
    for place in (0, 1, 2, 1):
        page.time_lapse.show(place)
        page.grab()
        assert session.notice is None
    spec = page.panes[0].map.spec
    assert spec is not None
    assert spec.matrix.shape == (2, 2)
