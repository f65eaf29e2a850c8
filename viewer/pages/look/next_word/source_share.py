"""Source share: the tab's foot: how much of the step comes from the source, how much from the prefix."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from model.abilities import Ability
from model.errors import HeadscopeError
from model.questions.answers import SourceShares
from model.questions.causes.contributions import Contributions
from model.questions.questions import Question, Reading
from model.trace.trace import AttentionKind
from viewer.document.document import Run
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.figures.canvas.theme import theme
from viewer.figures.drawing import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.shares.build import contributed_shares_figure, shares_figure
from viewer.figures.shares.layout import SharesGeometry
from viewer.figures.shares.measure import CONTRIBUTIONS, CROSS, Measure
from viewer.figures.shares.paint import prefix_colour, source_colour
from viewer.figures.shares.spec import SharesSpec
from viewer.figures.shares.text import percents
from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import NarrowBox, elastic, label
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.plain_tip import plain, show_tip
from viewer.pages.widgets.worded import Worded

TOPIC = "shares"
_CHART, _BAR = 96, 12  # pixels of height
_NAME = 10  # characters of the chosen measure
_LOW = 430  # a tab that is lower keeps its height for the candidates


class ShareBar(Guarded, QWidget):
    """One bar of two parts."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        self._source: float | None = None
        appearance.changed.connect(self.update)

    def show_share(self, source: float | None) -> None:
        """Show the source's share, 0 to 1; None for nothing."""
        self._source = source
        self.update()

    def sizeHint(self) -> QSize:
        """A thin line as wide as there is room."""
        return QSize(60, self._appearance.px(_BAR))

    def paintEvent(self, event: QPaintEvent) -> None:
        """The source's part left, the prefix's right."""
        if self._source is None:
            return
        painter = QPainter(self)
        colours = theme(self._appearance.palette.name)
        whole = QRectF(self.rect())
        painter.fillRect(whole, prefix_colour(colours))
        whole.setWidth(self._source * whole.width())
        painter.fillRect(whole, source_colour(colours))
        painter.end()


class ShareChart(FigureView[SharesSpec, SharesGeometry]):
    """All steps' shares; a click goes to a step, the arrows to the next one."""

    def __init__(self, session: Session, appearance: Appearance, section: SourceShareSection) -> None:
        super().__init__(appearance)
        self._session = session
        self._section = section

    def build(self) -> FigureSpec[SharesSpec] | None:
        """The shares of the active pane's run, if they are known."""
        return self._section.built()

    def options(self) -> DrawOptions:
        """Without labels, the step under the pointer framed."""
        hover = None if self.spot is None else (self.spot, 0)
        return replace(super().options(), compact=True, hover=hover)

    def sizeHint(self) -> QSize:
        """Low."""
        return QSize(200, self.look.px(_CHART))

    def step_at(self, point: QPointF) -> int | None:
        """The step under a point of the widget."""
        place = self.geometry_now()
        return None if place is None else place.step_at(point)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what the step under the pointer has."""
        step = self.step_at(event.position())
        if step == self.spot:
            return
        self.put_spot(step)
        self.setCursor(Qt.CursorShape.ArrowCursor if step is None else Qt.CursorShape.PointingHandCursor)
        spec = self.spec
        if step is not None and spec is not None:
            text = "\n".join([spec.sentence_at(step), *spec.notes])
            show_tip(event.globalPosition().toPoint(), text, self)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to a step."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.press(event.position())

    def press(self, point: QPointF) -> None:
        """See `FigureView`."""
        step = self.step_at(point)
        if step is not None:
            self._session.set_step(step)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.put_spot(None)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows go a step back and forward."""
        move = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if move is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        else:
            self._session.step_by(move)


