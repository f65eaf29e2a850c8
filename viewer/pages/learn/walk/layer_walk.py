"""LayerWalkView: a position on its way through both stacks, block by block."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from model.abilities import Ability
from model.questions.answers import Walk
from model.questions.questions import Question, Reading
from model.trace.trace import Side, Trace
from viewer.document.scene import whole
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.document.text.token_text import token_texts
from viewer.figures.figure import AnyFigure, FigureSpec
from viewer.figures.walk.build import architecture_figure, walk_figure
from viewer.figures.walk.spec import WalkSpec
from viewer.figures.walk.stages import Stage, stages_of
from viewer.figures.walk.table import walk_lines
from viewer.pages.learn.lesson import LessonView
from viewer.pages.learn.walk.walk_answers import Known, ask, kind_of
from viewer.pages.learn.walk.walk_view import WalkView
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card, label
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.token_strip import Chip, TokenStrip
from viewer.resources import bundled_model

_OPENING = Stage("sum", "sum", None)


def _stage_of(value: Any, side: Side) -> Stage | None:
    """A stage as a scene has it; None is the decoder's last word."""
    if value is None and side == "target":
        return None
    if not isinstance(value, list) or len(value) != len(_OPENING):
        return _OPENING
    stage, sublayer, layer = value
    known = isinstance(stage, str) and isinstance(sublayer, str) and (layer is None or type(layer) is int)
    return Stage(stage, sublayer, layer) if known else _OPENING


