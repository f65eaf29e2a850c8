"""The two sentences of the experiment, and what is said of them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from model.abilities import Ability
from model.questions.two_sentences import TwoReadings, common_words
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.document.text.token_text import token_texts
from viewer.figures.closeness.spec import Pair
from viewer.model_samples import sample_language
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.sentence_box import SentenceBox
from viewer.pages.widgets.token_strip import Chip, TokenStrip
from viewer.pages.widgets.worded import Worded
from viewer.resources import bundled_model, samples

_PAIRS = {
    # A watch, and to watch; in the same place, so that only the context differs.
    "en": ("The watch is very old.", "They watch the old film."),
    # 打: to play (a ball game), and to hit.
    "zh": ("我们打篮球。", "我们打了他。"),
    # The model that reverses: what counts is not the meaning but the place.
    "und": ("sun cat key map", "owl map tea cat fox zoo"),
}


def word_pair(language: str) -> tuple[str, str]:
    """A pair to begin with; of a language without one its first two samples; empty if there are none."""
    known = _PAIRS.get(language.split("_")[0].split("-")[0].lower())
    if known is not None:
        return known
    sentences = [text for group in samples(language).values() for text in group]
    return (sentences[0], sentences[1]) if len(sentences) > 1 else ("", "")


class TwoSentencesForm(Worded, QFrame):
    """Two fields, a button, and once they are read the pieces of both to choose from.

    Signals:
        entered: compare what stands in the fields.
        chosen: 0 (first sentence) or 1, the token that was chosen there.
        offered: the button of a problem: open this model, or (an empty path) try again.
    """

    entered = Signal()
    chosen = Signal(int, int)
    offered = Signal(str)

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._session = session
        self._preset = ("", "")
        self._offer = ""
        self.boxes = (SentenceBox(), SentenceBox())
        self.strips = (TokenStrip(appearance, 15.0), TokenStrip(appearance, 15.0))
        self.go, self.offer = QPushButton(), QPushButton()
        self.go.setProperty("role", "primary")
        self.message = label("muted")
        self.message.setWordWrap(True)
        self._names = (label("muted"), label("muted"))
        self._lay_out()
        for place, (box, strip) in enumerate(zip(self.boxes, self.strips, strict=True)):
            box.entered.connect(self._entered)
            box.textChanged.connect(self.refresh)
            strip.set_clickable(True)
            strip.chosen.connect(self._first_chosen if place == 0 else self._second_chosen)
        self.go.clicked.connect(self._entered)
        self.offer.clicked.connect(self._offered)
        session.model_changed.connect(self._model_changed)
        self.retranslate()
        self._model_changed()

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(4)
        for place, name in enumerate(self._names):
            grid.addWidget(name, 0, place)
            grid.addWidget(self.boxes[place], 1, place)
            grid.addWidget(self.strips[place], 2, place)
            grid.setColumnStretch(place, 1)
        grid.addWidget(self.go, 1, 2)
        last = QHBoxLayout()
        last.addWidget(self.message, 1)
        last.addWidget(self.offer)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 8)
        column.setSpacing(4)
        column.addLayout(grid)
        column.addLayout(last)

    @property
    def texts(self) -> tuple[str, str]:
        """What stands in the fields."""
        return self.boxes[0].text(), self.boxes[1].text()

    def set_texts(self, texts: tuple[str, str]) -> None:
        """Put two sentences in the fields."""
        for box, text in zip(self.boxes, texts, strict=True):
            box.setText(text)

    @property
    def untouched(self) -> bool:
        """Whether the shipped pair stands in the fields."""
        return self.texts == self._preset and all(self._preset)

    def show_readings(self, readings: TwoReadings | None, pair: Pair | None) -> None:
        """Show the pieces of both; words that stand in both are shaded, the chosen ones framed."""
        shared: tuple[set[int], set[int]] = (set(), set())
        for word in () if readings is None else common_words(readings.tokens):
            for place in (0, 1):
                first = word.places[place]
                shared[place].update(range(first, first + len(word.pieces)))
        for place, strip in enumerate(self.strips):
            tokens = () if readings is None else token_texts(readings.tokens[place])
            chips = tuple(
                Chip(t.marked, 0.35 if i in shared[place] else 0.0, joined=t.continues, dim=t.dim)
                for i, t in enumerate(tokens)
            )
            strip.show_chips(chips, -1 if pair is None or not chips else pair[place])
            strip.setVisible(bool(chips))

    def say(self, text: str, *, problem: bool = False, button: str = "", path: str = "") -> None:
        """One sentence, and one button if it helps; the empty sentence takes both away."""
        self._offer = path
        self.message.setProperty("role", "problem" if problem else "muted")
        self.message.style().polish(self.message)
        self.message.setText(text)
        self.message.setVisible(bool(text))
        self.offer.setText(button)
        self.offer.setVisible(bool(button))

    def refresh(self) -> None:
        """Whether there is something to compare."""
        info = self._session.model
        ready = info is not None and not cannot(info, Ability.WALK)
        self.go.setEnabled(ready and all(text.strip() for text in self.texts))

    def _model_changed(self) -> None:
        """Another model reads another language; own sentences stay."""
        info = self._session.model
        if info is not None and (self.texts == self._preset or not any(self.texts)):
            self._preset = word_pair(sample_language(info))
            for box, text in zip(self.boxes, self._preset, strict=True):
                box.setText(text)
        self.refresh()

    def _entered(self) -> None:
        if self.go.isEnabled():
            self.entered.emit()

    def _first_chosen(self, index: int) -> None:
        self.chosen.emit(0, index)

    def _second_chosen(self, index: int) -> None:
        self.chosen.emit(1, index)

    def _offered(self) -> None:
        folder = bundled_model(self._offer) if self._offer else None
        self.offered.emit("" if folder is None else str(folder))

    def retranslate(self) -> None:
        """Take the language in force."""
        texts = (self.tr("First sentence"), self.tr("Second sentence"))
        for name, box, strip, text in zip(self._names, self.boxes, self.strips, texts, strict=True):
            name.setText(text)
            box.setAccessibleName(text)
            box.setPlaceholderText(self.tr("Type a sentence and press Enter"))
            strip.setAccessibleName(self.tr("Pieces: {sentence}").format(sentence=text))
        self.go.setText(self.tr("Compare"))
        self.go.setToolTip(
            self.tr("Read both sentences and compare the word's vectors layer by layer (Enter)")
        )
        self.refresh()
