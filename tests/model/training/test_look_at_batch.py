"""A batch laid open, against the corpus itself, plain torch, and an unobserved run."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.bundle.weights import weights_of
from model.data.batches import Batch
from model.errors import HeadscopeError
from model.training.batch_view import BatchView
from model.training.control import Control
from model.training.look_at_batch import look_at_batch
from model.training.padding_effect import padding_effect
from model.training.progress.events import StepEvent, WorkEvent
from model.training.train import train
from tests.model.small import PlainTransformer, small_transformer
from tests.model.tiny_training import events, losses, options, write_pairs

PAD = 0


def seen(work: Generator[WorkEvent, None, BatchView]) -> tuple[BatchView, list[str]]:
    """The view, and the stages on the way to it."""
    stages: list[str] = []
    while True:
        try:
            stages.append(next(work).stage)
        except StopIteration as end:
            return end.value, stages


def ragged_batch(lengths: list[tuple[int, int]]) -> Batch:
    """Pairs of those lengths (source, target input) with random tokens."""
    draw = np.random.default_rng(3)
    wide, tall = max(s for s, _ in lengths), max(t for _, t in lengths)
    source = np.full((len(lengths), wide), PAD)
    target_in, target_out = np.full((2, len(lengths), tall), PAD)
    for row, (s, t) in enumerate(lengths):
        source[row, :s] = draw.integers(4, 31, s)
        target_in[row, :t] = draw.integers(4, 37, t)
        target_out[row, :t] = draw.integers(4, 37, t)
    masks = [np.arange(n)[None] < np.array(side)[:, None] for n, side in zip((wide, tall), zip(*lengths))]
    return Batch(source, target_in, target_out, masks[0], masks[1], int(masks[1].sum()))


def plain_logprobs(plain: PlainTransformer, batch: Batch, extra: int, *, masked: bool = True) -> Tensor:
    """[real target tokens, vocab] with `extra` columns of padding, by torch.nn alone."""

    def wider(ids: Any) -> Tensor:
        return torch.from_numpy(np.pad(ids, ((0, 0), (0, extra)), constant_values=PAD))

    source, target_in = wider(batch.source), wider(batch.target_in)
    real = torch.from_numpy(np.pad(batch.source_mask, ((0, 0), (0, extra)))) if masked else None
    memory = plain.encode(source, key_mask=real)
    hidden = plain.decode(target_in, memory, memory_mask=real)
    rows = [hidden[b, t] for b, t in zip(*np.nonzero(batch.target_mask))]
    logprobs: Tensor = plain.project(torch.stack(rows)).log_softmax(-1)
    return logprobs


@pytest.mark.parametrize("norm", ["post_norm", "pre_norm"])
def test_losses_are_those_of_plain_torch_and_padding_changes_nothing(norm: str) -> None:
    transformer = small_transformer(norm=norm)
    plain = PlainTransformer({**transformer.architecture.to_json()}, weights_of(transformer))
    batch = ragged_batch([(3, 5), (7, 2), (5, 6)])

    effect = padding_effect(transformer, batch, 9, source_pad=PAD, target_pad=PAD)

    gold = torch.from_numpy(batch.target_out[batch.target_mask])[:, None]
    for extra, loss in ((0, effect.loss), (9, effect.padded_loss)):
        expected = -plain_logprobs(plain, batch, extra).gather(1, gold).mean()
        assert loss == pytest.approx(float(expected), abs=2e-6)
    assert 0 <= effect.largest_difference < 5e-6


def test_a_model_that_read_its_padding_would_be_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    transformer = small_transformer()
    plain = PlainTransformer(transformer.architecture.to_json(), weights_of(transformer))
    batch = ragged_batch([(3, 5), (7, 2), (5, 6)])
    right = transformer.forward

    def blind_to_the_mask(source: Tensor, target_in: Tensor, *, source_mask: Tensor | None = None) -> Tensor:
        return right(source, target_in)

    monkeypatch.setattr(transformer, "forward", blind_to_the_mask)
    effect = padding_effect(transformer, batch, 4, source_pad=PAD, target_pad=PAD)

    wrong = [plain_logprobs(plain, batch, extra, masked=False) for extra in (0, 4)]
    assert effect.largest_difference == pytest.approx(float((wrong[0] - wrong[1]).abs().max()), rel=1e-3)
    assert effect.largest_difference > 0.05
    assert abs(effect.loss - effect.padded_loss) > 1e-4


def test_neither_mode_nor_gradients_nor_random_numbers_are_touched() -> None:
    transformer = small_transformer(dropout=0.5).requires_grad_(True).train()
    before = torch.get_rng_state()

    first, again = (
        padding_effect(transformer, ragged_batch([(4, 3)]), 2, source_pad=PAD, target_pad=PAD)
        for _ in range(2)
    )

    assert first == again  # dropout was off
    assert transformer.training
    assert all(module.training for module in transformer.modules())
    assert all(parameter.grad is None for parameter in transformer.parameters())
    assert torch.equal(torch.get_rng_state(), before)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    return write_pairs(tmp_path / "pairs.tsv")


def test_a_batch_of_a_run_yet_to_begin(pairs: Path, tmp_path: Path) -> None:
    chosen, out = options(pairs), tmp_path / "m"

    view, stages = seen(look_at_batch(chosen, out, 1, 3))

    assert not out.exists()
    assert {"reading", "encoding"} <= set(stages)
    lines = [line.split("\t") for line in pairs.read_text(encoding="utf-8").splitlines()]
    written = {(source, target) for source, target in lines}
    for row in range(len(view.source)):
        source, target = view.source_mask[row].sum(), view.target_mask[row].sum()
        # Padding is a block on the right, and nothing else is padding.
        assert (view.source[row] == view.source_pad).tolist() == [False] * source + [True] * (
            view.source.shape[1] - source
        )
        assert view.source_pieces[row][source - 1] == view.target_out_pieces[row][target - 1] == "</s>"
        assert view.target_in_pieces[row][0] == "<s>"
        # What is read at a place was to be predicted at the place before.
        assert view.target_in[row, 1:target].tolist() == view.target_out[row, : target - 1].tolist()
        assert view.target_in_pieces[row][1:target] == view.target_out_pieces[row][: target - 1]
        texts = [
            "".join(pieces).replace("▁", " ").strip()
            for pieces in (view.source_pieces[row][: source - 1], view.target_out_pieces[row][: target - 1])
        ]
        assert tuple(texts) in written
    assert (view.step, view.padded_by) == (1, 3)
    assert view.largest_difference < 1e-5
    assert view.loss == pytest.approx(view.padded_loss, abs=1e-6)


def test_a_look_at_every_step_leaves_the_run_as_it_would_have_been(pairs: Path, tmp_path: Path) -> None:
    chosen = options(pairs, dropout=0.3, steps=6, eval_every=3)
    unseen = losses(events(chosen, tmp_path / "unseen"))

    control, found, views = Control(), {}, []
    for event in train(chosen, tmp_path / "seen", control=control):
        if control.trainer is not None:
            views.append(seen(look_at_batch(chosen, tmp_path / "seen", event.step, 2, live=control)))
        if isinstance(event, StepEvent):
            found[event.step] = event.loss

    assert found == unseen
    assert len(views) >= 6
    assert all(stages == [] for _, stages in views)
    assert (tmp_path / "seen/model.safetensors").read_bytes() == (
        tmp_path / "unseen/model.safetensors"
    ).read_bytes()


def test_the_live_weights_are_those_of_the_moment(pairs: Path, tmp_path: Path) -> None:
    chosen, control = options(pairs, dropout=0.0, label_smoothing=0.0, steps=4), Control()
    views: dict[int, BatchView] = {}
    found: dict[int, float] = {}
    for event in train(chosen, tmp_path / "m", control=control):
        if control.trainer is not None and event.step not in views:
            views[event.step], _ = seen(look_at_batch(chosen, tmp_path / "m", event.step, 1, live=control))
        if isinstance(event, StepEvent):
            found[event.step] = event.loss

    # Without dropout the loss of a step is that of its batch with the weights before the step.
    assert [views[step].loss for step in range(4)] == pytest.approx(
        [found[step + 1] for step in range(4)], abs=1e-5
    )


def test_a_run_on_disk_is_seen_as_it_was_saved(pairs: Path, tmp_path: Path) -> None:
    chosen, out = options(pairs, dropout=0.0, steps=5), tmp_path / "m"
    events(chosen, out, stop_at=3)
    control, live = Control(), None
    for _ in train(chosen, out, resume=True, control=control):
        if control.trainer is not None:
            live, _ = seen(look_at_batch(chosen, out, 3, 2, live=control))
            break

    stored, stages = seen(look_at_batch(chosen, out, 3, 2))

    assert live is not None
    assert "encoding" in stages
    assert stored.loss == live.loss
    assert stored.source.tolist() == live.source.tolist()


def test_a_look_at_a_far_step_can_be_given_up(pairs: Path, tmp_path: Path) -> None:
    # Of a small corpus the step may be a billion epochs away, and none of them can be skipped.
    control = Control()
    run = train(options(pairs, steps=3), tmp_path / "m", control=control)
    for event in run:
        if isinstance(event, StepEvent) and event.step == 1:
            look = look_at_batch(options(pairs), tmp_path / "m", 2**31 - 2, 1, live=control)
            sign = next(look)
            assert 0 < sign.done < sign.total
            look.close()
            control.stop.set()


def test_a_changed_corpus_is_no_longer_that_of_the_run(pairs: Path, tmp_path: Path) -> None:
    events(options(pairs, steps=1), tmp_path / "m")
    pairs.write_text("another\tautre\n" * 60, encoding="utf-8")

    with pytest.raises(HeadscopeError) as caught:
        seen(look_at_batch(options(pairs), tmp_path / "m", 0, 1))

    assert caught.value.code == "training_data_differs"


def test_no_more_padding_than_there_are_positions(pairs: Path, tmp_path: Path) -> None:
    view, _ = seen(look_at_batch(options(pairs, max_positions=40), tmp_path / "m", 0, 1000))

    longest = max(view.source.shape[1], view.target_in.shape[1])
    assert view.padded_by == 40 - longest
    assert view.largest_difference < 1e-5
