"""The Train page: the form on the left; on the right what it learns from, then the run itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from model.errors import HeadscopeError
from model.training.batch_view import DEFAULT_PAD
from viewer.document.messages.notice import Notice
from viewer.document.messages.training_requests import MakeBatch, ResumeRun, ShowRun, StartRun
from viewer.document.session import Session
from viewer.document.text.lists import names
from viewer.document.training.training import Training
from viewer.figures.request import Page
from viewer.figures.rows import figure_rows
from viewer.opening import is_of_pairs
from viewer.pages.train.form.train_form import TrainForm
from viewer.pages.train.live.live_page import LivePage
from viewer.pages.train.preview.preview import CorpusPreview
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card, elastic, label, tab_button
from viewer.pages.widgets.drop_hint import DropHint
from viewer.pages.widgets.lazy import begun
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.worded import Worded

CORPUS, RUN = range(2)
SIDES = ("new_run", "run")
"""Names of the sides, as files know them."""


class TrainPage(Worded, QWidget):
    """Composes the page; what its parts show is the training's business.

    Attributes:
        parts: makes what is not made yet, a part each time that the next is asked for.
    """

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
        self._session = session
        self._training = training
        self._appearance = appearance
        self._was_active = False
        self._resuming = ""  # the folder of a run that is to go on once it is in view
        self.setObjectName("page")
        self.is_whole = False
        self.parts = begun(self._make(), at_once=at_once)

    def _make(self) -> Iterator[None]:
        """From the outside in: Qt styles all that a widget holds anew each time it is put into another."""
        session, training, appearance = self._session, self._training, self._appearance
        self.form = TrainForm(training, appearance, self, at_once=False)
        yield from self.form.parts
        yield
        self._right = QStackedWidget(self)
        self.preview = CorpusPreview(training, appearance, self._right)
        yield
        self.live = LivePage(session, training, appearance, self._right, at_once=False)
        yield from self.live.parts
        yield
        self._group = QButtonGroup(self)
        self.tabs = [tab_button(self._group, index) for index in (CORPUS, RUN)]
        self.settings = QPushButton()
        self.settings.setCheckable(True)
        self.settings.setChecked(True)
        self.offer, self._offer_text = card(), elastic(label())
        self.go_on, self.look = QPushButton(), QPushButton()
        self.bar = OverflowRow(appearance, spacing=4)
        self._lay_out()
        self._connect()
        self.setAcceptDrops(True)
        self.drop_hint = DropHint(self, appearance)
        self.is_whole = True
        self.retranslate()
        self._refresh()

    def ahead(self) -> Iterator[None]:
        """Make what is left for a run to make, a part each time that the next is asked for."""
        yield from self.live.curves.ahead()

    def _lay_out(self) -> None:
        bar = self.bar
        bar.add(self.settings)
        bar.add_space(8)
        for tab in self.tabs:
            bar.add(tab)
        bar.add_stretch()
        offer = QVBoxLayout(self.offer)
        offer.setContentsMargins(14, 8, 8, 8)
        offered = OverflowRow(self._appearance)
        offered.add(self._offer_text, 1, rank=STAYS)
        offered.add(self.look)
        offered.add(self.go_on, rank=STAYS)
        offer.addWidget(offered)
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self.bar)
        right.addWidget(self.offer)
        right.addWidget(self._right, 1)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(10)
        whole.addWidget(self.form)
        whole.addLayout(right, 1)
        for widget in (self.preview, self.live):
            self._right.addWidget(widget)

    def _connect(self) -> None:
        form, training = self.form, self._training
        form.resume_run_asked.connect(self.resume_run)
        self.preview.batch_asked.connect(self._look_at_batch)
        self.preview.files_asked.connect(form.ask_files)
        self.settings.toggled.connect(self.form.setVisible)
        self._group.idClicked.connect(self.show_side)
        self.go_on.clicked.connect(self._resume_offered)
        self.look.clicked.connect(self._open_offered)
        training.phase_changed.connect(self._refresh)
        training.offer_changed.connect(self._refresh)
        training.reset.connect(self._refresh)
        training.reset.connect(self._run_shown)

    def show_side(self, index: int) -> None:
        """Show form and corpus (0), or the run (1), which takes the form's room until it is asked back."""
        self.tabs[index].setChecked(True)
        self.settings.setChecked(index == CORPUS)
        self._right.setCurrentIndex(index)

    def scene(self) -> tuple[str, dict[str, Any]]:
        """The side in view, for `show_scene`."""
        return SIDES[self._right.currentIndex()], {}

    @property
    def scene_name(self) -> str:
        """What to call it; nothing while there is one side only."""
        return self.tabs[self._right.currentIndex()].text() if self._has_run else ""

    def show_scene(self, tab: str, state: Mapping[str, Any]) -> None:
        """Show a side again, the run's only if there is one."""
        if tab in SIDES and (self._has_run or tab == SIDES[CORPUS]):
            self.show_side(SIDES.index(tab))

    def set_plain(self, on: bool) -> None:
        """Leave only what an audience should see: the run."""
        self.bar.setVisible(not on and self._has_run)
        self.form.setVisible(not on and self.settings.isChecked())

    def exported(self) -> Page | None:
        """The curves of the run in view, with their numbers."""
        figure = self.live.curves.figure() if self._right.currentWidget() is self.live else None
        return None if figure is None else Page(figure, "training-curves", tuple(figure_rows(figure)))

    @property
    def picture(self) -> QWidget:
        """What the keys belong to while nothing is typed."""
        return self.live.probe.map if self._right.currentWidget() is self.live else self

    @property
    def _has_run(self) -> bool:
        return self._training.active or self._training.order is not None

    def _refresh(self) -> None:
        active = self._training.active
        if active != self._was_active:
            self._was_active = active
            if active:
                self.show_side(RUN)
        self.bar.setVisible(self._has_run)
        if not self._has_run:
            self.show_side(CORPUS)
        self.offer.setVisible(bool(self._training.offer) and not active)
        self._say_offer()

    def _say_offer(self) -> None:
        text = self.tr("The run {name} did not finish; nothing is lost.")
        self._offer_text.setText(text.format(name=Path(self._training.offer).name))

    def _look_at_batch(self) -> None:
        try:
            self._training.ask(MakeBatch(self.form.options(), "", 0, DEFAULT_PAD))
        except HeadscopeError:
            self.form.check()

    def resume_run(self, folder: str) -> None:
        """Go on with the run in a folder: as the form has it where it shows that run, else as it was."""
        order = self._training.order
        if order is not None and Path(order.out) == Path(folder) and not self._training.active:
            try:
                self._training.ask(StartRun(self.form.options(), folder, resume=True))
            except HeadscopeError:
                self.form.check()
        else:
            self._resuming = folder
            self._training.ask(ShowRun(folder))

    def _resume_offered(self) -> None:
        self.resume_run(self._training.offer)

    def _run_shown(self) -> None:
        """Another run is in view: the form tells of it, and it goes on if that was asked."""
        training, resuming = self._training, self._resuming
        self._resuming = ""
        if self._has_run:
            self.show_side(RUN)
        if training.order is None or training.active:
            return
        self.form.set_options(training.order.options, training.order.out)
        if training.resumable and resuming and Path(resuming) == Path(training.order.out):
            # Not from inside the answer that brought the run.
            QTimer.singleShot(0, self, self._resume)

    def _resume(self) -> None:
        self._training.ask(ResumeRun())

    def _open_offered(self) -> None:
        self._training.ask(ShowRun(self._training.offer))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.settings.setText(self.tr("Settings"))
        self.settings.setToolTip(self.tr("Show or hide the form"))
        for tab, text in zip(self.tabs, (self.tr("New run"), self.tr("Run")), strict=True):
            tab.setText(text)
        self._say_offer()
        self.go_on.setText(self.tr("Resume it"))
        self.look.setText(self.tr("Look at it"))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files of pairs, while there is a form to fill in; anything else is the window's."""
        if not self._training.active and _files(event):
            event.acceptProposedAction()
            self.drop_hint.offer(self.tr("Drop to train on these pairs"))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """They went elsewhere."""
        self.drop_hint.hide()

    def dropEvent(self, event: QDropEvent) -> None:
        """Train on what was dropped."""
        self.drop_hint.hide()
        event.acceptProposedAction()
        self.show_side(CORPUS)
        files, paths = _files(event), _paths(event)
        self.form.take_files(files)
        left = [Path(path).name for path in paths if path not in files]
        if left:
            values = {"count": len(files), "total": len(paths), "files": names(left)}
            self._session.set_notice(Notice("pairs_partly", values, "warning"))


def _files(event: QDropEvent) -> list[str]:
    """Those of a drop that may be pairs."""
    return [path for path in _paths(event) if Path(path).is_file() and is_of_pairs(Path(path))]


def _paths(event: QDropEvent) -> list[str]:
    return [path for url in event.mimeData().urls() if (path := url.toLocalFile())]
