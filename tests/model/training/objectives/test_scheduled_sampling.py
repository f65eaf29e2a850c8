"""A step behind a prefix that is in part the model's own, against torch.nn token by token."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F

from model.config import TrainConfig
from model.data.batches import make_batch
from model.errors import HeadscopeError
from model.tokens.tokenizer import SentencePieceTokenizer
from model.training.objectives.scheduled_sampling import sampling_rate
from tests.assets import END, PAD, START, tiny_tokenizer_bytes
from tests.model import tiny_training
from tests.model.small import PlainTransformer
from tests.model.training.test_trainer import trainer

RATE = 0.6


@pytest.fixture(scope="module")
def tokenizer() -> SentencePieceTokenizer:
    return SentencePieceTokenizer.from_bytes(tiny_tokenizer_bytes(byte_fallback=False, vocab_size=144))


def test_a_step_by_hand(tokenizer: SentencePieceTokenizer) -> None:
    """Both passes in torch.nn from the same weights; the prefix mixed token by token."""
    subject = trainer(tokenizer, dropout=0.0, sampling_rate=RATE, label_smoothing=0.0)
    subject.run_step()  # the first has a share of nothing
    network = copy.deepcopy(subject.transformer).eval().requires_grad_(False)
    plain = PlainTransformer(network.architecture.to_json(), dict(network.named_parameters()))
    corpus, (indices,) = subject.pairs_of(1)
    batch = make_batch(corpus, indices, pad_id=PAD, start_id=START, end_id=END)
    source, given, gold = map(torch.from_numpy, (batch.source, batch.target_in, batch.target_out))

    def logits(read: torch.Tensor) -> torch.Tensor:
        memory = plain.encode(source, source != PAD)
        return plain.decode(read, memory, source != PAD) @ network.output.weight.t()

    best = logits(given).argmax(-1).tolist()
    draws = torch.rand(given.shape, generator=torch.Generator().manual_seed(1 * 1_000_003 + 1)).tolist()
    mixed = [
        [
            best[row][at - 1] if at and token != PAD and draws[row][at] < RATE else token
            for at, token in enumerate(tokens)
        ]
        for row, tokens in enumerate(given.tolist())
    ]
    changed = (torch.tensor(mixed) != given).sum()
    assert changed > 5
    expected = F.cross_entropy(logits(torch.tensor(mixed)).flatten(0, 1), gold.flatten(), ignore_index=PAD)
    assert subject.run_step().loss == pytest.approx(float(expected), rel=1e-5)


def test_gradients_are_those_of_the_second_pass(tokenizer: SentencePieceTokenizer) -> None:
    """Against central differences of the objective while the mixed prefix is held still."""
    subject = trainer(tokenizer, dropout=0.0, sampling_rate=1.0)
    subject.step = 1
    inputs = subject._inputs(subject.corpus, subject._plan.batches(1)[0])
    subject._seed(0)
    objective, _ = subject._loss(inputs)
    torch.autograd.backward(objective)
    with torch.no_grad():
        hidden = subject.transformer(inputs.source, inputs.target_in, source_mask=inputs.mask)
        own = inputs.target_in.clone()
        shifted = subject.transformer.project(hidden).argmax(-1)[:, :-1]
        real = inputs.target_in[:, 1:] != PAD
        own[:, 1:] = torch.where(real, shifted, own[:, 1:])
    found = {name: p.grad.clone() for name, p in subject.transformer.named_parameters() if p.grad is not None}
    subject.transformer.zero_grad()
    hidden = subject.transformer(inputs.source, own, source_mask=inputs.mask)
    logits = subject.transformer.project(hidden.flatten(0, 1)[inputs.real])
    torch.autograd.backward(F.cross_entropy(logits, inputs.gold, label_smoothing=0.1))
    for name, p in subject.transformer.named_parameters():
        if p.grad is not None:
            torch.testing.assert_close(found[name], p.grad, rtol=1e-4, atol=1e-6)


def test_the_share_rises_evenly() -> None:
    config = TrainConfig(sampling_rate=0.5, sampling_steps=100)
    assert [sampling_rate(config, step) for step in (0, 50, 100, 1000)] == [0.0, 0.25, 0.5, 0.5]
    assert sampling_rate(TrainConfig(sampling_rate=0.5), 1) == 0.5
    with pytest.raises(HeadscopeError, match="sampling_rate"):
        TrainConfig(sampling_rate=1.5)


def test_a_resumed_run_draws_the_same(tmp_path: Path) -> None:
    pairs = tiny_training.write_pairs(tmp_path / "pairs.tsv")
    told: dict[str, Any] = {"steps": 6, "sampling_rate": 0.5, "sampling_steps": 3, "dropout": 0.1}
    options = tiny_training.options(pairs, **told)
    whole = tiny_training.losses(tiny_training.events(options, tmp_path / "whole"))
    tiny_training.events(options, tmp_path / "parts", stop_at=3)
    rest = tiny_training.losses(tiny_training.events(options, tmp_path / "parts", resume=True))
    assert rest == {step: loss for step, loss in whole.items() if step > 3}
    plain = tiny_training.options(pairs, **{**told, "sampling_rate": 0.0})
    assert tiny_training.losses(tiny_training.events(plain, tmp_path / "plain")) != whole
