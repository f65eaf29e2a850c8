"""What a folder is said to be, before anything is loaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from model.errors import HeadscopeError
from model.files.safe_folder import safe_file
from model.folder.bundled import resolve_model
from model.folder.model_folder import FolderKind, inspect_folder, model_home


def folder_with(folder: Path, *names: str, **config: object) -> Path:
    folder.mkdir(parents=True)
    if config:
        (folder / "config.json").write_text(json.dumps(config))
    for name in names:
        (folder / name).write_bytes(b"x")
    return folder


def code_of(folder: Path) -> str:
    with pytest.raises(HeadscopeError) as caught:
        inspect_folder(folder)
    assert "\n" not in str(caught.value)
    return caught.value.code


def test_kinds(tiny_bundle: Path, tmp_path: Path) -> None:
    assert inspect_folder(tiny_bundle).kind is FolderKind.BUNDLE
    for model_type, kind in (("marian", FolderKind.MARIAN), ("gpt2", FolderKind.FOREIGN)):
        folder = folder_with(tmp_path / model_type, "model.safetensors", model_type=model_type)
        found = inspect_folder(folder)
        assert (found.kind, found.name, found.path) == (kind, model_type, folder)
        assert found.values == {"model_type": model_type}


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ((), "folder_empty"),
        (("notes.txt",), "bundle_missing"),
        (("model.safetensors",), "folder_no_config"),
        (("adapter_config.json", "adapter_model.safetensors"), "folder_adapter"),
        (("llama-q4.gguf",), "folder_gguf"),
        (("tf_model.h5",), "folder_tensorflow"),
        (("flax_model.msgpack",), "folder_flax"),
        (("model.onnx",), "folder_onnx"),
        (("epoch=3-step=100.ckpt", "hparams.yaml"), "folder_checkpoint"),
        (("checkpoint_best.pt", "dict.en.txt"), "folder_checkpoint"),
        (("model.npz", "vocab.yml"), "folder_checkpoint"),
    ],
)
def test_folders_of_other_programs(names: tuple[str, ...], code: str, tmp_path: Path) -> None:
    assert code_of(folder_with(tmp_path / "m", *names)) == code


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ((), "folder_no_weights"),
        (("tf_model.h5",), "folder_tensorflow"),
        (("flax_model.msgpack",), "folder_flax"),
        (("model-q8.gguf",), "folder_gguf"),
        (("decoder_model.onnx",), "folder_onnx"),
        (("adapter_model.bin", "adapter_config.json"), "folder_adapter"),
    ],
)
def test_a_config_without_weights(names: tuple[str, ...], code: str, tmp_path: Path) -> None:
    assert code_of(folder_with(tmp_path / "m", *names, model_type="gpt2")) == code


def test_weights_beside_those_of_other_programs_open(tmp_path: Path) -> None:
    others = ("tf_model.h5", "flax_model.msgpack", "model.onnx", "rust_model.ot", "x.gguf", "optimizer.pt")
    folder = folder_with(tmp_path / "m1", "pytorch_model.bin", *others, model_type="gpt2")
    assert inspect_folder(folder).kind is FolderKind.FOREIGN


def test_a_folder_above_models_offers_them(tmp_path: Path) -> None:
    for name in ("b", "a", "c", "d"):
        folder_with(tmp_path / "models" / name, "model.safetensors", model_type="gpt2")
    (tmp_path / "models" / "readme").mkdir()
    with pytest.raises(HeadscopeError) as caught:
        inspect_folder(tmp_path / "models")
    assert caught.value.code == "folder_above"
    offered = ", ".join(str(tmp_path / "models" / name) for name in "abc")
    assert str(caught.value).endswith(f"open {offered}")


def test_the_hubs_folder_offers_its_models(tmp_path: Path) -> None:
    snapshot = tmp_path / "hub" / "models--org--net-1" / "snapshots" / ("0" * 40)
    folder_with(snapshot, "model.safetensors", model_type="gpt2")
    assert code_of(tmp_path / "hub") == "folder_above"
    assert inspect_folder(tmp_path / "hub" / "models--org--net-1").name == "net-1"


@pytest.mark.parametrize(
    ("folder", "said", "name"),
    [
        ("bert-base", "elsewhere/x", "bert-base"),
        ("checkpoint-500", "org/net-1", "net-1"),
        ("model", "/home/somebody/net-2/", "net-2"),
        ("model", "C:\\nets\\net-3", "net-3"),
        ("model", "", "model"),
        ("model", None, "model"),
        ("model", ["x"], "model"),
        ("model", "../..", ".."),
        ("model", "a\x1b[31m\u202eb\nc", "a[31mbc"),
        ("0" * 40, "org/" + "n" * 500, "n" * 80),
        ("a\nb\u202ec", "", "abc"),
        ("models--org--net", "x", "models--org--net"),
    ],
)
def test_names(folder: str, said: object, name: str, tmp_path: Path) -> None:
    place = folder_with(tmp_path / folder, "model.safetensors", model_type="gpt2", _name_or_path=said)
    assert inspect_folder(place).name == name


def test_a_snapshot_is_called_as_its_model(tmp_path: Path) -> None:
    for top, name in (("models--org--a-b", "a-b"), ("models--gpt2", "gpt2"), ("models--o--a--b", "a--b")):
        place = tmp_path / top / "snapshots" / ("0" * 40)
        folder_with(place, "model.safetensors", model_type="gpt2", _name_or_path="other/x")
        assert inspect_folder(place).name == name


@pytest.mark.parametrize(
    ("folder", "settings", "languages"),
    [
        ("x", {"source_lang": "en", "target_lang": "fr"}, ("en", "fr")),
        ("x", {"source_lang": "eng", "target_lang": "cmn_Hans"}, ("eng", "cmn_Hans")),
        ("opus-mt-en-fr", {"source_lang": "<b>", "target_lang": "fr"}, ("en", "fr")),
        ("opus-mt-tc-big-en-fr", {"source_lang": 1}, ("en", "fr")),
        ("opus-mt-en-ROMANCE", {}, ("und", "und")),
        ("x", {"source_lang": "x" * 5000, "target_lang": "fr"}, ("und", "und")),
        ("x", None, ("und", "und")),
    ],
)
def test_languages_of_marian(
    folder: str, settings: object, languages: tuple[str, str], tmp_path: Path
) -> None:
    place = folder_with(tmp_path / folder, "pytorch_model.bin", model_type="marian")
    if settings is not None:
        (place / "tokenizer_config.json").write_text(json.dumps(settings))
    assert inspect_folder(place).languages == languages


def test_a_file_means_its_folder(tiny_bundle: Path) -> None:
    for name in ("config.json", "model.safetensors", "source.spm"):
        assert model_home(tiny_bundle / name) == tiny_bundle
        assert resolve_model(tiny_bundle / name) == tiny_bundle
        assert inspect_folder(tiny_bundle / name).path == tiny_bundle


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "/etc/passwd", "a/b", "a\\b", "a\0b", "a\nb", ".x", "x:y"]
)
def test_only_plain_names_are_of_a_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(HeadscopeError) as caught:
        safe_file(tmp_path, name)
    assert caught.value.code == "folder_name"


def test_a_file_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(HeadscopeError) as caught:
        safe_file(tmp_path, "x.json")
    assert caught.value.code == "file_missing"
