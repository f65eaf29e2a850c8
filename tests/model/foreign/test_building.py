"""From a loaded model to one of ours: sizes, limits, rules of producing."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.folder.families import Family
from model.folder.model_folder import inspect_folder
from model.foreign.building import build
from model.foreign.generation_rules import generation_of
from model.trace.trace import AttentionKind
from model.translator.translator import Translator
from tests.foreign_assets import write_bart, write_gpt2, write_llama, write_t5
from tests.model.foreign.opened import KINDS, open_kind, opened

TEXT = "The cat sat on the mat."


def _with_generation(folder: Path, **settings: Any) -> Path:
    path = folder / "generation_config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | settings))
    return folder


@pytest.mark.parametrize(
    ("kind", "family", "layers", "more"),
    [
        ("bart", "encoder_decoder", (2, 3), {"d_ff": 64, "activation": "gelu", "norm": "post_norm"}),
        ("t5", "encoder_decoder", (2, 2), {"d_ff": 64, "activation": "relu", "norm": "pre_norm"}),
        ("gpt2", "decoder_only", (0, 3), {"d_ff": 128, "activation": "gelu_new", "norm": "pre_norm"}),
        ("llama", "decoder_only", (0, 2), {"d_ff": 64, "activation": "silu", "kv_heads": 2}),
        ("bert", "encoder_only", (3, 0), {"d_ff": 64, "activation": "gelu", "norm": "post_norm"}),
    ],
)
def test_what_is_said_of_a_model(
    kind: str, family: str, layers: tuple[int, int], more: dict[str, Any], tmp_path: Path
) -> None:
    case = open_kind(kind, tmp_path)
    model, said = case.model, case.model.architecture
    assert (str(model.family), model.verified, model.name) == (family, True, tmp_path.name)
    assert (said["encoder_layers"], said["decoder_layers"]) == layers
    assert said["model_type"] == kind
    assert said["d_model"] == 32
    assert said["n_heads"] == 4
    assert {name: said[name] for name in more} == more
    tensors = load_file(tmp_path / "model.safetensors")
    learned = [tensor.size for name, tensor in tensors.items() if name != "final_logits_bias"]
    assert model.parameters == sum(learned)
    rows = len(case.network.get_input_embeddings().weight)
    assert (said["source_vocab"], said["target_vocab"]) == (rows, rows)
    assert (model.network is None) == (kind == "bert")
    assert (model.read is None) == (kind != "bert")


def test_models_that_are_not_proven_are_not_called_so(tmp_path: Path) -> None:
    write_llama(tmp_path)
    config = tmp_path / "config.json"
    values = json.loads(config.read_text())
    values |= {"model_type": "mistral", "architectures": ["MistralForCausalLM"], "sliding_window": 4}
    config.write_text(json.dumps(values))
    model = opened(tmp_path, KINDS["llama"]).model
    assert not model.verified
    assert model.architecture["model_type"] == "mistral"


@pytest.mark.parametrize(
    ("kind", "limits"),
    [("bart", (64, 64)), ("gpt2", (96, 96)), ("llama", (96, 96)), ("bert", (64, 64)), ("t5", (64, 64))],
)
def test_as_much_is_read_as_there_are_positions(kind: str, limits: tuple[int, int], tmp_path: Path) -> None:
    model = open_kind(kind, tmp_path).model
    assert (model.source_limit, model.target_limit) == limits


def test_a_t5_whose_tokenizer_knows_no_limit_has_the_usual_one(tmp_path: Path) -> None:
    write_t5(tmp_path)
    path = tmp_path / "tokenizer_config.json"
    values = json.loads(path.read_text())
    del values["model_max_length"]
    path.write_text(json.dumps(values))
    assert opened(tmp_path, KINDS["t5"]).model.source_limit == 512


def test_rules_are_those_of_the_folder(tmp_path: Path) -> None:
    write_bart(tmp_path)
    _with_generation(
        tmp_path,
        bad_words_ids=[[1], [7], [8, 9]],
        suppress_tokens=[11],
        forced_bos_token_id=0,
        forced_eos_token_id=[2],
        min_length=6,
        no_repeat_ngram_size=3,
        eos_token_id=[2, 5],
        repetition_penalty=1.5,
        sequence_bias=[[[4], 2.0]],
    )
    model = opened(tmp_path, KINDS["bart"]).model
    rules = model.rules
    assert rules.banned == (1, 7, 11)
    assert (rules.forced_start, rules.forced_end) == (0, 2)
    assert rules.min_length == 5  # `transformers` counts the start token
    assert rules.no_repeat_ngram == 3
    assert rules.ends == (5,)
    assert rules.beam == "apart"
    assert model.target_tokenizer.start_id == 2
    assert model.target_tokenizer.end_id == 2
    assert rules.banned_runs == ((8, 9),)
    assert rules.repetition_penalty == 1.5
    assert model.architecture["ignored_rules"] == ["sequence_bias"]


def test_a_prompt_counts_in_a_least_length(tmp_path: Path) -> None:
    write_gpt2(tmp_path)
    rules = opened(_with_generation(tmp_path, min_length=9), KINDS["gpt2"]).model.rules
    assert (rules.min_length, rules.min_total) == (0, 9)
    rules = opened(_with_generation(tmp_path, min_new_tokens=4), KINDS["gpt2"]).model.rules
    assert (rules.min_length, rules.min_total) == (4, 0)


def test_ids_that_the_model_has_no_row_for_are_none(tmp_path: Path) -> None:
    """As GPT-2 has them that were made anew with a vocabulary of their own."""
    write_gpt2(tmp_path, bos_token_id=50256, eos_token_id=50256)
    for name, ids in (("generation_config.json", {"forced_bos_token_id": 10**6}), ("config.json", {})):
        path = tmp_path / name
        values = json.loads(path.read_text("utf-8")) | {"bos_token_id": 50256, "eos_token_id": 50256} | ids
        path.write_text(json.dumps(values), "utf-8")
    path = tmp_path / "tokenizer_config.json"
    values = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({k: v for k, v in values.items() if not k.endswith("_token")}), "utf-8")
    model = opened(tmp_path, KINDS["gpt2"]).model
    assert (model.target_tokenizer.end_id, model.rules.ends, model.rules.forced_start) == (-1, (), None)


def test_a_model_without_further_rules_ignores_none(tmp_path: Path) -> None:
    assert "ignored_rules" not in open_kind("llama", tmp_path).model.architecture


def test_the_language_to_write_is_the_first_token() -> None:
    class NllbTokenizerFast:
        eos_token_id, bos_token_id, unk_token_id = 2, 0, 3
        tgt_lang = "fra_Latn"

        def convert_tokens_to_ids(self, piece: str) -> int:
            return {"fra_Latn": 77}.get(piece, 3)

    config = SimpleNamespace(decoder_start_token_id=2, eos_token_id=2, pad_token_id=1, bos_token_id=0)
    network = SimpleNamespace(config=config, generation_config=SimpleNamespace())
    network.get_input_embeddings = lambda: torch.nn.Embedding(80, 2)
    tokenizer = NllbTokenizerFast()
    assert generation_of(network, tokenizer, Family.ENCODER_DECODER).rules.forced_start == 77
    tokenizer.tgt_lang = "xyz_Latn"
    assert generation_of(network, tokenizer, Family.ENCODER_DECODER).rules.forced_start is None
    network.generation_config.forced_bos_token_id = 5
    assert generation_of(network, tokenizer, Family.ENCODER_DECODER).rules.forced_start == 5


def test_a_model_of_no_known_kind_is_refused(tmp_path: Path) -> None:
    case = open_kind("gpt2", tmp_path)
    path = tmp_path / "config.json"
    path.write_text(
        json.dumps(json.loads(path.read_text()) | {"architectures": ["GPT2ForTokenClassification"]})
    )
    with pytest.raises(HeadscopeError) as wrong:
        build(inspect_folder(tmp_path), case.network, case.tokenizer, "")
    assert wrong.value.code == "foreign_kind"


def test_weights_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    case = open_kind("gpt2", tmp_path)
    case.network.transformer.h[0].attn.c_attn.weight.fill_(float("nan"))
    with pytest.raises(HeadscopeError) as wrong:
        build(inspect_folder(tmp_path), case.network, case.tokenizer, "")
    assert wrong.value.code == "model_overflow"


@pytest.mark.parametrize("kind", ["t5", "llama"])
def test_the_twin_has_the_same_shape_and_other_weights(kind: str, tmp_path: Path) -> None:
    model = open_kind(kind, tmp_path).model
    assert model.twin is not None
    twins = [model.twin(seed) for seed in (1, 1, 2)]
    assert twins[0].architecture == model.architecture
    patterns = []
    for one in (model, *twins):
        trace = list(Translator(one).decode(TEXT, DecodeConfig(max_length=4)))[-1].trace
        patterns.append(trace.patterns.layer(AttentionKind.DECODER_SELF, 0)[:, :3, :3].copy())
    np.testing.assert_array_equal(patterns[1], patterns[2])
    assert np.abs(patterns[0] - patterns[1]).max() > 1e-4
    assert np.abs(patterns[1] - patterns[3]).max() > 1e-4
