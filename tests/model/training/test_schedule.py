from __future__ import annotations

import math
import warnings

import pytest
import torch
from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR, LinearLR, LRScheduler, SequentialLR

from model.config import TrainConfig
from model.training.schedule import learning_rate, noam


def test_noam_by_hand() -> None:
    # d_model 64: 64^-0.5 = 1/8. Step 1 of a warm-up of 100: 1/8 * 100^-1.5; at the peak 1/8 * 1/10.
    assert noam(1, d_model=64, warmup=100) == pytest.approx(0.000125)
    assert noam(50, d_model=64, warmup=100) == pytest.approx(0.00625)
    assert noam(100, d_model=64, warmup=100) == pytest.approx(0.0125)
    assert noam(400, d_model=64, warmup=100, factor=2.0) == pytest.approx(0.0125)
    config = TrainConfig(schedule="noam", warmup=100, learning_rate=2.0)
    assert learning_rate(400, config, 64, 1000) == pytest.approx(0.0125)


def test_rises_then_falls() -> None:
    rates = [noam(step, d_model=512, warmup=40) for step in range(1, 200)]
    assert max(rates) == rates[39]
    assert rates[:40] == sorted(rates[:40])
    assert rates[39:] == sorted(rates[39:], reverse=True)


@pytest.mark.parametrize(
    ("schedule", "step", "wanted"),
    [
        ("inverse_sqrt", 1, 0.0002),  # 0.02 / 100
        ("inverse_sqrt", 50, 0.01),
        ("inverse_sqrt", 100, 0.02),
        ("inverse_sqrt", 400, 0.01),  # 0.02 * sqrt(100 / 400)
        ("inverse_sqrt", 10_000, 0.002),
        ("cosine", 1, 0.0002),
        ("cosine", 100, 0.02),
        ("cosine", 300, 0.02 * (2 + math.sqrt(2)) / 4),  # a quarter of the way from 100 to 900
        ("cosine", 500, 0.01),
        ("cosine", 900, 0.0),
        ("cosine", 901, 0.0),
        ("constant", 1, 0.0002),
        ("constant", 100, 0.02),
        ("constant", 5000, 0.02),
    ],
)
def test_by_hand(schedule: str, step: int, wanted: float) -> None:
    config = TrainConfig(schedule=schedule, learning_rate=0.02, warmup=100)  # type: ignore[arg-type]
    assert learning_rate(step, config, 512, 900) == pytest.approx(wanted, abs=1e-15)


def of_torch(make: type[LRScheduler] | None, steps: int, **more: object) -> list[float]:
    """Rates of steps 1, 2, ... by torch's schedulers: a linear rise over 10 steps to 0.3, then `make`."""
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=0.3)
    scheduler: LRScheduler = LinearLR(optimizer, 1 / 10, total_iters=9)
    if make is not None:
        scheduler = SequentialLR(optimizer, [scheduler, make(optimizer, **more)], [9])  # type: ignore[arg-type]
    rates = []
    for _ in range(steps):
        rates.append(float(optimizer.param_groups[0]["lr"]))
        optimizer.step()
        with warnings.catch_warnings():  # SequentialLR itself calls step(epoch), which torch warns of
            warnings.simplefilter("ignore", UserWarning)
            scheduler.step()
    return rates


def test_equals_torch() -> None:
    def ours(schedule: str) -> list[float]:
        config = TrainConfig(schedule=schedule, learning_rate=0.3, warmup=10)  # type: ignore[arg-type]
        return [learning_rate(step, config, 64, 60) for step in range(1, 61)]

    assert ours("cosine") == pytest.approx(of_torch(CosineAnnealingLR, 60, T_max=50), abs=1e-12)
    assert ours("constant") == pytest.approx(of_torch(None, 60))
    falling = of_torch(LambdaLR, 60, lr_lambda=lambda steps: (10 / (10 + steps)) ** 0.5)
    assert ours("inverse_sqrt") == pytest.approx(falling)


def test_inverse_sqrt_is_noam_with_another_peak() -> None:
    plain = TrainConfig(schedule="inverse_sqrt", learning_rate=0.3, warmup=25)
    for step in (1, 24, 25, 26, 1000):
        assert learning_rate(step, plain, 64) == pytest.approx(
            0.3 * noam(step, d_model=64, warmup=25) / noam(25, d_model=64, warmup=25)
        )


@pytest.mark.parametrize("schedule", ["inverse_sqrt", "cosine", "constant"])
def test_a_warm_up_of_one_step_is_none(schedule: str) -> None:
    config = TrainConfig(schedule=schedule, learning_rate=0.005, warmup=1)  # type: ignore[arg-type]
    assert learning_rate(1, config, 32, 10_000) == 0.005


def test_where_a_cosine_ends() -> None:
    config = TrainConfig(schedule="cosine", learning_rate=1.0, warmup=10, cosine_steps=50)
    assert learning_rate(30, config, 64, 1000) == pytest.approx(0.5)
    assert learning_rate(50, config, 64, 1000) == 0.0
    endless = TrainConfig(schedule="cosine", learning_rate=1.0, warmup=10)
    assert learning_rate(5, endless, 64, 0) == 0.5
    assert learning_rate(10**6, endless, 64, 0) == 1.0
    # A warm-up that is longer than the run: it rises until the end.
    assert [learning_rate(step, endless, 64, 8) for step in (7, 8, 9)] == pytest.approx([0.7, 0.0, 0.0])
