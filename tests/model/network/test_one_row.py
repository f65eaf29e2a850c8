"""The short ways of one token of one sentence. Oracle: the layers themselves, which know nothing of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from model.network.attention import AttentionSite
from model.network.cache import DecoderCache
from model.network.compiled.library import library
from model.network.compiled_row import CompiledRow
from model.network.one_row import RowLayer
from model.network.products.choices import forcing
from model.network.transformer import Transformer
from model.trace.trace import AttentionKind, Side
from tests.model.small import small_transformer

SOURCE = torch.tensor([[3, 5, 4, 9, 2]])
TARGET = torch.tensor([[1, 7, 3, 8, 2, 6, 5, 4, 9, 10]])

KINDS: list[dict[str, Any]] = [
    {},
    {"norm": "pre_norm"},
    {"attention_bias": False, "activation": "gelu"},
    {"positions": "learned", "norm": "pre_norm", "activation": "silu"},
]

OTHERS: list[dict[str, Any]] = [
    {"positions": "rotary"},
    {"normalisation": "batch"},
    {"kv_heads": 1},
    {"copying": True, "target_vocab": 31},
]


compiled = pytest.mark.skipif(library() is None, reason="no compiler of C when it was installed")
WAYS = [
    pytest.param("linear", id="torch"),
    pytest.param("streamed_alone", id="compiled", marks=compiled),
    pytest.param("streamed", id="compiled, all threads", marks=compiled),
]


def prepared(way: str, **kind: Any) -> Transformer:
    """A network whose short way is torch's or the compiled one."""
    network = small_transformer(**kind)
    with forcing(way):
        network.lay_out_for_decoding()
    return network


class Seen:
    """A tap that keeps what it sees, and replaces some of it."""

    carrying: Carrying | None = None

    def __init__(self, replace: bool) -> None:
        self.patterns: list[tuple[AttentionSite, Tensor]] = []
        self._replace = replace

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        self.patterns.append((site, pattern.clone()))
        if self._replace and site.kind is AttentionKind.CROSS:
            return pattern.flip(-1)
        return None


@torch.inference_mode()
def decoded(
    network: Transformer, tap: Any, between: Callable[[int, DecoderCache], DecoderCache], short: bool
) -> Tensor:
    """Hidden states of TARGET, token by token; the cache has to grow on the way."""
    cache = network.start_cache(network.encode(SOURCE), capacity=4)
    rows = []
    for place in range(TARGET.shape[1]):
        if not short:
            cache.row_layers = ()
        rows.append(network.decode_step(TARGET[:, place : place + 1], cache, tap=tap))
        assert bool(cache.row_layers) is short
        cache = between(place, cache)
    assert cache.length == TARGET.shape[1]
    return torch.cat(rows, 1)


def stay(_: int, cache: DecoderCache) -> DecoderCache:
    return cache


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("replace", [False, True])
def test_it_computes_what_the_layers_do(way: str, kind: dict[str, Any], replace: bool) -> None:
    network = prepared(way, **kind)
    short, layers = Seen(replace), Seen(replace)
    found, wanted = decoded(network, short, stay, True), decoded(network, layers, stay, False)
    torch.testing.assert_close(found, wanted, rtol=0, atol=1e-5)
    assert [site for site, _ in short.patterns] == [site for site, _ in layers.patterns]
    for (_, one), (_, other) in zip(short.patterns, layers.patterns):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_the_way_is_the_one_that_was_meant(way: str) -> None:
    network = prepared(way)
    with torch.inference_mode():
        cache = network.start_cache(network.encode(SOURCE))
        network.decode_step(TARGET[:, :1], cache)
    assert cache.row_layers
    wanted = RowLayer if way == "linear" else CompiledRow
    assert all(type(layer) is wanted for layer in cache.row_layers)


@pytest.mark.parametrize("way", WAYS)
def test_a_cache_that_is_forked_cut_and_shared_by_beams(way: str) -> None:
    network = prepared(way)

    def between(place: int, cache: DecoderCache) -> DecoderCache:
        if place == 3:
            cache = cache.fork(2)
            with torch.inference_mode():
                network.decode_step(TARGET[:, 2:3], cache)
                network.decode_step(TARGET[:, 9:10], cache)
                cache.truncate(3)
                network.decode_step(TARGET[:, 3:4], cache)
                cache.select(torch.tensor([0, 0]))
                cache.select(torch.tensor([1]))
        return cache

    with torch.inference_mode():
        wanted = network.decode(TARGET, network.encode(SOURCE))
    torch.testing.assert_close(decoded(network, None, between, True), wanted, rtol=0, atol=1e-5)


def written(parameter: torch.nn.Parameter) -> None:
    parameter.mul_(1.25)


def moved(parameter: torch.nn.Parameter) -> None:
    parameter.data = parameter.data * 1.25


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("change", [written, moved])
def test_numbers_changed_between_two_steps_are_used(
    way: str, change: Callable[[torch.nn.Parameter], None]
) -> None:
    def between(place: int, cache: DecoderCache) -> DecoderCache:
        if place == 4:
            with torch.no_grad():
                for parameter in network.decoder.parameters():
                    change(parameter)
        return cache

    results = []
    for short in (True, False):
        network = prepared(way)
        results.append(decoded(network, None, between, short))
    torch.testing.assert_close(*results, rtol=0, atol=1e-5)


@pytest.mark.parametrize("way", WAYS)
def test_what_is_no_number_stays_none(way: str) -> None:
    network = prepared(way)
    with torch.no_grad():
        network.decoder.layers[0].self_attn.in_proj_bias[3] = torch.nan  # type: ignore[index, union-attr]
    with torch.inference_mode():
        cache = network.start_cache(network.encode(SOURCE))
        hidden = network.decode_step(TARGET[:, :1], cache)
        assert cache.row_layers
    assert hidden.isnan().all()


@pytest.mark.parametrize("kind", OTHERS, ids=str)
def test_other_layers_go_their_own_way(kind: dict[str, Any]) -> None:
    network = small_transformer(**kind)
    decoded(network, None, stay, False)
    with torch.inference_mode():
        cache = network.start_cache(network.encode(SOURCE))
        network.decode_step(TARGET[:, :1], cache)
        assert not cache.row_layers


class Carrying:
    """Asked for other numbers at every place."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def inputs(self, site: AttentionSite, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        self.asked.append("inputs")
        return q, k, v

    def output(self, site: AttentionSite, mixed: Tensor) -> Tensor:
        self.asked.append("output")
        return mixed

    def stream(self, side: Side, layer: int, x: Tensor) -> Tensor:
        self.asked.append("stream")
        return x


def test_what_it_cannot_do_it_leaves() -> None:
    """Gradients, padding, several sentences, and taps that carry other numbers in."""
    network = small_transformer()
    tap = Seen(False)
    tap.carrying = Carrying()
    padded = torch.ones(1, 5, dtype=torch.bool)
    for grads, mask, rows, seen in (
        (True, None, 1, None),
        (False, padded, 1, None),
        (False, None, 2, None),
        (False, None, 1, tap),
    ):
        with torch.set_grad_enabled(grads):
            memory = network.encode(SOURCE.expand(rows, -1))
            cache = network.start_cache(memory, memory_mask=mask)
            network.decode_step(TARGET[:, :1].expand(rows, -1), cache, tap=seen)
            assert not cache.row_layers
    layers = len(network.decoder.layers)
    assert tap.carrying.asked == ["inputs", "output", "inputs", "output", "stream"] * layers
