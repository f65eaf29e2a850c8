"""`SourceSection`: what the model reads: tokens to block, and the positions added to them."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import cast

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from model.abilities import Ability
from model.alterations.change_positions import ChangePositions, How, Side
from viewer.document.alterations.block_token import blocked_tokens, is_blocked, with_block
from viewer.document.alterations.change_positions import positions_of, with_positions
from viewer.document.text.input_text import input_tokens
from viewer.document.text.model_text import cannot
from viewer.document.text.token_text import TokenText, token_texts
from viewer.document.what_if.what_if_editor import WhatIfEditor
from viewer.pages.look.what_if.inputs import Choice
from viewer.pages.look.what_if.section import Section
from viewer.pages.look.what_if.word_chips import WordChip, WordChips
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label

_HOWS = ("", "none", "shuffled")
_SIDES: tuple[Side, ...] = ("both", "source", "target")
_SEEDS = 10_000


class SourceSection(Section):
    """Source tokens as chips, and the choice of positions."""

    def __init__(self, editor: WhatIfEditor, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(editor, appearance, parent)
        self.title, self.positions_title = label("title"), label("title")
        self.hint = label("small")
        self.tokens = WordChips(appearance)
        self.tokens.set_clickable(True)
        self._shown: tuple[object, ...] = ()
        self.how, self.side = Choice(), Choice()
        self.seed = label("small")
        self.shuffle = QPushButton()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.hint.setWordWrap(True)
        for widget in (self.title, self.hint, self.tokens):
            column.addWidget(widget)
        column.addSpacing(8)
        column.addWidget(self.positions_title)
        choices, shuffled = QHBoxLayout(), QHBoxLayout()
        choices.addWidget(self.how, 1)
        choices.addWidget(self.side, 1)
        shuffled.addWidget(self.seed, 1)
        shuffled.addWidget(self.shuffle)
        column.addLayout(choices)
        column.addLayout(shuffled)
        self.tokens.chosen.connect(self._token_chosen)
        self.how.activated.connect(self._positions_chosen)
        self.side.activated.connect(self._positions_chosen)
        self.shuffle.clicked.connect(self._shuffle)

    def refresh(self) -> None:
        """Show the untouched run's tokens and the positions as they are changed."""
        pair, changes = self.editor.pair, self.editor.changes
        if pair is None:
            return
        trace = pair.baseline.trace
        texts = token_texts(
            input_tokens(trace), raw=self.editor.session.view.raw_pieces, style=trace.token_style
        )
        self._show_tokens(texts, blocked_tokens(changes))
        self._name_tokens(bool(trace.prompt_length))
        arranges = not cannot(self.editor.session.model, Ability.ARRANGE)
        for widget in (self.positions_title, self.how, self.side):
            widget.setVisible(arranges)
        positions = positions_of(changes)
        self.how.setCurrentIndex(0 if positions is None else _HOWS.index(positions.how))
        if positions is not None:
            self.side.setCurrentIndex(_SIDES.index(positions.side))
        shuffled = positions is not None and positions.how == "shuffled"
        self.side.setEnabled(positions is not None)
        self.seed.setVisible(shuffled)
        self.shuffle.setVisible(shuffled)
        self.seed.setText("" if positions is None else self.tr("seed {seed}").format(seed=positions.seed))

    def _show_tokens(self, texts: Sequence[TokenText], blocked: Collection[int]) -> None:
        tips = self.tr("Click to block"), self.tr("Blocked; click to unblock")
        shown = texts, blocked, tips
        if shown == self._shown:  # as with each step and head, and there may be thousands
            return
        self._shown = shown
        chips = [
            WordChip(token.marked, "blocked", tips[1], token.dim)
            if index in blocked
            else WordChip(token.marked, "same", tips[0], token.dim)
            for index, token in enumerate(texts)
        ]
        self.tokens.show_chips(tuple(chips))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.hint.setText(self.tr("Click a token to block it: no position can read it."))
        pair = self.editor.pair
        self._name_tokens(pair is not None and bool(pair.baseline.trace.prompt_length))
        self.positions_title.setText(self.tr("Positions"))
        self.how.setAccessibleName(self.tr("Positions"))
        self.side.setAccessibleName(self.tr("Which side's positions"))
        self._fill(self.how, [self.tr("unchanged"), self.tr("removed"), self.tr("shuffled")])
        self._fill(self.side, [self.tr("both sides"), self.tr("source"), self.tr("target")])
        self.shuffle.setText(self.tr("New shuffle"))

    def _name_tokens(self, prompted: bool) -> None:
        self.title.setText(self.tr("Prompt tokens") if prompted else self.tr("Source tokens"))
        to_block = self.tr("Prompt tokens to block") if prompted else self.tr("Source tokens to block")
        self.tokens.setAccessibleName(to_block)

    @staticmethod
    def _fill(box: QComboBox, texts: list[str]) -> None:
        with QSignalBlocker(box):
            at = max(0, box.currentIndex())
            box.clear()
            box.addItems(texts)
            box.setCurrentIndex(at)

    def _token_chosen(self, token: int) -> None:
        changes = self.editor.changes
        pair = self.editor.pair
        prompted = pair is not None and bool(pair.baseline.trace.prompt_length)
        self.editor.ask(with_block(changes, token, not is_blocked(changes, token), prompted=prompted))

    def _positions_chosen(self) -> None:
        how, changes = _HOWS[self.how.currentIndex()], self.editor.changes
        if not how:
            self.editor.ask(with_positions(changes, None))
            return
        before = positions_of(changes) or ChangePositions()
        new = replace(before, how=cast(How, how), side=_SIDES[self.side.currentIndex()])
        self.editor.ask(with_positions(changes, new))

    def _shuffle(self) -> None:
        positions = positions_of(self.editor.changes)
        if positions is not None:
            seed = (positions.seed + 1 + secrets.randbelow(_SEEDS - 1)) % _SEEDS
            self.editor.ask(with_positions(self.editor.changes, replace(positions, seed=seed)))
