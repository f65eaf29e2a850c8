"""The session: what its intents change, and that each change is said once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind
from tests.viewer.fake_source import HEADS, small_info, small_trace
from viewer.document.decoding_settings import DecodingSettings
from viewer.document.document import Document, Pane, Run, ViewOptions
from viewer.document.job_status import JobStatus
from viewer.document.messages.messages import PiecesSplit
from viewer.document.messages.notice import Notice
from viewer.document.selection import Numbers, Selection
from viewer.document.session import Session

ENCODER, DECODER, CROSS = AttentionKind
PLAIN = ("runs", "panes", "view", "document", "model", "text", "pieces", "job", "notice", "playing")


class Ear(QObject):
    """Writes down what a session says: `pane 0`, `run a`, `panes`, `document`, ..."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.said: list[str] = []
        for name in PLAIN:
            getattr(session, f"{name}_changed").connect(lambda name=name: self.said.append(name))
        session.pane_changed.connect(lambda index: self.said.append(f"pane {index}"))
        session.run_grew.connect(lambda run: self.said.append(f"run {run}"))

    def take(self) -> list[str]:
        said, self.said = self.said, []
        return said


@pytest.fixture
def session() -> Session:
    session = Session()
    session.add_run(Run("a", small_trace(5)))
    return session


@pytest.fixture
def ear(session: Session) -> Ear:
    return Ear(session)


def chosen(session: Session, pane: int | None = None) -> Selection:
    selection = session.selection(pane)
    assert selection is not None
    return selection


def test_an_empty_session_shows_nothing_and_bears_every_intent() -> None:
    session = Session()
    ear = Ear(session)
    session.select_kind(CROSS)
    session.select_head(1, 1)
    session.move_head(1, 1)
    session.toggle_mean()
    session.step_by(1)
    session.last_step()
    session.set_crosshair(0, 0)
    session.open_second_pane()
    session.close_second_pane()
    session.activate_pane(1)
    session.remove_run("a")
    session.show_run("a")
    session.replace_run(Run("a", small_trace(1)))
    session.set_playing(True)
    assert ear.take() == []
    assert session.pane() is session.run() is session.trace() is session.selection() is None
    assert session.at_end()
    assert not session.has_steps()


def test_the_first_run_is_shown_on_the_models_telling_head() -> None:
    session = Session()
    session.set_model(small_info())
    ear = Ear(session)
    session.add_run(Run("a", small_trace(5)))
    assert chosen(session) == Selection(CROSS, 1, 2, 2)
    assert ear.take() == ["runs", "panes", "pane 0", "document"]


def test_a_selection_can_be_given_with_a_run(session: Session) -> None:
    session.add_run(Run("b", small_trace(5)), Selection(DECODER, 1, 1, 3))
    assert chosen(session) == Selection(DECODER, 1, 1, 3)
    fresh = Session()
    fresh.add_run(Run("b", small_trace(5)), Selection(DECODER, 0, 99, 3))
    assert chosen(fresh) == Selection(DECODER, 0, HEADS - 1, 3)


def test_the_next_run_is_looked_at_in_the_same_way(session: Session) -> None:
    session.select(kind=DECODER, layer=1, head=0, step=4)
    session.add_run(Run("b", small_trace(3)))
    assert session.run().id == "b"  # type: ignore[union-attr]
    assert chosen(session) == Selection(DECODER, 1, 0, 2)
    assert [run.id for run in session.document.runs] == ["a", "b"]


def test_the_live_translation_of_the_recorded_example_makes_no_jump(session: Session) -> None:
    session.select(step=3, query=3, key=1)
    before = chosen(session)
    session.add_run(Run("b", small_trace(5)))
    assert chosen(session) == before


def test_a_crosshair_does_not_move_to_another_sentences_tokens(session: Session) -> None:
    session.select(step=3, query=3, key=1)
    session.add_run(Run("b", small_trace(5, source=("▁x", "▁y", "</s>"))))
    assert (chosen(session).query, chosen(session).key) == (None, None)


def test_a_run_takes_the_place_of_an_ended_one_of_its_id(session: Session) -> None:
    session.add_run(Run("b", small_trace(3)))
    session.put_run(Run("a", small_trace(0), live=True))
    assert [run.id for run in session.document.runs] == ["a", "b"]
    session.put_run(Run("a", small_trace(1), live=True))
    assert chosen(session).step == 0
    session.put_run(Run("a", small_trace(2)))
    assert chosen(session).step == 1


def test_only_the_newest_run_is_kept_when_asked(session: Session, ear: Ear) -> None:
    session.add_run(Run("b", small_trace(5)), keep_others=False)
    assert [run.id for run in session.document.runs] == ["b"]
    assert ear.take() == ["runs", "pane 0", "document"]


