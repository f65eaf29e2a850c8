"""Learning-rate schedules: pure functions of the step (the first step is 1).

After r(s) = min(s / warmup, 1), the linear warm-up, with step s and peak p:

- noam: p * d_model^-0.5 * min(s^-0.5, s * warmup^-1.5) (paper, section 5.3, equation 3; p is its factor).
- inverse_sqrt: p * r(s) * sqrt(warmup / max(s, warmup)), which equals noam up to a factor (fairseq;
  `transformers.get_inverse_sqrt_schedule` with a timescale of `warmup`).
- cosine: p * r(s), then p * (1 + cos(pi * (s - warmup) / (total - warmup))) / 2, zero from step `total` on
  (Loshchilov and Hutter, 2017, equation 5, one period; `transformers.get_cosine_schedule_with_warmup`).
- constant: p * r(s) (`transformers.get_constant_schedule_with_warmup`).

A warm-up of 1 means none: the first step has the whole rate. A run that is shorter than its warm-up reaches
the end of a cosine at `total` all the same.
"""

from __future__ import annotations

import math

from model.config import TrainConfig


def learning_rate(step: int, config: TrainConfig, d_model: int, total_steps: int = 0) -> float:
    """The rate of step `step`, from 1.

    Args:
        config: its schedule, peak and warm-up; `cosine_steps`, where given, comes before `total_steps`.
        d_model: width of the model, which the Noam schedule scales by.
        total_steps: steps of the whole run, where the cosine ends; 0 = unknown, the cosine then stays at its
            peak, as there is no end to fall towards.
    """
    peak, warmup = config.learning_rate, config.warmup
    rise = min(step / warmup, 1.0)
    if config.schedule == "noam":
        return noam(step, d_model=d_model, warmup=warmup, factor=peak)
    if config.schedule == "inverse_sqrt":
        return peak * rise * math.sqrt(warmup / max(step, warmup))
    total = config.cosine_steps or total_steps
    if config.schedule == "cosine" and total:
        return peak * rise * _cosine(step, warmup, total)
    return peak * rise


def noam(step: int, *, d_model: int, warmup: int, factor: float = 1.0) -> float:
    """Linear warm-up, then the inverse square root of the step (paper, section 5.3, equation 3)."""
    return float(factor * d_model**-0.5 * min(step**-0.5, step * warmup**-1.5))


def _cosine(step: int, warmup: int, total: int) -> float:
    """From 1 at `warmup` to 0 at `total`."""
    if step >= total:
        return 0.0
    passed = max(0.0, (step - warmup) / max(1, total - warmup))
    return (1.0 + math.cos(math.pi * passed)) / 2.0
