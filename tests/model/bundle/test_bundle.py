from __future__ import annotations

import functools
import json
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.bundle.bundle import (
    load_bundle,
    load_weights,
    replace_config,
    replace_weights,
    weights_of,
    write_bundle,
)
from model.errors import HeadscopeError
from model.folder.bundle_config import weight_shapes
from model.network.transformer import Transformer
from tests.model import tiny_bundle
from tests.model.safetensors_by_hand import build, parse

WEIGHTS = "model.safetensors"


def code_of(action: Callable[[], object]) -> str:
    with pytest.raises(HeadscopeError) as caught:
        action()
    assert str(caught.value)
    return caught.value.code


def write(
    folder: Path, *, half: bool = False, extra: dict[str, bytes] | None = None, **changes: Any
) -> Transformer:
    a = tiny_bundle.architecture(**changes)
    made = tiny_bundle.transformer(a)
    write_bundle(
        folder,
        tiny_bundle.config(a),
        made,
        tiny_bundle.spm(),
        tiny_bundle.spm("target" if a.tie_embeddings != "all" else "source"),
        half=half,
        extra_files=extra,
    )
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "bundle")
    return tmp_path / "bundle"


# what is written and read


@pytest.mark.parametrize("half", [False, True])
def test_round_trip(tmp_path: Path, half: bool) -> None:
    made = write(tmp_path / "b", half=half, extra={"README.md": b"hello"})
    bundle = load_bundle(str(tmp_path / "b"))
    assert bundle.config == tiny_bundle.config()
    assert not bundle.transformer.training
    for name, tensor in weights_of(bundle.transformer).items():
        assert tensor.dtype == torch.float32
        original = weights_of(made)[name]
        assert torch.equal(tensor, original.half().float() if half else original)
    assert not any(parameter.requires_grad for parameter in bundle.transformer.parameters())
    assert (tmp_path / "b" / "README.md").read_bytes() == b"hello"
    names = ["README.md", "config.json", WEIGHTS, "source.spm", "target.spm"]
    assert sorted(os.listdir(tmp_path / "b")) == names
    assert os.listdir(tmp_path) == ["b"]


def test_the_weights_file_as_other_readers_see_it(folder: Path) -> None:
    by_hand, _ = parse(folder / WEIGHTS)
    by_package = safetensors.torch.load_file(folder / WEIGHTS)
    assert set(by_hand) == set(by_package)
    for name, array in by_hand.items():
        assert np.array_equal(array, by_package[name].numpy())
    assert "output.weight" not in by_hand
    assert "target_embedding.weight" not in by_hand


@pytest.mark.parametrize(
    ("tie", "stored"),
    [
        ("all", {"source_embedding.weight"}),
        ("target_output", {"source_embedding.weight", "target_embedding.weight"}),
        ("none", {"source_embedding.weight", "target_embedding.weight", "output.weight"}),
    ],
)
def test_tied_weights_are_stored_once_and_tied_again(tmp_path: Path, tie: str, stored: set[str]) -> None:
    sizes = {} if tie == "all" else {"target_vocab": tiny_bundle.vocab("target")}
    write(tmp_path / "b", tie_embeddings=tie, **sizes)
    tensors, _ = parse(tmp_path / "b" / WEIGHTS)
    assert {name for name in tensors if "embedding" in name or "output" in name} == stored
    loaded = load_bundle(tmp_path / "b").transformer
    assert (loaded.output.weight is loaded.target_embedding.weight) == (tie != "none")
    assert (loaded.target_embedding.weight is loaded.source_embedding.weight) == (tie == "all")


def test_one_tokenizer_when_the_vocabulary_is_shared(tmp_path: Path, folder: Path) -> None:
    bundle = load_bundle(folder)
    assert bundle.source_tokenizer is bundle.target_tokenizer
    write(tmp_path / "two", tie_embeddings="none", target_vocab=tiny_bundle.vocab("target"))
    bundle = load_bundle(tmp_path / "two")
    assert bundle.source_tokenizer is not bundle.target_tokenizer
    assert bundle.target_tokenizer.serialized() == tiny_bundle.spm("target")


