from __future__ import annotations

import pytest

from model.training.schedule import noam


def test_by_hand() -> None:
    # d_model 64: 64^-0.5 = 1/8. Step 1 of a warm-up of 100: 1/8 * 100^-1.5; at the peak 1/8 * 1/10.
    assert noam(1, d_model=64, warmup=100) == pytest.approx(0.000125)
    assert noam(50, d_model=64, warmup=100) == pytest.approx(0.00625)
    assert noam(100, d_model=64, warmup=100) == pytest.approx(0.0125)
    assert noam(400, d_model=64, warmup=100, factor=2.0) == pytest.approx(0.0125)


def test_rises_then_falls() -> None:
    rates = [noam(step, d_model=512, warmup=40) for step in range(1, 200)]
    assert max(rates) == rates[39]
    assert rates[:40] == sorted(rates[:40])
    assert rates[39:] == sorted(rates[39:], reverse=True)
