"""The sentence, its pieces, the output and the steps: the top card of the Look page."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QProgressBar, QPushButton, QWidget

from model.trace import Trace
from viewer.resources import icon
from viewer.state.session import Session
from viewer.state.token_text import token_texts
from viewer.views.appearance import Appearance
from viewer.views.buttons import label
from viewer.views.decoding_menu import DecodingButton
from viewer.views.samples_menu import SamplesButton
from viewer.views.sentence_box import SentenceBox
from viewer.views.step_bar import StepBar
from viewer.views.token_strip import Chip, TokenStrip
from viewer.views.wording import percent


class SentencePanel(QFrame):
    """Type, translate, step.

    Signals:
        translate_asked: Enter or the button; the text is `session.text`, the mode `decoding.decoding`.
        cancel_asked: the button while it says Cancel.
    """

    translate_asked = Signal()
    cancel_asked = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: tuple[Trace, bool, int, bool] | None = None
        self._look = appearance
        self.setProperty("role", "card")
        self.box = SentenceBox()
        self.samples = SamplesButton(appearance)
        self.decoding = DecodingButton(appearance)
        self.translate = QPushButton()
        self.translate.setProperty("role", "primary")
        self.badge = label("badge")
        self.pieces = TokenStrip(appearance, size=13.5)
        self.count = label("small")
        self.output = TokenStrip(appearance)
        self.output.set_clickable(True)
        self.steps = StepBar(session, appearance)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self._names = {name: label("muted") for name in ("sentence", "pieces", "output")}
        self._lay_out()
        self._connect()
        self._restyle()
        self.retranslate()

    def _lay_out(self) -> None:
        grid = QGridLayout(self)
        grid.setContentsMargins(16, 12, 16, 10)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        sentence, pieces, output = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        sentence.setSpacing(8)
        sentence.addWidget(self.box, 1)
        for widget in (self.samples, self.decoding, self.translate):
            sentence.addWidget(widget)
        pieces.addWidget(self.pieces, 1)
        pieces.addWidget(self.count)
        pieces.addWidget(self.badge)
        output.setSpacing(12)
        output.addWidget(self.output, 1)
        output.addWidget(self.steps)
        for row, (name, layout) in enumerate(zip(self._names, (sentence, pieces, output), strict=True)):
            grid.addWidget(self._names[name], row, 0)
            grid.addLayout(layout, row, 1)
        grid.addWidget(self.progress, 3, 0, 1, 2)
        policy = self.progress.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.progress.setSizePolicy(policy)
        self.progress.hide()

    def _connect(self) -> None:
        session = self._session
        self.box.textEdited.connect(session.set_text)
        self.box.entered.connect(self.translate_asked)
        self.samples.picked.connect(self._sample_picked)
        self.translate.clicked.connect(self._translate_clicked)
        self.output.chosen.connect(session.set_step)
        session.text_changed.connect(self._text_changed)
        session.pieces_changed.connect(self.show_pieces)
        session.job_changed.connect(self.show_job)
        session.pane_changed.connect(self._pane_changed)
        for signal in (session.run_grew, session.panes_changed, session.runs_changed, session.view_changed):
            signal.connect(self.show_output)
        session.view_changed.connect(self.show_pieces)
        session.model_changed.connect(self._model_changed)
        self._look.changed.connect(self._restyle)

    def show_output(self) -> None:
        """Draw the chips of the active pane's run; those after the current step wait as dots."""
        run, selection = self._session.run(), self._session.selection()
        if run is None or selection is None:
            self._shown = None
            self.output.show_chips(())
            self.badge.hide()
            return
        trace, raw = run.trace, self._session.view.raw_pieces
        self.badge.setVisible(run.provenance.get("source") == "recorded" and self._session.model is None)
        # Another layer or head changes nothing here.
        shown = (trace, run.live, selection.step, raw)
        if shown == self._shown:
            return
        self._shown = shown
        chips = []
        for index, token in enumerate(token_texts(trace.tgt_out_tokens, raw=raw)):
            probability = math.exp(min(0.0, float(trace.step_logprob[index])))
            tip = self.tr("Step {step}: {share} probable. Click to look at this step.").format(
                step=index + 1, share=percent(probability)
            )
            later = index > selection.step
            chips.append(Chip(token.text, probability, tip, token.continues, token.dim, pending=later))
        if run.live:
            chips.append(Chip("", pending=True))
        self.output.show_chips(tuple(chips), selection.step)

    def show_pieces(self) -> None:
        """Draw what the tokenizer makes of the text; of a run's own pieces while the text is the run's."""
        session = self._session
        run, pieces = session.run(), session.pieces
        raw = session.view.raw_pieces
        if run is not None and run.trace.src_text == session.text:
            shown = run.trace.src_tokens
        elif pieces is not None and pieces.text == session.text:
            shown = pieces.pieces
        else:
            shown = ()
        tokens = token_texts(shown, raw=raw)
        chips = (
            Chip(t.text, joined=t.continues, tip=t.raw, dim=t.dim)
            for t in tokens
            if not t.special and t.part == 0
        )
        self.pieces.show_chips(tuple(chips))
        self.count.setText(self._count_text())

    def show_job(self) -> None:
        """Show progress and turn Translate into Cancel while a sentence is decoded."""
        job = self._session.job
        decoding = job.state == "decoding"
        self.progress.setVisible(job.busy)
        self.progress.setRange(0, max(0, job.total))
        self.progress.setValue(job.done)
        colours = self._look.palette
        self.translate.setText(self.tr("Cancel") if decoding else self.tr("Translate"))
        self.translate.setIcon(icon("cancel" if decoding else "translate", colours.on_accent, colours.muted))
        self.translate.setToolTip(
            self.tr("Stop (Esc)") if decoding else self.tr("Translate the sentence (Enter)")
        )

    def set_pieces_visible(self, on: bool) -> None:
        """Show the row of pieces, or save its room."""
        for widget in (self._names["pieces"], self.pieces, self.count):
            widget.setVisible(on)

    def retranslate(self) -> None:
        """Take the language in force."""
        self._names["sentence"].setText(self.tr("Sentence"))
        self._names["pieces"].setText(self.tr("Pieces"))
        self._names["output"].setText(self.tr("Output"))
        self.box.setPlaceholderText(self.tr("Type a sentence and press Enter"))
        self.box.setAccessibleName(self.tr("Sentence"))
        self.pieces.setAccessibleName(self.tr("Pieces"))
        self.pieces.setToolTip(self.tr("The pieces the model reads; · joins the pieces of one word"))
        self.output.setAccessibleName(self.tr("Output"))
        self.badge.setText(self.tr("recorded example, model loading"))
        self.progress.setAccessibleName(self.tr("Progress"))
        self._text_changed()
        self.show_pieces()
        self.show_job()
        self._shown = None
        self.show_output()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _count_text(self) -> str:
        run, pieces = self._session.run(), self._session.pieces
        if run is not None and run.trace.src_text == self._session.text and run.trace.src_tokens:
            # The run's own, as the pieces shown: the model in use may be another.
            return self.tr("{tokens} tokens with the end sign").format(tokens=len(run.trace.src_tokens))
        if pieces is None or pieces.text != self._session.text or not pieces.pieces:
            return ""
        if pieces.tokens > pieces.limit:
            return self.tr("{tokens} tokens; this model reads at most {limit}").format(
                tokens=pieces.tokens, limit=pieces.limit
            )
        return self.tr("{tokens} tokens with the end sign").format(tokens=pieces.tokens)

    def _restyle(self) -> None:
        side = self._look.px(16)
        self.translate.setIconSize(
            self.translate.iconSize().scaled(side, side, Qt.AspectRatioMode.IgnoreAspectRatio)
        )
        self.translate.setLayoutDirection(
            Qt.LayoutDirection.RightToLeft
        )  # the Enter sign stands after the word
        self.show_job()

    def _pane_changed(self, pane: int) -> None:
        if pane == self._session.active:
            self.show_output()

    def _text_changed(self) -> None:
        if self.box.text() != self._session.text:
            self.box.setText(self._session.text)
            self.box.home(False)  # of a long sentence, its beginning
        self.show_pieces()

    def _model_changed(self) -> None:
        info = self._session.model
        if info is not None:
            self.samples.set_model(info.languages[0], info.path)
        self.show_output()

    def _sample_picked(self, text: str) -> None:
        self._session.set_text(text)
        self.box.setFocus()
        self.translate_asked.emit()

    def _translate_clicked(self) -> None:
        if self._session.job.state == "decoding":
            self.cancel_asked.emit()
        else:
            self.translate_asked.emit()
