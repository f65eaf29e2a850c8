"""Contributions of tokens against autograd over plain torch, and against numbers worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.bundle.bundle import Bundle, load_bundle, write_bundle
from model.causes import without
from model.errors import HeadscopeError
from model.inspection.answering import answer
from model.questions.causes.contrast import Contrast, ContrastOf, Contributed
from model.questions.questions import Question, Reading
from tests.model import tiny_bundle
from tests.model.causes.plain_contrast import ContrastPlain
from tests.model.inspection.asked import CHANGED, CHANGES, OUT, SOURCE, reading
from tests.model.inspection.conftest import Made
from tests.model.variants.variants import VARIANTS

CLOSE = 5e-6  # float32 all the way, against float64


def ask(bundle: Bundle, question: Question, about: Reading) -> Any:
    *_, found = answer(bundle, question, about)
    assert torch.is_grad_enabled()
    assert not torch.is_inference_mode_enabled()
    return found


@pytest.mark.parametrize("altered", [False, True])
@pytest.mark.parametrize("rival", [None, 7])
def test_contributions_are_those_of_plain_torch(made: Made, rival: int | None, altered: bool) -> None:
    step, changed = 3, CHANGED if altered else {}
    blocked = changed.get("blocked", [])
    found: Contrast = ask(made.bundle, ContrastOf(step, None, rival), reading(*(CHANGES if altered else ())))
    plain = ContrastPlain(made.folder, **changed)
    value = plain.difference(SOURCE, OUT, step, OUT[step], rival)
    gradients = torch.autograd.grad(value, plain.words)
    whole, value = 0.0, value.detach()
    assert found.value == pytest.approx(float(value), abs=CLOSE)
    for side, gradient, word, place in zip(found.sides, gradients, plain.words, plain.places, strict=True):
        upto = len(side.tokens)
        assert upto == (len(SOURCE) if side.side == "source" else step + 1)
        assert not gradient[upto:].any()
        for ours, theirs in (
            (side.products, (gradient * word).sum(1)),
            (side.positions, (gradient * place).sum(1)),
            (side.lengths, gradient.abs().sum(1)),
        ):
            np.testing.assert_allclose(ours, theirs.detach()[:upto], atol=CLOSE, rtol=1e-4)
        whole += float((gradient * (word + place).detach()).sum())
    assert found.total == pytest.approx(whole, abs=10 * CLOSE)
    for token in range(len(SOURCE)):
        left = changed | {"blocked": [*blocked, token]}
        without = ContrastPlain(made.folder, **left).difference(SOURCE, OUT, step, OUT[step], rival).detach()
        assert found.source.effects[token] == pytest.approx(float(value - without), abs=CLOSE)
    for token in range(step + 1):
        other = ContrastPlain(made.folder, (token,), **changed)
        without = other.difference(SOURCE, OUT, step, OUT[step], rival).detach()
        assert found.prefix.effects[token] == pytest.approx(float(value - without), abs=CLOSE)
    assert np.abs(found.source.effects).max() > 50 * CLOSE


@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant_moves_as_its_gradient_says(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small step of a word's own vector in the table moves the difference as gradient × input foretells."""
    fields: dict[str, Any] = {"n_heads": 4, "encoder_layers": 2, "decoder_layers": 2} | VARIANTS[name]
    fields["tie_embeddings"] = "none"
    a = tiny_bundle.architecture(**fields)
    network = tiny_bundle.transformer(a)
    write_bundle(tmp_path / "b", tiny_bundle.config(a), network, *[tiny_bundle.spm()] * 2, half=False)
    bundle, about, step, rival = load_bundle(tmp_path / "b"), Reading("", SOURCE, OUT), 2, 9
    monkeypatch.setattr(without, "_WEIGHTS", 1)  # one row at a time: the same
    found: Contrast = ask(bundle, ContrastOf(step, None, rival), about)
    network = network.double().eval()
    tables = (network.source_embedding.weight, network.target_embedding.weight)
    ids = (SOURCE, (2, *OUT[:step]))

    def difference(sources: torch.Tensor | None = None) -> float:
        with torch.no_grad():
            memory = network.encode(torch.tensor([SOURCE]), key_mask=sources)
            states = network.decode(torch.tensor([ids[1]]), memory, memory_mask=sources)
            row = network.project(states[:, step]).log_softmax(-1)[0]
        return float(row[OUT[step]] - row[rival])

    value = difference()
    for side, table, own in zip(found.sides, tables, ids, strict=True):
        for place in range(0, len(own), 2):
            vector = table.data[own[place]].clone()
            moved = []
            for factor in (1 + 1e-4, 1 - 1e-4):
                table.data[own[place]] = factor * vector
                moved.append(difference())
            table.data[own[place]] = vector
            slope = (moved[0] - moved[1]) / 2e-4
            assert side.products[place] == pytest.approx(slope, abs=1e-4, rel=1e-3)
    for token in (0, 4):
        kept = torch.tensor([[place != token for place in range(len(SOURCE))]])
        assert found.source.effects[token] == pytest.approx(value - difference(kept), abs=1e-4)


