"""Heads that share keys and values, against torch's own attention: grouped (2 of 6) and multi-query (1)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.bundle.weights import weights_of
from model.commands.info import describe
from model.config import Architecture
from model.errors import HeadscopeError
from model.folder.bundle_config import cache_numbers, count_parameters
from model.lessons.answers.plain_pass import PlainPass
from model.network import attention
from model.network.attention import AttentionSite, MultiHeadAttention
from model.network.masks import AttentionMask
from model.trace.trace import AttentionKind
from tests.model import tiny_bundle
from tests.model.network.plain_transformer import each_its_own
from tests.model.small import SMALL, PlainTransformer, ids, small_transformer

D, HEADS = 24, 6
SITE = AttentionSite(AttentionKind.CROSS, 0)
SHARED = pytest.mark.parametrize("shared", [1, 2])


def sharing(shared: int) -> dict[str, int]:
    return {"n_heads": HEADS, "kv_heads": shared}


def oracle(ours: Any, shared: int) -> PlainTransformer:
    a = {**Architecture.from_json({**SMALL, **sharing(shared)}).to_json()}
    tensors = {
        name: each_its_own(tensor, a) if ".in_proj_" in name else tensor
        for name, tensor in weights_of(ours).items()
    }
    return PlainTransformer(a, tensors)


@SHARED
@pytest.mark.parametrize("fused_from", [1, 10**9], ids=["fused", "with patterns"])
def test_whole_model_is_torchs(shared: int, fused_from: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outputs, every head's pattern, and cached decoding step by step with two beams of one sentence."""
    monkeypatch.setattr(attention, "FUSED_FROM", fused_from)
    ours = small_transformer(**sharing(shared))
    plain = oracle(ours, shared)
    source, target = ids(2, 9), ids(2, 7, seed=2)
    real = torch.arange(9) < torch.tensor([9, 4])[:, None]
    wanted = plain.decode(target, plain.encode(source, real), memory_mask=real)
    torch.testing.assert_close(ours(source, target, source_mask=real), wanted, rtol=0, atol=1e-5)
    seen: dict[tuple[str, int], Tensor] = {}
    ours(
        source,
        target,
        source_mask=real,
        tap=lambda site, p: seen.__setitem__((str(site.kind), site.layer), p),
    )
    for place, pattern in plain.patterns.items():
        torch.testing.assert_close(seen[place], pattern, rtol=0, atol=1e-5)

    alone = plain.decode(target, plain.encode(source[:1]).expand(2, -1, -1))
    cache = ours.start_cache(ours.encode(source[:1]), batch=2, capacity=4)
    steps = [ours.decode_step(target[:, at : at + 1], cache) for at in range(7)]
    torch.testing.assert_close(torch.cat(steps, 1), alone, rtol=0, atol=1e-5)
    cache.select(torch.tensor([1, 1]))
    cache.truncate(3)
    again = ours.decode_step(target[1:, 3:4].expand(2, 1), cache)
    torch.testing.assert_close(again, alone[1:, 3:4].expand(2, -1, -1), rtol=0, atol=1e-5)


