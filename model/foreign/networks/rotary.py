"""Rotary positions: how a loaded model turns queries and keys by their position (Su et al. 2021).

Shapes: N positions, P pairs of dimensions that turn together, d a head's width.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from model.config import PositionLayout
from model.folder.families import Family
from model.foreign.networks.config_values import number_of, value_of
from model.positions.position_facts import RotaryPositions, Stack

Doubles = npt.NDArray[np.float64]

_FREQUENCIES = "inv_freq"
_BEFORE_SCALING = "original_inv_freq"
_SINES = "embed_positions"
"""GPT-J's and RoFormer's table [N, 2 P]: sines of all pairs, then their cosines."""
_OF_SINES = ("gptj", "codegen", "roformer")
_TURNERS = ("rotate_half", "rotate_half_text", "rotate_half_llm", "rotate_every_two", "rotate_pairwise")
_COMPLEX = ("llama4", "llama4_text", "deepseek_v2", "roformer")
"""Model types that turn neighbours, without a function of such a name."""
_OTHER_SENSES = ("vision", "visual", "audio", "image")


def rotary_facts(network: Any, family: Family) -> list[RotaryPositions]:
    """Every set of frequencies that the model has: one, or one for each kind of layer (Gemma 3)."""
    config = network.config.get_text_config()
    head_width = _head_width(config)
    facts: list[RotaryPositions] = []
    for kind, inverse in _frequencies(network, config):
        settings = _settings(config, kind)
        scaling = str(settings.get("rope_type", settings.get("type", "")) or "")
        stack: Stack = "decoder" if family is Family.DECODER_ONLY else "encoder"
        facts.append(
            RotaryPositions(
                inverse_frequencies=inverse,
                head_width=max(head_width, 2 * len(inverse)),
                base=float(settings.get("rope_theta") or _base(inverse)),
                scaling="" if scaling == "default" else scaling,
                layout=_layout(network, config),
                max_positions=number_of(config, "max_position_embeddings"),
                stack="both" if family is Family.ENCODER_DECODER else stack,
            )
        )
    return facts


def _frequencies(network: Any, config: Any) -> Iterator[tuple[str, Doubles]]:
    """Kind of layer ("" where all are alike) and radians a position of every pair; the same only once."""
    seen: set[tuple[str, bytes]] = set()
    for path, buffer in network.named_buffers():
        place, _, name = path.rpartition(".")
        if any(sense in place for sense in _OTHER_SENSES):
            continue
        if name.endswith(_FREQUENCIES) and not name.endswith(_BEFORE_SCALING) and buffer.dim() == 1:
            inverse = _doubles(buffer)
        elif name == _SINES and config.model_type in _OF_SINES and buffer.dim() == 2:
            inverse = _of_sines(buffer)
        else:
            continue
        kind = name.removesuffix(_FREQUENCIES).rstrip("_")
        if (kind, inverse.tobytes()) not in seen:
            seen.add((kind, inverse.tobytes()))
            yield kind, inverse
    if config.model_type == "roformer":
        for path, table in network.named_parameters():
            if path.endswith(f"{_SINES}.weight"):
                yield "", _of_sines(table)


def _doubles(tensor: Tensor) -> Doubles:
    numbers: Doubles = tensor.detach().double().numpy(force=True).copy()
    numbers.flags.writeable = False
    return numbers


def _of_sines(table: Tensor) -> Doubles:
    """Frequencies by the angles of position 1, all of them between 0 and 1 radian."""
    sines, cosines = table[1].detach().double().chunk(2)
    return _doubles(torch.atan2(sines, cosines))


def _settings(config: Any, kind: str) -> dict[str, Any]:
    """What config.json says of the turning, of one kind of layer where they differ."""
    settings = value_of(config, "rope_parameters", "rope_scaling") or {}
    own = settings.get(kind) if kind else None
    return own if isinstance(own, dict) else settings if isinstance(settings, dict) else {}


def _base(inverse: Doubles) -> float:
    """theta of frequencies theta^(-i/P) that are not scaled, by the last of them."""
    if len(inverse) < 2 or inverse[-1] <= 0:
        return 10000.0
    return float(round(inverse[-1] ** (-len(inverse) / (len(inverse) - 1))))


def _head_width(config: Any) -> int:
    width = number_of(config, "qk_head_dim", "head_dim")
    heads = number_of(config, "num_attention_heads")
    return width or (number_of(config, "hidden_size") // heads if heads else 0)


def _layout(network: Any, config: Any) -> PositionLayout:
    """Which dimensions make a pair, by what the model's own function does to 0, 1, 2, 3."""
    if value_of(config, "rope_interleave") or config.model_type in _COMPLEX:
        return "interleaved"
    code = sys.modules.get(type(network).__module__)
    for name in _TURNERS:
        turn = getattr(code, name, None)
        if turn is not None:
            turned = turn(torch.arange(4.0).view(1, 1, 1, 4)).flatten().tolist()
            return "interleaved" if turned == [-1.0, 0.0, -3.0, 2.0] else "halves"
    return "halves"
