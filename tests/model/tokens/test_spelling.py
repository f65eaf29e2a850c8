from __future__ import annotations

from model.tokens.spelling import unknown_characters
from model.tokens.token_style import TokenStyle


def test_characters_without_a_piece_are_named_once() -> None:
    spelled = [f"<0x{byte:02X}>" for byte in "臺".encode()]
    pieces = [*spelled, "北", *spelled, "<0x0A>", *(f"<0x{byte:02X}>" for byte in "é".encode()), "</s>"]
    assert unknown_characters(pieces, TokenStyle.SENTENCEPIECE) == ("臺", "é")
    assert unknown_characters(["▁the", "</s>"], TokenStyle.SENTENCEPIECE) == ()
    assert unknown_characters(spelled[:2], TokenStyle.SENTENCEPIECE) == ()  # bytes that make no character
    assert unknown_characters(["Ġthe", "Ã©"], TokenStyle.BYTE_LEVEL) == ()  # there all text is bytes
