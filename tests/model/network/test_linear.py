"""Each way to multiply, forced. Oracle: sums written out in float64."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch

from model.network.linear import linear
from model.network.products.choices import Choice, choose, forcing
from model.network.products.prepared import prepare, prepared_of
from model.network.products.ways import WAYS

# Every way, and every layout that it can read.
FORCED = [f"{way.name}:{layout}" for way in WAYS.values() for layout in way.layouts or ("rows",)]


def numbers(*shape: int) -> torch.Tensor:
    """Numbers that float16 has, so that every way takes them."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape))).half().float()


def by_hand(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> np.ndarray:
    product = np.einsum("...i,oi->...o", x.double().numpy(), weight.double().numpy())
    return product if bias is None else product + bias.double().numpy()


def prepared(way: str, weight: torch.Tensor) -> torch.Tensor:
    with forcing(way):
        (choice,) = choose([(weight, True)])
        return prepare(weight, choice)


def check(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None) -> None:
    result = linear(x, weight, bias)
    assert result.shape == (*x.shape[:-1], len(weight))
    # Relative to the summands: a sum may cancel.
    size = np.einsum("...i,oi->...o", x.double().abs().numpy(), weight.double().abs().numpy()) + 1
    assert (np.abs(result.double().numpy() - by_hand(x, weight, bias)) <= 1e-5 * size).all()


@pytest.mark.parametrize("way", FORCED)
@torch.no_grad()
def test_each_way_is_the_product(way: str) -> None:
    for outputs, inputs in ((1, 16), (5, 16), (37, 1), (300, 17), (513, 129)):
        for bias in (None, numbers(outputs)):
            weight = prepared(way, numbers(outputs, inputs))
            for shape in ((), (1,), (1, 1), (2,), (2, 3), (4, 1), (8,), (64,), (65,), (0,)):
                check(numbers(*shape, inputs), weight, bias)
        # Rows and a matrix that do not lie in one piece.
        check(numbers(inputs, 2)[:, 1], weight, None)
        check(numbers(inputs, 3).t(), weight, None)
        check(numbers(1, inputs), weight[1:], None)


@pytest.mark.parametrize("way", FORCED)
@torch.no_grad()
def test_numbers_written_into_the_matrix_are_seen(way: str) -> None:
    weight = torch.nn.Parameter(numbers(24, 16), requires_grad=False)
    prepared(way, weight)
    for rows in (1, 3):
        x = numbers(rows, 16)
        check(x, weight, None)
        weight.mul_(2.0)
        check(x, weight, None)
        weight.add_(torch.full_like(weight, 1e-4))  # no longer float16's numbers
        check(x, weight, None)
        weight.data = numbers(24, 16) * 3  # memory of its own, in rows
        check(x, weight, None)
        other = copy.deepcopy(weight)
        weight.zero_()
        assert linear(x, weight, None).abs().max() == 0
        check(x, other, None)
        weight.copy_(numbers(24, 16))


@pytest.mark.parametrize("way", FORCED)
def test_gradients_flow_as_ever(way: str) -> None:
    x, weight = numbers(1, 16).requires_grad_(), torch.nn.Parameter(numbers(5, 16))
    prepared(way, weight)
    linear(x, weight, None).sum().backward()
    assert x.grad is not None
    assert weight.grad is not None
    assert x.grad.numpy() == pytest.approx(weight.detach().double().numpy().sum(0)[None], abs=1e-5)
    assert weight.grad.numpy() == pytest.approx(np.tile(x.detach().numpy(), (5, 1)), abs=1e-6)


def test_preparing_changes_the_layout_alone() -> None:
    weight = torch.nn.Parameter(numbers(5, 16))
    before = weight.detach().clone()
    prepare(weight, Choice("columns", "bags", "packed"))
    assert torch.equal(weight, before)
    assert weight.stride() == (1, 5)


@torch.no_grad()
def test_with_fewer_threads_the_numbers_are_the_same() -> None:
    """What decoding relies on when it gives up a thread beside a busy neighbour.

    Bags were cut when the matrix was prepared, so they are the same to the bit; how a library of others adds
    up is its own affair.
    """
    threads = torch.get_num_threads()
    x = {rows: torch.randn(rows, 333, generator=torch.Generator().manual_seed(1)) for rows in (1, 4)}
    try:
        for way in FORCED:
            torch.set_num_threads(2)
            weight = prepared(way, numbers(777, 333))
            two = {rows: linear(row, weight, None) for rows, row in x.items()}
            torch.set_num_threads(1)
            for rows, row in x.items():
                again = linear(row, weight, None)
                torch.testing.assert_close(again, two[rows], rtol=0, atol=1e-5, msg=way)
                assert rows > 1 or way not in ("bag", "bags") or torch.equal(again, two[rows])
    finally:
        torch.set_num_threads(threads)


@torch.inference_mode()
def test_a_matrix_made_in_inference_mode() -> None:
    x, weight = numbers(4, 16), prepared("packed", numbers(5, 16))
    assert prepared_of(weight) is None
    check(x, weight, None)
    weight.mul_(2.0)
    check(x, weight, None)


@torch.no_grad()
def test_other_number_formats_keep_theirs() -> None:
    for dtype in (torch.float64, torch.bfloat16):
        x, weight = numbers(1, 16).to(dtype), numbers(5, 16).to(dtype)
        result = linear(x, weight, None)
        assert result.dtype == dtype
        assert result.float().numpy() == pytest.approx(by_hand(x, weight, None), abs=0.1)
    weight = prepared("bags", numbers(5, 16))
    assert linear(numbers(1, 16).double(), weight.double(), None).dtype == torch.float64