@pytest.mark.parametrize("tie", ["all", "target_output", "none"])
@pytest.mark.parametrize("norm", ["post_norm", "pre_norm"])
@pytest.mark.parametrize("positions", ["sinusoidal", "learned", "none"])
@pytest.mark.parametrize("bias", [True, False])
def test_the_expected_names_are_the_transformers_own(tie: str, norm: str, positions: str, bias: bool) -> None:
    a = tiny_bundle.architecture(
        tie_embeddings=tie,
        norm=norm,
        positions=positions,
        attention_bias=bias,
        output_bias=bias,
        encoder_layers=2,
        decoder_layers=3,
    )
    own = {name: tuple(tensor.shape) for name, tensor in weights_of(Transformer(a)).items()}
    assert own == weight_shapes(a)


def test_weights_laid_out_for_decoding_are_stored_the_same(tmp_path: Path) -> None:
    made = write(tmp_path / "a")
    made.lay_out_for_decoding()
    write_bundle(tmp_path / "b", tiny_bundle.config(), made, tiny_bundle.spm(), tiny_bundle.spm(), half=False)
    assert (tmp_path / "a" / WEIGHTS).read_bytes() == (tmp_path / "b" / WEIGHTS).read_bytes()


def test_one_file_is_replaced_alone(folder: Path) -> None:
    before = {name: (folder / name).read_bytes() for name in os.listdir(folder)}
    other = tiny_bundle.transformer(seed=2)
    replace_weights(folder, weights_of(other), half=True)
    replace_config(folder, tiny_bundle.config(name="renamed"))
    after = {name: (folder / name).read_bytes() for name in os.listdir(folder)}
    assert {name for name in after if after[name] != before[name]} == {WEIGHTS, "config.json"}
    bundle = load_bundle(folder)
    assert bundle.config.name == "renamed"
    assert torch.equal(bundle.transformer.output.weight, other.output.weight.half().float())


def test_loading_draws_no_random_numbers(folder: Path) -> None:
    torch.manual_seed(5)
    state = torch.get_rng_state()
    load_bundle(folder)
    assert torch.equal(torch.get_rng_state(), state)


# what is refused when writing


def test_an_existing_bundle_is_not_overwritten(folder: Path) -> None:
    assert code_of(lambda: write(folder)) == "folder_exists"


@pytest.mark.parametrize(
    ("value", "half", "code"),
    [
        (float("nan"), False, "weights_not_finite"),
        (float("-inf"), True, "weights_not_finite"),
        (65520.0, True, "weights_half"),
        (-1e6, True, "weights_half"),
        (65519.0, True, None),
        (1e30, False, None),
    ],
)
def test_weights_that_cannot_be_stored(folder: Path, value: float, half: bool, code: str | None) -> None:
    tensors = {name: tensor.clone() for name, tensor in weights_of(tiny_bundle.transformer()).items()}
    tensors["encoder.layers.0.linear1.weight"][0, 0] = value
    old = (folder / WEIGHTS).read_bytes()
    if code is None:
        replace_weights(folder, tensors, half=half)
        load_bundle(folder)
    else:
        assert code_of(lambda: replace_weights(folder, tensors, half=half)) == code
        assert (folder / WEIGHTS).read_bytes() == old


