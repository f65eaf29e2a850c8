"""Stack of blocks on the map of the architecture: one layer drawn open, one block for any other."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.questions.answers import Walk
from model.trace.trace import Side
from viewer.figures.walk.spec import Block, Role, Stack
from viewer.figures.walk.stages import Stage, change, layer_groups, layers_of, length
from viewer.figures.walk.text import block_name, position_text, side_name

translate = QCoreApplication.translate

_ROLES: dict[str, Role] = {
    "self_attention": "attention",
    "cross": "attention",
    "feed_forward": "feed_forward",
    "residual": "residual",
    "norm": "norm",
    "final_norm": "norm",
}


def stack(
    side: Side, passed: tuple[Stage, ...], walk: Walk | None, opened: int, normalisation: str = "layer"
) -> Stack:
    """The blocks in the order of computation.

    Args:
        passed: the stack's stages.
        walk: a way through it; None draws it without numbers.
        opened: the layer drawn open; one that does not exist opens the nearest.
        normalisation: as in `model.config.Architecture`.
    """
    layers = layers_of(passed)
    opened = min(max(0, opened), max(0, layers - 1))
    blocks = [_block(passed, index, walk, normalisation) for index in range(3)]
    skips: list[tuple[int, int]] = []
    for group in layer_groups(layers, opened):
        if opened not in group:
            blocks.append(_closed(passed, group, walk))
            continue
        first = len(blocks)
        inside = [index for index, stage in enumerate(passed) if stage.layer == opened]
        blocks += [_block(passed, index, walk, normalisation) for index in inside]
        skips += _skips(passed, inside, first)
    closing = [index for index in range(3, len(passed)) if passed[index].layer is None]
    blocks += [_block(passed, index, walk, normalisation) for index in closing]
    if side == "target":
        name = translate("Walk", "Next word")
        blocks.append(Block(name, "output", None if walk is None else len(passed)))
    name = translate("Walk", "Layer {layer} of {layers}").format(layer=opened + 1, layers=layers)
    return Stack(
        side,
        side_name(side),
        "" if walk is None else position_text(walk),
        tuple(blocks),
        tuple(skips),
        name if layers else "",
    )


def _block(passed: tuple[Stage, ...], index: int, walk: Walk | None, normalisation: str) -> Block:
    stage = passed[index]
    step = None if walk is None else walk.steps[index]
    return Block(
        block_name(stage, normalisation),
        _ROLES.get(stage.stage, "embedding"),
        None if walk is None else index,
        stage.layer,
        None if step is None else step.norm,
        None if walk is None else change(walk.steps, index),
        stage.layer is not None,
        stage.stage == "cross",
    )


def _closed(passed: tuple[Stage, ...], group: range, walk: Walk | None) -> Block:
    """Whole layers: the vector that leaves the last of them, and by how much they change its length."""
    if len(group) == 1:
        name = translate("Walk", "Layer {layer}").format(layer=group.start + 1)
    else:
        name = translate("Walk", "Layers {first}–{last}").format(first=group.start + 1, last=group.stop)
    last = max(index for index, stage in enumerate(passed) if stage.layer == group.stop - 1)
    first = min(index for index, stage in enumerate(passed) if stage.layer == group.start)
    if walk is None:
        return Block(name, "layers", None, group.stop - 1)
    after = walk.steps[last].norm
    before = length(walk.steps[first - 1].vector)
    return Block(name, "layers", last, group.stop - 1, after, after - before)


def _skips(passed: tuple[Stage, ...], inside: list[int], first: int) -> list[tuple[int, int]]:
    """From the first block of each sub-layer to its sum."""
    offset = first - inside[0]
    found = []
    for end in (index for index in inside if passed[index].stage == "residual"):
        start = min(index for index in inside if passed[index].sublayer == passed[end].sublayer)
        found.append((start + offset, end + offset))
    return found
