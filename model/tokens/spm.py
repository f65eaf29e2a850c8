"""`SpmModel`: a SentencePiece model, its pieces, and how a text is cut into them and joined again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Protocol, runtime_checkable

import sentencepiece

from model.errors import HeadscopeError
from model.tokens.tokenizer_file import BYTE, CONTROL, NORMAL, UNKNOWN, TokenizerFile, parse_tokenizer_file
from model.tokens.words import SPACE_MARK

UNKNOWN_TEXT = "\u2047"

# A protocol buffer's later fields are merged into its earlier ones: this one says add_dummy_prefix = false.
_NO_DUMMY_PREFIX = b"\x1a\x02\x18\x00"


class SpmModel:
    """A SentencePiece model file in use.

    Putting pieces together is our own: SentencePiece's drops spaces that were spelled as bytes, ours returns
    every text without U+2581 exactly. (U+2581 is its own mark for a space, and comes back as one.)

    Attributes:
        data: the file's bytes.
        file: what they say.
        processor: cuts texts.
        special: the pieces that stand for no text, the unknown one included.
        unknown: the piece for what it has no piece for.
        bytes: the byte that each byte piece stands for.
    """

    def __init__(self, data: bytes, file: TokenizerFile) -> None:
        self.data = data
        self.file = file
        self.processor = _processor(data)
        kinds = list(zip(file.pieces, file.kinds))
        self.special = frozenset(piece for piece, kind in kinds if kind in (CONTROL, UNKNOWN))
        self.unknown = next(piece for piece, kind in kinds if kind == UNKNOWN)
        self.bytes = {piece: int(piece[1:-1], 16) for piece, kind in kinds if kind == BYTE}
        self._joining: sentencepiece.SentencePieceProcessor | None = None

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "tokenizer") -> SpmModel:
        """A model from its file's bytes; `name` is what an error calls it.

        Raises:
            HeadscopeError: `tokenizer_invalid`.
        """
        try:
            # Checked here first, because SentencePiece writes to stderr when it meets garbage.
            file = parse_tokenizer_file(data)
            made = cls(data, file)
            if made.processor.GetPieceSize() != len(file.pieces):
                raise ValueError("its pieces cannot be counted")
        except (ValueError, RuntimeError, TypeError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise HeadscopeError("tokenizer_invalid", path=name, reason=reason) from None
        return made

    @property
    def joining(self) -> sentencepiece.SentencePieceProcessor:
        """The same as `processor`, but putting no space in front of a text; made when it is first needed."""
        if self._joining is None:
            self._joining = _processor(self.data + _NO_DUMMY_PREFIX)
        return self._joining

    @cached_property
    def scores(self) -> Mapping[str, float]:
        """Of each ordinary piece: its log probability, or of BPE a number that is higher the earlier it was
        learned."""
        score = self.processor.GetScore
        kinds = zip(self.file.pieces, self.file.kinds)
        return {piece: score(i) for i, (piece, kind) in enumerate(kinds) if kind == NORMAL}

    def text(self, pieces: Iterable[str]) -> str:
        """The text of pieces; specials are skipped, the unknown piece reads as U+2047.

        Byte pieces that make no character (a sequence cut in the middle) read as U+FFFD.
        """
        parts = bytearray()
        for piece in pieces:
            if piece in self.bytes:
                parts.append(self.bytes[piece])
            elif piece == self.unknown:
                parts += UNKNOWN_TEXT.encode()
            elif piece not in self.special:
                parts += piece.encode()
        text = parts.decode("utf-8", errors="replace").replace(SPACE_MARK, " ")
        return text[1:] if self.file.dummy_prefix and text.startswith(" ") else text


@runtime_checkable
class CutBySpm(Protocol):
    """A tokenizer that cuts texts by a SentencePiece model."""

    @property
    def spm(self) -> SpmModel:
        """The model."""


def _processor(data: bytes) -> sentencepiece.SentencePieceProcessor:
    processor = sentencepiece.SentencePieceProcessor()
    processor.LoadFromSerializedProto(data)
    return processor
