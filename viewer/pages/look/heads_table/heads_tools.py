"""`HeadsTools`: beside the drawer's tabs: of what, which kinds, as a list or a grid, and into a file."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QMenu, QPushButton, QSizePolicy, QWidget

from model.trace.trace import AttentionKind
from viewer.pages.look.heads_table.heads_model import GENERAL_NAMES, METRIC_NAMES
from viewer.pages.look.heads_table.heads_state import HeadsState, Scope
from viewer.pages.look.heads_table.heads_words import kind_short, meaning, metric_name
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import MenuButton, NarrowBox, tab_button
from viewer.pages.widgets.overflow_row import OverflowRow
from viewer.pages.widgets.plain_tip import plain

_SCOPES: tuple[Scope, ...] = ("sentence", "corpus", "pruning")
_GAP = 4
_LEAST_BOX = 70
_WIDEST_KIND, _WIDEST_METRIC = 140, 200
_KINDS = (None, *AttentionKind)


class HeadsTools(OverflowRow):
    """Signals:
    grid_chosen: show the heads as a grid, or as a list.
    metric_chosen: a name of `NUMBERS`, or another package's, for the grid.
    export_asked: into a file of this kind, `csv` or `json`.
    drawing_asked: a pattern is to be drawn.
    circuits_asked: what the head in view does in general.
    """

    grid_chosen = Signal(bool)
    metric_chosen = Signal(str)
    export_asked = Signal(str)
    drawing_asked = Signal()
    circuits_asked = Signal()

    def __init__(self, state: HeadsState, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent, spacing=_GAP)
        self._state, self._look = state, appearance
        self._scopes = QButtonGroup(self)
        self.scopes = [tab_button(self._scopes, place) for place in range(len(_SCOPES))]
        self.grid = QPushButton()
        self.grid.setCheckable(True)
        self.draw, self.circuits = QPushButton(), QPushButton()
        self.kind, self.metric_box = NarrowBox(), NarrowBox()
        self.export = MenuButton(appearance)
        menu = QMenu(self)
        self.actions_ = {kind: menu.addAction("") for kind in ("csv", "json")}
        self.export.setMenu(menu)
        self.metric_box.hide()
        for tab in self.scopes:
            self.add(tab)
        self.add(self.kind, 2, rank=3)
        self.add(self.grid, rank=2)
        self.add(self.metric_box, 3, rank=4)
        self.add(self.draw, rank=6)
        self.add(self.circuits, rank=7)
        self.add_stretch()
        self.add(self.export, rank=5)
        self.scopes[0].setChecked(True)
        for box in (self.kind, self.metric_box):
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.remeasure()
        self._scopes.idClicked.connect(self._scope_clicked)
        self.grid.toggled.connect(self._grid_toggled)
        self.kind.activated.connect(self._kind_chosen)
        self.metric_box.activated.connect(self._metric_chosen)
        self.draw.clicked.connect(self.drawing_asked)
        self.circuits.clicked.connect(self.circuits_asked)
        state.moved.connect(self._show_doors)
        for kind, action in self.actions_.items():
            action.setData(kind)
            action.triggered.connect(self._export)
        state.changed.connect(self.refresh)
        self.retranslate()

    def remeasure(self) -> None:
        """Choices as wide as there is room for, and no wider than the type in force needs."""
        for box, widest in ((self.kind, _WIDEST_KIND), (self.metric_box, _WIDEST_METRIC)):
            box.setMinimumWidth(self._look.px(_LEAST_BOX))
            box.setMaximumWidth(self._look.px(widest))

    def refresh(self) -> None:
        """Show what is chosen, and offer what there is."""
        self.scopes[_SCOPES.index(self._state.scope)].setChecked(True)
        self.kind.setCurrentIndex(_KINDS.index(self._state.kind))
        report = self._state.report
        pruning = self._state.scope == "pruning"
        self.export.setEnabled(report is not None)
        self.grid.setVisible(not pruning)
        self.metric_box.setVisible(not pruning and self.grid.isChecked())
        self._show_doors()
        known = list(METRIC_NAMES)
        if report is not None:
            known += ["likeness"] if report.likeness is not None else []
            known += ["importance"] if report.importance is not None else []
            known += ["aer"] if report.aer is not None else []
            known += GENERAL_NAMES if report.general is not None else []
            known += [one.extension.name for one in report.scores.added]
        offered = [self.metric_box.itemData(place) for place in range(self.metric_box.count())]
        if known != offered:
            chosen = self.metric_box.currentData()
            self.metric_box.clear()
            for name in known:
                self.metric_box.addItem(metric_name(name), name)
            self.metric_box.setCurrentIndex(max(0, known.index(chosen) if chosen in known else 0))
            self._metric_chosen()

    def _show_doors(self) -> None:
        """A pattern is compared with those of a sentence; what a head does in general needs its model."""
        sentence = self._state.scope == "sentence"
        self.draw.setVisible(sentence)
        self.draw.setEnabled(self._state.report is not None)
        self.circuits.setVisible(self._state.scope != "pruning")
        obstacle = self._state.general_obstacle
        self.circuits.setEnabled(not obstacle and self._state.place is not None)
        tip = obstacle or self.tr(
            "What the head in view does whatever the sentence: what it promotes, attracts"
        )
        self.circuits.setToolTip(plain(tip))

    def retranslate(self) -> None:
        """Take the language in force."""
        names = (self.tr("Sentence"), self.tr("Corpus…"), self.tr("Prune…"))
        for tab, name in zip(self.scopes, names, strict=True):
            tab.setText(name)
        self.scopes[1].setToolTip(
            self.tr(
                "Measured over a file of sentences and compared with random weights; only then "
                "are roles named"
            )
        )
        self.scopes[2].setToolTip(
            self.tr("Switch heads off one after the other over a file of pairs, and see what is left")
        )
        self.scopes[0].setToolTip(self.tr("Measured on the sentence in view"))
        self.grid.setText(self.tr("Grid"))
        self.draw.setText(self.tr("Draw a pattern…"))
        self.draw.setToolTip(self.tr("Sort the heads by how like a drawn pattern they are"))
        self.circuits.setText(self.tr("In general…"))
        self.grid.setToolTip(self.tr("Layers × heads, coloured by one metric"))
        self.kind.clear()
        for kind in _KINDS:
            self.kind.addItem(self.tr("All") if kind is None else kind_short(kind))
        self.kind.setAccessibleName(self.tr("Family"))
        self.metric_box.setAccessibleName(self.tr("Metric"))
        chosen = self.metric_box.currentData()
        self.metric_box.clear()
        self.refresh()
        self.metric_box.setCurrentIndex(max(0, self.metric_box.findData(chosen)))
        self._metric_chosen()
        self.export.setText(self.tr("Save"))
        self.actions_["csv"].setText(self.tr("As CSV…"))
        self.actions_["json"].setText(self.tr("As JSON…"))

    def _scope_clicked(self, index: int) -> None:
        self._state.choose_scope(_SCOPES[index])

    def _grid_toggled(self, on: bool) -> None:
        self.metric_box.setVisible(on)
        self.grid_chosen.emit(on)

    def _kind_chosen(self, index: int) -> None:
        self._state.choose_kind(_KINDS[index])

    def _metric_chosen(self) -> None:
        name = self.metric_box.currentData()
        if name:
            self.metric_box.setToolTip(plain(meaning(name)))
            self.metric_chosen.emit(name)

    def _export(self) -> None:
        action = self.sender()
        kind = next((kind for kind, known in self.actions_.items() if known is action), "")
        if kind:
            self.export_asked.emit(kind)
