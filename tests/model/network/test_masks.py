from __future__ import annotations

import pytest
import torch

from model.network.masks import AttentionMask, causal_mask


def test_causal() -> None:
    assert causal_mask(3, 3).tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    # With two positions in the cache, the first new query sees three keys.
    assert causal_mask(2, 4).tolist() == [[True, True, True, False], [True, True, True, True]]
    assert causal_mask(1, 5).tolist() == [[True] * 5]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_prepared_mask(dtype: torch.dtype) -> None:
    allowed = torch.tensor([[True, False], [True, True]])[:, None, None]
    mask = AttentionMask.of(allowed, dtype)
    assert mask.bias.dtype == dtype
    assert mask.blind is None
    assert torch.isfinite(mask.bias).all()
    scores = torch.tensor([3.0, 400.0], dtype=dtype)
    assert (mask.bias + scores).softmax(-1)[0, 0, 0].tolist() == [1.0, 0.0]
    assert torch.equal((mask.bias + scores).softmax(-1)[1, 0, 0], scores.softmax(-1))


def test_blind_rows_are_named() -> None:
    allowed = torch.tensor([[[True, False], [False, False]]])[:, None]
    mask = AttentionMask.of(allowed, torch.float32)
    assert mask.blind is not None
    assert mask.blind.tolist() == [[[[False], [True]]]]
