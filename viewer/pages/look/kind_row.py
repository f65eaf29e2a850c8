"""`KindRow`: the kind of attention that is shown, and what the current step reads and predicts."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from model.folder.families import Family
from model.trace.trace import AttentionKind, Trace
from viewer.document.session import Session
from viewer.document.text.absent import absent_sentence, absent_words
from viewer.document.text.model_text import family_of, family_of_trace, kinds_of
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.buttons import label, tab_button
from viewer.pages.widgets.overflow_menu import KEYS
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.shown_keys import key_now, keyed
from viewer.pages.widgets.wording import step_sentence

_KEYS = ("E", "D", "C")
_FILLS, _HUGS = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed


class KindRow(OverflowRow):
    """Encoder self-attention, decoder self-attention, cross-attention: one row above heads and map.

    Attributes:
        absent: which kinds the trace lacks, quietly; their tabs are not there.
        rest: what the sentence of the step leaves free, for whoever has something to say there.
    """

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent, spacing=4)
        self._session = session
        self._lent: QHBoxLayout | None = None
        self._group = QButtonGroup(self)
        self.tabs = {kind: tab_button(self._group, index) for index, kind in enumerate(AttentionKind)}
        self.absent = label("small")
        self.sentence = label("large")
        self.sentence.be_elastic(hugging=True)
        room = QWidget()
        self.rest = QHBoxLayout(room)
        self.rest.setContentsMargins(0, 0, 0, 0)
        for tab, key in zip(self.tabs.values(), _KEYS, strict=True):
            tab.setProperty(KEYS, key)
            self.add(tab)
        self.add_space(6)
        self.add(self.absent, rank=2)
        self.add_space(8)
        self.add(self.sentence, 40, rank=STAYS)
        self.add_space(14)
        self.rest.addStretch()  # so that the tabs stay together while nobody has
        self.add(room, 1, rank=STAYS)
        self._group.idClicked.connect(self._chosen)
        session.pane_moved.connect(self._pane_moved)
        session.run_grew.connect(self.refresh)
        session.panes_changed.connect(self.refresh)
        self._late = BeforePaint(self, self.refresh)
        session.view_changed.connect(self._late.ask)
        session.model_changed.connect(self.refresh)
        self.retranslate()

    def lend(self, other: QHBoxLayout | None) -> None:
        """Put the tabs, by their letters, into another row; None takes them back."""
        if (other is None) is (self._lent is None):
            return
        self._lent, before = other, self._lent
        for place, tab in enumerate(self.tabs.values()):
            if before is not None:
                before.removeWidget(tab)
                self.insert(place, tab)
            elif other is not None:
                self.take(tab)
                other.addWidget(tab, 1)
            tab.setProperty("framed", other is not None)
            tab.setSizePolicy(_FILLS if other is not None else _HUGS, QSizePolicy.Policy.Fixed)
            tab.style().unpolish(tab)
            tab.style().polish(tab)
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what was changed while nobody saw it."""
        super().showEvent(event)
        self._late.shown()

    def refresh(self) -> None:
        """Show the active pane's kind and step."""
        trace, selection = self._session.trace(), self._session.selection()
        self._name(trace)
        for kind, tab in self.tabs.items():
            tab.setVisible(kind in (kinds_of(self._session.model) if trace is None else trace.kinds))
            tab.setChecked(selection is not None and selection.kind is kind)
        absent = "" if trace is None else absent_words(trace)
        self.absent.setText(absent)
        self.absent.setToolTip(plain("" if trace is None else absent_sentence(trace)))
        self.absent.setVisible(bool(absent))
        text = ""
        if trace is not None and selection is not None:
            text = step_sentence(trace, selection.step, self._session.view.raw_pieces)
        self.sentence.setText(text)
        self.sentence.setToolTip(plain(text))

    def _name(self, trace: Trace | None) -> None:
        """What the tabs are called: of a model with one stack, by what it is there."""
        family = family_of(self._session.model) if trace is None else family_of_trace(trace)
        names = {
            AttentionKind.ENCODER_SELF: (
                self.tr("Encoder self-attention"),
                self.tr("Source words look at source words (E)"),
            ),
            AttentionKind.DECODER_SELF: (
                self.tr("Decoder self-attention"),
                self.tr("Produced words look at produced words (D)"),
            ),
            AttentionKind.CROSS: (
                self.tr("Cross-attention"),
                self.tr("Produced words look at source words (C)"),
            ),
        }
        if family is Family.DECODER_ONLY:
            tip = self.tr("Each word of prompt and continuation looks at itself and those before it (D)")
            names[AttentionKind.DECODER_SELF] = (self.tr("Self-attention (causal)"), tip)
            if trace is not None and not trace.is_causal:
                tip = self.tr("Every word looks at every word (D)")
                names[AttentionKind.DECODER_SELF] = (self.tr("Self-attention"), tip)
        elif family is Family.ENCODER_ONLY:
            tip = self.tr("Every word looks at every word (E)")
            names[AttentionKind.ENCODER_SELF] = (self.tr("Self-attention"), tip)
        for (kind, (name, tip)), letter in zip(names.items(), map(key_now, _KEYS), strict=True):
            tip = keyed(tip)
            self.tabs[kind].setText(name if self._lent is None else letter)
            self.tabs[kind].setAccessibleName(name)
            self.tabs[kind].setToolTip(plain(tip if self._lent is None else f"{name}\n{tip}"))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.refresh()

    def _pane_moved(self, pane: int) -> None:
        if pane == self._session.active:
            self.refresh()

    def _chosen(self, index: int) -> None:
        self._session.select_kind(list(AttentionKind)[index])
        self.refresh()
