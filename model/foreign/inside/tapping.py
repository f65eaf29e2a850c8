"""Tapping: attention of `transformers` computed by its own function, while somebody sees or changes it.

`transformers` lets a program register a function by which its modules attend. Ours, which a model uses only
inside `tapped`, calls the model's own eager function: what nobody changes is the same to the last bit.

Shapes: b batch, H heads, g heads of keys and values, q queries, k keys, e a head's width.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, cast
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn

from model.network.attention import AttentionSite

NAME = "headscope_tapped"
"""What the registered function is called among those of `transformers`."""

_EAGER = "eager_attention_forward"
_HIDDEN = -1e30
"""What is added to scores where attention is not allowed lies far below this, whatever the precision."""


@dataclass(frozen=True, eq=False)
class Sight:
    """One attention as it is computed.

    Attributes:
        queries: [b, H, q, e], as they meet keys: turned where the model turns them.
        keys, values: [b, g, k, e].
        scaling: what q · k is multiplied by.
        bias: [b or 1, H, q, k] what positions add to the scores; None for nothing.
        mask: [b or 1, 1 or H, q, k] what is added besides: 0, or next to minus infinity; None for nothing.
        pattern: [b, H, q, k] after the softmax; zeros where nothing is allowed.
    """

    site: AttentionSite
    queries: Tensor
    keys: Tensor
    values: Tensor
    scaling: float
    bias: Tensor | None
    mask: Tensor | None
    pattern: Tensor

    @property
    def allowed(self) -> Tensor | None:
        """bool [b or 1, 1 or H, q, k]: where attention is allowed; None where it is everywhere."""
        return None if self.mask is None else self.mask > _HIDDEN


Watch = Callable[[Sight], Tensor | None]
"""Gives what the model goes on with instead of the pattern; None: unchanged."""

Exchange = Callable[[AttentionSite, Tensor, Tensor], tuple[Tensor, Tensor]]
"""Gives the keys and values, [b, g, k, e] each, that an attention uses instead of its own."""


@dataclass(frozen=True)
class _Tapped:
    """Who looks at a module."""

    site: AttentionSite
    watch: Watch
    exchange: Exchange | None


_WATCHED: WeakKeyDictionary[nn.Module, _Tapped] = WeakKeyDictionary()


@contextmanager
def tapped(
    network: nn.Module,
    sites: Mapping[nn.Module, AttentionSite],
    watch: Watch,
    exchange: Exchange | None = None,
) -> Iterator[None]:
    """Inside, each of the modules shows `watch` what it attends with, after `exchange` gave it that.

    Whatever happens, the network is afterwards as it was.
    """
    _register()
    kept = {id(config): config for config in _configs(network)}
    before = [(config, config._attn_implementation) for config in kept.values()]
    try:
        for module, site in sites.items():
            _WATCHED[module] = _Tapped(site, watch, exchange)
        for config, _ in before:
            config._attn_implementation = NAME
        yield
    finally:
        for config, name in before:
            config._attn_implementation = name
        for module in sites:
            _WATCHED.pop(module, None)


def heads_of(shared: Tensor, heads: int) -> Tensor:
    """Keys or values [..., g, k, e], once for each head that uses them: [..., H, k, e]."""
    groups = shared.shape[-3]
    return shared if groups == heads else shared.repeat_interleave(heads // groups, -3)


def mixed(pattern: Tensor, values: Tensor) -> Tensor:
    """What heads with this pattern give on, [b, q, H, e], as the functions of `transformers` return it."""
    return torch.matmul(pattern, heads_of(values, pattern.shape[1])).transpose(1, 2).contiguous()


def _configs(network: nn.Module) -> Iterator[Any]:
    for module in network.modules():
        config = getattr(module, "config", None)
        if config is not None and hasattr(config, "_attn_implementation"):
            yield config


@cache
def _register() -> None:
    """Once: under a name that no model has unless it is tapped."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import eager_mask

    AttentionInterface.register(NAME, _attend)
    AttentionMaskInterface.register(NAME, eager_mask)


def _attend(
    module: nn.Module, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **more: Any
) -> tuple[Tensor, Tensor]:
    """What `transformers` calls instead of the model's eager function."""
    watched = _WATCHED.get(module)
    if watched is not None and watched.exchange is not None:
        key, value = watched.exchange(watched.site, key, value)
    output, pattern = _eager_of(type(module))(module, query, key, value, attention_mask, **more)
    if watched is None:
        return output, pattern
    sight = _sight(watched.site, query, key, value, attention_mask, pattern, more)
    used = watched.watch(sight)
    if used is None and sight.pattern is pattern:
        return output, pattern
    return mixed((sight.pattern if used is None else used).to(value.dtype), value), pattern


def _sight(
    site: AttentionSite,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    pattern: Tensor,
    more: Mapping[str, Any],
) -> Sight:
    scaling, bias = more.get("scaling"), more.get("position_bias")
    if mask is not None:
        mask = mask[..., : key.shape[-2]]
        # The softmax of a row that may look nowhere is spread over everything: no weight at all is meant.
        blind = (mask <= _HIDDEN).all(-1, keepdim=True)
        if bool(blind.any()):
            pattern = pattern.masked_fill(blind, 0.0)
    scaling = query.shape[-1] ** -0.5 if scaling is None else float(scaling)
    bias = None if bias is None or not bool(bias.any()) else bias
    return Sight(site, query, key, value, scaling, bias, mask, pattern)


def _eager_of(kind: type[nn.Module]) -> Callable[..., tuple[Tensor, Tensor]]:
    """The eager function of the file in which a module's `forward` is written."""
    written = inspect.unwrap(cast(Any, kind).forward)
    found: Callable[..., tuple[Tensor, Tensor]] = written.__globals__[_EAGER]
    return found