class SourceShareSection(Worded, QWidget):
    """Bar, choice of layer and chart; nothing while no model is open that could be asked.

    Attributes:
        content: all of it.
        text: the step's two shares in words, or why they are not there.
        layers: the measure: contributions through both stacks, or cross-attention's share, the mean over the
            decoder layers or one.
    """

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self._measure: Measure = CONTRIBUTIONS
        self._layer: int | None = None
        self._low = False
        self.text = elastic(label("small"))
        self.layers = NarrowBox(_NAME)  # the shares beside it matter more than the whole name of a layer
        self.bar = ShareBar(appearance)
        self.chart = ShareChart(session, appearance, self)
        measured = QHBoxLayout()
        measured.setSpacing(6)
        measured.addWidget(self.bar, 1)
        measured.addWidget(self.layers)
        self.content = QWidget(self)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.content)
        column = QVBoxLayout(self.content)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.text)
        column.addLayout(measured)
        column.addWidget(self.chart)
        self.layers.activated.connect(self._layer_chosen)
        session.pane_moved.connect(self._pane_moved)
        session.answers.changed.connect(self._answer_changed)
        for signal in (session.run_grew, session.panes_changed, session.runs_changed, session.model_changed):
            signal.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Show the step in view; ask if that was not done yet and someone looks."""
        run = self._run()
        self.content.setVisible(run is not None)
        if run is None:
            return
        spec = self._built(run) if self.isVisible() else None
        step = self._step()
        shown = spec is not None and 0 <= step < spec.steps
        self._name_layers(run.trace.layers(AttentionKind.CROSS))
        # Before an audience the two shares have its room, unless they are others than usual.
        chosen = self._measure is not CONTRIBUTIONS
        failed = spec is None and self._problem(run) is not None
        self.layers.setVisible((shown or failed) and (not self._appearance.present or chosen))
        self.bar.setVisible(shown)
        self.chart.setVisible(shown and not self._low)
        self.chart.setFixedHeight(self._appearance.px(_CHART))
        self.bar.setFixedHeight(self._appearance.px(_BAR))
        if spec is None or not shown:
            self.text.setText(self._why(run))
            return
        share = float(spec.shown[step])
        source, prefix = percents(share)
        self.text.setText(self.tr("source {source} | prefix {prefix}").format(source=source, prefix=prefix))
        said = "\n".join([spec.sentence_at(step), *spec.notes])
        for widget in (self.text, self.bar):
            widget.setToolTip(plain(said))
        self.bar.show_share(share)
        self.chart.mark_dirty()

    def fit(self, height: int) -> None:
        """Leave the chart out in a tab of little height."""
        low = height < self._appearance.px(_LOW)
        if low != self._low:
            self._low = low
            self.refresh()

    def built(self) -> FigureSpec[SharesSpec] | None:
        """The figure of all steps, if the shares are known."""
        run = self._run()
        return None if run is None else self._figure(run)

    def _built(self, run: Run) -> SharesSpec | None:
        figure = self._figure(run)
        return None if figure is None else figure.body

    def _figure(self, run: Run) -> FigureSpec[SharesSpec] | None:
        answer, trace, step = self._answer(run), run.trace, self._step()
        if isinstance(answer, Contributions):
            return contributed_shares_figure(trace, answer, None, step, provenance=run.provenance)
        if isinstance(answer, SourceShares):
            return shares_figure(trace, answer, self._layer, step, provenance=run.provenance)
        return None

    def retranslate(self) -> None:
        """Take the language in force."""
        self.chart.setAccessibleName(self.tr("Source and prefix at every step"))
        self.layers.setAccessibleName(self.tr("What the shares are measured by"))
        self.layers.clear()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Now someone looks."""
        super().showEvent(event)
        self.refresh()

    def chosen(self) -> tuple[Measure, int | None]:
        """By what shares are measured, and the decoder layer; None for the mean, or for all multiplied."""
        return self._measure, self._layer

    def _run(self) -> Run | None:
        """The run in view, if the open model made it and it has steps of a decoder that reads a source."""
        run, model = self._session.run(), self._session.model
        if cannot(model, Ability.WALK):
            return None
        if run is None or model is None or AttentionKind.CROSS not in run.trace.kinds or not run.trace.steps:
            return None
        return run if run.trace.may_be_of(model.name, model.sha256) else None

    def _step(self) -> int:
        selection = self._session.selection()
        return -1 if selection is None else selection.step

    def _key(self, run: Run) -> tuple[Question, Reading] | None:
        try:
            return self._measure.question, Reading.of(run.trace)
        except HeadscopeError:  # altered in a way that this version does not know
            return None

    def _answer(self, run: Run) -> object:
        key = self._key(run)
        return None if run.live or key is None else self._session.answers.ask(*key, topic=TOPIC)

    def _problem(self, run: Run) -> Notice | None:
        key = self._key(run)
        return None if key is None else self._session.answers.state(*key).problem

    def _why(self, run: Run) -> str:
        """Why no share is shown."""
        if run.live or self._key(run) is None:
            return self.tr("Source and prefix: computed once the output is complete.")
        problem = self._problem(run)
        return self.tr("Source and prefix: computing…") if problem is None else problem.sentence()

    def _name_layers(self, layers: int) -> None:
        if self.layers.count() != layers + 2:
            self.layers.clear()
            self.layers.addItem(self.tr("Contributions"))
            self.layers.addItem(self.tr("Cross-attention, mean"))
            self.layers.addItems(
                [self.tr("Cross-attention, layer {layer}").format(layer=n + 1) for n in range(layers)]
            )
            for place, measure in ((0, CONTRIBUTIONS), *((n + 1, CROSS) for n in range(layers + 1))):
                tip = plain("\n".join(measure.notes()))
                self.layers.setItemData(place, tip, Qt.ItemDataRole.ToolTipRole)
        if self._layer is not None and self._layer >= layers:
            self._layer = None
        at = 1 if self._layer is None else self._layer + 2
        self.layers.setCurrentIndex(0 if self._measure is CONTRIBUTIONS else at)
        self.layers.setToolTip(plain("\n".join(self._measure.notes())))

    def _layer_chosen(self, index: int) -> None:
        self._measure = CONTRIBUTIONS if index == 0 else CROSS
        self._layer = None if index < 2 else index - 2
        self.refresh()

    def _pane_moved(self, pane: int) -> None:
        if pane == self._session.active:
            self.refresh()

    def _answer_changed(self, question: Question, reading: Reading | None) -> None:
        if question == self._measure.question:
            self.refresh()
