"""The row in view: as the model computes it, on one key, uniform, or typed in."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QVBoxLayout, QWidget

from model.alterations.set_row import WEIGHTS_TOLERANCE, SetRow
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.edits import Changes, without
from viewer.document.alterations.set_row import row_keys, row_of, with_row
from viewer.document.selection import Selection
from viewer.document.text.token_text import TokenText, token_texts
from viewer.document.what_if.what_if_editor import WhatIfEditor
from viewer.pages.look.what_if.inputs import Choice
from viewer.pages.look.what_if.row_values import RowValues
from viewer.pages.look.what_if.section import Section
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain

# What the choices stand for, beside the number of a key.
_COMPUTED, _UNIFORM, _TYPED = -1, -2, -3


class RowSection(Section):
    """The row of the crosshair, else the current step's, in the head in view."""

    def __init__(self, editor: WhatIfEditor, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(editor, appearance, parent)
        self._shown: tuple[object, ...] = ()
        self._listed: tuple[Sequence[TokenText], Sequence[int]] = (), ()
        self._codes: list[int] = []
        self._row: tuple[list[str], list[float]] = [], []
        self.title = label("title")
        self.row = label("small")
        self.row.setWordWrap(True)
        self.choice = Choice()
        self.values = RowValues(appearance)
        self.values.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self.title, self.row, self.choice, self.values):
            column.addWidget(widget)
        self.choice.activated.connect(self._chosen)
        self.values.applied.connect(self._applied)

    def refresh(self) -> None:
        """Show the row in view and what is done to it."""
        session = self.editor.session
        trace, selection = session.trace(), session.selection()
        query = None if trace is None or selection is None else query_in_view(trace, selection)
        if trace is None or selection is None or query is None:
            self._shown = ()
            self.row.setText(self.tr("Click a cell of the map to choose a row."))
            self.choice.hide()
            self.values.hide()
            return
        kind, changes = selection.kind, self.editor.changes
        raw = session.view.raw_pieces
        shown = (trace, kind, selection.layer, selection.head, query, changes, raw)
        if shown == self._shown:
            return
        self._shown = shown
        self.choice.show()
        self.row.setText(self._row_name(trace, kind, query, raw))
        self.row.setToolTip(plain(self.row.text()))
        self._fill(trace, selection, query, changes)

    def _fill(self, trace: Trace, selection: Selection, query: int, changes: Changes) -> None:
        kind = selection.kind
        raw, starts = self.editor.session.view.raw_pieces, kind is AttentionKind.DECODER_SELF
        names = token_texts(trace.key_tokens(kind), raw=raw, style=trace.token_style, starts=starts)
        keys = row_keys(kind, query, len(names), changes, prompted=bool(trace.prompt_length))
        now = row_of(changes, kind, selection.layer, selection.head, query)
        with QSignalBlocker(self.choice):
            self._list(names, keys)
            code = _code(now)
            self.choice.setCurrentIndex(self._codes.index(code) if code in self._codes else -1)
        pattern = trace.row(kind, selection.layer, selection.head, query)
        weights = _together_one([float(pattern[key]) for key in keys])
        if now is not None and now.weights is not None and len(now.weights) == len(keys):
            weights = list(now.weights)
        self._row = [names[key].marked for key in keys], weights
        self.values.hide()
        self._show_values(now is not None and now.weights is not None)

    def _list(self, names: Sequence[TokenText], keys: Sequence[int]) -> None:
        """What can be chosen: another head of the same row has the same keys, which may be thousands."""
        if (names, keys) == self._listed and self.choice.count():
            return
        self._listed = names, keys
        self.choice.clear()
        only = self.tr("only {number} “{token}”")
        texts = [only.format(number=key + 1, token=names[key].marked) for key in keys]
        texts = [self.tr("as the model computes it"), self.tr("uniform"), *texts, self.tr("type values…")]
        self.choice.addItems(texts)
        self._codes = [_COMPUTED, _UNIFORM, *keys, _TYPED]

    def _show_values(self, on: bool) -> None:
        """The table of numbers, which is filled when somebody is to see it."""
        if on and self.values.isHidden():
            self.values.show_row(*self._row)
        self.values.setVisible(on)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.title.setText(self.tr("Row in view"))
        self.choice.setAccessibleName(self.tr("What this row attends to"))
        self.values.retranslate()
        self._shown, self._listed = (), ((), ())

    def _row_name(self, trace: Trace, kind: AttentionKind, query: int, raw: bool) -> str:
        style = trace.token_style
        if kind is AttentionKind.ENCODER_SELF:
            token = token_texts(trace.src_tokens, raw=raw, style=style)[query].marked
            return self.tr("Row {number}, “{token}”").format(number=query + 1, token=token)
        reads = token_texts(trace.tgt_in_tokens, raw=raw, style=style, starts=True)[query].marked
        predicts = token_texts(trace.tgt_out_tokens, raw=raw, style=style)[query].marked
        text = self.tr("Row {number}, reads “{reads}” → predicts “{predicts}”")
        return text.format(number=query + 1, reads=reads, predicts=predicts)

    def _chosen(self) -> None:
        place, code = self._place(), self._codes[self.choice.currentIndex()]
        self._show_values(code == _TYPED)
        if place is None or code == _TYPED:
            return
        changes = self.editor.changes
        if code == _COMPUTED:
            self.editor.ask(without(changes, row_of(changes, *place)))
        else:
            self.editor.ask(with_row(changes, SetRow(*place, key=None if code == _UNIFORM else code)))

    def _applied(self, weights: tuple[float, ...]) -> None:
        place = self._place()
        if place is not None:
            self.editor.ask(with_row(self.editor.changes, SetRow(*place, weights=weights)))

    def _place(self) -> tuple[AttentionKind, int, int | None, int] | None:
        trace, selection = self.editor.session.trace(), self.editor.session.selection()
        query = None if trace is None or selection is None else query_in_view(trace, selection)
        if selection is None or query is None:
            return None
        return selection.kind, selection.layer, selection.head, query


def _together_one(weights: list[float]) -> list[float]:
    """The weights of the keys that may be read, as they are once others are blocked."""
    total = sum(weights)
    if abs(total - 1) <= WEIGHTS_TOLERANCE:
        return weights
    return [weight / total for weight in weights] if total > 0 else [1 / len(weights) for _ in weights]


def query_in_view(trace: Trace, selection: Selection) -> int | None:
    """The crosshair's row, else in the decoder the current step's; None if there is no such row."""
    query = selection.query
    if query is None and selection.kind is not AttentionKind.ENCODER_SELF:
        query = selection.step
    rows = len(trace.src_tokens) if selection.kind is AttentionKind.ENCODER_SELF else trace.steps
    return query if query is not None and 0 <= query < rows else None


def _code(row: SetRow | None) -> int:
    if row is None:
        return _COMPUTED
    if row.weights is not None:
        return _TYPED
    return _UNIFORM if row.key is None else row.key
