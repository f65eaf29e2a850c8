from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from model.config import Architecture, TrainConfig
from model.data.batches import make_batch, plan_batches, plan_epoch
from model.data.corpus import encode_pairs
from model.decoding.batch_decoding import greedy_batch
from model.errors import HeadscopeError
from model.network.products import large
from model.network.products.ways import WAYS
from model.network.transformer import Transformer
from model.tokens.tokenizer import SentencePieceTokenizer
from model.training.distributed import Ranks
from model.training.trainer import Trainer
from model.work import result_of
from tests.assets import END, PAD, PAIRS, START, tiny_tokenizer_bytes

BASE: dict[str, Any] = {"batch_tokens": 96, "warmup": 20, "precision": "float32", "average_steps": 4}


@pytest.fixture(scope="module")
def tokenizer() -> SentencePieceTokenizer:
    return SentencePieceTokenizer.from_bytes(tiny_tokenizer_bytes(byte_fallback=False, vocab_size=144))


def trainer(
    tokenizer: SentencePieceTokenizer, seed: int = 1, dropout: float = 0.1, n_pairs: int = 20, **changes: Any
) -> Trainer:
    vocab = tokenizer.vocab_size
    architecture = Architecture(
        source_vocab=vocab, target_vocab=vocab, d_model=32, n_heads=2, encoder_layers=1, decoder_layers=1,
        d_ff=64, dropout=dropout, tie_embeddings="all",
    )  # fmt: skip
    transformer = Transformer(architecture, torch.Generator().manual_seed(seed))
    corpus = result_of(encode_pairs(PAIRS[:n_pairs], tokenizer, tokenizer, 64))
    return Trainer(
        transformer, corpus, TrainConfig(**{**BASE, "seed": seed, **changes}), tokenizer, tokenizer
    )


