from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile

from model.network import attention
from model.network.attention import FUSED_FROM, FUSED_FROM_NARROW, AttentionSite, MultiHeadAttention
from model.network.masks import AttentionMask, causal_mask
from model.trace.trace import AttentionKind
from tests.model.small import ids, small_transformer

SITE = AttentionSite(AttentionKind.CROSS, 0)


def module(seed: int = 0, d_model: int = 16, n_heads: int = 2) -> MultiHeadAttention:
    made = MultiHeadAttention(d_model, n_heads, bias=True, site=SITE)
    generator = torch.Generator().manual_seed(seed)
    for parameter in made.parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator) / 4
    return made


def normal(*shape: int, seed: int = 1) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def test_by_hand_two_tokens_one_head() -> None:
    """q, k, v are x itself; d_head is 1, so scores are products of numbers."""
    made = MultiHeadAttention(1, 1, bias=False, site=SITE)
    for parameter in made.parameters():
        parameter.data.fill_(1.0)
    x = torch.tensor([[[1.0], [2.0]]])
    seen: list[Tensor] = []
    out = made.attend(*made.project_self(x), None, lambda site, pattern: seen.append(pattern))
    e = 2.718281828459045
    first, second = e / (1 + e), e**2 / (1 + e**2)  # softmax([1, 2]) and softmax([2, 4]), second key
    wanted = torch.tensor([[1 - first, first], [1 - second, second]])
    torch.testing.assert_close(seen[0][0, 0].detach(), wanted)
    torch.testing.assert_close(out[0, :, 0].detach(), torch.tensor([1 + first, 1 + second]))


@pytest.mark.parametrize("masked", ["no", "padding", "causal", "both"])
def test_fused_equals_plain_with_gradients(masked: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made, n, b = module(), 12, 3
    allowed = torch.ones(b, 1, n, n, dtype=torch.bool)
    if masked in ("padding", "both"):
        allowed = allowed & (torch.arange(n) < torch.tensor([n, 5, 1])[:, None])[:, None, None]
    if masked in ("causal", "both"):
        allowed = allowed & causal_mask(n, n)
    mask = None if masked == "no" else AttentionMask.of(allowed, torch.float32)
    results = []
    for fused_from in (1, 10**9):
        monkeypatch.setattr(attention, "FUSED_FROM", fused_from)
        made.zero_grad()
        x = normal(b, n, 16).requires_grad_(True)
        out = made.attend(*made.project_self(x), mask)
        torch.autograd.backward((out * normal(b, n, 16, seed=2)).sum())
        grads = [parameter.grad for parameter in made.parameters()]
        results.append([out.detach(), x.grad, *grads])
    for one, other in zip(*results):
        assert isinstance(one, Tensor)
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


def _operations(n: int, *, tapped: bool = False, blind: bool = False, narrow: bool = False) -> set[str]:
    dtype = torch.bfloat16 if narrow else torch.float32
    made, x = module().to(dtype), normal(1, n, 16).to(dtype)
    allowed = causal_mask(n, n)[None, None]
    if blind:
        allowed = allowed.clone()
        allowed[..., 0, :] = False
    mask = AttentionMask.of(allowed, dtype)
    tap = (lambda site, pattern: None) if tapped else None
    with torch.no_grad(), profile(activities=[ProfilerActivity.CPU]) as record:
        made.attend(*made.project_self(x), mask, tap)
    return {event.key for event in record.key_averages()}


def test_no_pattern_is_made_where_nobody_looks() -> None:
    fused = "aten::scaled_dot_product_attention"
    n = round(FUSED_FROM**0.5)
    assert fused in _operations(n)
    assert "aten::_softmax" not in _operations(n)
    assert fused not in _operations(n - 1)
    # Whoever looks gets the pattern, and rows that see nothing need it.
    assert "aten::_softmax" in _operations(n, tapped=True)
    assert "aten::_softmax" in _operations(n, blind=True)
    assert fused not in _operations(n, narrow=True)
    assert fused in _operations(round(FUSED_FROM_NARROW**0.5), narrow=True)


def test_whole_model_on_the_fused_path(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = small_transformer()
    source, target = ids(2, 9), ids(2, 7, seed=2)
    mask = torch.arange(9) < torch.tensor([9, 4])[:, None]
    plain = ours.forward(source, target, source_mask=mask)
    monkeypatch.setattr(attention, "FUSED_FROM", 1)
    torch.testing.assert_close(ours.forward(source, target, source_mask=mask), plain, rtol=0, atol=1e-5)


def test_finite_differences() -> None:
    """The gradient by the input against differences of the output, in float64, padding and all."""
    made = module().double()
    mask = AttentionMask.of(
        torch.tensor([[1, 1, 0], [1, 1, 1]], dtype=torch.bool)[:, None, None], torch.float64
    )
    x = normal(2, 3, 16).double().requires_grad_(True)
    assert torch.autograd.gradcheck(lambda y: made.attend(*made.project_self(y), mask), (x,))
