"""Oracle: torch's own linear map and its gradients, in float64."""

from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from model.network.products import large
from model.network.products.large import large_product, turned_product
from model.network.products.ways import WAYS


@pytest.fixture(params=[False, True], ids=["torch", "onednn"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Every product one way, whatever is faster here, and however few numbers it has."""
    monkeypatch.setattr(large, "takes_onednn", lambda: request.param)
    monkeypatch.setattr(large, "LARGE", 0)
    monkeypatch.setattr(large, "FEWEST_ROWS", 0)
    if request.param and not WAYS["packed"].present():
        pytest.skip("this torch has no oneDNN")
    return bool(request.param)


def numbers(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


@pytest.mark.parametrize(("rows", "inputs", "outputs"), [(1, 3, 2), (37, 24, 8), (130, 16, 48)])
@pytest.mark.parametrize("bias", [True, False])
def test_equals_torch_with_gradients(way: bool, rows: int, inputs: int, outputs: int, bias: bool) -> None:
    """Also of a part of a matrix, and of rows that do not lie in one piece; other dtypes are left alone."""
    x = numbers(inputs, 2, rows).permute(1, 2, 0)
    weight, shift = numbers(outputs + 4, inputs), numbers(outputs) if bias else None
    upstream = numbers(2, rows, outputs)
    results = []
    for dtype, multiply in ((torch.float32, large_product), (torch.float64, F.linear)):
        own = [None if t is None else t.detach().to(dtype).requires_grad_() for t in (x, weight, shift)]
        assert own[0] is not None
        assert own[1] is not None
        y = multiply(own[0], own[1][2 : outputs + 2], own[2])
        torch.autograd.backward((y * upstream.to(dtype)).sum())
        results.append([y.detach(), *(t.grad for t in own if t is not None and t.grad is not None)])
    assert len(results[0]) == len(results[1]) == (4 if bias else 3)
    for found, wanted in zip(*results):
        assert found.shape == wanted.shape
        scale = float(wanted.abs().max())
        torch.testing.assert_close(found.double(), wanted, rtol=0, atol=2e-6 * scale)
    assert large_product(x.double(), weight.double(), None).dtype == torch.float64
    with torch.autocast("cpu", torch.bfloat16):
        assert large_product(x, weight, None).dtype == torch.bfloat16


def test_only_what_is_asked_for_has_a_gradient(way: bool) -> None:
    x, weight = numbers(9, 4).requires_grad_(), numbers(5, 4)
    torch.autograd.backward(large_product(x, weight, None).sum())
    assert x.grad is not None
    torch.testing.assert_close(x.grad, weight.sum(0).expand(9, 4))
    with torch.no_grad():
        assert not large_product(x, weight, None).requires_grad


@pytest.mark.parametrize("turned", [(False, False), (False, True), (True, True)])
def test_products_of_matrices_that_lie_either_way(way: bool, turned: tuple[bool, bool]) -> None:
    left, right = numbers(7, 30), numbers(11, 30)
    lying = [m.t().contiguous().t() if is_turned else m for m, is_turned in zip((left, right), turned)]
    wanted = torch.einsum("nk,mk->nm", left.double(), right.double())
    torch.testing.assert_close(turned_product(*lying).double(), wanted, rtol=0, atol=1e-5)