def test_a_growing_run_is_followed(session: Session, ear: Ear) -> None:
    session.put_run(Run("b", small_trace(0), live=True))
    assert chosen(session).step == -1
    ear.take()
    for steps in (1, 2, 3):
        session.put_run(Run("b", small_trace(steps), live=True))
        assert chosen(session).step == steps - 1
        assert ear.take() == ["run b", "pane 0", "document"]
    session.put_run(Run("b", small_trace(3), live=False))
    assert ear.take() == ["run b", "document"]
    assert chosen(session).step == 2


def test_who_steps_back_is_left_alone_until_they_return(session: Session, ear: Ear) -> None:
    session.put_run(Run("b", small_trace(3), live=True))
    session.step_by(-1)
    ear.take()
    session.put_run(Run("b", small_trace(4), live=True))
    assert chosen(session).step == 1
    assert ear.take() == ["run b", "document"]
    session.last_step()
    session.put_run(Run("b", small_trace(5), live=True))
    assert chosen(session).step == 4


def test_a_finished_run_is_not_followed(session: Session) -> None:
    session.last_step()
    session.replace_run(Run("a", small_trace(6)))
    assert chosen(session).step == 4


def test_each_pane_follows_for_itself(session: Session) -> None:
    session.put_run(Run("b", small_trace(2), live=True))
    session.open_second_pane(Selection(DECODER, 0, 0, 1))
    session.set_step(0, 0)
    session.put_run(Run("b", small_trace(3), live=True))
    assert (chosen(session, 0).step, chosen(session, 1).step) == (0, 2)


def test_every_intent_changes_one_pane_and_says_so_once(session: Session, ear: Ear) -> None:
    session.open_second_pane()
    ear.take()
    intents = [
        lambda: session.select_kind(ENCODER),
        lambda: session.select_layer(0),
        lambda: session.select_head(1, 0),
        lambda: session.select_mean(),
        lambda: session.move_head(1, 1),
        lambda: session.first_step(),
        lambda: session.step_by(2),
        lambda: session.set_crosshair(1, 2),
        lambda: session.select(kind=DECODER, layer=0, head=1, step=3, query=3, key=0),
    ]
    other = chosen(session, 0)
    for number, intent in enumerate(intents):
        intent()
        assert ear.take() == ["pane 1", "document"], number
        intent() if number not in (4, 6) else None
        assert ear.take() == [], number
    assert chosen(session, 0) == other
    assert chosen(session) == Selection(DECODER, 0, 1, 3, 3, 0)


def test_a_turn_to_another_head_or_cell_is_no_move(session: Session) -> None:
    moved: list[int] = []
    session.pane_moved.connect(moved.append)
    session.select_kind(ENCODER)
    session.select_kind(CROSS)
    session.first_step()
    assert moved == [0, 0, 0]
    for turn in (
        lambda: session.select_layer(0),
        lambda: session.select_head(1, 0),
        lambda: session.select_mean(),
        lambda: session.set_crosshair(1, 2),
        lambda: session.select(head=0, more_heads=(1,)),
    ):
        before = chosen(session)
        turn()
        assert chosen(session) != before
        assert moved == [0, 0, 0]
    session.open_second_pane()
    session.select(numbers=Numbers.ROLLOUT)
    session.select(layer=1, step=2)
    assert moved == [0, 0, 0, 1, 1, 1]
    session.add_run(Run("b", small_trace(5)))
    shown = [pane.run_id for pane in session.document.panes]
    assert moved[6:] == [index for index, run in enumerate(shown) if run == "b"] != []


def test_another_familys_map_has_no_crosshair_yet(session: Session) -> None:
    session.set_crosshair(1, 1)
    session.select_kind(DECODER)
    assert (chosen(session).query, chosen(session).key) == (None, None)
    session.select(kind=CROSS, query=2, key=2)
    assert (chosen(session).query, chosen(session).key) == (2, 2)


def test_a_crosshair_outside_of_the_map_is_away(session: Session) -> None:
    session.set_crosshair(1, 1)
    session.set_crosshair(1, 3)
    assert chosen(session).key is None
    session.set_crosshair(1, 1)
    session.set_crosshair(None, None)
    assert chosen(session).query is None


def test_the_mean_and_back_to_the_same_head(session: Session) -> None:
    session.select_head(1, 1)
    session.toggle_mean()
    assert chosen(session).head is None
    session.select_layer(0)
    session.toggle_mean()
    assert (chosen(session).layer, chosen(session).head) == (0, 1)


