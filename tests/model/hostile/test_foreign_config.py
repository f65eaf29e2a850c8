"""A hostile `config.json` of Hugging Face: no code, no other place, no memory that no weights vouch for."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path
from typing import Any

import pytest

from model.errors import HeadscopeError
from model.foreign.tokens.staging import without_denied
from model.translator.load_model import load_model
from tests.model.hostile.crafting import changed, code_of, refused

CODE = "open({!r}, 'w')\nraise SystemExit\n"
HUGE = 10**18


@pytest.mark.parametrize("folder", ["bert", "gpt2", "t5"], indirect=True)
def test_code_in_the_folder_never_runs(folder: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    for name in ("modeling_x.py", "configuration_x.py", "tokenization_x.py", "custom_generate.py"):
        (folder / name).write_text(CODE.format(str(marker)))
    (folder / "custom_generate").mkdir()
    (folder / "custom_generate" / "generate.py").write_text(CODE.format(str(marker)))
    names = {
        "AutoConfig": "configuration_x.X",
        "AutoModel": "modeling_x.X",
        "AutoModelForCausalLM": "modeling_x.X",
    }
    changed(
        folder / "config.json",
        auto_map=names,
        trust_remote_code=True,
        custom_pipelines={"x": {"impl": "x.X"}},
    )
    changed(
        folder / "tokenizer_config.json",
        auto_map={"AutoTokenizer": ["tokenization_x.X", "tokenization_x.X"]},
        trust_remote_code=True,
    )
    changed(folder / "generation_config.json", custom_generate="custom_generate", trust_remote_code=True)
    model = load_model(folder)
    assert model.name
    assert not marker.exists()


def test_an_unknown_model_with_its_own_code_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    (folder / "configuration_x.py").write_text(CODE.format(str(marker)))
    changed(folder / "config.json", model_type="never-heard-of", auto_map={"AutoConfig": "configuration_x.X"})
    assert code_of(folder) == "foreign_failed"
    assert not marker.exists()


@pytest.mark.parametrize(
    "entries",
    [
        {"_name_or_path": "/etc/passwd"},
        {"_attn_implementation": "kernels-community/flash-attn", "attn_implementation": "a/b"},
        {"transformers_weights": "../../outside.safetensors"},
        {"fusion_config": {"a": "b"}, "kernel_config": {"x": "y"}, "distributed_config": {}},
        {"torchscript": True, "return_dict": False, "output_attentions": False, "dtype": "float16"},
        {"gguf_file": "x.gguf", "adapter_model_name": "x", "peft_config": {"base_model_name_or_path": "x"}},
        {"__class__": "x", "__dict__": {}},
    ],
)
def test_entries_that_lead_elsewhere_count_for_nothing(folder: Path, entries: dict[str, Any]) -> None:
    plain = load_model(folder)
    changed(folder / "config.json", **entries)
    model = load_model(folder)
    assert model.source_tokenizer.source_ids("The cat") == plain.source_tokenizer.source_ids("The cat")
    assert model.architecture == plain.architecture  # type: ignore[union-attr]


def test_what_models_need_stays() -> None:
    kept = {
        "adapter_reduction_factor": 2,
        "base_model_prefix": "x",
        "id2label": {"0": "token"},
        "vocab_size": 3,
        "rope_parameters": {"rope_theta": 5e5, "rope_type": "default"},
        "__type": "AddedToken",
    }
    assert without_denied(kept | {"auto_map": 1, "x": {"name_or_path": 1, "y": [{"auto_map": 2}]}}) == {
        **kept,
        "x": {"y": [{}]},
    }


@pytest.mark.parametrize(
    "entries",
    [
        {"n_layer": HUGE},
        {"n_layer": 100_000},
        {"n_head": HUGE},
        {"vocab_size": HUGE},
        {"n_embd": -HUGE},
        {"n_positions": 2**40},
        {"num_labels": 10**9},
        {"nested": {"num_hidden_layers": 2000}},
        {"id2label": {str(n): "x" for n in range(10)}, "num_experts": 10**8},
    ],
)
def test_absurd_numbers_are_refused_by_name(folder: Path, entries: dict[str, Any]) -> None:
    changed(folder / "config.json", **entries)
    assert code_of(folder) == "config_value"


@pytest.mark.parametrize(
    "entries",
    [
        {"vocab_size": 2**31 - 1},
        {"n_positions": 2**30},
        {"n_inner": 2**30},
        {"n_layer": 1024, "n_inner": 2**20},
        {"n_embd": 4 * 2**24},
    ],
)
def test_a_model_larger_than_its_weights_is_refused_before_memory_is_taken(
    folder: Path, entries: dict[str, Any]
) -> None:
    changed(folder / "config.json", **entries)
    started = time.process_time()
    assert code_of(folder) == "foreign_sizes"
    assert time.process_time() - started < 20


@pytest.mark.parametrize("folder", ["bert", "gpt2", "t5"], indirect=True)
def test_tying_tables_hides_no_size(folder: Path) -> None:
    """A tied table counts once, but it counts: 2^20 rows of 32 are more than the files hold."""
    ties = ("tie_word_embeddings", "tie_encoder_decoder", "share_encoder_decoder_embeddings")
    for tied in (True, False):
        changed(folder / "config.json", vocab_size=2**20, **dict.fromkeys(ties, tied))
        assert code_of(folder) == "foreign_sizes", tied
    changed(folder / "config.json", vocab_size=2**20, tied_weights_keys=["*"], _tied_weights_keys={"x": "*"})
    assert code_of(folder) == "foreign_sizes"


@pytest.mark.parametrize(
    "entries",
    [
        {"n_layer": "3"},
        {"n_layer": -1},
        {"n_head": 0},
        {"n_embd": 31},
        {"vocab_size": None},
        {"activation_function": "no-such"},
        {"n_layer": [3, 3]},
        {"n_layer": {"a": 1}},
    ],
)
def test_senseless_values_are_one_sentence(folder: Path, entries: dict[str, Any]) -> None:
    changed(folder / "config.json", **entries)
    refused(folder)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"null",
        b"[1]",
        b'{"model_type": "gpt2", "n_layer": NaN}',
        b'{"model_type": "gpt2", "n_layer": 1e999}',
        b'{"model_type": ' + b"[" * 100_000,
        b'{"a": ' * 100_000 + b"1" + b"}" * 100_000,
        b"\xff\xfe{\x00}\x00",
        b'{"model_type": "gpt2"}' + b" " * (1 << 21),
        b'{"model_type": "gpt2", "n_layer": ' + b"9" * 100_000 + b"}",
        b'{"model_type": ["gpt2"]}',
        b'{"model_type": "../gpt2"}',
        b'{"model_type": "gpt2\\u0000"}',
        b'{"model_type": ""}',
    ],
)
def test_a_config_that_is_none_is_one_sentence(folder: Path, text: bytes) -> None:
    (folder / "config.json").write_bytes(text)
    assert code_of(folder) in (
        "bundle_invalid",
        "bundle_format",
        "config_value",
        "foreign_kind",
        "file_large",
    )


def test_deep_json_is_refused_before_it_is_walked_through(folder: Path) -> None:
    deep: Any = 1
    for _ in range(200):
        deep = {"a": deep}
    changed(folder / "config.json", deep=deep)
    assert code_of(folder) == "bundle_invalid"


def test_of_two_equal_keys_the_last_counts_everywhere(folder: Path) -> None:
    text = json.loads((folder / "config.json").read_text())
    body = json.dumps(text)
    (folder / "config.json").write_text(body[:-1] + ', "model_type": "never-heard-of"}')
    assert code_of(folder) == "foreign_failed"


@pytest.mark.parametrize("key", ["quantization_config", "compression_config"])
def test_quantized_weights_are_refused(folder: Path, key: str) -> None:
    changed(folder / "config.json", **{key: {"quant_method": "gptq"}})
    assert code_of(folder) == "foreign_quantized"


@pytest.mark.parametrize(
    "name", ["generation_config.json", "tokenizer_config.json", "special_tokens_map.json"]
)
@pytest.mark.parametrize("text", [b"[]", b"{", b'{"a": ' * 5000, b" " * (9 << 20), b'{"max_length": 1e999}'])
def test_small_files_are_capped_and_checked(folder: Path, name: str, text: bytes) -> None:
    (folder / name).write_bytes(text)
    refused(folder)


@pytest.mark.parametrize("folder", ["bert", "t5"], indirect=True)
@pytest.mark.parametrize(
    "entries",
    [
        {"text_config": 7},
        {"decoder": "x"},
        {"relative_attention_max_distance": 2**31 - 1},
        {"rope_parameters": {"rope_type": "yarn", "factor": 1e308}},
        {"pruned_heads": {"0": [0, 1, 2, 3]}},
    ],
)
def test_a_model_that_cannot_be_tried_is_one_sentence(folder: Path, entries: dict[str, Any]) -> None:
    changed(folder / "config.json", **entries)
    with contextlib.suppress(HeadscopeError):  # or it is harmless
        assert load_model(folder).name
