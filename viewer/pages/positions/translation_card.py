"""One translation with its probability, its tokens marked where another one differs."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from viewer.document.alterations.alteration_text import change_texts
from viewer.document.document import Run
from viewer.document.text.lists import clauses
from viewer.document.text.token_text import token_texts
from viewer.document.what_if.what_if import Mark, total_logprob
from viewer.pages.look.what_if.word_chips import WordChip, WordChips
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label


class TranslationCard(QFrame):
    """A card: what was done to the model, the text, the tokens."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "pane")
        self._title = ""
        self.title, self.text, self.probability = label("title"), label("heading"), label("small")
        self.chips = WordChips(appearance)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(10)
        for words in (self.title, self.text):
            words.setWordWrap(True)
        for widget in (self.title, self.text, self.chips, self.probability):
            column.addWidget(widget)
        column.addStretch(1)

    def set_title(self, title: str) -> None:
        """What the card is called while nothing was done to the model."""
        self._title = title
        self.title.setText(title)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.chips.setAccessibleName(self._title)

    def show_run(self, run: Run | None, found: tuple[Mark, ...] | None, raw: bool) -> None:
        """Show a run's translation, or (None) that there is none yet.

        Args:
            found: what became of each token; None where nothing is compared.
        """
        self.chips.setVisible(run is not None)
        self.probability.setVisible(run is not None)
        if run is None:
            self.title.setText(self._title)
            self.text.setText("–")
            return
        trace = run.trace
        changes = clauses(change_texts(trace.alterations, trace))
        self.title.setText(f"{changes[:1].upper()}{changes[1:]}" or self._title)
        self.text.setText(trace.tgt_text or "…")
        tokens = token_texts(trace.tgt_out_tokens, raw=raw, style=trace.token_style)
        same: tuple[Mark, ...] = tuple("same" for _ in tokens)
        states = found if found is not None and len(found) == len(tokens) else same
        self.chips.show_chips(
            tuple(
                WordChip(token.marked, state, self._tip(state), token.dim)
                for token, state in zip(tokens, states, strict=True)
            )
        )
        total = f"{total_logprob(trace):.2f}".replace("-", "−")
        self.probability.setText(self.tr("log probability {value}").format(value=total))

    def _tip(self, state: Mark) -> str:
        return {
            "same": "",
            "changed": self.tr("changed"),
            "removed": self.tr("gone from the other translation"),
            "inserted": self.tr("new in this translation"),
        }[state]
