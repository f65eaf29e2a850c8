from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from safetensors.numpy import load_file, save_file

from main import main
from model.translator.translator import Translator
from tests.assets import PAIRS, SENTENCE, write_tiny_bundle


class Console:
    """Runs `translate` with the tiny bundle."""

    def __init__(
        self, bundle: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.bundle, self.capsys, self.monkeypatch = bundle, capsys, monkeypatch

    def __call__(self, *arguments: str, stdin: bytes = b"") -> tuple[int, list[str], str]:
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="ascii"))
        status = main(["translate", "--model", str(self.bundle), *arguments])
        out, err = self.capsys.readouterr()
        return status, out.splitlines(), err

    def json(self, *arguments: str, stdin: bytes = b"") -> tuple[int, list[dict[str, Any]]]:
        status, lines, _ = self(*arguments, "--json", stdin=stdin)
        return status, [json.loads(line) for line in lines]


@pytest.fixture
def console(
    tiny_bundle: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Console:
    return Console(tiny_bundle, capsys, monkeypatch)


def test_one_line_a_sentence(console: Console) -> None:
    status, lines, err = console(PAIRS[0][0], PAIRS[2][0])
    assert (status, lines, err) == (0, [PAIRS[0][1], PAIRS[2][1]], "")


def test_json_has_the_shape_that_scripts_rely_on(console: Console) -> None:
    status, (values,) = console.json(SENTENCE, "--candidates", "3")
    assert status == 0
    names = ["src_tokens", "tgt_tokens", "text", "finished", "score", "rank_score", "alterations", "steps"]
    assert list(values) == names
    assert values["alterations"] == []
    assert values["src_tokens"][-1] == values["tgt_tokens"][-1] == "</s>"
    assert values["text"] == PAIRS[2][1]
    assert values["finished"] is True
    assert len(values["steps"]) == len(values["tgt_tokens"])
    assert set(values["steps"][0]) == {"token", "logprob", "rank", "candidates"}
    assert [len(step["candidates"]) for step in values["steps"]] == [3] * len(values["steps"])
    trace = list(Translator.load(console.bundle).decode(SENTENCE))[-1].trace
    assert [step["logprob"] for step in values["steps"]] == trace.step_logprob.tolist()
    assert values["score"] == pytest.approx(float(trace.step_logprob.sum()), abs=1e-5)
    assert values["rank_score"] == pytest.approx(values["score"] / trace.steps)


@pytest.mark.parametrize("batch", [[], ["--batch-size", "1"], ["--batch-size", "2"]])
def test_a_bad_sentence_does_not_stop_the_others(console: Console, batch: list[str]) -> None:
    lines = [PAIRS[0][0], "", "我喜欢茶", PAIRS[2][0], "tea " * 10_000, PAIRS[3][0]]
    stdin = "\r\n".join(lines).encode() + b"\n\xff\xfe\n" + PAIRS[4][0].encode()
    status, results = console.json("-", *batch, stdin=stdin)
    assert status == 1
    assert len(results) == 8
    for place, wanted in ((0, 0), (3, 2), (5, 3), (7, 4)):
        assert results[place]["text"] == PAIRS[wanted][1]
    errors = [results[place]["error"] for place in (1, 2, 4, 6)]
    assert all(list(results[place]) == ["error"] for place in (1, 2, 4, 6))
    assert errors[0] == "there is no text to translate; type a sentence"
    assert "Chinese characters" in errors[1]
    assert "at most 128" in errors[2]
    assert errors[3] == "line 7 of the input is not UTF-8 text; send it as UTF-8"


def test_lines_stay_aligned_without_json(console: Console) -> None:
    status, lines, err = console("-", stdin=f"\ufeff{PAIRS[0][0]}\n\n{PAIRS[2][0]}\n".encode())
    assert status == 1
    assert lines == [PAIRS[0][1], "", PAIRS[2][1]]
    assert err == "headscope: error: sentence 2: there is no text to translate; type a sentence\n"


def test_no_lines_at_all(console: Console) -> None:
    assert console("-") == (0, [], "headscope: note: there is nothing on standard input\n")


def test_texts_and_lines_mix(console: Console) -> None:
    _, lines, _ = console(PAIRS[0][0], "-", PAIRS[3][0], stdin=PAIRS[2][0].encode())
    assert lines == [PAIRS[0][1], PAIRS[2][1], PAIRS[3][1]]


def test_pieces(console: Console) -> None:
    _, lines, _ = console(SENTENCE, "--pieces")
    _, (values,) = console.json(SENTENCE)
    assert lines == [" ".join(values["tgt_tokens"])]


@pytest.mark.parametrize("mode", [["--mode", "beam"], []])
def test_n_best(console: Console, mode: list[str]) -> None:
    options = ["--beam", "4", "--n-best", "3", "--length-penalty", "0.5", *mode]
    status, (values,) = console.json("He lost the dog.", *options)
    assert status == 0
    hypotheses = values.pop("hypotheses")
    assert hypotheses[0] == values
    assert len(hypotheses) == 3
    ranks = [h["rank_score"] for h in hypotheses]
    assert ranks == sorted(ranks, reverse=True)
    for h in hypotheses:
        assert h["rank_score"] == pytest.approx(h["score"] / len(h["tgt_tokens"]) ** 0.5)
    _, lines, _ = console("He lost the dog.", *options)
    assert lines == [f"{h['rank_score']:.4f}\t{h['text']}" for h in hypotheses]


def test_one_best_is_a_list_too(console: Console) -> None:
    _, (values,) = console.json(SENTENCE, "--beam", "2", "--n-best", "1")
    assert len(values["hypotheses"]) == 1


def test_sampling(console: Console) -> None:
    options = ["--mode", "sample", "--temperature", "2", "--top-k", "40", "--top-p", "0.9", "--seed", "4"]
    first, again = console(SENTENCE, *options), console(SENTENCE, *options)
    assert first == again
    assert first[0] == 0


def test_max_length(console: Console) -> None:
    _, (values,) = console.json(SENTENCE, "--max-length", "2")
    assert values["finished"] is False
    assert len(values["steps"]) == 2
    assert "</s>" not in values["tgt_tokens"]


def test_any_script(console: Console) -> None:
    assert console("我喜欢茶")[0] == 1
    assert console("我喜欢茶", "--any-script")[0] == 0


@pytest.mark.parametrize("arguments", [[], ["--beam", "2"], ["--top-k", "3"], ["--batch-size", "2"]])
def test_weights_that_overflow_give_a_sentence_and_no_translation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    folder = write_tiny_bundle(tmp_path / "m", train_steps=0)
    weights = load_file(folder / "model.safetensors")
    save_file({name: (w * 1e20).astype(w.dtype) for name, w in weights.items()}, folder / "model.safetensors")
    assert main(["translate", "--json", "--model", str(folder), *arguments, SENTENCE, PAIRS[0][0]]) == 1
    results = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [list(result) for result in results] == [["error"], ["error"]]
    assert "overflow" in results[0]["error"]


def test_a_target_is_scored_token_by_token(console: Console) -> None:
    status, (values,) = console.json(SENTENCE, "--target", PAIRS[3][1], "--candidates", "400")
    assert status == 0
    assert values["text"] == PAIRS[3][1]
    for step in values["steps"]:
        place = step["rank"] - 1
        assert step["candidates"][place] == [step["token"], step["logprob"]]
    assert max(step["rank"] for step in values["steps"]) > 1
    assert values["score"] == pytest.approx(sum(step["logprob"] for step in values["steps"]))


@pytest.mark.parametrize("batch", [[], ["--batch-size", "3"]])
def test_a_prefix_begins_every_translation(console: Console, batch: list[str]) -> None:
    status, results = console.json(PAIRS[0][0], SENTENCE, "--prefix", "Le chat", *batch)
    assert status == 0
    assert all(result["text"].startswith("Le chat") for result in results)
    assert [result["steps"][0]["rank"] for result in results] != [1, 1]
    _, (beam,) = console.json(SENTENCE, "--prefix", "Le chat", "--mode", "beam", "--n-best", "2")
    assert all(hypothesis["text"].startswith("Le chat") for hypothesis in beam["hypotheses"])
    _, plain = console.json(SENTENCE, "--prefix", "  ")
    assert plain == console.json(SENTENCE)[1]


CHANGED = ["--ablate", "cross:2:3", "--ablate", "encoder_self:1=0.5", "--block-token", "2", "--no-positions"]


@pytest.mark.parametrize("more", [[], ["--batch-size", "3"], ["--mode", "beam", "--n-best", "2"]])
def test_changes_are_carried_out_and_told_from_zero(console: Console, more: list[str]) -> None:
    status, results = console.json(PAIRS[0][0], SENTENCE, *CHANGED, *more)
    assert status == 0
    told = [
        {"type": "scale", "kind": "cross", "layer": 1, "head": 2, "factor": 0.0},
        {"type": "scale", "kind": "encoder_self", "layer": 0, "head": None, "factor": 0.5},
        {"type": "block", "token": 1},
        {"type": "positions", "side": "both", "how": "none", "seed": 0},
    ]
    every = [hypothesis for result in results for hypothesis in result.get("hypotheses", [result])]
    assert len(every) == (4 if "--mode" in more else 2)
    assert all(result["alterations"] == told for result in every)
    _, plain = console.json(SENTENCE, *more)
    assert results[1]["steps"][0]["logprob"] != pytest.approx(plain[0]["steps"][0]["logprob"], abs=1e-6)


def test_what_this_sentence_or_model_lacks_is_said_of_each_sentence(console: Console) -> None:
    long = len(console.json(SENTENCE)[1][0]["src_tokens"])
    status, results = console.json(SENTENCE, "A dog.", "--block-token", str(long))
    assert status == 1
    assert "text" in results[0]
    assert f"no source token {long}" in results[1]["error"]
    status, (error,) = console.json(SENTENCE, "--ablate", "cross:4:1")
    assert status == 1
    assert "from 1 to 3" in error["error"]
    status, _, err = console(SENTENCE, "--ablate", "cross:1:5")
    assert status == 1
    assert err == "headscope: error: sentence 1: there is no head 5 to change; choose one from 1 to 4\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["a", "--mode", "forced"],
        ["a", "--beam", "0"],
        ["a", "--beam", "1001"],
        ["a", "--beam", "2", "--n-best", "3"],
        ["a", "--beam", "2", "--mode", "greedy"],
        ["a", "--beam", "2", "--top-k", "3"],
        ["a", "--mode", "beam", "--temperature", "3"],
        ["a", "--temperature", "0"],
        ["a", "--top-p", "2"],
        ["a", "--candidates", "-1"],
        ["a", "--batch-size", "0"],
        ["a", "--threads", "0"],
        ["a", "--no-such-option"],
        ["a", "--prefix", "Le", "--target", "Le chat"],
        ["a", "--target", "Le chat", "--mode", "greedy"],
        ["a", "--target", "Le chat", "--beam", "2"],
        ["a", "b", "--target", "Le chat"],
        ["a", "--ablate", "cross"],
        ["a", "--ablate", "cross:0:1"],
        ["a", "--ablate", "cross:1:1=-1"],
        ["a", "--ablate", "cross:1:1=1000"],
        ["a", "--ablate", "self:1"],
        ["a", "--ablate", "cross:1:1", "--ablate", "cross:1:1=0.5"],
        ["a", "--ablate", "cross:1", "--ablate", "cross:1:2"],
        ["a", "--block-token", "0"],
        ["a", "--block-token", "2", "--block-token", "2"],
    ],
)
def test_wrong_usage_is_status_2(console: Console, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        console(*arguments)
    assert caught.value.code == 2
    assert "usage: headscope translate" in console.capsys.readouterr().err


def test_characters_without_a_piece_are_named(console: Console) -> None:
    _, _, err = console("She has a 猫 and a 狗 and a 猫.", "tea")
    assert "note: sentence 1: the model has no piece for 猫 狗;" in err
    assert "sentence 2" not in err


def test_no_such_model(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["translate", "--model", str(tmp_path / "none"), "tea"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("headscope: error: there is no model ")
    assert err.count("\n") == 1
