"""No command writes a file under the name of another format."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from main import main
from model.errors import HeadscopeError
from model.trace.npz_write import save_named
from model.trace.trace import Trace
from tests.assets import SENTENCE

pytestmark = pytest.mark.usefixtures("qapp")  # `render` would make one that no window can use

NAMES = ("x.png", "x.PDF", "x.csv", "x.gz", "x.headscope")


@pytest.mark.parametrize(
    ("command", "names"),
    [
        (["trace", "tea", "--out"], (*NAMES, "x.pharaoh", "x.json", "x.txt")),
        (["task", "reverse", "--size", "5", "--out"], (*NAMES, "x.npz", "x.trace", "x.pharaoh")),
        (["task", "grammar", "--size", "5", "--out", "a.tsv", "--alignments"], (*NAMES, "x.tsv")),
        (["align", "tea", "--head", "mean", "--rule", "reads", "--out"], (*NAMES, "x.npz", "x.tsv")),
        (["heads", "--json", "--out"], NAMES),
        (["heads", "--csv", "--out"], ("x.json", "x.png", "x.npz")),
        (["train", "--task", "reverse", "--out"], (*NAMES, "x.trace")),
        (["demo", "--out"], (*NAMES, "x.npz")),
        (["render", "tea", "--out"], ("x.json", "x.tsv", "x.gz", "x")),
    ],
    ids=lambda value: value[0],
)
def test_a_name_of_another_format_is_refused(
    command: list[str],
    names: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in names:
        assert main([*command, name]) == 1, name
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith(f"headscope: error: {name} ")
        assert printed.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_sentence_names_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "tea", "--out", str(tmp_path / "x.png")]) == 1
    error = capsys.readouterr().err
    assert "render" in error
    assert error.endswith("end the name in .trace or .npz\n")


def test_a_trace_as_an_archive(tiny_bundle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `trace` writes as NPZ are the bytes that `render` writes, and the numbers of the trace."""
    model = ["--model", str(tiny_bundle)]
    plain, ours, theirs = (tmp_path / name for name in ("x.trace", "x.npz", "y.NPZ"))
    for path in (plain, ours):
        assert main(["trace", *model, "--out", str(path), SENTENCE]) == 0
    assert main(["render", *model, "--out", str(theirs), SENTENCE]) == 0
    assert ours.read_bytes() == theirs.read_bytes()
    tensors = load_file(plain)
    with np.load(ours, allow_pickle=False) as arrays:
        for name, tensor in tensors.items():
            np.testing.assert_array_equal(arrays[name], tensor)
    capsys.readouterr()
    assert main(["heads", "--trace", str(ours), "--json"]) == 0
    of_archive = capsys.readouterr().out
    assert main(["heads", "--trace", str(plain), "--json"]) == 0
    assert capsys.readouterr().out == of_archive


def test_half_precision_is_for_traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["trace", "tea", "--float16", "--out", str(tmp_path / "x.npz")]) == 1
    assert ".trace" in capsys.readouterr().err


def test_other_names_are_taken(tiny_trace: Trace, tmp_path: Path) -> None:
    for name in ("plain", "with.dots.v2", "x.safetensors", ".trace"):
        save_named(tiny_trace, tmp_path / name)
        assert "cross" in load_file(tmp_path / name)
    with pytest.raises(HeadscopeError) as caught:
        save_named(tiny_trace, tmp_path / "x.svg")
    assert caught.value.code == "out_ending"


def test_a_folder_that_is_there_may_be_called_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run.tsv").mkdir()
    assert main(["train", "--resume", "--out", str(tmp_path / "run.tsv")]) == 1
    assert "is the name of" not in capsys.readouterr().err
