"""The running text: what is shaded by what, where words stand, what it says."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import CROSS, DECODER, ENCODER, picture, sample_trace, trace_of
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.document.text.token_text import TokenText
from viewer.figures.canvas.lettering import TextRun, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.figure import FigureSpec
from viewer.figures.map.build import map_figure
from viewer.figures.map.spec import MapSpec
from viewer.figures.words.build import words_figure
from viewer.figures.words.layout import PlacedBlock, PlacedWord, WordsGeometry, words_geometry, words_height
from viewer.figures.words.paint import paint_words
from viewer.figures.words.spec import Axis, Block, Line, Word, Words, WordsSpec

HAND = Selection(AttentionKind.CROSS, layer=1, head=0, step=2)


def figure(selection: Selection = HAND, **view: object) -> FigureSpec:
    return words_figure(sample_trace(), selection, ViewOptions(**view))  # type: ignore[arg-type]


def words(selection: Selection = HAND, **view: object) -> WordsSpec:
    spec = figure(selection, **view).body
    assert isinstance(spec, WordsSpec)
    return spec


def weights(spec: WordsSpec) -> list[float | None]:
    return next([word.weight for word in block.words] for block in spec.blocks if block.shaded)


def test_the_keys_are_shaded_by_the_row_of_the_step() -> None:
    spec = words(HAND.but(step=1))
    assert weights(spec) == CROSS[1].tolist()
    assert spec.heading == "Decoder layer 2, head 1: predicting “rouges” reads:"
    keys, queries = spec.blocks
    assert [word.token.text for word in keys.words] == ["red", "app", "les", "(end)"]
    assert [word.token.text for word in queries.words] == ["pommes", "rouges", "(end)"]
    assert [word.chosen for word in queries.words] == [False, True, False]
    assert [word.later for word in queries.words] == [False, False, True]


def test_the_crosshair_says_which_query_is_chosen() -> None:
    assert weights(words(HAND.but(query=0, key=3))) == CROSS[0].tolist()


def test_the_other_way_round_the_queries_are_shaded_and_the_sum_is_said() -> None:
    spec = words(HAND.but(query=2, key=2), incoming=True)
    assert weights(spec) == CROSS[:, 2].tolist()
    assert spec.heading == "Decoder layer 2, head 1: “⋅les” is read by:"
    assert spec.badges == (f"weights of different queries: they add up to {0.1 + 0.5 + 0.3:.3f}, not to 1",)


def test_later_queries_have_no_weight_and_are_not_in_the_sum() -> None:
    spec = words(HAND.but(step=1, query=1, key=2), incoming=True)
    assert weights(spec) == [*CROSS[:2, 2].tolist(), None]
    assert "add up to 0.600" in spec.badges[0]


def test_a_row_has_no_such_badge() -> None:
    assert words().badges == ()


def test_a_decoder_cannot_read_later_tokens() -> None:
    spec = words(HAND.but(kind=AttentionKind.DECODER_SELF, step=1))
    assert weights(spec) == [*DECODER[1, :2].tolist(), None]
    assert [word.masked for word in spec.blocks[0].words] == [False, False, True]


def test_an_encoder_has_one_text_with_the_chosen_token_in_it() -> None:
    spec = words(HAND.but(kind=AttentionKind.ENCODER_SELF, query=1, key=0))
    (block,) = spec.blocks
    assert weights(spec) == ENCODER[1].tolist()
    assert [word.chosen for word in block.words] == [False, True, False, False]
    assert spec.heading == "Encoder layer 2, head 1: “app” reads:"
    (turned,) = words(HAND.but(kind=AttentionKind.ENCODER_SELF, query=1, key=0), incoming=True).blocks
    assert [word.weight for word in turned.words] == ENCODER[:, 0].tolist()
    assert [word.chosen for word in turned.words] == [True, False, False, False]


def test_sentences_are_the_maps() -> None:
    body = map_figure(sample_trace(), HAND, ViewOptions()).body
    assert isinstance(body, MapSpec)
    spec = words()
    keys, queries = spec.blocks
    assert [spec.sentence_at(keys, n) for n in range(4)] == [body.sentence_at(2, n) for n in range(4)]
    assert spec.sentence_at(queries, 0) == ""
    assert spec.strongest() == body.sentence_at(2, 3)
    turned = words(HAND.but(query=2, key=1), incoming=True)
    assert turned.sentence_at(turned.blocks[1], 0) == body.sentence_at(0, 1)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_word_lies_on_the_colour_of_its_weight(qapp: object, theme: Theme) -> None:
    image, place = picture(figure(), 500, 240, theme=theme)
    assert isinstance(place, WordsGeometry)
    for word in place.blocks[0].words:
        shown = QColor(image.pixel(round(word.rect.left()) + 1, round(word.rect.top()) + 1))
        value = float(CROSS[2, word.word.index])
        assert shown.rgb() == int(theme.table[int(value * 255 + 0.5)])


def test_pieces_of_a_word_stand_close_and_words_apart(qapp: object) -> None:
    place = words_geometry(figure(), QRectF(0, 0, 600, 300), DrawOptions())
    red, app, les, end = place.blocks[0].words
    assert les.rect.left() == pytest.approx(app.rect.right())
    assert app.rect.left() - red.rect.right() >= 5
    assert end.rect.left() - les.rect.right() >= 5


def test_no_number_touches_another_and_each_is_its_words_weight(qapp: object) -> None:
    place = words_geometry(figure(), QRectF(0, 0, 600, 300), DrawOptions())
    numbers = [(word.number, word.word.weight) for word in place.blocks[0].words if word.number]
    assert len(numbers) >= 2
    for (one, weight), (other, _) in zip(numbers, [*numbers[1:], (None, None)], strict=True):
        assert one.text == f"{weight:.3f}"
        assert other is None or one.x + width(one.text, one.pixels) < other.x


def test_a_long_text_wraps_within_its_room_and_takes_the_height_that_it_says(qapp: object) -> None:
    tokens = 300
    matrix = np.full((1, 1, tokens, tokens), 1 / tokens, np.float32)
    source = tuple(f"▁word{n}" for n in range(tokens))
    trace = trace_of({AttentionKind.ENCODER_SELF: matrix}, source, ())
    long = words_figure(trace, Selection(AttentionKind.ENCODER_SELF), ViewOptions())
    options = DrawOptions()
    high = words_height(long, 400, options)
    place = words_geometry(long, QRectF(0, 0, 400, high), options)
    rects = [word.rect for word in place.blocks[0].words]
    assert len({rect.top() for rect in rects}) > 10
    assert all(rect.right() <= 400 for rect in rects)
    assert place.bottom <= high
    assert all(one.right() <= two.left() or one.top() < two.top() for one, two in pairwise(rects))


@given(
    tops=st.tuples(st.floats(-50, 3000), st.floats(0, 400)),
    tokens=st.lists(st.tuples(st.sampled_from(("a", "wide", "词", "w" * 90)), st.booleans()), max_size=120),
)
def test_the_words_of_a_stretch_are_those_that_stand_in_it(
    qapp: object, tops: tuple[float, float], tokens: list[tuple[str, bool]]
) -> None:
    written = [TokenText(text, text, continues=goes_on) for text, goes_on in tokens]
    line = Line(tuple((token, True) for token in written))
    spec = replace(words(), blocks=(Block(Axis.KEY, "", Words(line), shaded=False),))
    place = words_geometry(FigureSpec(spec, "", {}), QRectF(0, 0, 200, 300), DrawOptions())
    (block,) = place.blocks
    top, bottom = tops[0], sum(tops)

    inside = [word for word in block.words if word.rect.bottom() >= top and word.rect.top() <= bottom]
    assert list(block.between(top, bottom)) == inside
    assert [word.word for word in block.words] == [Word(n, token) for n, token in enumerate(written)]
    for word in block.words[::7]:
        assert block.of(word.word.index) == word
        lines = sorted({other.rect.top() for other in block.words})
        below = lines.index(word.rect.top()) + 1
        found = block.nearest(word.word.index, 1)
        if below == len(lines):
            assert found is None
        else:
            assert found is not None
            other = block.of(found)
            assert other is not None
            assert other.rect.top() == lines[below]
            away = abs(other.rect.center().x() - word.rect.center().x())
            line = [one.rect.center().x() for one in block.words if one.rect.top() == lines[below]]
            assert away == min(abs(x - word.rect.center().x()) for x in line)


def test_of_a_long_text_the_words_in_view_are_made(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line(tuple((TokenText(f"w{n}", f"w{n}"), True) for n in range(4000)))
    spec = replace(words(), blocks=(Block(Axis.KEY, "", Words(line), shaded=False),))
    made: list[int] = []
    word = PlacedBlock.word

    def counted(block: PlacedBlock, place: int) -> PlacedWord:
        made.append(place)
        return word(block, place)

    monkeypatch.setattr(PlacedBlock, "word", counted)
    place = words_geometry(FigureSpec(spec, "", {}), QRectF(0, 0, 600, 300), DrawOptions())
    image = QImage(600, 300, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setClipRect(image.rect())
    paint_words(painter, place, LIGHT, DrawOptions())
    painter.end()
    assert 50 < len(made) < 400


def test_the_word_under_a_point_is_the_one_drawn_there(qapp: object) -> None:
    place = words_geometry(figure(), QRectF(0, 0, 600, 300), DrawOptions())
    for block in place.blocks:
        for word in block.words:
            found = place.word_at(word.rect.center())
            assert found is not None
            assert found[0] is block
            assert found[1] == word
    assert place.blocks[0].block.axis is Axis.KEY


@pytest.mark.parametrize("levels", [(0.0, 1.0), (0.0, 0.99), (-0.25, 0.25), (0.0, 0.0125)])
def test_the_scale_says_its_ends(
    qapp: object, monkeypatch: pytest.MonkeyPatch, levels: tuple[float, float]
) -> None:
    drawn: list[TextRun] = []
    monkeypatch.setattr("viewer.figures.words.paint.draw_runs", lambda _, runs, __: drawn.extend(runs))
    spec = words()
    picture(FigureSpec(replace(spec, spec=replace(spec.spec, levels=levels)), "", {}), 500, 240)
    shown = sorted((run for run in drawn if re.fullmatch(r"[-−]?[0-9.]+", run.text)), key=lambda run: run.x)
    scale = [run for run in shown if run.y == max(run.y for run in shown)]
    numbers = [float(run.text.replace("−", "-")) for run in scale]
    assert (numbers[0], numbers[-1]) == pytest.approx(levels, rel=0.01)
    assert numbers == sorted(numbers)
    assert all(b.x >= a.x + width(a.text, a.pixels) for a, b in pairwise(scale))
