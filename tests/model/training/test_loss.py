from __future__ import annotations

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from model.training.loss import CHUNK, smoothed_loss


def given(
    n: int, vocabulary: int = 50, width: int = 12, bias: bool = True
) -> tuple[Tensor, Tensor, Tensor | None, Tensor]:
    generator = torch.Generator().manual_seed(n)
    hidden = torch.randn(n, width, generator=generator)
    weight = torch.randn(vocabulary, width, generator=generator) / 2
    shift = torch.randn(vocabulary, generator=generator) if bias else None
    targets = torch.randint(0, vocabulary, (n,), generator=generator)
    return hidden, weight, shift, targets


def test_parts_of_a_batch_add_up_to_the_whole() -> None:
    """Each part's sums are divided by the tokens of the whole; a part without tokens adds nothing."""
    hidden, weight, shift, targets = given(40)
    assert shift is not None
    wanted = [t.double().requires_grad_(True) for t in (hidden, weight, shift)]
    whole = F.cross_entropy(F.linear(*wanted), targets, label_smoothing=0.1)
    torch.autograd.backward(whole)
    ours = [t.clone().requires_grad_(True) for t in (hidden, weight, shift)]
    total, plain = torch.zeros(()), torch.zeros(())
    for part in (slice(0, 11), slice(11, 11), slice(11, 40)):
        objective, nll = smoothed_loss(ours[0][part], ours[1], ours[2], targets[part], 0.1, 40)
        torch.autograd.backward(objective)
        total, plain = total + objective.detach(), plain + nll
    assert total.item() == pytest.approx(whole.item(), rel=2e-6)
    expected = F.cross_entropy(F.linear(hidden, weight, shift), targets)
    assert float(plain) == pytest.approx(float(expected), rel=2e-6)
    for own, other in zip(ours, wanted):
        assert own.grad is not None
        assert other.grad is not None
        torch.testing.assert_close(own.grad.double(), other.grad, rtol=1e-4, atol=1e-7)


@pytest.mark.parametrize("n", [1, 5, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 3])
@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.7])
@pytest.mark.parametrize("bias", [True, False])
def test_equals_torch_with_gradients(n: int, smoothing: float, bias: bool) -> None:
    hidden, weight, shift, targets = given(n, bias=bias)
    ours = [t.clone().requires_grad_(True) if t is not None else None for t in (hidden, weight, shift)]
    wide = [t.double().requires_grad_(True) if t is not None else None for t in (hidden, weight, shift)]
    assert ours[0] is not None
    assert ours[1] is not None
    objective, nll = smoothed_loss(ours[0], ours[1], ours[2], targets, smoothing)
    torch.autograd.backward(3 * objective)
    assert wide[0] is not None
    assert wide[1] is not None
    logits = F.linear(wide[0], wide[1], wide[2])
    wanted = F.cross_entropy(logits, targets, label_smoothing=smoothing)
    torch.autograd.backward(3 * wanted)
    assert objective.item() == pytest.approx(wanted.item(), rel=2e-6)
    assert nll.item() == pytest.approx(F.cross_entropy(logits, targets).item(), rel=2e-6)
    assert not nll.requires_grad
    for own, reference in zip(ours, wide):
        if own is not None and reference is not None:
            assert own.grad is not None
            assert reference.grad is not None
            scale = float(reference.grad.abs().max())
            torch.testing.assert_close(own.grad.double(), reference.grad, rtol=0, atol=3e-6 * scale)


def test_finite_differences() -> None:
    hidden, weight, shift, targets = given(4, vocabulary=7, width=3)
    assert shift is not None
    tensors = tuple(t.double().requires_grad_(True) for t in (hidden, weight, shift))
    assert torch.autograd.gradcheck(lambda h, w, b: smoothed_loss(h, w, b, targets, 0.1)[0], tensors)


def test_huge_logits_stay_finite() -> None:
    hidden = torch.full((2, 1), 300.0, requires_grad=True)
    weight = torch.tensor([[1.0], [-1.0], [0.5]])
    objective, nll = smoothed_loss(hidden, weight, None, torch.tensor([0, 1]), 0.0)
    assert nll.item() == pytest.approx((0 + 600) / 2)
    torch.autograd.backward(objective)
    assert hidden.grad is not None
    assert hidden.grad.flatten().tolist() == pytest.approx([0.0, 1.0])


def test_bfloat16_is_near() -> None:
    hidden, weight, shift, targets = given(300)
    own, wide = hidden.bfloat16().requires_grad_(True), hidden.clone().requires_grad_(True)
    objective, nll = smoothed_loss(own, weight, shift, targets, 0.1)
    assert (objective.dtype, nll.dtype) == (torch.float32, torch.float32)
    torch.autograd.backward(objective)
    wanted = F.cross_entropy(F.linear(wide, weight, shift), targets, label_smoothing=0.1)
    torch.autograd.backward(wanted)
    assert objective.item() == pytest.approx(wanted.item(), rel=0.01)
    assert own.grad is not None
    assert wide.grad is not None
    assert float(F.cosine_similarity(own.grad.float().flatten(), wide.grad.flatten(), dim=0)) > 0.999
