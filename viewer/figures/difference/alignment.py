"""Alignment of two decodings token by token: which row and column of one is which of the other. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from model.tokens.pairing import Pairing, align
from model.tokens.spelling import BROKEN, written
from model.tokens.token_style import SPACE_MARK, TokenStyle
from model.trace.trace import AttentionKind, Trace
from viewer.document.text.token_text import special_text


def token_keys(
    pieces: Sequence[str],
    ids: Sequence[int],
    *,
    by_id: bool,
    style: TokenStyle = TokenStyle.SENTENCEPIECE,
) -> list[str]:
    """What makes two tokens the same: their ids in one vocabulary, else their text whatever its case."""
    if by_id and len(ids) == len(pieces):
        return [str(int(number)) for number in ids]
    return [_text_key(piece, style) for piece in pieces]


def _text_key(piece: str, style: TokenStyle) -> str:
    text = written((piece,), style)[0] or ""
    # Pieces that are parts of characters are told apart by their bytes.
    if special_text(piece, style) is not None or BROKEN in text:
        return piece
    return unicodedata.normalize("NFKC", text.replace(SPACE_MARK, "")).casefold() or piece


class Alignment:
    """Two traces aligned.

    Attributes:
        source: tokens of the sentence; `read` what each decoder row reads, `predicted` what it predicts.
        by_id: one model, so tokens are the same by their ids; else by their text.
    """

    def __init__(self, first: Trace, second: Trace) -> None:
        self.by_id = bool(first.model_sha256) and first.model_sha256 == second.model_sha256
        self._styles = first.token_style, second.token_style
        self.source = self._pairing(
            (first.src_tokens, first.src_ids), (second.src_tokens, second.src_ids), moved=True
        )
        self.read = self._pairing(
            (first.tgt_in_tokens, first.tgt_in_ids), (second.tgt_in_tokens, second.tgt_in_ids)
        )
        self.predicted = self._pairing(
            (first.tgt_out_tokens, first.tgt_out_ids), (second.tgt_out_tokens, second.tgt_out_ids)
        )

    def queries(self, kind: AttentionKind) -> Pairing:
        """The rows of a kind's maps; a decoder's by the token that they read."""
        return self.source if kind is AttentionKind.ENCODER_SELF else self.read

    def keys(self, kind: AttentionKind) -> Pairing:
        """The columns of a kind's maps."""
        return self.read if kind is AttentionKind.DECODER_SELF else self.source

    def _pairing(
        self,
        first: tuple[Sequence[str], npt.NDArray[np.int64]],
        second: tuple[Sequence[str], npt.NDArray[np.int64]],
        *,
        moved: bool = False,
    ) -> Pairing:
        one, other = (
            token_keys(pieces, ids.tolist(), by_id=self.by_id, style=style)
            for (pieces, ids), style in zip((first, second), self._styles)
        )
        return align(one, other, moved=moved)


_known: WeakKeyDictionary[Trace, WeakKeyDictionary[Trace, Alignment]] = WeakKeyDictionary()


def alignment(first: Trace, second: Trace) -> Alignment:
    """The two aligned; worked out once for the two."""
    known = _known.setdefault(first, WeakKeyDictionary())
    found = known.get(second)
    if found is None:
        found = known[second] = Alignment(first, second)
    return found
