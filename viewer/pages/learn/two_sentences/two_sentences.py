"""TwoSentencesView: one word in two sentences, how its context changes a word's vector, layer by layer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from model.abilities import Ability
from model.questions.questions import Question, Reading
from model.questions.two_sentences import TwoReadings, TwoSentences
from viewer.document.scene import wholes
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.figures.closeness.build import closeness_figure, opening_pair
from viewer.figures.closeness.spec import ClosenessSpec, Pair
from viewer.figures.closeness.table import closeness_lines
from viewer.figures.figure import AnyFigure, FigureSpec
from viewer.pages.learn.lesson import LessonView
from viewer.pages.learn.two_sentences.closeness_view import ClosenessView
from viewer.pages.learn.two_sentences.two_sentences_form import TwoSentencesForm
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import card, label
from viewer.resources import bundled_model

_TOPIC = "two sentences"


class TwoSentencesView(LessonView):
    """Explanation, form and, once both sentences are read, the lines."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._question: TwoSentences | None = None
        self._shown: TwoReadings | None = None
        self._pair: Pair | None = None
        self._wished: Pair | None = None
        self._again = False  # a scene is shown again, and waits for a model
        self.explanation = label("large")
        self.explanation.setWordWrap(True)
        self.form = TwoSentencesForm(session, appearance)
        self.view = ClosenessView(appearance, self._figure)
        self.result = card()
        inside = QVBoxLayout(self.result)
        inside.setContentsMargins(12, 8, 12, 8)
        inside.addWidget(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 0, 6, 0)
        column.setSpacing(10)
        column.addWidget(self.explanation)
        column.addWidget(self.form)
        column.addWidget(self.result, 1)
        column.addStretch(0)  # a page without a result keeps its form at the top
        self.form.entered.connect(self.compare)
        self.form.chosen.connect(self._choose)
        self.form.offered.connect(self._offered)
        session.model_changed.connect(self._model_changed)
        session.answers.changed.connect(self._answer_changed)
        self.retranslate()

    @property
    def readings(self) -> TwoReadings | None:
        """What is shown."""
        return self._shown

    @property
    def pair(self) -> Pair | None:
        """The positions that are compared."""
        return self._pair

    @property
    def picture(self) -> QWidget:
        """What the keys belong to while nothing is typed."""
        return self.view

    @property
    def figure(self) -> AnyFigure | None:
        """The figure in view; None where there is none."""
        return self.view.figure

    def table(self) -> list[tuple[object, ...]] | None:
        """Every cosine, header first; see `viewer.figures.closeness.table`."""
        return None if self._shown is None else list(closeness_lines(self._shown))

    def compare(self) -> None:
        """Ask for the sentences in the fields."""
        info = self._session.model
        if info is None or cannot(info, Ability.WALK):
            return
        self._again = False
        self._question = TwoSentences(info.sha256, self.form.texts)
        self.refresh()

    def scene(self) -> dict[str, Any]:
        """Both sentences and what is compared, for `show_scene`."""
        pair = None if self._pair is None else list(self._pair)
        return {"texts": list(self.form.texts), "compared": self._question is not None, "pair": pair}

    def show_scene(self, state: Mapping[str, Any]) -> None:
        """Compare as before, as soon as there is a model to read both."""
        texts, pair = state.get("texts"), wholes(state, "pair")
        if not isinstance(texts, list) or len(texts) != 2 or not all(isinstance(t, str) for t in texts):
            return
        self.form.set_texts((texts[0], texts[1]))
        self._wished = (pair[0], pair[1]) if pair is not None and len(pair) == 2 else None
        self._again, self._question = state.get("compared") is True, None
        self._shown = self._pair = None
        self._begin()

    def refresh(self) -> None:
        """Show what is known of what was asked."""
        found: TwoReadings | None = None
        if self._question is not None:
            found = cast("TwoReadings | None", self._session.answers.ask(self._question, topic=_TOPIC))
        if found is not self._shown:
            self._shown = found
            self._pair = None if found is None else self._first_pair(found)
        self.form.show_readings(found, self._pair)
        self.result.setVisible(found is not None)
        self._say()
        self.view.mark_dirty()

    def _first_pair(self, found: TwoReadings) -> Pair:
        """What was compared in the scene that is shown again, else a word that both have."""
        wished, self._wished = self._wished, None
        if wished is not None and all(
            at < len(tokens) for at, tokens in zip(wished, found.tokens, strict=True)
        ):
            return wished
        return opening_pair(found) or (0, 0)

    def _say(self) -> None:
        question, info = self._question, self._session.model
        if obstacle := cannot(info, Ability.WALK):
            self.form.say(obstacle, button=self._open_text("en-fr"), path="en-fr")
            return
        if question is None:
            if info is None:
                self.form.say(
                    self.tr("The experiment needs a model."), button=self._open_text("en-fr"), path="en-fr"
                )
            else:
                self.form.say(self.tr("Type two sentences that share a word, and press Compare."))
            return
        state = self._session.answers.state(question)
        if state.problem is not None:
            offer = str(state.problem.values.get("offer", ""))
            offer = offer if bundled_model(offer) is not None else ""
            button = self._open_text(offer) if offer else self.tr("Try again")
            self.form.say(state.problem.sentence(), problem=True, button=button, path=offer)
        elif self._shown is None:
            self.form.say(self.tr("Reading both sentences…"))
        elif opening_pair(self._shown) is None:
            self.form.say(self.tr("No word has the same pieces in both; choose a piece in each."))
        else:
            self.form.say(self.tr("Shaded words are in both sentences; click any piece to compare it."))

    def _open_text(self, name: str) -> str:
        return self.tr("Open {model}").format(model=name) if bundled_model(name) is not None else ""

    def _figure(self) -> FigureSpec[ClosenessSpec] | None:
        if self._shown is None or self._question is None or self._pair is None:
            return None
        info = self._session.model
        return closeness_figure(
            self._shown,
            self._question.texts,
            self._pair,
            model_name="" if info is None else info.name,
            model_sha256=self._question.model_sha256,
        )

    def _choose(self, sentence: int, index: int) -> None:
        """A piece of the first sentence takes the same piece of the second along, if it is there."""
        if self._shown is None or self._pair is None:
            return
        first, second = self._shown.tokens
        if sentence == 1:
            self._pair = (self._pair[0], index)
        else:
            piece = first[index]
            self._pair = (index, second.index(piece) if piece in second else self._pair[1])
        self.form.show_readings(self._shown, self._pair)
        self.view.mark_dirty()

    def _answer_changed(self, question: Question, reading: Reading | None) -> None:
        if question == self._question:
            self.refresh()

    def _model_changed(self) -> None:
        """What was read belongs to another model now."""
        self._question = None
        self._begin()

    def _begin(self) -> None:
        """The shipped pair shows what there is to see; own sentences wait for the button."""
        if self._question is None and self.isVisible() and (self.form.untouched or self._again):
            self.compare()
        else:
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the shipped pair when it is first looked at."""
        super().showEvent(event)
        self._begin()

    def _offered(self, path: str) -> None:
        if path:
            self.path_asked.emit(path)
        elif self._question is not None:
            self._session.answers.retry(self._question, topic=_TOPIC)
            self.refresh()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.explanation.setText(
            self.tr(
                "A word has one embedding, whatever it means. Layer by layer, attention adds to it "
                "from the words around it. Read the same word in two sentences and see where its two "
                "vectors diverge."
            )
        )
        self.view.setAccessibleName(self.tr("Cosine of the word's two vectors, layer by layer"))
        self.form.show_readings(self._shown, self._pair)
        self._say()
        self.view.mark_dirty()
