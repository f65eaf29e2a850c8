"""The gradient by layer before the first step, against torch.nn; and what is said of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from model.experiments.norm_order import NORM_ORDER
from model.experiments.result import ArmResult, ExperimentResult
from model.experiments.running.measures.norm_order import measure
from model.experiments.running.trained import Trained
from model.network.transformer import Transformer
from model.training.train import train
from model.work import result_of
from tests.model.small import PlainTransformer


@pytest.mark.parametrize("arm", ["post_warm", "pre_cold"])
def test_gradients_are_those_of_torch(arm: str, tmp_path: Path) -> None:
    options = NORM_ORDER.train_options(NORM_ORDER.arm(arm), 3, tiny=True)
    for _ in train(options, tmp_path / "model"):
        pass
    trained = Trained(tmp_path / "model", arm, 3, options, tiny=True)
    found = result_of(measure(trained))
    drawn = Transformer(trained.bundle.config.architecture, torch.Generator().manual_seed(3))
    tensors = {name: tensor.detach() for name, tensor in drawn.named_parameters()}
    plain = PlainTransformer(trained.bundle.config.architecture.to_json(), tensors)
    plain.decoder.requires_grad_(True)
    tokenizer = trained.bundle.target_tokenizer
    total, count = torch.zeros(()), 0
    for source, target in trained.pairs(64):  # one by one: padding cannot matter
        read = [*tokenizer.encode(source), tokenizer.end_id]
        out = [*tokenizer.encode(target), tokenizer.end_id]
        memory = plain.encode(torch.tensor([read]))
        hidden = plain.decode(torch.tensor([[tokenizer.start_id, *out[:-1]]]), memory)
        logits = hidden[0] @ tensors.get("output.weight", tensors["source_embedding.weight"]).t()
        total = total + F.cross_entropy(logits, torch.tensor(out), reduction="sum")
        count += len(out)
    torch.autograd.backward(total / count)
    wanted = [layer.linear2.weight.grad.norm() for layer in plain.decoder.layers]
    np.testing.assert_allclose(found["gradients"], wanted, rtol=1e-3)


def test_what_is_said_follows_the_numbers() -> None:
    """Twice as steep a gradient and losses on both sides of the line, by hand."""

    def arm(name: str, seed: int, gradients: list[float], loss: float) -> ArmResult:
        return ArmResult(name, seed, measured={"gradients": gradients, "loss": loss})

    arms = (
        arm("post_warm", 1, [1.0, 3.0], 0.5),
        arm("post_warm", 2, [1.0, 4.0], 2.5),
        arm("pre_cold", 1, [1, 1], 0.1),
    )
    result = ExperimentResult("norm_order", "", "", {}, arms)
    found = {one.name: one for one in NORM_ORDER.numbers(result, {"curve": "loss"}).findings}
    assert (found["gradient_post"].value, found["gradient_post"].holds) == (3.5, True)
    assert (found["post_warm"].value, found["post_warm"].about["learned"]) == (1.5, 1)
    assert found["post_warm"].holds is False
    assert "pre_warm" not in found
