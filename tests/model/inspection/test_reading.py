"""The walk over the modules computes what the model itself computes."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import torch
from torch import Tensor

from model.alterations.alteration import Alteration
from model.decoding.altering import Altering
from model.inspection.readings import Readings, StackPass
from model.questions.questions import Reading, RowOf, WalkOf
from model.trace.trace import AttentionKind
from tests.model.inspection.asked import CHANGES, OUT, SOURCE, ask, reading
from tests.model.inspection.conftest import Made, Make

OPTIONS: dict[str, tuple[Any, ...]] = {
    "norm": ("post_norm", "pre_norm"),
    "activation": ("relu", "gelu", "silu"),
    "attention_bias": (True, False),
    "output_bias": (False, True),
    "positions": ("sinusoidal", "learned", "none"),
    "position_layout": ("interleaved", "halves"),
    "scale_embedding": (True, False),
    "tie_embeddings": ("all", "target_output", "none"),
}


def passed(made: Made, about: Reading) -> tuple[StackPass, StackPass]:
    readings = Readings(made.bundle)
    reader = readings.reader(about)
    results: list[StackPass] = []
    for stack in (readings.source, readings.target):
        waiting = stack(reader)
        try:
            while True:
                next(waiting)
        except StopIteration as end:
            results.append(end.value)
    return results[0], results[1]


def ordinary(made: Made, changes: tuple[Alteration, ...] = ()) -> tuple[list[Tensor], Tensor]:
    """What the model's own forward pass says: every encoder layer, and the decoder's output."""
    model = made.bundle.transformer
    altering = Altering(changes, model.architecture, source_length=len(SOURCE))
    reads: dict[str, Any] = {
        "key_mask": altering.source_mask,
        "position_ids": altering.source_positions,
        "tap": altering.tap,
    }
    with torch.inference_mode():
        layers = model.encode(torch.tensor([SOURCE]), **reads, every_layer=True)
        hidden = model.decode(
            torch.tensor([[2, *OUT[:-1]]]),
            model.encode(torch.tensor([SOURCE]), **reads),
            memory_mask=altering.source_mask,
            position_ids=altering.target_positions(0, len(OUT)),
            tap=altering.tap,
        )
    return layers, hidden


def agree(made: Made, changes: tuple[Alteration, ...] = ()) -> None:
    source, target = passed(made, reading(*changes))
    layers, hidden = ordinary(made, changes)
    torch.testing.assert_close(source.sublayers[0].before, layers[0][0], atol=1e-6, rtol=0)
    for layer, expected in enumerate(layers[1:-1]):
        torch.testing.assert_close(source.sublayers[2 * layer + 1].after, expected[0], atol=1e-6, rtol=0)
    torch.testing.assert_close(source.output, layers[-1][0], atol=1e-6, rtol=0)
    torch.testing.assert_close(target.rows, hidden[0], atol=1e-6, rtol=0)


@pytest.mark.parametrize(
    ("option", "value"), [(name, value) for name, values in OPTIONS.items() for value in values]
)
def test_with_every_option_as_the_forward_pass(make: Make, option: str, value: Any) -> None:
    for norm in OPTIONS["norm"]:
        agree(make(**{"norm": norm, option: value}))


def test_altered_as_the_forward_pass(made: Made) -> None:
    agree(made, CHANGES)


def test_it_says_how_much_it_holds(made: Made) -> None:
    for stack in passed(made, reading()):
        tensors = list(itertools.chain(*((each.before, each.output) for each in stack.sublayers)))
        tensors.append(stack.output)
        if stack.side == "target":
            tensors.append(stack.memory)
        assert stack.size == sum(tensor.numel() * tensor.element_size() for tensor in tensors)


def test_a_thousand_tokens(make: Make) -> None:
    bundle = make(max_positions=1024, encoder_layers=1, decoder_layers=1).bundle
    source = (*(4 + place % 20 for place in range(1023)), 3)
    about = Reading("", source, source)
    readings = Readings(bundle)
    row = ask(bundle, RowOf(AttentionKind.DECODER_SELF, 0, 1, 1000), about, readings)

    assert row.pattern.shape == (1024,)
    assert row.pattern.sum() == pytest.approx(1, abs=1e-5)
    assert not row.pattern[1001:].any()
    walk = ask(bundle, WalkOf("target", 1023), about, readings)
    assert walk.lenses[-1].produced < 0
    assert readings.size < 1 << 20
