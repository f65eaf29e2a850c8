"""Words of raw pieces, worked by hand."""

from __future__ import annotations

from model.tokens.words import word_spans


def words(*pieces: str) -> list[tuple[str, ...]]:
    return [pieces[first:end] for first, end in word_spans(pieces)]


def in_bytes(text: str) -> tuple[str, ...]:
    return tuple(f"<0x{byte:02X}>" for byte in text.encode())


def test_pieces_between_spaces_are_a_word_and_specials_stand_alone() -> None:
    found = words("<s>", "▁t", "'", "aime", "▁", ".", "<unk>", "s", "</s>")
    assert found == [("<s>",), ("▁t", "'", "aime"), ("▁", "."), ("<unk>",), ("s",), ("</s>",)]


def test_each_character_in_bytes_of_a_script_without_spaces_is_a_word() -> None:
    one, two = in_bytes("龘"), in_bytes("鱻")
    assert len(one) == len(two) == 3
    assert words("▁", *one, *two, "好", "</s>") == [("▁", *one), two, ("好",), ("</s>",)]


def test_characters_in_bytes_of_other_scripts_go_on_with_their_word() -> None:
    accent, smile = in_bytes("É"), in_bytes("🙂")
    assert words("▁", *accent, "tas", *smile, "▁ici") == [("▁", *accent, "tas", *smile), ("▁ici",)]


def test_bytes_that_spell_nothing_are_pieces_like_others() -> None:
    assert words("▁a", "<0xE9>", "<0xBE>", "▁b") == [("▁a", "<0xE9>", "<0xBE>"), ("▁b",)]
    assert words("<0xB4>", "好") == [("<0xB4>",), ("好",)]
    assert words() == []
    assert words("", "▁b") == [("",), ("▁b",)]
