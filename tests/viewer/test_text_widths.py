"""The widths of short texts: what Qt says, or a little more where its font draws letters closer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QFont, QFontMetricsF

from viewer.text_widths import TextWidths


def font(pixels: int = 17) -> QFont:
    made = QFont()
    made.setPixelSize(pixels)
    return made


@given(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "M", "Zs")), max_size=12))
def test_no_text_has_less_room_than_it_takes(qapp: object, text: str) -> None:
    taken = QFontMetricsF(font()).horizontalAdvance(text)
    found = TextWidths(font()).of(text)
    assert found >= taken - 0.25 * max(1, len(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "w",
        "\u22c5les",
        "\u2581les",
        "les\u2581",
        "\u6ce8\u610f\u529b",
        "1,024",
        "\u0639\u0631\u0628\u064a",
        "\u0e01\u0e34",
    ],
)
def test_most_texts_have_just_what_they_take(qapp: object, text: str) -> None:
    for pixels in (9, 17, 34):
        widths = TextWidths(font(pixels))
        taken = QFontMetricsF(font(pixels)).horizontalAdvance(text)
        assert widths.of(text) == pytest.approx(taken, abs=0.1)
        assert widths.of(text) == widths.of(text)


@pytest.mark.parametrize("text", ["\u00a7\uac00", "\u22c5\u610f", "1\u6ce8", "\u00b7\u03b1", "\u2014\u0416"])
def test_a_sign_is_as_wide_as_its_neighbours_font_draws_it(qapp: object, text: str) -> None:
    taken = QFontMetricsF(font()).horizontalAdvance(text)
    assert taken - 0.1 <= TextWidths(font()).of(text) <= taken + 2


def test_pairs_that_are_drawn_closer_have_a_little_more(qapp: object) -> None:
    taken = QFontMetricsF(font()).horizontalAdvance("AVATAR To")
    assert taken - 0.1 <= TextWidths(font()).of("AVATAR To") < 1.2 * taken
