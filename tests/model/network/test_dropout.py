from __future__ import annotations

import pytest
import torch

from model.network import dropout as module
from model.network.dropout import Dropout


def dropout(p: float, seed: int = 7) -> Dropout:
    made = Dropout(p)
    made.generator = torch.Generator().manual_seed(seed)
    return made


@pytest.mark.parametrize("int64", [True, False])
@pytest.mark.parametrize("p", [0.1, 0.3, 0.5, 0.9])
def test_share_scale_and_mean(p: float, int64: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a device that draws no int64 as well."""
    if not int64:
        monkeypatch.setattr(module, "DRAWS_INT64", ())
    n = 400_000
    out = dropout(p)(torch.ones(n))
    kept = out[out != 0]
    share = 1 - round(256 * p) / 256
    assert abs(share - (1 - p)) <= 1 / 512
    assert torch.equal(kept, torch.full_like(kept, 1 / share))
    deviation = (share * (1 - share) / n) ** 0.5
    assert abs(len(kept) / n - share) < 5 * deviation
    assert abs(float(out.mean()) - 1) < 5 * deviation / share


def test_off() -> None:
    x = torch.randn(50, generator=torch.Generator().manual_seed(1))
    assert dropout(0.5).eval()(x) is x
    assert dropout(0.0)(x) is x
    assert dropout(0.001)(x) is x  # to the nearest 1/256


def test_nearly_all_still_leaves_some() -> None:
    out = dropout(0.999)(torch.ones(100_000))
    assert 200 < int((out != 0).sum()) < 600
    assert float(out.max()) == 256.0


def test_every_byte_of_a_draw_is_fair_and_alone() -> None:
    """Chi-square of all 28 pairs of bytes: 2 x 2 tables of kept and dropped, expected from independence."""
    n = 200_000
    kept = (dropout(0.5)(torch.ones(n * 8)) != 0).view(n, 8).double()
    # Neighbouring draws as well: the last byte of one and the first of the next.
    columns = [kept[:-1, i] for i in range(8)] + [kept[1:, 0]]
    for i, first in enumerate(columns):
        assert abs(float(first.mean()) - 0.5) < 5 * 0.5 / n**0.5
        for second in columns[:i]:
            both = float((first * second).sum())
            expected = float(first.mean() * second.mean()) * (n - 1)
            chi_square = (both - expected) ** 2 / expected
            assert chi_square < 20.0  # 1 degree of freedom: p < 1e-5


def test_all_256_values_of_a_byte_are_drawn_alike() -> None:
    """The share that survives must follow the threshold everywhere, also beyond 128 (the sign bit)."""
    n = 80_000
    for threshold in (1, 64, 127, 128, 129, 200, 255):
        kept = int((dropout(threshold / 256)(torch.ones(n)) != 0).sum())
        share = 1 - threshold / 256
        assert abs(kept / n - share) < 5 * (share * (1 - share) / n) ** 0.5


@pytest.mark.parametrize("size", [1, 7, 8, 9, 63])
def test_any_size_and_layout(size: int) -> None:
    x = torch.ones(size, 3).t()
    out = dropout(0.5)(x)
    assert out.shape == (3, size)
    assert set(out.flatten().tolist()) <= {0.0, 2.0}


def test_same_generator_same_mask_and_gradient_follows_it() -> None:
    x = torch.randn(64, 5, generator=torch.Generator().manual_seed(1)).requires_grad_(True)
    out = dropout(0.3, seed=3)(x)
    assert torch.equal(out, dropout(0.3, seed=3)(x))
    assert not torch.equal(out, dropout(0.3, seed=4)(x))
    out.sum().backward()
    assert x.grad is not None
    torch.testing.assert_close(out.detach(), x.detach() * x.grad)
    assert len(set(x.grad.flatten().tolist())) == 2


def test_keeps_the_type() -> None:
    assert dropout(0.1)(torch.ones(100, dtype=torch.bfloat16)).dtype == torch.bfloat16


def test_without_int64_draws_the_mask_still_follows_the_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DRAWS_INT64", ())
    x = torch.ones(50, 3, dtype=torch.bfloat16).t()
    out = dropout(0.5, seed=3)(x)
    assert (out.shape, out.dtype) == (x.shape, x.dtype)
    assert torch.equal(out, dropout(0.5, seed=3)(x))
    assert not torch.equal(out, dropout(0.5, seed=4)(x))
    assert set(out.flatten().tolist()) == {0.0, 2.0}
