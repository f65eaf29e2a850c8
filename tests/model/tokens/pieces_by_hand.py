"""Raw pieces written by hand in the styles of other tokenizers."""

from __future__ import annotations


def byte_level(text: str) -> str:
    """A text as GPT-2 writes its bytes; by the three rows of its published table, not by our code."""
    shifted = [*range(0x21), *range(0x7F, 0xA1), 0xAD]
    return "".join(chr(0x100 + shifted.index(b)) if b in shifted else chr(b) for b in text.encode())


def cut(text: str, *sizes: int) -> tuple[str, ...]:
    """The bytes of a text in pieces of so many bytes each; the rest is the last piece."""
    written, pieces = byte_level(text), []
    for size in (*sizes, len(written)):
        pieces.append(written[:size])
        written = written[size:]
    return tuple(piece for piece in pieces if piece)
