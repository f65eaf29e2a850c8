"""The Train page while a run goes on: its state, the heads of the probe, the curves, translations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from model.errors import HeadscopeError
from model.trace.trace_sequence import PROBE, SUFFIX
from viewer.document.messages.notice import Notice
from viewer.document.messages.requests import OpenPath
from viewer.document.session import Session
from viewer.document.training.training import Training
from viewer.pages.train.curves.curves_view import CurvesView
from viewer.pages.train.live.live_strip import LiveStrip
from viewer.pages.train.live.probe_view import ProbeView
from viewer.pages.train.live.samples_view import SamplesView
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.lazy import begun


class LivePage(QWidget):
    """Composes the live side of the page; all of it is read from `training`.

    Attributes:
        parts: makes what is not made yet, a part each time that the next is asked for.

    Signals:
        read_out: exact numbers under the pointer, for the status line.
        write_asked, copy_asked: see `CurvesView`.
    """

    read_out = Signal(str)
    write_asked = Signal(str, object)
    copy_asked = Signal(object)

    def __init__(
        self,
        session: Session,
        training: Training,
        appearance: Appearance,
        parent: QWidget | None = None,
        *,
        at_once: bool = True,
    ) -> None:
        """Args: at_once: make all of it now; else whoever makes it goes through its `parts`."""
        super().__init__(parent)
        self.session = session
        self._training = training
        self.setObjectName("page")
        self._appearance = appearance
        self.parts = begun(self._make(), at_once=at_once)

    def _make(self) -> Iterator[None]:
        """From the outside in: Qt styles all that a widget holds anew each time it is put into another."""
        session, training, appearance = self.session, self._training, self._appearance
        self.strip = LiveStrip(training, appearance, self)
        self.body = QSplitter(Qt.Orientation.Horizontal, self)
        yield
        self.probe = ProbeView(session, training, appearance, self.body)
        yield
        self.right = QSplitter(Qt.Orientation.Vertical, self.body)
        self.curves = CurvesView(training, appearance, self.right)
        yield
        self.samples = SamplesView(training, appearance, self.right)
        self._lay_out()
        self._connect()
        self._look_for_frames()

    def _lay_out(self) -> None:
        for splitter in (self.right, self.body):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(8)
        self.right.addWidget(self.curves)
        self.right.addWidget(self.samples)
        self.right.setStretchFactor(0, 3)
        self.right.setStretchFactor(1, 1)
        self.right.setSizes([620, 240])
        self.body.addWidget(self.probe)
        self.body.addWidget(self.right)
        # A map needs room beside its labels; the curves are as legible in less.
        self.body.setStretchFactor(0, 4)
        self.body.setStretchFactor(1, 3)
        self.body.setSizes([570, 430])
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.strip)
        column.addWidget(self.body, 1)

    def _connect(self) -> None:
        training = self._training
        self.probe.time_lapse_asked.connect(self._ask_for_time_lapse)
        for view in (self.probe, self.curves):
            view.read_out.connect(self.read_out)
        self.probe.failed.connect(self._failed)
        self.curves.write_asked.connect(self.write_asked)
        self.curves.copy_asked.connect(self.copy_asked)
        for signal in (training.probe_changed, training.phase_changed, training.reset):
            signal.connect(self._look_for_frames)

    @property
    def frames_folder(self) -> str:
        """Where the run keeps traces of its probe; "" when there are none yet."""
        training = self._training
        if training.probe is not None and training.probe.path:
            return str(Path(training.probe.path).parent)
        if training.order is None:
            return ""
        folder = Path(training.order.out) / PROBE
        return str(folder) if any(folder.glob(f"*{SUFFIX}")) else ""

    def _look_for_frames(self) -> None:
        self.probe.set_kept(bool(self.frames_folder))

    def _ask_for_time_lapse(self) -> None:
        folder = self.frames_folder
        if folder:
            self.session.ask(OpenPath(folder))

    def _failed(self, error: HeadscopeError) -> None:
        self.session.set_notice(Notice.of(error))