def test_weights_of_another_architecture(tmp_path: Path, folder: Path) -> None:
    tensors = weights_of(tiny_bundle.transformer())
    lacking = {name: tensor for name, tensor in tensors.items() if name != "decoder.layers.0.norm3.bias"}
    wide = {**tensors, "decoder.layers.0.norm3.bias": torch.zeros(9)}
    for change, code in (
        (lacking, "weights_missing"),
        (wide, "weights_shape"),
        ({**tensors, "extra": torch.zeros(1)}, "weights_unexpected"),
    ):
        own = tiny_bundle.transformer(seed=4)
        kept = {name: tensor.clone() for name, tensor in weights_of(own).items()}
        assert code_of(lambda change=change: replace_weights(folder, change, half=False)) == code  # type: ignore[misc]
        assert code_of(lambda change=change, own=own: load_weights(own, change)) == code  # type: ignore[misc]
        assert all(torch.equal(kept[name], tensor) for name, tensor in weights_of(own).items())

        def write_new(weights: dict[str, torch.Tensor]) -> None:
            spm = tiny_bundle.spm()
            write_bundle(tmp_path / "new", tiny_bundle.config(), weights, spm, spm, half=False)

        assert code_of(functools.partial(write_new, change)) == code
    assert os.listdir(tmp_path) == ["bundle"]


def test_load_weights_keeps_ties_and_takes_any_float(folder: Path) -> None:
    own, other = tiny_bundle.transformer(seed=4), tiny_bundle.transformer(seed=5)
    load_weights(own, {name: tensor.bfloat16() for name, tensor in weights_of(other).items()})
    assert own.output.weight is own.source_embedding.weight
    assert torch.equal(own.output.weight, other.output.weight.bfloat16().float())


# what is refused when reading


def test_each_file_missing_empty_cut_or_garbage(folder: Path) -> None:
    for name in ("config.json", WEIGHTS, "source.spm", "target.spm"):
        path = folder / name
        good = path.read_bytes()
        path.unlink()
        missing = {"config.json": "bundle_missing", "source.spm": "tokenizer_missing"}
        assert code_of(lambda: load_bundle(folder)) == missing.get(name, "file_missing")
        for bad in (
            b"",
            good[: len(good) // 2],
            good[:-2],
            b"garbage " * 40,
            b"\xff\xfe" + good,
            b"[]",
            b"{}",
        ):
            path.write_bytes(bad)
            code = code_of(lambda: load_bundle(folder))
            assert code.startswith(("bundle_", "tensors_", "tokenizer_", "weights_")), (name, bad, code)
        path.unlink()
        path.mkdir()
        assert code_of(lambda: load_bundle(folder)) in ("file_is_folder", "tokenizer_unreadable")
        path.rmdir()
        path.write_bytes(good)
    load_bundle(folder)


def test_no_pickle_is_loaded_whatever_its_name(folder: Path, tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[object, ...]:
            return (Path.touch, (tmp_path / "went off",))

    path = folder / WEIGHTS
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        path.write_bytes(pickle.dumps(Bomb(), protocol))
        assert code_of(lambda: load_bundle(folder)) in ("tensors_pickle", "tensors_invalid")
    torch.save({"a": torch.zeros(3)}, path)
    assert code_of(lambda: load_bundle(folder)) == "tensors_pickle"
    torch.save({"a": torch.zeros(3)}, path, _use_new_zipfile_serialization=False)
    assert code_of(lambda: load_bundle(folder)) == "tensors_pickle"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data.pkl", pickle.dumps(Bomb()))
    assert code_of(lambda: load_bundle(folder)) == "tensors_pickle"
    assert not (tmp_path / "went off").exists()


def test_tensors_that_do_not_fit_are_named(folder: Path) -> None:
    tensors, _ = parse(folder / WEIGHTS)
    name = "decoder.layers.0.multihead_attn.in_proj_weight"
    good = tensors[name]
    bad = good.copy()
    bad[3, 3] = np.nan
    large = good.copy()
    large[0, 0] = np.inf
    cases: list[tuple[dict[str, np.ndarray], str, str]] = [
        ({name: good[:-1]}, "weights_shape", "[24, 8]"),
        ({name: good.T.copy()}, "weights_shape", "[8, 24]"),
        ({name: good.astype(np.float64)}, "weights_dtype", "F64"),
        ({name: bad}, "weights_not_finite", name),
        ({name: large}, "weights_not_finite", name),
        ({"decoder.norm.weight": good}, "weights_unexpected", "decoder.norm.weight"),
        ({"output.weight": tensors["source_embedding.weight"]}, "weights_unexpected", "output.weight"),
    ]
    for changes, code, said in cases:
        (folder / WEIGHTS).write_bytes(build({**tensors, **changes}, {}))
        with pytest.raises(HeadscopeError) as caught:
            load_bundle(folder)
        assert caught.value.code == code
        assert said in str(caught.value)
    (folder / WEIGHTS).write_bytes(build({k: v for k, v in tensors.items() if k != name}, {}))
    assert code_of(lambda: load_bundle(folder)) == "weights_missing"


def test_half_and_single_may_be_mixed_and_unaligned(folder: Path) -> None:
    tensors, _ = parse(folder / WEIGHTS)
    name = "encoder.layers.0.norm1.bias"
    mixed = {name: tensors[name].astype(np.float16), **{k: v for k, v in tensors.items() if k != name}}
    for padding in range(4):
        (folder / WEIGHTS).write_bytes(build(mixed, {"pad": "x" * padding}))
        loaded = weights_of(load_bundle(folder).transformer)
        assert np.array_equal(loaded[name].numpy(), mixed[name].astype(np.float32))
        assert np.array_equal(
            loaded["encoder.layers.0.norm2.bias"].numpy(), tensors["encoder.layers.0.norm2.bias"]
        )


def change_config(folder: Path, path: tuple[str, ...], value: Any) -> None:
    values = json.loads((folder / "config.json").read_text("utf-8"))
    inner = values
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    (folder / "config.json").write_text(json.dumps(values), "utf-8")


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("architecture", "source_vocab"), 39, "config_tie"),
        (("architecture", "tie_embeddings"), "none", "weights_missing"),
        (("architecture", "norm"), "pre_norm", "weights_missing"),
        (("architecture", "d_ff"), 13, "weights_shape"),
        (("architecture", "d_ff"), 10**9, "weights_shape"),
        (("architecture", "d_ff"), 10**15, "config_value"),
        (("architecture", "d_model"), 10**15, "config_value"),
        (("architecture", "encoder_layers"), 10**9, "config_value"),
        (("architecture", "encoder_layers"), 2, "weights_missing"),
        (("architecture", "max_positions"), 10**12, "config_value"),
        (("special", "pad"), 1, "bundle_special"),
        (("special", "end"), 4, "bundle_special"),
    ],
)
def test_a_config_that_disagrees_with_the_files(
    folder: Path, path: tuple[str, ...], value: Any, code: str
) -> None:
    change_config(folder, path, value)
    assert code_of(lambda: load_bundle(folder)) == code


