"""Undo and redo of whatever can be done with a session."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from PySide6.QtCore import QObject

from model.trace.trace import AttentionKind
from tests.viewer.fake_source import small_trace
from viewer.document import edits
from viewer.document.document import Document, Run
from viewer.document.history import Change, History
from viewer.document.messages.considered import Considered
from viewer.document.selection import Selection
from viewer.document.session import Session

IDS = ("a", "b", "c", "a~what-if")
run_ids = st.sampled_from(IDS)


def made(run_id: str, steps: int, live: bool = False, **changes: Any) -> Run:
    provenance = {"source": "decoded", **changes.pop("provenance", {})}
    return Run(run_id, small_trace(steps, finished=not live), provenance=provenance, live=live, **changes)


def sound(document: Document) -> None:
    """What every view relies on."""
    ids = [run.id for run in document.runs]
    assert len(set(ids)) == len(ids)
    assert bool(ids) == bool(document.panes)
    assert 0 <= document.active < max(1, len(document.panes)) <= 2
    for pane in document.panes:
        run = document.run(pane.run_id)
        assert run is not None
        assert pane.selection.within(run.trace) == pane.selection
    assert all(mark.pane.run_id in ids for mark in document.bookmarks)
    assert document.pinned in ("", *ids)
    for run in document.runs:
        seen, at = {run.id}, run
        while at.parent is not None:
            assert at.parent in ids
            assert at.parent not in seen
            seen.add(at.parent)
            at = document.run(at.parent) or at


def picture(document: Document) -> dict[str, Any]:
    """All of a document by value; of a run that is made only what does not grow."""
    return {
        "runs": [
            (
                run.id,
                run.parent,
                run.branch_step,
                None if run.live else (run.trace, run.held, run.alterations),
            )
            for run in document.runs
        ],
        "panes": [
            pane if not run.live else replace(pane, selection=pane.selection.but(step=0))
            for pane in document.panes
            if (run := document.run(pane.run_id)) is not None
        ],
        "rest": (document.view, document.active, document.bookmarks, document.pinned),
    }


def same(before: dict[str, Any], document: Document) -> bool:
    """Whether a document is the one that was, what was made then having come to whatever it came to."""
    live = {entry[0] for entry in before["runs"] if entry[3] is None}
    runs = tuple(run.but(live=True) if run.id in live else run for run in document.runs)
    return picture(document.but(runs=runs)) == before


class Doing(RuleBasedStateMachine):
    """A person who does anything at any time, while translations are made."""

    @initialize(recorded=st.booleans())
    def begin(self, recorded: bool) -> None:
        self.session = Session()
        if recorded:
            self.session.add_run(Run("r", small_trace(4), provenance={"source": "recorded"}))
        self.said = 0
        self.origins: dict[str, tuple[str | None, int | None]] = {}
        self.session.history_changed.connect(self._heard)
        self.before: list[dict[str, Any]] = []
        self.left: list[str] = []
        self.session.live_run_left.connect(self.left.append)

    def _heard(self) -> None:
        self.said += 1

    def change(self, intent: Any, *arguments: Any, **keywords: Any) -> None:
        """An intent that can be undone, if it changes anything."""
        session = self.session
        document, was = session.document, picture(session.document)
        steps = session._history.steps[0]
        intent(*arguments, **keywords)
        if edits.differs(document, session.document):
            assert session._history.steps == (steps + 1, 0)
            self.before.append(was)
        else:
            assert session._history.steps[0] == steps

    @rule(
        run_id=run_ids,
        steps=st.integers(0, 4),
        live=st.booleans(),
        parent=st.none() | run_ids,
        keep=st.booleans() | st.just(True),
        pane=st.sampled_from((None, -1, 0, 1)),
    )
    def put(
        self, run_id: str, steps: int, live: bool, parent: str | None, keep: bool, pane: int | None
    ) -> None:
        there = self.session.document.run(run_id)
        if there is not None and there.live:
            return
        if _descends(self.session.document, parent, run_id):
            parent = None
        run = made(run_id, steps, live, parent=parent, branch_step=None if parent is None else 1)
        self.origins[run_id] = (parent, run.branch_step)
        self.change(self.session.put_run, run, keep_others=keep, pane=pane)

    @rule(run_id=run_ids, ends=st.booleans())
    def grow(self, run_id: str, ends: bool) -> None:
        run = self.session.document.run(run_id)
        if run is not None and run.live:
            steps = self.session._history.steps
            longer = small_trace(run.trace.steps + 1, finished=ends)
            # Who makes it remembers where it came from, whatever became of that since.
            origin = self.origins.get(run_id, (run.parent, run.branch_step))
            if not _descends(self.session.document, origin[0], run_id):
                run = run.but(parent=origin[0], branch_step=origin[1])
            before = self.session.document.run(run_id)
            self.session.put_run(run.but(trace=longer, live=not ends))
            after = self.session.document.run(run_id)
            assert before is not None
            assert after is not None
            if self.session.document.run(origin[0] or "") is None:
                assert (after.parent, after.branch_step) == (before.parent, before.branch_step)
            assert self.session._history.steps == steps

    @rule(run_id=run_ids)
    def remove(self, run_id: str) -> None:
        self.change(self.session.remove_run, run_id)

    @rule(run_ids=st.lists(run_ids, max_size=3, unique=True), steps=st.integers(0, 4))
    def open_session(self, run_ids: list[str], steps: int) -> None:
        """One that was saved before: its runs may have the names of those that are here."""
        runs = tuple(
            made(run_id, steps, parent=run_ids[0] if number else None, branch_step=1 if number else None)
            for number, run_id in enumerate(run_ids)
        )
        session = self.session
        was, had = picture(session.document), bool(session.document.runs)
        self.left.clear()
        live = set(self.live())
        session.set_document(Document(runs))
        assert set(self.left) == live
        assert all(not run.live for run in session.document.runs)
        if had:
            self.before.append(was)

    @rule(first=run_ids, second=run_ids, steps=st.integers(0, 3))
    def samples(self, first: str, second: str, steps: int) -> None:
        """Two that are drawn together, the second while the first is still made."""
        there = {run.id for run in self.session.document.runs}
        if first == second or {first, second} & there or not there:
            return
        was, count = picture(self.session.document), len(self.before)
        facts = {"batch": f"{self.session._history.steps}{count}{first}"}
        for run_id in (first, second):
            self.session.put_run(made(run_id, steps, live=True, provenance=facts), pane=-1)
        assert len(self.before) == count
        assert self.session._history.undoable is Change.TRANSLATE
        self.before.append(was)

    @rule(run_id=run_ids, heir=run_ids)
    def keep(self, run_id: str, heir: str) -> None:
        """What keeping a what-if does: another name for a run, all at once with another change."""
        session = self.session
        run = session.document.run(run_id)
        if run is None or run.live:
            return
        was, document = picture(session.document), session.document
        with session.one_change(Change.KEEP):
            session.set_view(importance=not session.view.importance)
            session.remove_run(run_id)
            if heir != run_id and session.document.run(heir) is None:
                session.add_run(run.but(id=heir, parent=None, branch_step=None), pane=-1)
        assert edits.differs(document, session.document)
        self.before.append(was)

    @rule(run_id=run_ids | st.just(""))
    def pin(self, run_id: str) -> None:
        self.change(self.session.pin, run_id)

    @rule(option=st.sampled_from(("sqrt_scale", "raw_pieces")), on=st.booleans())
    def view(self, option: str, on: bool) -> None:
        if self.session.document.runs:
            self.change(self.session.set_view, **{option: on})

    @rule(action=st.sampled_from(("open_second_pane", "close_second_pane", "clear_runs")))
    def panes(self, action: str) -> None:
        self.change(getattr(self.session, action))

    @rule(
        action=st.sampled_from(("add", "remove", "rename", "move")),
        at=st.integers(0, 3),
        to=st.integers(0, 3),
    )
    def bookmark(self, action: str, at: int, to: int) -> None:
        marks = self.session.bookmarks
        arguments = {"add": (), "remove": (at,), "rename": (at, f"name {to}"), "move": (at, to)}[action]
        self.change(getattr(marks, action), *arguments)

    @rule(
        pane=st.integers(0, 1), number=st.integers(-1, 5), run_id=run_ids, kind=st.sampled_from(AttentionKind)
    )
    def move_about(self, pane: int, number: int, run_id: str, kind: AttentionKind) -> None:
        steps = self.session._history.steps
        self.session.show_run(run_id, pane)
        self.session.select(pane, kind=kind, layer=number, head=number, step=number, query=number, key=number)
        self.session.activate_pane(pane)
        self.session.bookmarks.show(number)
        assert self.session._history.steps == steps

    def live(self) -> dict[str, Run]:
        return {run.id: run for run in self.session.document.runs if run.live}

    def gone_through(self, step: Any) -> None:
        """Undo or redo: what is made goes on or is said to leave; nothing is made that was not."""
        before = self.live()
        self.left.clear()
        step()
        after = self.live()
        assert all(run.trace is before[name].trace for name, run in after.items())
        assert sorted(self.left) == sorted(before.keys() - after.keys())
        for run in self.session.document.runs:
            if run.id in before and run.trace is before[run.id].trace:
                assert run.live or run.cancelled

    @rule()
    @precondition(lambda self: self.before)
    def undo(self) -> None:
        assert self.session.can_undo()
        assert self.session.undo_name
        self.gone_through(self.session.undo)
        assert same(self.before.pop(), self.session.document)

    @rule()
    def redo(self) -> None:
        could = self.session.can_redo()
        was = picture(self.session.document)
        self.gone_through(self.session.redo)
        if could:
            self.before.append(was)

    @invariant()
    def holds(self) -> None:
        if not hasattr(self, "session"):
            return
        sound(self.session.document)
        assert self.session.can_undo() == bool(self.before)

    def teardown(self) -> None:
        """All the way forth, back to the beginning, and forth again."""
        if not hasattr(self, "session"):
            return
        session = self.session
        while session.can_redo():
            self.redo()
        last = picture(session.document)
        while self.before:
            self.undo()
            sound(session.document)
        assert not session.can_undo()
        while session.can_redo():
            self.redo()
            sound(session.document)
        assert same(last, session.document)


def _descends(document: Document, run_id: str | None, ancestor: str) -> bool:
    while run_id is not None:
        if run_id == ancestor:
            return True
        run = document.run(run_id)
        run_id = None if run is None else run.parent
    return False


TestDoing = Doing.TestCase
TestDoing.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)


@pytest.fixture
def session() -> Session:
    session = Session()
    session.add_run(Run("r", small_trace(5), provenance={"source": "recorded"}))
    return session


def ids(session: Session) -> list[str]:
    return [run.id for run in session.document.runs]


def test_the_example_a_window_opens_on_is_where_everything_begins(session: Session) -> None:
    session.set_step(1)
    session.select_kind(AttentionKind.DECODER_SELF)
    assert not session.can_undo()
    assert not session.can_redo()
    assert session.undo_name == session.redo_name == ""
    fresh = Session()
    fresh.set_view(sqrt_scale=True)
    assert not fresh.can_undo()


def test_panes_come_back_as_they_were_before_the_change(session: Session) -> None:
    session.set_step(2)
    session.set_crosshair(2, 1)
    before = session.document.panes
    session.add_run(made("b", 3, parent="r", branch_step=1))
    session.set_step(0)
    assert session.undo_name == "branch"
    after = session.document.panes
    session.undo()
    assert session.document.panes == before
    assert (session.undo_name, session.redo_name) == ("", "branch")
    session.redo()
    assert session.document.panes == after
    assert ids(session) == ["r", "b"]


@pytest.mark.parametrize(
    ("run", "change"),
    [
        (made("x", 2), Change.TRANSLATE),
        (made("x", 2, branch_step=0), Change.BRANCH),
        (made("x", 2, provenance={"sample": 1}), Change.SAMPLE),
        (made("x", 2, provenance={"source": "hypothesis"}), Change.HYPOTHESIS),
        (made("x", 2, alterations=({"type": "block", "token": 0},)), Change.ALTER),
        (made("x", 2).but(trace=replace(small_trace(2), decoding={"mode": "forced"})), Change.FORCE),
        (made("x", 2, provenance={"source": "file"}), Change.OPEN),
    ],
)
def test_what_was_added_has_its_name(session: Session, run: Run, change: Change) -> None:
    session.add_run(made("r2", 4))
    session.add_run(run.but(parent="r2") if run.branch_step is not None else run)
    assert session._history.undoable is change
    assert session.undo_name


def test_an_altered_run_comes_back_as_it_was(session: Session) -> None:
    first = made("r~what-if", 4, parent="r", alterations=({"type": "block", "token": 0},))
    second = first.but(trace=small_trace(2), alterations=({"type": "block", "token": 1},))
    session.put_run(first, pane=1)
    session.put_run(second.but(live=True, trace=small_trace(1)), pane=1)
    session.put_run(second, pane=1)
    assert [pane.run_id for pane in session.document.panes] == ["r", "r~what-if"]
    session.undo()
    assert session.document.run("r~what-if") is first
    session.redo()
    assert session.document.run("r~what-if") is second
    session.undo()
    session.undo()
    assert ids(session) == ["r"]
    assert len(session.document.panes) == 1


def test_a_branch_of_an_altered_run_that_changes_goes_to_its_parent(session: Session) -> None:
    altered = made("r~what-if", 4, parent="r", alterations=({"type": "block", "token": 0},))
    session.put_run(altered)
    session.add_run(made("b", 3, parent="r~what-if", branch_step=2))
    session.put_run(altered.but(trace=small_trace(2)))
    assert session.document.run("b").parent == "r"  # type: ignore[union-attr]
    session.undo()
    assert session.document.run("b").parent == "r~what-if"  # type: ignore[union-attr]


def test_a_run_that_is_made_goes_and_comes_back_as_what_it_had_come_to(session: Session) -> None:
    left: list[str] = []
    session.live_run_left.connect(left.append)
    session.put_run(made("b", 1, live=True))
    session.put_run(made("b", 3, live=True))
    session.undo()
    assert (ids(session), left) == (["r"], ["b"])
    session.redo()
    run = session.document.run("b")
    assert run is not None
    assert (run.trace.steps, run.live, run.cancelled) == (3, False, True)
    assert left == ["b"]


def test_a_run_goes_on_growing_while_something_else_is_undone(session: Session) -> None:
    session.put_run(made("b", 1, live=True))
    session.set_view(sqrt_scale=True)
    session.put_run(made("b", 2, live=True))
    session.undo()
    run, selection = session.run(), session.selection()
    assert run is not None
    assert selection is not None
    assert (run.trace.steps, run.live, selection.step) == (2, True, 1)
    session.put_run(made("b", 4))
    session.redo()
    run = session.run()
    assert run is not None
    assert (run.trace.steps, run.live, run.cancelled) == (4, False, False)
    assert session.view.sqrt_scale


def test_a_deleted_run_comes_back_with_its_children(session: Session) -> None:
    session.add_run(made("b", 5, parent="r", branch_step=1))
    session.add_run(made("c", 5, parent="b", branch_step=3, live=True))
    session.bookmarks.add("here")
    session.pin("b")
    session.show_run("b")
    session.remove_run("b")
    assert session.document.run("c").parent == "r"  # type: ignore[union-attr]
    assert session.document.pinned == ""
    session.put_run(made("c", 6, parent="b", branch_step=3))
    assert session.document.run("c").parent == "r"  # type: ignore[union-attr]
    session.undo()
    child = session.document.run("c")
    assert child is not None
    assert (child.parent, child.branch_step, child.trace.steps, child.live) == ("b", 3, 6, False)
    assert session.document.pinned == "b"
    assert session.pane().run_id == "b"  # type: ignore[union-attr]


def test_where_an_orphan_left_its_grandparent_is_found_by_its_tokens(session: Session) -> None:
    out = small_trace(5)
    other = replace(out, tgt_out_ids=out.tgt_out_ids + (out.tgt_out_ids > 2) * 7)
    session.add_run(made("b", 5, parent="r", branch_step=4))
    session.add_run(made("c", 5, parent="b", branch_step=4).but(trace=other))
    session.remove_run("b")
    child = session.document.run("c")
    assert child is not None
    # Token ids 1 2 3 4 5 against 1 2 10 11 12.
    assert (child.parent, child.branch_step) == ("r", 2)


def test_changes_that_belong_together_are_one_step(session: Session) -> None:
    with session.one_change(Change.ALTER):
        session.add_run(made("b", 2), pane=1)
        with session.one_change(Change.DELETE):
            session.set_view(sqrt_scale=True)
            session.bookmarks.add("b")
    assert session.undo_name == "what-if"
    session.undo()
    assert (ids(session), session.view.sqrt_scale, session.document.bookmarks) == (["r"], False, ())
    assert not session.can_undo()
    session.redo()
    assert (ids(session), session.view.sqrt_scale) == (["r", "b"], True)
    with session.one_change(Change.ALTER):
        session.set_step(1)
    session.undo()
    assert not session.can_undo()


def test_samples_drawn_together_go_together(session: Session) -> None:
    for number in range(4):
        facts = {"sample": number, "batch": "one" if number < 3 else "two"}
        session.put_run(made(f"s{number}", 1, live=True, provenance=facts), pane=-1)
        session.put_run(made(f"s{number}", 2, provenance=facts))
    session.undo()
    assert ids(session) == ["r", "s0", "s1", "s2"]
    session.undo()
    assert ids(session) == ["r"]
    assert not session.can_undo()


def test_what_was_there_before_a_session_was_opened_comes_back(session: Session) -> None:
    session.add_run(made("b", 2, live=True))
    left: list[str] = []
    session.live_run_left.connect(left.append)
    session.undo()
    session.add_run(made("b", 2, live=True))
    session.bookmarks.add("here")
    # A session that was saved here earlier: its run of the same id is another state of it.
    session.set_document(Document((made("x", 2), made("b", 4))))
    assert left == ["b", "b"]
    assert (ids(session), session.undo_name, session.can_redo()) == (["x", "b"], "opening", False)
    session.undo()
    run = session.document.run("b")
    assert run is not None
    assert (ids(session), run.trace.steps, run.live, run.cancelled) == (["r", "b"], 2, False, True)
    assert [mark.name for mark in session.document.bookmarks] == ["here"]
    session.redo()
    run = session.document.run("b")
    assert run is not None
    assert (ids(session), run.trace.steps, run.cancelled) == (["x", "b"], 4, False)


def test_a_session_in_an_empty_window_is_where_everything_begins() -> None:
    session = Session()
    session.set_document(Document((made("x", 2),)))
    assert not session.can_undo()


def test_what_a_wide_search_considered_counts(session: Session) -> None:
    found = tuple(Considered(number, None, 0, 5, "a", -1.0, -1.0, -1.0, "pruned") for number in range(1000))
    run = made("b", 2, search=found)
    assert edits.run_bytes(run) > edits.weight_bytes(run.trace) + 100_000
    history = History(most_bytes=150_000)
    before = Document((run,))
    history.take(Document(), before, Change.TRANSLATE)
    history.take(before, Document((made("c", 2),)), Change.TRANSLATE)
    assert history.steps[0] == 0  # the way back to it is longer than what may be held
    documents = Document((run, made("c", 2), made("d", 2)))
    assert [left.id for left in edits.trimmed(documents, most_bytes=150_000).runs] == ["c", "d"]


def test_a_new_change_forgets_what_was_undone_and_each_is_said(session: Session) -> None:
    said: list[tuple[str, str]] = []

    class Ear(QObject):
        def hear(self) -> None:
            said.append((session.undo_name, session.redo_name))

    ear = Ear()
    session.history_changed.connect(ear.hear)
    session.add_run(made("b", 2))
    session.set_step(0)
    session.undo()
    session.set_view(sqrt_scale=True)
    session.redo()
    assert said == [("translation", ""), ("", "translation"), ("view option", "")]


def test_no_more_steps_and_bytes_are_held_than_allowed() -> None:
    history, document = History(most_steps=3), Document()
    for number in range(6):
        after = document.but(pinned=str(number))
        history.take(document, after, Change.PIN)
        document = after
    assert history.steps == (3, 0)
    # 2 families [2, 3, 4, 4] and [2, 3, 4, 3] and one [3, 3, 3, 3], of 4 bytes.
    size = 4 * (2 * 3 * 4 * 4 + 2 * 3 * 4 * 3 + 3 * 3 * 3 * 3)
    assert edits.weight_bytes(small_trace(4)) == size
    history, document = History(most_bytes=2 * size), Document()
    for number in range(5):
        after = Document((made(f"{number}", 4),))
        history.take(document, after, Change.TRANSLATE)
        document = after
    # Two runs besides the one in the document: steps back to 3 and to 2.
    assert history.steps == (2, 0)


def test_a_document_lets_its_oldest_runs_go_that_nothing_needs(session: Session) -> None:
    for name in "abcdef":
        session.add_run(made(name, 4, parent="c" if name == "e" else None), pane=-1)
    session.pin("a")
    document = session.document
    assert edits.trimmed(document, most_runs=7) is document
    left = edits.trimmed(document, keep=("f",), most_runs=1)
    # The one in view, the pinned one, the newest; c, a parent, goes after its child.
    assert [run.id for run in left.runs] == ["r", "a", "f"]
    assert [run.id for run in edits.trimmed(document, most_runs=5).runs] == ["r", "a", "c", "e", "f"]
    size = edits.weight_bytes(small_trace(4))
    total = edits.weight_bytes(small_trace(5)) + 6 * size
    assert len(edits.trimmed(document, most_bytes=total - size).runs) == 6


def test_who_translates_for_hours_is_told_once(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        edits, "trimmed", lambda document, keep, most_bytes: trimmed(document, keep, most_runs=3)
    )
    for number in range(3):
        session.add_run(made(f"{number}", 2))
        session.set_notice(None) if number < 2 else None
    assert ids(session) == ["0", "1", "2"]
    assert session.notice is not None
    assert session.notice.code == "runs_trimmed"
    session.set_notice(None)
    session.add_run(made("3", 2))
    assert ids(session) == ["1", "2", "3"]
    assert session.notice is None
    while session.can_undo():
        session.undo()
        sound(session.document)
        assert "0" not in ids(session)


trimmed = edits.trimmed


def test_a_second_pane_can_be_undone(session: Session) -> None:
    session.open_second_pane(Selection(AttentionKind.DECODER_SELF, 1, 1, 2))
    session.close_second_pane()
    session.undo()
    assert session.pane(1).selection.kind is AttentionKind.DECODER_SELF  # type: ignore[union-attr]
    assert session.active == 1
    session.undo()
    assert session.pane(1) is None
