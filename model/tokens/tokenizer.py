"""Tokenizer: text to pieces and back, SentencePiece models behind one small interface.

A `Tokenizer` keeps pieces (strings) apart from ids (rows of an embedding table), since a family of
models exists whose table is numbered differently from its SentencePiece file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Protocol

from model import limits
from model.errors import HeadscopeError
from model.files.files import read_bytes, shown
from model.files.tensor_file import well_formed
from model.tokens.continuation import JOIN_MARK, continuation_ids
from model.tokens.spm import SpmModel
from model.tokens.tokenizer_training import train_tokenizer
from model.tokens.words import SPACE_MARK, TokenStyle

__all__ = [
    "JOIN_MARK",
    "SPACE_MARK",
    "SentencePieceTokenizer",
    "Tokenizer",
    "train_tokenizer",
]


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

    def encode_continuation(self, text: str, *, first: bool = False) -> list[int]:
        """Ids of a text that goes on behind others; see `SentencePieceTokenizer.encode_continuation`.

        Args:
            first: the others are the start token alone, so that the text is what a target begins with.
        """

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
    """A SentencePiece model, as our bundles hold it: ids are its places in the file."""

    def __init__(self, model: SpmModel) -> None:
        self._model = model
        self._pieces = model.file.pieces
        self._special = frozenset(i for i, piece in enumerate(self._pieces) if piece in model.special)
        self._bytes = frozenset(i for i, piece in enumerate(self._pieces) if piece in model.bytes)
        self._unk_id: int = model.processor.unk_id()
        self._pad_id: int = model.processor.pad_id()
        self._start_id: int = model.processor.bos_id()
        self._end_id: int = model.processor.eos_id()

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SentencePieceTokenizer:
        """Reads a SentencePiece model file.

        Raises:
            HeadscopeError: `tokenizer_missing`, `tokenizer_unreadable`, `tokenizer_invalid` or `file_large`.
        """
        try:
            data = read_bytes(path, limit=limits.PIECES)
        except HeadscopeError as error:
            if error.code == "file_missing":
                raise HeadscopeError("tokenizer_missing", path=shown(path)) from None
            if error.code == "file_large":
                raise
            reason = error.values.get("reason", "it is not an ordinary file")
            raise HeadscopeError("tokenizer_unreadable", path=shown(path), reason=reason) from None
        return cls.from_bytes(data, name=shown(path))

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "tokenizer") -> SentencePieceTokenizer:
        """A tokenizer from a model file's bytes; `name` is what an error calls it.

        Raises:
            HeadscopeError: `tokenizer_invalid`.
        """
        return cls(SpmModel.from_bytes(data, name))

    def serialized(self) -> bytes:
        """The model file's bytes, exactly as they were read."""
        return self._model.data

    @property
    def spm(self) -> SpmModel:
        """What cuts texts."""
        return self._model

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
        ids: list[int] = self._model.processor.EncodeAsIds(well_formed(text))
        return ids

    @property
    def is_bpe(self) -> bool:
        """Whether pieces are made by merging pairs, so that merges can be left out."""
        return self._model.file.bpe

    @cached_property
    def merges(self) -> Mapping[str, tuple[float, int]]:
        """What a BPE model merges to: each piece of text with its score (higher merges first) and id."""
        score = self._model.processor.GetScore
        apart = self._special | self._bytes
        return {piece: (score(i), i) for i, piece in enumerate(self._pieces) if i not in apart}

    def source_ids(self, text: str) -> list[int]:
        """Ids of `text` and the end token."""
        return [*self.encode(text), self._end_id]

    def target_ids(self, text: str) -> list[int]:
        """Ids of `text` and the end token."""
        return self.source_ids(text)

    def encode_continuation(self, text: str, *, first: bool = False) -> list[int]:
        """Ids of a text that goes on behind other pieces; blanks around it make no pieces.

        It begins a new word, as at the start of a text; unless it begins with U+00B7 (·), our sign for a
        joined piece, or is a piece of the vocabulary exactly as the tokenizer writes it, with U+2581.
        """
        return continuation_ids(
            well_formed(text), exact=self._exact, apart=self.encode, joined=self._encode_joined
        )

    def _encode_joined(self, text: str) -> list[int]:
        ids: list[int] = self._model.joining.EncodeAsIds(text)
        return ids

    def _exact(self, text: str) -> int | None:
        if SPACE_MARK not in text:
            return None
        token_id: int = self._model.processor.PieceToId(text)
        return token_id if self._pieces[token_id] == text and token_id not in self._special else None

    def pieces(self, text: str) -> list[str]:
        """Raw pieces of `text`, one for each id of `encode(text)`."""
        return [self._pieces[token_id] for token_id in self.encode(text)]

    def decode(self, ids: Sequence[int]) -> str:
        """The text of `ids`; specials are skipped, an unknown piece reads as U+2047.

        Byte pieces that make no character (a sequence cut in the middle) read as U+FFFD.
        """
        return self._model.text(self.piece(token_id) for token_id in ids)

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
