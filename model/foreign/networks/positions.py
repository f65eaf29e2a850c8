"""Positions of a loaded model of `transformers`: what it knows of them, as what it is.

Tables are believed only if a run of the model shows them to be used as they are told.
Shapes: N positions, d width, P pairs, H heads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from model.folder.families import Family
from model.foreign.networks.config_values import value_of
from model.foreign.networks.rotary import rotary_facts
from model.positions.position_facts import (
    NoPositions,
    PositionFacts,
    RelativeBias,
    Stack,
    TablePositions,
    stored_table,
)
from model.trace.trace import Floats

_TABLES = ("position_embeddings", "positions_embed", "embed_positions", "wpe")
"""What `transformers` calls modules that give every position a vector."""
_TURNING = ("RoFormerSinusoidalPositionalEmbedding",)
"""Those of that name whose vectors turn queries and keys instead of being added."""
_UNTOLD = ("relative_attention_bias", "rel_embeddings", "rel_attn_bias", "distance_embedding")
"""Modules by which attention depends on distances in a way that is not told."""
_FURTHEST = 1 << 16  # most distances that are told apart


def facts_of(network: Any, family: Family, run: Callable[[], object]) -> tuple[PositionFacts, ...]:
    """All that is known; `NoPositions` alone where nothing is, or not all.

    Args:
        run: lets the model read a few tokens without a cache.
    """
    biases = _biases(network, family)
    if (
        biases is None or value_of(network.config, "alibi") is True
    ):  # Falcon keeps a rotary it does not use then
        return (NoPositions(),)
    facts: list[PositionFacts] = [*_tables(network, family, run), *rotary_facts(network, family), *biases]
    return tuple(facts) or (NoPositions(),)


def stack_of(path: str, family: Family) -> Stack:
    """Whose a module is, by its path such as `model.encoder.embed_positions`."""
    if family is Family.ENCODER_ONLY:
        return "encoder"
    named = [part for part in path.split(".") if part in ("encoder", "decoder")]
    return "encoder" if family is Family.ENCODER_DECODER and named and named[0] == "encoder" else "decoder"


# Tables.


def _tables(network: Any, family: Family, run: Callable[[], object]) -> list[TablePositions]:
    found: dict[Stack, TablePositions] = {}
    for path, module in _used(network, run):
        rows = _rows(module)
        if rows is not None:
            stack = stack_of(path, family)
            found.setdefault(stack, _table(rows, module, stack))
    tables = list(found.values())
    if len(tables) == 2 and not tables[0].learned and np.array_equal(tables[0].rows, tables[1].rows):
        first = tables[0]
        return [replace(first, stack="both")]
    return tables


def _used(network: Any, run: Callable[[], object]) -> Iterator[tuple[str, nn.Module]]:
    """Modules that gave the first tokens the first rows of their table when the model read some."""
    named = [
        (path, module)
        for path, module in network.named_modules()
        if path.rpartition(".")[2] in _TABLES and type(module).__name__ not in _TURNING
    ]
    given: dict[nn.Module, Tensor] = {}

    def keep(module: nn.Module, _: object, output: object) -> None:
        if isinstance(output, Tensor):
            given.setdefault(module, output)

    hooks = [module.register_forward_hook(keep) for _, module in named]
    try:
        run()
    finally:
        for hook in hooks:
            hook.remove()
    for path, module in named:
        rows, output = _rows(module), given.get(module)
        if rows is None or output is None or output.shape[-1] != rows.shape[1]:
            continue
        first = output.detach().float().numpy(force=True).reshape(-1, rows.shape[1])
        if len(first) <= len(rows) and np.allclose(first, rows[: len(first)], atol=1e-6):
            yield path, module


def _rows(module: nn.Module) -> Floats | None:
    """Row p what the module gives position p, read-only, without a copy where it is float32."""
    table = _weight(module)
    if not isinstance(table, Tensor) or table.dim() != 2:
        return None
    rows: Floats = table.detach().float().numpy(force=True)[_offset(module) :].view()
    rows.flags.writeable = False
    return rows


def _weight(module: nn.Module) -> object:
    """The module's table; fairseq's, which is computed, has another name."""
    table = getattr(module, "weight", None)
    return getattr(module, "weights", None) if table is None else table


def _offset(module: nn.Module) -> int:
    """Which row is position 0: fairseq counts from behind its padding id, BART as if that were 1."""
    padding = getattr(module, "padding_idx", None)
    return int(getattr(module, "offset", 0) if padding is None else padding + 1)


def _table(rows: Floats, module: nn.Module, stack: Stack) -> TablePositions:
    table = stored_table(rows, stack, (_offset(module),))
    if not table.stored:
        return replace(table, learned="Sinusoidal" not in type(module).__name__)
    return replace(table, stored=isinstance(_weight(module), nn.Parameter))


# Biases by distance.


def _biases(network: Any, family: Family) -> list[RelativeBias] | None:
    """T5's, one a stack; None where attention depends on distances otherwise."""
    found: dict[Stack, RelativeBias] = {}
    for path, module in network.named_modules():
        parent_path, _, name = path.rpartition(".")
        if name not in _UNTOLD:
            continue
        parent = network.get_submodule(parent_path)
        stack = stack_of(path, family)
        told = _t5_bias(module, parent, stack)
        if told is None or stack in found:  # one bias for all layers of a stack is T5's; umT5 has one a layer
            return None
        found[stack] = told
    return list(found.values())


def _t5_bias(module: nn.Module, parent: Any, stack: Stack) -> RelativeBias | None:
    """The bias and what the model's own function makes of distances; None if it is not T5's."""
    weight = getattr(module, "weight", None)
    furthest = getattr(parent, "relative_attention_max_distance", None)
    bucket_of = getattr(parent, "_relative_position_bucket", None)
    if weight is None or bucket_of is None or not isinstance(furthest, int):
        return None
    if not 0 < furthest <= _FURTHEST:
        return None
    both = not parent.is_decoder
    offsets = torch.arange(-furthest, furthest + 1 if both else 1)
    try:
        buckets = bucket_of(
            offsets,
            bidirectional=both,
            num_buckets=parent.relative_attention_num_buckets,
            max_distance=furthest,
        )
    except (TypeError, AttributeError):
        return None
    arrays = weight.detach().float().numpy(force=True), buckets.numpy(force=True), offsets.numpy()
    for array in arrays:
        array.flags.writeable = False
    return RelativeBias(*arrays, max_distance=furthest, bidirectional=both, stack=stack)
