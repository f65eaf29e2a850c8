"""Encoders with a head on top: what they sort texts into; the oracle is `transformers` on the same folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file as load_numpy
from safetensors.torch import load_file, save_file

import main
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind
from model.trace.trace_file import open_trace, save_trace
from model.translator.translator import Translator
from tests.foreign_assets import byte_level, quiet, save_model, wordpiece
from tests.model.hostile.crafting import changed
from tests.model.trace.reading_trace import reading_trace

NAMES = ("NEGATIVE", "neutral", "好")
TEXT = "The cat sat on the mat."
PAIRED = {"bert": f"{TEXT} [SEP] It is red.", "roberta": f"{TEXT}</s>It is red."}
_SIZES: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 64,
    "max_position_embeddings": 66,
}


def write(folder: Path, kind: str, head: str = "SequenceClassification", **changes: Any) -> Path:
    """A tiny encoder with a head, saved as people have it."""
    import transformers as hf

    tokenizer = byte_level(bart=True) if kind == "roberta" else wordpiece()
    sizes = _SIZES | {"vocab_size": len(tokenizer), "id2label": dict(enumerate(NAMES))}
    if kind == "roberta":
        sizes |= {"pad_token_id": 1, "type_vocab_size": 1}
    if kind == "distilbert":
        sizes = {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64} | {
            key: sizes[key] for key in ("vocab_size", "id2label", "max_position_embeddings")
        }
    name = {"bert": "Bert", "roberta": "Roberta", "distilbert": "DistilBert", "albert": "Albert"}[kind]
    config = getattr(hf, f"{name}Config")(**sizes | changes)
    return save_model(
        folder, getattr(hf, f"{name}For{head}"), config, tokenizer, 3, 4.0 if kind == "bert" else 12.0
    )


def theirs(folder: Path, auto: str, *texts: str) -> Any:
    """All that `transformers` makes of a text or a pair."""
    import transformers as hf

    with quiet(), torch.no_grad():
        network = getattr(hf, auto).from_pretrained(folder, attn_implementation="eager").eval()
        given = hf.AutoTokenizer.from_pretrained(folder)(*texts, return_tensors="pt")
        return network(**given, output_attentions=True)


def run(capsys: pytest.CaptureFixture[str], *line: object) -> Any:
    assert main.main(list(map(str, line))) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def patterns_agree(trace: Any, output: Any) -> None:
    assert trace.patterns.shape(AttentionKind.ENCODER_SELF)[:2] == (2, 4)
    for layer, pattern in enumerate(output.attentions):
        ours = trace.patterns.layer(AttentionKind.ENCODER_SELF, layer)
        np.testing.assert_allclose(ours, pattern[0].numpy(), rtol=0, atol=1e-5)


@pytest.mark.parametrize("kind", ["bert", "roberta", "distilbert"])
def test_a_classifier_tells_every_class_and_its_probability(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / kind, kind)
    output = theirs(folder, "AutoModelForSequenceClassification", TEXT)
    wanted = output.logits[0].softmax(-1)
    assert wanted.max() - wanted.min() > 0.05, "or it would not matter which is which"
    best = sorted(zip(NAMES, wanted.tolist()), key=lambda one: -one[1])
    found = run(capsys, "translate", "--model", folder, "--json", TEXT)
    assert [name for name, _ in found["classes"]] == [name for name, _ in best]
    np.testing.assert_allclose([p for _, p in found["classes"]], [p for _, p in best], atol=1e-5)
    assert (found["text"], found["class_rule"], found["steps"]) == (best[0][0], "softmax", [])
    assert found["score"] == pytest.approx(float(wanted.max().log()), abs=1e-4)
    assert main.main(["translate", "--model", str(folder), TEXT]) == 0
    assert capsys.readouterr().out == f"{best[0][0]}\n"
    told = run(capsys, "info", folder, "--json")["architecture"]
    assert (told["classes"], told["class_rule"]) == (list(NAMES), "softmax")
    assert main.main(["info", str(folder)]) == 0
    assert "NEGATIVE, neutral, 好" in capsys.readouterr().out
    path = tmp_path / "x.trace"
    assert main.main(["trace", "--model", str(folder), "--out", str(path), TEXT]) == 0
    np.testing.assert_allclose(load_numpy(path)["class_logits"], output.logits[0].numpy(), atol=1e-4)
    trace = open_trace(path)
    assert (trace.class_names, trace.class_rule) == (NAMES, "softmax")
    np.testing.assert_allclose(trace.class_shares, wanted.numpy(), atol=1e-5)  # type: ignore[arg-type]
    patterns_agree(trace, output)
    if kind in PAIRED:
        both = theirs(folder, "AutoModelForSequenceClassification", TEXT, "It is red.")
        paired = run(capsys, "translate", "--model", folder, "--json", PAIRED[kind])
        shares = dict(map(tuple, paired["classes"]))
        np.testing.assert_allclose(
            [shares[name] for name in NAMES], both.logits[0].softmax(-1).numpy(), atol=1e-5
        )


def test_labels_that_do_not_exclude_each_other_and_numbers_are_called_what_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "many", "bert", problem_type="multi_label_classification")
    wanted = theirs(folder, "AutoModelForSequenceClassification", TEXT).logits[0]
    found = run(capsys, "translate", "--model", folder, "--json", TEXT)
    np.testing.assert_allclose(
        [dict(map(tuple, found["classes"]))[name] for name in NAMES], wanted.sigmoid().numpy(), atol=1e-5
    )
    assert found["class_rule"] == "sigmoid"
    assert set(filter(None, found["text"].split(", "))) == {
        name for name, number in zip(NAMES, wanted.tolist()) if number >= 0
    }
    folder = write(tmp_path / "number", "bert", id2label={0: "LABEL_0"})
    wanted = theirs(folder, "AutoModelForSequenceClassification", TEXT).logits[0]
    found = run(capsys, "translate", "--model", folder, "--json", TEXT)
    assert found["class_rule"] == "none"
    assert found["classes"] == [["LABEL_0", pytest.approx(wanted.item(), abs=1e-5)]]
    assert float(found["text"]) == pytest.approx(wanted.item(), abs=1e-4)


@pytest.mark.parametrize("head", ["TokenClassification", "QuestionAnswering"])
def test_other_heads_are_named_as_not_shown_and_every_attention_head_is(
    head: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "m", "bert", head, id2label={0: "O", 1: "B"})
    told = run(capsys, "info", folder, "--json")["architecture"]
    assert told["unshown_head"] == f"BertFor{head}"
    assert "classes" not in told
    path = tmp_path / "x.trace"
    assert main.main(["trace", "--model", str(folder), "--out", str(path), TEXT]) == 0
    patterns_agree(open_trace(path), theirs(folder, f"AutoModelFor{head}", TEXT))
    capsys.readouterr()
    assert main.main(["translate", "--model", str(folder), TEXT]) == 1
    said = capsys.readouterr().err
    assert f"BertFor{head}" in said
    assert "not shown" in said


def test_a_head_that_the_files_lack_is_not_invented(tmp_path: Path) -> None:
    folder = write(tmp_path / "m", "bert")
    tensors = load_file(folder / "model.safetensors")
    kept = {name: tensor for name, tensor in tensors.items() if not name.startswith("classifier")}
    assert len(kept) == len(tensors) - 2
    save_file(kept, folder / "model.safetensors")
    model = Translator.load(folder).model
    assert model.architecture["unshown_head"] == "BertForSequenceClassification"  # type: ignore[union-attr]
    assert model.read(TEXT, 1).class_logits is None  # type: ignore[union-attr,misc]


def test_names_of_classes_may_be_anything(tmp_path: Path) -> None:
    folder = write(tmp_path / "m", "bert")
    changed(folder / "config.json", id2label={"0": "a\nb\x1b[31m", "1": "", "2": "x" * 5000})
    names = Translator.load(folder).model.architecture["classes"]  # type: ignore[union-attr]
    assert names[1] == "LABEL_1"
    assert all(len(name) <= 100 and name.isprintable() for name in names)


def test_a_file_whose_classes_contradict_each_other_is_refused(tmp_path: Path) -> None:
    good: dict[str, Any] = {"class_logits": np.array([1.0, -2.0], np.float32), "class_names": ("a", "b")}
    bare: dict[str, Any] = dict.fromkeys(
        ("src_candidate_ids", "src_candidate_logprobs", "src_logprob", "src_rank")
    ) | {"src_candidate_tokens": ()}
    save_trace(reading_trace(**bare, **good), tmp_path / "x.trace")
    assert open_trace(tmp_path / "x.trace").class_names == ("a", "b")
    for bad in (
        {"class_names": ("a",)},
        {"class_logits": None},
        {"class_logits": np.array([1.0, np.nan], np.float32)},
    ):
        with pytest.raises(HeadscopeError) as caught:
            save_trace(reading_trace(**bare, **good | bad), tmp_path / "y.trace")
        assert caught.value.code == "trace_invalid"
