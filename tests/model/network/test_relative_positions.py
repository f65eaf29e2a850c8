"""Positions in self-attention, against loops over every query and key, and Hugging Face's own functions."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from model.config import Architecture
from model.errors import HeadscopeError
from model.network.relative_positions import Alibi, Rotary, spots_of
from model.network.transformer import Transformer
from tests.model import tiny_bundle
from tests.model.network.plain_transformer import PlainTransformer

CLOSE = 2e-5  # float32: a few dozen terms of order 1 in another order
SOURCE, TARGET = [5, 9, 7, 11, 6, 8, 3], [2, 8, 6, 9, 12, 10]
KINDS: dict[str, dict[str, Any]] = {
    "rotary": {"positions": "rotary", "position_base": 50.0},
    "rotary in halves": {"positions": "rotary", "position_layout": "halves"},
    "alibi": {"positions": "alibi", "n_heads": 4, "d_model": 16},
    "alibi of three heads": {"positions": "alibi", "n_heads": 3, "d_model": 12},
    "relative": {"positions": "relative", "relative_span": 2, "norm": "pre_norm"},
}
# The published recipe for three heads: those of two, 1/16 and 1/256, then the first of four, 1/4.
SLOPES = {4: [2**-2, 2**-4, 2**-6, 2**-8], 3: [2**-4, 2**-8, 2**-2]}
ORDERS: dict[str, tuple[list[int], list[int]]] = {
    "usual": ([0, 1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5]),
    "shuffled": ([3, 0, 6, 1, 5, 2, 4], [4, 1, 0, 5, 2, 3]),
    "none": ([-1] * 7, [-1] * 6),
}


class Oracle(PlainTransformer):
    """Query by query, key by key."""

    def __init__(self, model: Transformer, places: tuple[list[int], list[int]]) -> None:
        self.a = {**model.architecture.to_json(), "relative_span": model.architecture.relative_span}
        self.w = dict(model.named_parameters())
        self.places = {"encoder": places[0], "decoder": places[1]}

    def embed(self, table: Tensor, ids: list[int]) -> Tensor:
        return table[torch.tensor(ids)] * math.sqrt(self.a["d_model"])

    def attention(self, name: str, x: Tensor, memory: Tensor, causal: bool) -> Tensor:
        if name.endswith("multihead_attn"):
            return super().attention(name, x, memory, causal)
        d, heads = self.a["d_model"], self.a["n_heads"]
        e, kind = d // heads, self.a["positions"]
        places = self.places[name.partition(".")[0]]
        projected = F.linear(x, self.w[f"{name}.in_proj_weight"], self.w[f"{name}.in_proj_bias"])
        rows = []
        for i, at in enumerate(places):
            mixed = []
            for h in range(heads):
                q, k, v = (projected[:, t * d + h * e : t * d + (h + 1) * e] for t in range(3))
                scores, values = [], []
                for j, other in enumerate(places[: i + 1] if causal else places):
                    query, key, value = q[i], k[j], v[j]
                    bias = torch.zeros(())
                    if kind == "rotary":
                        query, key = self.turn(query, at), self.turn(key, other)
                    elif min(at, other) >= 0 and kind == "alibi":
                        bias = torch.tensor(-SLOPES[heads][h] * abs(at - other))
                    elif min(at, other) >= 0:
                        span = self.a["relative_span"]
                        row = max(-span, min(span, other - at)) + span
                        key = key + self.w[f"{name}.relative.keys"][row]
                        value = value + self.w[f"{name}.relative.values"][row]
                    scores.append((query @ key) / math.sqrt(e) + bias)
                    values.append(value)
                weights = torch.softmax(torch.stack(scores), 0)
                mixed.append((weights[:, None] * torch.stack(values)).sum(0))
            rows.append(torch.cat(mixed))
        return F.linear(torch.stack(rows), self.w[f"{name}.out_proj.weight"], self.w[f"{name}.out_proj.bias"])

    def turn(self, x: Tensor, place: int) -> Tensor:
        """The complex number of each pair times e^(i · place · θ)."""
        e = len(x)
        if self.a["position_layout"] == "halves":
            pairs = torch.complex(x[: e // 2], x[e // 2 :])
        else:
            pairs = torch.complex(x[0::2], x[1::2])
        angles = [max(0, place) * self.a["position_base"] ** (-2 * i / e) for i in range(e // 2)]
        pairs = pairs * torch.polar(torch.ones(e // 2), torch.tensor(angles))
        if self.a["position_layout"] == "halves":
            return torch.cat([pairs.real, pairs.imag])
        return torch.stack([pairs.real, pairs.imag], -1).flatten()


def transformer(kind: str) -> Transformer:
    return tiny_bundle.transformer(tiny_bundle.architecture(**{"encoder_layers": 2, **KINDS[kind]}))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", KINDS)
def test_equals_loops_over_queries_and_keys(kind: str, order: str) -> None:
    model, (source_ids, target_ids) = transformer(kind), map(torch.tensor, ORDERS[order])
    wanted = Oracle(model, ORDERS[order]).logits(SOURCE, TARGET)
    memory = model.encode(torch.tensor([SOURCE]), position_ids=source_ids)
    found = model.project(model.decode(torch.tensor([TARGET]), memory, position_ids=target_ids))[0]
    torch.testing.assert_close(found, wanted, atol=CLOSE, rtol=CLOSE)
    cache = model.start_cache(memory)
    steps = [
        model.decode_step(torch.tensor([TARGET[a:b]]), cache, position_ids=target_ids[a:b])
        for a, b in ((0, 3), (3, 4), (4, 6))
    ]
    torch.testing.assert_close(model.project(torch.cat(steps, 1))[0], wanted, atol=CLOSE, rtol=CLOSE)


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_are_the_loops(kind: str) -> None:
    model = transformer(kind).train()
    chosen = torch.arange(len(TARGET))

    def gradients(logits: Tensor) -> dict[str, Tensor]:
        named = dict(model.named_parameters())
        loss = logits.log_softmax(-1)[chosen, chosen].sum()
        found = torch.autograd.grad(loss, list(named.values()))
        return dict(zip(named, found, strict=True))

    for module in model.modules():
        if hasattr(module, "p"):
            module.p = 0.0
    wanted = gradients(Oracle(model, ORDERS["usual"]).logits(SOURCE, TARGET))
    found = gradients(model.project(model(torch.tensor([SOURCE]), torch.tensor([TARGET])))[0])
    for name, gradient in wanted.items():
        # The biases of keys move all scores of a row alike: their gradient is rounding of either side.
        torch.testing.assert_close(
            found[name], gradient, atol=2e-4, rtol=1e-3, msg=lambda m, n=name: f"{n}: {m}"
        )
    if kind == "relative":
        assert float(wanted["decoder.layers.0.self_attn.relative.values"].abs().max()) > 1e-3


def test_turns_as_hugging_face_does() -> None:
    from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as neighbours
    from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb as halves

    x = torch.randn(2, 3, 20, 8, generator=torch.Generator().manual_seed(0))
    spots = spots_of(None, 0, 20, x.device)
    sines, cosines = create_sinusoidal_positions(20, 8).chunk(2, -1)
    wanted = neighbours(x.transpose(1, 2), sines[None], cosines[None]).transpose(1, 2)
    torch.testing.assert_close(Rotary(8, 10000.0, "interleaved").turned(x, spots), wanted, atol=1e-5, rtol=0)
    angles = torch.arange(20)[:, None] * 10000.0 ** (-torch.arange(0, 8, 2) / 8)
    angles = torch.cat([angles, angles], -1)[None]
    wanted, _ = halves(x, x, angles.cos(), angles.sin())
    torch.testing.assert_close(Rotary(8, 10000.0, "halves").turned(x, spots), wanted, atol=1e-5, rtol=0)


@pytest.mark.parametrize("heads", [1, 2, 6, 8, 12])
def test_slopes_are_blooms(heads: int) -> None:
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    bloom = build_alibi_tensor(torch.ones(1, 9), heads, torch.float32)[:, 0]  # slope · key position
    added = Alibi(heads).added(torch.zeros(1, heads, 9, 4), spots_of(None, 0, 9, torch.device("cpu")))
    # Of the last query: what is taken falls to 0 at the query itself, where Bloom's is largest.
    torch.testing.assert_close(added[0, :, -1], bloom - bloom[:, -1:])
    torch.testing.assert_close(added[0], added[0].transpose(-1, -2))


@pytest.mark.parametrize("kind", KINDS)
@torch.no_grad()
def test_only_distances_matter(kind: str) -> None:
    model, ids = transformer(kind), torch.arange(len(SOURCE))
    source = torch.tensor([SOURCE])
    moved = model.encode(source, position_ids=ids + 5)
    torch.testing.assert_close(moved, model.encode(source), atol=CLOSE, rtol=CLOSE)
    turned = model.encode(source, position_ids=ids.flip(0))
    assert (float((turned - moved).abs().max()) < CLOSE) == kind.startswith(
        "alibi"
    )  # its distance has no side


@pytest.mark.parametrize("kind", ["rotary", "alibi", "relative"])
def test_the_fused_kernel_and_padding_change_nothing(kind: str) -> None:
    model = tiny_bundle.transformer(tiny_bundle.architecture(max_positions=256, **KINDS[kind]))
    generator = torch.Generator().manual_seed(3)
    long, short = torch.randint(4, 12, (1, 120), generator=generator), 100
    batch = torch.cat([long, torch.cat([long[:, :short], torch.zeros(1, 20, dtype=torch.int64)], 1)])
    mask = torch.ones(2, 120, dtype=torch.bool)
    mask[1, short:] = False
    with torch.no_grad():
        fused = model.encode(batch, key_mask=mask)
        plain = model.encode(batch, key_mask=mask, tap=lambda site, pattern: None)
        alone = model.encode(long[:, :short], tap=lambda site, pattern: None)
    torch.testing.assert_close(fused, plain, atol=CLOSE, rtol=CLOSE)
    torch.testing.assert_close(fused[1, :short], alone[0], atol=CLOSE, rtol=CLOSE)


@pytest.mark.parametrize("kind", KINDS)
def test_a_cache_keeps_who_stands_where(kind: str) -> None:
    """Rows of other positions each; selected, truncated, forked, they go on as whole passes."""
    model = transformer(kind)
    rows, ids = torch.tensor([TARGET, TARGET[::-1]]), torch.tensor([[0, 1, 2, 3, 4, 5], [7, 2, 4, 3, 9, 1]])
    with torch.no_grad():
        memory = model.encode(torch.tensor([SOURCE]))
        whole = model.decode(rows, memory.expand(2, -1, -1), position_ids=ids)
        cache = model.start_cache(memory, batch=2)
        model.decode_step(rows[:, :4], cache, position_ids=ids[:, :4])
        other = cache.fork(3)
        cache.truncate(2)
        cache.select(torch.tensor([1, 1, 0]))
        model.decode_step(rows[[1, 1, 0], 2:5], cache, position_ids=ids[[1, 1, 0], 2:5])
        last = model.decode_step(rows[[1, 1, 0], 5:], cache, position_ids=ids[[1, 1, 0], 5:])
        forked = model.decode_step(rows[:, 3:], other, position_ids=ids[:, 3:])
    torch.testing.assert_close(last[:, 0], whole[[1, 1, 0], 5], atol=CLOSE, rtol=CLOSE)
    torch.testing.assert_close(forked, whole[:, 3:], atol=CLOSE, rtol=CLOSE)


@pytest.mark.parametrize(
    "fields",
    [
        {"positions": "rotary", "d_model": 6, "n_heads": 2},
        {"positions": "relative", "relative_span": 0},
        {"positions": "relative", "relative_span": 5000},
    ],
)
def test_what_cannot_be_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(HeadscopeError, match=r"even|from 1 to 1024"):
        tiny_bundle.architecture(**fields)


def test_a_plain_config_says_nothing_of_it() -> None:
    assert "relative_span" not in tiny_bundle.architecture().to_json()
    told = tiny_bundle.architecture(positions="relative", relative_span=3).to_json()
    assert Architecture.from_json(told).relative_span == told["relative_span"] == 3
