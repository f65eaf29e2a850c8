"""`AdamW`: torch's own update of weights without its `Optimizer`, whose first use imports torch's compiler.

That is eight hundred modules which no run needs: 150 MB for as long as the process lives, and a second or
more in which no other Python runs.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor
from torch.optim.adamw import adamw


class AdamW:
    """Adam with decoupled weight decay (Loshchilov and Hutter, 2019); number for number `torch.optim.AdamW`.

    Args:
        parameters: what it updates.
        fused: by one kernel, which counts steps on the device; not every device has it.

    Attributes:
        lr: of the next step.
        state: of each parameter that was ever updated: `step`, `exp_avg`, `exp_avg_sq`.
    """

    def __init__(
        self,
        parameters: Iterable[Tensor],
        lr: float,
        *,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        fused: bool = False,
    ) -> None:
        self.lr = lr
        self.state: dict[Tensor, dict[str, Tensor]] = {}
        self._parameters = list(parameters)
        self._betas, self._eps, self._decay, self._fused = betas, eps, weight_decay, fused

    @torch.no_grad()
    def step(self) -> None:
        """Update every parameter that has a gradient."""
        updated = [parameter for parameter in self._parameters if parameter.grad is not None]
        for parameter in updated:
            if parameter not in self.state:
                self.state[parameter] = {
                    "step": torch.zeros((), device=parameter.device if self._fused else "cpu"),
                    "exp_avg": torch.zeros_like(parameter),
                    "exp_avg_sq": torch.zeros_like(parameter),
                }
        states = [self.state[parameter] for parameter in updated]
        adamw(
            updated,
            [parameter.grad for parameter in updated if parameter.grad is not None],
            [state["exp_avg"] for state in states],
            [state["exp_avg_sq"] for state in states],
            [],
            [state["step"] for state in states],
            fused=self._fused or None,
            amsgrad=False,
            beta1=self._betas[0],
            beta2=self._betas[1],
            lr=self.lr,
            weight_decay=self._decay,
            eps=self._eps,
            maximize=False,
        )

    def zero_grad(self) -> None:
        """Forget the gradients."""
        for parameter in self._parameters:
            parameter.grad = None
