"""ArchitectureView: the architecture, the block in view, and the way through its computation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from model.questions.wiring import Mix, MixOf
from viewer.document.scene import text
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.document.text.place_text import map_place
from viewer.figures.architecture.build import Shown, architecture_figure, sizes_of
from viewer.figures.architecture.spec import ArchitectureSpec, Block, said_key
from viewer.figures.figure import FigureSpec
from viewer.figures.rows import figure_rows
from viewer.pages.learn.architecture.block_panel import BlockPanel
from viewer.pages.learn.architecture.blocks_view import BlocksView
from viewer.pages.learn.architecture.course import (
    Moment,
    after,
    before,
    first_of_decoder,
    in_encoder,
    tour,
)
from viewer.pages.learn.architecture.doors import doors_of
from viewer.pages.learn.architecture.subject import Drawn, drawn_in
from viewer.pages.learn.architecture.told import heading
from viewer.pages.learn.architecture.walk_bar import WalkBar
from viewer.pages.learn.lesson import LessonView
from viewer.pages.widgets.appearance import NO_LIMIT, Appearance
from viewer.pages.widgets.buttons import card
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.figure_view import speak
from viewer.pages.widgets.quiet_scroll import QuietScrollArea
from viewer.resources import bundled_model

_SIDE, _NARROW_SIDE, _WIDE = 320, 240, 900  # of the panel; a page that is wider has the first
_STACKED = 600  # a page that is narrower has the panel under the figure
_SLOW_MS, _FAST_MS = 520, 120  # a block of what is seen for the first time, and of further steps
_OFFER = "en-fr"
_MIX = "wiring"  # the topic of what is asked


class ArchitectureView(LessonView):
    """Where the computation is and which block is in view are one: a `Moment`.

    The step of that moment is the active pane's: who steps in Look steps here, and the other way round.
    """

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._appearance = session, appearance
        self._block = ""
        self._unfolded = self._walking = self._moving = False
        self._tour: tuple[str, ...] = ()
        self._first_step = -1
        self._drawn: Drawn | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self.view = BlocksView(appearance, self._figure)
        self.panel = BlockPanel(appearance)
        self.bar = WalkBar(appearance)
        self.empty = EmptyState()
        self._lay_out()
        self._connect()
        self.retranslate()

    def _lay_out(self) -> None:
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        self._stack = QStackedWidget(self)
        whole, nothing = QWidget(self._stack), card(self._stack)
        frame, self._side = card(whole), card(whole)
        self.scroll_area = QuietScrollArea(frame)
        self.scroll_area.setWidget(self.view)
        column = QVBoxLayout(frame)
        column.setContentsMargins(8, 6, 8, 8)
        column.setSpacing(6)
        column.addWidget(self.scroll_area, 1)
        column.addWidget(self.bar)
        inside = QVBoxLayout(self._side)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(self.panel)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, whole)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(10)
        self._row.addWidget(frame, 1)
        self._row.addWidget(self._side)
        QVBoxLayout(nothing).addWidget(self.empty)
        self._stack.addWidget(whole)
        self._stack.addWidget(nothing)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._stack)

    def _connect(self) -> None:
        session = self._session
        for signal in (
            session.pane_changed,
            session.panes_changed,
            session.runs_changed,
            session.run_grew,
            session.model_changed,
        ):
            signal.connect(self._changed)
        session.answers.changed.connect(self._answered)
        self.view.chosen.connect(self.choose)
        self.view.opened.connect(self.panel.open_first)
        self.view.folded.connect(self.toggle_folded)
        self.view.play_asked.connect(self.toggle_play)
        self.panel.place_asked.connect(self.place_asked)
        self.bar.stepped.connect(self.step)
        self.bar.play_asked.connect(self.toggle_play)
        self.bar.fold_asked.connect(self.toggle_folded)
        self.bar.tour_left.connect(self.leave_tour)
        self.empty.asked.connect(self._offered)
        self._timer.timeout.connect(self._play_on)
        self._appearance.changed.connect(self._restyle)

    # What is in view.

    @property
    def picture(self) -> QWidget:
        """What the keys belong to while nothing is typed."""
        return self.view

    @property
    def figure(self) -> FigureSpec[ArchitectureSpec] | None:
        """The figure in view; None where there is nothing to draw."""
        return self.view.figure

    def table(self) -> list[tuple[object, ...]] | None:
        """Every block with its numbers."""
        figure = self.figure
        return None if figure is None else [tuple(row) for row in figure_rows(figure)]

    @property
    def command(self) -> tuple[str, ...]:
        """What `render` is told; empty amid the computation, which it does not draw."""
        spec, selection = self.view.spec, self._session.selection()
        if spec is None or self._walking:
            return ()
        words = ["--view", "architecture", *(["--unfold"] if self._unfolded else [])]
        words += ["--block", said_key(spec.chosen)] if spec.chosen else []
        if self.of_trace and selection is not None:
            words += ["--kind", str(selection.kind), "--layer", str(selection.layer + 1)]
            words += ["--head", "mean" if selection.head is None else str(selection.head + 1)]
            words += ["--step", str(selection.step + 1)] if selection.step >= 0 else []
        return tuple(words)

    @property
    def of_trace(self) -> bool:
        """Whether the figure has the sizes of a sentence."""
        return self._drawn is not None and self._drawn.trace is not None

    @property
    def block(self) -> Block | None:
        """The block in view."""
        spec = self.view.spec
        return None if spec is None else spec.block(self._block)

    @property
    def moment(self) -> Moment:
        """Where the computation is."""
        return Moment(self._block, self._step)

    @property
    def playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._timer.isActive()

    @property
    def _step(self) -> int:
        selection = self._session.selection()
        return 0 if selection is None else max(0, selection.step)

    @property
    def _steps(self) -> int:
        trace = None if self._drawn is None else self._drawn.trace
        return 0 if trace is None else trace.steps

    @property
    def order(self) -> tuple[str, ...]:
        """Keys of all blocks, in the order of computation."""
        spec = self.view.spec
        return () if spec is None else spec.order

    # What the user does.

    def choose(self, key: str) -> None:
        """Look at a block: all that there is has its colours."""
        self._stop()
        self._tour = ()
        self._show(key, walking=False)

    def toggle_folded(self) -> None:
        """Draw every layer, or one of each stack."""
        self._unfolded = not self._unfolded
        self.refresh()

    def step(self, by: int) -> bool:
        """What is computed next (1) or was before (-1); False where there is nothing more."""
        if not self.order:
            return False
        if self._tour:
            return self._go_on_tour(by)
        self._stop()
        return self._move(by)

    def toggle_play(self) -> None:
        """Go on by itself, or stop."""
        if self.playing:
            self._stop()
            self.refresh()
            return
        order = self.order
        if not order:
            return
        if after(order, self.moment, self._steps) is None:
            self._go(Moment(order[0], 0))
        self._first_step = self._step
        self._walking = True
        self._wait()
        self.refresh()

    def start_tour(self) -> None:
        """Go through every kind of block once, with Next."""
        self._stop()
        self._unfolded = False
        if not self.view.spec:
            self.refresh()
        self._tour = tour(self.order)
        if self._tour:
            self._show(self._tour[0], walking=True)
            self.view.setFocus()

    def leave_tour(self) -> None:
        """Look at the block that was reached."""
        self._tour = ()
        self._show(self._block, walking=False)

    def scene(self) -> dict[str, Any]:
        """The block, and how it is drawn, for `show_scene`; the step is the selection's."""
        return {"block": self._block, "unfolded": self._unfolded, "walking": self._walking}

    def show_scene(self, state: Mapping[str, Any]) -> None:
        """Show it as it was; a block that the model does not have changes nothing."""
        self._stop()
        self._tour = ()
        if state.get("tour") is True:
            self.start_tour()
            return
        self._unfolded = state.get("unfolded", self._unfolded) is True
        self._block = text(state, "block") or self._block
        self._walking = state.get("walking") is True
        if self.isVisible():  # else once it is shown
            self.refresh()

    # How it goes on.

    def _move(self, by: int) -> bool:
        order = self.order
        found = after(order, self.moment, self._steps) if by > 0 else before(order, self.moment)
        if found is None:
            return False
        self._go(found)
        return True

    def _go(self, moment: Moment) -> None:
        self._moving = True
        if moment.step != self._step and self._steps:
            self._session.set_step(moment.step)
        self._moving = False
        self._show(moment.key, walking=True)

    def _go_on_tour(self, by: int) -> bool:
        place = (self._tour.index(self._block) if self._block in self._tour else -1) + by
        if place < 0:
            return False
        if place >= len(self._tour):
            self.leave_tour()
            return True
        self._show(self._tour[place], walking=True)
        return True

    def _show(self, key: str, *, walking: bool) -> None:
        self._block, self._walking = key, walking
        self.refresh()
        place = self.view.place_of(key)
        if place is not None:
            at = place.center().toPoint()
            high = round(place.height())
            self.scroll_area.ensureVisible(at.x(), at.y(), 0, high + self._appearance.px(40))

    def _wait(self) -> None:
        seen = self._step > self._first_step and not in_encoder(self.order, self._block)
        self._timer.start(_FAST_MS if seen else _SLOW_MS)

    def _play_on(self) -> None:
        if self._move(1):
            self._wait()
        self._say()

    def _stop(self) -> None:
        self._timer.stop()

    # What is drawn and said.

    def _figure(self) -> FigureSpec[ArchitectureSpec] | None:
        drawn, selection, run = self._drawn, self._session.selection(), self._session.run()
        if drawn is None:
            return None
        own = selection is not None and drawn.trace is not None
        return architecture_figure(
            drawn.anatomy,
            Shown(
                unfolded=self._unfolded,
                chosen=self._block,
                walking=self._walking,
                lit=(selection.kind, selection.layer, selection.head) if own and selection else None,
                step=self._step if self._steps else None,
            ),
            drawn.trace,
            model=drawn.model,
            verified=drawn.info is None or drawn.info.verified,
            provenance=None if run is None or not own else run.provenance,
        )

    def _changed(self, *_: object) -> None:
        if self._moving or not self.isVisible():
            return
        spec = self.view.spec
        walking = self._walking and not self._tour and self._steps > 0 and self._step > 0
        if walking and spec is not None and in_encoder(spec.order, self._block):
            self._block = spec.order[first_of_decoder(spec.order)]
        self.refresh()

    def refresh(self) -> None:
        """Draw and tell of what is there now."""
        self._drawn = drawn_in(self._session)
        self.view.mark_dirty()
        spec = self.view.spec
        self._stack.setCurrentIndex(0 if spec is not None and spec.order else 1)
        if spec is None or not spec.order:
            self.empty.say(
                self.tr("Open a model, and its architecture is drawn here."),
                self.tr("Open {model}").format(model=_OFFER) if bundled_model(_OFFER) else "",
            )
            return
        if self._block not in spec.order:
            self._block, self._walking = self._opening(spec), False
            self.view.mark_dirty()
        self._tell()
        self._say()

    def _opening(self, spec: ArchitectureSpec) -> str:
        """The block that Look shows, else the first attention."""
        selection = self._session.selection()
        if selection is not None and self.of_trace:
            for block in spec.every:
                if (block.kind, block.layer) == (selection.kind, selection.layer):
                    return block.key
        return next((block.key for block in spec.every if block.kind is not None), spec.order[0])

    def _tell(self) -> None:
        block, drawn = self.block, self._drawn
        if block is None or drawn is None:
            return
        trace = drawn.trace
        step = self._step if self._steps else None
        doors = doors_of(block, trace, drawn.info)
        self.panel.show_block(drawn.anatomy, block, sizes_of(trace, step), doors, self._mix(drawn, block))
        shown = self._map_of(block)
        name = "" if shown is None else map_place(shown.kind, shown.layer, shown.head, block.heads)
        self.panel.show_map(trace if shown is not None else None, shown, name)
        self.panel.set_plain(self._appearance.present)
        told = f"{heading(drawn.anatomy, block)}. {self.view.sentence_of(block)}"
        speak(self.view, told)

    def _mix(self, drawn: Drawn, block: Block) -> Mix | None:
        """What the decoder's layers read, where the model learned that; asked for when it is in view."""
        if drawn.anatomy.wiring != "mix" or block.sublayer != "cross" or drawn.info is None:
            return None
        found: Mix | None = self._session.answers.ask(MixOf(drawn.info.sha256), topic=_MIX)
        return found

    def _answered(self, question: object, reading: object) -> None:
        if isinstance(question, MixOf) and self.isVisible() and self._drawn is not None:
            self._tell()

    def _map_of(self, block: Block) -> Selection | None:
        """The head in view, if it is of this attention, else the mean over its heads."""
        selection, trace = self._session.selection(), None if self._drawn is None else self._drawn.trace
        if block.kind is None or block.layer is None or trace is None or selection is None:
            return None
        shape = trace.patterns.shape(block.kind)
        if shape is None or block.layer >= shape[0] or 0 in shape[2:]:
            return None
        same = (selection.kind, selection.layer) == (block.kind, block.layer)
        return selection.but(
            kind=block.kind, layer=block.layer, head=selection.head if same else None, more_heads=()
        )

    def _say(self) -> None:
        order = self.order
        ends = (
            before(order, self.moment) is None,
            after(order, self.moment, self._steps) is None and not self._tour,
        )
        self.bar.show_state(
            playing=self.playing, unfolded=self._unfolded, touring=bool(self._tour), ends=ends
        )
        self.bar.line.setText(self._sentence())

    def _sentence(self) -> str:
        """The line under the figure."""
        block, drawn = self.block, self._drawn
        if block is None or drawn is None:
            return ""
        if self._tour:
            place = self._tour.index(self._block) + 1 if self._block in self._tour else 0
            said = self.tr("Tour, block {place} of {count}: {block}")
            return said.format(place=place, count=len(self._tour), block=heading(drawn.anatomy, block))
        if not self._walking:
            if self._steps:
                said = self.tr("Step {step} of {steps}. Click a block, or press play.")
                return said.format(step=self._step + 1, steps=self._steps)
            return self.tr("Click a block, or press play.")
        name = _plain_name(block)
        layer = "" if block.layer is None else self._layer(block)
        if in_encoder(self.order, self._block):
            said = self.tr("Encoder, once: {place}{block} is being computed.")
            return said.format(place=layer, block=name)
        if not self._steps:
            return self.tr("{place}{block} is being computed.").format(place=layer, block=name)
        said = self.tr("Step {step}: {place}{block} is being computed.")
        return said.format(step=self._step + 1, place=layer, block=name)

    def _layer(self, block: Block) -> str:
        spec = self.view.spec
        count = next((s.count for s in spec.stacks if s.name == block.stack), 0) if spec is not None else 0
        said = self.tr("layer {layer} of {count}, ")
        return said.format(layer=(block.layer or 0) + 1, count=count)

    def _offered(self) -> None:
        self.path_asked.emit(_OFFER)

    # What happens around it.

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what was opened meanwhile."""
        super().showEvent(event)
        self._arrange()
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody watches."""
        super().hideEvent(event)
        self._stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the arrangement that fits."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """The panel beside the figure, or under it where there is little width."""
        px, down = self._appearance.px, QBoxLayout.Direction.TopToBottom
        under = self.width() < px(_STACKED)
        self._row.setDirection(down if under else QBoxLayout.Direction.LeftToRight)
        if under:
            self._side.setMinimumWidth(0)
            self._side.setMaximumWidth(NO_LIMIT)
            self._side.setMaximumHeight(max(px(120), self.height() * 2 // 5))
        else:
            self._side.setFixedWidth(px(_SIDE if self.width() >= px(_WIDE) else _NARROW_SIDE))
            self._side.setMaximumHeight(NO_LIMIT)

    def _restyle(self) -> None:
        self._arrange()
        if self.isVisible():
            self.refresh()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.view.setAccessibleName(QCoreApplication.translate("LearnPage", "Architecture"))
        if self.isVisible():
            self.refresh()


def _plain_name(block: Block) -> str:
    name = block.name.removeprefix("+ ")
    return name[:1].lower() + name[1:] if name[:2] == name[:2].capitalize() else name
