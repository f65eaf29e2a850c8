"""Token style: how tokenizers write their pieces, and which pieces are no text. No torch."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

SPACE_MARK = "\u2581"
"""How SentencePiece writes a space, which begins a word."""

CONTINUES_MARK = "##"
"""How WordPiece begins a piece that goes on with a word."""


class TokenStyle(StrEnum):
    """How a tokenizer writes its pieces.

    `sentencepiece`: U+2581 begins a word, `<0xE4>` is a byte. `byte_level`: every byte is one printable
    character (GPT-2), U+0120 a space. `wordpiece`: `##` goes on with a word (BERT).
    """

    SENTENCEPIECE = "sentencepiece"
    BYTE_LEVEL = "byte_level"
    WORDPIECE = "wordpiece"


_MARKS = {
    TokenStyle.BYTE_LEVEL: "\u0120",
    TokenStyle.WORDPIECE: CONTINUES_MARK,
    TokenStyle.SENTENCEPIECE: SPACE_MARK,
}

STARTS = frozenset(
    ("<s>", "<bos>", "<cls>", "[CLS]", "[BOS]", "<|begin_of_text|>", "<|startoftext|>", "<|start_of_text|>")
)
ENDS = frozenset(
    (
        *("</s>", "<eos>", "<sep>", "[SEP]", "[EOS]"),
        *("<|endoftext|>", "<|end_of_text|>", "<|end|>", "<|eot_id|>", "<|im_end|>", "<|return|>"),
    )
)
PADDINGS = frozenset(("<pad>", "[PAD]", "<|pad|>", "<|padding|>", "<|finetune_right_pad_id|>"))
UNKNOWNS = frozenset(("<unk>", "[UNK]"))
MASKS = frozenset(("<mask>", "[MASK]"))
"""What stands for a word that is to be guessed."""

_ANGLES = re.compile(r"<(?!0x[0-9A-Fa-f]{2}>)[^<>]+>")
_BARS = re.compile(r"<[|\uff5c][^<>]*[|\uff5c]>")  # DeepSeek writes them with full-width bars
_SQUARES = re.compile(r"\[(CLS|SEP|PAD|UNK|MASK|BOS|EOS|unused\d+)\]")
# Of the many `<…>` that a byte-level vocabulary may hold as text, such as `<br>`, those that are no text.
_NAMED = frozenset((*MASKS, *STARTS, *ENDS, *PADDINGS, *UNKNOWNS))
_EXTRA = re.compile(r"<extra( |_id_)\d+>")


def style_of_pieces(pieces: Iterable[str]) -> TokenStyle:
    """How pieces are written, judged by their signs; without any, they are whole words of WordPiece."""
    names = list(pieces)
    counts = {style: sum(name.startswith(mark) for name in names) for style, mark in _MARKS.items()}
    best = max(counts, key=lambda style: counts[style])
    return best if counts[best] else TokenStyle.WORDPIECE


def extra_piece(token_id: int) -> str:
    """The name of a row of an embedding table that no piece of the tokenizer belongs to."""
    return f"<extra {token_id}>"


def is_edge(piece: str) -> bool:
    """Whether a piece is a start, end or padding token: no word, left out before any maximum.

    So are the marks between the parts of a text or a chat (`[SEP]`, `<|im_start|>`).
    """
    return piece in STARTS or piece in ENDS or piece in PADDINGS or _BARS.fullmatch(piece) is not None


@lru_cache(maxsize=1 << 15)  # a vocabulary's: every label, list and search of a long text asks for each token
def is_special(piece: str, style: TokenStyle = TokenStyle.SENTENCEPIECE) -> bool:
    """Whether a piece stands for no text of its own (`<s>`, `[MASK]`, `<unk>`); one for a byte does."""
    if piece in _NAMED or _BARS.fullmatch(piece) or _SQUARES.fullmatch(piece) or _EXTRA.fullmatch(piece):
        return True
    return style is not TokenStyle.BYTE_LEVEL and _ANGLES.fullmatch(piece) is not None
