"""Hidden target tokens: which are drawn, the loss and its gradients against torch.nn, and a resumed run."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import load_file

from model.network.transformer import Transformer
from model.training.objectives.masked import Hidden, hide, masked_loss
from model.training.objectives.objective import Inputs
from model.training.train import stored_options
from tests.model import tiny_bundle
from tests.model.tiny_training import events, losses, options, write_pairs

START, END = 2, 3


def inputs(lengths: list[int], vocab: int = 20, source: int = 6) -> Inputs:
    """Pairs whose targets have so many tokens, padded."""
    generator = torch.Generator().manual_seed(3)
    longest = max(lengths) + 1
    target_in = torch.zeros(len(lengths), longest, dtype=torch.int64)
    target_out, real = torch.zeros_like(target_in), torch.zeros(len(lengths), longest, dtype=torch.bool)
    for row, n in enumerate(lengths):
        tokens = torch.randint(4, vocab, (n,), generator=generator)
        target_in[row, : n + 1] = torch.cat([torch.tensor([START]), tokens])
        target_out[row, : n + 1] = torch.cat([tokens, torch.tensor([END])])
        real[row, : n + 1] = True
    places = real.flatten().nonzero()[:, 0]
    texts = torch.randint(4, vocab, (len(lengths), source), generator=generator)
    mask = torch.ones(len(lengths), source, dtype=torch.bool)
    mask[0, -2:] = False
    return Inputs(texts, mask, target_in, places, target_out.flatten()[places])


def test_from_one_to_all_tokens_are_hidden_evenly_and_never_padding() -> None:
    batch = inputs([4] * 6000 + [7])
    hidden = hide(batch, torch.Generator().manual_seed(1))
    assert hidden.lengths.tolist() == [4] * 6000 + [7]
    assert not (hidden.places & ~hidden.real).any()
    targets = batch.target_in[:, 1:]
    assert torch.equal(hidden.read, targets.masked_fill(hidden.places, START))
    assert torch.equal(hidden.gold, targets[hidden.places])
    counts = np.bincount(hidden.places[:6000].sum(1).numpy(), minlength=5)
    assert counts[0] == 0
    # 6,000 draws of one in four: a deviation is 34; every token is as often hidden, 5 / 8 of the time (38).
    assert (abs(counts[1:] - 1500) < 5 * math.sqrt(6000 * 3 / 16)).all()
    each = hidden.places[:6000, :4].sum(0).double()
    assert (abs(each - 3750) < 5 * math.sqrt(6000 * 15 / 64)).all()


def test_what_is_drawn_is_the_generators_alone() -> None:
    batch = inputs([3, 5, 1])
    one, other = (hide(batch, torch.Generator().manual_seed(9)).places for _ in range(2))
    assert torch.equal(one, other)


def test_the_loss_and_its_gradients_are_those_of_torch() -> None:
    """torch.nn without causal mask, cross-entropy over the hidden tokens and over the lengths."""
    architecture = tiny_bundle.architecture(generation="all_at_once", dropout=0.0, positions="none")
    model = Transformer(architecture, torch.Generator().manual_seed(5))
    batch = inputs([3, 5, 1])
    hidden = hide(batch, torch.Generator().manual_seed(2))
    tokens = 12.0
    objective, nll = masked_loss(
        model, model, batch, hidden, smoothing=0.1, tokens=tokens, dtype=torch.float32
    )
    torch.autograd.backward(objective)
    found = {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}
    model.zero_grad()
    wanted, plain = by_torch(model, batch, hidden, tokens)
    torch.autograd.backward(wanted)
    assert objective.item() == pytest.approx(wanted.item(), rel=1e-5)
    assert nll.item() == pytest.approx(plain.item(), rel=1e-5)
    assert found.keys() == {name for name, _ in model.named_parameters()}
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None
        torch.testing.assert_close(found[name], parameter.grad, rtol=1e-3, atol=1e-5)


def by_torch(
    model: Transformer, batch: Inputs, hidden: Hidden, tokens: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """The same weights in functions of torch.nn alone."""
    state = dict(model.named_parameters())
    table, d = state["source_embedding.weight"], 8
    encoder = torch.nn.TransformerEncoderLayer(d, 2, 12, 0.0, batch_first=True)
    decoder = torch.nn.TransformerDecoderLayer(d, 2, 12, 0.0, batch_first=True)

    def call(layer: torch.nn.Module, stack: str, *x: torch.Tensor, **masks: torch.Tensor) -> torch.Tensor:
        own = {name: state[f"{stack}.layers.0.{name}"] for name, _ in layer.named_parameters()}
        result: torch.Tensor = torch.func.functional_call(layer, own, x, masks)
        return result

    assert batch.mask is not None
    memory = call(encoder, "encoder", table[batch.source] * d**0.5, src_key_padding_mask=~batch.mask)
    states = call(
        decoder, "decoder", table[hidden.read] * d**0.5, memory,
        tgt_key_padding_mask=~hidden.real, memory_key_padding_mask=~batch.mask,
    )  # fmt: skip
    logits = states[hidden.places] @ table.T
    mean = torch.stack([row[own].mean(0) for row, own in zip(memory, batch.mask)])
    lengths = F.linear(mean, state["length.weight"], state["length.bias"])
    of_length = F.cross_entropy(lengths, hidden.lengths - 1, reduction="sum")
    sums = [
        F.cross_entropy(logits, hidden.gold, reduction="sum", label_smoothing=smoothing)
        for smoothing in (0.1, 0.0)
    ]
    smoothed, plain = ((2 * total + of_length) / tokens for total in sums)
    return smoothed, plain


def test_a_resumed_run_is_an_unbroken_one(tmp_path: Path) -> None:
    plain = options(
        write_pairs(tmp_path / "pairs.tsv"), steps=10, eval_every=4, generation="all_at_once", dropout=0.1
    )
    whole = events(plain, tmp_path / "whole")
    out = tmp_path / "out"
    first = events(plain, out, stop_at=5)
    second = events(stored_options(out), out, resume=True)
    assert losses(first) | losses(second) == losses(whole)
    kept, wanted = (load_file(folder / "model.safetensors") for folder in (out, tmp_path / "whole"))
    assert "length.weight" in kept
    assert all(torch.equal(kept[name], wanted[name]) for name in wanted)