class LayerWalkView(LessonView):
    """Tokens to choose from, the map, the stage in view."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self._side: Side | None = None
        self._source = 0
        self._stages: dict[Side, Stage | None] = {"source": _OPENING, "target": _OPENING}
        self._known = Known()
        self._offer = ""
        self.source, self.target = TokenStrip(appearance, 15.0), TokenStrip(appearance, 15.0)
        self.view = WalkView(appearance, self._figure)
        self.empty, self.hint, self.head = EmptyState(), label("small"), QPushButton()
        self._names = (label("muted"), label("muted"))
        self._stack = QStackedWidget()
        self._lay_out()
        self._connect()
        self.retranslate()

    def _lay_out(self) -> None:
        self.head.setProperty("role", "link")
        keep = self.head.sizePolicy()
        keep.setRetainSizeWhenHidden(True)  # or the map would jump where the button comes and goes
        self.head.setSizePolicy(keep)
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        for row, (name, strip) in enumerate(zip(self._names, (self.source, self.target), strict=True)):
            strip.set_clickable(True)
            grid.addWidget(name, row, 0)
            grid.addWidget(strip, row, 1)
        self.hint.setWordWrap(True)
        foot = QHBoxLayout()
        foot.addWidget(self.hint, 1)
        foot.addWidget(self.head, 0, Qt.AlignmentFlag.AlignRight)
        frame = card()
        inside = QVBoxLayout(frame)
        inside.setContentsMargins(14, 10, 10, 8)
        inside.setSpacing(6)
        inside.addLayout(grid)
        inside.addWidget(self.view, 1)
        inside.addLayout(foot)
        empty = card()
        QVBoxLayout(empty).addWidget(self.empty)
        self._stack.addWidget(frame)
        self._stack.addWidget(empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._stack)

    def _connect(self) -> None:
        session = self._session
        for signal in (
            session.pane_changed,
            session.panes_changed,
            session.runs_changed,
            session.run_grew,
            session.view_changed,
            session.model_changed,
        ):
            signal.connect(self._changed)
        session.answers.changed.connect(self._answer_changed)
        self.source.chosen.connect(self._source_chosen)
        self.target.chosen.connect(self._target_chosen)
        self.view.stage_chosen.connect(self.show_stage)
        self.view.position_moved.connect(self._move)
        self.view.head_chosen.connect(self._show_head)
        self.head.clicked.connect(self._head_clicked)
        self.empty.asked.connect(self._offered)

    # What is walked with.

    @property
    def trace(self) -> Trace | None:
        """The active run's trace, once there is something of it to read."""
        run = self._session.run()
        return None if run is None or run.live else run.trace

    @property
    def side(self) -> Side:
        """Which stack's walk is in view."""
        trace = self.trace
        if trace is None or not trace.steps:
            return "source"
        return self._side or "target"

    @property
    def positions(self) -> tuple[int, int]:
        """The source token and the target step."""
        trace, selection = self.trace, self._session.selection()
        if trace is None:
            return 0, 0
        step = 0 if selection is None else selection.step
        return (
            min(self._source, max(0, len(trace.src_tokens) - 1)),
            min(max(0, step), max(0, trace.steps - 1)),
        )

    @property
    def walk(self) -> Walk | None:
        """The walk in view, once it is known."""
        return self._known.walk

    @property
    def stage(self) -> Stage | None:
        """The stage in view; None for the decoder's last word."""
        return self._stages[self.side]

    @property
    def picture(self) -> QWidget:
        """What the keys belong to while nothing is typed."""
        return self.view

    @property
    def figure(self) -> AnyFigure | None:
        """The figure in view; None where there is none."""
        return self.view.figure if self._known.walk is not None else None

    def table(self) -> list[tuple[object, ...]] | None:
        """The walk's numbers, header first; see `viewer.figures.walk.table`."""
        figure, walk = self.figure, self._known.walk
        if figure is None or walk is None:
            return None
        return list(walk_lines(walk, "; ".join(figure.body.badges)))

    def show_stage(self, side: Side, index: int) -> None:
        """Show a stage of a stack's walk by its place; the one after the last is the decoder's last word."""
        known = self._known
        walk = next((w for w in (known.walk, known.other) if w is not None and w.side == side), None)
        if walk is None:
            return
        passed = stages_of(walk)
        index = min(max(0, index), len(passed) - (side == "source"))
        self._side = side
        self._stages[side] = passed[index] if index < len(passed) else None
        self.refresh()

    def scene(self) -> dict[str, Any]:
        """What is walked with and where the walk is, for `show_scene`; the step is the selection's."""
        stages = {side: None if stage is None else list(stage) for side, stage in self._stages.items()}
        return {"side": self.side, "source": self._source, "stages": stages}

    def show_scene(self, state: Mapping[str, Any]) -> None:
        """Walk as before; a stage that the model does not have becomes the sum at the entrance."""
        sides: tuple[Side, ...] = ("source", "target")
        self._side = next((side for side in sides if state.get("side") == side), self._side)
        self._source = max(0, whole(state, "source", self._source))
        stages = state.get("stages", {})
        for side in sides if isinstance(stages, dict) and stages else ():
            self._stages[side] = _stage_of(stages.get(side), side)
        self._changed()

    # What changes.

    def _changed(self) -> None:
        if self.isVisible():
            self.refresh()

    def _answer_changed(self, question: Question, reading: Reading | None) -> None:
        if self.isVisible() and reading is not None and reading == self._known.reading:
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for what is to be seen; nothing is asked unseen."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Ask for what is missing and show what there is."""
        trace = self.trace
        self._known = Known()
        answers = not cannot(self._session.model, Ability.WALK)
        if answers and trace is not None and len(trace.src_tokens):
            # What is known belongs to a reading; an answer that comes at once asks for a refresh of its own.
            self._known = ask(self._session, trace, self.side, self.positions, self.stage)
            self._fit_stage()
        self._show_tokens(trace)
        self._say(trace)
        self.view.mark_dirty()

    def _fit_stage(self) -> None:
        """Another model has other stages: what it does not have becomes the sum at the entrance."""
        walk, stage = self._known.walk, self.stage
        if walk is not None and stage is not None and stage not in stages_of(walk):
            self._stages[self.side] = _OPENING

    def _figure(self) -> FigureSpec[WalkSpec] | None:
        trace, known, info = self.trace, self._known, self._session.model
        if trace is not None and known.walk is not None:
            passed = stages_of(known.walk)
            stage = self.stage
            index = len(passed) if stage is None else passed.index(stage)
            run = self._session.run()
            return walk_figure(
                trace,
                known.walk,
                known.embedding,
                index,
                row=known.row,
                other=known.other,
                architecture=None if info is None else info.architecture,
                provenance=None if run is None else run.provenance,
            )
        if info is None or cannot(info, Ability.WALK) or "encoder_layers" not in info.architecture:
            return None
        return architecture_figure(info.architecture, model_name=info.name, model_sha256=info.sha256)

    def _show_tokens(self, trace: Trace | None) -> None:
        raw = self._session.view.raw_pieces
        place, step = self.positions
        source = () if trace is None else token_texts(trace.src_tokens, raw=raw, style=trace.token_style)
        target = () if trace is None else token_texts(trace.tgt_out_tokens, raw=raw, style=trace.token_style)
        for strip, tokens, current, side in (
            (self.source, source, place, "source"),
            (self.target, target, step, "target"),
        ):
            shade = 0.55 if side == self.side else 0.0
            chips = tuple(
                Chip(t.marked, shade if i == current else 0.0, joined=t.continues, dim=t.dim)
                for i, t in enumerate(tokens)
            )
            strip.show_chips(chips, current if chips else -1)

    def _say(self, trace: Trace | None) -> None:
        """The map, or in its place one sentence and one button."""
        info, run, problem = self._session.model, self._session.run(), self._known.problem
        self._offer = ""
        self._stack.setCurrentIndex(0)
        if obstacle := cannot(info, Ability.WALK):
            self._stack.setCurrentIndex(1)
            self.empty.say(obstacle, self._open_text(bundled_model("en-fr")))
        elif run is None:
            self._stack.setCurrentIndex(1)
            text = self.tr("Translate a sentence, then follow one of its words through every layer.")
            self.empty.say(text, self.tr("Go to Look"))
        elif problem is not None:
            self._stack.setCurrentIndex(1)
            self.empty.say(problem.sentence(), self._remedy(trace, problem.code))
        elif trace is None or self._known.walk is None:
            waits = self.tr("Reading the sentence again, layer by layer…")
            self.hint.setText(self.tr("The translation is still being made…") if run.live else waits)
        else:
            keys = self.tr("↑ ↓ walk through the blocks, ← → along the sentence; click a token or a block.")
            self.hint.setText(keys)
        stage = self.stage
        heads = self._known.row is not None and stage is not None and stage.layer is not None
        self.head.setVisible(heads and info is not None)
        if self._known.row is not None:
            self.head.setText(self.tr("Show head {head} on Look").format(head=self._top_head + 1))

    def _remedy(self, trace: Trace | None, code: str) -> str:
        """The button's label: opens the run's model if it is a bundled one, or asks once more."""
        name = "" if trace is None else trace.model_name
        folder = bundled_model(name) if name and code in ("run_other_model", "no_model") else None
        if folder is not None:
            return self._open_text(folder)
        if code in ("run_other_model", "no_model", "run_model_loading"):
            return "" if code == "run_model_loading" else self.tr("Go to Look")
        return self.tr("Try again") if self._known.question is not None else ""

    def _open_text(self, folder: Path | None) -> str:
        """The button opens this bundled model; its label, empty where there is none."""
        self._offer = "" if folder is None else str(folder)
        return "" if folder is None else self.tr("Open {model}").format(model=folder.name)

    def _offered(self) -> None:
        known = self._known
        if self._offer:
            self.path_asked.emit(self._offer)
        elif known.problem is not None and known.problem.code not in ("run_other_model", "no_model"):
            if known.question is not None:
                self._session.answers.retry(known.question, known.reading, topic="walk")
                self.refresh()
        else:
            self.look_asked.emit()

    @property
    def _top_head(self) -> int:
        row = self._known.row
        return 0 if row is None or not len(row.share_norms) else int(row.share_norms.argmax())

    # What the user does.

    def _source_chosen(self, index: int) -> None:
        self._source, self._side = index, "source"
        self.refresh()

    def _target_chosen(self, index: int) -> None:
        self._side = "target"
        self._session.set_step(index)
        self.refresh()

    def _move(self, by: int) -> None:
        trace = self.trace
        if trace is None:
            return
        place, step = self.positions
        if self.side == "source":
            self._source_chosen(min(max(0, place + by), len(trace.src_tokens) - 1))
        else:
            self._target_chosen(min(max(0, step + by), trace.steps - 1))

    def _head_clicked(self) -> None:
        row = self._known.row
        if row is not None:
            self._show_head(row.layer, self._top_head)

    def _show_head(self, layer: int, head: int) -> None:
        stage = self.stage
        if stage is None:
            return
        kind, place = kind_of(self.side, stage), self.positions[self.side == "target"]
        self._session.select(kind=kind, layer=layer, head=head)
        trace = self.trace
        if trace is not None and kind in trace.kinds:
            key = int(trace.pattern(kind, layer, head)[place].argmax())
            self._session.set_crosshair(place, key)
        self.look_asked.emit()

    def retranslate(self) -> None:
        """Take the language in force."""
        for name, text, strip in zip(
            self._names, (self.tr("Source"), self.tr("Output")), (self.source, self.target), strict=True
        ):
            name.setText(text)
            strip.setAccessibleName(text)
        self.view.setAccessibleName(self.tr("Layer walk"))
        self._show_tokens(self.trace)
        self._say(self.trace)
        self.view.mark_dirty()
