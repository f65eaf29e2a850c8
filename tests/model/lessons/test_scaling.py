"""The lesson on √d_k: plain torch on the same random vectors, on a bundle's files, and shapes by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.bundle.bundle import load_bundle
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.lessons.answers.scaling import additive, dot, scaled_dot
from model.lessons.lesson import Numbers, Subject, taken_values
from model.lessons.scaling import SCALING, ScoreTimes
from model.trace.trace import AttentionKind, Trace
from tests.model.inspection.watched import WatchedPlain


def shown(answered: Any = None, subject: Subject | None = None, **given: Any) -> Numbers:
    return SCALING.numbers(taken_values(SCALING.controls(subject), given), answered, subject)


def found(numbers: Numbers) -> dict[str, Any]:
    return {one.name: one for one in numbers.findings}


def measured(scores: Tensor) -> list[float]:
    """Entropy, largest weight and norm of the Jacobian, mean over rows; the Jacobian as autograd has it."""
    told = []
    for row in scores:
        p = row.softmax(0)
        jacobian = torch.autograd.functional.jacobian(lambda x: x.softmax(0), row)
        entropy = torch.special.entr(p).sum()
        told.append([float(entropy), float(p.max()), float(jacobian.nan_to_num(0.0).norm())])
    return np.mean(told, axis=0).tolist()


def test_random_vectors_as_torch_has_them() -> None:
    numbers = shown(d_k=48, keys=7, seed=5)

    random = np.random.default_rng(5)
    q, k = (torch.from_numpy(random.standard_normal((count, 1024))) for count in (128, 64))
    widths = numbers.data["widths"].tolist()
    assert widths == [4, 8, 16, 32, 48, 64, 128, 256, 512, 1024]
    for at in (0, widths.index(48), 9):
        d = widths[at]
        scores = q[:, :d] @ k[:7, :d].T
        for which, divisor in enumerate((1.0, math.sqrt(d))):
            ours = [numbers.data[name][which, at] for name in ("entropy", "largest", "gradient")]
            assert np.allclose(ours, measured(scores / divisor), atol=1e-9)
    own = q[0, :48] @ k[:7, :48].T
    assert np.allclose(
        numbers.data["weights"][0],
        own.softmax(0)[[int(name) - 1 for name in numbers.data["names"]]],
        atol=1e-12,
    )
    told = found(numbers)
    everything = q[:, :48] @ k[:, :48].T
    assert told["variance"].value == pytest.approx(float(everything.var(1).mean()), rel=1e-9)
    assert told["entropy"].about["most"] == pytest.approx(math.log(7))
    assert all(told[name].holds for name in ("variance", "entropy", "largest", "gradient"))


def test_where_scaling_lowers_the_gradient_it_says_so() -> None:
    told = found(shown(d_k=4))["gradient"]
    assert told.holds is bool(told.value < told.about["scaled"])
    assert not told.holds


def test_only_a_seed_draws_other_numbers() -> None:
    first, again, other = (shown(seed=seed).data["entropy"] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.allclose(first, other)


@pytest.mark.parametrize("kind", list(AttentionKind))
def test_a_heads_own_scores_as_plain_torch_has_them(
    tiny_bundle: Path, tiny_trace: Trace, kind: AttentionKind
) -> None:
    subject = Subject.of(tiny_trace)
    subject = subject.at(kind, 1, 2, 3, tiny_trace.heads(kind))
    asked = SCALING.asks(taken_values(SCALING.controls(subject), {"of": "head"}), subject)
    assert asked is not None
    *_, answered = answer(load_bundle(tiny_bundle), *asked)
    numbers = shown(answered, subject, of="head")

    plain = WatchedPlain(tiny_bundle)
    plain.read(subject.reading.src_ids, subject.reading.out_ids)
    heads = [plain.heads[str(kind), 1, head] for head in (2, 3, 0, 1)]  # the asked one, then those after it
    q, k = torch.cat([one.q for one in heads], 1), torch.cat([one.k for one in heads], 1)
    assert numbers.data["widths"].tolist() == [4, 8, 16, 32]
    for at, d in enumerate((4, 8, 16, 32)):
        scores = q[:, :d] @ k[:, :d].T
        if kind is AttentionKind.DECODER_SELF:
            scores = scores.masked_fill(torch.ones(len(q), len(k)).triu(1).bool(), -math.inf)
        for which, divisor in enumerate((1.0, math.sqrt(d))):
            ours = [numbers.data[name][which, at] for name in ("entropy", "largest", "gradient")]
            assert np.allclose(ours, measured(scores / divisor), atol=1e-4)
    # With scaling, at its own width, the row is what the model recorded.
    recorded = tiny_trace.pattern(kind, 1, 2)[3]
    assert sorted(numbers.data["weights"][1])[-1] == pytest.approx(recorded.max(), abs=1e-4)
    assert found(numbers)["largest"].about["scaled"] == pytest.approx(
        tiny_trace.pattern(kind, 1, 2).max(-1).mean(), abs=1e-4
    )


def test_scores_and_the_size_of_what_they_make() -> None:
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal(shape).astype(np.float32) for shape in ((3, 4), (3, 4), (4,)))
    tensors = [torch.from_numpy(one) for one in (q, k, v)]
    expected = [[float(np.tanh(a + b) @ v) for b in k] for a in q]
    scores, largest = additive(*tensors)
    assert np.allclose(scores, expected, atol=1e-5)
    assert largest == 3 * 3 * 4 * 4
    plain, scaled = dot(*tensors), scaled_dot(*tensors)
    assert np.allclose(plain[0], q @ k.T, atol=1e-5)
    assert np.allclose(scaled[0], q @ k.T / 2, atol=1e-5)
    assert plain[1] == scaled[1] == 3 * 3 * 4


@pytest.mark.parametrize("along", ["n", "d"])
def test_cost_needs_no_model(along: str) -> None:
    asked = SCALING.asks(taken_values(SCALING.controls(None), {"of": "cost", "along": along}), None)
    assert asked == (ScoreTimes(along, 1), None)
    *_, answered = answer(None, *asked)
    numbers = shown(answered, of="cost", along=along)
    sizes, fixed = numbers.data["sizes"], numbers.data["fixed"]
    n, d = (sizes, fixed) if along == "n" else (fixed, sizes)
    assert np.array_equal(numbers.data["bytes"][0], 4 * n * n * d)
    assert (numbers.data["bytes"][1:] == 4 * n * n).all()
    assert (numbers.data["milliseconds"] > 0).all()
    assert found(numbers)["memory"].holds


def test_what_cannot_be_turned_or_read_is_refused(tiny_bundle: Path, tiny_trace: Trace) -> None:
    with pytest.raises(HeadscopeError) as refused:
        taken_values(SCALING.controls(None), {"of": "head"})
    assert refused.value.code == "lesson_value"
    subject = Subject.of(tiny_trace)
    values = {**taken_values(SCALING.controls(subject), {"of": "head"}), "head": 9}
    asked = SCALING.asks(values, subject)
    assert asked is not None
    with pytest.raises(HeadscopeError) as refused:
        list(answer(load_bundle(tiny_bundle), *asked))
    assert refused.value.code == "inspection_head"
