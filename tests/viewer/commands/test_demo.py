"""The `demo` command: one run on a tiny bundle, and every file that it promises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtGui import QImage

from main import main
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind
from model.trace.trace_file import open_trace
from viewer.commands import demo
from viewer.commands.demo import SENTENCE

ROOT = Path(__file__).parents[3]


def run_demo(out: Path, bundle: Path) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "QT_QPA_PLATFORM")}
    command = [
        sys.executable,
        str(ROOT / "main.py"),
        "demo",
        "--out",
        str(out),
        "--model",
        str(bundle),
        "--json",
    ]
    return subprocess.run(command, env=clean, capture_output=True, text=True, timeout=110)


@pytest.fixture(scope="module")
def result(
    tiny_bundle: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, subprocess.CompletedProcess[str]]:
    out = tmp_path_factory.mktemp("demo")
    (out / "map.png").write_bytes(b"old")
    (out / "mine.txt").write_bytes(b"mine")
    return out, run_demo(out, tiny_bundle)


def test_an_unknown_model_makes_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--out", str(tmp_path / "new" / "folder"), "--model", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err.startswith("headscope: error: ")
    assert not (tmp_path / "new").exists()


def test_a_folder_that_cannot_be_made(tiny_bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(HeadscopeError) as caught:
        demo.run(["--model", str(tiny_bundle), "--out", str(tmp_path / "file" / "below")])
    assert caught.value.code == "file_unwritable"


@pytest.fixture(scope="module")
def manifest(result: tuple[Path, subprocess.CompletedProcess[str]]) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(result[1].stdout)
    return loaded


@pytest.mark.slow
def test_the_demo_ends_well(result: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    _, process = result
    assert process.returncode == 0, process.stderr
    assert len(process.stdout.splitlines()) == 1
    assert all(line.startswith("headscope: ") for line in process.stderr.splitlines()), process.stderr


def test_the_manifest_names_every_file(
    result: tuple[Path, subprocess.CompletedProcess[str]], manifest: dict[str, Any]
) -> None:
    out, _ = result
    named = {Path(entry["path"]) for entry in manifest["files"]}
    assert named | {out / "manifest.json", out / "mine.txt"} == set(out.iterdir())
    assert all(set(entry) == {"path", "view", "kind", "layer", "head"} for entry in manifest["files"])
    assert json.loads((out / "manifest.json").read_text("utf-8")) == manifest
    assert manifest["source"] == SENTENCE
    assert manifest["text"] == open_trace(out / "decoding.trace").tgt_text


def test_the_manifest_covers_the_main_job(manifest: dict[str, Any]) -> None:
    found = {(entry["view"], entry["kind"], Path(entry["path"]).suffix) for entry in manifest["files"]}
    wanted = {("heatmap", "cross", ending) for ending in (".png", ".svg", ".pdf", ".csv")}
    wanted |= {("heads", str(kind), ".png") for kind in AttentionKind}
    wanted |= {("positions", None, ".png"), ("window", "cross", ".png")}
    wanted |= {(None, None, ending) for ending in (".npz", ".trace", ".txt")}
    assert wanted <= found
    shown = [entry for entry in manifest["files"] if entry["view"] == "heatmap" and entry["head"] != "mean"]
    assert {(entry["layer"], entry["head"]) for entry in shown} == {(1, 2)}  # the bundle's showcase


def test_pictures_and_data_can_be_read(manifest: dict[str, Any]) -> None:
    for entry in manifest["files"]:
        path = Path(entry["path"])
        if path.suffix == ".png":
            image = QImage(str(path))
            assert image.width() > 300, path
            grey = {
                image.pixelColor(x, y).rgb() for x in range(0, image.width(), 9) for y in range(0, 300, 9)
            }
            assert len(grey) > 5, path
        elif path.suffix == ".npz":
            with np.load(path) as archive:
                assert archive["cross"].ndim == 4
        else:
            assert path.stat().st_size > 100


def test_the_window_is_of_its_real_size(manifest: dict[str, Any]) -> None:
    (path,) = (entry["path"] for entry in manifest["files"] if entry["view"] == "window")
    image = QImage(path)
    assert (image.width(), image.height()) == (1280, 800)


def test_files_of_an_earlier_run_are_replaced_and_others_kept(
    result: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    out, _ = result
    assert (out / "map.png").read_bytes().startswith(b"\x89PNG")
    assert (out / "mine.txt").read_bytes() == b"mine"


def test_a_file_in_the_way_is_a_sentence(
    tmp_path: Path, tiny_bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"")
    for out in (tmp_path / "file", tmp_path / "file" / "below"):
        assert main(["demo", "--out", str(out), "--model", str(tiny_bundle)]) == 1
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("headscope: error: ")


def test_out_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        demo.run([])
    assert caught.value.code == 2
    assert "--out" in capsys.readouterr().err
