"""The update equals torch's own optimizer to the last bit, and a run imports no compiler."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import Tensor

from model.training.adamw import AdamW

ROOT = Path(__file__).resolve().parents[3]


def drawn(seed: int) -> list[Tensor]:
    draw = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=draw) for shape in ((5, 3), (7,), (2, 2, 2))]


@pytest.mark.parametrize("fused", [False, True])
@pytest.mark.parametrize("decay", [0.0, 0.01])
def test_equals_torchs_optimizer(fused: bool, decay: float) -> None:
    own, others = ([each.requires_grad_() for each in drawn(0)] for _ in range(2))
    settings = {"betas": (0.9, 0.98), "eps": 1e-9, "weight_decay": decay}
    subject = AdamW(own, 0.0, fused=fused, **settings)  # type: ignore[arg-type]
    oracle = torch.optim.AdamW(others, lr=0.0, fused=fused, **settings)  # type: ignore[arg-type]
    for step in range(1, 5):
        for parameters in (own, others):
            for parameter, gradient in zip(parameters, drawn(step)):
                parameter.grad = gradient
            parameters[1].grad = None  # one is never updated
        subject.lr = oracle.param_groups[0]["lr"] = 0.1 / step
        subject.step()
        oracle.step()
        for one, other in zip(own, others):
            assert torch.equal(one, other)
    assert own[1] not in subject.state
    for one, other in zip(own[::2], others[::2]):
        for name, value in oracle.state[other].items():
            assert torch.equal(subject.state[one][name], value)
            assert subject.state[one][name].dtype == value.dtype
    subject.zero_grad()
    assert all(parameter.grad is None for parameter in own)


TRAINED = """
import sys
from pathlib import Path
from model.config import TrainConfig
from model.train_options import TrainOptions
from model.training.train import train

architecture = {"d_model": 16, "n_heads": 2, "encoder_layers": 1, "decoder_layers": 1, "d_ff": 32}
config = TrainConfig(steps=2, threads=1, eval_every=1, save_every=1, probe_every=1, batch_tokens=200)
options = TrainOptions(name="tiny", task="copy", task_size=60, architecture=architecture, train=config)
events = [type(event).__name__ for event in train(options, Path(sys.argv[1]) / "run")]
assert "DoneEvent" in events, events
print([name for name in ("torch._dynamo", "torch._inductor", "sympy", "torch.onnx") if name in sys.modules])
"""


def test_a_run_imports_no_compiler(tmp_path: Path) -> None:
    command = [sys.executable, "-c", TRAINED, str(tmp_path)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100)
    assert result.stdout.strip() == "[]", result.stderr
