"""The architecture's numbers, against the model's own files and against torch."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

from tests.viewer.figures.architecture.samples import OURS, ours
from viewer.figures.architecture.anatomy import anatomy_of
from viewer.figures.architecture.build import Shown, architecture_figure
from viewer.figures.architecture.spec import ArchitectureSpec
from viewer.figures.architecture.table import architecture_rows
from viewer.figures.figure import FigureSpec
from viewer.resources import MODELS

PARTS = {
    "self_attention": ("self_attn.",),
    "cross": ("multihead_attn.",),
    "feed_forward": ("linear1.", "linear2."),
}
"""Tensors of a sub-layer in `model.safetensors` (the names of `torch.nn.Transformer`)."""
NORMS = {
    "encoder": {"self_attention": "norm1.", "feed_forward": "norm2."},
    "decoder": {"self_attention": "norm1.", "cross": "norm2.", "feed_forward": "norm3."},
}


def spec_of(figure: FigureSpec) -> ArchitectureSpec:
    assert isinstance(figure.body, ArchitectureSpec)
    return figure.body


@pytest.mark.parametrize("name", ["en-fr", "zh-en", "reverse"])
def test_every_number_is_that_of_the_files(name: str, qapp: object) -> None:
    from model.trace.trace_file import open_trace

    folder = MODELS / name
    said = json.loads((folder / "config.json").read_text("utf-8"))["architecture"]
    with safe_open(folder / "model.safetensors", "np") as file:
        sizes = {key: math.prod(file.get_slice(key).get_shape()) for key in file.keys()}  # noqa: SIM118
    with safe_open(folder / "example.trace", "np") as file:
        source = file.get_slice("src_ids").get_shape()[0]
        steps = file.get_slice("tgt_in_ids").get_shape()[0]
    from model.folder.families import Family

    trace = open_trace(folder / "example.trace")
    step = steps // 2
    spec = spec_of(architecture_figure(anatomy_of(said, Family.ENCODER_DECODER), Shown(step=step), trace))
    d, layers = said["d_model"], {s: said[f"{s}_layers"] for s in ("encoder", "decoder")}
    assert {stack.name: stack.count for stack in spec.stacks} == layers
    total = 0
    for block in spec.every:
        rows = source if block.stack == "encoder" else step + 1
        wide = said["target_vocab"] if block.role in ("linear", "softmax") else d
        assert block.shape == (rows, wide), block.key
        prefix = f"{block.stack}.layers.{block.layer}."
        if block.role in ("attention", "feed_forward"):
            wanted = sum(
                n for k, n in sizes.items() if k.startswith(tuple(prefix + p for p in PARTS[block.sublayer]))
            )
            assert wanted > 0
        elif block.role == "add_norm":
            wanted = sum(
                n for k, n in sizes.items() if k.startswith(prefix + NORMS[block.stack][block.sublayer])
            )
            assert wanted == 2 * d
        elif block.role == "embedding":
            wanted = sizes.get(
                {"encoder": "source", "decoder": "target"}[block.stack] + "_embedding.weight", 0
            )
        elif block.role == "linear":
            wanted = sizes.get("output.weight", 0) + sizes.get("output.bias", 0)
        else:
            wanted = 0
        assert block.parameters == wanted, block.key
        total += block.parameters or 0
    assert total == sum(sizes.values())
    shared = {block.key: block.shares for block in spec.every if block.shares}
    assert ("decoder.embedding" in shared) == (said["tie_embeddings"] == "all")
    assert "decoder.linear" in shared


@pytest.mark.parametrize("norm", ["post_norm", "pre_norm"])
def test_layers_hold_as_much_as_torch_s(norm: str) -> None:
    theirs = torch.nn.Transformer(16, 4, 2, 3, 24, batch_first=True)
    sizes = {name: parameter.numel() for name, parameter in theirs.named_parameters()}
    spec = spec_of(architecture_figure(ours(norm=norm, positions="learned", max_positions=9), Shown()))
    for stack, count in (("encoder", 2), ("decoder", 3)):
        for layer in range(count):
            found = sum(b.parameters or 0 for b in spec.every if (b.stack, b.layer) == (stack, layer))
            prefix = f"{stack}.layers.{layer}."
            assert found == sum(n for name, n in sizes.items() if name.startswith(prefix))
    final = [block.parameters for block in spec.every if block.key.endswith("final_norm")]
    assert final == ([32, 32] if norm == "pre_norm" else [])
    by_key = {block.key: block for block in spec.every}
    assert by_key["encoder.positions"].parameters == 9 * 16
    assert (by_key["decoder.positions"].parameters, by_key["decoder.positions"].shares) == (
        0,
        "encoder.positions",
    )
    assert by_key["decoder.linear"].parameters == 30 * 16 + 30
    assert by_key["encoder.embedding"].parameters == 40 * 16
    roles = [block.role for block in spec.every if block.key.startswith("encoder.1.")]
    pre = ["norm", "attention", "add", "norm", "feed_forward", "add"]
    assert roles == (pre if norm == "pre_norm" else ["attention", "add_norm", "feed_forward", "add_norm"])


def test_a_mix_is_counted_where_it_is_read_and_statistics_nowhere() -> None:
    plain = {block.key: block.parameters for block in spec_of(architecture_figure(ours(), Shown())).every}
    spec = spec_of(architecture_figure(ours(wiring="mix", normalisation="batch"), Shown()))
    for block in spec.every:
        more = 2 + 1 if block.sublayer == "cross" and block.role == "attention" else 0
        assert block.parameters == (plain[block.key] or 0) + more, block.key
    assert spec.memory == "K, V mixed"
    named = {block.name for block in spec.every if block.role == "add_norm"}
    assert named == {"Add & BatchNorm"}


def test_only_a_model_that_scales_has_the_block() -> None:
    for scaled in (True, False):
        spec = spec_of(architecture_figure(ours(scale_embedding=scaled), Shown()))
        assert ("encoder.scale" in spec.order) == scaled
    spec = spec_of(architecture_figure(ours(positions="none"), Shown()))
    assert not any(key.endswith("positions") for key in spec.order)


def test_the_table_has_every_block_of_every_layer() -> None:
    spec = spec_of(architecture_figure(ours(), Shown()))
    header, *lines = architecture_rows(spec)
    assert header[:3] == ("stack", "layer", "block")
    assert len(lines) == 3 + 2 * 4 + 3 + 3 * 6 + 2
    assert sum(line[header.index("parameters")] for line in lines) == sum(
        b.parameters or 0 for b in spec.every
    )
    assert {line[1] for line in lines if line[0] == "decoder"} == {"", 0, 1, 2}
    assert set(OURS) >= {"d_model"}


def test_the_command_draws_and_writes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], qapp: object
) -> None:
    from viewer.commands import render

    words = ["--model", "reverse", "--view", "architecture"]
    for ending in ("png", "svg", "pdf"):
        path = tmp_path / f"a.{ending}"
        assert render.run([*words, "--unfold", "--dpi", "50", "--step", "2", "--out", str(path)]) == 0
        assert path.stat().st_size > 2000
    text = (tmp_path / "a.svg").read_text("utf-8")
    assert "K, V (9, 64)" in text  # the example of the bundle: eight words and the end
    assert "28 × 64" in text
    csv = tmp_path / "a.csv"
    assert render.run([*words, "--block", "decoder.1.cross", "--out", str(csv), "sun cat key"]) == 0
    lines = csv.read_text("utf-8").splitlines()
    # 64 x 64 queries, keys, values and output with their biases; 4 tokens of the source with its end.
    assert "decoder,0,attention,cross,cross,Cross-attention,2,4x64,16640,,1" in lines
    from model.errors import HeadscopeError

    with pytest.raises(HeadscopeError) as failed:
        render.run([*words, "--block", "decoder.2.cross", "--out", str(csv)])
    assert failed.value.code == "export_block"
    with pytest.raises(HeadscopeError) as failed:
        render.run([*words, "--step", "99", "--out", str(csv)])
    assert failed.value.code == "export_step"


def test_a_copy_mechanism_stands_at_the_top_with_its_gate() -> None:
    spec = spec_of(architecture_figure(ours(copying=True, source_vocab=40, target_vocab=40), Shown()))
    block = [block for block in spec.every if block.stack == "decoder"][-1]
    assert (block.key, block.parameters) == ("decoder.copy", 3 * 16 + 1)


def test_a_model_in_rounds_tells_a_length_and_masks_nothing() -> None:
    from model.folder.families import Family

    plain, rounds = (
        spec_of(
            architecture_figure(
                anatomy_of({**OURS, "max_positions": 64, **more}, Family.ENCODER_DECODER), Shown()
            )
        )
        for more in ({}, {"generation": "all_at_once"})
    )
    assert any(block.masked for block in plain.every)
    assert not any(block.masked for block in rounds.every)
    length = next(block for block in rounds.every if block.key == "decoder.length")
    assert length.parameters == 64 * (OURS["d_model"] + 1)
    told = [sum(block.parameters or 0 for block in spec.every) for spec in (plain, rounds)]
    assert told[1] - told[0] == length.parameters