@pytest.mark.parametrize("onednn", [False, True])
def test_equals_a_plain_loop(
    tokenizer: SentencePieceTokenizer, onednn: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three steps against torch's own loss, AdamW, clipping and the schedule written out."""
    monkeypatch.setattr(large, "LARGE", 0)
    monkeypatch.setattr(large, "FEWEST_ROWS", 0)
    subject = trainer(tokenizer, dropout=0.0, weight_decay=0.01, label_smoothing=0.2, clip=0.5)
    plain = copy.deepcopy(subject.transformer)
    optimizer = torch.optim.AdamW(
        plain.parameters(), lr=0.0, betas=(0.9, 0.98), eps=1e-9, weight_decay=0.01, foreach=False
    )
    lengths = subject.corpus.source_lengths, subject.corpus.target_lengths
    plan = plan_batches(*lengths, 96, 1, 0)
    assert len(plan) > 3
    monkeypatch.setattr(large, "takes_onednn", lambda: False)
    for step in range(1, 4):
        batch = make_batch(subject.corpus, plan[step - 1], pad_id=PAD, start_id=START, end_id=END)
        source, target_in, target_out = (
            torch.from_numpy(x) for x in (batch.source, batch.target_in, batch.target_out)
        )
        logits = plain.project(plain(source, target_in, source_mask=source != PAD)).flatten(0, 1)
        gold = target_out.flatten()
        loss = F.cross_entropy(logits, gold, ignore_index=PAD, label_smoothing=0.2)
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        norm = torch.nn.utils.clip_grad_norm_(plain.parameters(), 0.5)
        optimizer.param_groups[0]["lr"] = 32**-0.5 * min(step**-0.5, step * 20**-1.5)
        optimizer.step()
        with monkeypatch.context() as forced:
            forced.setattr(large, "takes_onednn", lambda: onednn and WAYS["packed"].present())
            result = subject.run_step()
        nll = F.cross_entropy(logits.detach(), gold, ignore_index=PAD)
        assert result.loss == pytest.approx(float(nll), rel=1e-5)
        assert result.grad_norm == pytest.approx(float(norm), rel=1e-4)
        assert result.lr == pytest.approx(optimizer.param_groups[0]["lr"])
        assert result.target_tokens == int((gold != PAD).sum())
        for name, reference in plain.named_parameters():
            other: Tensor = reference
            own: Tensor = subject.transformer.get_parameter(name)
            if name.endswith("in_proj_bias"):
                # A bias on keys changes no pattern: its gradient is rounding, which Adam scales up.
                own, other = (torch.cat([bias[:32], bias[64:]]) for bias in (own, other))
            torch.testing.assert_close(own, other, rtol=1e-4, atol=2e-5)


def gradients(subject: Trainer) -> list[Tensor]:
    return [p.grad.clone() for p in subject.parameters if p.grad is not None]


def union_gradients(subject: Trainer, pairs: list[int], smoothing: float) -> tuple[float, list[Tensor]]:
    """Loss and gradients of all `pairs` in one batch, by torch's own loss, on a copy of the weights."""
    plain = copy.deepcopy(subject.transformer)
    batch = make_batch(subject.corpus, np.array(pairs), pad_id=PAD, start_id=START, end_id=END)
    source, target_in, target_out = map(torch.from_numpy, (batch.source, batch.target_in, batch.target_out))
    logits = plain.project(plain(source, target_in, source_mask=source != PAD)).flatten(0, 1)
    gold = target_out.flatten()
    loss = F.cross_entropy(logits, gold, ignore_index=PAD, label_smoothing=smoothing)
    torch.autograd.backward(loss)
    nll = F.cross_entropy(logits.detach(), gold, ignore_index=PAD)
    return float(nll), [p.grad for p in plain.parameters() if p.grad is not None]


def nearly(found: list[Tensor], wanted: list[Tensor]) -> None:
    assert len(found) == len(wanted) > 10
    for one, other in zip(found, wanted):
        torch.testing.assert_close(one, other, rtol=2e-4, atol=2e-6)


@pytest.mark.parametrize("cut", [{"batch_tokens": 96}, {"batch_sentences": 3}])
def test_accumulated_batches_are_one_large_batch(
    tokenizer: SentencePieceTokenizer, cut: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = trainer(tokenizer, dropout=0.0, accumulate=3, label_smoothing=0.2, clip=1e9, **cut)
    plan = plan_epoch(subject.corpus, subject.config, 0)
    assert len(plan) % 3  # the epoch's last step has fewer
    caught: list[list[Tensor]] = []
    update = subject.optimizer.step

    def caught_first() -> None:
        caught.append(gradients(subject))
        update()

    monkeypatch.setattr(subject.optimizer, "step", caught_first)
    steps = [plan[first : first + 3] for first in range(0, len(plan), 3)]
    assert subject.steps_per_epoch == len(steps)
    for done, batches in enumerate(steps, 1):
        pairs = [int(i) for batch in batches for i in batch]
        loss, wanted = union_gradients(subject, pairs, 0.2)
        result = subject.run_step()
        assert result.loss == pytest.approx(loss, rel=1e-5)
        nearly(caught[-1], wanted)
        assert result.target_tokens == int((subject.corpus.target_lengths[pairs] + 1).sum())
        assert subject.epoch == pytest.approx(done / len(steps))
    assert subject.epoch == 1.0


@pytest.mark.parametrize("world", [2, 3, 5])
def test_shares_of_a_batch_add_up_to_it(tokenizer: SentencePieceTokenizer, world: int) -> None:
    """What DistributedDataParallel averages over ranks, averaged here; five ranks share two pairs."""
    cut = {"batch_sentences": 2} if world == 5 else {"batch_tokens": 96}
    subject = trainer(tokenizer, dropout=0.0, label_smoothing=0.2, **cut)
    pairs = plan_epoch(subject.corpus, subject.config, 0)[0]
    loss, wanted = union_gradients(subject, pairs.tolist(), 0.2)
    losses, found = [], []
    for rank in range(world):
        one = trainer(tokenizer, dropout=0.0, label_smoothing=0.2, **cut)
        one.ranks = Ranks(rank, world)
        tokens = int((one.corpus.target_lengths[pairs] + 1).sum())
        losses.append(float(one._add_gradients(one.corpus, [pairs], tokens)))
        found.append(gradients(one))
    assert sum(losses) / world == pytest.approx(loss, rel=1e-5)
    assert losses.count(0.0) == max(0, world - len(pairs))
    nearly([torch.stack(parts).mean(0) for parts in zip(*found)], wanted)


def test_ranks_draw_different_masks(tokenizer: SentencePieceTokenizer) -> None:
    """A CPU generator looks at the lowest 32 bits of its seed only."""
    draws = []
    for rank in range(4):
        subject = trainer(tokenizer)
        subject._seed(rank)
        draws.append(torch.rand(4, generator=subject.generator).tolist())
    assert len({tuple(row) for row in draws}) == 4
    subject.generator.manual_seed(1 * 1_000_003 + 0)
    assert torch.rand(4, generator=subject.generator).tolist() == draws[0]


@pytest.mark.parametrize(("limits", "wanted"), [({"steps": 9}, 9), ({"epochs": 2.5}, 0), ({}, 0)])
def test_a_cosine_ends_with_the_run(
    tokenizer: SentencePieceTokenizer, limits: dict[str, Any], wanted: int
) -> None:
    subject = trainer(tokenizer, schedule="cosine", learning_rate=0.01, warmup=3, **limits)
    end = wanted or math.ceil(limits.get("epochs", 0) * subject.steps_per_epoch)
    rates = [subject.run_step().lr for _ in range(end or 12)]
    assert rates[:3] == pytest.approx([0.01 / 3, 0.02 / 3, 0.01])
    if end:
        assert rates[-1] == 0.0
        half = 0.005 * (1 + math.cos(math.pi * (6 - 3) / (end - 3)))
        assert rates[5] == pytest.approx(half)
    else:
        assert rates[3:] == [0.01] * 9


def test_average_over_steps(tokenizer: SentencePieceTokenizer) -> None:
    subject = trainer(tokenizer)
    wanted = np.zeros(())
    for step in range(1, 61):
        subject.run_step()
        own = subject.transformer.output.weight.detach().double().numpy()
        span = min(4.0, max(1.0, step / 10))
        wanted = wanted + (own - wanted) / span
    found = subject.average[subject.names.index("source_embedding.weight")]
    np.testing.assert_allclose(found.numpy(), wanted, atol=1e-6)
    before = subject.transformer.output.weight.detach().clone()
    with subject.averaged_weights():
        assert torch.equal(subject.transformer.output.weight, found)
    assert torch.equal(subject.transformer.output.weight, before)


def test_overfits_exactly(tokenizer: SentencePieceTokenizer) -> None:
    subject = trainer(tokenizer, dropout=0.0, label_smoothing=0.0, batch_tokens=512, n_pairs=12)
    results = [subject.run_step().loss for _ in range(200)]
    assert results[0] > 4.0
    assert results[-1] < 0.05
    transformer = subject.transformer.eval()
    sources = [subject.corpus.source(i).tolist() for i in range(12)]
    most = transformer.architecture.max_positions
    found = greedy_batch(transformer, sources, pad_id=PAD, start_id=START, end_id=END, most=most)
    assert [tokenizer.decode(ids) for ids in found] == [target for _, target in PAIRS[:12]]


def test_same_seed_same_path(tokenizer: SentencePieceTokenizer) -> None:
    def path(seed: int) -> list[float]:
        subject = trainer(tokenizer, seed=seed)
        return [subject.run_step().loss for _ in range(12)]

    assert path(1) == path(1)
    assert path(1) != path(2)


@pytest.mark.parametrize(
    "changes", [{}, {"accumulate": 2, "batch_sentences": 3, "schedule": "cosine", "steps": 20}]
)
def test_state_continues_to_the_bit(tokenizer: SentencePieceTokenizer, changes: dict[str, Any]) -> None:
    whole = trainer(tokenizer, **changes)
    wanted = [whole.run_step() for _ in range(20)]
    first = trainer(tokenizer, **changes)
    for _ in range(9):
        first.run_step()
    kept = {name: tensor.clone() for name, tensor in first.state().items()}
    second = trainer(tokenizer, **changes)
    second.load_state(kept, 9)
    assert second.epoch == first.epoch
    found = [second.run_step() for _ in range(11)]
    assert [step.loss for step in found] == [step.loss for step in wanted[9:]]
    assert [step.lr for step in found] == [step.lr for step in wanted[9:]]
    for name, tensor in whole.state().items():
        assert torch.equal(tensor, second.state()[name]), name


def _without(name: str) -> Any:
    return lambda state: state.pop(name)


def _reshaped(name: str) -> Any:
    return lambda state: state.update({name: torch.zeros(3)})


@pytest.mark.parametrize(
    "harm",
    [
        _without("weights.encoder.layers.0.linear1.weight"),
        _without("average.source_embedding.weight"),
        _without("exp_avg_sq.source_embedding.weight"),
        _reshaped("weights.source_embedding.weight"),
        _reshaped("average.encoder.layers.0.linear1.bias"),
        _reshaped("exp_avg.encoder.layers.0.linear1.bias"),
    ],
)
def test_states_of_another_model_are_refused(tokenizer: SentencePieceTokenizer, harm: Any) -> None:
    subject = trainer(tokenizer)
    subject.run_step()
    state = dict(subject.state())
    harm(state)
    other = trainer(tokenizer)
    before = [p.detach().clone() for p in other.parameters]
    with pytest.raises(HeadscopeError) as error:
        other.load_state(state, 1)
    assert error.value.code == "training_state_mismatch"
    assert all(torch.equal(a, b) for a, b in zip(before, other.parameters))


def test_epochs_are_whole_plans(tokenizer: SentencePieceTokenizer) -> None:
    subject = trainer(tokenizer)
    lengths = subject.corpus.source_lengths, subject.corpus.target_lengths
    plans = [plan_batches(*lengths, 96, 1, epoch) for epoch in range(3)]
    seen: list[Tensor] = []
    subject.transformer.source_embedding.register_forward_pre_hook(lambda module, args: seen.append(args[0]))
    assert subject.epoch == 0.0
    for epoch, plan in enumerate(plans):
        for done in range(1, len(plan) + 1):
            seen.clear()
            subject.run_step()
            assert subject.epoch == pytest.approx(epoch + done / len(plan))
            wanted = [subject.corpus.source(int(i)).tolist() for i in plan[done - 1]]
            assert [[i for i in row if i != PAD] for row in seen[0].tolist()] == wanted
        assert subject.epoch == epoch + 1


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_loss_that_is_no_number_stops_before_harm(tokenizer: SentencePieceTokenizer, bad: float) -> None:
    subject = trainer(tokenizer)
    subject.run_step()
    with torch.no_grad():
        subject.parameters[subject.names.index("encoder.layers.0.linear1.bias")][0] = bad
    before = [p.detach().clone() for p in subject.parameters]
    with pytest.raises(HeadscopeError) as error:
        subject.run_step()
    assert (error.value.code, error.value.values["step"]) == ("training_diverged", 2)
    assert subject.step == 1
    for parameter, kept in zip(subject.parameters, before):
        assert torch.equal(parameter.nan_to_num(9.0), kept.nan_to_num(9.0))


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_bad_gradient_changes_nothing(tokenizer: SentencePieceTokenizer, bad: float) -> None:
    """Weights, moments, step counts and average stay, and the run goes on as if it had not been."""
    subject, other = trainer(tokenizer), trainer(tokenizer)
    for _ in range(3):
        subject.run_step()
        other.run_step()
    weight = subject.transformer.encoder.layers[0].get_parameter("linear1.weight")
    hook = weight.register_hook(lambda grad: torch.full_like(grad, bad))  # type: ignore[no-untyped-call]
    before = {name: tensor.clone() for name, tensor in subject.state().items()}
    with pytest.raises(HeadscopeError) as error:
        subject.run_step()
    assert (error.value.code, error.value.values["step"]) == ("training_diverged", 4)
    hook.remove()
    assert subject.step == 3
    for name, tensor in subject.state().items():
        assert torch.equal(tensor, before[name]), name
    assert subject.run_step().loss == other.run_step().loss
    for name, tensor in subject.state().items():
        assert torch.equal(tensor, other.state()[name]), name


def test_a_step_broken_off_leaves_no_gradient_behind(tokenizer: SentencePieceTokenizer) -> None:
    subject, other = trainer(tokenizer, accumulate=2), trainer(tokenizer, accumulate=2)
    calls = iter([False, True])

    def breaks_at_the_second(module: object, args: object) -> None:
        if next(calls):
            raise MemoryError

    hook = subject.transformer.source_embedding.register_forward_pre_hook(breaks_at_the_second)
    with pytest.raises(MemoryError):
        subject.run_step()
    hook.remove()
    assert subject.step == 0
    assert subject.run_step().loss == other.run_step().loss
    for name, tensor in subject.state().items():
        assert torch.equal(tensor, other.state()[name]), name


def test_bfloat16_gradients_are_near(tokenizer: SentencePieceTokenizer) -> None:
    losses, gradients = [], []
    for precision in ("float32", "bfloat16"):
        subject = trainer(tokenizer, precision=precision, batch_tokens=512, clip=1e9)
        objective, nll = subject._loss(subject._inputs(subject.corpus, subject._plan.batches(0)[0]))
        torch.autograd.backward(objective)
        losses.append(float(nll))
        gradients.append([p.grad for p in subject.parameters if p.grad is not None])
    assert losses[1] == pytest.approx(losses[0], rel=0.02)
    assert len(gradients[0]) == len(gradients[1]) == len(subject.parameters)
    for one, other in zip(*gradients):
        assert other.dtype == torch.float32
        if float(one.abs().max()) > 1e-5:  # the keys' bias has no gradient at all
            assert float(F.cosine_similarity(one.flatten(), other.flatten(), dim=0)) > 0.95


def test_gradient_against_differences(tokenizer: SentencePieceTokenizer) -> None:
    """The objective along a random direction of all weights, dropout drawn alike each time, in float64."""
    subject = trainer(tokenizer)
    subject.transformer.double().train()
    subject.dtype = torch.float64
    generator = torch.Generator().manual_seed(3)
    directions = [torch.randn(p.shape, generator=generator, dtype=p.dtype) for p in subject.parameters]

    def objective() -> Tensor:
        subject.generator.manual_seed(11)
        return subject._loss(subject._inputs(subject.corpus, subject._plan.batches(0)[0]))[0]

    torch.autograd.backward(objective())
    slope = sum(
        float((p.grad * d).sum()) for p, d in zip(subject.parameters, directions) if p.grad is not None
    )
    values = []
    with torch.no_grad():
        for shift in (1e-6, -2e-6):
            torch._foreach_add_(list[Tensor](subject.parameters), directions, alpha=shift)
            values.append(float(objective()))
    assert slope == pytest.approx((values[0] - values[1]) / 2e-6, rel=1e-5)
