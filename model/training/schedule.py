"""Learning-rate schedules: pure functions of the step (the first step is 1)."""

from __future__ import annotations


def noam(step: int, *, d_model: int, warmup: int, factor: float = 1.0) -> float:
    """Linear warm-up, then the inverse square root of the step (paper, section 5.3, equation 3)."""
    return float(factor * d_model**-0.5 * min(step**-0.5, step * warmup**-1.5))
