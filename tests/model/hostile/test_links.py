"""Links out of a folder, pipes and the like: nothing but the folder's own files is opened."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from model.folder.model_folder import inspect_folder
from model.translator.load_model import load_model
from tests.model.hostile.crafting import SECRET, code_of, copied, refused

KINDS = ("bundle", "marian", "bert", "gpt2", "t5")
NAMES = {
    "bundle": ("config.json", "model.safetensors", "source.spm", "target.spm"),
    "marian": ("config.json", "model.safetensors", "source.spm", "vocab.json", "generation_config.json"),
    "gpt2": ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"),
}
CASES = [(kind, name) for kind, names in NAMES.items() for name in names]


@pytest.mark.parametrize(("folder", "name"), CASES, indirect=["folder"])
def test_a_link_to_a_file_elsewhere_is_not_followed(folder: Path, name: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    shutil.move(folder / name, outside)  # a file that would do, were it not elsewhere
    (folder / name).symlink_to(outside)
    error = refused(folder)
    assert error.code == "file_elsewhere"
    assert name in str(error)


@pytest.mark.parametrize("folder", KINDS, indirect=True)
def test_a_model_card_elsewhere_is_not_shown(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRET)
    (folder / "README.md").unlink(missing_ok=True)
    (folder / "README.md").symlink_to(tmp_path / "secret")
    assert code_of(folder) == "file_elsewhere"


@pytest.mark.parametrize("target", ["../../outside", "/etc/passwd", "/dev/zero", "gone", "config.json"])
def test_no_way_of_writing_a_link_leads_out(folder: Path, target: str, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text(SECRET)
    (folder / "merges.txt").symlink_to(target)
    if target == "config.json":
        assert load_model(folder).name == "gpt2"  # inside: a strange file of merges, but its own
    else:
        assert code_of(folder) in ("file_elsewhere", "file_missing")


def test_a_link_in_a_circle_is_one_sentence(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer.json").symlink_to("tokenizer.json")
    refused(folder)


@pytest.mark.parametrize(("folder", "name"), CASES, indirect=["folder"])
def test_a_pipe_does_not_wait_for_ever(folder: Path, name: str) -> None:
    (folder / name).unlink()
    os.mkfifo(folder / name)
    assert code_of(folder) in ("file_not_ordinary", "tokenizer_unreadable")


@pytest.mark.parametrize(("folder", "name"), CASES, indirect=["folder"])
def test_a_folder_in_a_files_place_is_one_sentence(folder: Path, name: str) -> None:
    (folder / name).unlink()
    (folder / name).mkdir()
    assert code_of(folder) in ("file_is_folder", "tokenizer_unreadable")


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder_that_is_itself_a_link_opens(kind: str, sound: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(sound[kind], target_is_directory=True)
    assert load_model(tmp_path / "link").name


def cache(root: Path, folder: Path, name: str = "models--tiny--gpt-x") -> Path:
    """The hub's cache with one snapshot, whose files are links to blobs; its path."""
    top = root / "hub" / name
    snapshot = top / "snapshots" / ("a" * 40)
    snapshot.mkdir(parents=True)
    (top / "blobs").mkdir()
    for number, path in enumerate(sorted(folder.iterdir())):
        shutil.copy(path, top / "blobs" / str(number))
        (snapshot / path.name).symlink_to(Path("../../blobs") / str(number))
    (top / "refs").mkdir()
    (top / "refs" / "main").write_text("a" * 40)
    return snapshot


@pytest.mark.parametrize("kind", KINDS)
def test_the_hubs_cache_opens_by_every_path_into_it(
    kind: str, sound: dict[str, Path], tmp_path: Path
) -> None:
    snapshot = cache(tmp_path, sound[kind])
    older = snapshot.parent / ("f" * 40)
    older.mkdir()
    top = snapshot.parent.parent
    for path in (snapshot, top, top / "snapshots", snapshot / "model.safetensors", snapshot / "config.json"):
        model = load_model(path)
        assert model.folder.resolve() == snapshot.resolve(), path
    if kind != "bundle":
        assert model.name == "gpt-x"


def test_a_cache_without_refs_opens_its_newest_snapshot(sound: dict[str, Path], tmp_path: Path) -> None:
    snapshot = cache(tmp_path, sound["bert"])
    other = copied(snapshot, snapshot.parent / ("b" * 40))
    shutil.rmtree(snapshot.parent.parent / "refs")
    os.utime(snapshot, (1000, 1000))
    os.utime(other, (2000, 2000))
    assert inspect_folder(snapshot.parent.parent).path == other
    os.utime(snapshot, (3000, 3000))
    assert inspect_folder(snapshot.parent.parent).path == snapshot


def test_a_cache_reaches_no_other_models_blobs(sound: dict[str, Path], tmp_path: Path) -> None:
    theirs = cache(tmp_path, sound["gpt2"], "models--other--one")
    mine = cache(tmp_path, sound["gpt2"])
    (mine / "model.safetensors").unlink()
    (mine / "model.safetensors").symlink_to((theirs / "model.safetensors").resolve())
    assert code_of(mine) == "file_elsewhere"
    blobs = mine.parent.parent / "blobs"
    shutil.rmtree(blobs)
    blobs.symlink_to(tmp_path, target_is_directory=True)  # which would make everything a blob
    (tmp_path / "0").write_text(SECRET)
    assert code_of(mine) == "file_elsewhere"
