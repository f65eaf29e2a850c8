"""The picture of a difference: every number against plain numpy on hand-made traces."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from model.alterations.block_token import BlockToken
from model.trace.trace import ArrayPatterns, AttentionKind, Trace
from tests.viewer.export_samples import sample_trace
from tests.viewer.figure_samples import picture
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.difference.build import comparable, difference_figure
from viewer.figures.difference.scale import head_differences, levels_of
from viewer.figures.difference.spec import DifferenceSpec, signed
from viewer.figures.map.layout import MapGeometry
from viewer.figures.map.spec import CellState

A_SOURCE = ("▁The", "▁little", "▁girl", "▁sleeps", "</s>")
B_SOURCE = ("▁The", "▁girl", "▁sleeps", "▁well", "</s>")
A_TARGET = ("<s>", "▁La", "▁petite", "▁fille", "▁dort", "</s>")
B_TARGET = ("<s>", "▁La", "▁fille", "▁dort", "▁bien", "</s>")
# By hand: which index of A and of B each place of the picture is.
COLUMNS = [(0, 0), (1, None), (2, 1), (3, 2), (None, 3), (4, 4)]
ROWS = [(0, 0), (1, 1), (2, None), (3, 2), (4, 3), (None, 4)]


def two(**changes: Any) -> tuple[Trace, Trace]:
    first = sample_trace(source=A_SOURCE, target=A_TARGET, layers=2, heads=3, seed=1, model_sha256="one")
    values = {"layers": 3, "heads": 4, "seed": 2, "model_sha256": "two", **changes}
    return first, sample_trace(source=B_SOURCE, target=B_TARGET, **values)


def spec_of(first: Trace, second: Trace, selection: Selection, **view: bool) -> DifferenceSpec:
    body = difference_figure(first, second, selection, ViewOptions(**view)).body
    assert isinstance(body, DifferenceSpec)
    return body


def by_hand(
    a: np.ndarray[Any, Any],
    b: np.ndarray[Any, Any],
    rows: list[tuple[int | None, int | None]],
    columns: list[tuple[int | None, int | None]],
) -> np.ndarray[Any, Any]:
    """b - a where both exist, else NaN."""
    result = np.full((len(rows), len(columns)), np.nan, np.float32)
    for row, (i, j) in enumerate(rows):
        for column, (k, m) in enumerate(columns):
            if None not in (i, j, k, m):
                result[row, column] = b[j, m] - a[i, k]
    return result


@pytest.mark.parametrize(
    ("kind", "rows", "columns"),
    [
        (AttentionKind.CROSS, ROWS, COLUMNS),
        (AttentionKind.ENCODER_SELF, COLUMNS, COLUMNS),
        (AttentionKind.DECODER_SELF, ROWS, ROWS),
    ],
)
@pytest.mark.parametrize("head", [1, None])
def test_the_difference_is_b_less_a_of_the_same_tokens(
    qapp: object, kind: AttentionKind, rows: Any, columns: Any, head: int | None
) -> None:
    first, second = two(heads=3)
    spec = spec_of(first, second, Selection(kind, 1, head, 2))
    assert list(spec.rows_of.pairs) == rows
    assert list(spec.columns_of.pairs) == columns
    a, b = (
        trace.patterns.layer(kind, 1).astype(np.float64).mean(0)
        if head is None
        else trace.patterns.layer(kind, 1)[head]
        for trace in (first, second)
    )
    expected = by_hand(a.astype(np.float32), b.astype(np.float32), rows, columns)
    assert spec.absent is not None
    np.testing.assert_array_equal(spec.absent, np.isnan(expected))
    np.testing.assert_array_equal(np.where(spec.absent, np.nan, spec.matrix), expected)
    for row in range(len(rows)):
        for column in range(len(columns)):
            shown = spec.weight_at(row, column)
            assert (shown is None) == np.isnan(expected[row, column])


def test_what_is_masked_in_both_is_masked_and_what_one_lacks_is_neither(qapp: object) -> None:
    first, second = two()
    spec = spec_of(first, second, Selection(AttentionKind.DECODER_SELF, 1, 1, 2))
    assert spec.state_at(0, 1) is CellState.MASKED
    assert spec.state_at(2, 1) is CellState.ABSENT
    assert spec.state_at(1, 1) is CellState.SHOWN


def test_a_head_that_a_lacks_is_the_nearest_it_has_and_that_is_said(qapp: object) -> None:
    first, second = two()
    spec = spec_of(first, second, Selection(AttentionKind.CROSS, 2, 3, 2))
    a, b = (
        first.patterns.pattern(AttentionKind.CROSS, 1, 2),
        second.patterns.pattern(AttentionKind.CROSS, 2, 3),
    )
    expected = by_hand(a, b, ROWS, COLUMNS)
    assert spec.absent is not None
    np.testing.assert_array_equal(np.where(spec.absent, np.nan, spec.matrix), expected)
    assert spec.first_place == (1, 2)
    assert "A: Decoder layer 2, head 3; B: Decoder layer 3, head 4" in spec.badges
    assert spec_of(first, second, Selection(AttentionKind.CROSS, 1, 1)).first_place is None


def test_exchanging_the_runs_turns_every_sign(qapp: object) -> None:
    first, second = two(layers=2, heads=3)
    for kind in AttentionKind:
        one = spec_of(first, second, Selection(kind, 1, 2))
        other = spec_of(second, first, Selection(kind, 1, 2))
        back = {pair[::-1]: place for place, pair in enumerate(other.rows_of.pairs)}
        across = {pair[::-1]: place for place, pair in enumerate(other.columns_of.pairs)}
        rows = [back[pair] for pair in one.rows_of.pairs]
        columns = [across[pair] for pair in one.columns_of.pairs]
        np.testing.assert_array_equal(one.matrix, -other.matrix[np.ix_(rows, columns)])
        assert one.levels == other.levels


def test_labels_say_which_run_has_a_token_and_what_either_predicts(qapp: object) -> None:
    spec = spec_of(*two(), Selection(AttentionKind.CROSS, 1, 1, 1))
    assert [label.text for label in spec.column_labels] == [
        "The", "A: little", "girl", "sleeps", "B: well", "(end)",
    ]  # fmt: skip
    assert [(label.text, label.second) for label in spec.row_labels] == [
        ("(start)", "La"),
        ("La", "petite | fille"),
        ("A: petite", "fille"),
        ("fille", "dort"),
        ("dort", "(end) | bien"),
        ("B: bien", "(end)"),
    ]
    assert spec.step_row == 1


def test_a_word_in_the_place_of_another_is_compared_and_both_are_named(qapp: object) -> None:
    first = sample_trace(source=("▁a", "▁red", "</s>"), target=("<s>", "▁rouge", "</s>"), model_sha256="a")
    second = sample_trace(
        source=("▁a", "▁blue", "</s>"), target=("<s>", "▁bleu", "</s>"), seed=2, model_sha256="b"
    )
    spec = spec_of(first, second, Selection(AttentionKind.CROSS, 1, 1, 1))
    assert [label.text for label in spec.column_labels] == ["a", "red | blue", "(end)"]
    assert [(label.text, label.second) for label in spec.row_labels] == [
        ("(start)", "rouge | bleu"),
        ("rouge | bleu", "(end)"),
    ]
    a, b = (trace.pattern(AttentionKind.CROSS, 1, 1) for trace in (first, second))
    np.testing.assert_array_equal(spec.matrix, b - a)
    assert not spec.has_absent
    assert spec.badges[-2:] == (
        "in both: 1 of 2 rows, 2 of 3 columns",
        "“x | y”: B has y where A has x",
    )
    facts = difference_figure(first, second, Selection(AttentionKind.CROSS, 1, 1), ViewOptions()).facts
    assert facts["rows_replaced"] == facts["columns_replaced"][:2] == [False, True]


def test_the_sentence_gives_both_weights_and_their_difference(qapp: object) -> None:
    first, second = two()
    pattern = np.zeros((2, 3, 5, 5), np.float32)
    other = np.zeros((3, 4, 5, 5), np.float32)
    pattern[1, 1, 1, 2], other[1, 1, 1, 1] = 0.25, 0.75
    pattern[1, 1, 1, 1], other[1, 1, 1, 3] = 0.5, 0.125
    first = sample_like(first, pattern)
    second = sample_like(second, other)
    spec = spec_of(first, second, Selection(AttentionKind.CROSS, 1, 1))
    place = "Decoder layer 2, head 2: predicting “petite | fille” reads"
    assert spec.sentence_at(1, 2) == f"{place} “girl”: A 0.250, B 0.750, difference +0.500"
    assert spec.sentence_at(1, 1) == f"{place} “A: little”: A 0.500, not in B"
    assert spec.sentence_at(1, 4) == f"{place} “B: well”: B 0.125, not in A"
    assert spec.sentence_at(2, 4).endswith("“B: well”: one token is only in A, the other only in B")
    assert spec.largest == (1, 2)
    assert spec.weights_at(1, 1) == (0.5, None)
    assert signed(-0.0456) == "−0.046"
    assert signed(0.0) == "0"


def sample_like(trace: Trace, cross: np.ndarray[Any, Any]) -> Trace:
    return replace(trace, patterns=ArrayPatterns({AttentionKind.CROSS: cross}))


def test_one_symmetrical_scale_for_all_heads_of_the_family(qapp: object) -> None:
    first, second = two(layers=2, heads=3)
    kind = AttentionKind.CROSS
    largest = np.zeros((2, 3))
    for layer in range(2):
        for head in range(3):
            cells = by_hand(
                first.patterns.pattern(kind, layer, head),
                second.patterns.pattern(kind, layer, head),
                ROWS,
                COLUMNS,
            )
            largest[layer, head] = np.nanmax(np.abs(cells))
    found = head_differences(first, second, kind)
    assert found is not None
    np.testing.assert_allclose(found, largest, rtol=1e-6)
    levels = {spec_of(first, second, Selection(kind, n, m)).levels for n in range(2) for m in range(3)}
    assert len(levels) == 1
    low, high = levels.pop()
    assert low == -high
    assert high >= largest.max()
    assert high in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def test_no_difference_is_a_map_of_zeros_on_a_scale_that_is_not_empty(qapp: object) -> None:
    trace = two()[0]
    spec = spec_of(trace, trace, Selection(AttentionKind.CROSS, 0, 0))
    assert not spec.matrix.any()
    assert spec.levels == (-0.01, 0.01)
    assert spec.largest is None
    assert not spec.has_absent
    assert spec.badges == ("difference: B − A",)


def test_numbers_beyond_one_have_their_own_scale(qapp: object) -> None:
    first, second = two()
    shown = np.array([[3.5]], np.float32)
    assert levels_of(first, second, AttentionKind.CROSS, shown) == (-3.5, 3.5)


def test_hidden_tokens_are_counted_for_each_run(qapp: object) -> None:
    first, second = two()
    spec = spec_of(first, second, Selection(AttentionKind.CROSS, 1, 1), hide_specials=True)
    assert list(spec.columns_of.pairs) == COLUMNS[:-1]
    # The row that predicts the end in A, yet a word in B, is shown for B's sake.
    assert list(spec.rows_of.pairs) == ROWS[:-1]
    a, b = (trace.patterns.pattern(AttentionKind.CROSS, 1, 1).astype(np.float64) for trace in (first, second))
    shares = 100 * a[:, 4].sum() / a.sum(), 100 * b[:4, 4].sum() / b[:4].sum()
    text = f"special tokens hidden: {shares[0]:.1f} % of A's weight, {shares[1]:.1f} % of B's"
    assert text in spec.badges


def test_caption_and_facts_name_both_runs(qapp: object) -> None:
    blocked = BlockToken(1).to_json()
    first, second = two(alterations=(blocked,))
    figure = difference_figure(
        first, second, Selection(AttentionKind.CROSS, 1, 1), ViewOptions(sqrt_scale=True),
        provenances=({"source": "recorded"}, None),
    )  # fmt: skip
    for words in ("A: “", "B: “", "sha256 one", "sha256 two", "Recorded example.", "ifference: B − A"):
        assert words in figure.caption
    assert figure.caption.count("blocked") == 1
    facts = figure.facts
    assert facts["view"] == "difference"
    assert facts["a"]["model_sha256"] == "one"
    assert facts["b"]["alterations"] == [blocked]
    assert facts["rows"] == [list(pair) for pair in ROWS]
    assert facts["scale"] == "sqrt"
    assert any("square-root" in badge for badge in figure.body.badges)
    assert any(badge.startswith("B: ") for badge in figure.body.badges)


def test_families_that_one_lacks_cannot_be_compared(qapp: object) -> None:
    first, second = two()
    only = sample_like(second, np.zeros((1, 1, 5, 5), np.float32))
    assert comparable(first, only, AttentionKind.CROSS)
    assert not comparable(first, only, AttentionKind.ENCODER_SELF)
    assert head_differences(first, only, AttentionKind.ENCODER_SELF) is None


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_more_is_blue_less_is_orange_and_nothing_is_the_panel(qapp: object, theme: Theme) -> None:
    pattern, other = np.zeros((1, 1, 5, 5), np.float32), np.zeros((1, 1, 5, 5), np.float32)
    pattern[0, 0, 0, 0], other[0, 0, 0, 2] = 1.0, 1.0
    pattern[0, 0, 3, 0], other[0, 0, 2, 0] = 1.0, 1.0  # the same in both
    first, second = (sample_like(trace, cross) for trace, cross in zip(two(), (pattern, other), strict=True))
    figure = difference_figure(first, second, Selection(AttentionKind.CROSS, 0, 0), ViewOptions())
    image, place = picture(figure, theme=theme)
    assert isinstance(place, MapGeometry)

    def colour(row: int, column: int) -> tuple[int, int, int]:
        point = place.rect_of(row, column).center()
        rgb = image.pixelColor(int(point.x()), int(point.y()))
        return rgb.red(), rgb.green(), rgb.blue()

    red, _, blue = colour(0, 3)  # B's column 2
    assert blue > red + 50
    red, _, blue = colour(0, 0)
    assert red > blue + 50
    panel = theme.color("panel")
    nothing = colour(3, 3)
    assert all(
        abs(got - wanted) <= 3
        for got, wanted in zip(nothing, (panel.red(), panel.green(), panel.blue()), strict=True)
    )


def test_a_low_map_gives_its_height_to_the_cells_and_still_names_its_tokens(qapp: object) -> None:
    figure = difference_figure(*two(), Selection(AttentionKind.CROSS, 1, 1), ViewOptions())
    plain = DrawOptions(title=False, badges=False)
    compact = DrawOptions(title=False, badges=False, compact=True)
    _, roomy = picture(figure, 560, 150, options=plain)
    _, low = picture(figure, 560, 150, options=compact)
    assert isinstance(roomy, MapGeometry)
    assert isinstance(low, MapGeometry)
    assert low.map_rect.height() > 1.3 * roomy.map_rect.height()
    assert not low.column_title.text
    assert not low.row_title.text
    assert all(label.angle == 0 for label in low.columns)
    boxes = sorted((label.outline().boundingRect() for label in low.columns), key=lambda box: box.left())
    assert all(left.right() <= right.left() + 1 for left, right in pairwise(boxes))
    assert low.map_rect.right() < low.bar.box.left() < 560
    assert low.legend.right() <= low.map_rect.left()
