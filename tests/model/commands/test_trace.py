from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.numpy import load_file

from main import main
from tests.assets import PAIRS, SENTENCE


def run(bundle: Path, *arguments: str) -> int:
    return main(["trace", "--model", str(bundle), *arguments])


def header(path: Path) -> dict[str, str]:
    with safe_open(path, "numpy") as file:
        return dict(file.metadata())


def test_what_is_saved(tiny_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.trace"
    assert run(tiny_bundle, "--out", str(path), SENTENCE) == 0
    out, err = capsys.readouterr()
    tensors, texts = load_file(path), header(path)
    s, t = len(tensors["src_ids"]), len(tensors["tgt_out_ids"])
    assert out == ""
    assert err == f"{path}: {s} source tokens, {t} steps\n"
    assert {name: array.shape for name, array in tensors.items()} == {
        "encoder_self": (2, 4, s, s),
        "decoder_self": (3, 4, t, t),
        "cross": (3, 4, t, s),
        "src_ids": (s,),
        "tgt_in_ids": (t,),
        "tgt_out_ids": (t,),
        "step_logprob": (t,),
        "candidate_ids": (t, 10),
        "candidate_logprobs": (t, 10),
        "step_rank": (t,),
    }
    for name in ("encoder_self", "decoder_self", "cross"):
        np.testing.assert_allclose(tensors[name].sum(-1), 1, atol=1e-5)
    assert texts["format"] == "headscope-trace"
    assert texts["src_text"] == SENTENCE
    assert texts["tgt_text"] == PAIRS[2][1]
    assert json.loads(texts["decoding"])["mode"] == "greedy"
    assert json.loads(texts["alterations"]) == []
    assert json.loads(texts["src_tokens"])[-1] == json.loads(texts["tgt_out_tokens"])[-1] == "</s>"
    assert json.loads(texts["tgt_in_tokens"])[0] == "<s>"


def test_forced_target_in_half_precision(tiny_bundle: Path, tmp_path: Path) -> None:
    path = tmp_path / "b.trace"
    target = "Le chien a perdu sa clé."
    assert run(tiny_bundle, "--out", str(path), "--float16", "--target", target, SENTENCE) == 0
    tensors, texts = load_file(path), header(path)
    assert texts["tgt_text"] == target
    assert json.loads(texts["decoding"])["mode"] == "forced"
    assert tensors["cross"].dtype == np.float16
    assert tensors["step_logprob"].dtype == np.float32
    np.testing.assert_allclose(tensors["cross"].astype(np.float32).sum(-1), 1, atol=2e-3)


def test_altered_and_sampled(tiny_bundle: Path, tmp_path: Path) -> None:
    path = tmp_path / "e.trace"
    changes = ["--ablate", "decoder_self:1", "--block-token", "1", "--no-positions"]
    sampled = ["--top-k", "3", "--seed", "1", "--prefix", "Le"]
    assert run(tiny_bundle, "--out", str(path), *changes, *sampled, SENTENCE) == 0
    assert [change["type"] for change in json.loads(header(path)["alterations"])] == [
        "scale",
        "block",
        "positions",
    ]
    tensors = load_file(path)
    assert not tensors["cross"][..., 0].any()
    assert not tensors["encoder_self"][..., 0].any()
    np.testing.assert_allclose(tensors["cross"].sum(-1), 1, atol=1e-5)
    assert (tensors["drawn_count"] == 3).all()
    np.testing.assert_allclose(np.exp(tensors["candidate_drawn"]).sum(1), 1, atol=1e-5)
    assert np.isneginf(tensors["candidate_drawn"][:, 3:]).all()
    assert json.loads(header(path)["decoding"])["prefix"] == "Le"


def test_beam_and_length_limit(tiny_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "c.trace"
    assert run(tiny_bundle, "--out", str(path), "--beam", "3", "--max-length", "2", SENTENCE) == 0
    assert json.loads(header(path)["decoding"])["beam_size"] == 3
    assert "2 steps, stopped by the length limit" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([""], "there is no text"),
        (["我喜欢茶"], "Chinese characters"),
        (["tea " * 10_000], "at most 128"),
        (["tea", "--target", "tea " * 10_000], "at most 128"),
        (["tea", "--ablate", "encoder_self:3"], "from 1 to 2"),
        (["tea", "--block-token", "50"], "no source token 50"),
    ],
)
def test_bad_input_gets_its_sentence_and_no_file(
    tiny_bundle: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    assert run(tiny_bundle, "--out", str(tmp_path / "d.trace"), *arguments) == 1
    err = capsys.readouterr().err
    assert err.startswith("headscope: error: ")
    assert sentence in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_does_not_exist(
    tiny_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tiny_bundle, "--out", str(tmp_path / "no" / "d.trace"), "tea") == 1
    assert capsys.readouterr().err.startswith("headscope: error: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["tea"],
        ["--out", "d.trace"],
        ["--out", "d.trace", "--target", "a", "--beam", "3", "tea"],
        ["--out", "d.trace", "--target", "a", "--mode", "greedy", "tea"],
        ["--out", "d.trace", "--target", "a", "--prefix", "b", "tea"],
        ["--out", "d.trace", "--ablate", "2:3", "tea"],
    ],
)
def test_wrong_usage_is_status_2(
    tiny_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        run(tiny_bundle, *arguments)
    assert caught.value.code == 2
    assert list(tmp_path.iterdir()) == []