@pytest.mark.parametrize(
    ("start", "move", "end"),
    [
        ((0, 0), (1, 1), (1, 1)),
        ((1, 2), (1, 1), (1, 2)),
        ((0, 0), (-1, -1), (0, 0)),
        ((0, None), (1, 0), (1, None)),
        ((0, None), (0, 1), (0, 0)),
        ((0, None), (0, -1), (0, 2)),
    ],
)
def test_moving_among_heads(session: Session, start: Any, move: Any, end: Any) -> None:
    session.select_head(*start)
    session.move_head(*move)
    assert (chosen(session).layer, chosen(session).head) == end


def test_steps_are_clamped_and_survive_a_look_at_the_encoder(session: Session) -> None:
    session.set_step(3)
    session.select_kind(ENCODER)
    assert not session.has_steps()
    session.select_kind(CROSS)
    assert session.has_steps()
    assert chosen(session).step == 3
    session.step_by(99)
    assert chosen(session).step == 4
    assert session.at_end()
    session.step_by(-99)
    assert chosen(session).step == 0
    assert not session.at_end()


def test_a_second_pane_comes_and_goes(session: Session, ear: Ear) -> None:
    session.open_second_pane()
    assert ear.take() == ["panes", "pane 1", "document"]
    assert chosen(session, 1) == chosen(session, 0)
    assert session.active == 1
    session.open_second_pane()
    session.activate_pane(1)
    session.activate_pane(7)
    assert ear.take() == []
    session.activate_pane(0)
    assert ear.take() == ["panes", "document"]
    session.select_kind(DECODER, 1)
    assert ear.take() == ["pane 1", "document"]
    session.close_second_pane()
    assert ear.take() == ["panes", "document"]
    assert session.pane(1) is None
    assert session.active == 0


def test_removing_a_run_shows_its_parent_or_the_newest(session: Session, ear: Ear) -> None:
    session.add_run(Run("b", small_trace(5), parent="a"))
    session.add_run(Run("c", small_trace(4), parent="b"))
    ear.take()
    session.show_run("b")
    assert ear.take() == ["pane 0", "document"]
    session.remove_run("b")
    assert ear.take() == ["runs", "run c", "pane 0", "document"]
    assert session.run().id == "a"  # type: ignore[union-attr]
    assert session.document.run("c").parent == "a"  # type: ignore[union-attr]
    session.remove_run("a")
    assert session.run().id == "c"  # type: ignore[union-attr]
    session.remove_run("c")
    assert session.document.panes == ()
    assert session.pane() is None


def test_clearing_stops_the_play(session: Session) -> None:
    session.set_playing(True)
    session.clear_runs()
    assert not session.playing
    assert session.document.runs == ()


def test_a_whole_document_is_taken_and_made_sound(session: Session, ear: Ear) -> None:
    before = session.document
    wild = Document(
        runs=(Run("x", small_trace(2)),),
        panes=(Pane("gone", Selection()), Pane("x", Selection(CROSS, 9, 9, 9))),
        view=ViewOptions(sqrt_scale=True),
        active=5,
    )
    session.set_document(wild, "two words")
    assert session.document.panes == (Pane("x", Selection(CROSS, 1, 2, 1)),)
    assert session.active == 0
    assert ear.take() == ["runs", "pane 0", "view", "document", "text"]
    # Undo is taking the document that was.
    session.set_document(before)
    assert session.document.panes == before.panes
    assert session.document.runs == before.runs


def test_view_options_are_said_once(session: Session, ear: Ear) -> None:
    session.set_view(sqrt_scale=True)
    session.set_view(sqrt_scale=True)
    assert ear.take() == ["view", "document"]
    assert session.view == ViewOptions(sqrt_scale=True)


def test_what_surrounds_the_document_is_said_once(session: Session, ear: Ear) -> None:
    info, job, notice = (
        small_info(),
        JobStatus("decoding", 3, cancellable=True),
        Notice("no_model", {}, "error"),
    )
    for _ in range(2):
        session.set_model(info)
        session.set_text("a b")
        session.set_pieces(PiecesSplit(1, "a b", ("▁a", "▁b"), 3, 100))
        session.set_job(job)
        session.set_notice(notice)
        session.set_playing(True)
    assert ear.take() == ["model", "text", "pieces", "job", "notice", "playing"]
    assert (session.job.busy, JobStatus().busy) == (True, False)
    session.set_notice(None)
    assert ear.take() == ["notice"]


def test_pieces_belong_to_the_text_and_the_model(session: Session, ear: Ear) -> None:
    session.set_text("new")
    session.set_pieces(PiecesSplit(1, "old", ("▁old",), 2, 100))
    assert session.pieces is None
    session.set_pieces(PiecesSplit(2, "new", ("▁new",), 2, 100))
    assert session.pieces is not None
    session.set_text("newer")
    assert session.pieces is None
    session.set_pieces(PiecesSplit(3, "newer", ("▁newer",), 2, 100))
    session.set_model(small_info())
    assert session.pieces is None


