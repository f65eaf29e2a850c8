"""Tokenizer file: what we need of a SentencePiece model file, read without trusting it.

The file is a protocol buffer (sentencepiece_model.proto): field 1 repeats the pieces, field 2 tells how they
were learned, field 3 holds the normaliser's settings. Reading these few fields here needs no protobuf
package, and lets garbage be refused with a sentence before the C++ library sees it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6

_METHODS = {1: "unigram", 2: "bpe", 3: "word", 4: "char"}  # TrainerSpec.ModelType

_LONGEST_PIECE = 1 << 13
_VARINT, _FIXED64, _LENGTH, _FIXED32 = 0, 1, 2, 5


@dataclass(frozen=True)
class TokenizerFile:
    """What a file says.

    Attributes:
        pieces: by id; kinds: of each.
        dummy_prefix: a space goes in front of every text.
        method: how a text is cut: `unigram`, `bpe`, `word` or `char`.
    """

    pieces: tuple[str, ...]
    kinds: tuple[int, ...]
    dummy_prefix: bool
    method: str

    @property
    def bpe(self) -> bool:
        """Whether pieces are made by merging pairs."""
        return self.method == "bpe"


def parse_tokenizer_file(data: bytes) -> TokenizerFile:
    """The pieces and settings in a SentencePiece model file's bytes.

    Raises:
        ValueError: the bytes are no SentencePiece model; the text says why.
    """
    if not data:
        raise ValueError("the file is empty")
    pieces: list[str] = []
    kinds: list[int] = []
    dummy_prefix, method = True, _METHODS[1]
    for number, value in _fields(data):
        if number == 1 and isinstance(value, bytes):
            piece, kind = _piece(value)
            pieces.append(piece)
            kinds.append(kind)
        elif number == 2 and isinstance(value, bytes):
            named = dict(_fields(value)).get(3)
            method = _METHODS.get(named, method) if isinstance(named, int) else method
        elif number == 3 and isinstance(value, bytes):
            for inner, setting in _fields(value):
                if inner == 3:
                    dummy_prefix = bool(setting)
    if not pieces:
        raise ValueError("it holds no pieces")
    if kinds.count(UNKNOWN) != 1:
        raise ValueError("it needs exactly one piece for the unknown")
    if len(set(pieces)) != len(pieces):
        raise ValueError("a piece stands in it twice")
    return TokenizerFile(tuple(pieces), tuple(kinds), dummy_prefix, method)


def _piece(data: bytes) -> tuple[str, int]:
    if len(data) > _LONGEST_PIECE:  # the library goes as deep as a piece is long
        raise ValueError("it has an endless piece")
    text, kind = _usual_piece(data) or ("", NORMAL)
    if text and kind != BYTE:
        return text, kind
    for number, value in _fields(data):
        if number == 1 and isinstance(value, bytes):
            text = value.decode("utf-8")
        elif number == 3 and isinstance(value, int):
            kind = value
    if not text:
        raise ValueError("it has an empty piece")
    if kind == BYTE and not _is_byte_name(text):
        raise ValueError(f"its byte piece {text!r} names no byte")
    return text, kind


def _usual_piece(data: bytes) -> tuple[str, int] | None:
    """Text and kind of a piece as SentencePiece itself writes it, of which a model has thousands."""
    end = 2 + data[1] if len(data) > 7 and data[0] == 0x0A and data[1] < 0x80 else len(data)
    tail = data[end:]
    if len(tail) not in (5, 7) or tail[0] != 0x15:
        return None
    if len(tail) == 7 and (tail[5] != 0x18 or tail[6] >= 0x80):
        return None
    return data[2:end].decode("utf-8"), tail[6] if len(tail) == 7 else NORMAL


def _is_byte_name(piece: str) -> bool:
    try:
        return piece == f"<0x{int(piece[1:-1], 16):02X}>" and len(piece) == 6
    except ValueError:
        return False


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yields (field number, value) of one protocol-buffer message; fixed-width values as bytes."""
    position = 0
    while position < len(data):
        tag, position = _varint(data, position)
        number, wire = tag >> 3, tag & 7
        if number == 0:
            raise ValueError("it is not a SentencePiece model")
        if wire == _VARINT:
            value, position = _varint(data, position)
            yield number, value
            continue
        if wire == _LENGTH:
            size, position = _varint(data, position)
        elif wire in (_FIXED32, _FIXED64):
            size = 4 if wire == _FIXED32 else 8
        else:
            raise ValueError("it is not a SentencePiece model")
        if position + size > len(data):
            raise ValueError("it is cut short, or not a SentencePiece model")
        yield number, data[position : position + size]
        position += size


def _varint(data: bytes, position: int) -> tuple[int, int]:
    if position < len(data) and data[position] < 0x80:
        return data[position], position + 1
    value = 0
    for shift in range(0, 70, 7):
        if position >= len(data):
            raise ValueError("it is cut short, or not a SentencePiece model")
        byte = data[position]
        position += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, position
    raise ValueError("it is not a SentencePiece model")