def test_contributions_by_hand(tmp_path: Path) -> None:
    """Heads and networks that write nothing: the last token alone, x = word + position = (1, 1, -1, -1).

    Its mean is 0 and its deviation 1, so that the closing norm leaves it as it is, and D = u · x = 2 with
    u = (2, 0, 0, 0). Through the norm ∂D/∂x = u - mean(u) - x mean(u x) = (1, -1, 0, 0). With the word
    (2, 0, 0, 0) that is 2, with the position (-1, 1, -1, -1) it is -2: together 0, as for every norm, which a
    longer x leaves cold. Without the word the position alone is normed: mean -1/2, variance 3/4, D = -1 /
    sqrt(3/4).
    """
    a = tiny_bundle.architecture(
        d_model=4, n_heads=1, d_ff=2, norm="pre_norm", positions="learned", tie_embeddings="none",
        scale_embedding=False, norm_eps=1e-12,
    )  # fmt: skip
    network = tiny_bundle.transformer(a)
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            parameter.fill_(1.0 if "norm" in name and name.endswith("weight") else 0.0)
        network.target_embedding.weight[2] = torch.tensor([2.0, 0, 0, 0])
        assert network.positions.weight is not None
        network.positions.weight[0] = torch.tensor([-1.0, 1, -1, -1])
        network.output.weight[5] = torch.tensor([2.0, 0, 0, 0])
    spm = tiny_bundle.spm()
    write_bundle(tmp_path / "bundle", tiny_bundle.config(a), network, spm, spm, half=False)
    found = ask(load_bundle(tmp_path / "bundle"), ContrastOf(0, 5, 7), Reading("", SOURCE, OUT))
    assert isinstance(found, Contrast)
    assert found.value == pytest.approx(2.0)
    assert found.total == pytest.approx(0.0, abs=1e-6)
    told: tuple[Contributed, ...] = found.sides
    for side, values in zip(told, ((0.0,) * 4, (2.0, -2.0, 2.0, 2 + 1 / math.sqrt(0.75))), strict=True):
        for array, value in zip(
            (side.products, side.positions, side.lengths, side.effects), values, strict=True
        ):
            np.testing.assert_allclose(array, value, atol=1e-6)


def test_a_round_is_contrasted_too(tmp_path: Path) -> None:
    """A model that writes all at once: the prefix is all that it read in its round."""
    a = tiny_bundle.architecture(generation="all_at_once")
    spm, network = tiny_bundle.spm(), tiny_bundle.transformer(a)
    write_bundle(tmp_path / "bundle", tiny_bundle.config(a), network, spm, spm, half=False)
    about = Reading("", SOURCE, OUT, in_ids=(2, 20, 2, 14, 2))
    found = ask(load_bundle(tmp_path / "bundle"), ContrastOf(1, None, 9), about)
    assert len(found.prefix.tokens) == 5
    assert found.prefix.products[3] != 0  # it may look ahead


@pytest.mark.parametrize(
    ("question", "code"),
    [(ContrastOf(5), "export_step"), (ContrastOf(0, 999), "token_id"), (ContrastOf(0, None, -1), "token_id")],
)
def test_what_is_not_there_is_refused(make: Any, question: Any, code: str) -> None:
    with pytest.raises(HeadscopeError) as raised:
        ask(make().bundle, question, reading())
    assert raised.value.code == code
