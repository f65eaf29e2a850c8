"""Marian folders as people have them: what is read of them, what is refused, and how far it is told."""

from __future__ import annotations

import hashlib
import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import main
from model.bundle.bundle import Bundle
from model.errors import HeadscopeError
from model.folder.decoding_rules import DecodingRules
from model.folder.model_folder import inspect_folder
from model.network.position_facts import facts_of
from model.positions.position_facts import TablePositions, is_stored, position_name
from model.positions.positions import sinusoidal_table
from model.translator.load_model import load_model, load_own, loading_steps
from tests.foreign_assets import quiet
from tests.marian_assets import write_marian
from tests.model.small import numpy_positions

Tensors = dict[str, torch.Tensor]
FIRST = "model.encoder.layers.0.self_attn.k_proj.weight"


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_marian(tmp_path_factory.mktemp("marian") / "opus-mt-en-fr", layers=(2, 1))


@pytest.fixture
def folder(good: Path, tmp_path: Path) -> Path:
    """A copy to spoil."""
    return Path(shutil.copytree(good, tmp_path / "opus-mt-en-fr"))


def with_config(folder: Path, name: str = "config.json", **changes: Any) -> Path:
    """A JSON file of the folder changed; ... leaves a key out."""
    path = folder / name
    values = json.loads(path.read_text(encoding="utf-8")) | changes
    path.write_text(json.dumps({k: v for k, v in values.items() if v is not ...}), encoding="utf-8")
    return folder


def with_tensors(folder: Path, change: Callable[[Tensors], object], *, pickled: bool = False) -> Path:
    path = folder / "model.safetensors"
    tensors = load_file(path)
    change(tensors)
    path.unlink()
    if pickled:
        torch.save(tensors, folder / "pytorch_model.bin")
    else:
        save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path)
    return folder


def refused(folder: Path) -> HeadscopeError:
    with pytest.raises(HeadscopeError) as caught:
        load_own(folder)
    assert str(folder) in str(caught.value)
    return caught.value


def same_weights(first: Bundle, second: Bundle) -> bool:
    ours, theirs = (dict(bundle.transformer.named_parameters()) for bundle in (first, second))
    return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)


