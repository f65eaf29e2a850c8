"""Text to pieces and back: SentencePiece models behind one small interface.

A `Tokenizer` keeps pieces (strings) apart from ids (rows of an embedding table), since a family of
models exists whose table is numbered differently from its SentencePiece file.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Protocol

import sentencepiece

from model.errors import HeadscopeError
from model.files import read_bytes, shown
from model.tokenizer_file import BYTE, CONTROL, UNKNOWN, TokenizerFile, parse_tokenizer_file
from model.tokenizer_training import train_tokenizer
from model.words import TokenStyle

__all__ = ["SentencePieceTokenizer", "Tokenizer", "train_tokenizer"]

SPACE_MARK = "\u2581"
UNKNOWN_TEXT = "\u2047"
JOIN_MARK = "\u00b7"
"""How people see and type that a piece is joined to the one before it, without a space."""

# A protocol buffer's later fields are merged into its earlier ones: this one says add_dummy_prefix = false.
_NO_DUMMY_PREFIX = b"\x1a\x02\x18\x00"


class Tokenizer(Protocol):
    """What the rest of `model/` needs of a tokenizer; ids index the embedding table."""

    @property
    def vocab_size(self) -> int:
        """Number of ids."""

    @property
    def pad_id(self) -> int:
        """Id of the padding token."""

    @property
    def unk_id(self) -> int:
        """Id of the unknown token."""

    @property
    def start_id(self) -> int:
        """Id of the token that starts a target."""

    @property
    def end_id(self) -> int:
        """Id of the token that ends a sentence."""

    @property
    def has_bytes(self) -> bool:
        """Whether unknown characters are spelled as bytes, so that no text is ever lost."""

    @property
    def style(self) -> TokenStyle:
        """How the pieces are written."""

    def encode(self, text: str) -> list[int]:
        """Ids of `text`, without start or end."""

    def source_ids(self, text: str) -> list[int]:
        """Ids of a text as the model reads it, with the specials around it (ours: an end token)."""

    def target_ids(self, text: str) -> list[int]:
        """Ids of a text as the model has to produce it: all after the start token, the end included."""

    def encode_continuation(self, text: str) -> list[int]:
        """Ids of a text that goes on behind others; see `SentencePieceTokenizer.encode_continuation`."""

    def pieces(self, text: str) -> list[str]:
        """Raw pieces of `text`, one for each id of `encode(text)`."""

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids`; specials are skipped."""

    def piece(self, token_id: int) -> str:
        """The raw piece of one id, such as "▁the", "<0xE4>" or "<s>"."""

    def is_special(self, token_id: int) -> bool:
        """Whether the id stands for no text: padding, start, end or unknown."""

    def is_byte(self, token_id: int) -> bool:
        """Whether the id stands for one byte of a character."""


