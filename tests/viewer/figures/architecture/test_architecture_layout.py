"""Where the blocks go: nothing lies over anything else; what is lit, pale and cached."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QRectF

from model.folder.families import Family
from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import sample_trace
from tests.viewer.figures.architecture.samples import other, ours
from viewer.figures.architecture.anatomy import Anatomy, anatomy_of_trace
from viewer.figures.architecture.build import Shown, architecture_figure
from viewer.figures.architecture.layout import ArchitectureGeometry
from viewer.figures.architecture.spec import ArchitectureSpec
from viewer.figures.canvas.lettering import width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.drawing import figure_geometry, figure_height
from viewer.figures.figure import FigureSpec

ROOMS = ((440, 410, 1.0), (690, 620, 1.0), (1340, 880, 1.45), (840, 660, 1.6))
"""What the figure gets of windows of 900 x 600, 1280 x 800, 1920 x 1080, before an audience; its scale."""


def placed(figure: FigureSpec, wide: float, high: float, scale: float) -> ArchitectureGeometry:
    options = DrawOptions(title=False, font_scale=scale)
    found = figure_geometry(
        figure, QRectF(0, 0, wide, max(high, figure_height(figure, wide, options))), options
    )
    assert isinstance(found, ArchitectureGeometry)
    return found


def rooms_of(place: ArchitectureGeometry) -> dict[str, QRectF]:
    """Everything that may not touch, by a name."""
    found = {
        f"label {number} {run.text}": box for number, (run, box) in enumerate(zip(place.labels, place.boxes))
    }
    for column in place.columns:
        name = column.stack.name
        found |= {block.key: area for block, area in zip(column.stack.blocks, column.blocks, strict=True)}
        found[f"{name} foot"] = column.foot
        if column.stack.produced:
            found[f"{name} head"] = column.head
        for layer, heading, cache in zip(column.stack.layers, column.headings, column.caches, strict=True):
            found[f"{name} heading {layer.layer}"] = heading
            if layer.cache is not None:
                found[f"{name} cache {layer.layer}"] = cache
    return found


def overlaps(place: ArchitectureGeometry) -> list[str]:
    rooms = {name: box.adjusted(0.3, 0.3, -0.3, -0.3) for name, box in rooms_of(place).items()}
    return [f"{a} over {b}" for a, b in itertools.combinations(rooms, 2) if rooms[a].intersects(rooms[b])]


@pytest.mark.parametrize("norm", ["post_norm", "pre_norm"])
@pytest.mark.parametrize("unfolded", [False, True])
def test_nothing_lies_over_anything_else(norm: str, unfolded: bool, qapp: object) -> None:
    trace = sample_trace()
    found: list[str] = []
    for layers in range(1, 13):
        anatomy = ours(norm=norm, encoder_layers=layers, decoder_layers=13 - layers, d_model=256)
        figure = architecture_figure(anatomy, Shown(unfolded=unfolded, step=2), trace)
        for wide, high, scale in ROOMS:
            place = placed(figure, wide, high, scale)
            found += [f"{layers} at {wide}: {what}" for what in overlaps(place)]
            whole = QRectF(-1, -1, wide + 2, 1e6)
            found += [f"{name} outside" for name, box in rooms_of(place).items() if not whole.contains(box)]
            assert all(
                width(run.text, run.pixels) <= box.width() + 1 for run, box in zip(place.labels, place.boxes)
            )
            texts = [run.text for run in place.labels]
            assert "Q (3, 256)" in texts, texts
            assert min(area.height() for column in place.columns for area in column.blocks) >= 12
    assert found == []


def test_a_folded_stack_shows_the_layer_in_view(qapp: object) -> None:
    anatomy, lit = ours(), (AttentionKind.CROSS, 2, 1)
    spec = architecture_figure(anatomy, Shown(lit=lit)).body
    assert isinstance(spec, ArchitectureSpec)
    assert [[layer.layer for layer in stack.layers] for stack in spec.stacks] == [[0], [2]]
    spec = architecture_figure(anatomy, Shown(lit=lit, chosen="encoder.1.feed_forward")).body
    assert isinstance(spec, ArchitectureSpec)
    assert [[layer.layer for layer in stack.layers] for stack in spec.stacks] == [[1], [2]]
    spec = architecture_figure(anatomy, Shown(unfolded=True)).body
    assert isinstance(spec, ArchitectureSpec)
    assert [len(stack.layers) for stack in spec.stacks] == [2, 3]


def test_the_cache_grows_block_by_block(qapp: object) -> None:
    trace, anatomy = sample_trace(), ours()

    def caches(chosen: str, step: int = 1) -> list[int | None]:
        shown = Shown(unfolded=True, chosen=chosen, walking=True, step=step)
        spec = architecture_figure(anatomy, shown, trace).body
        assert isinstance(spec, ArchitectureSpec)
        return [layer.cache for layer in spec.stacks[1].layers]

    assert caches("encoder.0.self_attention") == [0, 0, 0]
    assert caches("decoder.embedding", 0) == [0, 0, 0]
    assert caches("decoder.0.self_attention", 0) == [1, 0, 0]
    assert caches("decoder.embedding") == [1, 1, 1]
    assert caches("decoder.1.self_attention") == [2, 2, 1]
    assert caches("decoder.softmax") == [2, 2, 2]


FOREIGN = [
    (Family.ENCODER_ONLY, "bert", {"norm": "post_norm", "mask_token": "[MASK]"}, ["encoder"]),
    (Family.DECODER_ONLY, "gpt2", {"norm": "pre_norm"}, ["decoder"]),
    (Family.DECODER_ONLY, "llama", {"norm": "pre_norm", "positions": "rotary", "kv_heads": 2}, ["decoder"]),
    (Family.ENCODER_DECODER, "t5", {"norm": "pre_norm", "positions": "relative"}, ["encoder", "decoder"]),
    (Family.ENCODER_DECODER, "bart", {"norm": "post_norm"}, ["encoder", "decoder"]),
    (Family.DECODER_ONLY, "gptj", {"norm": "pre_norm", "positions": "rotary"}, ["decoder"]),
]


@pytest.mark.parametrize(("family", "model_type", "changes", "stacks"), FOREIGN)
def test_models_of_others_draw_what_they_have(
    family: Family, model_type: str, changes: dict[str, object], stacks: list[str], qapp: object
) -> None:
    anatomy = other(family, model_type, **changes)
    figure = architecture_figure(anatomy, Shown(unfolded=True))
    spec = figure.body
    assert isinstance(spec, ArchitectureSpec)
    assert [stack.name for stack in spec.stacks] == stacks
    assert all(block.parameters is None for block in spec.every)
    keys = set(spec.order)
    assert any(".cross" in key for key in keys) == (family is Family.ENCODER_DECODER)
    added = {"bert", "gpt2", "bart"}
    assert any(key.endswith(".positions") for key in keys) == (model_type in added)
    finals = {"gpt2", "llama", "t5"}
    assert any(key.endswith("final_norm") for key in keys) == (model_type in finals)
    assert any(key.endswith("embedding_norm") for key in keys) == (model_type in {"bert", "bart"})
    norms = {block.name for block in spec.every if block.role in ("norm", "add_norm")}
    wanted = {"llama": {"RMSNorm"}, "t5": {"RMSNorm"}, "gpt2": {"LayerNorm"}, "gptj": set()}
    assert norms == wanted.get(model_type, norms)
    assert ("where it normalises and adds residuals is not known" in spec.badges) == (model_type == "gptj")
    assert ("bias on the scores" in figure.caption) == (model_type == "t5")
    for wide, high, scale in ROOMS[:2]:
        assert overlaps(placed(figure, wide, high, scale)) == []


def test_of_a_trace_alone_what_it_shows(qapp: object) -> None:
    trace = sample_trace()
    anatomy: Anatomy = anatomy_of_trace(trace)
    figure = architecture_figure(anatomy, Shown(step=1), trace)
    spec = figure.body
    assert isinstance(spec, ArchitectureSpec)
    assert [stack.count for stack in spec.stacks] == [
        trace.layers(AttentionKind.ENCODER_SELF),
        trace.layers(AttentionKind.CROSS),
    ]
    assert {block.role for block in spec.every} == {
        "embedding",
        "attention",
        "feed_forward",
        "linear",
        "softmax",
    }
    assert all(block.shape == () for block in spec.every)
    assert spec.stacks[1].foot.endswith("2 tokens")