def logits_of_transformers(folder: Path, source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    from transformers import MarianMTModel

    with quiet(), torch.no_grad():
        theirs = MarianMTModel.from_pretrained(
            folder, dtype=torch.float32, attn_implementation="eager"
        ).eval()
        result: torch.Tensor = theirs(input_ids=source, decoder_input_ids=target).logits
    return result


def differs_from_transformers(folder: Path) -> float:
    bundle = load_own(folder)
    source, target = (
        torch.tensor([[5, 17, 9, 33, 0]]),
        torch.tensor([[bundle.config.special.start, 8, 21, 40]]),
    )
    with torch.no_grad():
        ours = bundle.transformer.project(bundle.transformer(source, target))
    return float((ours - logits_of_transformers(folder, source, target)).abs().max())


# What is read.


def test_what_the_folder_says(good: Path) -> None:
    bundle = load_own(good)
    assert (bundle.name, bundle.languages, bundle.model_type) == ("opus-mt-en-fr", ("en", "fr"), "marian")
    assert bundle.sha256 == hashlib.sha256((good / "model.safetensors").read_bytes()).hexdigest()
    values = json.loads((good / "config.json").read_text(encoding="utf-8"))
    a, special = bundle.config.architecture, bundle.config.special
    assert (a.encoder_layers, a.decoder_layers, a.n_heads, a.d_ff) == (2, 1, 4, 64)
    assert (a.norm, a.norm_eps, a.position_layout, a.activation) == ("post_norm", 1e-5, "halves", "silu")
    assert (a.scale_embedding, a.tie_embeddings, a.output_bias) == (True, "all", True)
    assert (special.pad, special.start, special.end, special.unk) == (*[values["pad_token_id"]] * 2, 0, 1)
    assert bundle.source_limit == bundle.target_limit == 96
    assert bundle.rules == DecodingRules(banned=(values["pad_token_id"],), forced_end=0, beam="apart")


def test_the_matrices_of_decoding_lie_as_they_are_read_and_are_not_moved(good: Path) -> None:
    transformer = load_own(good).transformer
    before = [matrix.data_ptr() for matrix in transformer.decoding_matrices()]
    assert all(matrix.stride() == (1, matrix.shape[0]) for matrix in transformer.decoding_matrices())
    transformer.lay_out_for_decoding()
    assert [matrix.data_ptr() for matrix in transformer.decoding_matrices()] == before
    assert transformer.output.weight is transformer.source_embedding.weight


def test_progress_is_of_bytes_and_reaches_their_number(good: Path) -> None:
    told = list(loading_steps(good))
    size = (good / "model.safetensors").stat().st_size
    known = [loaded for loaded in told if loaded != (0, 0)]
    assert known[0] == (0, size)
    assert known[-1] == (size, size)
    assert known == sorted(known)


@pytest.mark.parametrize("pickled", [False, True])
def test_old_names_without_model_in_front(folder: Path, good: Path, pickled: bool) -> None:
    def old(tensors: Tensors) -> None:
        for name in list(tensors):
            tensors[name.removeprefix("model.")] = tensors.pop(name)

    assert same_weights(load_own(with_tensors(folder, old, pickled=pickled)), load_own(good))


def test_weights_in_parts(folder: Path, good: Path) -> None:
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    parts: list[Tensors] = [{}, {}]
    for place, name in enumerate(tensors):
        parts[place % 2][name] = tensors[name]
    names = [f"model-0000{part + 1}-of-00002.safetensors" for part in range(2)]
    for part, name in zip(parts, names):
        save_file(part, folder / name)
    index = {"weight_map": {tensor: name for part, name in zip(parts, names) for tensor in part}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    bundle = load_own(folder)
    assert same_weights(bundle, load_own(good))
    whole = b"".join((folder / name).read_bytes() for name in names)
    assert bundle.sha256 == hashlib.sha256(whole).hexdigest()


def test_safetensors_come_first(folder: Path, good: Path) -> None:
    (folder / "pytorch_model.bin").write_bytes(b"not read")
    assert same_weights(load_own(folder), load_own(good))


def test_stored_positions_that_are_the_computed_ones(folder: Path) -> None:
    table = torch.from_numpy(sinusoidal_table(96, 32, layout="halves"))
    for side in ("encoder", "decoder"):
        with_tensors(folder, lambda t, s=side: t.update({f"model.{s}.embed_positions.weight": table.clone()}))
    bundle = load_own(folder)
    assert bundle.config.architecture.positions == "sinusoidal"
    assert differs_from_transformers(folder) < 1e-4


def test_stored_positions_that_are_others_are_honoured(folder: Path) -> None:
    table = torch.randn(96, 32, generator=torch.Generator().manual_seed(3))
    for side in ("encoder", "decoder"):
        with_tensors(folder, lambda t, s=side: t.update({f"model.{s}.embed_positions.weight": table.clone()}))
    bundle = load_own(folder)
    assert bundle.config.architecture.positions == "learned"
    assert differs_from_transformers(folder) < 1e-4
    assert position_name(facts_of(bundle.transformer)) == "learned"


def test_stored_positions_in_half_precision_are_used_as_they_are(folder: Path) -> None:
    table = torch.from_numpy(sinusoidal_table(96, 32, layout="halves")).half()
    for side in ("encoder", "decoder"):
        with_tensors(folder, lambda t, s=side: t.update({f"model.{s}.embed_positions.weight": table.clone()}))
    bundle = load_own(folder)
    assert bundle.config.architecture.positions == "sinusoidal"
    assert torch.equal(bundle.transformer.positions.table, table.float())
    assert differs_from_transformers(folder) < 1e-4
    assert is_stored(facts_of(bundle.transformer))


def test_stored_positions_in_another_layout_are_no_learned_ones(folder: Path) -> None:
    table = torch.from_numpy(numpy_positions(96, 32, "interleaved")).float()
    for side in ("encoder", "decoder"):
        with_tensors(folder, lambda t, s=side: t.update({f"model.{s}.embed_positions.weight": table.clone()}))
    bundle = load_own(folder)
    assert differs_from_transformers(folder) < 1e-4
    (fact,) = facts_of(bundle.transformer)
    assert isinstance(fact, TablePositions)
    assert (fact.learned, fact.stored, fact.layout, fact.base) == (False, True, "interleaved", 1e4)


@pytest.mark.parametrize("name", ["lm_head.weight", "model.decoder.embed_tokens.weight"])
def test_a_tied_table_that_is_stored_and_differs_counts(folder: Path, name: str) -> None:
    """So `transformers` does, whatever config.json says of ties."""

    def another(tensors: Tensors) -> None:
        tensors[name] = tensors["model.shared.weight"] * 0.5 + 0.1

    assert differs_from_transformers(with_tensors(folder, another)) < 1e-4
    assert load_own(folder).config.architecture.tie_embeddings == "none"


def test_a_tied_table_that_is_stored_twice_is_held_once(folder: Path) -> None:
    with_tensors(folder, lambda t: t.update({"lm_head.weight": t["model.shared.weight"].clone()}))
    assert load_own(folder).config.architecture.tie_embeddings == "all"


def test_without_a_bias_of_the_logits_there_is_none(folder: Path) -> None:
    assert differs_from_transformers(with_tensors(folder, lambda t: t.pop("final_logits_bias"))) < 1e-4
    assert load_own(folder).transformer.output.bias is None


# How tokens are produced.


@pytest.mark.parametrize(
    ("settings", "rules"),
    [
        (
            {"bad_words_ids": [[7], [8, 9], [7]], "suppress_tokens": [3]},
            {"banned": (7, 3), "banned_runs": ((8, 9),)},
        ),
        ({"bad_words_ids": None, "forced_eos_token_id": None}, {"banned": (), "forced_end": None}),
        ({"forced_bos_token_id": 12, "min_length": 5}, {"forced_start": 12, "min_length": 4}),
        ({"min_new_tokens": 6, "no_repeat_ngram_size": 3}, {"min_length": 6, "no_repeat_ngram": 3}),
        ({"eos_token_id": [0, 9]}, {"ends": (9,)}),
        ({"bad_words_ids": [[10**9], ["x"], [-1]], "min_length": "many"}, {"banned": ()}),
    ],
)
def test_rules_of_generation_config(folder: Path, settings: dict[str, Any], rules: dict[str, Any]) -> None:
    wanted = {**load_own(folder).rules.__dict__, **rules}
    assert load_own(with_config(folder, "generation_config.json", **settings)).rules == DecodingRules(
        **wanted
    )


def test_old_folders_have_their_rules_in_config(folder: Path) -> None:
    (folder / "generation_config.json").unlink()
    assert load_own(folder).rules == DecodingRules(forced_end=0, beam="apart")
    with_config(folder, bad_words_ids=[[9]], forced_eos_token_id=..., no_repeat_ngram_size=2)
    assert load_own(folder).rules == DecodingRules(
        banned=(9,), forced_end=0, no_repeat_ngram=2, beam="apart"
    )  # absent, forced_eos_token_id is 0 in transformers' MarianConfig


# What our Transformer cannot be.


UNLIKE = [
    ({"encoder_attention_heads": 2}, "heads"),
    ({"activation_function": "gelu_new"}, "gelu_new"),
    ({"is_encoder_decoder": False}, "encoder"),
]


@pytest.mark.parametrize(("changes", "word"), UNLIKE)
def test_without_transformers_it_is_said_what_is_unlike(
    folder: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], word: str
) -> None:
    def missing(found: Any) -> Any:
        yield 0, 0
        raise HeadscopeError("hf_missing", path=str(found.path))

    monkeypatch.setattr("model.foreign.loading.load_foreign", missing)
    error = refused(with_config(folder, **changes))
    assert error.code == "marian_unlike"
    assert word in str(error)


def test_with_transformers_it_is_run_by_that(tmp_path: Path) -> None:
    folder = write_marian(tmp_path / "opus-mt-en-fr", heads=(2, 4))
    model = load_model(folder)
    assert not isinstance(model, Bundle)
    assert (model.name, model.languages) == ("opus-mt-en-fr", ("en", "fr"))


def test_info_tells_what_the_stacks_do_not_share(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, sizes, said in (
        ("wide", {"ffn": (48, 80)}, "d_ff 48 (decoder 80)"),
        ("heads", {"heads": (2, 4)}, "2 heads (decoder 4)"),
        ("both", {"heads": (2, 4), "ffn": (48, 80)}, "d_ff 48 (decoder 80)"),
    ):
        folder = write_marian(tmp_path / name, **sizes)
        assert main.main(["info", str(folder)]) == 0
        assert said in capsys.readouterr().out
        assert main.main(["info", str(folder), "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert told["architecture"].get("decoder_d_ff") == (None if name == "heads" else 80)
        assert told["verified"] is (name == "wide")


# What is refused.


def test_tensors_that_do_not_fit(folder: Path) -> None:
    good = load_file(folder / "model.safetensors")
    spoilt: list[tuple[Callable[[Tensors], object], str]] = [
        (lambda t: t.pop(FIRST), "weights_missing"),
        (lambda t: t.pop("model.shared.weight"), "weights_missing"),
        (lambda t: t.update(more=torch.zeros(1)), "weights_unexpected"),
        (lambda t: t.update({FIRST: torch.zeros(32, 31)}), "weights_shape"),
        (lambda t: t.update({FIRST: torch.zeros(1024)}), "weights_shape"),
        (lambda t: t.update({FIRST: torch.zeros(32, 32, dtype=torch.int32)}), "weights_dtype"),
        (lambda t: t[FIRST].fill_(math.nan), "weights_not_finite"),
        (lambda t: t[FIRST][31].fill_(math.inf), "weights_not_finite"),
        (lambda t: t["final_logits_bias"].fill_(math.nan), "weights_not_finite"),
    ]
    for change, code in spoilt:
        save_file(good, folder / "model.safetensors")
        with_tensors(folder, change)
        error = refused(folder)
        assert error.code == code


def test_sizes_that_the_weights_do_not_vouch_for_allocate_nothing(folder: Path) -> None:
    for changes in (
        {"d_model": 1 << 30},
        {"vocab_size": 1 << 31},
        {"encoder_layers": 1000},
        {"encoder_ffn_dim": 1 << 30, "decoder_ffn_dim": 1 << 30},
        {"max_position_embeddings": 1 << 30},
        {"encoder_layers": 10**12},
    ):
        kept = (folder / "config.json").read_bytes()
        before = _address_space()
        with pytest.raises(HeadscopeError):
            load_own(with_config(folder, **changes))
        assert _address_space() - before < 1 << 28
        (folder / "config.json").write_bytes(kept)


def _address_space() -> int:
    """Bytes that this process has ever asked for at once; 0 where that is not told."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmPeak"))


@pytest.mark.parametrize(
    "changes",
    [
        {"d_model": 0},
        {"d_model": "wide"},
        {"encoder_attention_heads": 5, "decoder_attention_heads": 5},
        {"scale_embedding": "yes"},
        {"pad_token_id": -1},
        {"decoder_start_token_id": 10**6},
        {"max_position_embeddings": 1.5},
        {"decoder_layers": True},
        {"eos_token_id": {"a": 1}, "vocab_size": []},
    ],
)
def test_a_config_that_makes_no_sense(folder: Path, changes: dict[str, Any]) -> None:
    if "decoder_start_token_id" in changes:
        with_config(folder, "generation_config.json", decoder_start_token_id=...)
    with pytest.raises(HeadscopeError) as caught:
        load_own(with_config(folder, **changes))
    assert caught.value.code in ("bundle_invalid", "config_heads", "config_value")


@pytest.mark.parametrize("name", ["generation_config.json", "vocab.json", "source.spm", "model.safetensors"])
@pytest.mark.parametrize("data", [b"", b"[1]", b"{", b"\xff" * 100])
def test_any_file_that_is_something_else(folder: Path, name: str, data: bytes) -> None:
    (folder / name).write_bytes(data)
    assert refused(folder).code in ("bundle_invalid", "tokenizer_invalid", "tensors_invalid")


def test_leaving_it_half_loaded_leaves_nothing_behind(good: Path) -> None:
    loading = loading_steps(good)
    while next(loading)[1] == 0:
        pass
    loading.close()
    assert load_own(good).name == inspect_folder(good).name


def test_numbers_are_exactly_those_of_the_file(good: Path) -> None:
    tensors = load_file(good / "model.safetensors")
    layer = load_own(good).transformer.decoder.layers[0]
    stacked = [tensors[f"model.decoder.layers.0.encoder_attn.{part}_proj.weight"] for part in "qkv"]
    np.testing.assert_array_equal(layer.multihead_attn.in_proj_weight, torch.cat(stacked))
