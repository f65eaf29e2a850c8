"""The Learn page: a list of experiments, and the one that was chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from viewer.export.request import Page
from viewer.guarded import Guarded
from viewer.state.figure import FigureSpec
from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.buttons import card, label, tab_button
from viewer.views.learn.layer_walk import LayerWalkView
from viewer.views.learn.order_experiment import OrderExperimentView
from viewer.views.learn.two_sentences import TwoSentencesView

EXPERIMENTS = ("walk", "two_sentences", "order")
"""Names of the experiments in their order, as files know them."""


class LearnPage(Guarded, QWidget):
    """The architecture, and experiments to see for oneself why the Transformer is built as it is.

    Signals:
        path_asked: open this model.
        look_asked: what was found is the run in view; go and look at it.
    """

    path_asked = Signal(str)
    look_asked = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.walk = LayerWalkView(session, appearance)
        self.two_sentences = TwoSentencesView(session, appearance)
        self.order = OrderExperimentView(session, appearance)
        self.experiments: tuple[LayerWalkView | TwoSentencesView | OrderExperimentView, ...] = (
            self.walk,
            self.two_sentences,
            self.order,
        )
        self._heading = label("title")
        self._group = QButtonGroup(self)
        self.tabs = [tab_button(self._group, index) for index in range(len(self.experiments))]
        self._stack = QStackedWidget()
        self._list = card()
        column = QVBoxLayout(self._list)
        column.setContentsMargins(10, 10, 10, 10)
        column.setSpacing(4)
        column.addWidget(self._heading)
        for tab, experiment in zip(self.tabs, self.experiments, strict=True):
            tab.setProperty("framed", True)
            column.addWidget(tab)
            self._stack.addWidget(experiment)
        column.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(10)
        row.addWidget(self._list)
        row.addWidget(self._stack, 1)
        self._group.idClicked.connect(self.show_experiment)
        for view in (self.walk, self.two_sentences, self.order):
            view.path_asked.connect(self.path_asked)
        for looker in (self.walk, self.order):
            looker.look_asked.connect(self.look_asked)
        self.show_experiment(0)
        self.retranslate()

    @property
    def picture(self) -> QWidget:
        """What the keys belong to while nothing is typed."""
        shown = self._stack.currentWidget()
        return shown.view if isinstance(shown, LayerWalkView | TwoSentencesView) else self

    @property
    def figure(self) -> FigureSpec | None:
        """The figure in view; None where none is, or where there are several."""
        shown = self._stack.currentWidget()
        return shown.figure if isinstance(shown, LayerWalkView | TwoSentencesView) else None

    def table(self) -> list[tuple[object, ...]] | None:
        """The numbers of `figure` as rows of a table, header first; None where there are none."""
        shown = self._stack.currentWidget()
        return shown.table() if isinstance(shown, LayerWalkView | TwoSentencesView) else None

    def exported(self) -> Page | None:
        """The figure in view with its numbers."""
        figure, rows = self.figure, self.table()
        if figure is None:
            return None
        name = "layer-walk" if self._stack.currentWidget() is self.walk else "two-sentences"
        return Page(figure, name, None if rows is None else tuple(rows))

    def show_experiment(self, index: int) -> None:
        """Show the experiment of that place in the list."""
        self._stack.setCurrentIndex(index)
        self.tabs[index].setChecked(True)

    def scene(self) -> tuple[str, dict[str, Any]]:
        """The experiment in view and what was typed and chosen there, for `show_scene`."""
        index = self._stack.currentIndex()
        return EXPERIMENTS[index], self.experiments[index].scene()

    @property
    def scene_name(self) -> str:
        """What to call it."""
        return self.tabs[self._stack.currentIndex()].text()

    def show_scene(self, tab: str, state: Mapping[str, Any]) -> None:
        """Show an experiment as it was; one that is not known here changes nothing."""
        if tab in EXPERIMENTS:
            index = EXPERIMENTS.index(tab)
            self.show_experiment(index)
            self.experiments[index].show_scene(state)

    def set_plain(self, on: bool) -> None:
        """Hide the list while presenting."""
        self._list.setVisible(not on)

    def retranslate(self) -> None:
        """Take the language in force."""
        self._heading.setText(self.tr("Experiments"))
        names = (self.tr("Layer walk"), self.tr("One word, two sentences"), self.tr("Order of words"))
        for tab, name in zip(self.tabs, names, strict=True):
            tab.setText(name)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