class SentencePieceTokenizer:
    """A SentencePiece model, as our bundles hold it.

    Decoding is our own: SentencePiece's drops spaces that were spelled as bytes, ours returns every
    text without U+2581 exactly. (U+2581 is SentencePiece's own mark for a space, and comes back as one.)
    """

    def __init__(
        self, data: bytes, parsed: TokenizerFile, processor: sentencepiece.SentencePieceProcessor
    ) -> None:
        self._data = data
        self._processor = processor
        self._pieces = parsed.pieces
        self._dummy_prefix = parsed.dummy_prefix
        self._joining: sentencepiece.SentencePieceProcessor | None = None
        self._special = frozenset(i for i, kind in enumerate(parsed.kinds) if kind in (CONTROL, UNKNOWN))
        self._bytes = {i: int(parsed.pieces[i][1:-1], 16) for i, k in enumerate(parsed.kinds) if k == BYTE}
        self._unk_id: int = processor.unk_id()
        self._pad_id: int = processor.pad_id()
        self._start_id: int = processor.bos_id()
        self._end_id: int = processor.eos_id()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SentencePieceTokenizer:
        """Reads a SentencePiece model file.

        Raises:
            HeadscopeError: `tokenizer_missing`, `tokenizer_unreadable` or `tokenizer_invalid`.
        """
        try:
            data = read_bytes(path)
        except HeadscopeError as error:
            if error.code == "file_missing":
                raise HeadscopeError("tokenizer_missing", path=shown(path)) from None
            reason = error.values.get("reason", "it is not an ordinary file")
            raise HeadscopeError("tokenizer_unreadable", path=shown(path), reason=reason) from None
        return cls.from_bytes(data, name=shown(path))

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "tokenizer") -> SentencePieceTokenizer:
        """A tokenizer from a model file's bytes; `name` is what an error calls it.

        Raises:
            HeadscopeError: `tokenizer_invalid`.
        """
        try:
            # Checked here first, because SentencePiece writes to stderr when it meets garbage.
            parsed = parse_tokenizer_file(data)
            processor = sentencepiece.SentencePieceProcessor()
            processor.LoadFromSerializedProto(data)
            if processor.GetPieceSize() != len(parsed.pieces):
                raise ValueError("its pieces cannot be counted")
        except (ValueError, RuntimeError, TypeError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise HeadscopeError("tokenizer_invalid", path=name, reason=reason) from None
        return cls(data, parsed, processor)

    def serialized(self) -> bytes:
        """The model file's bytes, exactly as they were read."""
        return self._data

    @property
    def vocab_size(self) -> int:
        """Number of pieces."""
        return len(self._pieces)

    @property
    def pad_id(self) -> int:
        """Id of the padding piece; -1 where the file defines none (ours always do)."""
        return self._pad_id

    @property
    def unk_id(self) -> int:
        """Id of the unknown piece."""
        return self._unk_id

    @property
    def start_id(self) -> int:
        """Id of the start piece; -1 where the file defines none (ours always do)."""
        return self._start_id

    @property
    def end_id(self) -> int:
        """Id of the end piece; -1 where the file defines none (ours always do)."""
        return self._end_id

    @property
    def style(self) -> TokenStyle:
        """How the pieces are written."""
        return TokenStyle.SENTENCEPIECE

    @property
    def has_bytes(self) -> bool:
        """Whether unknown characters are spelled as bytes."""
        return bool(self._bytes)

    def encode(self, text: str) -> list[int]:
        """Ids of `text`, without start or end. A lone surrogate is read as U+FFFD."""
        ids: list[int] = self._processor.EncodeAsIds(_well_formed(text))
        return ids

    def source_ids(self, text: str) -> list[int]:
        """Ids of `text` and the end token."""
        return [*self.encode(text), self._end_id]

    def target_ids(self, text: str) -> list[int]:
        """Ids of `text` and the end token."""
        return self.source_ids(text)

    def encode_continuation(self, text: str) -> list[int]:
        """Ids of a text that goes on behind other pieces; blanks around it make no pieces.

        It begins a new word, as at the start of a text; unless it begins with U+00B7 (·), our sign for a
        joined piece, or is a piece of the vocabulary exactly as the tokenizer writes it, with U+2581.
        """
        text = _well_formed(text).strip()
        if SPACE_MARK in text:
            token_id: int = self._processor.PieceToId(text)
            if self._pieces[token_id] == text and token_id not in self._special:
                return [token_id]
        if not text.startswith(JOIN_MARK):
            return self.encode(text) if text else []
        joined = text.removeprefix(JOIN_MARK)
        ids: list[int] = self._joined_processor().EncodeAsIds(joined) if joined else []
        return ids

    def _joined_processor(self) -> sentencepiece.SentencePieceProcessor:
        """The same, but putting no space in front of a text; made when it is first needed."""
        if self._joining is None:
            self._joining = sentencepiece.SentencePieceProcessor()
            self._joining.LoadFromSerializedProto(self._data + _NO_DUMMY_PREFIX)
        return self._joining

    def pieces(self, text: str) -> list[str]:
        """Raw pieces of `text`, one for each id of `encode(text)`."""
        return [self._pieces[token_id] for token_id in self.encode(text)]

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids`; specials are skipped, an unknown piece reads as U+2047.

        Byte pieces that make no character (a sequence cut in the middle) read as U+FFFD.
        """
        parts = bytearray()
        for token_id in ids:
            if token_id in self._bytes:
                parts.append(self._bytes[token_id])
            elif token_id == self._unk_id:
                parts += UNKNOWN_TEXT.encode()
            elif token_id not in self._special:
                parts += self.piece(token_id).encode()
        text = parts.decode("utf-8", errors="replace").replace(SPACE_MARK, " ")
        return text[1:] if self._dummy_prefix and text.startswith(" ") else text

    def piece(self, token_id: int) -> str:
        """The raw piece of one id.

        Raises:
            IndexError: `token_id` is outside 0 … vocab_size - 1.
        """
        if token_id < 0:
            raise IndexError(f"token id {token_id} is negative")
        return self._pieces[token_id]

    def is_special(self, token_id: int) -> bool:
        """Whether the id is padding, start, end, unknown or another control piece."""
        return token_id in self._special

    def is_byte(self, token_id: int) -> bool:
        """Whether the id stands for one byte of a character."""
        return token_id in self._bytes


def _well_formed(text: str) -> str:
    """`text` with surrogate pairs joined and lone surrogates replaced, so that it has a UTF-8 form."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
