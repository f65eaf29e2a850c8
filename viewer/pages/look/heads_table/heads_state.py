"""`HeadsState`: what the heads table shows: of the sentence in view, or of a corpus."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QCoreApplication, QObject, Signal

from model.abilities import Ability
from model.folder.bundled import said_model
from model.heads.head_alignment import diagonal_aer
from model.heads.head_report import HeadsReport
from model.heads.head_roles import CorpusScores
from model.heads.head_scores import Doubles, HeadScores
from model.heads.likeness import PRESETS, Drawing
from model.questions.head_questions import CorpusHeads, GeneralHeads, TraceAer, TraceHeads, TraceLikeness
from model.questions.questions import Question, Reading
from model.trace.trace import AttentionKind, Trace
from viewer.document.answers import AnswerState
from viewer.document.deeds import OUT, trace_of
from viewer.document.gold.gold_edits import gold_of
from viewer.document.session import Session
from viewer.document.text.model_text import cannot

Scope = Literal["sentence", "corpus", "pruning"]
HeadKey = tuple[AttentionKind, int, int]
"""A head: kind, layer and head from 0."""


class HeadsState(QObject):
    """Asks what is not known, as long as somebody watches; never while a decoding goes on.

    Attributes:
        scope: the sentence in view, the corpus, or heads switched off one after the other, of which
            `model.questions.causes.pruning` tells and not this.
        kind: None for all.
        corpus: what was asked of a corpus last, None before the first time.
        drawing: the pattern that heads of a sentence are compared with; None for none.

    Signals:
        changed: another report, its progress or its problem, or another scope or kind.
        moved: another head is in view.
    """

    changed = Signal()
    moved = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._answers = session.answers
        self._watched = False
        self._asked: dict[TraceHeads | TraceAer | TraceLikeness, None] = {}
        self._report: tuple[tuple[object, ...], HeadsReport | None] = ((None,) * 5, None)
        self.scope: Scope = "sentence"
        self.kind: AttentionKind | None = None
        self.corpus: CorpusHeads | None = None
        self.drawing: Drawing | None = None
        self._answers.changed.connect(self._answered)
        session.pane_changed.connect(self._pane_changed)
        for signal in (session.panes_changed, session.run_grew, session.runs_changed):
            signal.connect(self._look)
        session.model_changed.connect(self._look)
        session.view_changed.connect(self._look)

    # What is looked at.

    @property
    def trace(self) -> Trace | None:
        """The trace of the active pane."""
        return self._session.trace()

    @property
    def live(self) -> bool:
        """Whether the sentence in view is still being translated."""
        run = self._session.run()
        return run is not None and run.live

    @property
    def question(self) -> Question | None:
        """What the scope asks; None while there is nothing to ask of."""
        if self.scope != "sentence":
            return self.corpus if self.scope == "corpus" else None
        return None if self.trace is None or self.live else TraceHeads(self.trace)

    @property
    def aer_question(self) -> TraceAer | None:
        """What is asked of the gold links of the sentence in view; None without."""
        run = self._session.run()
        gold = gold_of(self._session.document, run)
        if run is None or gold is None or run.live or AttentionKind.CROSS not in run.trace.kinds:
            return None
        return TraceAer(run.trace, gold, self._session.view.alignment_rule)

    @property
    def likeness_question(self) -> TraceLikeness | None:
        """What is asked of the drawn pattern; None without."""
        if self.drawing is None or self.trace is None or self.live or self.scope != "sentence":
            return None
        return TraceLikeness(self.trace, self.drawing)

    @property
    def likeness_problem(self) -> str:
        """Why no head could be compared with the drawn pattern; empty where some could."""
        question = self.likeness_question
        problem = None if question is None else self._answers.state(question).problem
        return "" if problem is None else problem.sentence()

    @property
    def general_obstacle(self) -> str:
        """Why nothing can be said of what heads do in general; empty if it can."""
        model, trace = self._session.model, self.trace
        if obstacle := cannot(model, Ability.WALK):
            return obstacle
        if model is None or trace is None or not trace.may_be_of(model.name, model.sha256):
            return QCoreApplication.translate(
                "HeadsTable", "Open the model that wrote this to see what its heads do in general."
            )
        return ""

    @property
    def general_question(self) -> GeneralHeads | None:
        """What is asked of the model, whatever the sentence; None where it cannot be."""
        model = self._session.model
        if model is None or self.general_obstacle:
            return None
        return GeneralHeads(model_sha256=model.sha256)

    @property
    def state(self) -> AnswerState:
        """How far the question has come."""
        question = self.question
        return AnswerState() if question is None else self._answers.state(question)

    @property
    def report(self) -> HeadsReport | None:
        """What is known of the scope's heads."""
        question = self.question
        found = None if question is None else self._answers.get(question)
        run = self._session.run()
        importance = None if run is None or self.scope != "sentence" else run.importance
        asked = self.aer_question if self.scope == "sentence" else None
        aer = None if asked is None else self._answers.get(asked)
        drawn, alone = self.likeness_question, self.general_question
        like = None if drawn is None else self._answers.get(drawn)
        general = None if alone is None else self._answers.get(alone)
        key = (found, importance, aer, like, general)
        if any(new is not old for new, old in zip(key, self._report[0])):
            report = self._reported(found, aer)
            self._report = key, (None if report is None else replace(report, likeness=like, general=general))
        return self._report[1]

    @property
    def place(self) -> HeadKey | None:
        """The head in the active pane; None for a mean, or without any."""
        selection = self._session.selection()
        if selection is None or selection.head is None:
            return None
        return selection.kind, selection.layer, selection.head

    def command(self, *, as_csv: bool) -> list[str]:
        """The words of the command that writes the table, with the marks of `viewer.document.deeds`."""
        words = ["heads", "--csv" if as_csv else "--json", "--out", OUT]
        run, corpus = self._session.run(), self.corpus
        if self.scope == "sentence" and run is not None:
            return [*words, "--trace", trace_of(run.id), *self._more_words()]
        if corpus is None:
            return []
        words += ["--pairs", corpus.path, "--limit", str(corpus.limit), "--seed", str(corpus.seed)]
        words += ["--model", said_model(self._session.deeds.models.get(corpus.model_sha256, ""))]
        if corpus.gold:
            words += ["--gold", corpus.gold, "--rule", corpus.rule]
            words += ["--one-based"] if corpus.one_based else []
        return words

    def _more_words(self) -> list[str]:
        """What the command is told of the columns that are not of every trace."""
        report, words = self.report, list[str]()
        if report is not None and report.general is not None:
            model = self._session.model
            words += (
                ["--general", "--model", said_model(self._session.deeds.models.get(model.sha256, ""))]
                if model
                else []
            )
        if report is not None and report.likeness is not None and report.likeness.drawing.name in PRESETS:
            words += ["--like", report.likeness.drawing.name]
        return words

    # What a person does.

    def watch(self, on: bool) -> None:
        """Somebody looks, or nobody does any more."""
        self._watched = on
        if on:
            self._look()
            self.moved.emit()

    def choose_scope(self, scope: Scope) -> None:
        """The sentence in view, or the corpus."""
        if scope != self.scope:
            self.scope = scope
            self._look()

    def choose_kind(self, kind: AttentionKind | None) -> None:
        """One kind, or all."""
        if kind is not self.kind:
            self.kind = kind
            self.changed.emit()

    def choose_drawing(self, drawing: Drawing | None) -> None:
        """Compare heads with a pattern, or with none."""
        self.drawing = drawing
        self._look()

    def go_to(self, place: HeadKey) -> None:
        """Show a head in the active pane."""
        kind, layer, head = place
        self._session.select(kind=kind, layer=layer, head=head)

    def measure(self, corpus: CorpusHeads) -> None:
        """Read a corpus with the model in use; what was read before goes on no longer."""
        asked = self.asked_of_model(corpus)
        before, self.corpus, self.scope = self.corpus, asked, "corpus"
        if before is not None and before != asked and self._answers.state(before).waiting:
            self._answers.forget(before)
        self._answers.retry(asked, topic="heads corpus")
        self.changed.emit()

    def asked_of_model(self, corpus: CorpusHeads) -> CorpusHeads:
        """The question of the model in use."""
        model = self._session.model
        return replace(corpus, model_sha256="" if model is None else model.sha256)

    def stop(self) -> None:
        """Read the corpus no further: nothing is kept of it."""
        stopped, self.corpus = self.corpus, None
        if stopped is not None:
            self._answers.forget(stopped)
        self.changed.emit()

    # What comes.

    def _look(self) -> None:
        """Ask what is looked at, and let go of traces that are gone."""
        kept = [run.trace for run in self._session.document.runs]
        for asked in [asked for asked in self._asked if not any(asked.trace is trace for trace in kept)]:
            del self._asked[asked]
            self._answers.forget(asked)
        question = self.question
        if self._watched and isinstance(question, TraceHeads):
            self._asked[question] = None
            self._answers.ask(question, topic="heads table")
            aligned = self.aer_question
            if aligned is not None:
                self._asked[aligned] = None
                self._answers.ask(aligned, topic="heads table aer")
            drawn = self.likeness_question
            if drawn is not None:
                self._asked[drawn] = None
                self._answers.ask(drawn, topic="heads table likeness")
        alone = self.general_question
        if self._watched and question is not None and alone is not None:
            self._answers.ask(alone, topic="heads in general")
        self.changed.emit()

    def _answered(self, question: Question, reading: Reading | None) -> None:
        known = (self.question, self.aer_question, self.likeness_question, self.general_question)
        if question in known:
            self.changed.emit()

    def _pane_changed(self, pane: int) -> None:
        """Another head, or another run; who does not look is told of it on looking."""
        if pane == self._session.active and self._watched:
            self._look()
            self.moved.emit()

    def _reported(self, found: object, aer: Doubles | None) -> HeadsReport | None:
        run = self._session.run()
        if isinstance(found, CorpusScores):
            return HeadsReport.of_corpus(found)
        if found is None or run is None:
            return None
        assert isinstance(found, HeadScores)
        asked = self.aer_question
        if aer is None or asked is None:
            return HeadsReport(found, run.trace, importance=run.importance)
        plain = diagonal_aer(run.trace, asked.gold).rate
        rule = self._session.view.alignment_rule
        return HeadsReport(found, run.trace, None, run.importance, aer, "", rule, plain)
