"""What a bundle says of itself while and after its run goes on: nothing of the weights that it had before."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from safetensors import safe_open

import main
from model.training.progress.events import EvalEvent
from model.training.train import stored_options, train
from tests.model.tiny_training import options, write_pairs

FIRST, SECOND = "headscope train --first", "headscope train --resume --second"


def sha_of_weights(out: Path) -> str:
    return hashlib.sha256((out / "model.safetensors").read_bytes()).hexdigest()


def sha_in_example(out: Path) -> str:
    with safe_open(out / "example.trace", "np") as file:
        return str(file.metadata()["model_sha256"])


def config(out: Path) -> dict[str, Any]:
    values: dict[str, Any] = json.loads((out / "config.json").read_text(encoding="utf-8"))
    return values


def test_a_run_that_goes_on_leaves_nothing_of_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    chosen = options(write_pairs(tmp_path / "pairs.tsv"), steps=6, eval_every=3)
    for _ in train(chosen, out, command=FIRST):
        pass
    before, card = sha_of_weights(out), (out / "README.md").read_text(encoding="utf-8")
    assert sha_in_example(out) == before
    assert config(out)["showcase"]
    assert FIRST in card
    # It goes on for longer, with another program and with the data under another name.
    moved = tmp_path / "moved.tsv"
    (tmp_path / "pairs.tsv").rename(moved)
    versions = {"python": "9", "torch": "99", "numpy": "9", "sentencepiece": "9"}
    monkeypatch.setattr("model.training.prepare._versions", lambda: versions)
    more = stored_options(out).resumed_with({"steps": 30, "pairs": (str(moved),), "bleu_sentences": 2})
    run = train(more, out, resume=True, command=SECOND)
    assert next(iter(run)).name  # the log is written
    for event in run:
        if isinstance(event, EvalEvent) and event.best:
            break
    run.close()  # type: ignore[attr-defined]
    assert sha_of_weights(out) != before
    assert not (out / "example.trace").exists()  # it showed other weights
    assert not config(out).get("showcase")
    card = (out / "README.md").read_text(encoding="utf-8")
    for wanted in (FIRST, "Resumed at step 6:", SECOND, "torch 99", "`moved.tsv`", f"at step {event.step:,}"):
        assert wanted in card, wanted
    assert "`pairs.tsv`" not in card
    for _ in train(stored_options(out), out, resume=True, command="headscope train --third"):
        pass
    assert sha_in_example(out) == sha_of_weights(out)
    assert config(out)["showcase"]
    assert main.main(["info", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["sha256"] == sha_of_weights(out)
    training = told["training"]
    assert training["command"] == FIRST
    assert [(each["command"], each["versions"]) for each in training["resumed"]] == [
        (SECOND, versions),
        ("headscope train --third", versions),
    ]
    assert training["versions"] == versions
    assert list(training["data"]) == ["moved.tsv"]
    assert training["last_eval"]["step"] == 30
    assert main.main(["info", str(out)]) == 0
    said = capsys.readouterr().out
    assert "resumed at step 6 by: headscope train --resume --second" in said
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "of at most 2 sentences" in card
