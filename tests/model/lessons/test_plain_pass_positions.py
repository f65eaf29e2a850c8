"""The pass that lessons compute rule by rule is the model's own, whatever its positions."""

from __future__ import annotations

import pytest
import torch

from model.lessons.answers.plain_pass import PlainPass
from tests.model import tiny_bundle


@pytest.mark.parametrize("kind", ["relative", "rotary", "alibi"])
def test_it_computes_what_the_model_computes(kind: str) -> None:
    model = tiny_bundle.transformer(tiny_bundle.architecture(positions=kind, encoder_layers=2))
    source, target = torch.tensor([[5, 9, 7, 11, 3, 0]]), torch.tensor([[2, 8, 6, 9]])
    real = source > 0
    with torch.no_grad():
        memory = model.encode(source, key_mask=real)
        wanted = model.project(model.decode(target, memory, memory_mask=real)).log_softmax(-1)
    plain = PlainPass(model)
    found = plain.logprobs(target, plain.encode(source, real), real)
    torch.testing.assert_close(found, wanted, atol=2e-5, rtol=1e-5)
