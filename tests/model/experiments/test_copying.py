"""Names counted by hand, shares by another way, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from model.data.tasks.names import KNOWN, UNSEEN
from model.experiments.copying import COPYING
from model.experiments.result import ArmResult, ExperimentResult
from model.experiments.running.measures import copying as measures
from model.experiments.running.trained import Trained
from model.training.train import train
from model.work import result_of
from tests.model.inspection.watched import WatchedPlain


def test_names_are_counted_in_their_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Four names: one right, one elsewhere, one another, one missing; one sentence of two whole."""
    options = COPYING.train_options(COPYING.arm("copying"), 1, tiny=True)
    for _ in train(options, tmp_path / "model"):
        pass
    trained = Trained(tmp_path / "model", "copying", 1, options, tiny=True)
    one, other = UNSEEN[:2]
    pairs = [(f"{one} sees {other} .", f"{one} voit {other} .")] * 2
    outputs = [f"{one} voit .", f"{KNOWN[0]} voit voit {other} ."]
    monkeypatch.setattr(measures, "draw_names", lambda *_: iter(pairs))

    def said(bundle: object, texts: list[str]) -> object:
        yield None
        return outputs if texts == [source for source, _ in pairs] else [""] * len(texts)

    monkeypatch.setattr(measures, "translated", said)
    found = result_of(measures.measure(trained))
    assert (found["names_unseen"], found["sentences_unseen"]) == (0.25, 0.0)
    assert (found["names_known"], found["sentences_known"]) == (0.0, 0.0)

    told = found["examples"]["unseen"]
    plain = WatchedPlain(tmp_path / "model")
    tokenizer = trained.bundle.source_tokenizer
    source = tokenizer.source_ids(" ".join(told["source"][:-1]))
    ids = {tokenizer.piece(number).removeprefix("\u2581"): number for number in range(tokenizer.vocab_size)}
    out = [ids[word] for word in told["output"]]
    plain.read(source, out)
    heads = torch.stack([plain.heads["cross", 0, head].used for head in range(2)])
    np.testing.assert_allclose(told["pointer"], heads.mean(0), atol=6e-4)
    np.testing.assert_allclose(told["share"], plain.copied, atol=6e-4)


def test_what_is_said_follows_the_numbers() -> None:
    def arm(name: str, seed: int, unseen: float, **more: float) -> ArmResult:
        measured = {"names_unseen": unseen, "sentences_unseen": unseen / 2, **more}
        return ArmResult(name, seed, measured=measured)

    arms = (
        arm("plain", 1, 0.0),
        arm("plain", 2, 0.25),
        arm("copying", 1, 1.0, share_names=0.75, share_others=0.25),
        arm("copying", 2, 0.95, share_names=0.25, share_others=0.15),
    )
    result = ExperimentResult("copying", "", "", {}, arms)
    found = {one.name: one for one in COPYING.numbers(result, {"sentence": "unseen"}).findings}
    assert set(found) == {"plain_unseen", "copying_unseen", "share"}
    assert (found["plain_unseen"].value, found["plain_unseen"].holds) == (0.125, False)
    assert found["plain_unseen"].about == {"spread": 0.25, "sentences": 0.0625}
    assert (found["copying_unseen"].value, found["copying_unseen"].holds) == (0.975, True)
    assert (found["share"].value, found["share"].holds, found["share"].about) == (0.5, False, {"others": 0.2})
    nothing = COPYING.numbers(ExperimentResult("copying", "", "", {}, ()), {"sentence": "unseen"})
    assert not nothing.findings
    assert not nothing.data["examples"]
