"""The sentence, its pieces, the output and the steps: the top card of the Look page."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QProgressBar, QPushButton, QWidget

from model.abilities import Ability, can_compute
from model.folder.families import Family
from model.tokens.spelling import unknown_characters
from viewer.document.decoding_settings import ONE_BY_ONE
from viewer.document.document import Run
from viewer.document.messages.notice import Notice
from viewer.document.messages.requests import Cancel, Continue, ReadTarget, Translate
from viewer.document.session import Session
from viewer.document.text.input_text import given_steps, input_text, input_tokens
from viewer.document.text.model_text import cannot_write, family_of, family_of_trace, task_of
from viewer.document.text.token_text import TokenText, token_texts
from viewer.icons import icon
from viewer.model_samples import sample_groups
from viewer.pages.look.continuing import can_continue, toggle_pause, was_stopped
from viewer.pages.look.sentence.beside_strip import BesideStrip
from viewer.pages.look.sentence.chip_menu import ChipMenu
from viewer.pages.look.sentence.decoding_menu import DecodingButton
from viewer.pages.look.sentence.earlier_button import EarlierButton
from viewer.pages.look.sentence.output_chips import AllChips, ShownChips
from viewer.pages.look.sentence.run_badge import run_badge
from viewer.pages.look.sentence.samples_menu import SamplesButton
from viewer.pages.look.sentence.step_bar import StepBar
from viewer.pages.look.sentence.strip_link import StripLink, has_chip
from viewer.pages.look.sentence.target_row import TargetRow
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.buttons import IconButton, label
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.sentence_box import LONGEST, SentenceBox
from viewer.pages.widgets.shown_keys import keyed
from viewer.pages.widgets.token_strip import Chip, TokenStrip
from viewer.pages.widgets.worded import Worded

_UNKNOWN = 3  # characters named beside the pieces; the tooltip names all
_BADGE = 300  # most room for what the badge says; its tooltip says all
_WIDE = 1000
_MARGINS, _LOW_MARGINS = (16, 12, 16, 10), (8, 6, 8, 2)
_LEAST_SENTENCE = 560  # in a low panel, whose other buttons leave first


class SentencePanel(Worded, QFrame):
    """Type, translate, watch, hold up, step.

    Signals:
        asked: what is typed is asked for in this moment, in whatever way.
    """

    asked = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._forced = session.decoding.forced  # as shown
        self._low, self._pieces_wanted = False, True
        self._shown: tuple[AllChips, int] | None = None
        self._chips = ShownChips()
        self._piece_chips: tuple[tuple[TokenText, ...], list[Chip]] | None = None
        # Other ways to show a long text's pieces take a turn for each of the rows.
        self._late = BeforePaint(self, self.show_output), BeforePaint(self, self.show_pieces)
        self._appearance = appearance
        self.setProperty("role", "card")
        self.box = SentenceBox()
        self.samples = SamplesButton(appearance)
        self.samples.setEnabled(can_compute())
        self.decoding = DecodingButton(session, appearance)
        self.translate = QPushButton()
        self.translate.setProperty("role", "primary")
        self.pause = IconButton(appearance, "pause")
        self.target = TargetRow(session, appearance)
        self.badge = label("badge")
        self.continue_ = QPushButton()
        self.continue_.setProperty("role", "link")
        self.chip_menu = ChipMenu(session, self)
        self.pieces = TokenStrip(appearance, size=13.5)
        self.count = label("small")
        self.earlier = EarlierButton(session, appearance)
        self.output = TokenStrip(appearance)
        self.output.set_clickable(True)
        self.beside = BesideStrip(session, appearance)
        self.link = StripLink(session, self.pieces, self.output, self)
        self.steps = StepBar(session, appearance)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self._names = {name: label("muted") for name in ("sentence", "target", "pieces", "output", "beside")}
        self._lay_out()
        self._connect()
        self._restyle()
        self.retranslate()

    def _lay_out(self) -> None:
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(*_MARGINS)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        sentence, output = OverflowRow(self._appearance, spacing=8), OverflowRow(self._appearance, spacing=12)
        sentence.add(self.box, 1, rank=STAYS)
        for widget, rank in ((self.samples, 3), (self.decoding, 2), (self.pause, 1), (self.translate, STAYS)):
            sentence.add(widget, rank=rank)
        pieces = QWidget()
        row_of_pieces = QHBoxLayout(pieces)
        row_of_pieces.setContentsMargins(0, 0, 0, 0)
        row_of_pieces.addWidget(self.pieces, 1)
        row_of_pieces.addWidget(self.count)
        output.add(self.earlier, rank=STAYS)
        output.add(self.output, 1, rank=STAYS)
        output.add(self.badge, rank=3)
        output.add(self.continue_, rank=2)
        output.add(self.steps)
        rows = (sentence, self.target, pieces, output, self.beside)
        for place, (name, row) in enumerate(zip(self._names, rows, strict=True)):
            grid.addWidget(self._names[name], place, 0)
            grid.addWidget(row, place, 1)
        grid.addWidget(self.progress, len(rows), 0, 1, 2)
        self._show_target()
        policy = self.progress.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.progress.setSizePolicy(policy)
        self.progress.hide()

    def _connect(self) -> None:
        session = self._session
        self.box.textEdited.connect(session.set_text)
        self.box.entered.connect(self.ask)
        for box in (self.box, self.target.box):
            box.inputRejected.connect(self._tell_cut)
        self.samples.picked.connect(self._sample_picked)
        self.target.entered.connect(self.ask)
        self.target.closed.connect(self._target_closed)
        self.translate.clicked.connect(self._translate_clicked)
        self.pause.clicked.connect(self.toggle_pause)
        self.pause_shortcut = QShortcut(QKeySequence("Ctrl+P"), self, self.toggle_pause)
        self.continue_.clicked.connect(self._continue)
        self.earlier.clicked.connect(self.box.setFocus)
        self.output.chosen.connect(self._chip_chosen)
        self.output.menu_asked.connect(self._chip_menu_asked)
        self.pieces.chosen.connect(self._piece_chosen)
        session.text_changed.connect(self._text_changed)
        session.pieces_changed.connect(self.show_pieces)
        session.job_changed.connect(self.show_job)
        session.decoding_changed.connect(self._decoding_changed)
        session.pane_moved.connect(self._pane_moved)
        for signal in (session.run_grew, session.panes_changed, session.runs_changed):
            signal.connect(self._late[0].ask)
        for late in self._late:
            session.view_changed.connect(late.ask)
        session.model_changed.connect(self._model_changed)
        self._appearance.changed.connect(self._restyle)

    def show_output(self) -> None:
        """Draw the chips of the active pane's run; those after the current step wait as dots."""
        session = self._session
        run, selection = session.run(), session.selection()
        self._show_rows(run)
        self._show_whose()
        self._show_beside()
        if run is None or selection is None:
            self._shown = None
            self._chips.forget()
            self.output.show_chips(())
            self._show_badge("", None)
            return
        self._show_badge(run_badge(session, run), run)
        raw, paused = session.view.raw_pieces, session.job.paused
        chips = self._chips.of(session.document, run, raw=raw, paused=paused)
        if self._shown == (chips, selection.step):
            return  # another layer or head changes nothing here
        self._shown = chips, selection.step
        self.output.show_chips(chips.at(selection.step), selection.step - given_steps(run.trace))
        if run.trace.prompt_length:
            self.show_pieces()  # the step may be one of the prompt's, whose token is framed there

    def _show_whose(self) -> None:
        """Where the output is not of the sentence above, say so."""
        self.output.setAccessibleName(self.earlier.refresh(self.width()))
        for strip in (self.output, self.beside):
            strip.set_faded(not self.earlier.isHidden())

    def _show_beside(self) -> None:
        """While the model is changed, the other one of its two translations."""
        name = self.beside.refresh()
        self._names["beside"].setVisible(bool(name))
        self._names["beside"].setText(name)
        self.beside.setAccessibleName(name)

    def _show_badge(self, text: str, run: Run | None) -> None:
        self.badge.setVisible(bool(text))
        self.badge.setToolTip(plain(text))
        # What the output is of takes its share of a narrow row.
        crowded = self.width() < self._appearance.px(_WIDE) and not self.earlier.isHidden()
        room = min(self._appearance.px(_BADGE), self.width() // (10 if crowded else 5))
        self.badge.setText(self.badge.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room))
        self.continue_.setVisible(run is not None and was_stopped(run) and can_continue(self._session, run))

    def show_pieces(self) -> None:
        """Draw what the tokenizer makes of the text; of a run's own pieces while the text is the run's."""
        session = self._session
        run, pieces = session.run(), session.pieces
        raw = session.view.raw_pieces
        own = run is not None and input_text(run.trace) == session.text
        if run is not None and own:
            tokens = token_texts(input_tokens(run.trace), raw=raw, style=run.trace.token_style)
        elif pieces is not None and pieces.text == session.text:
            tokens = token_texts(pieces.pieces, raw=raw, style=pieces.style)
        else:
            tokens = ()
        prompted = run is not None and own and run.trace.prompt_length > 0
        self.pieces.set_clickable(prompted)
        now = self._read_now() if prompted else -1
        if self._piece_chips is None or self._piece_chips[0] is not tokens:
            made = [Chip(t.marked, joined=t.continues, says=t.raw, dim=t.dim) for t in tokens if has_chip(t)]
            self._piece_chips = tokens, made
        chips = self._piece_chips[1].copy()  # a step of a long prompt frames another, no more
        if 0 <= now < len(chips):
            chips[now] = replace(chips[now], shade=0.0)
        self.pieces.show_chips(tuple(chips), now)
        self.count.setText(self._count_text())
        self.count.setToolTip(plain(self._unknown_text(whole=True)))

    def show_job(self) -> None:
        """Show progress; while a sentence is decoded, turn Translate into Stop and offer to hold it up."""
        job = self._session.job
        decoding = job.state == "decoding"
        self.progress.setVisible(job.busy)
        self.progress.setRange(0, max(int(job.paused), job.total))  # nothing moves while nothing is done
        self.progress.setValue(job.done)
        self.pause.setEnabled(decoding)
        self.pause.setVisible(decoding or not (self._appearance.present or cannot_write(self._session.model)))
        self.pause.set_icon("play" if job.paused else "pause")
        self.pause.describe(self._pause_text())
        self._name_button(decoding)
        self._late[0].ask()

    def _name_button(self, decoding: bool) -> None:
        """Translate, Read or Stop, in one width: a short translation moves nothing."""
        button, colours = self.translate, self._appearance.palette
        name, tip = self._ask_texts()
        button.setIcon(icon("cancel" if decoding else "translate", colours.on_accent, colours.muted))
        button.setMinimumWidth(0)
        button.setText(name)
        button.setMinimumWidth(button.sizeHint().width())
        if decoding:
            button.setText(self.tr("Stop"))
        button.setEnabled(can_compute())
        tip = tip if can_compute() else cannot_write(self._session.model)
        button.setToolTip(plain(self.tr("Stop (Esc); what is written stays") if decoding else tip))

    def ask(self) -> None:
        """Ask for what the decoding button says: a translation, several drawn ones, a target to be read."""
        session, target = self._session, self.target.box.text().strip()
        if not session.decoding.forced:
            self.asked.emit()
            session.ask(Translate())
        elif target:
            self.asked.emit()
            session.ask(ReadTarget(target))
        else:
            self.target.box.setFocus()

    def toggle_pause(self) -> None:
        """Hold the decoding up, or let it go on."""
        toggle_pause(self._session)

    def _invite(self) -> None:
        """Say in the empty field what to type, and by which key one comes there."""
        text = task_of(self._session.model).placeholder
        self.box.setPlaceholderText(keyed(self.tr("{task} (Ctrl+L)")).format(task=text))
        self.box.setToolTip(plain(self.box.placeholderText()))

    def _name_rows(self) -> None:
        continuing = family_of(self._session.model) is Family.DECODER_ONLY
        self._names["sentence"].setText(self.tr("Text") if continuing else self.tr("Sentence"))
        self._names["target"].setText(self.tr("Continuation") if continuing else self.tr("Target"))

    def _show_rows(self, run: Run | None) -> None:
        """A model that writes nothing has no output and no steps."""
        reads = run.trace.only_reads if run is not None else bool(cannot_write(self._session.model))
        for widget in (self.output, self.steps):
            widget.setVisible(not reads)
        self._names["output"].setVisible(not reads and not self._low)

    def set_pieces_visible(self, on: bool) -> None:
        """Show the row of pieces, or save its room."""
        self._pieces_wanted = on
        self._fold()

    def set_low(self, on: bool) -> None:
        """The sentence and its button in one line, the output in another: no names before them, no pieces."""
        if on != self._low:
            self._low = on
            self._fold()
            self.steps.set_low(on)
            self.show_output()

    def _fold(self) -> None:
        low = self._low
        for widget in (self._names["pieces"], self.pieces, self.count):
            widget.setVisible(self._pieces_wanted and not low)
        for name in ("sentence", "output"):
            self._names[name].setVisible(not low)
        self._grid.setContentsMargins(*(_LOW_MARGINS if low else _MARGINS))
        self.box.setMinimumWidth(self._appearance.px(_LEAST_SENTENCE) if low else 0)
        self._show_rows(self._session.run())

    def retranslate(self) -> None:
        """Take the language in force."""
        self._names["sentence"].setText(self.tr("Sentence"))
        self._name_rows()
        self._names["pieces"].setText(self.tr("Pieces"))
        self._names["output"].setText(self.tr("Output"))
        self._invite()
        self.box.setAccessibleName(self.tr("Sentence"))
        self.pieces.setAccessibleName(self.tr("Pieces"))
        self.pieces.setToolTip(self.tr("The pieces the model reads; · joins the pieces of one word"))
        self.continue_.setText(self.tr("Continue"))
        self.continue_.setToolTip(self.tr("Continue where it was stopped"))
        self.progress.setAccessibleName(self.tr("Progress"))
        self._text_changed()
        self.show_job()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what was changed while nobody saw it."""
        super().showEvent(event)
        for late in self._late:
            late.shown()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the badge its share of the row."""
        super().resizeEvent(event)
        self._late[0].ask()

    def _count_text(self) -> str:
        run, pieces = self._session.run(), self._session.pieces
        whole = self.tr("{tokens} tokens with the end token")
        family = family_of(self._session.model) if run is None else family_of_trace(run.trace)
        if family is not Family.ENCODER_DECODER:
            whole = self.tr("{tokens} tokens")
        if run is not None and input_text(run.trace) == self._session.text and input_tokens(run.trace):
            # The run's own, as the pieces shown: the model in use may be another.
            return whole.format(tokens=len(input_tokens(run.trace))) + self._unknown_text()
        if pieces is None or pieces.text != self._session.text or not pieces.pieces:
            return ""
        if pieces.tokens > pieces.limit:
            return self.tr("{tokens} tokens; this model reads at most {limit}").format(
                tokens=pieces.tokens, limit=pieces.limit
            )
        return whole.format(tokens=pieces.tokens) + self._unknown_text()

    def _unknown_text(self, *, whole: bool = False) -> str:
        """Which characters of the text the model has no piece for; some of them, or all in a sentence."""
        run, pieces = self._session.run(), self._session.pieces
        found: tuple[str, ...] = ()
        if run is not None and input_text(run.trace) == self._session.text:
            found = unknown_characters(input_tokens(run.trace), run.trace.token_style)
        elif pieces is not None and pieces.text == self._session.text:
            found = unknown_characters(pieces.pieces, pieces.style)
        if not found:
            return ""
        if whole:
            text = self.tr("The model has no piece for {characters}: it reads bytes and can only guess.")
            return text.format(characters=" ".join(found))
        more = "…" if len(found) > _UNKNOWN else ""
        return " · " + self.tr("unknown: {characters}").format(characters=" ".join(found[:_UNKNOWN]) + more)

    def _read_now(self) -> int:
        """The chip of the prompt's token that the step in view reads; -1 behind the prompt."""
        selection, places = self._session.selection(), self.link.places()
        step = -1 if selection is None else selection.step
        return places.index(step) if step in places else -1

    def _restyle(self) -> None:
        side = self._appearance.px(16)
        self.translate.setIconSize(
            self.translate.iconSize().scaled(side, side, Qt.AspectRatioMode.IgnoreAspectRatio)
        )
        self.translate.setLayoutDirection(
            Qt.LayoutDirection.RightToLeft
        )  # the Enter sign stands after the word
        # The button's own type is another only when the whole window has taken it.
        QTimer.singleShot(0, self, self.show_job)

    def _pane_moved(self, pane: int) -> None:
        if pane == self._session.active:
            self.show_output()

    def _text_changed(self) -> None:
        if self.box.text() != self._session.text:
            self.box.setText(self._session.text)
            self.box.home(False)  # of a long sentence, its beginning
            if len(self._session.text) > LONGEST:
                self._tell_cut()
        self._show_whose()
        for late in self._late:  # the badge has another room beside it
            late.ask()

    def _tell_cut(self) -> None:
        self._session.set_notice(Notice("text_cut", {"most": f"{LONGEST:,}"}))

    def _model_changed(self) -> None:
        info = self._session.model
        if info is not None:
            self.samples.set_model(info.languages[0], info.path, sample_groups(info))
        continuing = family_of(info) is Family.DECODER_ONLY
        in_rounds = info is not None and Ability.ROUNDS in info.can
        self.decoding.set_model(continuing=continuing, in_rounds=in_rounds, obstacle=cannot_write(info))
        self.target.set_continuing(continuing)
        self._invite()
        self._name_rows()
        self.show_job()

    def _sample_picked(self, text: str) -> None:
        self._session.set_text(text)
        self._session.set_forced(False)  # the target was another sentence's
        self.ask()

    def _translate_clicked(self) -> None:
        if self._session.job.state == "decoding":
            self._session.ask(Cancel())
        else:
            self.ask()

    def _pause_text(self) -> str:
        if not self._session.job.paused:
            return keyed(self.tr("Pause (P, or Ctrl+P while typing)"))
        if self._session.decoding.pace == ONE_BY_ONE:
            return keyed(self.tr("Produce the next token (P, or Ctrl+P while typing)"))
        return keyed(self.tr("Continue (P, or Ctrl+P while typing)"))

    def _ask_texts(self) -> tuple[str, str]:
        if self._session.decoding.forced:
            return self.tr("Score"), self.tr("Compute the probability of each token of the target (Enter)")
        task = task_of(self._session.model)
        return task.ask, task.tip

    def _chip_chosen(self, chip: int) -> None:
        self._session.set_step(chip + self._given)

    def _chip_menu_asked(self, chip: int, place: QPoint) -> None:
        self.chip_menu.show(chip + self._given, place)

    def _piece_chosen(self, chip: int) -> None:
        """Go to the step that reads a token of the prompt."""
        places = self.link.places()
        if 0 <= chip < len(places):
            self._session.set_step(places[chip])

    @property
    def _given(self) -> int:
        """The step of the first chip of the output."""
        trace = self._session.trace()
        return 0 if trace is None else given_steps(trace)

    def _continue(self) -> None:
        run = self._session.run()
        if run is not None:
            self._session.ask(Continue(run.id, run.trace.steps, ""))

    def _decoding_changed(self) -> None:
        forced = self._session.decoding.forced
        if forced != self._forced:
            self._forced = forced
            self._show_target()
            (self.target.box if forced else self.box).setFocus()
        self.show_job()

    def _show_target(self) -> None:
        for widget in (self._names["target"], self.target):
            widget.setVisible(self._session.decoding.forced)

    def _target_closed(self) -> None:
        self._session.set_forced(False)
