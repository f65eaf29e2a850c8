from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.folder import bundled
from model.translator.translator import Translator
from tests.assets import SENTENCE, write_tiny_bundle
from tests.model.small import numpy_positions


@pytest.fixture(scope="module")
def translator(tiny_bundle: Path) -> Translator:
    return Translator.load(tiny_bundle)


def refusal(translator: Translator, text: str) -> HeadscopeError:
    with pytest.raises(HeadscopeError) as caught:
        translator.decode(text)
    return caught.value


@pytest.mark.parametrize("text", ["", " ", " \t\n\u3000 "])
def test_no_text(translator: Translator, text: str) -> None:
    assert refusal(translator, text).code == "empty_text"


def test_ten_thousand_tokens(translator: Translator) -> None:
    error = refusal(translator, "I like tea. " * 5000)
    assert error.code == "too_long"
    assert error.values["limit"] == translator.limit == 128
    assert int(str(error.values["tokens"])) > 10_000
    assert "at most 128" in str(error)


def test_longest_text_that_can_be_read(translator: Translator) -> None:
    words = "a" * 127
    while len(translator.pieces(words)) > 127:
        words = words[:-1]
    assert len(translator.pieces(words)) == 127
    first = next(iter(translator.decode(words)))
    assert len(first.trace.src_ids) == 128
    assert refusal(translator, words + "aa").values["tokens"] in (129, 130)


def test_a_language_it_does_not_read(
    translator: Translator, tmp_path: Path, tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tiny_bundle(tmp_path / "zh-en", train_steps=0, languages=("zh", "en"))
    shutil.copytree(tiny_bundle, tmp_path / "en-fr")
    monkeypatch.setattr(bundled, "MODELS", tmp_path)
    error = refusal(translator, "我喜欢绿茶。")
    assert error.code == "language_unread"
    assert error.values["offer"] == "zh-en"
    chinese = Translator.load("zh-en")
    assert refusal(chinese, "I like green tea.").values["offer"] == "en-fr"
    assert next(iter(chinese.decode("我喜欢绿茶。"))).trace.src_text == "我喜欢绿茶。"
    assert "Russian" not in str(refusal(translator, "Привет"))
    assert refusal(translator, "Привет").code == "script_unread"


def test_a_strange_script_can_be_forced_and_numbers_need_not_be(translator: Translator) -> None:
    assert len(list(translator.decode("我喜欢绿茶。", any_script=True))) > 1
    assert len(list(translator.decode("12 + 30 😀"))) > 1


def test_only_unknown_tokens(tmp_path: Path) -> None:
    folder = write_tiny_bundle(tmp_path / "plain", train_steps=0, byte_fallback=False)
    translator = Translator.load(folder)
    with pytest.raises(HeadscopeError) as caught:
        translator.decode("我喜欢 绿茶", any_script=True)
    assert caught.value.code == "only_unknown"
    partly = translator.decode("the 绿茶", any_script=True)
    assert "<unk>" in next(iter(partly)).trace.src_tokens


def test_a_lone_surrogate_is_no_crash(translator: Translator) -> None:
    trace = next(iter(translator.decode("tea \ud800 tea"))).trace
    assert trace.src_text == "tea \ufffd tea"
    config = DecodeConfig(mode="forced", target="th\udce9")
    forced = list(translator.decode(SENTENCE, config))[-1].trace
    assert forced.decoding["target"] == "th\ufffd"


def test_pieces(translator: Translator) -> None:
    pieces = translator.pieces(SENTENCE)
    assert "".join(pieces).replace("\u2581", " ") == " " + SENTENCE
    assert next(iter(translator.decode(SENTENCE))).trace.src_tokens == (*pieces, "</s>")


def test_what_it_tells_of_itself(tiny_bundle: Path, translator: Translator) -> None:
    told = translator.describe()
    assert set(told) == {
        "path", "name", "languages", "architecture", "parameters", "sha256", "showcase", "positions", "card",
        "position_facts", "token_style", "model_type", "family", "verified", "card_zh", "can",
    }  # fmt: skip
    config = json.loads((tiny_bundle / "config.json").read_text("utf-8"))
    weights = tiny_bundle / "model.safetensors"
    assert told["path"] == str(tiny_bundle)
    assert told["name"] == config["name"]
    assert list(told["languages"]) == config["languages"]
    assert told["architecture"] == config["architecture"]
    assert told["showcase"] == config["showcase"]
    assert told["parameters"] == sum(tensor.numel() for tensor in load_file(weights).values())
    assert told["sha256"] == hashlib.sha256(weights.read_bytes()).hexdigest()
    assert told["card"] == (tiny_bundle / "README.md").read_text("utf-8")
    np.testing.assert_allclose(told["positions"], numpy_positions(128, 32, "interleaved"), atol=1e-6)
    assert told["positions"].dtype == np.float32
    assert not told["positions"].flags.writeable


def test_learned_positions_and_none(tmp_path: Path) -> None:
    learned = write_tiny_bundle(tmp_path / "learned", train_steps=0, positions="learned")
    table = load_file(learned / "model.safetensors")["positions.weight"]
    np.testing.assert_array_equal(Translator.load(learned).describe()["positions"], table.numpy())
    none = write_tiny_bundle(tmp_path / "none", train_steps=0, positions="none")
    (none / "README.md").unlink()
    told = Translator.load(none).describe()
    assert told["positions"] is None
    assert told["card"] == ""


def test_loading_leaves_no_gradients_and_the_callers_mode(tiny_bundle: Path) -> None:
    transformer = Translator.load(tiny_bundle).bundle.transformer
    assert not any(parameter.requires_grad for parameter in transformer.parameters())
    assert not transformer.training
    assert torch.is_grad_enabled()
    assert not torch.is_inference_mode_enabled()
