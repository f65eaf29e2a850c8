"""Oracle: sums written out in float64."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch

import model.network.linear
from model.network.linear import clear_packed, column_major, linear


def numbers(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def by_hand(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> np.ndarray:
    product = np.einsum("...i,oi->...o", x.double().numpy(), weight.double().numpy())
    return product if bias is None else product + bias.double().numpy()


@pytest.mark.parametrize("shape", [(16,), (1, 16), (1, 1, 16), (3, 16), (2, 3, 16)])
@pytest.mark.parametrize("outputs", [1, 5, 16, 300])
@pytest.mark.parametrize("with_bias", [False, True])
@pytest.mark.parametrize("laid_out", [False, True])
@torch.no_grad()
def test_it_is_the_product(shape: tuple[int, ...], outputs: int, with_bias: bool, laid_out: bool) -> None:
    x, weight = numbers(*shape), numbers(outputs, 16)
    bias = numbers(outputs) if with_bias else None
    result = linear(x, column_major(weight) if laid_out else weight, bias)
    assert result.shape == (*shape[:-1], outputs)
    assert result.numpy() == pytest.approx(by_hand(x, weight, bias), abs=1e-5)


@torch.no_grad()
def test_a_row_that_does_not_lie_in_one_piece() -> None:
    x, weight = numbers(16, 2)[:, 1], column_major(numbers(5, 16))
    assert linear(x, weight, None).numpy() == pytest.approx(by_hand(x, weight, None), abs=1e-5)


@torch.no_grad()
def test_part_of_a_matrix_by_columns() -> None:
    x, weight = numbers(1, 16), column_major(numbers(24, 16))
    for first in (0, 8, 16):
        part = weight[first : first + 8]
        assert linear(x, part, None).numpy() == pytest.approx(by_hand(x, part, None), abs=1e-5)


def test_by_columns_changes_the_layout_alone() -> None:
    weight = numbers(5, 16)
    turned = column_major(weight)
    assert torch.equal(turned, weight)
    assert turned.stride() == (1, 5)


def test_gradients_flow_through_a_matrix_by_columns() -> None:
    x, weight = numbers(1, 16).requires_grad_(), column_major(numbers(5, 16)).requires_grad_()
    linear(x, weight, None).sum().backward()
    assert x.grad is not None
    assert weight.grad is not None
    assert x.grad.numpy() == pytest.approx(weight.detach().double().numpy().sum(0)[None], abs=1e-5)
    assert weight.grad.numpy() == pytest.approx(np.tile(x.detach().numpy(), (5, 1)), abs=1e-6)


@torch.no_grad()
def test_other_number_formats_keep_theirs() -> None:
    for dtype in (torch.float64, torch.bfloat16):
        x, weight = numbers(1, 16).to(dtype), column_major(numbers(5, 16).to(dtype))
        result = linear(x, weight, None)
        assert result.dtype == dtype
        assert result.float().numpy() == pytest.approx(by_hand(x, weight, None), abs=0.1)


@pytest.mark.parametrize("rows", [2, 3, 8, 64, 65])
@pytest.mark.parametrize("with_bias", [False, True])
@torch.no_grad()
def test_several_rows(rows: int, with_bias: bool) -> None:
    x, weight = numbers(rows, 1, 16), column_major(numbers(37, 16))
    bias = numbers(37) if with_bias else None
    for _ in range(2):
        result = linear(x, weight, bias)
        assert result.shape == (rows, 1, 37)
        assert result.numpy() == pytest.approx(by_hand(x, weight, bias), abs=1e-5)


@torch.no_grad()
def test_a_packed_copy_is_made_anew_when_the_numbers_have_changed() -> None:
    x, weight = numbers(4, 16), column_major(numbers(5, 16))
    linear(x, weight, None)
    weight *= 2
    clear_packed(weight)
    assert linear(x, weight, None).numpy() == pytest.approx(by_hand(x, weight, None), abs=1e-5)


@torch.no_grad()
def test_a_packed_copy_follows_a_matrix_that_is_written_to() -> None:
    weight = torch.nn.Parameter(column_major(torch.randn(16, 8)))
    x = torch.randn(3, 8)
    with torch.no_grad():
        linear(x, weight, None)
        weight.mul_(2.0)  # no word to anyone
        torch.testing.assert_close(linear(x, weight, None), x @ weight.t())


def test_without_a_packed_copy_the_product_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model.network.linear, "_has_packing", lambda: False)
    x, weight = numbers(4, 16), column_major(numbers(5, 16))
    assert linear(x, weight, None).numpy() == pytest.approx(by_hand(x, weight, None), abs=1e-5)


@torch.no_grad()
def test_a_matrix_with_a_packed_copy_can_be_copied() -> None:
    x, weight = numbers(4, 16), column_major(numbers(5, 16))
    linear(x, weight, None)
    other = copy.deepcopy(weight)
    weight.zero_()
    assert linear(x, other, None).numpy() == pytest.approx(by_hand(x, other, None), abs=1e-5)
    assert other.abs().max() > 0


@torch.inference_mode()
def test_a_matrix_made_in_inference_mode() -> None:
    x, weight = numbers(4, 16), column_major(numbers(5, 16))
    assert linear(x, weight, None).numpy() == pytest.approx(by_hand(x, weight, None), abs=1e-5)
    weight.mul_(2.0)
    assert linear(x, weight, None).numpy() == pytest.approx(by_hand(x, weight, None), abs=1e-5)
