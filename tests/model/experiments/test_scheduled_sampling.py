"""What is measured behind a wrong word, decoded again in torch.nn from the files, one whole pass a word."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
import torch

from model.experiments.guided import GUIDED_ATTENTION
from model.experiments.running.measures import guided, scheduled_sampling
from model.experiments.running.trained import Trained
from model.experiments.scheduled_sampling import AFTER, BEFORE, SCHEDULED_SAMPLING
from model.training.train import train
from model.work import result_of
from tests.model.oracle import Oracle


def trained_with(experiment: object, arm: str, folder: Path) -> Trained:
    assert experiment in (SCHEDULED_SAMPLING, GUIDED_ATTENTION)
    own = SCHEDULED_SAMPLING if experiment is SCHEDULED_SAMPLING else GUIDED_ATTENTION
    options = own.train_options(own.arm(arm), 1, tiny=True)
    for _ in train(options, folder / arm):
        pass
    return Trained(folder / arm, arm, 1, options, tiny=True)


def test_recovery_is_that_of_plain_decoding(tmp_path: Path) -> None:
    trained = trained_with(SCHEDULED_SAMPLING, "scheduled", tmp_path)
    found = result_of(scheduled_sampling.measure(trained))
    plain, tokenizer = Oracle(trained.folder), trained.bundle.target_tokenizer
    pairs = trained.pairs(scheduled_sampling.SENTENCES)

    def written(source: str, words: list[str]) -> list[str]:
        ids = [*tokenizer.encode(source), tokenizer.end_id]
        out = list(tokenizer.encode(" ".join(words)))
        while len(out) < len(ids) * 3 // 2 + 20:
            best = int(plain.logprobs(ids, [tokenizer.start_id, *out])[-1].argmax())
            if best == tokenizer.end_id:
                break
            out.append(best)
        return tokenizer.decode(out).split()

    draw = random.Random(1)
    words = sorted({word for _, target in pairs for word in target.split()})
    recovered, rest = [], []
    for source, target in pairs:
        told = target.split()
        if len(told) < BEFORE + AFTER + 2:
            continue
        place = draw.randrange(BEFORE, len(told) - AFTER)
        wrong = draw.choice([word for word in words if word != told[place]])
        own = written(source, [*told[:place], wrong])[place + 1 :]
        recovered.append(own == told[place + 1 :])
        rest.append(sum(map(str.__eq__, own, told[place + 1 :])) / len(told[place + 1 :]))
    assert rest
    assert found["recovered"] == pytest.approx(sum(recovered) / len(recovered))
    assert found["rest"] == pytest.approx(sum(rest) / len(rest))
    alone = [written(source, []) == target.split() for source, target in pairs]
    assert found["accuracy"] == pytest.approx(sum(alone) / len(alone))


def test_a_guided_run_is_summed_up_from_its_log(tmp_path: Path) -> None:
    """The mean of the evaluations in the log; the diagonality of each head by the metric's formula."""
    trained = trained_with(GUIDED_ATTENTION, "copy_half", tmp_path)
    found = result_of(guided.measure(trained))
    lines = (trained.folder / "training_log.jsonl").read_text("utf-8").splitlines()
    losses = [entry["heldout_loss"] for entry in map(json.loads, lines) if entry["event"] == "eval"]
    assert found["area"] == pytest.approx(sum(losses) / len(losses))
    plain, tokenizer = Oracle(trained.folder), trained.bundle.target_tokenizer
    heads: list[torch.Tensor] = []
    for source, target in trained.pairs(guided.SENTENCES)[: guided.SENTENCES // 2]:
        ids = [*tokenizer.encode(source), tokenizer.end_id]
        plain.logprobs(ids, [tokenizer.start_id, *tokenizer.encode(target)])
        pattern = plain.patterns["cross", 0][0].double()
        rows, columns = (torch.linspace(0, 1, count, dtype=torch.float64) for count in pattern.shape[1:])
        far = (rows[:, None] - columns).abs()
        heads.append((1 - (pattern * far).sum(-1) / far.amax(-1)).mean(-1))
    torch.testing.assert_close(
        torch.tensor(found["diagonality"]), torch.stack(heads).mean(0), rtol=0, atol=1e-4
    )
