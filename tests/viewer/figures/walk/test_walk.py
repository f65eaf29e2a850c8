"""The layer walk's figure: hand-worked lengths, angles, counts; where blocks go, what is drawn of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from model.questions.answers import Walk
from model.trace.trace import AttentionKind
from tests.viewer import walk_samples as samples
from tests.viewer.figure_samples import picture, sample_trace
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT
from viewer.figures.drawing import figure_geometry, figure_height
from viewer.figures.figure import FigureSpec
from viewer.figures.walk.build import architecture_figure, walk_figure
from viewer.figures.walk.layout import WalkGeometry
from viewer.figures.walk.paint_details import residual_points
from viewer.figures.walk.spec import (
    BarsDetail,
    EmbeddingDetail,
    LensDetail,
    NormDetail,
    ResidualDetail,
    WalkSpec,
)
from viewer.figures.walk.stages import change, entering, layer_groups, stages, stages_of

pytestmark = pytest.mark.usefixtures("qapp")

SHAPE = {
    "d_model": 4,
    "n_heads": 2,
    "d_ff": 8,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "norm": "post_norm",
    "activation": "relu",
    "scale_embedding": True,
}


def shown(walk: Walk, selected: int, **more: object) -> WalkSpec:
    figure = walk_figure(sample_trace(), walk, None, selected, **more)  # type: ignore[arg-type]
    assert isinstance(figure.body, WalkSpec)
    return figure.body


def place_of(figure: FigureSpec, width: float = 1000, height: float = 600) -> WalkGeometry:
    place = figure_geometry(figure, QRectF(0, 0, width, height))
    assert isinstance(place, WalkGeometry)
    return place


def test_stages_are_in_the_order_in_which_the_model_computes_them() -> None:
    assert stages("source", 2, pre_norm=False) == stages_of(samples.source_walk())
    assert stages("target", 1, pre_norm=True) == stages_of(samples.target_walk())


def test_what_enters_a_stage_and_how_its_length_changes() -> None:
    post, pre = samples.source_walk().steps, samples.target_walk().steps
    lengths = [change(post, index) for index in range(15)]
    assert lengths[:9] == pytest.approx([None, None, 2, None, 8, -11, None, -2, 2], nan_ok=True)
    assert change(pre, 5) == pytest.approx(8)  # 13 - 5
    assert change(pre, 8) == pytest.approx(85 - 13, abs=0.01)
    entered = entering(pre, 8)
    assert entered is not None
    assert entered.tolist() == [3, 4, 12, 0]
    # The second layer begins with what the first one's norm gave.
    second = entering(post, 10)
    assert second is not None
    assert second.tolist() == [0, 0, 0, 2]


def test_one_layer_is_open_and_the_others_are_a_block_each() -> None:
    spec = shown(samples.source_walk(layers=3), 10)
    encoder, decoder = spec.stacks
    assert [block.name for block in encoder.blocks] == [
        "Embedding", "Position P", "X + P", "Layer 1",
        "Self-attention", "Add", "LayerNorm", "Feed-forward", "Add", "LayerNorm", "Layer 3",
    ]  # fmt: skip
    assert encoder.open_layer == "Layer 2 of 3"
    closed = encoder.blocks[3]
    assert (closed.stage, closed.norm) == (8, 2.0)
    assert closed.change == pytest.approx(2 - 5)
    assert encoder.skips == ((4, 5), (7, 8))
    assert [block.norm for block in encoder.blocks[:3]] == [3, 4, 5]
    assert all(block.norm is None and block.stage is None for block in decoder.blocks)
    assert spec.longest == 13  # in the first layer, which is not open


def test_in_pre_norm_the_residual_goes_around_norm_and_sub_layer() -> None:
    _, decoder = shown(samples.target_walk(), 4).stacks
    assert [block.name for block in decoder.blocks] == [
        "Embedding", "Position P", "X + P",
        "LayerNorm", "Self-attention", "Add",
        "LayerNorm", "Cross-attention", "Add",
        "LayerNorm", "Feed-forward", "Add",
        "Closing LayerNorm", "Next word",
    ]  # fmt: skip
    assert decoder.skips == ((3, 5), (6, 8), (9, 11))
    assert [block.cross for block in decoder.blocks].index(True) == 7
    assert decoder.blocks[-1].stage == len(samples.target_walk().steps)


def test_many_layers_share_blocks_beyond_those_around_the_open_one() -> None:
    assert layer_groups(3, 1) == (range(1), range(1, 2), range(2, 3))
    groups = layer_groups(30, 15, most=5)
    assert groups == (range(13), *(range(n, n + 1) for n in range(13, 18)), range(18, 30))
    assert layer_groups(30, 0, most=3)[-1] == range(3, 30)
    assert layer_groups(30, 29, most=3)[0] == range(27)


def test_residual_lengths_and_angles() -> None:
    detail = shown(samples.source_walk(), 4).detail
    assert isinstance(detail, ResidualDetail)
    assert (detail.before, detail.added, detail.total) == pytest.approx((5, 12, 13))
    assert detail.cosine == pytest.approx(0, abs=1e-12)
    assert detail.kept == pytest.approx(5 / 13)
    against = shown(samples.source_walk(), 7).detail
    assert isinstance(against, ResidualDetail)
    assert against.cosine == pytest.approx(-1)
    assert against.kept == 0  # beside a vector of zeros


def test_the_residuals_arrows_are_true_to_scale() -> None:
    start, bend, end = residual_points(QRectF(0, 0, 300, 300), ResidualDetail(5, 12, 13, 0.0, 5 / 13))
    long = [math.dist(a.toTuple(), b.toTuple()) for a, b in ((start, bend), (bend, end), (start, end))]
    assert long[1] / long[0] == pytest.approx(12 / 5)
    assert long[2] / long[0] == pytest.approx(13 / 5)
    assert long[1] == pytest.approx(300)


def test_norm_histograms_count_every_number_and_tell_mean_and_deviation() -> None:
    spec = shown(samples.source_walk(), 5)
    detail = spec.detail
    assert isinstance(detail, NormDetail)
    assert [sum(counts) for counts in detail.counts] == [4, 4]
    assert (detail.edges[0], detail.edges[-1]) == (-1.0, 12.0)
    # Width 13 / 32: -1 in the first bin, 0 in the third, 1 in the fifth, 3 in the tenth, 4 in the 13th.
    before = [index for index, count in enumerate(detail.counts[0]) if count]
    assert before == [2, 9, 12, 31]
    assert (detail.counts[1][0], detail.counts[1][4]) == (2, 2)
    assert detail.mean == pytest.approx((4.75, 0))
    assert detail.deviation == pytest.approx((math.sqrt(19.6875), 1))
    assert "From 13.00 to 2.00 long; without γ and β it would be √4 = 2.00." in spec.sentences
    assert "Ba et al. 2016" in spec.source


def test_neurons_and_heads_are_bars_with_their_numbers() -> None:
    spec = shown(samples.source_walk(), 6, architecture=SHAPE)
    assert isinstance(spec.detail, BarsDetail)
    assert [(row.name, row.value, row.texts) for row in spec.detail.rows] == [
        ("7", 3.0, ("1.500", "3.000")),
        ("2", 0.75, ("−0.250", "0.750")),
    ]
    assert "6 of 8 neurons are above 0 (75 %). What they add is 2.00 long." in spec.sentences
    assert spec.formula == "FFN(x) = max(0, x W₁ + b₁) W₂ + b₂"
    row = samples.heads(AttentionKind.ENCODER_SELF, 0, 0)
    spec = shown(samples.source_walk(), 3, row=row, architecture=SHAPE)
    assert isinstance(spec.detail, BarsDetail)
    assert [(bar.index, bar.value) for bar in spec.detail.rows] == [(1, 4.5), (0, 1.5)]
    assert spec.detail.head_layer == 0
    assert "head₂) W_O" in spec.formula


def test_heads_of_another_position_are_not_shown() -> None:
    row = samples.heads(AttentionKind.ENCODER_SELF, 0, 2)
    spec = shown(samples.source_walk(), 3, row=row)
    assert spec.detail is None
    assert spec.sentences[-1] == "The numbers are being worked out…"


def test_heads_of_the_layers_other_attention_are_not_shown() -> None:
    walk = samples.target_walk()
    stages = [step.stage for step in walk.steps]
    row = samples.heads(AttentionKind.CROSS, 0, walk.position)
    spec = shown(walk, stages.index("cross"), row=row)
    assert isinstance(spec.detail, BarsDetail)
    assert any("adds most" in said for said in spec.sentences)
    spec = shown(walk, stages.index("self_attention"), row=row)
    assert spec.detail is None
    assert not any("adds most" in said for said in spec.sentences)


def test_the_three_maps_of_the_entrance_share_a_scale() -> None:
    figure = walk_figure(sample_trace(), samples.source_walk(2), samples.embedding("source"), 1)
    assert isinstance(figure.body, WalkSpec)
    detail = figure.body.detail
    assert isinstance(detail, EmbeddingDetail)
    assert detail.level == 4
    assert [lengths[0] for lengths in detail.lengths] == [3, 4, 5]
    assert (detail.row, detail.chosen) == (2, 1)
    assert detail.labels == ("red", "app", "⋅les", "(end)")
    assert figure.body.formula == "X = E[token] · √d_model = E[token] · 2,   X + P"


def test_the_lens_marks_the_token_that_was_produced() -> None:
    walk = samples.target_walk()
    spec = shown(walk, len(walk.steps))
    assert isinstance(spec.detail, LensDetail)
    first, last = spec.detail.rows
    assert [cell.produced for cell in first.cells] == [False, False, False, True, False]
    assert [cell.probability for cell in first.cells] == pytest.approx([0.5, 0.25, 0.125, 0.0625, 0.03125])
    assert (first.rank, last.rank) == (4, 1)
    assert last.probability == pytest.approx(0.5)
    assert (first.last, last.last) == (False, True)


def test_the_lens_says_what_it_does_not_show_where_there_are_earlier_layers() -> None:
    walk = samples.target_walk()
    layers = [replace(walk.lenses[0], layer=layer) for layer in range(2)]
    several = replace(walk, lenses=(*layers, walk.lenses[-1]))
    assert any("a hint" in each for each in shown(several, len(walk.steps)).sentences)
    single = replace(walk, lenses=(layers[0], walk.lenses[-1]))
    assert not any("a hint" in each for each in shown(single, len(walk.steps)).sentences)


@pytest.mark.parametrize(("biased", "formula"), [(True, "softmax(h Wᵀ + b)"), (False, "softmax(h Wᵀ)")])
def test_the_formula_of_the_last_word_has_the_bias_that_the_model_has(biased: bool, formula: str) -> None:
    walk = samples.target_walk()
    spec = shown(walk, len(walk.steps), architecture=SHAPE | {"output_bias": biased})
    assert spec.formula.endswith(formula)


def test_a_stage_out_of_range_is_the_nearest() -> None:
    assert shown(samples.source_walk(), 99).selected == len(samples.source_walk().steps) - 1
    assert shown(samples.target_walk(), -5).selected == 0


def test_caption_and_facts_say_where_and_by_what_formula() -> None:
    figure = walk_figure(sample_trace(), samples.source_walk(), None, 4)
    assert "source token 1 of 4, “red”" in figure.caption
    assert "x + Sublayer(x)" in figure.caption
    assert (figure.facts["stage"], figure.facts["sublayer"], figure.facts["layer"]) == (
        "residual",
        "self_attention",
        0,
    )


def test_alterations_are_owned_up_to() -> None:
    trace = sample_trace(
        alterations=({"type": "scale_head", "kind": "cross", "layer": 0, "head": 0, "scale": 0.0},)
    )
    figure = walk_figure(trace, samples.source_walk(), None, 4)
    assert figure.body.badges
    assert figure.body.badges[0][1:] in figure.caption


@pytest.mark.parametrize(("width", "height"), [(1000, 600), (1240, 480), (500, 1500)])
def test_no_block_touches_another_and_all_are_inside(width: int, height: int) -> None:
    place = place_of(walk_figure(sample_trace(), samples.source_walk(), None, 4), width, height)
    inside = QRectF(-1, -1, width + 2, height + 2)
    for column in place.columns:
        for lower, upper in zip(column.blocks, column.blocks[1:], strict=False):
            assert upper.bottom() < lower.top()
        assert all(inside.contains(block) for block in column.blocks)
    assert not place.detail.intersects(place.columns[1].frame)


def test_a_click_finds_its_block() -> None:
    place = place_of(walk_figure(sample_trace(), samples.source_walk(), None, 4))
    assert place.block_at(place.columns[0].blocks[4].center()) == (0, 4)
    assert place.block_at(place.columns[1].blocks[0].center()) == (1, 0)
    assert place.block_at(place.detail.center()) is None


def test_bars_are_as_long_as_the_vectors_and_the_chosen_block_is_framed() -> None:
    figure = walk_figure(sample_trace(), samples.source_walk(), None, 4)
    image, place = picture(figure, 1000, 600, options=DrawOptions(title=False))
    assert isinstance(place, WalkGeometry)
    block = place.columns[0].blocks[4]
    assert image.pixelColor(round(block.left()), round(block.center().y())) == LIGHT.color("accent")
    foot = [place.columns[0].blocks[index] for index in (0, 1)]  # lengths 3 and 4
    runs = []
    for area in foot:
        y = round(area.bottom() - 3)
        row = [image.pixelColor(x, y) for x in range(round(area.left()) + 12, round(area.right()) - 8)]
        runs.append(next(i for i, colour in enumerate(row) if colour != row[0]) + 7)
    assert runs[1] / runs[0] == pytest.approx(4 / 3, rel=0.06)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("selected", range(14))
def test_every_stage_draws_something_beside_the_map(selected: int, theme: object) -> None:
    walk = samples.target_walk()
    row = samples.heads(AttentionKind.CROSS, 0, walk.position)
    figure = walk_figure(
        sample_trace(), walk, samples.embedding("target"), selected, row=row, other=samples.source_walk()
    )
    spec = figure.body
    assert isinstance(spec, WalkSpec)
    image, place = picture(figure, 900, 560, theme=theme)  # type: ignore[arg-type]
    assert isinstance(place, WalkGeometry)
    area = place.detail.toRect()
    part = image.copy(area)
    seen = {part.pixel(x, y) for x in range(0, part.width(), 3) for y in range(0, part.height(), 3)}
    assert (len(seen) > 2) == (spec.detail is not None)


def test_a_colour_of_the_maps_is_the_scales() -> None:
    figure = walk_figure(sample_trace(), samples.source_walk(), samples.embedding("source"), 0)
    image, place = picture(figure, 1000, 600)
    assert isinstance(place, WalkGeometry)
    area = place.detail.toRect()
    wanted = QColor.fromRgb(int(LIGHT.diverging[255]))  # 4 of 4
    found = {
        image.pixel(x, y)
        for x in range(area.left(), area.right())
        for y in range(area.top(), area.bottom(), 2)
    }
    assert wanted.rgb() in found


def test_the_height_gives_blocks_their_full_size() -> None:
    figure = walk_figure(sample_trace(), samples.source_walk(), None, 4)
    place = place_of(figure, 1000, figure_height(figure, 1000))
    assert place.columns[0].blocks[0].height() == pytest.approx(34, abs=2)
    assert figure_height(figure, 400) > figure_height(figure, 1000)


def test_the_architecture_alone_has_no_numbers() -> None:
    figure = architecture_figure(SHAPE, model_name="tiny", model_sha256="ab")
    spec = figure.body
    assert isinstance(spec, WalkSpec)
    assert [len(stack.blocks) for stack in spec.stacks] == [3 + 6 + 1, 3 + 9 + 2 + 1]
    assert all(block.norm is None for stack in spec.stacks for block in stack.blocks)
    assert spec.longest == 0
    image, _ = picture(figure, 900, 560)
    assert np.unique([image.pixel(x, 300) for x in range(900)]).size > 2