@SHARED
@pytest.mark.parametrize("fused_from", [1, 10**9], ids=["fused", "with patterns"])
def test_gradients_are_torchs(shared: int, fused_from: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shared row's gradient is the sum of those of its copies in `torch.nn.MultiheadAttention`."""
    monkeypatch.setattr(attention, "FUSED_FROM", fused_from)
    generator = torch.Generator().manual_seed(shared)
    ours = MultiHeadAttention(D, HEADS, bias=True, site=SITE, kv_heads=shared).double()
    for parameter in ours.parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
    plain = nn.MultiheadAttention(D, HEADS, batch_first=True, dtype=torch.float64)
    copied = {"n_heads": HEADS, "kv_heads": shared, "d_model": D}
    with torch.no_grad():
        plain.in_proj_weight.copy_(each_its_own(ours.in_proj_weight, copied))
        plain.in_proj_bias.copy_(each_its_own(ours.in_proj_bias, copied))  # type: ignore[arg-type]
        plain.out_proj.load_state_dict(ours.out_proj.state_dict())
    x = torch.randn(3, 5, D, generator=generator, dtype=torch.float64).requires_grad_(True)
    y = x.detach().clone().requires_grad_(True)
    weights = torch.randn(3, 5, D, generator=generator, dtype=torch.float64)
    allowed = torch.tensor([[1, 1, 1, 1, 0], [1, 1, 0, 0, 0], [1, 1, 1, 1, 1]], dtype=torch.bool)
    mask = AttentionMask.of(allowed[:, None, None], torch.float64)
    out = ours.attend(*ours.project_self(x), mask)
    expected = plain(y, y, y, key_padding_mask=~allowed)[0]
    torch.testing.assert_close(out, expected)
    for result in (out, expected):
        torch.autograd.backward((result * weights).sum())
    torch.testing.assert_close(x.grad, y.grad)
    torch.testing.assert_close(ours.out_proj.weight.grad, plain.out_proj.weight.grad)
    for own, each in ((ours.in_proj_weight, plain.in_proj_weight), (ours.in_proj_bias, plain.in_proj_bias)):
        assert own is not None and own.grad is not None and each.grad is not None  # noqa: PT018
        copies = each.grad[D:].reshape(2, shared, HEADS // shared, D // HEADS, -1).sum(2)
        wanted = torch.cat([each.grad[:D].reshape(D, -1), copies.reshape(len(own) - D, -1)])
        torch.testing.assert_close(own.grad.reshape(len(own), -1), wanted)


@SHARED
def test_heads_share_as_in_torchs_own_kernel(shared: int) -> None:
    """`enable_gqa` of torch, which follows the paper: neighbours share."""
    made = MultiHeadAttention(D, HEADS, bias=False, site=SITE, kv_heads=shared)
    torch.nn.init.normal_(made.in_proj_weight, std=D**-0.5, generator=torch.Generator().manual_seed(2))
    made.out_proj.weight.data = torch.eye(D)
    x = torch.randn(2, 5, D, generator=torch.Generator().manual_seed(1))
    rows = x @ made.in_proj_weight.T
    e = D // HEADS
    q, k, v = (
        part.unflatten(-1, (-1, e)).transpose(1, 2) for part in rows.split([D, shared * e, shared * e], -1)
    )
    wanted = F.scaled_dot_product_attention(q, k, v, enable_gqa=True).transpose(1, 2).flatten(2)
    torch.testing.assert_close(made.attend(*made.project_self(x), None), wanted, rtol=0, atol=1e-5)


def test_sizes_by_hand() -> None:
    """6 heads of width 4, 2 with keys: 24 + 2 * 8 rows; each of 3 decoder layers keeps 2 * 8 a token."""
    ours = small_transformer(**sharing(2))
    a = ours.architecture
    assert ours.decoder.layers[0].get_parameter("self_attn.in_proj_weight").shape == (40, 24)
    assert count_parameters(a) == sum(p.numel() for p in ours.parameters())
    plain = small_transformer(n_heads=HEADS).architecture
    assert count_parameters(plain) - count_parameters(a) == (2 + 2 * 3) * 32 * (24 + 1)
    assert (cache_numbers(a), cache_numbers(plain)) == (3 * 2 * 8, 3 * 2 * 24)
    cache = ours.start_cache(torch.zeros(1, 5, D), capacity=16)
    kept = sum(layer.keys.numel() + layer.values.numel() for layer in cache.layers)
    assert kept == 16 * 48
    assert sum(k.numel() + v.numel() for k, v in cache.memory) == 5 * 48


def test_config_and_info(tmp_path: Path) -> None:
    least = {**SMALL, "n_heads": HEADS}
    for same in (0, HEADS):
        assert "kv_heads" not in Architecture.from_json({**least, "kv_heads": same}).to_json()
    assert Architecture.from_json({**least, "kv_heads": 2}).to_json()["kv_heads"] == 2
    for bad in (-1, 4, 12):
        with pytest.raises(HeadscopeError) as refused:
            Architecture.from_json({**least, "kv_heads": bad})
        assert refused.value.code == "config_kv_heads"
    a = tiny_bundle.architecture(n_heads=4, kv_heads=2)
    from model.bundle.bundle import write_bundle

    spm = tiny_bundle.spm()
    write_bundle(tmp_path / "b", tiny_bundle.config(a), tiny_bundle.transformer(a), spm, spm, half=False)
    assert json.loads((tmp_path / "b" / "config.json").read_text())["architecture"]["kv_heads"] == 2
    assert describe(tmp_path / "b")["architecture"]["kv_heads"] == 2


@SHARED
def test_the_pass_of_lessons_is_torchs(shared: int) -> None:
    """`PlainPass` does the attention itself: as the paper has it, it says what torch says."""
    ours = small_transformer(**sharing(shared))
    plain = oracle(ours, shared)
    source, target = ids(2, 9), ids(2, 7, seed=2)
    real = torch.arange(9) < torch.tensor([9, 4])[:, None]
    hidden = plain.decode(target, plain.encode(source, real), memory_mask=real)
    computed = PlainPass(ours)
    found = computed.logprobs(target, computed.encode(source, real), real)
    torch.testing.assert_close(found, plain.project(hidden).log_softmax(-1), rtol=0, atol=1e-5)
