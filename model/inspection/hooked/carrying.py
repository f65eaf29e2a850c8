"""Carrying: a tap that carries numbers, at work in a model that `transformers` runs.

Hooks show it what `model.network.carrying` shows it in a model of ours: keys and values, heads' outputs
before W_O, what leaves a layer.

Shapes: b batch, h heads, n rows, e width of a head, T rows of the decoder, V words.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from torch import Tensor, nn

from model.foreign.inside.tapping import Sight
from model.inspection.hooked.readings import HookedReader
from model.network.attention import AttentionSite
from model.network.carrying import Carrying
from model.trace.trace import AttentionKind, Side


def carrying_logits(reader: HookedReader, tap: Any, batch: int = 1) -> Tensor:
    """Logits [b, T, V] of a whole pass while a tap changes what it likes.

    Args:
        tap: see `model.network.attention.Tap`, with `carrying`; it does what the reading's alterations do.
        batch: how often the reading is read at once.
    """
    inside, carrying = reader.inside, tap.carrying

    def watch(sight: Sight) -> Tensor | None:
        used: Tensor | None = tap(sight.site, sight.pattern)
        return None if used is sight.pattern else used

    def keys_and_values(site: AttentionSite, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        return carrying.inputs(site, key, key, value)[1:]  # type: ignore[no-any-return]

    source, target = (ids.expand(batch, -1) for ids in (reader.source_ids, reader.target_ids))
    with _hooked(reader, carrying), inside.watched(watch, keys_and_values):
        logits: Tensor = inside.run(source, target, reader.altering.source_mask).logits
    return logits


def _hooked(reader: HookedReader, carrying: Carrying) -> ExitStack:
    """Inside, every layer and every output projection shows what passes; afterwards no hook is left."""
    inside, stack = reader.inside, ExitStack()
    for site in inside.sites.values():
        last = inside.module(site, inside.part(site).last)
        heads = reader.outline.shape.heads(site.kind)
        stack.callback(last.register_forward_pre_hook(_outputs(carrying, site, heads)).remove)
    sides: tuple[tuple[Side, AttentionKind], ...] = (
        ("source", AttentionKind.ENCODER_SELF),
        ("target", AttentionKind.DECODER_SELF),
    )
    for side, kind in sides:
        for index, layer in enumerate(inside.layers(kind)):
            stack.callback(layer.register_forward_hook(_stream(carrying, side, index)).remove)
    return stack


def _outputs(carrying: Carrying, site: AttentionSite, heads: int) -> Any:
    def change(_: nn.Module, given: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        mixed = given[0].view(*given[0].shape[:-1], heads, -1).transpose(1, 2)  # [b, h, n, e]
        return carrying.output(site, mixed).transpose(1, 2).flatten(-2), *given[1:]

    return change


def _stream(carrying: Carrying, side: Side, index: int) -> Any:
    def change(_: nn.Module, __: Any, output: Any) -> Any:
        if isinstance(output, tuple):
            return carrying.stream(side, index, output[0]), *output[1:]
        return carrying.stream(side, index, output)

    return change
