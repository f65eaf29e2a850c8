from __future__ import annotations

import pytest
from PySide6.QtGui import QFontDatabase

from viewer.figures.canvas import fonts, lettering
from viewer.figures.canvas.fonts import families, figure_font, missing_script
from viewer.figures.canvas.lettering import elided, legible, width, wrapped

pytestmark = pytest.mark.usefixtures("qapp")


def test_the_chain_names_installed_families_only_once() -> None:
    chain = families()
    assert len(chain) == len(set(chain))
    assert set(chain[:-1]) <= set(QFontDatabase.families()) | {chain[-1]}
    assert figure_font(13).pixelSize() == 13
    assert figure_font(13, bold=True).bold()


def test_a_missing_script_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fonts, "_has_font", lambda system: False)
    sentence = missing_script("The cat 猫 sat")
    assert sentence is not None
    assert "猫" in sentence
    assert "fonts-noto-cjk" in sentence
    assert sentence.endswith(".")
    assert missing_script("The cat sat, où est-il ?") is None
    assert "fonts-noto-cjk" in (missing_script("ねこ") or "")


def test_one_font_that_covers_the_script_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    japanese = QFontDatabase.WritingSystem.Japanese
    monkeypatch.setattr(fonts, "_has_font", lambda system: system is japanese)
    assert missing_script("猫 ねこ") is None
    assert missing_script("고양이") is not None


def test_text_is_cut_to_its_room_and_wrapped_within_it() -> None:
    text = "The little girl gave her brother a red apple and then 她又给了他一个苹果，因为他饿了。"
    assert elided(text, 13, 1e6) == text
    short = elided(text, 13, 80)
    assert short.endswith("…")
    assert width(short, 13) <= 80
    lines = wrapped(text, 13, 150)
    assert len(lines) > 2
    assert max(width(line, 13) for line in lines) <= 150
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert wrapped("", 13, 100) == []
    assert "".join(wrapped("x" * 200, 13, 100)) == "x" * 200


def test_a_character_without_a_picture_is_spelled_out(monkeypatch: pytest.MonkeyPatch) -> None:
    class Metrics:
        def inFontUcs4(self, code: int) -> bool:
            return code != 0x1F642

    assert legible("où est 猫?") == "où est 猫?"
    monkeypatch.setattr(lettering, "metrics", lambda pixels: Metrics())
    lettering._legible.cache_clear()
    lettering._legible_character.cache_clear()
    assert legible("é🙂\u200d\ufe0f") == "éU+1F642\u200d\ufe0f"
    lettering._legible.cache_clear()
    lettering._legible_character.cache_clear()