def test_a_vocabulary_of_another_size(folder: Path) -> None:
    for name in ("source_vocab", "target_vocab"):
        change_config(folder, ("architecture", name), 50)
    assert code_of(lambda: load_bundle(folder)) == "bundle_vocab"


def test_the_weights_file_cut_at_any_byte(folder: Path) -> None:
    path = folder / WEIGHTS
    data = path.read_bytes()
    for length in {*range(200), *range(200, len(data), 97)}:
        path.write_bytes(data[:length])
        assert code_of(lambda: load_bundle(folder)) == "tensors_invalid"


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_damaged_weights_load_or_are_refused(
    tmp_path_factory: pytest.TempPathFactory, good: dict[str, bytes], data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    for name, content in good.items():
        changed = bytearray(content)
        places = st.integers(0, len(content) - 1) | st.integers(0, min(len(content) - 1, 300))
        if name in (WEIGHTS, "config.json"):
            for place, value in data.draw(st.lists(st.tuples(places, st.integers(0, 255)), max_size=3)):
                changed[place] = value
        (folder / name).write_bytes(changed)
    try:
        bundle = load_bundle(folder)
    except HeadscopeError:
        return
    assert all(bool(torch.isfinite(tensor).all()) for tensor in weights_of(bundle.transformer).values())


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("good") / "bundle"
    write(folder)
    return {name: (folder / name).read_bytes() for name in os.listdir(folder)}
