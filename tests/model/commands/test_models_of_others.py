"""Every command on every kind of model that is not ours; the oracle is `transformers` on the same folder."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.numpy import load_file

import main
from tests.foreign_assets import TEXTS, WRITERS, quiet
from tests.marian_assets import write_marian

KINDS = ("marian", *WRITERS)
WRITING = tuple(kind for kind in KINDS if kind != "bert")
TRANSLATING = ("marian", "bart", "t5")
FAMILIES = {
    **dict.fromkeys(TRANSLATING, "encoder_decoder"),
    **dict.fromkeys(("gpt2", "llama"), "decoder_only"),
    "bert": "encoder_only",
}
TEXT = TEXTS[0]
LONGEST = 9


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root = tmp_path_factory.mktemp("others")
    made = {kind: writer(root / kind) for kind, writer in WRITERS.items()}
    return {"marian": write_marian(root / "marian"), **made}


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    """What a command prints as JSON, one object a line; the only one if there is one."""
    assert main.main(list(map(str, arguments))) == 0, capsys.readouterr().err
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return lines[0] if len(lines) == 1 else lines


def oracle(folder: Path) -> tuple[Any, Any]:
    """Tokenizer and model as `transformers` loads them."""
    import transformers as hf

    kind = folder.name
    network = {
        "bert": hf.AutoModelForMaskedLM,
        "gpt2": hf.AutoModelForCausalLM,
        "llama": hf.AutoModelForCausalLM,
    }.get(kind, hf.AutoModelForSeq2SeqLM)
    with quiet():
        tokenizer = hf.AutoTokenizer.from_pretrained(folder)
        return tokenizer, network.from_pretrained(folder, attn_implementation="eager").eval()


def generated(folder: Path, text: str, **settings: Any) -> tuple[list[str], Any]:
    """Tokens that `generate` produces after what it was given, and all it returns."""
    tokenizer, network = oracle(folder)
    given = tokenizer(text, return_tensors="pt")
    given.pop("token_type_ids", None)
    with quiet(), torch.no_grad():
        out = network.generate(
            **given,
            max_new_tokens=LONGEST,
            do_sample=False,
            return_dict_in_generate=True,
            output_scores=True,
            **settings,
        )
    skipped = 1 if FAMILIES[folder.name] == "encoder_decoder" else given["input_ids"].shape[1]
    ids = out.sequences[0, skipped:]
    return tokenizer.convert_ids_to_tokens(ids), out


@pytest.mark.parametrize("kind", KINDS)
def test_info(folders: dict[str, Path], capsys: pytest.CaptureFixture[str], kind: str) -> None:
    found = run(capsys, "info", folders[kind], "--json")
    weights = folders[kind] / "model.safetensors"
    assert found["name"] == kind
    assert found["sha256"] == hashlib.sha256(weights.read_bytes()).hexdigest()
    assert found["training"] is None
    assert (found["model_type"], found["family"], found["verified"]) == (kind, FAMILIES[kind], True)
    stored = load_file(weights)
    assert 0 < found["parameters"] <= sum(tensor.size for tensor in stored.values())
    assert found["target_vocab"] == oracle(folders[kind])[1].get_output_embeddings().out_features
    assert main.main(["info", str(folders[kind])]) == 0
    assert f"{found['parameters']:,} parameters" in capsys.readouterr().out


@pytest.mark.parametrize("kind", WRITING)
def test_translate_writes_what_generate_writes(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    found = run(
        capsys, "translate", "--model", folders[kind], "--any-script", "--max-length", LONGEST, "--json", TEXT
    )
    wanted, _ = generated(folders[kind], TEXT, num_beams=1)
    assert found["tgt_tokens"] == wanted
    assert len(found["steps"]) == len(wanted)
    tokenizer, _ = oracle(folders[kind])
    assert found["src_tokens"] == tokenizer.convert_ids_to_tokens(tokenizer(TEXT)["input_ids"])


@pytest.mark.parametrize("kind", WRITING)
def test_a_beam_finds_what_generate_finds(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    options = ("--mode", "beam", "--beam", 4, "--max-length", LONGEST, "--json", "--any-script")
    found = run(capsys, "translate", "--model", folders[kind], *options, TEXT)
    wanted, out = generated(folders[kind], TEXT, num_beams=4, length_penalty=1.0)
    assert found["tgt_tokens"] == wanted
    assert found["rank_score"] == pytest.approx(float(out.sequences_scores[0]), abs=1e-4)


def test_translate_fills_in_masked_words(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    text = "The little [MASK] gave her brother a red apple."
    found = run(capsys, "translate", "--model", folders["bert"], "--json", text)
    tokenizer, network = oracle(folders["bert"])
    given = tokenizer(text, return_tensors="pt")
    with torch.no_grad():
        logprobs = network(**given).logits[0].log_softmax(-1)
    place = given["input_ids"][0].tolist().index(tokenizer.mask_token_id)
    best = int(logprobs[place].argmax())
    assert found["tgt_tokens"] == [tokenizer.convert_ids_to_tokens(best)]
    assert found["steps"][0]["logprob"] == pytest.approx(float(logprobs[place, best]), abs=1e-4)
    assert "[MASK]" not in found["text"]
    assert main.main(["translate", "--model", str(folders["bert"]), TEXT]) == 1
    assert "[MASK]" in capsys.readouterr().err


@pytest.mark.parametrize("kind", KINDS)
def test_trace(
    folders: dict[str, Path], tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.trace"
    assert main.main(["trace", "--model", str(folders[kind]), "--any-script", "--out", str(path), TEXT]) == 0
    arrays = load_file(path)
    told = capsys.readouterr().err
    if FAMILIES[kind] == "decoder_only":
        with safe_open(path, "numpy") as file:
            prompt = int(file.metadata()["prompt_length"])
        produced = len(arrays["tgt_out_ids"]) - prompt + 1
        assert told.startswith(f"{path}: {prompt} tokens of the prompt, {produced} produced")
    if FAMILIES[kind] == "encoder_only":
        assert told == f"{path}: {len(arrays['src_ids'])} tokens\n"
    families = {
        "encoder_decoder": {"encoder_self", "decoder_self", "cross"},
        "decoder_only": {"decoder_self"},
        "encoder_only": {"encoder_self"},
    }[FAMILIES[kind]]
    assert families == {"encoder_self", "decoder_self", "cross"} & set(arrays)
    for family in families:
        np.testing.assert_allclose(arrays[family].sum(-1), 1.0, atol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_heads(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str
) -> None:
    of_text = run(capsys, "heads", "--model", folders[kind], "--json", TEXT)
    assert {head["kind"] for head in of_text["heads"]}
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"{text}\t{text}\n" for text in TEXTS[:3]), encoding="utf-8")
    of_file = run(capsys, "heads", "--model", folders[kind], "--json", "--pairs", pairs)
    assert of_file["scope"] == "corpus"
    assert of_file["sentences"] == 3
    assert len(of_file["heads"]) == len(of_text["heads"])
    numbers = [(head["entropy"], head["random"]["entropy"]) for head in of_file["heads"]]
    assert all(own != random for own, random in numbers)


@pytest.mark.parametrize("kind", TRANSLATING)
def test_evaluate(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str
) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("".join(f"{text}\t{text}\n" for text in TEXTS[:2]), encoding="utf-8")
    found = run(capsys, "evaluate", "--model", folders[kind], "--pairs", pairs, "--json")
    assert found["sentences"] == 2
    assert 0 <= found["bleu"] <= 100


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [("bert", "writes none"), ("gpt2", "does not translate"), ("llama", "does not translate")],
)
def test_what_is_no_translation_is_not_scored(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str, sentence: str
) -> None:
    """Nor is such a model loaded first, which may take minutes."""
    folder = tmp_path / kind
    shutil.copytree(folders[kind], folder)
    (folder / "model.safetensors").write_bytes(b"no weights")
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(f"{TEXT}\t{TEXT}\n", encoding="utf-8")
    assert main.main(["evaluate", "--model", str(folder), "--pairs", str(pairs)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert sentence in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize("kind", ["bert", "gpt2", "t5"])
def test_what_needs_our_own_transformer_is_refused_in_one_sentence(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    model = ("--model", str(folders[kind]))
    assert main.main(["translate", *model, "--no-positions", TEXT]) == 1
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].startswith("headscope: error:")
    assert kind in said[0]
