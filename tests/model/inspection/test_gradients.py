"""Gradients of a token's log probability by each attention weight, against finite differences in float64."""

from __future__ import annotations

import itertools
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.alterations.alteration import Alteration
from model.bundle.bundle import load_bundle
from model.errors import HeadscopeError
from model.inspection import backwards
from model.questions.answers import Gradients
from model.questions.questions import GradientOf
from model.trace.trace import AttentionKind, Floats
from tests.model.inspection.asked import CHANGED, CHANGES, HEADS, LAYERS, OUT, SOURCE, ask, reading
from tests.model.inspection.conftest import KINDS, Made, Make
from tests.model.inspection.watched import WatchedPlain

SHAPES = {
    kind: (
        LAYERS[kind],
        HEADS,
        len(SOURCE if kind == "encoder_self" else OUT),
        len(OUT if kind == "decoder_self" else SOURCE),
    )
    for kind in AttentionKind
}


def logprob(plain: WatchedPlain, step: int) -> float:
    return float(plain.read(SOURCE, OUT)[step, OUT[step]])


def numerically(folder: Path, step: int, changed: dict[str, Any], every: int = 1) -> dict[str, Floats]:
    """By central differences, 0 where attention is not allowed; NaN where it was not measured."""
    plain, small = WatchedPlain(folder, **changed), 1e-5
    found = {}
    for kind, shape in SHAPES.items():
        array = np.full(shape, np.nan)
        for place in itertools.islice(np.ndindex(*shape), 0, None, every):
            query, key = place[2:]
            later = kind == "decoder_self" and key > query
            if later or (kind != "decoder_self" and key in plain.blocked):
                array[place] = 0.0  # no weight to move
                continue
            sides = []
            for amount in (small, -small):
                plain.nudge = (str(kind), *place, amount)
                sides.append(logprob(plain, step))
            array[place] = (sides[0] - sides[1]) / (2 * small)
        found[str(kind)] = array
    return found


def agree(found: Gradients, expected: dict[str, Floats]) -> None:
    assert set(found.gradients) == set(AttentionKind)
    for kind, array in found.gradients.items():
        assert array.shape == SHAPES[kind]
        assert array.dtype == np.float32
        assert not array.flags.writeable
        measured = ~np.isnan(expected[kind])
        assert np.abs(expected[kind][measured]).max() > 1e-3
        np.testing.assert_allclose(array[measured], expected[kind][measured], atol=2e-5, rtol=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["post_norm, no bias", "pre_norm", "copying"])
def test_every_weight_by_finite_differences(make: Make, kind: str) -> None:
    bundle, folder = make(**KINDS[kind])
    found = ask(bundle, GradientOf(3), reading())
    assert isinstance(found, Gradients)

    agree(found, numerically(folder, 3, {}))
    assert found.step == 3
    assert found.logprob == pytest.approx(logprob(WatchedPlain(folder), 3), abs=1e-5)


@pytest.mark.parametrize(("kind", "step"), [("pre_norm", 0), ("pre_norm", len(OUT) - 1), ("copying", 3)])
def test_altered_models_have_gradients_too(make: Make, kind: str, step: int) -> None:
    bundle, folder = make(**KINDS[kind])
    changes: tuple[Alteration, ...] = CHANGES
    found = ask(bundle, GradientOf(step), reading(*changes))

    agree(found, numerically(folder, step, CHANGED, every=5))
    assert found.logprob == pytest.approx(logprob(WatchedPlain(folder, **CHANGED), step), abs=1e-5)


def test_a_row_replaced_changes_the_probability_as_foretold(made: Made) -> None:
    found = ask(made.bundle, GradientOf(4), reading())
    before = WatchedPlain(made.folder)
    start = logprob(before, 4)
    for kind, layer, head, query in (
        ("encoder_self", 0, 1, 2),
        ("decoder_self", 1, 0, 3),
        ("cross", 2, 1, 4),
    ):
        row = before.heads[kind, layer, head].pattern[query]
        towards = torch.zeros_like(row)
        towards[0] = 1.0
        change = 1e-3 * (towards - row)
        replaced = WatchedPlain(made.folder, rows={(kind, layer, head, query): (row + change).tolist()})
        foretold = float(found.gradients[AttentionKind(kind)][layer, head, query] @ change.numpy())
        assert logprob(replaced, 4) - start == pytest.approx(foretold, rel=0.05, abs=2e-6)


def test_later_steps_have_no_part_in_it(make: Make) -> None:
    bundle = make().bundle
    found = ask(bundle, GradientOf(2), reading())
    alone = ask(bundle, GradientOf(2), reading(out=OUT[:3]))

    assert found.logprob == pytest.approx(alone.logprob, abs=1e-6)
    for kind in (AttentionKind.DECODER_SELF, AttentionKind.CROSS):
        assert not found.gradients[kind][:, :, 3:].any()
        assert found.gradients[kind][:, :, :3].any()
    np.testing.assert_allclose(
        found.gradients[AttentionKind.ENCODER_SELF], alone.gradients[AttentionKind.ENCODER_SELF], atol=1e-7
    )


def test_weights_that_autograd_refuses(make: Make) -> None:
    bundle, folder = make()
    with torch.inference_mode():
        strange = load_bundle(folder)
    assert any(parameter.is_inference() for parameter in strange.transformer.parameters())
    usual, other = (ask(which, GradientOf(1), reading()) for which in (bundle, strange))
    for kind in AttentionKind:
        np.testing.assert_array_equal(usual.gradients[kind], other.gradients[kind])


def test_the_model_is_left_as_it_was(make: Make) -> None:
    bundle = make().bundle
    ask(bundle, GradientOf(1), reading())

    for parameter in bundle.transformer.parameters():
        assert parameter.grad is None
        assert not parameter.requires_grad


def test_an_answer_that_would_be_too_large_is_refused(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = make().bundle
    size = 4 * sum(np.prod(shape) for shape in SHAPES.values())
    monkeypatch.setattr(backwards, "LARGEST", int(size))
    answer = ask(bundle, GradientOf(1), reading())
    assert sum(array.nbytes for array in answer.gradients.values()) == size

    monkeypatch.setattr(backwards, "LARGEST", int(size) - 1)
    with pytest.raises(HeadscopeError) as caught:
        ask(bundle, GradientOf(1), replace(reading(), text="x"))
    assert caught.value.code == "inspection_large"
    assert "6 source tokens and 5 steps" in str(caught.value)


ALONE = """
import sys
import torch
from model.inspection.gradients import _turned_into_one

x = torch.arange(3.0, requires_grad=True)
given = [torch.tensor([1.0, -2.0, 0.5]), torch.tensor([3.0, 0.0, 1e30])]
(found,) = torch.autograd.grad(_turned_into_one([x * x, x.exp()], given), [x])
without = "sympy" not in sys.modules
(wanted,) = torch.autograd.grad([x * x, x.exp()], [x], given)
print(without, torch.equal(found, wanted))
"""


def test_gradients_that_are_given_take_no_imports() -> None:
    root = Path(__file__).resolve().parents[3]
    result = subprocess.run(
        [sys.executable, "-c", ALONE], cwd=root, capture_output=True, text=True, timeout=100
    )
    assert result.stdout.split() == ["True", "True"], result.stderr
