"""AxisLabel: one token along an axis of a picture, or one word whose pieces are merged."""

from __future__ import annotations

from dataclasses import dataclass

from viewer.document.text.token_text import TokenText

SET_SIGN = " *"


@dataclass(slots=True)  # not frozen: there may be thousands, and that makes each four times as slow
class AxisLabel:
    """One token along an axis, or one word whose pieces are merged.

    Attributes:
        token: the token (or word) there; on a decoder row, the one that is read.
        predicted: on a decoder row, the token (or word) that is predicted, else None.
        index: the token's index in the trace; of a word, its first token's (`last` is its last one's).
        set_by_hand: on a row whose weights were replaced, which its label says with `SET_SIGN`.
        count: how many tokens, from `index` on, are merged here.
        given: on a row of a prompt, where the token that comes next was given, whatever the model predicts.
        segment: which sentence of a pair it is of, from 0; -1 where the text is no pair.
    """

    token: TokenText
    predicted: TokenText | None = None
    index: int = 0
    set_by_hand: bool = False
    count: int = 1
    given: bool = False
    segment: int = -1

    @property
    def last(self) -> int:
        """The index of the last token merged here."""
        return self.index + self.count - 1

    def holds(self, index: int) -> bool:
        """Whether a token of the trace is shown there."""
        return self.index <= index <= self.last

    @property
    def text(self) -> str:
        """What is read there, as shown."""
        return self.token.marked + (SET_SIGN if self.set_by_hand and self.predicted is None else "")

    @property
    def second(self) -> str:
        """What is predicted there, as shown; in brackets where it was given, empty where nothing is."""
        if self.predicted is None:
            return ""
        shown = f"({self.predicted.marked})" if self.given else self.predicted.marked
        return shown + (SET_SIGN if self.set_by_hand else "")

    @property
    def raw(self) -> str:
        """The piece that is read there, as the tokenizer writes it."""
        return self.token.raw

    @property
    def special(self) -> bool:
        """Whether a start, end, padding or unknown token is read there."""
        return self.token.special

    @property
    def dim(self) -> bool:
        """Whether what is read there is drawn quietly."""
        return self.token.dim
