from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import main
from model.folder.bundle_config import count_parameters
from tests.assets import write_tiny_bundle
from tests.model.small import numpy_positions, small_transformer
from tests.model.tiny_training import events, options, write_pairs


def info(capsys: pytest.CaptureFixture[str], folder: Path) -> dict[str, Any]:
    assert main.main(["info", str(folder), "--json"]) == 0
    values: dict[str, Any] = json.loads(capsys.readouterr().out)
    return values


def test_a_bundle_without_a_log(tiny_bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = info(capsys, tiny_bundle)
    config = json.loads((tiny_bundle / "config.json").read_text(encoding="utf-8"))
    weights = tiny_bundle / "model.safetensors"
    assert found["name"] == "tiny"
    assert found["architecture"] == config["architecture"]
    assert found["source_vocab"] == found["target_vocab"] == config["architecture"]["source_vocab"]
    assert found["parameters"] == sum(tensor.size for tensor in load_file(weights).values())
    assert found["sha256"] == hashlib.sha256(weights.read_bytes()).hexdigest()
    assert found["training"] is None
    assert main.main(["info", str(tiny_bundle)]) == 0
    text = capsys.readouterr().out
    assert f"{found['parameters']:,} parameters" in text
    assert "nothing is recorded" in text


def test_a_table_of_sinusoids_is_not_called_learned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bundle of the tests, its positions written out by the paper's formula, in 16 bits too."""
    folder = write_tiny_bundle(tmp_path / "tiny")
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    rows, width = config["architecture"]["max_positions"], config["architecture"]["d_model"]
    tensors = load_file(folder / "model.safetensors")
    own = info(capsys, folder)
    assert (own["positions"], own["positions_stored"]) == ("sinusoidal", False)
    (folder / "config.json").write_text(
        json.dumps(config | {"architecture": config["architecture"] | {"positions": "learned"}}),
        encoding="utf-8",
    )
    random = np.random.default_rng(1).normal(size=(rows, width)) * 0.02
    told = []
    for table in (numpy_positions(rows, width, "interleaved"), random):
        for dtype in (np.float32, np.float16):
            save_file(tensors | {"positions.weight": table.astype(dtype)}, folder / "model.safetensors")
            found = info(capsys, folder)
            assert found["architecture"]["positions"] == "learned"  # what the file's table is filed under
            told.append((found["positions"], found["positions_stored"]))
            assert main.main(["info", str(folder)]) == 0
            said = f"{found['positions']} positions{', stored as a table' * found['positions_stored']}"
            assert said in capsys.readouterr().out
    assert told == [("sinusoidal", True)] * 2 + [("learned", False)] * 2


@pytest.mark.parametrize(
    "shape",
    [
        {},
        {"tie_embeddings": "target_output", "output_bias": True},
        {"target_vocab": 31, "tie_embeddings": "all", "positions": "learned"},
        {"norm": "pre_norm", "attention_bias": False},
    ],
)
def test_parameters_are_counted_right(shape: dict[str, Any]) -> None:
    ours = small_transformer(**shape)
    assert count_parameters(ours.architecture) == sum(p.numel() for p in ours.parameters())


def test_a_trained_bundle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs, out = write_pairs(tmp_path / "pairs.tsv"), tmp_path / "out"
    events(options(pairs, steps=4, eval_every=2), out)
    training = info(capsys, out)["training"]
    assert training["command"] == "headscope train …"
    assert training["seed"] == 1
    assert training["data"] == {"pairs.tsv": hashlib.sha256(pairs.read_bytes()).hexdigest()}
    assert set(training["versions"]) == {"python", "torch", "numpy", "sentencepiece"}
    lines = [json.loads(line) for line in (out / "training_log.jsonl").read_text("utf-8").splitlines()]
    evals = [line for line in lines if line["event"] == "eval"]
    for key, wanted in (("last_eval", evals[-1]), ("best", [line for line in evals if line["best"]][-1])):
        assert training[key] == {
            name: wanted[name] for name in ("step", "epoch", "heldout_loss", "bleu", "averaged")
        }
    assert training["last_eval"]["step"] == 4
    assert main.main(["info", str(out)]) == 0
    text = capsys.readouterr().out
    assert "trained by: headscope train …" in text
    assert f"best at step {training['best']['step']}" in text


@pytest.mark.parametrize("log", [b"", b"garbage\n", b'{"event": "eval"}\n', b"\xff\xfe", b"[]\n7\n"])
def test_a_damaged_log_is_no_training(tmp_path: Path, capsys: pytest.CaptureFixture[str], log: bytes) -> None:
    folder = write_tiny_bundle(tmp_path / "m", train_steps=0)
    (folder / "training_log.jsonl").write_bytes(log)
    assert info(capsys, folder)["training"] is None


@pytest.mark.parametrize(
    "entry",
    [{"event": "start"}, {"event": "start", "data": 7, "versions": [], "pairs": "x", "command": None}],
)
def test_a_log_that_says_little_is_shown_as_far_as_it_goes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], entry: dict[str, Any]
) -> None:
    folder = write_tiny_bundle(tmp_path / "m", train_steps=0)
    odd = {"event": "eval", "best": True, "step": None, "heldout_loss": "low", "minutes": "long"}
    (folder / "training_log.jsonl").write_text(json.dumps(entry) + "\n" + json.dumps(odd) + "\n")
    info(capsys, folder)
    assert main.main(["info", str(folder)]) == 0


def test_nothing_heavy_is_loaded(tiny_bundle: Path) -> None:
    code = (
        "import sys, main; status = main.main(['info', sys.argv[1]]); "
        "sys.exit(status or any(m in sys.modules for m in ('torch', 'sentencepiece', 'PySide6')))"
    )
    root = Path(main.__file__).parent
    done = subprocess.run([sys.executable, "-c", code, str(tiny_bundle)], cwd=root, capture_output=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("damage", ["cut", "pickle", "other"])
def test_weights_that_are_none_are_not_described(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: str
) -> None:
    folder = write_tiny_bundle(tmp_path / "m", train_steps=0)
    path = folder / "model.safetensors"
    data = {"cut": path.read_bytes()[:-9], "pickle": b"\x80\x04\x95" + bytes(60)}
    if damage == "other":
        save_file({"x": np.zeros(3, np.float32)}, path)
    else:
        path.write_bytes(data[damage])
    assert main.main(["info", str(folder)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert str(path) in captured.err
    assert captured.err.count("\n") == 1


def test_refusals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write_tiny_bundle(tmp_path / "m", train_steps=0)
    (folder / "model.safetensors").unlink()
    for path, words in ((folder, "model.safetensors"), (tmp_path, "no model"), (tmp_path / "x", "x")):
        assert main.main(["info", str(path)]) == 1
        captured = capsys.readouterr()
        assert captured.err.startswith("headscope: error: ")
        assert words in captured.err
        assert captured.err.count("\n") == 1
    with pytest.raises(SystemExit) as end:
        main.main(["info"])
    assert end.value.code == 2
