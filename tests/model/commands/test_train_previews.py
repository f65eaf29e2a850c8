from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import main
from tests.model.tiny_training import write_pairs

SIZES = [
    "--d-model", "32", "--n-heads", "2", "--encoder-layers", "1", "--decoder-layers", "1", "--d-ff", "64",
    "--vocab-size", "320", "--precision", "float32", "--threads", "1",
]  # fmt: skip


def train(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str]:
    status = main.main(["train", *argv])
    return status, capsys.readouterr().out


def test_preview(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = [("one two", "un deux"), ("one two", "un deux"), ("", "rien"), ("three", "trois " * 30)]
    path = write_pairs(tmp_path / "pairs.tsv", pairs)
    argv = ["--preview", "--pairs", str(path), "--drop-duplicates", "--max-ratio", "9"]
    status, out = train(capsys, *argv, "--json")
    assert status == 0
    survey = json.loads(out)
    assert (survey["pairs"], survey["layout"], survey["train"], survey["dev"]) == (4, "tsv", 1, 0)
    assert {name: count for name, count in survey["counts"].items() if count} == {
        "duplicate": 1, "empty": 1, "ratio": 1,
    }  # fmt: skip
    assert [pair["source"] for pair in survey["first"]] == ["one two", "one two", "", "three"]
    assert survey["source_lengths"][7] == 2
    assert sum(survey["source_lengths"]) == 4
    status, out = train(capsys, *argv)
    assert status == 0
    assert "4 pairs" in out
    assert "one two → un deux" in out
    assert "1 duplicate" in out
    assert "[left out: empty]" in out
    assert "source median 5, longest 7" in out
    assert not (tmp_path / "model").exists()


def test_estimate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_pairs(tmp_path / "pairs.tsv")
    status, out = train(capsys, "--estimate", "--json", *SIZES, "--probe-every", "1", "--steps", "3")
    assert status == 0
    values = json.loads(out)
    made = tmp_path / "made"
    argv = ["--pairs", str(path), *SIZES, "--steps", "1", "--eval-every", "1", "--json", "--float32"]
    assert train(capsys, *argv, "--out", str(made), "--vocab-size", "320")[0] == 0
    tensors = load_file(made / "model.safetensors")
    wanted = sum(tensor.size for tensor in tensors.values())
    sizes = tensors["source_embedding.weight"].shape
    missing = (values["source_vocab"] - sizes[0]) * sizes[1]
    assert values["parameters"] == wanted + missing
    assert values["memory"]["total"] > 16 * values["parameters"]
    assert values["bundle_bytes"] == 2 * values["parameters"]
    assert 0 < values["probe_bytes"] < 1_000_000
    status, out = train(capsys, "--estimate", "--vocab-files", str(made / "source.spm"), "--json", *SIZES)
    assert json.loads(out)["parameters"] == wanted
    assert json.loads(out)["probe_bytes"] == 0
    status, out = train(capsys, "--estimate", "--preset", "base", "--device", "cpu")
    # 6 encoder layers of 3,152,384 numbers, 6 decoder layers of 4,204,032, and 8,000 x 512 embeddings.
    assert "parameters: 48,234,496" in out
    assert "GB for training" in out


def test_estimate_of_pairs_tells_how_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--estimate", "--pairs", str(write_pairs(tmp_path / "pairs.tsv")), *SIZES, "--steps", "400"]
    status, out = train(capsys, *argv, "--json")
    assert status == 0
    values = json.loads(out)
    assert (values["steps"], values["warmup"]) == (400, 100)
    assert values["minutes"] == pytest.approx(4 * values["warmup_minutes"])
    assert values["minutes"] > 0
    assert "warmup" in [one["name"] for one in values["derived"]]
    status, out = train(capsys, *argv)
    assert "--warmup: 4,000 → 100 steps, as the run makes about 400 steps" in out
    assert "400 steps, of which 100 are warm-up" in out


def test_show_batch(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--task", "copy", "--task-size", "60", "--batch-sentences", "3", "--threads", "1"]
    status, out = train(capsys, *argv, "--show-batch", "2", "--pad", "5", "--json")
    assert status == 0
    view = json.loads(out)
    assert view["step"] == 1
    source, inputs, outputs = (np.array(view[name]) for name in ("source", "target_in", "target_out"))
    mask, target_mask = np.array(view["source_mask"]), np.array(view["target_mask"])
    assert len(source) == 3
    assert ((source != 0) == mask).all()
    assert ((inputs != 0) == target_mask).all()
    assert (inputs[:, 0] == 2).all()
    for row_in, row_out, real in zip(inputs, outputs, target_mask):
        count = int(real.sum())
        assert (row_in[1:count] == row_out[: count - 1]).all()
        assert row_out[count - 1] == 3
    # The task copies: the target without its end is the source without its own.
    assert (outputs[target_mask] == source[mask]).all()
    assert view["padded_by"] == 5
    assert view["padded_loss"] == pytest.approx(view["loss"], abs=1e-5)
    assert view["largest_difference"] < 1e-4


def test_show_batch_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--task", "trees", "--task-size", "60", "--batch-sentences", "2", "--threads", "1"]
    status, out = train(capsys, *argv, "--show-batch")
    assert status == 0
    lines = out.splitlines()
    assert lines[0].startswith("step 1, 30 steps per epoch: 2 pairs, padded to ")
    assert "decoder input: ids, pieces, mask (1 = read, 0 = padding)" in lines
    assert sum("<s> ▁(" in line for line in lines) == 2
    assert lines[-1].startswith("with 4 more columns of padding: ")
    # A run on disk knows its own data and options.
    made = str(tmp_path / "made")
    assert train(capsys, *argv, "--steps", "1", "--out", made, "--json")[0] == 0
    status, again = train(capsys, "--show-batch", "--out", made)
    assert (status, again.splitlines()[:6]) == (0, lines[:6])
    assert again.splitlines()[-2] != lines[-2]
