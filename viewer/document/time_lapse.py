"""The time-lapse in view: a sequence of traces behind one run. QtCore only."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from model.errors import HeadscopeError
from model.trace.trace import FrameKind, Trace
from model.trace.trace_sequence import TraceSequence
from viewer.document.document import Run
from viewer.document.messages.notice import Notice
from viewer.document.run_source import RunSource
from viewer.document.selection import Selection
from viewer.document.session import Session

LOOK_EVERY_MS = 1000
PLAY_EVERY_MS = 125
_END = 1 << 30  # beyond any step: the last one, however many a frame has


class TimeLapse(QObject):
    """Scrubs through a sequence: the run's trace is replaced, what is looked at in it stays.

    It follows the session: the sequence is open as long as the active pane shows the run of one, which a
    saved session may have brought along.

    Signals:
        changed: any property below.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._sequence: TraceSequence | None = None
        self._asked = self._run_id = ""  # the run in view and its folder, opened or not
        self._following = False
        self._watched = False
        self._wanted: dict[int, tuple[Selection, Selection]] = {}
        self._frames: dict[tuple[str, int], Run] = {}  # those that the user gave something to
        self._play = self._timer(PLAY_EVERY_MS, self.advance)
        self._look = self._timer(LOOK_EVERY_MS, self.refresh)
        session.panes_changed.connect(self._follow_session)
        session.runs_changed.connect(self._follow_session)
        session.pane_changed.connect(self._follow_session)
        session.playing_changed.connect(self._steps_play)

    def _timer(self, interval_ms: int, slot: Callable[[], object]) -> QTimer:
        timer = QTimer(self)
        timer.setInterval(interval_ms)
        timer.timeout.connect(slot)
        return timer

    # What is held.

    @property
    def sequence(self) -> TraceSequence | None:
        """The sequence of the active pane's frame; None when it shows none, or its folder is gone."""
        return self._sequence

    @property
    def frames(self) -> int:
        """How many frames there are; 0 without a sequence."""
        return 0 if self._sequence is None else len(self._sequence)

    @property
    def frame(self) -> int:
        """The number of the frame in view, such as the training step; -1 without a sequence."""
        run = None if self._sequence is None else self._session.document.run(self._run_id)
        return -1 if run is None else _number(run)

    @property
    def kind(self) -> FrameKind:
        """What the frames' numbers count."""
        return "training_step" if self._sequence is None else self._sequence.kind

    @property
    def place(self) -> int:
        """The place in the sequence, from 0, of the frame in view; -1 without a sequence."""
        if self._sequence is None or not len(self._sequence):
            return -1
        return self._sequence.place(self.frame)

    @property
    def playing(self) -> bool:
        """Whether the frames advance by themselves."""
        return self._play.isActive()

    @property
    def following(self) -> bool:
        """Whether the newest frame is shown as soon as it is there."""
        return self._following

    # What the user may ask.

    def open(self, sequence: TraceSequence) -> None:
        """Show the last frame of a sequence, as a run beside all that is there; opened anew, it is that run.

        Raises:
            HeadscopeError: no frame of it can be read; what was in view stays.
        """
        place, trace = last_whole(sequence)
        run = _run(self._id_of(sequence), sequence, place, trace)
        self._take(None)
        self._asked, self._run_id, self._following = str(sequence.folder), run.id, False
        self._sequence = sequence
        # At its last step, where a map is whole; else what was looked at stays.
        before = self._session.selection() or Selection.opening(None, trace)
        selection = before.but(step=trace.steps - 1, query=None, key=None).within(trace)
        self._session.add_run(run, selection)
        self._session.set_text(trace.src_text)
        if sequence.damaged:
            self._session.set_notice(Notice.of(sequence.damaged[0], "warning"))
        self._keep_watch()
        self.changed.emit()

    def show(self, place: int) -> None:
        """Show a frame by its place; beyond the ends, the first or the last."""
        sequence = self._sequence
        if sequence is None or not len(sequence):
            return
        place = min(max(0, place), len(sequence) - 1)
        if sequence.numbers[place] == self.frame:
            return
        try:
            trace = sequence.frame(place)
        except HeadscopeError as error:
            self.set_playing(False)
            if not self.refresh():  # gone meanwhile is no fault
                self._session.set_notice(Notice.of(error))
                self.changed.emit()
            return
        self._following = self._following and place == len(sequence) - 1
        self._put(_run(self._run_id, sequence, place, trace))
        self.changed.emit()

    def step_by(self, frames: int) -> None:
        """Go some frames on, or back."""
        self.show(self.place + frames)

    def first(self) -> None:
        """Go to the first frame."""
        self.show(0)

    def last(self) -> None:
        """Go to the newest frame."""
        self.show(self.frames - 1)

    def set_playing(self, playing: bool) -> None:
        """Start or stop advancing by itself; at the end it begins anew."""
        playing = playing and self.frames > 1
        if playing == self.playing:
            return
        if playing:
            self._session.set_playing(False)
            self._following = False
            if self.place == self.frames - 1:
                self.first()
            self._play.start()
        else:
            self._play.stop()
        self.changed.emit()

    def set_following(self, following: bool) -> None:
        """Show the newest frame, and each that is added; or stay where one is."""
        following = following and self._sequence is not None
        if following == self._following:
            return
        self._following = following
        if following:
            self._play.stop()
            self.last()
        self.changed.emit()

    def set_watched(self, watched: bool) -> None:
        """Say whether anybody can see it: only then is the folder looked at again and again."""
        self._watched = watched
        self._keep_watch()

    @Slot()
    def advance(self) -> None:
        """One frame on; at the end it stops."""
        if self.place >= self.frames - 1:
            self.set_playing(False)
        else:
            self.step_by(1)

    @Slot()
    def refresh(self) -> bool:
        """Take up what training has written since; whether there was anything."""
        sequence = self._sequence
        if sequence is None:
            return False
        known = sequence.damaged
        try:
            different = sequence.refresh()
        except HeadscopeError:
            return False  # the folder is away; what is shown stays, and it may come back
        if not different:
            return False
        for error in sequence.damaged:
            if error not in known:
                self._session.set_notice(Notice.of(error, "warning"))
        if self._following:
            self.last()
        self.changed.emit()
        return True

    # Following the session.

    def _id_of(self, sequence: TraceSequence) -> str:
        """The id of the run that shows the sequence's frames, one that is there or a new one."""
        folder = str(sequence.folder)
        known = (run.id for run in self._session.document.runs if _folder(run) == folder)
        return next(known, f"time-lapse-{folder}")

    @Slot()
    def _follow_session(self) -> None:
        run = self._session.run()
        folder, run_id = _folder(run), "" if run is None else run.id
        if (folder, run_id) == (self._asked, self._run_id) or not (folder or self._asked):
            return
        self._asked, self._run_id = folder, run_id
        sequence = None
        if folder:
            try:
                sequence = TraceSequence.open(folder)
            except HeadscopeError:
                sequence = None  # the frame that was saved can be looked at all the same
        self._following = False
        self._take(sequence)

    @Slot()
    def _steps_play(self) -> None:
        if self._session.playing:
            self.set_playing(False)

    def _take(self, sequence: TraceSequence | None) -> None:
        self._play.stop()
        self._sequence = sequence
        self._wanted.clear()
        self._keep_watch()
        self.changed.emit()

    def _keep_watch(self) -> None:
        if self._watched and self._sequence is not None:
            self._look.start()
        else:
            self._look.stop()

    def _put(self, run: Run) -> None:
        """Replace the run's trace; what a short frame cuts off the selection comes back with a longer one."""
        session, wanted = self._session, {}
        run = self._with_own(run)
        for index, pane in enumerate(session.document.panes):
            if pane.run_id == run.id:
                wanted[index] = self._wish(index, pane.selection)
        session.replace_run(run)
        for index, selection in wanted.items():
            session.select(index, **vars(selection))
            shown = session.selection(index)
            assert shown is not None
            self._wanted[index] = (selection, shown)

    def _with_own(self, run: Run) -> Run:
        """The frame with the gold links and the importance that were given to it, and not to another one."""
        left = self._session.document.run(run.id)
        if left is not None:
            if left.gold is not None or left.importance is not None:
                self._frames[left.id, _number(left)] = left
            else:
                self._frames.pop((left.id, _number(left)), None)
        own = self._frames.get((run.id, _number(run)))
        return run if own is None else run.but(gold=own.gold, importance=own.importance)

    def _wish(self, index: int, shown: Selection) -> Selection:
        """What is looked at in a pane, as if its frame were as long as can be."""
        whole, cut = self._wanted.get(index, (shown, None))
        if shown == cut:
            return whole
        return shown.but(step=_END) if self._session.at_end(index) else shown


def _run(run_id: str, sequence: TraceSequence, place: int, trace: Trace) -> Run:
    provenance = {
        "source": RunSource.TRAINING,
        "path": str(sequence.folder),
        "frame": sequence.numbers[place],
        "frame_kind": sequence.kind,
    }
    return Run(run_id, trace, provenance=provenance, alterations=trace.alterations)


def last_whole(sequence: TraceSequence) -> tuple[int, Trace]:
    """The last frame that can be read; raises the last one's error if none can."""
    failure: HeadscopeError | None = None
    for place in reversed(range(len(sequence))):
        try:
            return place, sequence.frame(place)
        except HeadscopeError as error:
            failure = failure or error
    assert failure is not None
    raise failure


def _folder(run: Run | None) -> str:
    """The folder of the sequence that a run shows a frame of; empty for any other run."""
    if run is None or run.provenance.get("source") != RunSource.TRAINING:
        return ""
    return str(run.provenance.get("path", ""))


def _number(run: Run) -> int:
    number = run.provenance.get("frame")
    return number if type(number) is int else -1