actions = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.sampled_from("abc"), st.integers(0, 4), st.booleans()),
        st.tuples(st.just("remove"), st.sampled_from("abc")),
        st.tuples(st.just("show"), st.sampled_from("abc"), st.integers(-1, 2)),
        st.tuples(st.just("select"), st.integers(-1, 2), st.sampled_from(AttentionKind), st.integers(-2, 6)),
        st.tuples(st.sampled_from(["open", "close", "mean"])),
    ),
    max_size=25,
)


@settings(max_examples=60)
@given(actions)
def test_whatever_is_done_the_panes_show_what_is_there(steps: list[Any]) -> None:
    session = Session()
    for name, *arguments in steps:
        if name == "put":
            run_id, length, live = arguments
            session.put_run(Run(run_id, small_trace(length, finished=not live), live=live))
        elif name == "remove":
            session.remove_run(*arguments)
        elif name == "show":
            session.show_run(*arguments)
        elif name == "select":
            pane, kind, number = arguments
            session.select(pane, kind=kind, layer=number, head=number, step=number, query=number, key=number)
        elif name == "mean":
            session.toggle_mean()
        else:
            session.open_second_pane() if name == "open" else session.close_second_pane()
        document = session.document
        assert bool(document.runs) == bool(document.panes)
        assert 0 <= document.active < max(1, len(document.panes))
        for pane in document.panes:
            run = document.run(pane.run_id)
            assert run is not None
            assert pane.selection.within(run.trace) == pane.selection


def test_a_slot_may_call_intents(session: Session, qtbot: QtBot) -> None:
    class Linked(QObject):
        """The second pane looks at the same layer as the first."""

        def follow(self, index: int) -> None:
            if index == 0:
                session.select_layer(chosen(session, 0).layer, 1)

    linked = Linked()
    session.open_second_pane()
    session.pane_changed.connect(linked.follow)
    session.select_layer(0, 0)
    assert chosen(session, 1).layer == 0


def test_a_run_copies_with_changes() -> None:
    run = Run("a", small_trace(1), provenance={"source": "file"})
    assert run.but(live=True).provenance == run.provenance
    assert replace(run, id="b").trace is run.trace


def test_stepping_goes_through_the_rounds_of_a_run_that_has_them() -> None:
    """First, last, on and back; beyond the ends nothing; a run without rounds steps as ever."""
    rounds = tuple(
        replace(small_trace(5), extra={"frame_kind": "round", "frame": str(number)}) for number in (1, 2, 3)
    )
    session = Session()
    session.add_run(Run("r", rounds[-1], rounds=rounds))
    step = session.selection().step  # type: ignore[union-attr]
    assert session.at_end()
    seen = []
    for go in (
        session.first_step,
        lambda: session.step_by(1),
        lambda: session.step_by(5),
        lambda: session.step_by(-1),
        session.last_step,
    ):
        go()
        run = session.run()
        assert run is not None
        seen.append((run.trace.frame, session.at_end()))
        assert len(run.rounds) == 3
    assert seen == [(1, False), (2, False), (3, True), (2, False), (3, True)]
    assert session.selection().step == step  # type: ignore[union-attr]


def test_the_number_of_rounds_is_remembered() -> None:
    chosen = DecodingSettings(rounds=8)
    assert DecodingSettings.from_bytes(chosen.to_bytes()) == chosen
    earlier = b'{"decoding": {"mode": "greedy"}, "samples": 1, "pace": 0}'
    assert DecodingSettings.from_bytes(earlier) == DecodingSettings()
    assert DecodingSettings.from_bytes(chosen.to_bytes().replace(b"8", b"7")) is None
    session = Session()
    session.set_rounds(2)
    assert session.decoding.rounds == 2


def test_of_another_document_with_the_same_ids_only_runs_in_view_are_told_one_by_one(
    session: Session, ear: Ear
) -> None:
    session.add_run(Run("b", small_trace(5)))
    first = session.document
    ear.take()
    session.set_document(first.but(runs=tuple(Run(run.id, small_trace(4)) for run in first.runs)))
    assert [what for what in ear.take() if what.startswith("run")] == ["runs", "run b"]
    session.undo()
    assert session.document.runs == first.runs
    assert [what for what in ear.take() if what.startswith("run")] == ["runs", "run b"]

    session.edit(first.but(runs=tuple(run.but(trace=small_trace(3)) for run in first.runs)))
    assert [what for what in ear.take() if what.startswith("run")] == ["run a", "run b"]
